"""Quarters, halves, weeks and seasons of a year for `when`, as ISO 8601, calendars and people write them."""

from __future__ import annotations

import re
from datetime import datetime

from recollect.text import calendar as dates
from recollect.text.calendar import Span
from recollect.text.time_phrases import FREE, WHICH, YEAR, Rule, Told, any_of, looking, step, yearly

SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
"""The month each season of the northern half of the world begins with; a winter belongs to the year of its December."""
NTH = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}
OF_YEAR = rf"(?:{YEAR}|(?P<which>last|this|next) year\b)"


def year_part(match: re.Match[str], told: Told) -> Span:
    """The quarter or half of the year that is named with it; without one, of the latest or the coming year."""
    found = match.groupdict()
    months = 3 if match["kind"].lower() in ("q", "quarter") else 6
    nth = numbered(match["nth"].lower(), 12 // months)
    if found.get("year"):
        return dates.months(int(match["year"]), (nth - 1) * months + 1, months)
    if found.get("which"):
        return dates.months(told.now.year + step(match["which"]), (nth - 1) * months + 1, months)
    return yearly(lambda year: dates.months(year, (nth - 1) * months + 1, months), looking(match, told), None)


def numbered(word: str, parts: int) -> int:
    """Which of so many parts of a year a word means; an error where a year has no such part."""
    nth = parts if word == "last" else NTH.get(word) or int(word)
    if not 1 <= nth <= parts:
        raise ValueError(f"a year has no part {nth} of {parts}")
    return nth


def iso_week(match: re.Match[str], told: Told) -> Span:
    """The week of ISO 8601, or its day: the first week of a year is that of its first Thursday."""
    year, week, nth = int(match["year"]), int(match["week"]), match.groupdict().get("nth")
    if nth:
        return dates.day(datetime.fromisocalendar(year, week, int(nth)))
    return dates.week(datetime.fromisocalendar(year, week, 1))


def season(match: re.Match[str], told: Told) -> Span:
    month, groups = SEASONS[match["season"].lower()], match.groupdict()
    if following := groups.get("next"):
        return winter(int(match["year"]), following, month)
    if groups.get("year"):
        return dates.months(int(groups["year"]), month, 3)
    return yearly(lambda year: dates.months(year, month, 3), looking(match, told), groups.get("which"))


def winter(year: int, following: str, month: int) -> Span:
    """The one season that two years share: "winter 2023/24"; an error for any other."""
    if month != SEASONS["winter"] or not str(year + 1).endswith(following):
        raise ValueError(f"no season goes from {year} to {following}")
    return dates.months(year, month, 3)


STRONG: tuple[tuple[str, Rule], ...] = (
    (rf"{FREE}(?P<year>[12]\d{{3}})(?: |/|-)?(?P<kind>[QH])(?P<nth>\d)(?![\w-])", year_part),
    (rf"\b(?P<kind>[QH])(?P<nth>\d)(?:[/-]|,? (?:of )?){YEAR}", year_part),
    (rf"\b(?:the )?(?P<nth>{'|'.join((*NTH, 'last'))}) (?P<kind>quarter|half),? (?:of )?{OF_YEAR}", year_part),
    (rf"{FREE}(?P<year>[12]\d{{3}})-?W(?P<week>\d\d)(?:-(?P<nth>\d))?(?![\w-])", iso_week),
    (rf"\b(?:week |W)(?P<week>\d\d?),? (?:of )?{YEAR}", iso_week),
    (rf"\b{WHICH} (?P<season>{any_of(SEASONS)})\b", season),
    (rf"\b(?P<season>{any_of(SEASONS)}) (?:of )?(?P<year>[12]\d{{3}})(?:[/–-](?P<next>\d{{2,4}}))?(?![\d-])", season),
    (rf"{FREE}(?P<year>[12]\d{{3}})(?: |-)(?P<season>{any_of(SEASONS)})\b", season),
)
WEAK: tuple[tuple[str, Rule], ...] = (
    (r"\b(?-i:(?P<kind>[QH]))(?P<nth>\d)\b(?! ?['’]?\d)", year_part),
    (rf"\b(?P<season>{any_of(SEASONS)})\b(?! months?\b| (?-i:[A-Z])| ?['’]\d\d\b|[ /-]\d)", season),
)
NEEDED: dict[Rule, frozenset[str]] = {
    year_part: frozenset(("q", "h", "quarter", "half")),
    season: frozenset(SEASONS),
    iso_week: frozenset(("w", "week")),
}
"""As in `_phrases`."""
