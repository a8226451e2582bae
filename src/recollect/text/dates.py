"""Words of time as ranges of time: "last spring", "in two weeks", "since 2019", relative to when they were said."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import Literal, NamedTuple

from recollect.errors import InvalidInput
from recollect.text import lazy_regex
from recollect.text.calendar import DAY, Span, add_months, days, neighbour, third
from recollect.text.time_phrases import MONTH_NAMES, ONCE_A_YEAR, Phrase, PhraseRow, Rule, past_stretch, phrase_table

Time = datetime | date | str | int | float
"""A moment, a date, an ISO text such as "2024-03" or "2024-Q1", words such as "last March", or seconds since 1970."""
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


class FoundTime(NamedTuple):
    """A range of local time at a place in the text."""

    first: int
    last: int
    span: Span
    kind: str = "strong"
    relation: Relation = "during"
    year: str = "none"
    """Of what comes once a year, whether the year is "named" with it or "missing"; of anything else "none"."""


RELATIONS: dict[str, Relation] = {
    "since": "since", "ever since": "since", "until": "until", "till": "until", "up to": "until", "by": "until",
    "before": "until", "through": "until", "from": "from", "as of": "from", "starting": "from", "starting in": "from",
    "starting on": "from", "starting from": "from", "beginning": "from", "beginning in": "from", "after": "from",
}  # fmt: skip
LEAD = lazy_regex(
    r"(?i)\b(?P<lead>(?:ever\s+)?since|until|till|up\s+to|by|before|through|from|as\s+of"
    r"|(?:starting|beginning)(?:\s+in|\s+on|\s+from)?|after|in|on|during|around|about|circa|throughout|between|at|for"
    r"|over|within|of|year)(?:\s+(?:the\s+)?(?:month|year)\s+of|\s+the\s+year)?(?:\s+(?:about|around|the))?\s*\Z"
)
PART = lazy_regex(
    r"(?i)\b(?P<part>early|mid|late|the\s+(?:beginning|start|middle|end)\s+of)[\s-]+(?:in\s+)?(?:the\s+)?\Z"
)
THIRDS = {"early": 0, "beginning": 0, "start": 0, "mid": 1, "middle": 1, "late": 2, "end": 2}
BETWEEN = lazy_regex(r"(?i)\s*(?:,?\s*(?:and|up)?\s*(?:to|until|till|through)(?:\s+the)?|and|-|–|—)\s*\Z")
CAPITAL_ONLY = lazy_regex(r"(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\b")
HAS_YEAR = lazy_regex(r"(?i)(?<!\d)[12]\d{3}(?!\d)|\b(?:last|this|next) year\b")
NO_SUCH_DATE = (datetime.min, datetime.min)


def find(text: str, said: datetime, *, future: bool = False, present: bool = False) -> list[When]:
    """All times that a text tells, in order; days, weeks and months are those of the zone of `said`.

    A month, season or feast without a year is the latest one, or with `future` or beside "will" the coming one, or with
    `present` the running or coming one where the present tense stands beside it.
    "This" and "on Friday" is the first Friday after today (before it, in the past tense); "next Friday" that of the
    next calendar week.
    Weeks begin on Monday and are counted as in ISO 8601, a winter begins in the December of its year, 3/5/2024 is the
    5th of March, 5.3.2024 too; "a few" are three.
    """
    return list(find_all(text, said, future, present))


@lru_cache(maxsize=2048)
def find_all(text: str, said: datetime, future: bool, present: bool) -> tuple[When, ...]:
    # A clause is looked at several times on its way in, and what was said again by every question for a time.
    if not may_tell(text):
        return ()
    now = said.replace(tzinfo=None)
    found = longest(candidates(text, now, future, present))
    found = [one for one in found if one.span != NO_SUCH_DATE]
    found = joined(text, in_context(text, with_clock(text, found, now), now))
    whens = (as_when(text, one, said.tzinfo or timezone.utc) for one in found)
    return tuple(when for when in whens if when is not None)


@lru_cache(maxsize=128)
def time_words(text: str) -> frozenset[str]:
    """The words of a text that rows ask for, with 0 for any number that a time can have."""
    words = frozenset(re.findall("[a-z]+", text.lower()))
    return words | {"0"} if re.search(r"(?<!\d)\d{1,4}(?!\d)", text) else words


def may_tell(text: str) -> bool:
    """Whether a text can tell a time at all: cheaper to ask than to look for it."""
    return not phrase_table().timely.isdisjoint(time_words(text))


# Phrases, one by one


@lru_cache(maxsize=64)
def compiled_shape(shape: str) -> re.Pattern[str]:
    return re.compile(shape.replace(" ?", r"\s*").replace(" ", r"\s+"), re.IGNORECASE)


@lru_cache(maxsize=1024)
def rows_for(words: frozenset[str]) -> tuple[tuple[PhraseRow, re.Pattern[str]], ...]:
    """The rows that can find something in a text with these of the words that are looked for."""
    rows = (row for row in phrase_table().rows if all(group & words for group in row.groups))
    return tuple((row, compiled_shape(row.shape)) for row in rows)


def candidates(text: str, now: datetime, future: bool, present: bool) -> list[FoundTime]:
    """All phrases of time in a text, also those that overlap."""
    found, words = list[FoundTime](), time_words(text)
    for row, pattern in rows_for(words & phrase_table().needed):
        for match in pattern.finditer(text):
            phrase = Phrase(match, now, future, present)
            if span := resolved(row.rule, phrase):
                named = any(phrase[group] for group in ("year", "near", "which"))
                year = "none" if row.rule not in ONCE_A_YEAR else "named" if named else "missing"
                found.append(FoundTime(match.start(), match.end(), span, row.kind, year=year))
    for match in compiled_shape(phrase_table().stretch).finditer(text) if "for" in words else ():
        span = resolved(past_stretch, Phrase(match, now, future, present))
        if span and not match["verb"].lower().startswith("had"):
            found.append(FoundTime(match.end("verb"), match.end(), span, "stretch", "since"))
    return found


def resolved(rule: Rule, phrase: Phrase) -> Span | None:
    """The span of a phrase; None where its word is not one of time: short names are written with a capital, and "may"
    and "march" may be the verbs."""
    match, groups = phrase.match, phrase.match.groupdict()
    month = groups.get("month") or ""
    if any(CAPITAL_ONLY.fullmatch(groups.get(group) or "") for group in ("month", "weekday")):
        return None
    if month in ("may", "march") and (phrase["near"] or phrase["which"] == "this"):
        return None
    if month == "may" and groups.get("day") and match.end("month") < match.start("day"):
        return None
    try:
        return rule(phrase)
    except (ValueError, OverflowError, IndexError, StopIteration):
        # It keeps its place, so that "30 February 2024" is not read as "February 2024".
        return NO_SUCH_DATE


def longest(found: list[FoundTime]) -> list[FoundTime]:
    """The longest of those that overlap, in order of the text."""
    taken = list[FoundTime]()
    for one in sorted(found, key=lambda one: (one.first, -one.last)):
        if not taken or one.first >= taken[-1].last:
            taken.append(one)
        elif one.last - one.first > taken[-1].last - taken[-1].first:
            taken[-1] = one
    return taken


def with_clock(text: str, found: list[FoundTime], now: datetime) -> list[FoundTime]:
    """Times of day and parts of days, joined to the day that stands beside them."""
    result = list[FoundTime]()
    for one in found:
        last = result[-1] if result else one
        clock, day = (last, one) if last.kind in ("clock", "part") else (one, last)
        apart = day.kind in ("clock", "part") or clock.kind not in ("clock", "part") or one.first - last.last > 12
        joint = text[last.last : one.first]
        if apart or day.span[1] - day.span[0] != DAY or not re.fullmatch(r",?\s*(?:on|at|in the|of)?\s*", joint):
            result.append(one)
        else:
            away = day.span[0] - days(now)[0]
            result[-1] = FoundTime(last.first, one.last, (clock.span[0] + away, clock.span[1] + away))
    return [one for one in result if one.kind != "part"]


# Phrases with the words before and between them


def in_context(text: str, found: list[FoundTime], now: datetime) -> list[FoundTime]:
    """Each time with the word before it taken in; weak ones without such a word left out."""
    result = list[FoundTime]()
    for one, following in zip(found, [*found, None][1:], strict=True):
        previous = result[-1] if result else None
        led = with_lead(text, one, previous.last if previous else 0, now)
        goes_on = previous is not None and between(text, previous, one) is not None
        if led is not None:
            result.append(led)
        elif one.kind != "weak" or goes_on or (following and opens_range(text, one, following)):
            result.append(one)
    return result


def with_lead(text: str, one: FoundTime, after: int, now: datetime) -> FoundTime | None:
    """The time with its preposition, and with `early`, `mid` or `late`; None when no such word stands before it."""
    start = max(after, one.first - 48)
    before = text[start : one.first]
    if part := PART.search(before):
        span = third(one.span, THIRDS[part["part"].lower().removeprefix("the").split()[0]])
        one, before = one._replace(first=start + part.start(), span=span), before[: part.start()]
    lead = LEAD.search(before)
    if not lead:
        return one._replace(kind="strong") if part else None
    word = " ".join(lead["lead"].lower().split())
    if word in ("for", "over", "within") and one.kind != "stretch":
        return None if one.kind == "weak" else one
    relation = "since" if one.kind == "stretch" and word in ("for", "since") else RELATIONS.get(word, one.relation)
    span = bounded(one.span, word, now) if relation != "since" else (one.span[0], max(one.span[1], now))
    return one._replace(first=start + lead.start(), span=span, kind="strong", relation=relation)


def bounded(span: Span, word: str, now: datetime) -> Span:
    """Before and after leave the named time itself out."""
    try:
        if word == "after" and (last := years_later(span, -1))[0] <= now < last[1]:
            span = last  # "After the summer", said in July.
        return neighbour(span, -1 if word == "before" else 1) if word in ("before", "after") else span
    except (OverflowError, ValueError):
        return span


def years_later(span: Span, many: int) -> Span:
    return add_months(span[0], 12 * many), add_months(span[1], 12 * many)


def between(text: str, a: FoundTime, b: FoundTime) -> str | None:
    """The words that make two times the ends of a range: "to", "and", a dash; None where others stand between them."""
    near = a.last <= b.first <= a.last + 16 and BETWEEN.match(text[a.last : b.first])
    return text[a.last : b.first].strip().lower() if near else None


def opens_range(text: str, a: FoundTime, b: FoundTime) -> bool:
    """Two years or months with a dash between them need no other word, nor two years with "to"."""
    joint = between(text, a, b)
    years = all(re.fullmatch(r"19[5-9]\d|20[0-3]\d", text[one.first : one.last]) for one in (a, b))
    return years if joint == "to" else joint in ("-", "–", "—") and may_be_dashed(a, b)


def may_be_dashed(a: FoundTime, b: FoundTime) -> bool:
    """Whether a dash between two times can mean a range: "2024 - March" may be one, or one date."""
    return b.year != "missing" or a.year != "none"


def joined(text: str, found: list[FoundTime]) -> list[FoundTime]:
    """Two ends of one range as one: from 2019 to 2021, between May and July, from 2019 until last March."""
    result = list[FoundTime]()
    for one in found:
        last = result[-1] if result else None
        if last and is_range(text, last, one):
            start, span = years_shared(text, last, one)
            if end := end_after(start, span):
                result[-1] = FoundTime(last.first, one.last, (start, end))
                continue
        result.append(one)
    return result


def is_range(text: str, a: FoundTime, b: FoundTime) -> bool:
    if not text[a.last : b.first].strip() and a.last <= b.first <= a.last + 16:
        return a.relation in ("from", "since") and b.relation == "until"
    joint = between(text, a, b) if a.relation != "until" else None
    if joint is None or joint == "and":
        return joint is not None and text[a.first :].lower().startswith("between")
    if joint in ("-", "–", "—"):
        return may_be_dashed(a, b)
    return a.relation == "from" or not joint.startswith(("and", ","))


def years_shared(text: str, a: FoundTime, b: FoundTime) -> tuple[datetime, Span]:
    """The start and the end of a range; the year that only one of them is told with holds for the other too: "between
    May and July 2024", "from October 2023 to March"."""
    start, end = a.span[0], b.span
    try:
        if not HAS_YEAR.search(text[a.first : a.last]) and HAS_YEAR.search(text[b.first : b.last]):
            moved = add_months(start, 12 * (end[0].year - start.year))
            return (moved if moved <= end[0] else add_months(moved, -12)), end
        if a.year == "named" and b.year == "missing":
            near = [years_later(end, start.year - end[0].year + more) for more in (0, 1)]
            return start, next(one for one in near if one[1] > start)
    except (ValueError, OverflowError, StopIteration):
        pass  # a year before the first, or after the last
    return start, end


