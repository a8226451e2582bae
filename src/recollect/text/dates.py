"""Words of time as ranges of time: "last spring", "in two weeks", "since 2019", relative to when they were said."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import Literal

from recollect.text import calendar as dates
from recollect.text import time_phrases as phrases
from recollect.text.calendar import Span
from recollect.text.time_rules import COUNT, UNIT, Rule, Told, past_stretch

Relation = Literal["during", "since", "until", "from"]


@dataclass(frozen=True, slots=True)
class When:
    """A phrase of time and the range it names, from `start` up to but not including `end`, in UTC.

    `since` runs from the start of the named time to when it was said. `until` and `from` keep the range of the named
    time itself, beyond which it reaches back or onward. These three are `open`: one side is not bounded by the phrase.
    """

    start: datetime
    end: datetime
    text: str
    at: tuple[int, int]
    relation: Relation = "during"
    open: bool = False


_Year = Literal["none", "named", "missing"]
"""Of what comes once a year, whether the year is named with it; of anything else there is none to name."""
_OF_A_DAY = ("clock", "part")


@dataclass(frozen=True, slots=True)
class _Found:
    """A range of local time at a place in the text."""

    first: int
    last: int
    span: Span
    kind: phrases.Kind = "strong"
    relation: Relation = "during"
    year: _Year = "none"


_RELATIONS: dict[str, Relation] = {
    "since": "since", "ever since": "since", "until": "until", "till": "until", "up to": "until", "by": "until",
    "before": "until", "through": "until", "from": "from", "as of": "from", "starting": "from", "starting in": "from",
    "starting on": "from", "starting from": "from", "beginning": "from", "beginning in": "from", "after": "from",
}  # fmt: skip
_LEAD = (
    r"\b(?P<lead>(?:ever )?since|until|till|up to|by|before|through|from|as of"
    r"|(?:starting|beginning)(?: in| on| from)?|after|in|on|during|around|about|circa|throughout|between|at|for|over"
    r"|within|of|year)"
    r"(?:\s+(?:the\s+)?(?:month|year) of|\s+the\s+year)?(?:\s+(?:about|around|the))?\s*\Z"
)
_PART = r"\b(?P<part>early|mid|late|the (?:beginning|start|middle|end) of)[\s-]+(?:in\s+)?(?:the\s+)?\Z"
_THIRDS = {"early": 0, "beginning": 0, "start": 0, "mid": 1, "middle": 1, "late": 2, "end": 2}
_DASHES = ("-", "–", "—")
_BETWEEN = r"\s*(?:,?\s*(?:and|up)?\s*(?:to|until|till|through)(?: the)?|and|-|–|—)\s*\Z"
_CAPITAL_ONLY = re.compile(r"(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\b")
_LONGEST_LEAD = 48
_NO_SUCH_DATE = (datetime.min, datetime.min)


@lru_cache(maxsize=64)
def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(words.replace(" ?", r"\s*").replace(" ", r"\s+"), re.IGNORECASE)


def find(text: str, said: datetime, *, future: bool = False, present: bool = False) -> list[When]:
    """All times that a text tells, in order; days, weeks and months are those of the zone of `said`.

    A month, season or feast without a year is the latest one, or with `future` or beside "will" the coming one, or with
    `present` the running or coming one where the present tense stands beside it.
    "This" and "on Friday" is the first Friday after today (before it, in the past tense); "next Friday" that of the
    next calendar week.
    Weeks begin on Monday and are counted as in ISO 8601, a winter begins in the December of its year, 3/5/2024 is the
    5th of March, 5.3.2024 too; "a few" are three.
    """
    return list(_found(text, said, future, present))


_WORD = re.compile("[a-z]+")
_DIGIT = re.compile(r"(?<!\d)\d{1,4}(?!\d)")
"""A number that can be part of a date or a clock; "port 54321" has none."""


@lru_cache(maxsize=128)
def _words(text: str) -> frozenset[str]:
    """The words of a text that rules ask for, with one sign for any number that a time can have."""
    words = frozenset(_WORD.findall(text.lower()))
    return words | {phrases.DIGIT} if _DIGIT.search(text) else words


def may_tell(text: str) -> bool:
    """Whether a text can tell a time at all: cheaper to ask than to look for it."""
    return not _TIMELY.isdisjoint(_words(text))


@lru_cache(maxsize=2048)
def _found(text: str, said: datetime, future: bool, present: bool) -> tuple[When, ...]:
    # A clause is looked at several times on its way in, and what was said again by every question for a time.
    words = _words(text)
    if _TIMELY.isdisjoint(words):
        return ()
    told = Told(said.replace(tzinfo=None), future, present)
    found = [one for one in _choose(_candidates(text, words, told)) if one.span != _NO_SUCH_DATE]
    found = _joined(text, _in_context(text, _with_clock(text, found, told), told), told)
    whens = (_when(text, one, said.tzinfo or timezone.utc) for one in found)
    return tuple(when for when in whens if when is not None)


_TIMELY = frozenset[str]().union(*(row.groups[0] for row in phrases.ROWS))
"""Without one of these words, or a digit, a text tells no time."""
_LOOKED_FOR = _TIMELY.union(*(group for row in phrases.ROWS for group in row.groups))


@lru_cache(maxsize=1024)
def _rows_for(words: frozenset[str]) -> tuple[tuple[phrases.Row, re.Pattern[str]], ...]:
    """The rows that can find something in a text with these of the words that are looked for."""
    return tuple((row, _pattern(row.shape)) for row in phrases.ROWS if all(group & words for group in row.groups))


def _candidates(text: str, words: frozenset[str], told: Told) -> list[_Found]:
    found = [
        _Found(match.start(), match.end(), span, row.kind, year=_year_of(row.rule, match))
        for row, pattern in _rows_for(words & _LOOKED_FOR)
        for match in pattern.finditer(text)
        if (span := _resolved(row.rule, match, told))
    ]
    return found + (_durations(text, told) if "for" in words else [])


def _year_of(rule: Rule, match: re.Match[str]) -> _Year:
    if rule not in phrases.ONCE_A_YEAR:
        return "none"
    groups = match.groupdict()
    return "named" if any(groups.get(one) for one in ("year", "near", "which")) else "missing"


_DURATION = r"(?P<verb>\b(?:have|has|had|'ve|’ve|'s been|’s been|been)\b[^.!?\n]{0,60}?)\bfor (?:about |around |over )?"


def _durations(text: str, told: Told) -> list[_Found]:
    """ "I have lived here for three years": since then; "I stayed for three years" tells no time."""
    found: list[_Found] = []
    amount = rf"{COUNT} {UNIT}(?P<half> and a half)?\b(?! ago)"
    for match in _pattern(_DURATION + amount).finditer(text):
        if not match["verb"].lower().startswith("had") and (span := _resolved(past_stretch, match, told)):
            found.append(_Found(match.end("verb"), match.end(), span, "stretch", "since"))
    return found


def _resolved(rule: Rule, match: re.Match[str], told: Told) -> Span | None:
    """The span of a match; None where the word is not one of time."""
    if not _means_time(match):
        return None
    try:
        return rule(match, told)
    except (ValueError, OverflowError, IndexError, StopIteration):
        # It keeps its place, so that "30 February 2024" is not read as "February 2024".
        return _NO_SUCH_DATE


def _means_time(match: re.Match[str]) -> bool:
    """Whether short names are written with a capital, and `may` and `march` are not the verbs."""
    for group in ("month", "weekday"):
        name = match.groupdict().get(group)
        if name and not name.isdecimal() and _CAPITAL_ONLY.fullmatch(name):
            return False
    month = match.groupdict().get("month") or ""
    groups = match.groupdict()
    if month in ("may", "march") and (groups.get("near") or (groups.get("which") or "").lower() == "this"):
        return False
    return not (month == "may" and match.groupdict().get("day") and match.end("month") < match.start("day"))


def _choose(found: list[_Found]) -> list[_Found]:
    """The longest of those that overlap, in order of the text."""
    taken: list[_Found] = []
    end = -1
    for one in sorted(found, key=lambda one: (one.first, -(one.last - one.first))):
        if taken and one.first < end:
            if one.last - one.first > taken[-1].last - taken[-1].first:
                taken[-1], end = one, one.last
            continue
        taken.append(one)
        end = one.last
    return taken


def _with_clock(text: str, found: list[_Found], told: Told) -> list[_Found]:
    """Times of day and parts of days, joined to the day that stands beside them."""
    result: list[_Found] = []
    for one in found:
        if result and _beside(text, result[-1], one):
            result[-1] = _on_day(result[-1], one, told)
        else:
            result.append(one)
    return [one for one in result if one.kind != "part"]


def _beside(text: str, a: _Found, b: _Found) -> bool:
    """Whether one of the two is a day, the other a time of day, and nothing else stands between them."""
    if (a.kind in _OF_A_DAY) == (b.kind in _OF_A_DAY):
        return False
    day = b if a.kind in _OF_A_DAY else a
    if day.span[1] - day.span[0] != dates.ONE_DAY or b.first - a.last > 12:
        return False
    return re.fullmatch(r",?\s*(?:on|at|in the|of)?\s*", text[a.last : b.first]) is not None


def _on_day(a: _Found, b: _Found, told: Told) -> _Found:
    day, clock = (b, a) if a.kind in _OF_A_DAY else (a, b)
    away = day.span[0] - dates.day(told.now)[0]
    return _Found(a.first, b.last, (clock.span[0] + away, clock.span[1] + away))


def _in_context(text: str, found: list[_Found], told: Told) -> list[_Found]:
    """Each time with the word before it taken in; weak ones without such a word left out."""
    result: list[_Found] = []
    for place, one in enumerate(found):
        previous = result[-1] if result else None
        before = text[max(previous.last if previous else 0, one.first - _LONGEST_LEAD) : one.first]
        follows = previous is not None and _connects(text, previous, one)
        led = _led(text, one, before, told)
        if led is not None:
            result.append(led)
        elif one.kind != "weak" or follows or _opens_range(text, one, found[place + 1 : place + 2]):
            result.append(one)
    return result


def _connects(text: str, a: _Found, b: _Found) -> bool:
    return a.last <= b.first <= a.last + 16 and _pattern(_BETWEEN).match(text[a.last : b.first]) is not None


def _opens_range(text: str, one: _Found, following: list[_Found]) -> bool:
    """Two years or months with a dash between them need no other word, nor two years with "to"."""
    return any(_connects(text, one, other) and _spans(text, one, other) for other in following)


def _spans(text: str, a: _Found, b: _Found) -> bool:
    between = text[a.last : b.first].strip()
    if between in _DASHES:
        return _alike(a, b)
    return between == "to" and all(_A_YEAR.fullmatch(text[x.first : x.last]) for x in (a, b))


def _alike(a: _Found, b: _Found) -> bool:
    """Whether a dash between two times can mean a range: "2024 - March" may be one, or one date."""
    return b.year != "missing" or a.year != "none"


_HAS_YEAR = re.compile(r"(?<!\d)[12]\d{3}(?!\d)|\b(?:last|this|next) year\b", re.IGNORECASE)
_A_YEAR = re.compile(r"19[5-9]\d|20[0-3]\d")


def _led(text: str, one: _Found, before: str, told: Told) -> _Found | None:
    """The time with its preposition, and with `early`, `mid` or `late`; None when no such word stands before it."""
    span, first = one.span, one.first
    part = _pattern(_PART).search(before)
    if part:
        words = part["part"].lower().split()
        span = dates.third(span, _THIRDS[words[1] if words[0] == "the" else words[0]])
        first -= len(before) - part.start()
        before = before[: part.start()]
    lead = _pattern(_LEAD).search(before)
    if not lead:
        return replace(one, first=first, span=span, kind="strong") if part else None
    word = re.sub(r"\s+", " ", lead["lead"].lower())
    if word in ("for", "over", "within") and one.kind != "stretch":
        return None if one.kind == "weak" else replace(one, first=first, span=span)
    first -= len(before) - lead.start()
    relation = "since" if one.kind == "stretch" and word in ("for", "since") else _RELATIONS.get(word, one.relation)
    return _Found(first, one.last, _moved(span, word, relation, told), "strong", relation, one.year)


def _moved(span: Span, word: str, relation: Relation, told: Told) -> Span:
    """Before and after leave the named time itself out; since goes on until it was said."""
    if word in ("before", "after"):
        if word == "after" and (running := (dates.add_months(span[0], -12), dates.add_months(span[1], -12))):
            span = running if running[0] <= told.now < running[1] else span  # "After the summer", said in July.
        try:
            return dates.beside(span, -1 if word == "before" else 1)
        except (OverflowError, ValueError):
            return span
    return (span[0], max(span[1], told.now)) if relation == "since" else span


def _joined(text: str, found: list[_Found], told: Told) -> list[_Found]:
    """Two ends of one range as one: from 2019 to 2021, between May and July, from 2019 until last March."""
    result: list[_Found] = []
    for one in found:
        last = result[-1] if result else None
        whole = _range(text, last, one) if last and _is_range(text, last, one) else None
        if last and whole:
            result[-1] = _Found(last.first, one.last, whole)
        else:
            result.append(one)
    return result


def _range(text: str, a: _Found, b: _Found) -> Span | None:
    start, span = _years_shared(text, a, b)
    end = _end_after(start, span)
    return (start, end) if end else None


def _years_shared(text: str, a: _Found, b: _Found) -> tuple[datetime, Span]:
    """The start and the end of a range; the year that only one of them is told with holds for the other too: "between
    May and July 2024", "from October 2023 to March"."""
    start, end = a.span[0], b.span
    try:
        if not _HAS_YEAR.search(text[a.first : a.last]) and _HAS_YEAR.search(text[b.first : b.last]):
            moved = dates.add_months(start, 12 * (end[0].year - start.year))
            return (moved if moved <= end[0] else dates.add_months(moved, -12)), end
        if a.year == "named" and b.year == "missing":
            near = [_years_on(end, start.year - end[0].year + more) for more in (0, 1)]
            return start, next(one for one in near if one[1] > start)
    except (ValueError, OverflowError, StopIteration):
        pass  # a year before the first, or after the last
    return start, end


