"""What an extractor proposes: in whose name it speaks is decided here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import get_args

from recollect.errors import InvalidInput
from recollect.extractors import asked
from recollect.extractors.pasted import own_part
from recollect.extractors.people import relation_of
from recollect.facts.trust import TRUST
from recollect.records import USER, Draft, Fact, Kind, Message, Origin, Source
from recollect.runtime import Parts
from recollect.speakers import LATELY, OWN, session_of
from recollect.text.memory_block import without_memory_blocks
from recollect.text.redact import redact

KINDS: tuple[Kind, ...] = get_args(Kind)

MOST_HEARD = 200
"""So many of a conversation's newest messages may have been in a model's window."""


def apart(messages: Sequence[Message]) -> list[list[Message]]:
    """Messages by origin. What is of different origin is read apart, so that no text can speak in another's name."""
    groups: dict[Origin, list[Message]] = {}
    for message in messages:
        groups.setdefault(message.origin, []).append(message)
    return list(groups.values())


def readable_part(message: Message) -> Message:
    """The message without what we ourselves had put into it, and a user's without what they show of others."""
    content = without_memory_blocks(message.content)
    if message.role == "user" and TRUST[message.origin] >= TRUST["user"]:
        content = own_part(content)
    return message if content is message.content else replace(message, content=content)


def answers(parts: Parts, messages: Sequence[Message], found: Sequence[Draft]) -> Iterator[tuple[Message, Message]]:
    """The user's short answers from which nothing was found, each with what it says to the question before it."""
    told = {draft.source.message for draft in found if draft.source}
    for message in messages:
        spoken = message.role == "user" and message.origin == "user" and not message.name
        if not spoken or message.id in told or not asked.plain_value(message.content):
            continue
        before = session_of(parts, message, messages, LATELY)
        ids = [one.id for one in before]
        before = before[: ids.index(message.id)] if message.id in ids else before
        question = before[-1].content if before and before[-1].role == "assistant" else ""
        statement = asked.stated(question, message.content) if question else ""
        if statement and not redact(statement)[1]:  # what is asked for may be what tells that the answer is a secret
            yield message, replace(message, content=statement)


def quoting(draft: Draft, said: Message) -> Draft:
    """The draft with the words as they were said, and not as they were understood."""
    return replace(draft, source=Source(said.id, said.content))


def stamped(
    parts: Parts, draft: Draft, group: Sequence[Message], known: Sequence[Fact], together: Sequence[Message]
) -> Draft:
    """The draft with the origin and the time of the message it comes from, whatever the extractor claims. `together`:
    all messages that are read at once. It raises where something can't be kept, so that this costs one message."""
    check(draft)
    claimed = draft.source.message if draft.source else None
    message = next((one for one in group if one.id == claimed), group[-1])
    origin = lowest_heard(parts, message, together)
    source = draft.source if message.id == claimed else None
    named = message.role == "user" and message.name
    right = (draft.subject if named else subject_of(draft, origin, known), origin, message.at, source)
    if right != (draft.subject, draft.origin, draft.said, draft.source):
        draft = replace(draft, subject=right[0], origin=origin, said=message.at, source=source)
    return of_speaker(draft, named) if named else draft


def check(draft: Draft) -> None:
    """Raise where a draft of a third party's extractor holds what no fact can: it may be made of anything."""
    quote = draft.source.quote if draft.source else ""
    said = draft.subject, draft.attribute or "", draft.value, draft.text, draft.category
    for text in (*said, draft.instead_of or "", draft.speaker or "", quote):
        if not isinstance(text, str):
            raise InvalidInput(f"the words of a draft must be texts, not {text!r:.200}")
        if re.search("[\ud800-\udfff]", text):
            raise InvalidInput(f"a draft holds half a character (a lone surrogate): {text!r:.200}")
    for moment in (draft.since, draft.until):
        if moment is not None and not (isinstance(moment, datetime) and moment.tzinfo):
            raise InvalidInput(f"the times of a draft must have a time zone, unlike {moment!r}")
    if not isinstance(draft.confidence, int | float) or not 0 <= draft.confidence <= 1:
        raise InvalidInput(f"the confidence of a draft must be a number from 0 to 1, not {draft.confidence!r}")
    if draft.kind not in KINDS or not all(isinstance(flag, bool) for flag in (draft.negated, draft.pinned)):
        raise InvalidInput(f"a draft has a kind among {KINDS}, and flags that are true or false, unlike {draft!r:.500}")


def of_speaker(draft: Draft, speaker: str) -> Draft:
    """What someone beside the user says: "I" is their subject, and "my sister" is theirs."""
    subject = draft.subject.strip()
    if not subject or subject == speaker or OWN.fullmatch(subject):
        whose = speaker
    else:
        whose = f"{speaker}'s {subject}" if is_theirs(subject, draft) else subject
    text = f"{whose}{draft.text[len(subject) :]}" if subject and draft.text.startswith(subject) else draft.text
    return replace(draft, subject=whose, text=text, speaker=speaker)


def is_theirs(subject: str, draft: Draft) -> bool:
    """Whether a subject is someone or something of the speaker's: "sister", or "laptop" in "my new laptop"."""
    said = draft.source.quote if draft.source else draft.text
    mine = re.search(rf"(?i)\b(?:my|our) (?:[\w-]+ ){{0,2}}{re.escape(subject)}\b", said)
    return mine is not None or relation_of(subject.split()[0]) is not None


def lowest_heard(parts: Parts, message: Message, together: Sequence[Message]) -> Origin:
    """Whose words these may be: what an assistant says after it read a page or a tool's result may come from there."""
    if message.origin != "assistant":
        return message.origin
    session = session_of(parts, message, together, MOST_HEARD)
    ids = [one.id for one in session]
    heard = session[: ids.index(message.id)] if message.id in ids else session
    return min((message.origin, *(one.origin for one in heard)), key=lambda origin: TRUST[origin])


def subject_of(draft: Draft, origin: Origin, known: Sequence[Fact]) -> str:
    """The subject; the owner, however they are written. Less trusted text cannot dodge that by using their name."""
    subject = draft.subject.strip()
    if OWN.fullmatch(subject) and ("'" not in subject and "’" not in subject):
        return USER
    if TRUST[origin] >= TRUST["user"]:
        return subject or USER
    names = [fact.value for fact in known if fact.subject == USER and fact.attribute in ("name", "nickname")]
    words = {word for name in names for word in (name.casefold(), *name.casefold().split())}
    return USER if not subject or OWN.fullmatch(subject) or subject.casefold() in words else subject
