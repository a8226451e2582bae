"""What someone no longer does, known by its words however it was filed. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from recollect._values import canonical, same_value, word_set
from recollect.attributes import attribute
from recollect.decisions import Desk, is_open, means
from recollect.later import later
from recollect.over import is_akin, is_had, the_one_over, verb_of
from recollect.records import Draft, Fact
from recollect.words import is_stop, split, stem

_GO = later(r"^(?:go|goes) (?=[a-z]+ing\b)")
"""Who goes running runs."""
PASTIMES = ("habit", "hobby", "plays")
"""What someone does, by the several ways to say so."""


_BY_WORDS = (*PASTIMES, "possession", "occupation", "car", "learning")
_LIGHT = word_set("go do have take use attend get need practice practise see")
"""Verbs that say little: who stopped going to salsa may have been told to learn it."""


def is_by_words(draft: Draft) -> bool:
    """Whether an ending tells what is over by its words, which may be filed in another way."""
    known = attribute(draft.attribute)
    told = draft.kind == "ending" and bool(draft.value or draft.instead_of) and not draft.negated
    return told and (not known.known or known.name in _BY_WORDS)


def by_its_words(draft: Draft, desk: Desk) -> Draft:
    """An ending as that of the one fact which says the same, whether it is filed as a habit or under its verb: "stopped
    refereeing" of "referee youth handball on Sundays". Whoever stopped fishing is still allergic to fish."""
    if any(
        is_open(fact, draft.said) and is_its_own(draft, fact) for fact in desk.about(draft.subject, draft.attribute)
    ):
        return draft
    held = [fact for fact in desk.facts.values() if is_open(fact, draft.said) and fact.said <= draft.said]
    fact = by_its_verb(draft, held) or otherwise_over(draft, held)
    if fact is None:
        return replace(draft, value=draft.instead_of or draft.value) if draft.value else draft
    told = replace(draft, subject=fact.subject, attribute=fact.attribute, value=fact.value)
    return replace(told, category=fact.category, text=fact.text)


def is_its_own(draft: Draft, fact: Fact) -> bool:
    """Whether a fact under the key of an ending is the one that it names, in full or in short."""
    if not draft.value or means(draft.value, fact):
        return draft.instead_of is None or same_value(draft.instead_of, draft.value) or not draft.value
    short, whole = canonical(draft.value), canonical(fact.value)
    begins_or_ends = whole[: len(short)] == short or whole[-len(short) :] == short
    return draft.attribute == "possession" and begins_or_ends


def by_its_verb(draft: Draft, held: Sequence[Fact]) -> Fact | None:
    """The one doing that has the verb of an ending, and all that it names."""
    verb, what = doing_of(draft.attribute, draft.value)
    mine = [fact for fact in held if fact.subject.casefold() == draft.subject.casefold() and is_doing(fact)]
    same = [fact for fact in mine if (told := doing_of(fact.attribute, fact.value))[0] == verb and what <= told[1]]
    return same[0] if len(same) == 1 else None


def otherwise_over(draft: Draft, held: Sequence[Fact]) -> Fact | None:
    """What an ending names by the thing alone: a thing that is gone is used no more, a role is held no more."""
    if draft.attribute in ("possession", "car"):
        had = [fact for fact in held if is_had(fact)]
        return the_one_over(draft.value or draft.instead_of or "", draft.subject, had)
    if draft.attribute == "occupation":
        return the_one_over(draft.instead_of or draft.value, draft.subject, held)
    verb, _, thing = draft.value.partition(" ") if draft.attribute == "habit" else (draft.attribute, "", draft.value)
    verb = stem(verb.split()[0])
    if thing and verb in _LIGHT:
        return the_one_over(thing, draft.subject, held)
    doers = [fact for fact in held if same_value(fact.subject, draft.value) and is_akin(verb, verb_of(fact))]
    return doers[0] if len(doers) == 1 else None


def is_doing(fact: Fact) -> bool:
    """Whether a fact tells what someone does, as a habit or under a verb of its own; what was asked of an assistant is
    nothing that one does."""
    if fact.category in ("request", "instruction"):
        return False
    return fact.attribute in PASTIMES or not attribute(fact.attribute).known


def doing_of(name: str, value: str) -> tuple[str, frozenset[str]]:
    """The verb of what someone does, and its other words, in the forms that others share."""
    said = value if name in ("habit", "hobby") else f"{name} {value}"
    words = [stem(word) for word in _GO.sub("", " ".join(split(said))).split() if not is_stop(word)] or [""]
    return words[0], frozenset(words[1:])
