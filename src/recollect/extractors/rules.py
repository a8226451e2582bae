"""Atomic facts from everyday speech, by rules and with no model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from recollect.extractors import (
    being,
    changing,
    doing,
    family,
    having,
    home_and_work,
    jotted,
    languages,
    material,
    owning,
    phases,
    spelling,
    studying,
    tastes,
)
from recollect.extractors.people import Cast
from recollect.extractors.reading import Reading
from recollect.extractors.requests import CATEGORY, requested
from recollect.extractors.standing import standing
from recollect.records import USER, Draft, Fact, Message

PATTERN_FILES = (being, changing, doing, family, having, owning, home_and_work, studying, tastes, phases)
"""Imported for the patterns they enter."""


def with_content(message: Message, content: str) -> Message:
    """The message with other words for the same."""
    return message if content == message.content else replace(message, content=content)


def in_english(text: str) -> str:
    """English as it is usually written: in sentences, with its apostrophes."""
    return jotted.spelled_out(spelling.with_apostrophes(text))


class RuleExtractor:
    """Finds facts with a table of statement patterns."""

    name = "rules"

    def extract(self, messages: Sequence[Message], known: Sequence[Fact]) -> list[Draft]:
        """Drafts in the order they were said; only what users say is read, each speaker's words by themselves."""
        asked = [fact for fact in known if fact.category == CATEGORY]
        drafts, asking = list[Draft](), list[Draft]()
        voices: dict[str, tuple[Cast, list[Draft]]] = {}
        said = [message for message in messages if message.role == "user"]
        others = {message.name for message in said if message.name}
        for message in said:
            speaker = message.name or USER
            cast, stated = voices.setdefault(speaker, (Cast.of(known, speaker, others, at=message.at), []))
            own = with_content(message, material.words_of(message))
            plain = with_content(own, spelling.without_pictures(own.content))
            read = languages.read(plain, cast, stated)
            english = with_content(plain, in_english(plain.content)) if not read else plain
            if read is None or (english is not plain and languages.language_of(english.content) in ("en", None)):
                read = Reading(english, cast, stated, said=message.content).read()
            wanted = requested(own, asked, asking)
            read = [draft for draft in read if draft.attribute or draft.instead_of or not wanted]
            drafts += [*read, *wanted, *standing(plain)]
            stated += read
            asking += wanted
        return drafts
