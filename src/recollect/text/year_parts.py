"""Quarters, halves, weeks and seasons of a year for `when`, as ISO 8601, calendars and people write them."""

from __future__ import annotations

import re
from datetime import datetime

from recollect.text import calendar as dates
from recollect.text.calendar import Span
from recollect.text.time_phrases import (
    FREE,
    OF_YEAR,
    ORDINALS,
    WHICH,
    YEAR,
    Rule,
    Told,
    any_of,
    looking,
    year_in,
    yearly,
)

SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
"""The month each season of the northern half of the world begins with; a winter belongs to the year of its December."""
MONTHS_OF = {"q": 3, "h": 6}
"""How many months a quarter and a half have, by the first letter."""
_UNITS = "quarter|half(?:[ -]year)?|week"
_SEASON = rf"(?P<season>{any_of(SEASONS)})"
_NUMBERED = rf"(?P<kind>[QHW]|(?:{_UNITS}) )(?P<nth>\d\d?)"
_COUNTED = rf"(?P<nth>{'|'.join(ORDINALS)}|\d\d?(?:st|nd|rd|th)|last(?= [\w-]+ of )) (?P<kind>{_UNITS})"
_SHORT = r"(?-i:(?P<nth>\d)(?P<kind>[QH]))"


def year_part(match: re.Match[str], told: Told) -> Span:
    """The quarter, half or week of the year that is named with it; without one, of the latest or the coming year."""
    kind, nth, year = match["kind"][0].lower(), match["nth"].lower(), year_in(match, told)
    if kind == "w":
        return week_of(year or told.now.year, nth)
    many = MONTHS_OF[kind]
    first = (numbered(nth, 12 // many) - 1) * many + 1
    if year:
        return dates.months(year, first, many)
    return yearly(lambda year: dates.months(year, first, many), looking(match, told), None)


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
    month, groups = SEASONS[match["season"].lower()], match.groupdict()
    if following := groups.get("next"):
        return winter(int(match["year"]), following, month)
    if year := year_in(match, told):
        return dates.months(year, month, 3)
    return yearly(lambda year: dates.months(year, month, 3), looking(match, told), groups.get("which"))


def winter(year: int, following: str, month: int) -> Span:
    """The one season that two years share: "winter 2023/24"; an error for any other."""
    if month != SEASONS["winter"] or not str(year + 1).endswith(following):
        raise ValueError(f"no season goes from {year} to {following}")
    return dates.months(year, month, 3)


def beside_a_year(part: str, rule: Rule) -> tuple[tuple[str, Rule], ...]:
    """The part of a year after its year and before it: "2024-Q1", "Q1 of 2024", "last year's summer"."""
    year = rf"(?:{YEAR}(?:['’]s )?|(?P<near>last|this|next) year['’]s )"
    return (
        (rf"{FREE}{year}[ /–-]?{part}(?![\w-])", rule),
        (rf"\b(?:the )?{part}{OF_YEAR}", rule),
    )


STRONG: tuple[tuple[str, Rule], ...] = (
    *beside_a_year(_NUMBERED, year_part),
    *beside_a_year(_COUNTED, year_part),
    *beside_a_year(_SHORT, year_part),
    *beside_a_year(_SEASON, season),
    (rf"{FREE}(?P<year>[12]\d{{3}})-?W(?P<week>\d\d)-(?P<nth>\d)(?![\w-])", iso_day),
    (rf"\b{WHICH} {_SEASON}\b(?! year)", season),
    (rf"\b{_SEASON} (?:of )?(?P<year>[12]\d{{3}})[/–-](?P<next>\d{{2,4}})(?![\d-])", season),
)
WEAK: tuple[tuple[str, Rule], ...] = (
    (r"\b(?-i:(?P<kind>[QH]))(?P<nth>\d)\b(?! ?['’]?\d)", year_part),
    (rf"\b{_SEASON}\b(?! months?\b| (?-i:[A-Z])| ?['’]\d\d\b|[ /-]\d)", season),
)
NEEDED: dict[Rule, frozenset[str]] = {
    year_part: frozenset(("q", "h", "w", "quarter", "half", "week")),
    season: frozenset(SEASONS),
    iso_day: frozenset(("w",)),
}
"""As in `_phrases`."""