def _years_on(span: Span, many: int) -> Span:
    return dates.add_months(span[0], 12 * many), dates.add_months(span[1], 12 * many)


def _end_after(start: datetime, span: Span) -> datetime | None:
    """The end of a range; a weekday or month named after an earlier one is that of the next week or year."""
    if span[1] > start or span[1] - span[0] > timedelta(days=100):
        return span[1] if span[1] > start else None
    try:
        later = span[1] + timedelta(days=7) if span[1] - span[0] <= dates.ONE_DAY else dates.add_months(span[1], 12)
    except (OverflowError, ValueError):
        return None
    return later if later > start else None


def _is_range(text: str, a: _Found, b: _Found) -> bool:
    if not a.last <= b.first <= a.last + 16 or a.relation == "until":
        return False
    between = text[a.last : b.first].strip()
    if not between:
        return a.relation in ("from", "since") and b.relation == "until"
    if not _pattern(_BETWEEN).match(text[a.last : b.first]):
        return False
    if between.lower() == "and":
        return text[a.first :].lower().startswith("between")
    if between in _DASHES:
        return _alike(a, b)
    return a.relation == "from" or not between.lower().startswith(("and", ","))


def _when(text: str, one: _Found, zone: tzinfo) -> When | None:
    try:
        start, end = (moment.replace(tzinfo=zone).astimezone(timezone.utc) for moment in one.span)
    except (OverflowError, ValueError):
        return None
    if one.kind == "weak" or start >= end:
        return None
    return When(start, end, text[one.first : one.last], (one.first, one.last), one.relation, one.relation != "during")
