"""How much, how many, how often, when: the measures that a text gives and a question asks for. Pure.

What is said in passing ("my budget is up to 600 now") does not always become a fact, but a later measure of the same
thing still takes the place of an earlier one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from recollect.text import lazy_regex
from recollect.text.values import MONTH
from recollect.text.words import query_terms, terms

LONGEST = 2_000
"""Measures are looked for in so many of a text's first letters."""

LEAST = 0.3
"""A measure beside which less of what is asked of is spoken of is one of something else."""

CHANGED_NAMED, CHANGED, SAME, UNCHANGED, MORE = 0.4, 0.6, 0.6, 0.8, 1.1
"""How much a later text must speak of what is asked, beside what an earlier one does: to change it in so many words,
where the question names the thing and where not; to say it again; to give another value without a word of change; and
to change what was itself a change."""

_COUNTED = "one two three four five six seven eight nine ten eleven twelve".split()
_NUMBER = rf"(?:\d[\d,]*(?:\.\d+)?|{'|'.join(_COUNTED)}|twenty|thirty|forty|fifty|a dozen|a hundred)"
_UNITS = "milliseconds?|ms|seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?"
_PATTERNS = {
    "money": rf"[$€£]\s?\d[\d,]*(?:\.\d+)?[km]?\b|\b{_NUMBER} (?:dollars|euros|pounds|bucks|usd|eur)\b",
    "percent": r"\b\d+(?:\.\d+)?\s?(?:%|percent\b)",
    "time": r"\b\d{1,2}(?::\d{2})?\s?[ap]\.?m\b|\b\d{1,2}:\d{2}\b|\bnoon\b|\bmidnight\b",
    "date": rf"\b{MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?\b|\b\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{MONTH}\b"
    r"|\b\d{4}-\d{2}-\d{2}\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b",
    "frequency": rf"\b(?:once|twice|(?:{_NUMBER}) times|{_NUMBER} days) (?:a|per|each|every) (?:day|week|month|year)\b"
    r"|\b(?:every|each) (?:other |two |three |few )?(?:day|week|month|year|morning|evening|night)s?\b"
    r"|\b(?:daily|weekly|biweekly|monthly)\b",
    "duration": rf"\b(?:{_NUMBER}(?:-| to | or ))?{_NUMBER}[ -]?(?:{_UNITS})\b",
    "count": rf"\b{_NUMBER}\b(?!(?:st|nd|rd|th)\b|[-/.:]\d|\s*[ap]\.?m\b)|\btwice\b",
}
"""The more telling ones first: what one has taken is not looked at again."""

_ANY = lazy_regex(
    rf"[\d$€£%]|\b(?:{_NUMBER}|twice|once|every|each|\w+days?|noon|midnight|daily|\w*weekly|monthly)\b", re.I
)
"""What any measure has: most texts have none, and are not looked at further."""

_ASKED = (
    (r"how many (?:\w+ )?(?:hours|minutes|days|weeks|months|years)\b", "duration"),
    (r"how many times\b", "frequency count"),
    (r"how (?:often|frequently|regularly)\b", "frequency"),
    (r"how many\b", "count"),
    (r"how much\b", "money percent count duration"),
    (r"how long\b", "duration"),
    (r"\b(?:what|which) time\b", "time"),
    (
        r"\bwhen (?:is|are|do|does|will|should|am|can)\b|\b(?:what|which) (?:date|day)\b|\bdeadline\b|\bdue date\b",
        "date",
    ),
    (r"\b(?:budget|price|cost|salary|rent|fee|amount)\b", "money"),
    (r"\b(?:accuracy|percentage|percent)\b|\w rate\b", "percent"),
    (r"\b(?:response time|duration|length)\b", "duration"),
    (r"\b(?:target|goal|limit|total|number|count|score|level|size|average)\b", "count percent duration money"),
)


@cache
def _asking() -> tuple[tuple[re.Pattern[str], frozenset[str]], ...]:
    """Compiled with the first question, not when the library is imported."""
    return tuple((re.compile(pattern, re.IGNORECASE), frozenset(kinds.split())) for pattern, kinds in _ASKED)


