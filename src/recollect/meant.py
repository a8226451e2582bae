"""What a draft speaks of where it does not say so: the fact that it names by its value, or in short. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from recollect._kinds import kind_of_value
from recollect.attributes import attribute, canonical, sentence
from recollect.decisions import Desk, is_open, means
from recollect.doings import by_its_words, is_by_words
from recollect.filing import NUMBER_OF, otherwise_filed
from recollect.former import (
    NUMBER,
    as_what_it_was,
    begins_or_ends,
    in_place_of_old,
    is_guessed_switch,
    is_on_the_way,
    old_values,
)
from recollect.gist import told_otherwise
from recollect.later import later
from recollect.likewise import by_its_key, is_by_key
from recollect.over import HAD, is_had
from recollect.parting import (
    in_place_of,
    instead_for,
    is_switch,
    purpose_of,
    without_kind,
)
from recollect.put_right import JUST_BEFORE, like_told
from recollect.records import USER, Draft, Fact
from recollect.schedule import retimed

_WHO_PLANS = later(
    r"(?i)^(?:i|we|he|she|they)(?:'m|'re|'s|'ll| am| are| is| will)?(?: going to| planning to| "
    r"be)? +"
)


def named(draft: Draft, desk: Desk) -> Draft:
    """The draft with its canonical attribute; one that names only the old value takes that fact's attribute."""
    if draft.attribute:
        return under_its_name(draft, desk)
    held = [fact for fact in desk.facts.values() if is_open(fact, draft.said) and fact.said <= draft.said]
    held = [fact for fact in held if draft.speaker is None or is_of(draft.speaker, fact)]
    if draft.category == "plans":  # "the Crete trip is off", whoever lives in Crete
        held = [fact for fact in held if fact.category in ("plans", "events")]
    elif draft.kind == "ending":  # What happened once is over anyway.
        held = [
            fact for fact in held if fact.category != "events" or (fact.since is not None and fact.since > draft.said)
        ]
    held = [fact for fact in held if is_had(fact)] if draft.category == HAD else held
    if draft.instead_of is None and draft.value:
        return by_its_value(draft, held)
    return in_place_of_old(draft, old_values(draft, held))


def under_its_name(draft: Draft, desk: Desk) -> Draft:
    """A draft that tells its attribute, under the name that the table or an earlier fact has for it."""
    name = attribute(draft.attribute).name
    if is_switch(draft) or purpose_of(draft):
        held = [fact for fact in desk.facts.values() if is_open(fact, draft.said)]
        draft = in_place_of(draft, held) if is_switch(draft) else instead_for(draft, held)
        name = draft.attribute
    draft = draft if draft.attribute == name else replace(draft, attribute=name)
    if is_guessed_switch(draft):
        draft = as_what_it_was(draft, desk)
    if is_empty_plan(draft):
        return what_was_planned(draft, desk)
    if is_left(draft):
        return what_was_left(draft, desk)
    if is_by_words(draft) and (ended := by_its_words(draft, desk)) != draft:
        return ended
    if draft.kind == "correction" and draft.subject != USER:
        return of_longer_name(draft, desk)
    if is_move(draft):
        return moved_within(draft, desk)
    if (timed := retimed(draft, desk)) is not draft:
        return timed
    filed = otherwise_filed(draft, desk)
    if filed == draft and is_by_key(draft):
        filed = by_its_key(draft, desk)
    return told_otherwise(draft, desk) if filed == draft else retimed(filed, desk)


def of_longer_name(draft: Draft, desk: Desk) -> Draft:
    """What is put right of "the gate", as that of the garden gate, where only that one is known to have it."""
    filed = otherwise_filed(draft, desk)
    if filed.subject != draft.subject or desk.about(draft.subject, draft.attribute):
        return filed
    held = [fact for fact in desk.facts.values() if fact.attribute == draft.attribute and is_open(fact, draft.said)]
    longer = [fact for fact in held if fact.subject.casefold().endswith(f" {draft.subject.casefold()}")]
    return replace(filed, subject=longer[0].subject) if len(longer) == 1 else filed


