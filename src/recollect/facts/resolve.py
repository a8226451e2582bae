"""Which known fact a draft means: the one of its subject and attribute, or of the old value that it names. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from recollect.facts.attributes import attribute, sentence
from recollect.facts.decisions import OCCURRENCES, Desk, is_open, means
from recollect.records import Draft, Fact


def resolve(draft: Draft, desk: Desk) -> Draft:
    """The draft under its canonical attribute. One without any that names an old value ("from Jest to Vitest") takes
    the attribute of the one fact of its subject that holds exactly this value; an ending never does."""
    name = attribute(draft.attribute).name if draft.attribute else ""
    draft = draft if draft.attribute == name else replace(draft, attribute=name)
    if draft.kind == "plan" and name and not draft.value:
        return planned(draft, desk)
    if draft.instead_of is None or draft.kind in ("ending", "past"):
        return draft
    old = [fact for fact in desk.facts.values() if is_old_value(fact, draft)]
    if name:
        return replace(draft, attribute="") if is_of_another(draft, old, desk) else draft
    old = [fact for fact in old if draft.kind == "correction" or is_left_by_a_switch(fact)]
    if len(old) != 1:
        return draft
    [fact] = old
    text = sentence(fact.subject, fact.attribute, draft.value)
    return replace(draft, attribute=fact.attribute, category=fact.category, text=text)


def planned(draft: Draft, desk: Desk) -> Draft:
    """A plan that tells only its time ("the move will be in January") with the one value that is still to begin."""
    to_come = [
        fact
        for fact in desk.about(draft.subject, draft.attribute)
        if is_open(fact, draft.said) and fact.since is not None and fact.since > draft.said
    ]
    if len(to_come) != 1:
        return draft
    [fact] = to_come
    return replace(draft, value=fact.value, text=sentence(fact.subject, fact.attribute, fact.value))


def is_of_another(draft: Draft, old: Sequence[Fact], desk: Desk) -> bool:
    """Whether the old value is held, but not where the draft would end another one: who "moved from Monzo to Starling"
    and banks with Monzo has not moved out of Leeds."""
    held = [fact for fact in desk.about(draft.subject, draft.attribute) if is_open(fact, draft.said)]
    ends = bool(held) and not draft.many and attribute(draft.attribute).holds == "one"
    return ends and bool(old) and all(fact.attribute != draft.attribute for fact in old)


def is_old_value(fact: Fact, draft: Draft) -> bool:
    """Whether a fact holds, of the draft's subject, the value that the draft takes the place of."""
    same = fact.subject.casefold() == draft.subject.casefold() and means(draft.instead_of, fact)
    known = is_open(fact, draft.said) and fact.said <= draft.said and fact.disputes is None
    return same and known and fact.category not in OCCURRENCES


def is_left_by_a_switch(fact: Fact) -> bool:
    """Whether a value has no place beside the new one: who switched from Dutch to English speaks both."""
    return attribute(fact.attribute).holds == "one" or fact.attribute == "uses"
