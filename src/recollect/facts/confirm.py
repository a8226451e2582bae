"""What becomes of a fact that is said again: how sure it is, whose it is, when it begins, what it leaves. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from recollect.facts.decisions import Decision, Edit, KnownFacts, means, you_said
from recollect.facts.trust import TRUST, may_close
from recollect.records import Draft, Fact, Origin, Source

SURE = 0.99
MOST_SOURCES = 8


def fallen_through(draft: Draft, believed: Sequence[Fact], known: KnownFacts) -> Decision | None:
    """What a plan was to end goes on, where it is told as what is so and nobody said that the plan came true: "I still
    work at Acme", a month after one was to begin at Globex."""
    if draft.kind != "state":
        return None
    replaced = {fact.replaced_by: fact for fact in believed if fact.replaced_by and means(draft.value, fact)}
    for plan in reversed(believed) if replaced else ():
        former = replaced.get(plan.id)
        if former is None or former.until != plan.since or not plan.planned or not may_close(draft.origin, plan):
            continue
        if plan.since is None or plan.since > draft.said or plan.until is not None:
            continue
        gone = replace(plan, retired=known.now, why=f"did not come so: {you_said(draft)}")
        why = f"goes on, “{plan.text}” did not come so: {you_said(draft)}"
        after = replace(former, until=None, replaced_by=None, confirmations=former.confirmations + 1, why=why)
        after = replace(after, sources=with_source(former, draft))
        edits = (Edit(former, after, "edited", why), Edit(plan, gone, "retired", gone.why))
        return Decision(draft, "confirmed", why, after, edits)
    return None


def begins_anew(draft: Draft, fact: Fact) -> datetime | None:
    """When a fact begins by what was said of it once more, where that is another time than we knew."""
    if not may_close(draft.origin, fact):
        return None  # What is less trusted may agree with a fact, not move it in time.
    if draft.since is not None and draft.until is not None:
        return None  # It was told of a while, which a fact may well be longer than.
    if draft.since is not None and draft.kind != "past" and (fact.since is None or draft.since < fact.since):
        return draft.since
    to_come = fact.since is not None and fact.since > draft.said
    if draft.kind == "plan" and to_come:
        return draft.since  # It is put off.
    return draft.said if draft.kind in ("state", "update") and to_come else None  # A plan has come true early.


def with_source(fact: Fact, draft: Draft) -> tuple[Source, ...]:
    """The words that a fact rests on, with those that confirm it; the first and the latest where there are many."""
    if draft.source is None or any(source.message == draft.source.message for source in fact.sources):
        return fact.sources
    return (*fact.sources[:1], *fact.sources[1:][-MOST_SOURCES + 2 :], draft.source)


def surer(fact: Fact, draft: Draft) -> float:
    """How sure it is after it was said again: surer only by those whose word counts, since a text can be repeated
    without end, and an assistant repeats what it was told."""
    if TRUST[draft.origin] < TRUST["user"]:
        return fact.confidence
    return round(min(SURE, 1 - (1 - fact.confidence) * (1 - draft.confidence / 2)), 4)


def raised(fact: Fact, draft: Draft) -> Origin:
    """Whose fact it is from now on: what the user says too is the user's."""
    trusted = TRUST[draft.origin] >= TRUST["user"] > TRUST[fact.origin]
    return draft.origin if trusted and fact.disputes is None else fact.origin