def by_its_value(draft: Draft, held: Sequence[Fact]) -> Draft:
    """A draft that tells only a new value, as that of the fact which it fits."""
    told = like_known(draft, held)
    return told if told.attribute or draft.kind != "correction" else like_told(told, held)


LEFT = ("employer", "home", "school", "gym", "member of", "team")
"""What one leaves by its name alone: "I left Rome", "I left Helios"."""


MOVED = ("home", "employer", "team", "school", "bank", "gym", "uses")
"""What one may move from, by its name: "I moved from Google to Meta", "I moved from Monzo to Starling"."""


def is_move(draft: Draft) -> bool:
    return draft.attribute == "home" and draft.instead_of is not None and draft.kind in ("update", "plan")


def moved_within(draft: Draft, desk: Desk) -> Draft:
    """Where someone moved, as what the place they moved from is to them: a firm, a bank, or else their home."""
    held = [fact for name in MOVED for fact in desk.about(draft.subject, name) if is_open(fact, draft.said)]
    old = [fact for fact in held if means(draft.instead_of, fact)]
    if len(old) != 1 or old[0].attribute == "home":
        return draft
    name = old[0].attribute
    text = sentence(draft.subject, name, draft.value)
    return replace(draft, attribute=name, category=old[0].category, text=text, instead_of=old[0].value)


def is_left(draft: Draft) -> bool:
    return draft.kind == "ending" and draft.attribute == "employer" and bool(draft.value) and not draft.negated


def what_was_left(draft: Draft, desk: Desk) -> Draft:
    """The draft as the end of the one place that it names, where that is no employer."""
    named = [fact for name in LEFT for fact in desk.about(draft.subject, name) if means(draft.value, fact)]
    named = [fact for fact in named if is_open(fact, draft.said)]
    if len(named) != 1 or named[0].attribute == "employer":
        return draft
    [fact] = named
    if fact.attribute == "home" and is_on_the_way(draft):
        return draft  # "I left Rome this morning": for a day, and not for good
    return replace(draft, attribute=fact.attribute, category=fact.category, text=fact.text)


def is_empty_plan(draft: Draft) -> bool:
    """Whether a draft tells only when something is to be: "the move will be in January"."""
    return draft.kind == "plan" and not draft.value


def what_was_planned(draft: Draft, desk: Desk) -> Draft:
    """The draft with the one value that is still to begin."""
    to_come = [
        fact
        for fact in desk.about(draft.subject, draft.attribute)
        if is_open(fact, draft.said) and fact.since is not None and fact.since > draft.said
    ]
    if len(to_come) != 1:
        return draft
    [fact] = to_come
    return replace(draft, value=fact.value, text=sentence(fact.subject, fact.attribute, fact.value))


def like_known(draft: Draft, held: Sequence[Fact]) -> Draft:
    """A bare value as that of the one thing which has a value of its kind: "down to 84 kg" speaks of the weight."""
    kind = kind_of_value(draft.value)
    held = [fact for fact in held if fact.category not in ("events", "plans", "request") and fact.disputes is None]
    named_anywhere = held
    if draft.subject != USER:
        own = [fact for fact in held if without_kind(fact.subject) == without_kind(draft.subject)]
        held = own or [fact for fact in held if fact.subject == USER and is_within(draft.subject, fact.attribute)]
    if draft.subject != USER and not held and (old := in_version(draft, named_anywhere)):
        return old
    if kind:
        same = [fact for fact in held if kind_of_value(fact.value) == kind]
        if not same and (counted := [fact for fact in held if counts(draft.value, fact)]):
            same, draft = counted, replace(draft, value=draft.value.split()[0])
    else:
        same = last_said([fact for fact in held if NUMBER.match(draft.value) and _MEASURE.match(fact.value)], draft)
    if len(same) != 1:
        return draft
    [fact] = same
    value = draft.value if kind else _COUNT.sub(draft.value, fact.value, count=1)
    text = sentence(fact.subject, fact.attribute, value)
    return replace(
        draft, subject=fact.subject, attribute=fact.attribute, value=value, category=fact.category, text=text
    )


def is_within(thing: str, name: str) -> bool:
    """Whether a key is of a thing: "keeps heating at" of the heating."""
    return f" {thing.casefold()} " in f" {name.casefold()} "


