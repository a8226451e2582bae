"""Words of time, and rules that turn the match of a phrase into a span of local time."""

from __future__ import annotations

import re
from calendar import isleap
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from recollect.text import calendar as dates
from recollect.text.calendar import ONE_DAY, Span
from recollect.text.tense import clause_around, in_future_tense, in_past_tense, in_present_tense

MONTH_NAMES = (
    "january jan, february feb, march mar, april apr, may, june jun, july jul, august aug, september sept sep, "
    "october oct, november nov, december dec"
)
DAY_NAMES = "monday mon, tuesday tues tue, wednesday wed, thursday thurs thur thu, friday fri, saturday sat, sunday sun"
ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
VAGUE = {"a": 1, "an": 1, "a couple of": 2, "couple of": 2, "a couple": 2, "a few": 3, "few": 3, "several": 3}
HOLIDAYS = {
    "christmas eve": (12, 24), "christmas day": (12, 25), "christmas": (12, 25), "xmas": (12, 25),
    "new year's eve": (12, 31), "new years eve": (12, 31), "new year's day": (1, 1), "new year's": (1, 1),
    "halloween": (10, 31), "valentine's day": (2, 14),
}  # fmt: skip
ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
HALVES = {"hour": (30, "minute"), "day": (12, "hour"), "week": (3, "day"), "month": (15, "day"), "decade": (5, "year")}
DAY_PARTS = {"morning": (5, 12), "afternoon": (12, 18), "evening": (18, 23), "night": (18, 30)}
"""First hour and hour after the last; a night goes on to 6 in the morning."""


def _numbered(names: str) -> dict[str, int]:
    return {name: place for place, group in enumerate(names.split(","), 1) for name in group.split()}


MONTH_NUMBERS = _numbered(MONTH_NAMES)
DAY_NUMBERS = _numbered(DAY_NAMES)
NUMBERS = {word: number for number, word in enumerate(ONES.split())}
NUMBERS |= {ten: 10 * place for place, ten in enumerate(TENS.split(), 2)}
NUMBERS |= {
    f"{ten}{joint}{one}": NUMBERS[ten] + NUMBERS[one]
    for ten in TENS.split() for one in ONES.split()[1:10] for joint in "- "
}  # fmt: skip
NUMBERS |= VAGUE


def any_of(names: Iterable[str]) -> str:
    return "|".join(sorted(names, key=len, reverse=True))


SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
"""The month each season of the northern half of the world begins with; a winter belongs to the year of its December."""
YEAR = r"(?P<year>[12]\d{3})(?![\d.:/,-]\d|\d)"
OF_YEAR = rf"(?:(?:,? (?:of )?|[/–-]){YEAR}| (?:of )?(?P<near>last|this|next) year\b)"
"""The year after what comes once a year: "March 2024", "Christmas last year"."""
COUNT = rf"(?P<count>\d{{1,4}}|{any_of(NUMBERS)}|half an?)"
UNITS = "minute hour day week fortnight month quarter year decade"
UNIT = rf"(?P<unit>{'|'.join(UNITS.split())})s?"
WHICH = r"(?P<which>last|past|previous|this|current|next|coming|following)"
FREE = r"(?<![\w.,/:$€£+-])"
"""Nothing that would make the number part of a price, a version or a phone number stands before it."""


@dataclass(frozen=True, slots=True)
class Told:
    """When and how a phrase was said."""

    now: datetime
    future: bool
    """Whether months, days and feasts without a year are the coming ones."""
    present: bool = False
    """Whether they are the running or coming ones where the present tense stands beside them."""


Rule = Callable[[re.Match[str], Told], Span | None]


def number(word: str) -> int:
    """The value of a number in digits or words."""
    lower = re.sub(r"\s+", " ", word.lower())
    return int(lower) if lower.isdecimal() else NUMBERS.get(lower, 0)


def amount(match: re.Match[str]) -> tuple[int, str]:
    """How many of which unit; halves are told in the next smaller one."""
    count, unit = match["count"].lower(), match["unit"].lower()
    many, unit = (2, "week") if unit == "fortnight" else (number(count), unit)
    if "half" in count:
        return HALVES.get(unit, (6, "month"))
    if match.groupdict().get("half") and unit == "year":
        return many * 12 + 6, "month"
    return many, unit


def relative_day(match: re.Match[str], told: Told) -> Span:
    away = {"yesterday": -1, "today": 0, "tomorrow": 1}[match["day_name"].lower()]
    return dates.day(told.now + (2 * away if match["beyond"] else away) * ONE_DAY)


def part_of_day(match: re.Match[str], told: Told) -> Span:
    """The morning, afternoon, evening or night of today; of yesterday with "last"."""
    midnight = dates.day(told.now)[0] - ONE_DAY * match[0].lower().startswith("last")
    first, last = DAY_PARTS[(match.groupdict().get("part") or "night").lower()]
    return midnight + timedelta(hours=first), midnight + timedelta(hours=last)


