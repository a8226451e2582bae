"""What a reader finds in messages, and whose words they are. What it raises on one costs that one's facts only."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import get_args

from recollect.errors import InvalidInput, MissingDependency, ModelError, StoreError
from recollect.facts.attributes import attribute, sentence
from recollect.facts.subjects import KnownPeople, relation_of
from recollect.facts.trust import TRUST
from recollect.reader import Reader, ReadingContext, Unreadable
from recollect.records import HEARD_AS, USER, Draft, Effect, Fact, Message, Origin, Source
from recollect.runtime import Runtime
from recollect.store import Query
from recollect.text import lazy_regex
from recollect.text.quoted import own_words, without_memory_blocks

MOST_IN_A_ROW = 3
"""Where so many messages fail one after the other, nothing else is asked of a reader that makes others wait."""
SHORT = 200
"""So many characters may only be understood by what was said just before them."""
UNREACHABLE = (ModelError, MissingDependency, StoreError, OSError)
"""What says nothing about a message: the model, or what else a reader asks, can't be reached now."""

MEANS_USER = lazy_regex(
    r"(?i)(?:the |my |your |our )?(?:user|owner|speaker|human|customer)(?:['’]s\b.*)?|i|me|myself|you"
)
"""Ways of writing that a statement is about the owner."""

UNNAMED_WINDOW, MOST_HEARD = 20, 200
"""So many messages of a session tell whether its user speaks without a name, and may have been in a model's window."""

EFFECTS: tuple[Effect, ...] = get_args(Effect)


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
    runtime: Runtime,
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
    readable, found.drafts = name_speakers(runtime, owner, [readable_part(message) for message in messages], known)
    context = ReadingContext(known, said_before(runtime, readable), spoken_of)
    run = Run(runtime, reader, context, readable)
    # What is of different origin is read apart, so that no text can speak in another's name.
    for origin in dict.fromkeys(message.origin for message in readable):
        run.read([message for message in readable if message.origin == origin], found)
    order = {message.id: place for place, message in enumerate(messages)}
    found.drafts.sort(key=lambda draft: order[draft.source.message] if draft.source else len(order))
    return found


@dataclass(frozen=True)
class Run:
    """A reader with what it needs to know to read these messages."""

    runtime: Runtime
    reader: Reader
    context: ReadingContext
    together: Sequence[Message]
    """All messages that are read at once."""

    def read(self, group: Sequence[Message], found: Extracted) -> None:
        """Have messages read together; where that fails, in smaller pieces, until it is known which cannot be read."""
        pieces, in_a_row = [group], 0
        while pieces and found.down is None:
            piece = pieces.pop(0)
            try:
                found.drafts += [self.stamped(draft, piece) for draft in self.reader.read(piece, self.context)]
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

    def stamped(self, draft: Draft, group: Sequence[Message]) -> Draft:
        """The draft with the origin and the time of the message it comes from, whatever the reader claims. It raises
        where something can't be kept, so that this costs one message."""
        check_draft(draft)
        claimed = draft.source.message if draft.source else None
        message = next((one for one in group if one.id == claimed), group[-1])
        origin = lowest_heard(self.runtime, message, self.together)
        source = draft.source if message.id == claimed else None
        named = message.role == "user" and message.name
        subject = draft.subject if named else subject_of(draft, origin, self.context.known)
        if (subject, origin, message.at, source) != (draft.subject, draft.origin, draft.said, draft.source):
            draft = replace(draft, subject=subject, origin=origin, said=message.at, source=source)
        return as_said_by(draft, named) if named else draft


def said_before(runtime: Runtime, messages: Sequence[Message]) -> Mapping[str, Message]:
    """For each short message of a user the one just before it in its session, where somebody else said that."""
    last: dict[str, Message | None] = {}
    before: dict[str, Message] = {}
    for message in messages:
        if message.role == message.origin == "user" and len(message.content) <= SHORT:
            if message.session not in last:
                at = message.at, message.id
                kept = runtime.store.read(message.owner, Message, Query(session=message.session, before=at, last=1))
                last[message.session] = readable_part(kept[0]) if kept else None
            said = last[message.session]
            if said is not None and may_be_shown(runtime, said, message, messages):
                before[message.id] = said
        last[message.session] = message
    return before


