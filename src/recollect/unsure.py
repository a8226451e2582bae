"""A value of a relation that nobody knows: whether it stands beside others, in their place, or in dispute. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from recollect._kinds import kind_of
from recollect.attributes import attribute, canonical
from recollect.decisions import Decision, Desk, Edit, is_open, new_fact, you_said
from recollect.records import Draft, Fact

Standing: TypeAlias = Literal["alone", "beside", "disputed"]

LOOSE = 0.7
"""Up to this sure is what was read by the structure of a sentence alone."""

UNCLEAR = 0.6
"""Below this, a relation that the table does not have tells nothing about how many values it holds."""

GUESSED = 0.5
"""Up to this, not even "now" tells that a value takes another's place: who wears a hat now may still wear glasses."""


def standing(draft: Draft, believed: Sequence[Fact]) -> Standing | None:
    """How a draft stands to what is believed; None where its own words or the table tell, or nothing else holds."""
    rivals = [fact for fact in believed if is_open(fact, draft.said)]
    undisputed = [fact for fact in rivals if fact.disputes is None]
    if not rivals or draft.instead_of is not None or attribute(draft.attribute).known:
        return None
    if draft.kind == "update" and len(undisputed) > 1:
        return "beside"  # "Now" does not say which of several is over.
    if draft.many is not None:
        return None
    if draft.kind in ("update", "plan") and kind_of(draft.value) and kind_of(draft.value) == kind_of(rivals[-1].value):
        return "alone"  # Who comes on Wednesdays now no longer comes on Mondays.
    if draft.kind == "update" and draft.confidence <= GUESSED:
        return "alone" if is_of_one_kind(draft, rivals[-1]) else by_what_was_seen(believed, undisputed)
    if draft.kind == "state" and draft.confidence < UNCLEAR:
        return by_what_was_seen(believed, undisputed)
    return None


def by_what_was_seen(believed: Sequence[Fact], held: Sequence[Fact]) -> Standing:
    """One value at a time where one took another's place before, several where several hold; else both stay, in
    dispute."""
    if len(held) > 1:
        return "beside"
    return "alone" if any(fact.replaced_by for fact in believed) else "disputed"


def is_of_one_kind(draft: Draft, rival: Fact) -> bool:
    """Whether two values share a word: "Phonak hearing aids", "Oticon hearing aids"."""
    return not set(canonical(draft.value)).isdisjoint(canonical(rival.value))


def in_dispute(draft: Draft, rival: Fact, desk: Desk) -> Decision:
    """Both stay until somebody says more of one of them, or says it again."""
    how = "“now” or “also”" if draft.kind == "state" else "“also”, or “no longer” of the other,"
    why = (
        f"unsure whether “{draft.text}” stands beside “{rival.text}” or in its place; "
        f"say it with {how} to settle it: {you_said(draft)}"
    )
    fact = replace(new_fact(draft, desk, since=draft.since), disputes=rival.id, why=why)
    return Decision(draft, "disputed", why, fact, (Edit(None, fact, "disputed", why),))
