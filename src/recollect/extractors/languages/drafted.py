"""A statement as a draft: dated, and in the words that it was said in."""

from __future__ import annotations

from datetime import datetime

from recollect.extractors.dates import Dated
from recollect.extractors.languages.spoken import Stated
from recollect.facts.attributes import attribute
from recollect.records import Draft, Kind, Message, Source

TIMELESS = frozenset(("birthday", "birthplace", "habit", "hometown", "nationality", "goal"))


def drafted(item: Stated, text: str, quote: str, when: Dated, message: Message) -> Draft:
    """The draft of what was stated, by its canonical attribute."""
    known = attribute(item.attribute or "note")
    since, until = window(item.kind, item.attribute, when)
    return Draft(
        subject=item.subject,
        attribute=item.attribute,
        value=item.value,
        text=text,
        said=message.at,
        kind=item.kind,
        category=known.category if item.attribute else "other",
        since=since,
        until=until,
        instead_of=item.instead_of,
        many=item.many,
        negated=item.negated,
        origin=message.origin,
        confidence=0.9,
        source=Source(message.id, quote.strip(" ,，")),
    )


def window(kind: Kind, name: str, when: Dated) -> tuple[datetime | None, datetime | None]:
    """Since when and until when it holds; "I stop from July on" ends when July comes."""
    if name in TIMELESS and kind != "ending":
        return None, None
    since, until = when.window(kind, name)
    return (None, when.since) if kind == "ending" and until is None else (since, until)