def step(which: str) -> int:
    """-1 for last, 0 for this, 1 for next."""
    lower = which.lower()
    return -1 if lower in ("last", "past", "previous") else 0 if lower in ("this", "current") else 1


def calendar_unit(match: re.Match[str], told: Told) -> Span:
    """Last month is the one before this; the last month, and the past month, go on until now."""
    many, unit = step(match["which"]), match["unit"].lower()
    if unit != "weekend" and _goes_on(match):
        return dates.exactly_back(told.now, 1, unit), told.now
    if unit == "week":
        return dates.week(told.now + 7 * many * ONE_DAY)
    if unit == "weekend":
        return dates.days(dates.week(told.now + 7 * many * ONE_DAY)[0] + 5 * ONE_DAY, 2)
    if unit == "quarter":
        return dates.quarter(dates.add_months(told.now, 3 * many))
    if unit == "decade":
        return dates.years(told.now.year // 10 * 10 + 10 * many, 10)
    if unit == "year":
        return dates.years(told.now.year + many)
    then = dates.add_months(told.now, many)
    return dates.months(then.year, then.month)


def _goes_on(match: re.Match[str]) -> bool:
    which = match["which"].lower()
    return which == "past" or (which == "last" and match.string[: match.start()].lower().endswith("the "))


def ago_or_ahead(match: re.Match[str], told: Told) -> Span:
    """ "two weeks ago", "three years and a month ago", "in two weeks"."""
    many, unit = amount(match)
    if months := match.groupdict().get("months"):
        many, unit = many * dates.MONTHS[unit] + number(months), "month"
    return dates.back(told.now, -many if match[0].lower().endswith("ago") else many, unit)


def coming_stretch(match: re.Match[str], told: Told) -> Span:
    many, unit = amount(match)
    return told.now, dates.back(told.now, many, unit)[0] if unit == "hour" else dates.exactly_back(
        told.now, -many, unit
    )


def end_of_unit(match: re.Match[str], told: Told) -> Span:
    units = {"week": dates.week(told.now), "quarter": dates.quarter(told.now), "year": dates.years(told.now.year)}
    return dates.third(units.get(match["unit"].lower(), dates.months(told.now.year, told.now.month)), 2)


def past_stretch(match: re.Match[str], told: Told) -> Span:
    many, unit = amount(match)
    return dates.exactly_back(told.now, many, unit), told.now


def weekday(match: re.Match[str], told: Told) -> Span:
    """Last: before today; next: of the next calendar week. Else after today, or before it in the past tense."""
    which = (match.groupdict().get("which") or "").lower()
    wanted, today = DAY_NUMBERS[match["weekday"].lower()] - 1, told.now.weekday()
    if which == "next" or which == "following":
        return dates.day(dates.week(told.now)[0] + (7 + wanted) * ONE_DAY)
    ahead = (wanted - today - 1) % 7 + 1
    before = (today - wanted - 1) % 7 + 1
    backward = step(which) < 0 if which else not told.future and in_past_tense(clause_around(match))
    return dates.day(told.now + (-before if backward else ahead) * ONE_DAY)


def looking(match: re.Match[str], told: Told) -> Told:
    """As told, but looking ahead where the clause does, "from June I'll work at Acme", and back where it is in the past
    tense; "since June" never looks ahead."""
    if match.string[: match.start()].lower().endswith(("since ", "since the ")):
        return Told(told.now, future=False)
    clause = clause_around(match)
    if told.future or in_future_tense(clause):
        return Told(told.now, future=True)
    now = told.present and in_present_tense(clause)
    return Told(told.now, future=False, present=now)


def year_in(match: re.Match[str], told: Told) -> int | None:
    """The year that is named with what comes once a year, if there is one."""
    groups = match.groupdict()
    if near := groups.get("near"):
        return told.now.year + step(near)
    return int(groups["year"]) if groups.get("year") else None


def once_a_year(span_in: Callable[[int], Span], match: re.Match[str], told: Told) -> Span:
    """The span in the year that is named with it, or in the one that its words and its clause let one mean."""
    if year := year_in(match, told):
        return span_in(year)
    return yearly(span_in, looking(match, told), match.groupdict().get("which"))


def month_name(match: re.Match[str], told: Told) -> Span:
    month = MONTH_NUMBERS[match["month"].lower()]
    return once_a_year(lambda year: dates.months(year, month), match, told)


def holiday(match: re.Match[str], told: Told) -> Span:
    month, number = HOLIDAYS[re.sub(r"\s+", " ", match["holiday"].lower().replace("’", "'"))]
    return once_a_year(lambda year: dates.day(datetime(year, month, number)), match, told)


def yearly(span_in: Callable[[int], Span], told: Told, which: str | None) -> Span:
    """What comes once a year: last means one that is over, this means of this year, next means one to come.

    In the present tense the running one counts too: "I'm on holiday in July", said in June or in July.
    """
    year = told.now.year
    if which and step(which) == 0:
        return span_in(year)
    spans = [span_in(near) for near in (year - 1, year, year + 1) if 1 <= near < 9999]
    if which and step(which) < 0:
        return [span for span in [span_in(year - 2), *spans] if span[1] <= told.now][-1]
    if which or told.future:
        return next(span for span in spans if span[0] > told.now)
    if told.present:
        return next(span for span in spans if span[1] > told.now)
    return [span for span in [span_in(year - 2), *spans] if span[0] <= told.now][-1]


def day_of_month(match: re.Match[str], told: Told) -> Span:
    """ "3 May", "May 3rd, 2024", "the first of September"."""
    month, nth = MONTH_NUMBERS[match["month"].lower()], match.groupdict().get("nth")
    number = ORDINALS.index(nth.lower()) + 1 if nth else int(match["day"])
    if (month, number) == (2, 29) and not year_in(match, told):
        return leap_day(told)
    return once_a_year(lambda year: dates.day(datetime(year, month, number)), match, told)


def leap_day(told: Told) -> Span:
    near = (year for year in range(told.now.year - 8, told.now.year + 9) if isleap(year))
    leap = [datetime(year, 2, 29) for year in near]
    coming = [date for date in leap if date > told.now]
    return dates.day(coming[0] if told.future else leap[-1 - len(coming)])


def year_part(match: re.Match[str], told: Told) -> Span:
    """The quarter, half or week of the year that is named with it; without one, of the latest or the coming year."""
    kind, nth = match["kind"][0].lower(), match["nth"].lower()
    if kind == "w":
        return week_of(year_in(match, told) or told.now.year, nth)
    many = 3 if kind == "q" else 6
    first = (numbered(nth, 12 // many) - 1) * many + 1
    return once_a_year(lambda year: dates.months(year, first, many), match, told)


def week_of(year: int, nth: str) -> Span:
    """The week of ISO 8601: the first of a year is that of its first Thursday, the last that of 28 December."""
    weeks = datetime(year, 12, 28).isocalendar().week
    return dates.week(datetime.fromisocalendar(year, numbered(nth, weeks), 1))


def numbered(word: str, parts: int) -> int:
    """Which of so many parts of a year a word means; an error where a year has no such part."""
    nth = parts if word == "last" else ORDINALS.index(word) + 1 if word in ORDINALS else int(word.rstrip("stndrh"))
    if not 1 <= nth <= parts:
        raise ValueError(f"a year has no part {nth} of {parts}")
    return nth


def iso_day(match: re.Match[str], told: Told) -> Span:
    return dates.day(datetime.fromisocalendar(int(match["year"]), int(match["week"]), int(match["nth"])))


def season(match: re.Match[str], told: Told) -> Span:
    month = SEASONS[match["season"].lower()]
    if following := match.groupdict().get("next"):
        return winter(int(match["year"]), following, month)
    return once_a_year(lambda year: dates.months(year, month, 3), match, told)


def winter(year: int, following: str, month: int) -> Span:
    """The one season that two years share: "winter 2023/24"; an error for any other."""
    if month != SEASONS["winter"] or not str(year + 1).endswith(following):
        raise ValueError(f"no season goes from {year} to {following}")
    return dates.months(year, month, 3)


def numeric_date(match: re.Match[str], told: Told) -> Span:
    """2024-03-05, 2024-03, 5.3.2024, and 3/5/2024 with the month first, as in the United States; 13/5 is no month."""
    year, month, day = int(match["year"]), int(match["month"]), match["day"]
    if day is None:
        return dates.months(year, month)
    if "/" in match[0] and month > 12:
        return dates.day(datetime(year, int(day), month))
    return dates.day(datetime(year, month, int(day)))


def whole_years(match: re.Match[str], told: Told) -> Span:
    first = int(match["year"])
    return dates.years(first, int(match.groupdict().get("last") or first) - first + 1)


def decade(match: re.Match[str], told: Told) -> Span:
    words = (match["tens"] or "").lower()
    tens = TENS.split().index(words.removesuffix("ies") + "y") * 10 + 20 if words else int(match["digits"])
    if tens >= 1000:
        return dates.years(tens, 10)
    century = 2000 if 2000 + tens <= told.now.year else 1900
    return dates.years(century + tens, 10)


def clock(match: re.Match[str], told: Told) -> Span | None:
    """A minute of today."""
    hour, minute = int(match["hour"] or match["hour24"] or 0), int(match["minute"] or match["minute24"] or 0)
    if match["half"] and not 1 <= hour <= 12:
        return None
    if match["half"]:
        hour = hour % 12 + (12 if match["half"].lower() == "p" else 0)
    elif match["named"]:
        hour = 12 if match["named"].lower() == "noon" else 0
    start = dates.day(told.now)[0] + timedelta(hours=hour, minutes=minute)
    return start, start + timedelta(minutes=1)
