"""Words of time in a language other than English, by its table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from functools import lru_cache

from recollect.extractors.dates import Dated, bounds
from recollect.extractors.languages.table import Language, alternatives, filled, language, spread
from recollect.text import calendar
from recollect.text.dates import Relation, When

_NUMERIC = (
    (r"(?P<y>(?:19|20)\d\d)[-/](?P<mn>\d{1,2})[-/](?P<d>\d{1,2})", "date"),
    (r"(?P<d>\d{1,2})[./](?P<mn>\d{1,2})[./](?P<y>(?:19|20)\d\d)", "date"),
)
_LEADS: tuple[Relation, ...] = ("since", "until", "from")


@lru_cache(maxsize=8)
def shapes(code: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """The language's phrases of time, compiled, each with how it is understood."""
    time = language(code).time
    words = {
        "month": f"(?P<month>{'|'.join(longest_first(time['months']))})",
        "season": f"(?P<season>{'|'.join(longest_first(time.get('seasons', [])))})",
        "weekday": f"(?P<weekday>{'|'.join(longest_first(time['weekdays']))})",
        "d": rf"(?P<d>\d{{1,2}}{'|' + alternatives(spread(time['numbers'])) if time.get('days_in_words') else ''})",
        "y": r"(?P<y>(?:19|20)\d\d)",
        "n": rf"(?P<n>\d{{1,2}}|{alternatives(spread(time['numbers']))})",
        "unit": f"(?P<unit>{alternatives(spread(time['units']))})",
    }
    bound, gap = (r"\b", r"\s+") if language(code).space else ("", "")
    named = "|".join(f"(?P<{lead}>{time[lead]})" for lead in _LEADS if time.get(lead))
    before = f"(?:(?:{named}|(?P<on>{time['on']})){gap})" if time.get("on") else f"(?:{named})"
    after = "".join(f"(?P<{lead}_after>{time[f'{lead}_after']})?" for lead in _LEADS if f"{lead}_after" in time)
    found = []
    for text, how in (*_NUMERIC, *map(tuple, time["shapes"])):
        needed = "" if how == "year" and gap else "?"  # A bare number is a year only after "since" or "in".
        found.append((re.compile(f"{bound}{before}{needed}{filled(text, words)}{bound}{after}", re.IGNORECASE), how))
    return tuple(found)


def longest_first(alternates: list[str]) -> list[str]:
    return sorted((one for each in alternates for one in each.split("|")), key=len, reverse=True)


def dated(text: str, said: datetime, code: str) -> Dated:
    """The clause with its words of time taken out and understood, relative to when it was said."""
    whens = find(text, said, code)
    if not whens:
        return Dated(text)
    since, until = bounds(whens)
    rest = text
    for when in reversed(whens):
        space = language(code).space
        rest = f"{rest[: when.at[0]].rstrip(' ,，')}{space}{rest[when.at[1] :].lstrip(' ,，')}"
    return Dated(
        text=rest.strip(" ,，"),
        phrase=" ".join(when.text for when in whens),
        since=since,
        until=until,
        ahead=min((when.start for when in whens if when.relation != "until"), default=said) > said,
        long_ago=any(when.relation == "until" and when.start <= said for when in whens),
        bounded=all(when.relation == "during" for when in whens),
    )


def find(text: str, said: datetime, code: str) -> list[When]:
    """All times that a text tells, in order, none inside another."""
    found: list[When] = []
    for pattern, how in shapes(code):
        for match in pattern.finditer(text):
            if any(match.start() < when.at[1] and when.at[0] < match.end() for when in found):
                continue
            if span := understood(match, how, text, said, language(code)):
                found.append(span)
    return sorted(found, key=lambda when: when.at)


