"""Windows of facts: what holds at a moment, what holds only for a while, what we believed earlier. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from recollect.facts.attributes import attribute
from recollect.records import DAYS, Change, Draft, Fact
from recollect.serialize import from_plain
from recollect.text.dates import readable

OCCURRENCES = frozenset({"plans", "events"})
"""Categories of facts that happen rather than hold: from then on it is true that they happened."""


def is_open(fact: Fact, moment: datetime) -> bool:
    """Whether the fact has not ended by that moment; it may be still to begin."""
    return fact.retired is None and (fact.until is None or fact.until > moment)


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


def is_for_a_while(draft: Draft) -> bool:
    """Whether it is told with both its ends, so that what holds now goes on after it: "from March to May"."""
    if draft.since is None or draft.until is None or draft.category in OCCURRENCES:
        return False
    return draft.since < draft.until and draft.effect in ("states", "replaces", "plans")


def only_then(draft: Draft) -> str:
    """The while that something was told to hold, in words."""
    return f"only from {readable(draft.since or draft.said)} to {readable(draft.until or draft.said)}"


def lasting(facts: Sequence[Fact], moment: datetime) -> list[Fact]:
    """The facts without those that hold only for a while from that moment on: a change of what is usually so neither
    ends nor confirms them."""
    bounded = [fact for fact in facts if fact.since and fact.until and is_open(fact, moment)]
    passing = {fact.id for fact in bounded if passes(fact) or any(covers(fact, other) for other in facts)}
    return [fact for fact in facts if fact.id not in passing]


def passes(fact: Fact) -> bool:
    """Whether it was told to hold for a few days, and nothing ended it."""
    if fact.since is None or fact.until is None or fact.replaced_by is not None:
        return False
    return fact.until - fact.since <= DAYS


def within(inner: Fact, outer: Fact) -> bool:
    """Whether the one was told with both its ends, and the other holds all that time."""
    if inner.since is None or inner.until is None:
        return False
    begun = outer.since is None or outer.since <= inner.since
    return begun and (outer.until is None or outer.until >= inner.until)


def covers(inner: Fact, outer: Fact) -> bool:
    """Whether the one holds for a while within the time of the other, of which there is one at a time."""
    if not within(inner, outer) or within(outer, inner) or inner.disputes or outer.disputes:
        return False
    if (inner.owner, inner.attribute) != (outer.owner, outer.attribute):
        return False
    return inner.subject.casefold() == outer.subject.casefold() and attribute(inner.attribute).holds == "one"


def uncovered(facts: Iterable[Fact]) -> list[Fact]:
    """Of facts that hold at one moment, those over which no other holds for a while."""
    every = list(facts)
    under = covered(every)
    return [fact for fact in every if fact.id not in under]


def covered(facts: Sequence[Fact]) -> dict[str, Fact]:
    """Of facts that hold at one moment, the ids of those over which another holds for a while, each with that one."""
    short: dict[tuple[str, str], list[Fact]] = {}
    for fact in facts:
        if fact.since is not None and fact.until is not None:
            short.setdefault((fact.subject.casefold(), fact.attribute), []).append(fact)
    over = {fact.id: short.get((fact.subject.casefold(), fact.attribute), []) for fact in facts} if short else {}
    pairs = [(fact.id, one) for fact in facts for one in over.get(fact.id, []) if covers(one, fact)]
    return dict(sorted(pairs, key=lambda pair: pair[1].said))