_CHANGE = lazy_regex(
    r"\b(?:now|new|newly|updated?|changed?|moved|reschedul\w+|postponed|pushed|extended|increas\w+|rais\w+|reduc\w+|lower\w+"
    r"|up from|down from|decreas\w+|adjust\w+|improv\w+|grown|grew|reached|revised|instead"
    r"|actually|brings|total|another|additional)\b",
    re.IGNORECASE,
)
_THING = lazy_regex(
    r"(?i)\bhow many (?:of )?(?P<many>(?:[\w'-]+ ){1,3}?)(?:do|does|have|has|am|is|are|will|should|can|in|on|of|for)\b"
    r"|\b(?:what|which)(?:'s| is| are)? (?:the |my |our |your )?(?P<what>(?:[\w'-]+ ){1,4}?)"
    r"(?:for|of|on|in|to|should|do|does|have|has|am|is|are|will|can|i|we|\b(?-i:[A-Z]))"
)
_NOT_NOW = lazy_regex(
    r"(?i)\b(?:did|had|was|were|between|compare[ds]?|difference|passed|original(?:ly)?|initial(?:ly)?|before|after|if)\b"
)
"""A question for something that happened, or for more than one value."""


@cache
def _no_thing() -> frozenset[str]:
    """Words that tell which kind of measure is asked for, not of what."""
    return frozenset(
        query_terms(
            "time day date hour minute week month year often many total current currently daily weekly monthly annual "
            "yearly overall average long new latest"
        )
    )


_CLOSE, _BEFORE, _AFTER = 45, 110, 70
_STOP = lazy_regex(r"[.!?](?:\s|$)|\n")
_FORMER = lazy_regex(
    r"(?i)\b(?:from|was|were|used to be|previously|originally|instead of|rather than|not|no longer)"
    r"(?: the| my| our)?\s$"
)
_PRONOUN = lazy_regex(
    r"(?i)\b(?:this|that|the|each|every|which|no|any|some|another|new|first|last|only|other|right)\s$"
)


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure in a text."""

    kind: str
    value: str
    unit: frozenset[str]
    """The term of the word after it: "8 problems"."""
    close: frozenset[str]
    """The terms right beside it."""
    about: frozenset[str]
    """The terms around it."""
    former: bool
    """Whether the words before it say that it is over: "up from 87 %"."""
    changed: bool
    """Whether the words around it say that it is not what it was."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The measure that a question asks for."""

    kinds: frozenset[str]
    thing: frozenset[str]
    """The terms of what is measured, where the question names it: "budget", "commits"."""
    terms: frozenset[str]
    """All that it asks of."""


@lru_cache(maxsize=2048)
def measures(text: str, kinds: frozenset[str] = frozenset(_PATTERNS)) -> tuple[Measure, ...]:
    """The measures of these kinds that a text gives, in their order."""
    text = text[:LONGEST]
    if not _ANY.search(text):
        return ()
    return tuple(_measure(found, text) for found in _pattern(kinds).finditer(text) if _counts(found, text, kinds))


_ORDINAL = lazy_regex(r"(?i)\b(?:\d+(?:st|nd|rd|th)|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\b")


def gives_any(text: str, asked: Asked) -> bool:
    """Whether a text gives any measure of what is asked for, of whatever thing: "my 5th painting" counts too."""
    return bool(measures(text, asked.kinds) or ("count" in asked.kinds and _ORDINAL.search(text[:LONGEST])))


@cache
def _pattern(kinds: frozenset[str]) -> re.Pattern[str]:
    """What finds measures of these kinds; a bare number is a count only where it is nothing else."""
    needed = [kind for kind in _PATTERNS if kind in kinds or "count" in kinds]
    return re.compile("|".join(f"(?P<{kind}>{_PATTERNS[kind]})" for kind in needed), re.IGNORECASE)


def _counts(found: re.Match[str], text: str, kinds: frozenset[str]) -> bool:
    """Whether it is of these kinds; "this one" counts nothing."""
    return found.lastgroup in kinds and not (
        found.group().lower() == "one" and _PRONOUN.search(text, max(0, found.start() - 10), found.start())
    )


