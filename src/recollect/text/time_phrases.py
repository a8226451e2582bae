"""English phrases of time for `when`: tables of words, and rules that turn a match into a span of local time."""

from __future__ import annotations

import re
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


_MONTH = rf"(?P<month>{any_of(MONTH_NUMBERS)})\b(?:\.(?=\s*\d))?"
_DAY_NUMBER = r"(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?"
YEAR = r"(?P<year>[12]\d{3})(?![\d.:/,-]\d|\d)"
OF_YEAR = rf"(?:(?:,? (?:of )?|[/–-]){YEAR}| (?:of )?(?P<near>last|this|next) year\b)"
"""The year after what comes once a year: "March 2024", "Christmas last year"."""
COUNT = rf"(?P<count>\d{{1,4}}|{any_of(NUMBERS)}|half an?)"
UNITS = "minute hour day week fortnight month quarter year decade"
UNIT = rf"(?P<unit>{'|'.join(UNITS.split())})s?"
_WEEKDAY = rf"(?P<weekday>{any_of(DAY_NUMBERS)})\b"
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
    steps = {"yesterday": -1, "today": 0, "tomorrow": 1}
    words = match[0].lower()
    if words.startswith("the day"):
        return dates.day(told.now + (2 if words.endswith("tomorrow") else -2) * ONE_DAY)
    return dates.day(told.now + steps[words] * ONE_DAY)


def tonight(match: re.Match[str], told: Told) -> Span:
    night = told.now - ONE_DAY if match[0].lower().startswith("last") else told.now
    return day_part(dates.day(night), "night")


def day_part(span: Span, part: str) -> Span:
    """The morning, afternoon, evening or night of a day."""
    first, last = DAY_PARTS[part.lower()]
    return span[0] + timedelta(hours=first), span[0] + timedelta(hours=last)


def part_of_today(match: re.Match[str], told: Told) -> Span:
    return day_part(dates.day(told.now), match["part"])


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


def ago(match: re.Match[str], told: Told) -> Span:
    many, unit = amount(match)
    return dates.back(told.now, -many, unit)


def ahead(match: re.Match[str], told: Told) -> Span:
    many, unit = amount(match)
    return dates.back(told.now, many, unit)


def years_and_months_ago(match: re.Match[str], told: Told) -> Span:
    return dates.back(told.now, -12 * number(match["count"]) - number(match["months"]), "month")


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


def month_name(match: re.Match[str], told: Told) -> Span:
    month, which = MONTH_NUMBERS[match["month"].lower()], match.groupdict().get("which")
    return yearly(lambda year: dates.months(year, month), looking(match, told), which)


def year_in(match: re.Match[str], told: Told) -> int | None:
    """The year that is named with what comes once a year, if there is one."""
    groups = match.groupdict()
    if near := groups.get("near"):
        return told.now.year + step(near)
    return int(groups["year"]) if groups.get("year") else None


def holiday(match: re.Match[str], told: Told) -> Span:
    month, number = HOLIDAYS[re.sub(r"\s+", " ", match["holiday"].lower().replace("’", "'"))]
    if year := year_in(match, told):
        return dates.day(datetime(year, month, number))
    return yearly(lambda year: dates.day(datetime(year, month, number)), looking(match, told), match["which"])


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
    month, number = MONTH_NUMBERS[match["month"].lower()], int(match["day"])
    if year := year_in(match, told):
        return dates.day(datetime(year, month, number))
    if (month, number) == (2, 29):
        near = range(told.now.year - 8, told.now.year + 9)
        leap = [datetime(year, 2, 29) for year in near if year % 4 == 0 and (year % 100 or year % 400 == 0)]
        coming = [date for date in leap if date > told.now]
        return dates.day(coming[0] if told.future else leap[-1 - len(coming)])
    return yearly(lambda year: dates.day(datetime(year, month, number)), looking(match, told), None)


def nth_of_month(match: re.Match[str], told: Told) -> Span:
    """ "the first of September"."""
    month, number = MONTH_NUMBERS[match["month"].lower()], ORDINALS.index(match["nth"].lower()) + 1
    if year := year_in(match, told):
        return dates.day(datetime(year, month, number))
    return yearly(lambda year: dates.day(datetime(year, month, number)), looking(match, told), None)


