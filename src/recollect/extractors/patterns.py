"""How a statement is described: the words after a verb, and what they state."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Protocol

from recollect.extractors import values
from recollect.extractors.verbs import Predicate
from recollect.records import Kind
from recollect.text.values import word_set


@dataclass(frozen=True, slots=True)
class Found:
    """Something stated of a subject, before it is dated and put into a sentence."""

    attribute: str
    value: str
    kind: Kind | None = None
    """How it was said, where the pattern knows better than the tense."""
    subject: str = ""
    """Whom it is about, when that is not the subject of the clause."""
    text: str = ""
    instead_of: str | None = None
    many: bool | None = None
    negated: bool = False
    confidence: float = 0.95


LOOSE = 0.7
"""Up to this sure is what was read by the structure of a sentence alone."""

GUESSED = 0.5
"""So sure is what may be one value or several: who wears a hat now may still wear glasses."""

Groups = Mapping[str, str]
Make = Callable[[Groups, Predicate], list[Found]]


@cache
def compiled(rest: str) -> re.Pattern[str]:
    """The expression, compiled when its verb is first met: most are never needed in one run."""
    return re.compile(rest, re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Pattern:
    """Words after a verb, and what they state."""

    rest: str
    make: Make
    change: bool = False
    """The verb tells of a change: its past is an update, its present a plan."""
    always: bool = False
    """What it states stays true once it has happened: a degree, a birth, a visit."""
    place: int = 0
    """Which of the files of patterns it stands in."""

    def read(self, predicate: Predicate) -> list[Found]:
        match = compiled(self.rest).match(predicate.rest)
        if match is None:
            return []
        return self.make({key: text or "" for key, text in match.groupdict().items()}, predicate)

    def read_all(self, predicate: Predicate) -> list[Found]:
        """What it states of each thing in a list of things that someone has or gets: "two sons and a dog"."""
        first, *others = objects(predicate)
        found = self.read(first) if first.verb == predicate.verb else first_found(first)
        more = [item for other in others for item in first_found(other)]
        return [*found, *more] if found else []


def first_found(predicate: Predicate) -> list[Found]:
    """What the first pattern of its verb that fits states."""
    return next((found for pattern in BY_VERB.get(predicate.verb, []) if (found := pattern.read(predicate))), [])


_NEXT_OBJECT = re.compile(r"(?i)(?:,|,?\s+and|,?\s+plus)\s+(?=(?:an?|one|two|three|four|five|\d+) )")


_COUNTED = re.compile(
    r"(?i)(?:two|three|four|five|\d) (?:[a-z-]+ ){0,2}(?P<kind>[a-z-]+s)(?:,|:) (?P<each>(?:an?|one) [\w' -]+?"
    r"(?:,? (?:and|plus) |, )(?:an?|one) [\w' ,-]+)$"
)
"""Several things of a kind and then each of them: "two guitars, a Telecaster and an old Yamaha"."""


def objects(predicate: Predicate) -> list[Predicate]:
    """The predicate once for each thing of a list, for verbs that take things one has."""
    if predicate.verb not in ("have", "get", "adopt", "own", "buy") or not _NEXT_OBJECT.search(predicate.rest):
        return [predicate]
    if each := _COUNTED.match(predicate.rest):
        predicate = replace(predicate, verb="drive") if each["kind"].lower() == "cars" else predicate
        return [replace(predicate, rest=part.strip()) for part in _NEXT_OBJECT.split(each["each"]) if part.strip()]
    if re.search(r", an? (?-i:[A-Z])|\b(?:child|baby|kid), an? (?:\w+ )?(?:boy|girl|son|daughter)\b", predicate.rest):
        return [predicate]
    return [replace(predicate, rest=part) for part in _NEXT_OBJECT.split(predicate.rest) if part]


BY_VERB: dict[str, list[Pattern]] = {}
"""Patterns by the base form of their verb, tried in the order of the files that they stand in, and of their rows."""

ORDER = (
    "home_and_work",
    "tastes",
    "being",
    "changing",
    "doing",
    "family",
    "having",
    "owning",
    "studying",
)
"""The files of patterns. Of two that read the same words, the one that stands first here is heard."""


class Row(Protocol):
    """Enters a pattern for some verbs; a plain name states that attribute with one value."""

    def __call__(
        self, verbs: str, rest: str, make: Make | str, *, change: bool = False, always: bool = False
    ) -> None: ...


def rows_of(module: str) -> Row:
    """What enters the patterns of a file, each in its place, whichever file is imported first."""
    name = module.rpartition(".")[2]
    if name not in ORDER:
        raise LookupError(f"{module} has patterns: say in patterns.ORDER which files it stands before and after")
    place = ORDER.index(name)

    def row(verbs: str, rest: str, make: Make | str, *, change: bool = False, always: bool = False) -> None:
        made = says(make) if isinstance(make, str) else make
        pattern = Pattern(rest, made, change, always, place)
        for verb in verbs.split():
            BY_VERB.setdefault(verb, []).append(pattern)
            BY_VERB[verb].sort(key=lambda one: one.place)

    return row


def says(attribute: str, *stop: str, bare: bool = False, named: bool = False) -> Make:
    """States one value; `named`: only a proper name will do."""

    def make(groups: Groups, predicate: Predicate) -> list[Found]:
        value = values.one(groups["v"], *stop)
        value = values.bare(value) if bare else value
        if not value or (named and not proper(value, predicate)):
            return []
        return [Found(attribute, value)]

    return make


_LINK = re.compile(r"^(?:to|with|from|for) (?=(?:the )?[A-Z])")
"""What a list may say once more before each of its names: "to Netflix and to the Guardian"."""


def says_each(attribute: str, *stop: str, bare: bool = True) -> Make:
    """States every value that a list names."""

    def make(groups: Groups, predicate: Predicate) -> list[Found]:
        named = [_LINK.sub("", item) for item in values.items(groups["v"], *stop)]
        found = [values.bare(item) if bare else item for item in named]
        return [Found(attribute, value, many=len(found) > 1 or None) for value in found if value]

    return make


_NO_NAME = word_set(
    "a an the my our your this that his her their fear peace love hope pain debt denial general theory particular here "
    "there it them him us me one some all every each different another other home school work bed two three four "
    "five six "
    "seven many several various"
)


def proper(value: str, predicate: Predicate) -> bool:
    """A proper name, or a short value of someone who writes without capitals."""
    if values.has_name(value):
        return True
    return predicate.careless and len(value.split()) <= 3 and value.split()[0].lower() not in _NO_NAME