def may_be_shown(runtime: Runtime, before: Message, message: Message, together: Sequence[Message]) -> bool:
    """Whether what was said before a message is someone else's own words: what an assistant says after it read a page
    may come from there, and a model may obey it."""
    if before.role == before.origin == "user":
        return before.name != message.name
    return before.role == before.origin == lowest_heard(runtime, before, together) == "assistant"


def name_speakers(
    runtime: Runtime, owner: str, messages: Sequence[Message], known: Sequence[Fact]
) -> tuple[list[Message], list[Draft]]:
    """The messages, the user's without a name and others' with the subject they speak of when they say "I"; and what
    was decided of names that are new. `known`: the owner's current facts that name someone.

    The user is who has the name of the owner or of the user, else who first speaks under a name where nobody speaks
    without one. All others are subjects of their own.
    """
    spoken = [message for message in messages if message.role == "user" and message.name]
    if not spoken:
        return list(messages), []
    voices = {fact.value.casefold(): fact.subject for fact in known if fact.attribute == HEARD_AS}
    new = {str(message.name): message for message in reversed(spoken) if str(message.name).casefold() not in voices}
    own = [name for name in new if is_own(name, owner, known)]
    drafts = []
    for name in sorted(new, key=lambda name: (name not in own, new[name].at)):
        alone = USER not in voices.values() and not is_known(runtime, new[name], known, messages)
        subject = USER if name in own or alone else KnownPeople(known).named(name) or name
        voices[name.casefold()] = subject
        drafts.append(introduction(subject, new[name]))
    named = list(messages)
    for place, message in enumerate(messages):
        if message.role == "user" and message.name:
            subject = voices[message.name.casefold()]
            named[place] = replace(message, name=None if subject == USER else subject)
    return named, drafts


def own_names(known: Sequence[Fact]) -> list[str]:
    """What the user is called."""
    return [fact.value for fact in known if fact.subject == USER and fact.attribute in ("name", "nickname")]


def is_own(name: str, owner: str, known: Sequence[Fact]) -> bool:
    """Whether a name is the owner's or the user's, in full or in short, or only says that it is the user."""
    ours, *others = (re.findall(r"[^\W_]+", text.casefold()) for text in (name, owner, *own_names(known)))
    shorter = [(min(len(ours), len(theirs)), theirs) for theirs in others]
    return MEANS_USER.fullmatch(name) is not None or any(
        many and ours[:many] == theirs[:many] for many, theirs in shorter
    )


def is_known(runtime: Runtime, message: Message, known: Sequence[Fact], together: Sequence[Message]) -> bool:
    """Whether a named speaker cannot be the user: the user has another name, or speaks here without one, or spoke of
    them before."""
    name = str(message.name)
    told = [fact.value.casefold() for fact in known]
    if name.casefold() in told or any((fact.subject, fact.attribute) == (USER, "name") for fact in known):
        return True
    lately = session_of(runtime, message, together, UNNAMED_WINDOW)
    if any(one.role == "user" and not one.name for one in lately):
        return True
    return bool(runtime.store.read(message.owner, Fact, Query(subjects=[name], last=1)))


def introduction(subject: str, message: Message) -> Draft:
    """That someone speaks under this name."""
    known, name = attribute(HEARD_AS), str(message.name)
    what = subject, known.name, name, sentence(subject, known.name, name)
    source, speaker = Source(message.id, f"{name}: {message.content}"[:80]), None if subject == USER else name
    return Draft(*what, message.at, category=known.category, origin=message.origin, source=source, speaker=speaker)


