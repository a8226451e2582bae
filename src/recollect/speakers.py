"""Who speaks: the owner's own user, or someone else under a name. What was decided for a name is kept as a fact."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from recollect.extractors.people import Cast
from recollect.facts.attributes import attribute, sentence
from recollect.records import HEARD_AS, USER, Draft, Fact, Message, Source
from recollect.runtime import Parts
from recollect.text.lazy_regex import lazy_regex

OWN = lazy_regex(r"(?i)(?:the |my |your |our )?(?:user|owner|speaker|human|customer)(?:['’]s\b.*)?|i|me|myself|you")
"""Ways of writing that a statement is about the owner."""

LATELY = 20
"""So many messages of a session tell whether its user speaks without a name."""

LONGEST_QUOTE = 80


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
        subject = USER if name in own or alone else Cast.of(known).by_name(name) or name
        voices[name.casefold()] = subject
        drafts.append(introduction(subject, new[name]))
    return [named(message, voices) if message in spoken else message for message in messages], drafts


def named(message: Message, voices: dict[str, str]) -> Message:
    subject = voices[str(message.name).casefold()]
    return replace(message, name=None if subject == USER else subject)


def is_own(name: str, owner: str, known: Sequence[Fact]) -> bool:
    """Whether a name is the owner's or the user's, in full or in short, or only says that it is the user."""
    names = [fact.value for fact in known if fact.subject == USER and fact.attribute in ("name", "nickname")]
    return OWN.fullmatch(name) is not None or any(is_short_for(name, one) for one in (owner, *names))


def is_short_for(one: str, other: str) -> bool:
    ours, theirs = (re.findall(r"[^\W_]+", text.casefold()) for text in (one, other))
    shorter = min(len(ours), len(theirs))
    return shorter > 0 and ours[:shorter] == theirs[:shorter]


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
    return bool(parts.store.facts(message.owner, subjects=[name], last=1))


def introduction(subject: str, message: Message) -> Draft:
    """That someone speaks under this name."""
    known, name = attribute(HEARD_AS), str(message.name)
    return Draft(
        subject=subject,
        attribute=known.name,
        value=name,
        text=sentence(subject, known.name, name),
        said=message.at,
        category=known.category,
        origin=message.origin,
        source=Source(message.id, f"{name}: {message.content}"[:LONGEST_QUOTE]),
        speaker=None if subject == USER else name,
    )


def session_of(parts: Parts, message: Message, together: Sequence[Message], last: int) -> list[Message]:
    """The newest messages of a session, with those that are read together with this one: they may not be kept yet."""
    kept = parts.store.messages(message.owner, session=message.session, last=last)
    known = {one.id for one in kept}
    return [*kept, *(one for one in together if one.session == message.session and one.id not in known)][-last:]