def month_of_year(match: re.Match[str], told: Told) -> Span | None:
    year = year_in(match, told)
    return dates.months(year, MONTH_NUMBERS[match["month"].lower()]) if year else None


def iso(match: re.Match[str], told: Told) -> Span:
    year, month = int(match["year"]), int(match["month"])
    return dates.day(datetime(year, month, int(match["day"]))) if match["day"] else dates.months(year, month)


def slashed(match: re.Match[str], told: Told) -> Span:
    """Month first, as in the United States, unless that is no month."""
    first, second = int(match["first"]), int(match["second"])
    month, number = (second, first) if first > 12 else (first, second)
    return dates.day(datetime(int(match["year"]), month, number))


def dotted(match: re.Match[str], told: Told) -> Span:
    return dates.day(datetime(int(match["year"]), int(match["second"]), int(match["first"])))


def plain_year(match: re.Match[str], told: Told) -> Span:
    return dates.years(int(match["year"]))


def year_range(match: re.Match[str], told: Told) -> Span:
    return dates.years(int(match["first"]), int(match["last"]) - int(match["first"]) + 1)


def decade(match: re.Match[str], told: Told) -> Span:
    words = (match["tens"] or "").lower()
    tens = TENS.split().index(words.removesuffix("ies") + "y") * 10 + 20 if words else int(match["digits"])
    if tens >= 1000:
        return dates.years(tens, 10)
    century = 2000 if 2000 + tens <= told.now.year else 1900
    return dates.years(century + tens, 10)


_NEAR_PAST = r"(?:past|last|previous)"
STRETCH = rf"\b(?:{_NEAR_PAST}) {COUNT}[\s-]{UNIT}\b"
STRONG: tuple[tuple[str, Rule], ...] = (
    (r"\bthe day (?:before yesterday|after tomorrow)\b|\b(?:yesterday|today|tomorrow)\b", relative_day),
    (r"\b(?:last night|tonight)\b", tonight),
    (r"\bthis (?P<part>morning|afternoon|evening)\b", part_of_today),
    (rf"\b{WHICH} (?P<unit>week|weekend|month|year|quarter|decade)\b(?! (?:ago|old|of)\b)", calendar_unit),
    (rf"{FREE}{COUNT} {UNIT}(?P<half> and a half)? ago\b", ago),
    (rf"{FREE}{COUNT} years? and (?P<months>\d{{1,2}}|{any_of(NUMBERS)}) months? ago\b", years_and_months_ago),
    (rf"\b(?:in the |over the )?next {COUNT} {UNIT}\b", coming_stretch),
    (r"\b(?:at )?(?:the )?end of (?:the|this) (?P<unit>week|month|quarter|year)\b", end_of_unit),
    (rf"\bin (?:about |around )?{COUNT} {UNIT}(?P<half> and a half)?(?:'s|s')?(?: time)?\b(?! ago)", ahead),
    (rf"{FREE}{COUNT} {UNIT}(?P<half> and a half)? (?:from (?:now|today)|hence)\b", ahead),
    (rf"\b{WHICH} {_WEEKDAY}", weekday),
    (rf"\b{WHICH} {_MONTH}(?! {_DAY_NUMBER}\b)", month_name),
    (rf"\b(?:{WHICH} )?(?P<holiday>{any_of(HOLIDAYS)})\b(?:{OF_YEAR})?", holiday),
    (rf"\b(?:the )?{_DAY_NUMBER} (?:of )?{_MONTH}(?:{OF_YEAR})?", day_of_month),
    (rf"\bthe (?P<nth>{'|'.join(ORDINALS)}) of {_MONTH}(?:{OF_YEAR})?", nth_of_month),
    (rf"\b{_MONTH} (?:the )?{_DAY_NUMBER}\b(?!:)(?:{OF_YEAR})?", day_of_month),
    (rf"\b{_MONTH}{OF_YEAR}", month_of_year),
    (r"(?<![\w.,/:$€£+-])(?P<year>[12]\d{3})-(?P<month>0[1-9]|1[0-2])(?:-(?P<day>0[1-9]|[12]\d|3[01]))?(?![\d-])", iso),
    (rf"{FREE}(?P<first>1[89]\d\d|20\d\d)[-–](?P<last>1[89]\d\d|20\d\d)(?![\w-])", year_range),
    (rf"{FREE}(?P<first>\d{{1,2}})/(?P<second>\d{{1,2}})/(?P<year>[12]\d{{3}})(?![\d/])", slashed),
    (rf"{FREE}(?P<first>\d{{1,2}})\.\s?(?P<second>\d{{1,2}})\.\s?(?P<year>[12]\d{{3}})(?![\d.]\d|\d)", dotted),
    (rf"\bthe (?:(?P<digits>[12]\d\d0|\d0)'?s|(?P<tens>{'|'.join(t[:-1] + 'ies' for t in TENS.split())}))\b", decade),
)
"""Phrases that tell a time wherever they stand."""