def session_of(runtime: Runtime, message: Message, together: Sequence[Message], last: int) -> list[Message]:
    """The newest messages of a session, with those that are read together with this one: they may not be kept yet."""
    kept = runtime.store.read(message.owner, Message, Query(session=message.session, last=last))
    known = {one.id for one in kept}
    return [*kept, *(one for one in together if one.session == message.session and one.id not in known)][-last:]


def readable_part(message: Message) -> Message:
    """The message without what we ourselves had put into it, and a user's without what they show of others."""
    content = without_memory_blocks(message.content)
    if message.role == "user" and TRUST[message.origin] >= TRUST["user"]:
        content = own_words(content)
    return message if content is message.content else replace(message, content=content)


def check_draft(draft: Draft) -> None:
    """Raise where a draft of a third party's reader holds what no fact can: it may be made of anything."""
    quote = draft.source.quote if draft.source else ""
    said = draft.subject, draft.attribute or "", draft.value, draft.text, draft.category
    for text in (*said, draft.old_value or "", draft.speaker or "", quote):
        if not isinstance(text, str):
            raise InvalidInput(f"the words of a draft must be texts, not {text!r:.200}")
        if re.search("[\ud800-\udfff]", text):
            raise InvalidInput(f"a draft holds half a character (a lone surrogate): {text!r:.200}")
    for moment in (draft.since, draft.until):
        if moment is not None and not (isinstance(moment, datetime) and moment.tzinfo):
            raise InvalidInput(f"the times of a draft must have a time zone, unlike {moment!r}")
    if not isinstance(draft.confidence, int | float) or not 0 <= draft.confidence <= 1:
        raise InvalidInput(f"the confidence of a draft must be a number from 0 to 1, not {draft.confidence!r}")
    if draft.effect not in EFFECTS or not all(isinstance(flag, bool) for flag in (draft.negated, draft.pinned)):
        raise InvalidInput(f"a draft has an effect of {EFFECTS} and flags that are true or false, not {draft!r:.500}")


def as_said_by(draft: Draft, speaker: str) -> Draft:
    """What someone beside the user says: "I" is their subject, and "my sister" is theirs."""
    subject = draft.subject.strip()
    if not subject or subject == speaker or MEANS_USER.fullmatch(subject):
        whose = speaker
    else:
        # "sister", or "laptop" in "my new laptop"
        said = draft.source.quote if draft.source else draft.text
        is_theirs = re.search(rf"(?i)\b(?:my|our) (?:[\w-]+ ){{0,2}}{re.escape(subject)}\b", said)
        whose = f"{speaker}'s {subject}" if is_theirs or relation_of(subject.split()[0]) is not None else subject
    text = f"{whose}{draft.text[len(subject) :]}" if subject and draft.text.startswith(subject) else draft.text
    if draft.attribute and draft.text == sentence(USER, draft.attribute, draft.value):
        text = sentence(whose, draft.attribute, draft.value)
    return replace(draft, subject=whose, text=text, speaker=speaker)


def lowest_heard(runtime: Runtime, message: Message, together: Sequence[Message]) -> Origin:
    """Whose words these may be: what an assistant says after it read a page or a tool's result may come from there."""
    if message.origin != "assistant":
        return message.origin
    session = session_of(runtime, message, together, MOST_HEARD)
    ids = [one.id for one in session]
    heard = session[: ids.index(message.id)] if message.id in ids else session
    return min((message.origin, *(one.origin for one in heard)), key=lambda origin: TRUST[origin])


def subject_of(draft: Draft, origin: Origin, known: Sequence[Fact]) -> str:
    """The subject; the owner, however they are written. Less trusted text cannot dodge that by using their name."""
    subject = draft.subject.strip()
    if MEANS_USER.fullmatch(subject) and ("'" not in subject and "’" not in subject):
        return USER
    if TRUST[origin] >= TRUST["user"]:
        return subject or USER
    words = {word for name in own_names(known) for word in (name.casefold(), *name.casefold().split())}
    return USER if not subject or MEANS_USER.fullmatch(subject) or subject.casefold() in words else subject
