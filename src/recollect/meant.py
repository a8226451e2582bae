"""What a draft speaks of where it does not say so: the fact that it names by its value, or in short. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from recollect._kinds import kind_of_value
from recollect._values import is_plural
from recollect.attributes import attribute, canonical, sentence
from recollect.decisions import Desk, is_open, means
from recollect.doings import by_its_words, is_by_words
from recollect.filing import NUMBER_OF, otherwise_filed
from recollect.gist import told_otherwise
from recollect.later import later
from recollect.over import HAD, has_core, is_had, the_one_over
from recollect.parting import (
    in_place_of,
    instead_for,
    is_switch,
    purpose_of,
    without_kind,
)
from recollect.put_right import A_DAY, A_WEEK, JUST_BEFORE, like_told
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
    if is_empty_plan(draft):
        return what_was_planned(draft, desk)
    if is_left(draft):
        return what_was_left(draft, desk)
    if is_by_words(draft):
        ended = by_its_words(draft, desk)
        return told_otherwise(draft, desk) if ended is draft else ended
    if draft.kind == "correction" and draft.subject != USER:
        return of_longer_name(draft, desk)
    if is_move(draft):
        return moved_within(draft, desk)
    if (timed := retimed(draft, desk)) is not draft:
        return timed
    filed = otherwise_filed(draft, desk)
    return told_otherwise(draft, desk) if filed is draft else retimed(filed, desk)


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


def old_values(draft: Draft, held: Sequence[Fact]) -> list[Fact]:
    """The facts that a draft may name by their value, or by what they are."""
    old = [fact for fact in held if means(draft.instead_of, fact) and not is_namesake(draft, fact)]
    old = old or [fact for fact in held if hints_at(draft, fact)]
    if not old and draft.kind == "correction":
        old = [fact for fact in held if is_number_of(draft.instead_of, fact) and draft.said - fact.said < A_DAY]
    mine = [fact for fact in old if fact.subject.casefold() == draft.subject.casefold()]
    old = mine if mine or (draft.kind == "ending" and draft.subject != USER) else old  # What she sold is not mine.
    if draft.category == "home":  # "moved from A to B": whoever did not use A lived there.
        return mine
    if len(old) > 1 and draft.kind == "ending":  # "I go to X" and "my gym is X": the table knows what it is.
        return [fact for fact in old if attribute(fact.attribute).known] or old
    if old or draft.kind != "ending" or not draft.instead_of:
        return old
    what = attribute(draft.instead_of).name  # "my bike got stolen", and the bike is a Canyon
    keys = (what, f"{what} supplier", f"{what} provider")
    old = [fact for fact in held if fact.attribute in keys and fact.subject == draft.subject]
    old = [fact for fact in old if fact.said < draft.said and fact.category != "contact"]
    if old or (one := the_one_over(draft.instead_of, draft.subject, held, beside=draft.text)) is None:
        return old
    return [one]


def in_place_of_old(draft: Draft, old: Sequence[Fact]) -> Draft:
    """The draft as another value of the one fact that it names, or of what its words say where none is known."""
    moved = draft.category == "home"
    joined = draft.category == "work" and draft.kind == "update"  # "left A, joined B": a firm, unless A was no firm
    if ((moved or joined) and len(old) != 1) or (not old and draft.kind in ("update", "plan")):
        # "switched from A to B", and A was never told: B is used.
        filed = {"home": "home", "work": "employer", "hosting": "runs on", "named": "name"}
        known = attribute(filed.get(draft.category, "uses"))
        text = sentence(draft.subject, known.name, draft.value)
        return replace(draft, attribute=known.name, category=known.category, text=text)
    if not old and draft.kind == "ending" and draft.category == "work":
        return replace(draft, attribute="employer", text=sentence(draft.subject, "employer", draft.value))
    if len(old) != 1:
        return draft
    [fact] = old
    value = fact.value if draft.kind == "ending" else draft.value
    text = sentence(fact.subject, fact.attribute, value)
    told = replace(draft, subject=fact.subject, attribute=fact.attribute, value=value, category=fact.category)
    return replace(told, text=text, instead_of=fact.value)


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


_ON_THE_WAY = later(
    r"(?i)\b(?:this (?:morning|afternoon|evening)|today|tonight|yesterday|last night|at \d|early|late|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|an hour|for (?:a|the|an|my|our|work))\b"
)


def is_left(draft: Draft) -> bool:
    return draft.kind == "ending" and draft.attribute == "employer" and bool(draft.value) and not draft.negated


def what_was_left(draft: Draft, desk: Desk) -> Draft:
    """The draft as the end of the one place that it names, where that is no employer."""
    named = [fact for name in LEFT for fact in desk.about(draft.subject, name) if means(draft.value, fact)]
    named = [fact for fact in named if is_open(fact, draft.said)]
    if len(named) != 1 or named[0].attribute == "employer":
        return draft
    [fact] = named
    if fact.attribute == "home" and draft.source and _ON_THE_WAY.search(draft.source.quote):
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
        held = [fact for fact in held if without_kind(fact.subject) == without_kind(draft.subject)]
    if draft.subject != USER and not held and (old := in_version(draft, named_anywhere)):
        return old
    if kind:
        same = [fact for fact in held if kind_of_value(fact.value) == kind]
        if not same and (counted := [fact for fact in held if counts(draft.value, fact)]):
            same, draft = counted, replace(draft, value=draft.value.split()[0])
    else:
        same = last_said([fact for fact in held if _NUMBER.match(draft.value) and _MEASURE.match(fact.value)], draft)
    if len(same) != 1:
        return draft
    [fact] = same
    value = draft.value if kind else _COUNT.sub(draft.value, fact.value, count=1)
    text = sentence(fact.subject, fact.attribute, value)
    return replace(
        draft, subject=fact.subject, attribute=fact.attribute, value=value, category=fact.category, text=text
    )


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
    return bool(_NUMBER.match(number) and _NUMBER.match(fact.value)) and what == fact.attribute.removeprefix(NUMBER_OF)


_NUMBER = later(r"\d[\d.,]*k?$")
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


def hints_at(draft: Draft, fact: Fact) -> bool:
    """Whether the old value is named by a part of it that is a name: "the Mazda" for "red Mazda 3"."""
    short, whole = canonical(draft.instead_of or ""), canonical(fact.value)
    proper = any(letter.isupper() or letter.isdigit() for letter in draft.instead_of or "")
    fixed = draft.kind == "correction" and proper and draft.said - fact.said < A_WEEK
    theirs = fact.subject != draft.subject and not fixed
    if theirs or len(short) >= len(whole):
        return False
    if proper:
        return set(short) <= set(whole)
    if draft.kind == "correction":  # "platform engineer, not backend", where it was a backend engineer
        return set(short) <= set(whole) and not set(whole).difference(short).isdisjoint(canonical(draft.value))
    told = len(short) > 1 or fact.category == "habits"
    if draft.kind != "ending" or is_part_of_name(draft.instead_of or "", fact.value):
        return False
    if fact.category == "possessions" and not has_core(draft.instead_of or "", fact.value):
        return False  # "The headache is gone", of who has a headache tablet.
    return begins_or_ends(whole, short) or (told and is_inside(whole, short))


def is_namesake(draft: Draft, fact: Fact) -> bool:
    """Whether things are spoken of that only share the name of somebody: "the biscuits are gone", of a hamster."""
    several = is_plural((draft.instead_of or "").split()[-1]) and not is_plural(fact.value.split()[-1])
    return draft.kind == "ending" and several and fact.category in ("pets", "family", "people")


def is_part_of_name(word: str, value: str) -> bool:
    """Whether a common word only happens to stand in a name: "the bank is shut", of Halden Bank."""
    return word.islower() and word.title() in value.split()


def is_inside(whole: tuple[str, ...], short: tuple[str, ...]) -> bool:
    """Whether words stand together in a value: "food bank" in "volunteer at the food bank on Saturdays"."""
    return any(whole[i : i + len(short)] == short for i in range(len(whole) - len(short) + 1))


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


def is_number_of(number: str | None, fact: Fact) -> bool:
    """Whether a bare number is that of the value: "40" for "40 kilos"."""
    return number is not None and _NUMBER.match(number) is not None and canonical(fact.value)[:1] == canonical(number)


def begins_or_ends(whole: tuple[str, ...], short: tuple[str, ...]) -> bool:
    """Whether a thing is named in short: "cabin" for "cabin near Røros", "bike" for "road bike"."""
    return whole[: len(short)] == short or whole[-len(short) :] == short
