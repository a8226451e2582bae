"""A value that puts right what was told before it, as that of the one fact which it fits. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from difflib import SequenceMatcher

from recollect._kinds import kind_of_value
from recollect.attributes import canonical, sentence
from recollect.later import later
from recollect.records import Draft, Fact

JUST_BEFORE, A_DAY = timedelta(hours=1), timedelta(days=1)
A_WEEK = timedelta(days=7)
_NUMBER = later(r"(?:[$€£] ?)?\d[\d.,]*k?(?=$| )")
_COUNTS = later(r"(?i)(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d+) (?P<what>[a-z]+)$")


def like_told(draft: Draft, held: Sequence[Fact]) -> Draft:
    """A value put right as that of the fact which is spelled or worded nearly so, or else was told last."""
    told = like_spelled(draft, held)
    told = told if told.attribute else like_spelled(with_word_spelled(told, held), held)
    told = told if told.attribute else like_worded(told, held)
    return told if told.attribute else like_last(told, held)


def as_value_of(fact: Fact, draft: Draft, value: str) -> Draft:
    """The draft as another value of this fact."""
    text = sentence(fact.subject, fact.attribute, value)
    told = replace(draft, subject=fact.subject, attribute=fact.attribute, category=fact.category, text=text)
    return replace(told, value=value, instead_of=fact.value)


def like_worded(draft: Draft, held: Sequence[Fact]) -> Draft:
    """A value as that of the one fact of late which has a word of it: "third floor", of who lives on the fourth; "100
    mg", of who takes 50 mg of something; "three sisters", of who has two."""
    fresh = [fact for fact in held if timedelta(0) <= draft.said - fact.said < A_WEEK]
    alike = [(fact, value) for fact in fresh if (value := reworded(draft.value, fact))]
    return as_value_of(alike[0][0], draft, alike[0][1]) if len(alike) == 1 else draft


def reworded(new: str, fact: Fact) -> str:
    """The value of a fact with what is put right in it, where both have words in common."""
    ours, theirs = canonical(new), canonical(fact.value)
    if (counted := _COUNTS.match(new)) and fact.attribute == f"number of {counted['what'].lower()}":
        return new.split()[0].lower()
    if ours == theirs or not ours or set(ours).isdisjoint(theirs):
        return ""
    if _NUMBER.match(new) and _NUMBER.match(fact.value) and ours[1:] == theirs[1 : len(ours)]:
        return " ".join((new.split()[0], *fact.value.split()[1:]))
    same = len(ours) == len(theirs) and ours[-1] == theirs[-1] and ours[0] != theirs[0]
    return new if same or (len(ours) == len(theirs) > 1 and ours[:-1] == theirs[:-1]) else ""


def like_spelled(draft: Draft, held: Sequence[Fact]) -> Draft:
    """A word put right as the one value said just before that is spelled nearly so: "Siemens" for "Siemans"."""
    near = [
        fact for fact in held if timedelta(0) <= draft.said - fact.said < A_DAY and is_near(draft.value, fact.value)
    ]
    if len(near) != 1:
        return draft
    return as_value_of(near[0], draft, draft.value)


def with_word_spelled(draft: Draft, held: Sequence[Fact]) -> Draft:
    """The value said just before with the one of its words put right that is spelled nearly so: "Nowyk" for "Nowik"."""
    fresh = [fact for fact in held if timedelta(0) <= draft.said - fact.said < A_DAY and " " in fact.value]
    near = [(fact, word) for fact in fresh for word in fact.value.split() if is_near(draft.value, word)]
    if len(near) != 1 or " " in draft.value or not draft.value[:1].isupper():
        return draft
    [(fact, word)] = near
    return replace(draft, value=" ".join(draft.value if one == word else one for one in fact.value.split()))


def like_last(draft: Draft, held: Sequence[Fact]) -> Draft:
    """A value put right as that of the one fact which was told just before, where both are of one shape."""
    last = max((fact.said for fact in held), default=draft.said)
    told = [fact for fact in held if fact.said == last and fact.category not in ("events", "plans", "request")]
    if len(told) != 1 or draft.said - last >= JUST_BEFORE or not same_shape(draft.value, told[0].value):
        return draft
    return as_value_of(told[0], draft, draft.value)


def same_shape(new: str, old: str) -> bool:
    """Whether two values look alike: names, numbers, addresses."""
    new, old = (re.sub("^(?:on|in|at|to) ", "", one) for one in (new, old))
    if "/" in new and "/" in old:
        return True
    marks = [(one[:1].isupper(), any(map(str.isdigit, one)), "@" in one) for one in (new, old)]
    return marks[0] == marks[1] and kind_of_value(new) == kind_of_value(old)


def is_near(a: str, b: str) -> bool:
    """Whether two words are spelled nearly the same, and are not the same."""
    ours, theirs = a.casefold(), b.casefold()
    return ours != theirs and SequenceMatcher(None, ours, theirs).ratio() >= 0.7