def end_after(start: datetime, span: Span) -> datetime | None:
    """The end of a range; a weekday or month named after an earlier one is that of the next week or year."""
    end = span[1]
    try:
        if end <= start and end - span[0] <= timedelta(days=100):
            end = end + 7 * DAY if end - span[0] <= DAY else add_months(end, 12)
    except (OverflowError, ValueError):
        return None
    return end if end > start else None


def as_when(text: str, one: FoundTime, zone: tzinfo) -> When | None:
    try:
        start, end = in_utc(one.span, zone)
    except (OverflowError, ValueError):
        return None
    if one.kind == "weak" or start >= end:
        return None
    return When(start, end, text[one.first : one.last], (one.first, one.last), one.relation, one.relation != "during")


def in_utc(span: Span, zone: tzinfo) -> Span:
    """The span of local time of a zone, in UTC."""
    return span[0].replace(tzinfo=zone).astimezone(timezone.utc), span[1].replace(tzinfo=zone).astimezone(timezone.utc)


# What is given as a time


def moment(value: Time, now: datetime) -> datetime:
    """The moment a value means, in UTC; for a period (a date, "2024-03", "2024-Q1") its last microsecond.

    So what was true "in 2024-Q1" is what was true when that quarter ended. A datetime without a zone is taken as UTC.
    """
    start, end = period(value, now)
    return start if end - start <= timedelta(microseconds=1) else end - timedelta(microseconds=1)


