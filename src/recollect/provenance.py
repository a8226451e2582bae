"""Whose words: who speaks in a message, what of it is their own, and in whose name a draft speaks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import get_args

from recollect.errors import InvalidInput
from recollect.facts.attributes import attribute, sentence
from recollect.facts.subjects import KnownPeople, relation_of
from recollect.facts.trust import TRUST
from recollect.records import HEARD_AS, USER, Draft, Effect, Fact, Message, Origin, Source
from recollect.runtime import Parts
from recollect.store import Query
from recollect.text import lazy_regex
from recollect.text.quoted import own_words, without_memory_blocks

OWN = lazy_regex(r"(?i)(?:the |my |your |our )?(?:user|owner|speaker|human|customer)(?:['’]s\b.*)?|i|me|myself|you")
"""Ways of writing that a statement is about the owner."""

LATELY, MOST_HEARD = 20, 200
"""So many messages of a session tell whether its user speaks without a name, and may have been in a model's window."""

EFFECTS: tuple[Effect, ...] = get_args(Effect)


def heard(
    parts: Parts, owner: str, messages: Sequence[Message], known: Sequence[Fact]
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
        alone = USER not in voices.values() and not is_known(parts, new[name], known, messages)
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
    return OWN.fullmatch(name) is not None or any(many and ours[:many] == theirs[:many] for many, theirs in shorter)


def is_known(parts: Parts, message: Message, known: Sequence[Fact], together: Sequence[Message]) -> bool:
    """Whether a named speaker cannot be the user: the user has another name, or speaks here without one, or spoke of
    them before."""
    name = str(message.name)
    told = [fact.value.casefold() for fact in known]
    if name.casefold() in told or any((fact.subject, fact.attribute) == (USER, "name") for fact in known):
        return True
    lately = session_of(parts, message, together, LATELY)
    if any(one.role == "user" and not one.name for one in lately):
        return True
    return bool(parts.store.read(message.owner, Fact, Query(subjects=[name], last=1)))


def introduction(subject: str, message: Message) -> Draft:
    """That someone speaks under this name."""
    known, name = attribute(HEARD_AS), str(message.name)
    what = subject, known.name, name, sentence(subject, known.name, name)
    source, speaker = Source(message.id, f"{name}: {message.content}"[:80]), None if subject == USER else name
    return Draft(*what, message.at, category=known.category, origin=message.origin, source=source, speaker=speaker)


def session_of(parts: Parts, message: Message, together: Sequence[Message], last: int) -> list[Message]:
    """The newest messages of a session, with those that are read together with this one: they may not be kept yet."""
    kept = parts.store.read(message.owner, Message, Query(session=message.session, last=last))
    known = {one.id for one in kept}
    return [*kept, *(one for one in together if one.session == message.session and one.id not in known)][-last:]


def readable_part(message: Message) -> Message:
    """The message without what we ourselves had put into it, and a user's without what they show of others."""
    content = without_memory_blocks(message.content)
    if message.role == "user" and TRUST[message.origin] >= TRUST["user"]:
        content = own_words(content)
    return message if content is message.content else replace(message, content=content)


def stamped(
    parts: Parts, draft: Draft, group: Sequence[Message], known: Sequence[Fact], together: Sequence[Message]
) -> Draft:
    """The draft with the origin and the time of the message it comes from, whatever the reader claims. `together`:
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


def of_speaker(draft: Draft, speaker: str) -> Draft:
    """What someone beside the user says: "I" is their subject, and "my sister" is theirs."""
    subject = draft.subject.strip()
    if not subject or subject == speaker or OWN.fullmatch(subject):
        whose = speaker
    else:
        whose = f"{speaker}'s {subject}" if is_theirs(subject, draft) else subject
    text = f"{whose}{draft.text[len(subject) :]}" if subject and draft.text.startswith(subject) else draft.text
    if draft.attribute and draft.text == sentence(USER, draft.attribute, draft.value):
        text = sentence(whose, draft.attribute, draft.value)
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
    words = {word for name in own_names(known) for word in (name.casefold(), *name.casefold().split())}
    return USER if not subject or OWN.fullmatch(subject) or subject.casefold() in words else subject
