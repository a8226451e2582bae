"""Atomic facts from everyday speech, by rules and with no model."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.extractors import being, changing, doing, having, home_and_work, languages, tastes
from recollect.extractors.people import Cast
from recollect.extractors.reading import Reading
from recollect.extractors.requests import CATEGORY, requested
from recollect.records import Draft, Fact, Message

PATTERN_FILES = (being, changing, doing, having, home_and_work, tastes)
"""Imported for the patterns they enter."""


class RuleExtractor:
    """Finds facts with a table of statement patterns."""

    name = "rules"

    def extract(self, messages: Sequence[Message], known: Sequence[Fact]) -> list[Draft]:
        """Drafts in the order they were said; only what users say is read."""
        cast = Cast.of(known)
        asked = [fact for fact in known if fact.category == CATEGORY]
        drafts, stated, asking = list[Draft](), list[Draft](), list[Draft]()
        for message in messages:
            if message.role != "user":
                continue
            foreign = languages.read(message, cast, stated)
            read = Reading(message, cast, stated).read() if foreign is None else foreign
            wanted = requested(message, asked, asking)
            drafts += [*read, *wanted]
            stated += read
            asking += wanted
        return drafts
