"""What a statement is about, whatever shape it has: what we keep backups for is how long backups are kept. Pure."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from recollect._kinds import kind_of_value
from recollect._values import canonical, word_set
from recollect.attributes import attribute, sentence
from recollect.decisions import Desk, is_open
from recollect.later import later
from recollect.parting import without_kind
from recollect.records import USER, Draft, Fact
from recollect.words import split, stem

_LIGHT = word_set(
    "is are be been get has have do does the a an our my its of number name day days time date hour length period "
    "duration size count amount current total new schedule"
)
"""What a relation is said with and not about: the deploy day is when we deploy."""
_LINKS = {
    "via": "with", "through": "with", "using": "with", "within": "in", "after": "for", "every": "for", "until": "till"
}  # fmt: skip
_OF_MEASURES = word_set("in on at with to for by from as till up down out off into under within")
"""What ties a relation to its measure, and may be any other word: "kept for 30 days", "a retention of 30 days"."""
_SAME = {
    "vendor": "supply",
    "goal": "target",
    "retention": "keep",
    "retain": "keep",
    "cost": "price",
    "fee": "price",
    "rent": "price",
    "charge": "price",
}
"""Words for one thing, as far as the unit of its measure tells: what the office costs a month is its rent."""
_FROM = ("comes from", "is supplied by", "is delivered by", "is sourced from", "is bought from", "is from")
"""From whom a thing is had: its supplier."""
_NOMINAL = later(r"(?<=\w{3})(?:ation|ment|[ae]nce|[st]ion|ery|er|or|ate|ion|al)$")
_LAST = later(r"(?<=\w{3})[eiy]$")
_WEEKDAY = later(r"(?i)(?:on |every )?(?:the )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b")
_LINKED = later(r"(?i)^(?:within|for|after|every|at|up to|about|around) (?=\d|an? |two|three|four|five|six|ten|twelve)")
_EXTENT = later(r"(?i) (?:long|wide|high|tall|deep|each|in total|apart)$")
_CATEGORIES = ("other", "project", "finance", "possessions", "schedule")


@lru_cache(maxsize=4096)
def root(word: str) -> str:
    """What a verb and the noun that is made of it share: deploy, deploys, deployment."""
    low = stem(word)
    low = _SAME.get(low, low.removesuffix("s") if len(low) == 3 else low)
    return _LAST.sub("", _NOMINAL.sub("", low))


def shape_of(value: str) -> str:
    """What kind of value one is: a weekday, an hour, so many of something; empty for words and names."""
    value = _EXTENT.sub("", _LINKED.sub("", value))
    if _WEEKDAY.match(value):
        return "weekday"
    if kind := kind_of_value(value):
        return kind
    words = canonical(value)
    return " ".join(words[1:]) if len(words) > 1 and words[0].replace(".", "").isdigit() else ""


def gist(subject: str, name: str, *, measured: bool) -> frozenset[str]:
    """The words that a statement is about, in a form that active and passive, verb and noun share."""
    name = "supplier" if name in _FROM else name
    said = name if subject == USER else f"{without_kind(subject)} {name}"
    words = [_LINKS.get(word, word) for word in split(said)]
    return frozenset(root(word) for word in words if word not in _LIGHT and not (measured and word in _OF_MEASURES))


def may_be_told_otherwise(draft: Draft) -> bool:
    """Whether the same may be filed under other words: it is told as new, or has a measure. What the table knows of
    people has its own name."""
    known = attribute(draft.attribute)
    if not draft.value or (known.known and known.category not in _CATEGORIES):
        return False
    return draft.kind in ("update", "correction", "ending") or (draft.kind == "state" and bool(shape_of(draft.value)))


def told_otherwise(draft: Draft, desk: Desk) -> Draft:
    """The draft under the key of the one fact that tells the same in other words, with a value of the same shape."""
    if not may_be_told_otherwise(draft) or desk.about(draft.subject, draft.attribute):
        return draft
    if newer := in_its_version(draft, desk):
        return newer
    shape = shape_of(draft.value)
    ours = gist(draft.subject, draft.attribute, measured=bool(shape))
    held = [fact for fact in desk.facts.values() if is_open(fact, draft.said) and shape_of(fact.value) == shape]
    same = [fact for fact in held if tells_the_same(draft, fact, shape, ours)]
    if len(same) != 1:
        return draft
    [fact] = same
    text = sentence(fact.subject, fact.attribute, draft.value)
    many = False if shape_of(draft.value) else draft.many
    link = fact.attribute.rpartition(" ")[2]
    if link in _OF_MEASURES and draft.value.startswith(f"{link} "):
        draft = replace(draft, value=draft.value.removeprefix(f"{link} "))  # "is paid within", and within 14 days
    return replace(draft, subject=fact.subject, attribute=fact.attribute, category=fact.category, text=text, many=many)


def tells_the_same(draft: Draft, fact: Fact, shape: str, ours: frozenset[str]) -> bool:
    """Whether a fact of the same shape is about what a draft is about (`ours`): all of its words; or, of a measure of
    the same thing with the same unit, those that the draft has."""
    if fact.said > draft.said or fact.category in ("events", "plans", "request"):
        return False
    theirs = gist(fact.subject, fact.attribute, measured=bool(shape))
    if ours == theirs:
        told = bool(shape) or USER in (draft.subject, fact.subject) or one_thing(draft, fact)
        return bool(ours) and (told or same_words(draft, fact))
    return bool(shape) and one_thing(draft, fact) and len(ours) > 1 and ours < theirs


_RUNS = ("runs on", "uses", "built with", "version", "runs")
_NUMBERED = later(r"(?P<what>[A-Za-z][\w.+#]*(?: [A-Z][\w.+#]*)?) (?P<v>v?\d+(?:\.\d+)*)$")
_BARE_NUMBER = later(r"v?\d+(?:\.\d+)*$")


def version_of(name: str, value: str) -> tuple[str, str] | None:
    """A program and its number, whether told as what a thing runs on or as that program's version."""
    numbered = _NUMBERED.match(value) if name in _RUNS else None
    if numbered:
        return numbered["what"].casefold(), numbered["v"]
    told = name.casefold().endswith(" version") and _BARE_NUMBER.match(value)
    return (name.casefold().removesuffix(" version"), value) if told else None


def in_its_version(draft: Draft, desk: Desk) -> Draft | None:
    """ "The dashboard runs Node 22 now" as another number of the one fact that tells its version of Node."""
    ours = version_of(draft.attribute, draft.value)
    if ours is None or draft.kind == "ending":
        return None
    same = [
        fact
        for fact in desk.facts.values()
        if is_open(fact, draft.said) and fact.said <= draft.said and one_thing(draft, fact)
        if (theirs := version_of(fact.attribute, fact.value)) and theirs[0] == ours[0]
    ]
    if len(same) != 1 or same[0].attribute == draft.attribute:
        return None
    [fact] = same
    old = version_of(fact.attribute, fact.value)
    value = fact.value.replace(old[1], ours[1]) if old else draft.value
    text = sentence(fact.subject, fact.attribute, value)
    return replace(
        draft, attribute=fact.attribute, category=fact.category, value=value, text=text, instead_of=fact.value
    )


def same_words(draft: Draft, fact: Fact) -> bool:
    """Whether subject and attribute are the same words, parted elsewhere: "prod log | level"."""
    ours, theirs = ([root(word) for word in split(f"{one.subject} {one.attribute}")] for one in (draft, fact))
    return USER not in (draft.subject, fact.subject) and ours == theirs


def one_thing(draft: Draft, fact: Fact) -> bool:
    return without_kind(draft.subject) == without_kind(fact.subject)