def _measure(found: re.Match[str], text: str) -> Measure:
    before = _STOP.split(text[max(0, found.start() - _BEFORE) : found.start()])[-1]
    after = _STOP.split(text[found.end() : found.end() + _AFTER])[0]
    close, value = f"{before[-_CLOSE:]}{found.group()}{after[:_CLOSE]}", _plain(found.group())
    around = f"{before}{found.group()}{after}"
    former, changed = _FORMER.search(before) is not None, _CHANGE.search(around) is not None
    counted = frozenset(terms(after.strip().partition(" ")[0]))
    return Measure(
        found.lastgroup or "", value, counted, frozenset(terms(close)), frozenset(terms(around)), former, changed
    )


def _plain(value: str) -> str:
    value = re.sub(r"[\s,.]+", "", value.casefold())
    return str(_COUNTED.index(value) + 1) if value in _COUNTED else value


def asked_measure(question: str) -> Asked | None:
    """The measure of the present that would answer a question; None where it asks for something else."""
    kinds = next((kinds for pattern, kinds in _asking() if pattern.search(question)), None)
    if kinds is None or _NOT_NOW.search(question):
        return None
    found = _THING.search(question)
    thing = query_terms(found["many"] or found["what"] or "") if found else []
    no_thing = _no_thing()
    return Asked(kinds, frozenset(thing) - no_thing, frozenset(query_terms(question)) - no_thing)


@dataclass(frozen=True, slots=True)
class Given:
    """What a text gives of the measure that is asked for."""

    share: float
    """How much of what is asked of it speaks of, most of all beside the measure."""
    values: frozenset[str]
    former: frozenset[str]
    """Values that it says are over."""
    changed: bool


def given(text: str, asked: Asked) -> dict[str, Given]:
    """What a text gives of the measure asked for, by kind; nothing where it speaks of something else."""
    told = [one for one in measures(text, asked.kinds) if _is_of(one, asked)]
    found = {kind: [one for one in told if one.kind == kind] for kind in asked.kinds}
    spoken = len(asked.terms & _terms_of(text)) if told else 0
    return {kind: one for kind, of_kind in found.items() if (one := _closest(of_kind, asked, spoken)) is not None}


def _is_of(measure: Measure, asked: Asked) -> bool:
    """Whether the thing that is asked of stands beside the measure; a count has it close by, or as what it counts."""
    if measure.kind == "count" and measure.unit & asked.thing:
        return True
    place = measure.close if measure.kind == "count" else measure.about
    return 2 * len(asked.thing & place) >= len(asked.thing)


def _closest(found: Sequence[Measure], asked: Asked, spoken: int) -> Given | None:
    """Those of the measures that stand closest to what is asked of."""
    told = [
        ((len(asked.thing & one.close), len(asked.terms & one.close), len(asked.terms & one.about)), one)
        for one in found
        if not one.former
    ]
    if not told:
        return None
    most = max(place for place, _ in told)
    best = [one for place, one in told if place == most]
    share = (most[2] + (spoken - most[2]) / 2) / max(1, len(asked.terms))
    if share < LEAST:
        return None
    former = frozenset(one.value for one in found if one.former)
    return Given(share, frozenset(one.value for one in best), former, any(one.changed for one in best))


@lru_cache(maxsize=2048)
def _terms_of(text: str) -> frozenset[str]:
    return frozenset(terms(text[:LONGEST]))


def outdated_by(older: Given, later: Sequence[Given], *, named: bool) -> int | None:
    """Which of the later ones took the place of a measure, if any did and it was not said again since. `named`: the
    question names what is measured."""
    for place in reversed(range(len(later))):
        newer = later[place]
        if takes_place(older, newer, named=named):
            return place
        if newer.values == older.values and newer.share >= SAME * older.share:
            return None
    return None


def takes_place(older: Given, newer: Given, *, named: bool) -> bool:
    """Whether a later measure is another value of the same thing. The less the words say that it has changed, the more
    they must speak of the same."""
    if older.values & newer.values:
        return False
    if older.values & newer.former:
        return True
    if older.changed:
        return newer.changed and newer.share >= MORE * older.share
    needed = (CHANGED_NAMED if named else CHANGED) if newer.changed else UNCHANGED
    return newer.share >= needed * older.share
