"""What an extractor finds in messages, origins set by us; what it raises on one of them costs that one's facts only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from recollect.errors import MissingDependency, ModelError, StoreError
from recollect.extractors import Extractor, Unreadable
from recollect.proposals import answers, apart, lowest_heard, quoting, readable_part, stamped
from recollect.records import Draft, Fact, Message
from recollect.runtime import Parts
from recollect.speakers import heard

MOST_IN_A_ROW = 3
"""Where so many messages fail one after the other, nothing else is asked of an extractor that makes others wait."""
SHORT = 200
"""So many characters may only be understood by what was said just before them."""
UNREACHABLE = (ModelError, MissingDependency, StoreError, OSError)
"""What says nothing about a message: the model, or what else an extractor asks, can't be reached now."""


@dataclass
class Extracted:
    """What was found, and in which messages nothing could be."""

    drafts: list[Draft] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    """What the extractor raised on a message, by its id."""
    untried: set[str] = field(default_factory=set)
    """Messages that were not read for no fault of theirs."""
    down: Exception | None = None
    """Why nothing can be read at present."""

    @property
    def unread(self) -> dict[str, str]:
        """What is wrong with each message that was not read, by its id; nothing, where the extractor is down."""
        return dict.fromkeys(self.untried, "") | self.failed


def described(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def is_unreachable(error: Exception) -> bool:
    """Whether the extractor, or what it asks, is down for all messages alike."""
    return isinstance(error, UNREACHABLE) and not isinstance(error, Unreadable)


def is_instant(extractor: Extractor | None) -> bool:
    """Whether it promises to ask nobody, so that nobody waits for it."""
    return bool(getattr(extractor, "instant", False))


def extract(
    parts: Parts, owner: str, messages: Sequence[Message], extractor: Extractor | None, known: Sequence[Fact]
) -> Extracted:
    """What an extractor finds in messages, in the order they were said. `known`: who and what has a name."""
    found = Extracted()
    if extractor is None or not messages:
        return found
    readable, found.drafts = heard(parts, owner, [readable_part(message) for message in messages], known)
    reader = Reader(parts, extractor, known, readable)
    for group in apart(readable):
        reader.read(group, found)
    if is_instant(extractor):
        for said, told in answers(parts, readable, found.drafts):
            reader.read_answer(said, told, found)
    order = {message.id: place for place, message in enumerate(messages)}
    found.drafts.sort(key=lambda draft: order[draft.source.message] if draft.source else len(order))
    return found


@dataclass(frozen=True)
class Reader:
    """An extractor with what it needs to know to read these messages."""

    parts: Parts
    extractor: Extractor
    known: Sequence[Fact]
    together: Sequence[Message]

    def read(self, group: Sequence[Message], found: Extracted) -> None:
        """Have messages read together; where that fails, in smaller pieces, until it is known which cannot be read."""
        pieces, in_a_row = [group], 0
        while pieces and found.down is None:
            piece = pieces.pop(0)
            try:
                found.drafts += self.drafts(piece)
                in_a_row = 0
            except Exception as error:  # A third party's code may raise anything; the words are already safe.
                in_a_row += len(piece) == 1
                if is_unreachable(error):
                    found.down = error
                    pieces.insert(0, piece)
                elif len(piece) > 1:
                    pieces[:0] = self.smaller(piece)
                else:
                    found.failed[piece[0].id] = described(error)
                    found.down = error if in_a_row == self.most_in_a_row() else None
        if found.down is not None:
            found.untried |= {one.id for piece in pieces for one in piece}

    def most_in_a_row(self) -> int:
        return 0 if is_instant(self.extractor) else MOST_IN_A_ROW

    def smaller(self, piece: Sequence[Message]) -> list[Sequence[Message]]:
        """Halves, where reading costs nothing; each message by itself where every call is waited and paid for."""
        if not is_instant(self.extractor):
            return [[message] for message in piece]
        middle = len(piece) // 2
        return [piece[:middle], piece[middle:]]

    def drafts(self, piece: Sequence[Message]) -> list[Draft]:
        return [stamped(self.parts, draft, piece, self.known, self.together) for draft in self.proposed(piece)]

    def proposed(self, piece: Sequence[Message]) -> list[Draft]:
        """What the extractor itself gives."""
        if getattr(self.extractor, "reads_before", False):
            before = dict(said_before(self.parts, piece, self.together))
            return self.extractor.extract(piece, self.known, before=before)  # type: ignore[call-arg]
        return self.extractor.extract(piece, self.known)

    def read_answer(self, said: Message, told: Message, found: Extracted) -> None:
        """Have a short answer read together with its question."""
        try:
            found.drafts += [quoting(draft, said) for draft in self.extractor.extract([told], self.known)]
        except Exception as error:  # as above
            found.failed[said.id] = described(error)


def said_before(parts: Parts, piece: Sequence[Message], together: Sequence[Message]) -> Iterator[tuple[str, Message]]:
    """For each short message of a user the one just before it in its session, where somebody else said that."""
    for message in piece:
        if message.role == message.origin == "user" and len(message.content) <= SHORT:
            at = message.at, message.id
            before = parts.store.messages(message.owner, session=message.session, before=at, last=1)
            if before and may_be_shown(parts, before[0], message, together):
                yield message.id, readable_part(before[0])


def may_be_shown(parts: Parts, before: Message, message: Message, together: Sequence[Message]) -> bool:
    """Whether what was said before a message is someone else's own words: what an assistant says after it read a page
    may come from there, and a model may obey it."""
    if before.role == before.origin == "user":
        return before.name != message.name
    return before.role == before.origin == lowest_heard(parts, before, together) == "assistant"


def warning(message: str, problem: str) -> str:
    """What a caller is told of a message that was not read."""
    return f"extractor failed: {problem} (message {message!r} is kept and can be found, catch_up() reads it for facts)"
