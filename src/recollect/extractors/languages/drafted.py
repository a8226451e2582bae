"""A statement as a draft: dated, and in the words that it was said in."""

from __future__ import annotations

from recollect.attributes import attribute
from recollect.extractors.dates import Dated
from recollect.extractors.languages.spoken import Stated
from recollect.records import Draft, Message, Source

TIMELESS = frozenset(("age", "birthday", "birthplace", "habit", "hometown", "nationality", "goal"))


def drafted(item: Stated, text: str, quote: str, when: Dated, message: Message) -> Draft:
    """The draft of what was stated, by its canonical attribute."""
    known = attribute(item.attribute or "note")
    since, until = when.window(item.kind, item.attribute) if item.attribute not in TIMELESS else (None, None)
    if item.kind == "ending" and when.ahead:  # "from July on I am no longer …"
        until = until or when.since
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