def understood(match: re.Match[str], how: str, text: str, said: datetime, table: Language) -> When | None:
    """The phrase as a range of time; None when there is no such date."""
    groups = {name: part for name, part in match.groupdict().items() if part}
    relation: Relation = next((lead for lead in _LEADS if lead in groups or f"{lead}_after" in groups), "during")
    coming = relation == "from" or table.marks["coming"].search(text) is not None
    if how in table.time.get("come", ("date", "weekday")) and not coming and relation != "since":
        coming = table.marks["former"].search(text) is None
    zone = said.tzinfo or timezone.utc
    now = said.replace(tzinfo=None)
    try:
        if how in ("month", "date") and groups.keys() & set(table.time.get("since_or_from", ())):
            coming = table.marks["coming"].search(text) is not None or is_nearer_ahead(groups, now, table.time)
        start, end = span_of(groups, how, now, coming, table.time)
    except (ValueError, OverflowError):
        return None
    if how == "for":
        relation = "since"
    begin, finish = (moment.replace(tzinfo=zone).astimezone(timezone.utc) for moment in (start, end))
    return When(begin, finish, match[0].strip(), match.span(), relation)


def span_of(
    groups: Mapping[str, str], how: str, now: datetime, coming: bool, time: Mapping[str, object]
) -> calendar.Span:
    if how in ("date", "month", "season"):
        return in_year(groups, now, coming, time)
    if how == "year":
        return calendar.years(int(groups["y"]))
    if how == "weekday":
        ahead = (place(groups["weekday"], time["weekdays"]) - 1 - now.weekday()) % 7 or 7
        return calendar.day(now + timedelta(days=ahead if coming else ahead - 7))
    if how in ("ago", "for", "in"):
        return counted(groups, how, now, time)
    unit, offset = how.split()
    return relative(now, unit, int(offset))


def relative(now: datetime, unit: str, offset: int) -> calendar.Span:
    """ "next week", "last year", "at the end of the month"."""
    if unit.endswith("-end"):
        return calendar.day(relative(now, unit.removesuffix("-end"), offset)[1] - timedelta(days=1))
    if unit == "day":
        return calendar.day(now + timedelta(days=offset))
    if unit == "week":
        return calendar.week(now + timedelta(days=7 * offset))
    if unit == "month":
        return calendar.months(now.year, now.month + offset)
    return calendar.years(now.year + offset)


def counted(groups: Mapping[str, str], how: str, now: datetime, time: Mapping[str, object]) -> calendar.Span:
    """ "three years ago", "for three years", "in two weeks"."""
    numbers, units = time["numbers"], time["units"]
    assert isinstance(numbers, dict)
    assert isinstance(units, dict)
    many = number(groups["n"], numbers)
    unit = spread(units)[groups["unit"].lower()]
    if how == "for":
        return calendar.day(calendar.exactly_back(now, many, unit))
    return calendar.back(now, -many if how == "ago" else many, unit)


def number(said: str, numbers: object) -> int:
    """A number in figures, or in the words of a table."""
    assert isinstance(numbers, dict)
    return int(spread(numbers).get(said.lower(), said))


def is_nearer_ahead(groups: Mapping[str, str], now: datetime, time: Mapping[str, object]) -> bool:
    """Whether the coming one of such months is nearer than the last: "从六月起" is said of both."""
    (ahead, _), (back, _) = (in_year(groups, now, coming, time) for coming in (True, False))
    return abs(ahead - now) < abs(now - back)


def in_year(groups: Mapping[str, str], now: datetime, coming: bool, time: Mapping[str, object]) -> calendar.Span:
    """A day or a month; without a year it is the latest one, or the coming one."""
    day = number(groups["d"], time["numbers"]) if "d" in groups else 0
    if "season" in groups:
        month = 3 * place(groups["season"], time["seasons"])
    else:
        month = int(groups["mn"]) if "mn" in groups else place(groups["month"], time["months"])

    def span(year: int) -> calendar.Span:
        if "season" in groups:
            return calendar.months(year, month, 3)
        return calendar.day(datetime(year, month, day)) if day else calendar.months(year, month)

    if "y" in groups:
        return span(int(groups["y"]))
    start, end = span(now.year)
    if coming:
        return (start, end) if end > now else span(now.year + 1)
    return (start, end) if start <= now else span(now.year - 1)


def place(word: str, names: object) -> int:
    """Which of the names a word is, from 1 on."""
    assert isinstance(names, list)
    return next(i for i, name in enumerate(names, 1) if re.fullmatch(name, word, re.IGNORECASE))