WEAK: tuple[tuple[str, Rule], ...] = (
    (rf"(?:{FREE}|(?<=mid-))(?<!\d\s){YEAR}\b", plain_year),
    (rf"\b{_MONTH}(?! ?['’]\d\d\b)", month_name),
    (rf"\b{_WEEKDAY}(?! (?:morning|afternoon|evening|night)s\b)", weekday),
)
"""Words that tell a time only beside words such as `in`, `since` or `until`."""

CLOCK = (
    r"(?:\bat )?(?<![\d:.])(?P<hour>[01]?\d|2[0-3])(?:[:.](?P<minute>[0-5]\d))? ?(?P<half>[ap])\.?m\b\.?"
    r"|\bat (?P<hour24>[01]?\d|2[0-3]):(?P<minute24>[0-5]\d)(?![\d:])|\bat (?P<named>noon|midnight)\b"
)
DAY_PART = r"\b(?:in the |at )?(?P<part>morning|afternoon|evening|night)\b"


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


DIGIT = "0"
"""Stands for any number of up to four digits among the words of a text."""
_UNITS = frozenset(word + ending for word in UNITS.split() for ending in ("", "s"))
NEEDED: dict[Rule, frozenset[str]] = {
    relative_day: frozenset(("yesterday", "today", "tomorrow")),
    tonight: frozenset(("night", "tonight")),
    part_of_today: frozenset(DAY_PARTS),
    calendar_unit: _UNITS | {"weekend"},
    ago: frozenset(("ago",)),
    years_and_months_ago: frozenset(("ago",)),
    coming_stretch: frozenset(("next",)),
    past_stretch: frozenset(("past", "last", "previous")),
    end_of_unit: frozenset(("end",)),
    ahead: _UNITS,
    weekday: frozenset(DAY_NUMBERS),
    month_name: frozenset(MONTH_NUMBERS),
    month_of_year: frozenset(MONTH_NUMBERS),
    nth_of_month: frozenset(MONTH_NUMBERS),
    day_of_month: frozenset(MONTH_NUMBERS),
    holiday: frozenset(("christmas", "xmas", "new", "halloween", "valentine")),
    decade: frozenset((DIGIT, *(ten[:-1] + "ies" for ten in TENS.split()))),
    clock: frozenset((DIGIT, "noon", "midnight")),
    **dict.fromkeys((iso, slashed, dotted, plain_year, year_range), frozenset((DIGIT,))),
}
"""Words of which a text must have one for a rule to be worth a try: most texts have few of them."""

BESIDES: dict[str, frozenset[str]] = {
    rf"\b{WHICH} ": frozenset("last past previous this current next coming following".split()),
    UNIT: _UNITS,
    r"\bin (?:about ": frozenset(("in",)),
    "(?:from (?:now|today)|hence)": frozenset(("from", "hence")),
    " months? ago": frozenset(("month", "months")),
    "(?P<half>[ap])": frozenset(("am", "pm", "m", "at")),
}
"""Parts of shapes, with words of which a text must have one too where a shape has that part."""