def in_version(draft: Draft, held: Sequence[Fact]) -> Draft | None:
    """A later version of what is known by name and version: "we upgraded Postgres to 16", and it was Postgres 15."""
    if not _VERSION.match(draft.value):
        return None
    old = [fact for fact in held if fact.value.casefold().startswith(f"{draft.subject.casefold()} ")]
    old = [fact for fact in old if _VERSION.match(fact.value[len(draft.subject) :].strip())]
    if len(old) != 1:
        return None
    [fact] = old
    value = f"{fact.value[: len(draft.subject)]} {draft.value}"
    text = sentence(fact.subject, fact.attribute, value)
    told = replace(
        draft, subject=fact.subject, attribute=fact.attribute, value=value, category=fact.category, text=text
    )
    return replace(told, instead_of=fact.value)


_VERSION = later(r"v?\d+(?:\.\d+)*$")


def counts(value: str, fact: Fact) -> bool:
    """Whether a value is so many of what a fact counts: "16 nodes" of a cluster with 12."""
    number, _, what = value.partition(" ")
    return bool(NUMBER.match(number) and NUMBER.match(fact.value)) and what == fact.attribute.removeprefix(NUMBER_OF)


_MEASURE = later(r"(?i)[$€£]? ?\d[\d.,]{0,8}k?(?: ?[a-z%€$£]+)?(?:(?: an?| per|/) ?[a-z]+)?$")
_COUNT = later(r"(?i)\d[\d.,]*k?")


def last_said(facts: Sequence[Fact], draft: Draft) -> list[Fact]:
    """The facts among which a bare number must find its own: all of a thing that it names, or else those that were
    said just before."""
    if draft.subject != USER:
        return list(facts)
    last = max((fact.said for fact in facts), default=draft.said)
    fresh = draft.said - last < JUST_BEFORE
    fixed = draft.kind == "correction"
    able = [fact for fact in facts if fixed or fact.subject != USER or fact.category not in _BODILY]
    return [fact for fact in able if fact.said == last] if fresh else []


_BODILY = ("identity", "health", "contact")
"""What nobody sets to a number."""


def is_of(speaker: str, fact: Fact) -> bool:
    """Whether a fact is about someone who is not the user, or about their people and things."""
    return fact.subject == speaker or fact.subject.startswith(f"{speaker}'s ")


def as_intention(draft: Draft) -> Draft:
    """A plan with no date: that it is planned is true, what it plans does not hold yet and ends nothing."""
    words = draft.source.quote if draft.source else draft.text
    value = _WHO_PLANS.sub("", words)
    return replace(draft, attribute="plan", category="plans", value=value, text=value, instead_of=None, many=True)


def loosely_meant(draft: Draft, believed: Sequence[Fact], moment: datetime) -> list[Fact]:
    """The one habit or thing that an ending names in short: "stopped running" for "run every morning", "the bike" for
    "road bike"."""
    short, category = canonical(draft.value), attribute(draft.attribute).category
    if category not in ("habits", "possessions", "pets") and draft.attribute not in ("member of", "occupation"):
        return firm_in_short(draft, believed, moment)
    able = [fact for fact in believed if is_open(fact, moment) and fact.said <= draft.said]
    if category == "habits":
        found = [fact for fact in able if canonical(fact.value)[: len(short)] == short]
    else:
        found = [fact for fact in able if begins_or_ends(canonical(fact.value), short)]
    return found if len(found) == 1 else []


def firm_in_short(draft: Draft, believed: Sequence[Fact], moment: datetime) -> list[Fact]:
    """The one thing with a name that an ending calls by its first word: "I quit Stoneleigh", of Stoneleigh Bank."""
    able = [fact for fact in believed if is_open(fact, moment) and fact.said <= draft.said]
    found = [fact for fact in able if in_short(draft.value, fact)]
    return found if len(found) == 1 and not draft.negated else []


def in_short(name: str | None, fact: Fact) -> bool:
    """Whether a name is the beginning of the value: "Lund" for "Lund University"."""
    if name is None or not name[:1].isupper():
        return False
    return canonical(fact.value)[: len(canonical(name))] == canonical(name)