def period(value: Time, now: datetime) -> Span:
    """The range a value means, in UTC, its end not included; a single moment is one microsecond long."""
    problem, cause = "is no time", None
    try:
        if isinstance(value, str):
            if span := told_period(value.strip(), now):
                return span
            problem = "is no time we understand"
        elif isinstance(value, datetime):
            return instant(value)
        elif isinstance(value, date):
            return in_utc(days(value), now.tzinfo or timezone.utc)
        elif isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
            return instant(datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=value))
    except (OverflowError, ValueError) as error:
        problem, cause = f"is no time we can use ({error})", error
    raise InvalidInput(
        f"{value!r} {problem}; pass a datetime, a date, seconds since 1970, an ISO text such as '2024-03-05T10:00', "
        "'2024-03-05', '2024-W10', '2024-03', '2024-Q1', '2024-H1' or '2024', or English words such as 'last March', "
        "'Q1 2024', 'first half of 2024' or 'summer 2023'"
    ) from cause


def told_period(words: str, now: datetime) -> Span | None:
    """The range that a text gives; of "March or so" nothing is guessed."""
    iso = r"(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?)(?:[.,](\d{1,9}))?(?:(Z)|([+-]\d\d):?(\d\d))?"
    if match := re.fullmatch(iso, words, re.ASCII | re.IGNORECASE):
        # In the one shape that Python 3.10 reads too.
        zone = "+00:00" if match[3] else f"{match[4]}:{match[5]}" if match[4] else ""
        return instant(
            datetime.fromisoformat(f"{match[1]}{'.' + match[2][:6].ljust(6, '0') if match[2] else ''}{zone}")
        )
    if re.fullmatch(r"\d{4}-\d\d-\d\d", words, re.ASCII):  # of any year, also those that no talk names
        return in_utc(days(date.fromisoformat(words)), now.tzinfo or timezone.utc)
    if words.lower() == "now":
        return instant(now)
    for text in (words, f"in {words}"):
        found = find(text, now)
        if len(found) == 1 and found[0].at == (0, len(text)) and found[0].relation not in ("until", "from"):
            return found[0].start, found[0].end
    return None


def instant(value: datetime) -> Span:
    """A single moment as a range of one microsecond, in UTC."""
    at = value.replace(tzinfo=timezone.utc) if value.tzinfo is None else value.astimezone(timezone.utc)
    try:
        return at, at + timedelta(microseconds=1)
    except OverflowError:
        return at, at


def readable(moment: datetime, *, now: datetime | None = None) -> str:
    """The day for people, such as `3 May 2026`; with `now`, the days next to it by name."""
    if now is not None:
        away = (moment.astimezone(now.tzinfo).date() - now.date()).days
        if away in (-1, 0, 1):
            return ("yesterday", "today", "tomorrow")[away + 1]
    return f"{moment.day} {MONTH_NAMES.split(', ')[moment.month - 1].split()[0].title()} {moment.year}"
