"""What we believed at an earlier moment, rebuilt from the change log. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from recollect.records import Change, Fact
from recollect.serialize import from_plain


def holds(fact: Fact, moment: datetime) -> bool:
    """Whether we believe that the fact is true at that moment."""
    begun = fact.since is None or fact.since <= moment
    return fact.retired is None and begun and (fact.until is None or fact.until > moment)


def rewind(facts: Sequence[Fact], later: Iterable[Change], known_at: datetime) -> list[Fact]:
    """These facts as they stood at `known_at`, given every change made after it (oldest first)."""
    earlier: dict[str, Change] = {}
    for change in later:
        earlier.setdefault(change.record_id, change)
    stood = [as_it_stood(fact, earlier.get(fact.id)) for fact in facts if fact.learned <= known_at]
    return [fact for fact in stood if fact is not None]


def as_it_stood(fact: Fact, change: Change | None) -> Fact | None:
    if change is None:
        return fact
    return from_plain(Fact, change.before) if change.before is not None else None
