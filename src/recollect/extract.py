"""What a reader finds in messages, origins set by us; what it raises on one of them costs that one's facts only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from recollect.errors import MissingDependency, ModelError, StoreError
from recollect.provenance import heard, lowest_heard, readable_part, stamped
from recollect.reader import Reader, ReadingContext, Unreadable
from recollect.records import Draft, Fact, Message
from recollect.runtime import Parts
from recollect.store import Query

MOST_IN_A_ROW = 3
"""Where so many messages fail one after the other, nothing else is asked of a reader that makes others wait."""
SHORT = 200
"""So many characters may only be understood by what was said just before them."""
UNREACHABLE = (ModelError, MissingDependency, StoreError, OSError)
"""What says nothing about a message: the model, or what else a reader asks, can't be reached now."""


@dataclass
class Extracted:
    """What was found, and in which messages nothing could be."""

    drafts: list[Draft] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    """What the reader raised on a message, by its id."""
    untried: set[str] = field(default_factory=set)
    """Messages that were not read for no fault of theirs."""
    down: Exception | None = None
    """Why nothing can be read at present."""

    @property
    def unread(self) -> dict[str, str]:
        """What is wrong with each message that was not read, by its id; nothing, where the reader is down."""
        return dict.fromkeys(self.untried, "") | self.failed


def described(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def is_instant(reader: Reader | None) -> bool:
    """Whether it promises to ask nobody, so that nobody waits for it."""
    return bool(getattr(reader, "instant", False))


def extract(
    parts: Parts,
    owner: str,
    messages: Sequence[Message],
    reader: Reader | None,
    known: Sequence[Fact],
    spoken_of: Sequence[str] = (),
) -> Extracted:
    """What a reader finds in messages, in the order they were said. `known`: who and what has a name; `spoken_of`:
    whom the talk was of."""
    found = Extracted()
    if reader is None or not messages:
        return found
    readable, found.drafts = heard(parts, owner, [readable_part(message) for message in messages], known)
    context = ReadingContext(known, said_before(parts, readable), spoken_of)
    run = Run(parts, reader, context, readable)
    # What is of different origin is read apart, so that no text can speak in another's name.
    for origin in dict.fromkeys(message.origin for message in readable):
        run.read([message for message in readable if message.origin == origin], found)
    order = {message.id: place for place, message in enumerate(messages)}
    found.drafts.sort(key=lambda draft: order[draft.source.message] if draft.source else len(order))
    return found


@dataclass(frozen=True)
class Run:
    """A reader with what it needs to know to read these messages."""

    parts: Parts
    reader: Reader
    context: ReadingContext
    together: Sequence[Message]

    def read(self, group: Sequence[Message], found: Extracted) -> None:
        """Have messages read together; where that fails, in smaller pieces, until it is known which cannot be read."""
        pieces, in_a_row = [group], 0
        while pieces and found.down is None:
            piece = pieces.pop(0)
            try:
                proposed, known = self.reader.read(piece, self.context), self.context.known
                found.drafts += [stamped(self.parts, draft, piece, known, self.together) for draft in proposed]
                in_a_row = 0
            except Exception as error:  # A third party's code may raise anything; the words are already safe.
                in_a_row += len(piece) == 1
                if isinstance(error, UNREACHABLE) and not isinstance(error, Unreadable):
                    found.down = error
                    pieces.insert(0, piece)
                elif len(piece) > 1:
                    pieces[:0] = self.smaller(piece)
                else:
                    found.failed[piece[0].id] = described(error)
                    found.down = None if in_a_row != MOST_IN_A_ROW or is_instant(self.reader) else error
        if found.down is not None:
            found.untried |= {one.id for piece in pieces for one in piece}

    def smaller(self, piece: Sequence[Message]) -> list[Sequence[Message]]:
        """Halves, where reading costs nothing; each message by itself where every call is waited and paid for."""
        if not is_instant(self.reader):
            return [[message] for message in piece]
        middle = len(piece) // 2
        return [piece[:middle], piece[middle:]]


def said_before(parts: Parts, messages: Sequence[Message]) -> Mapping[str, Message]:
    """For each short message of a user the one just before it in its session, where somebody else said that."""
    last: dict[str, Message | None] = {}
    before: dict[str, Message] = {}
    for message in messages:
        if message.role == message.origin == "user" and len(message.content) <= SHORT:
            if message.session not in last:
                at = message.at, message.id
                kept = parts.store.read(message.owner, Message, Query(session=message.session, before=at, last=1))
                last[message.session] = readable_part(kept[0]) if kept else None
            said = last[message.session]
            if said is not None and may_be_shown(parts, said, message, messages):
                before[message.id] = said
        last[message.session] = message
    return before


def may_be_shown(parts: Parts, before: Message, message: Message, together: Sequence[Message]) -> bool:
    """Whether what was said before a message is someone else's own words: what an assistant says after it read a page
    may come from there, and a model may obey it."""
    if before.role == before.origin == "user":
        return before.name != message.name
    return before.role == before.origin == lowest_heard(parts, before, together) == "assistant"
