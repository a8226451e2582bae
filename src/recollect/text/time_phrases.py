"""Phrases of time: one table of rows, each with a shape and the rule that turns its match into a span of local time."""

from __future__ import annotations

import re
from calendar import isleap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from recollect.text import read_toml
from recollect.text.calendar import DAY, MONTHS, Span, days, months, shifted, third, unit_around

# Words

MONTH_NAMES = (
    "january jan, february feb, march mar, april apr, may, june jun, july jul, august aug, september sept sep, "
    "october oct, november nov, december dec"
)
DAY_NAMES = "monday mon, tuesday tues tue, wednesday wed, thursday thurs thur thu, friday fri, saturday sat, sunday sun"
ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
UNITS = "minute hour day week fortnight month quarter year decade".split()
HOLIDAYS = {
    "christmas eve": (12, 24), "christmas day": (12, 25), "christmas": (12, 25), "xmas": (12, 25),
    "new year's eve": (12, 31), "new years eve": (12, 31), "new year's day": (1, 1), "new year's": (1, 1),
    "halloween": (10, 31), "valentine's day": (2, 14),
}  # fmt: skip
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
"""The month each season of the northern half of the world begins with; a winter belongs to the year of its December."""
HALVES = {"hour": (30, "minute"), "day": (12, "hour"), "week": (3, "day"), "month": (15, "day"), "decade": (5, "year")}
DAY_PARTS = {"morning": (5, 12), "afternoon": (12, 18), "evening": (18, 23), "night": (18, 30)}
"""First hour and hour after the last; a night goes on to 6 in the morning."""
MONTH_NUMBERS, DAY_NUMBERS = (
    {name: place for place, group in enumerate(names.split(","), 1) for name in group.split()}
    for names in (MONTH_NAMES, DAY_NAMES)
)
VAGUE = {"a": 1, "an": 1, "a couple of": 2, "couple of": 2, "a couple": 2, "a few": 3, "few": 3, "several": 3}
NUMBERS = {word: number for number, word in enumerate(ONES)} | {ten: 10 * at for at, ten in enumerate(TENS, 2)}
NUMBERS |= {
    f"{ten}{joint}{one}": NUMBERS[ten] + NUMBERS[one] for ten in TENS for one in ONES[1:10] for joint in "- "
} | VAGUE

# The tense of the clause around a time, which tells whether "in July" looks back or ahead

PAST = (
    r"\b(?:was|were|been|had|did|didn't|went|met|saw|got|came|bought|made|left|took|gave|told|began|since|quit|sold|broke|split|"
    r"lost|flew|drove|ran|won|wrote|said|sent|paid|found|became|built|chose|fell|felt|heard|kept|spent|taught|thought|woke|"
    r"threw|tore|wound|brought|(?:i|we|they|he|she) (?:just |finally )?(?:shut|cut|put|set|hit|let)|"
    r"(?<!\bam )(?<!\bis )(?<!\bare )(?<!\bbe )(?<!['’]m )(?<!['’]re )[a-z]{2,}ed)\b"
)
PRESENT = r"\b(?:am|is|are|do|does|has|have|i|we|he|she|they|it|you)\b|['’](?:m|re|s)\b"
FUTURE = r"\b(?:will|won't|going to|gonna|planning to|plan to|about to)\b|\w['’]ll\b"


def in_past_tense(clause: str) -> bool:
    """Whether a verb in the past tense stands in a clause, which is in lower case."""
    return re.search(PAST, clause) is not None


def in_future_tense(clause: str) -> bool:
    """Whether a verb that looks ahead stands in a clause, which is in lower case."""
    return re.search(FUTURE, clause) is not None


# Rules

Rule = Callable[["Phrase"], Span | None]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase that was found in a text, and when and how it was said."""

    match: re.Match[str]
    now: datetime
    future: bool
    """Whether months, days and feasts without a year are the coming ones."""
    present: bool
    """Whether they are the running or coming ones where the present tense stands beside them."""

    def __getitem__(self, group: str) -> str:
        """The words of a group in lower case; empty where the phrase has none."""
        return " ".join((self.match.groupdict().get(group) or "").lower().split())

    @property
    def before(self) -> str:
        """The text before it, in lower case."""
        return self.match.string[: self.match.start()].lower()

    @property
    def clause(self) -> str:
        """The words around it, up to the next comma, stop, `and` or `but`."""
        breaks = r"[.,;!?\n]|\b(?:and|but)\b"
        after = self.match.string[self.match.end() : self.match.end() + 80].lower()
        return f"{re.split(breaks, self.before[-80:])[-1]} {re.split(breaks, after)[0]}"

    @property
    def year(self) -> int | None:
        """The year that is named with what comes once a year, if there is one."""
        if near := self["near"]:
            return self.now.year + step(near)
        return int(self["year"]) if self["year"] else None


def value_of_number(word: str) -> int:
    """The value of a number in digits or words."""
    return int(word) if word.isdecimal() else NUMBERS.get(word, 0)


def step(which: str) -> int:
    """-1 for last, 0 for this, 1 for next."""
    return -1 if which in ("last", "past", "previous") else 0 if which in ("this", "current") else 1


def amount(phrase: Phrase) -> tuple[int, str]:
    """How many of which unit; halves are told in the next smaller one."""
    count, unit = phrase["count"], phrase["unit"]
    many, unit = (2, "week") if unit == "fortnight" else (value_of_number(count), unit)
    if "half" in count:
        return HALVES.get(unit, (6, "month"))
    return (many * 12 + 6, "month") if phrase["half"] and unit == "year" else (many, unit)


def exactly(now: datetime, many: int, unit: str) -> datetime:
    """The moment so many units from now, the day where the unit is a day or longer."""
    then = shifted(now, many, unit)
    return then if unit in ("minute", "hour") else days(then)[0]


def relative_day(phrase: Phrase) -> Span:
    away = {"yesterday": -1, "today": 0, "tomorrow": 1}[phrase["day_name"]]
    return days(phrase.now + (2 * away if phrase["beyond"] else away) * DAY)


def part_of_day(phrase: Phrase) -> Span:
    """The morning, afternoon, evening or night of today; of yesterday with "last"."""
    midnight = days(phrase.now)[0] - DAY * phrase.match[0].lower().startswith("last")
    first, last = DAY_PARTS[phrase["part"] or "night"]
    return midnight + timedelta(hours=first), midnight + timedelta(hours=last)


def calendar_unit(phrase: Phrase) -> Span:
    """Last month is the one before this; the last month, and the past month, go on until now."""
    which, unit = phrase["which"], phrase["unit"]
    goes_on = which == "past" or (which == "last" and phrase.before.endswith("the "))
    if goes_on and unit != "weekend":
        return exactly(phrase.now, -1, unit), phrase.now
    return unit_around(shifted(phrase.now, step(which), unit), unit)


def ago_or_ahead(phrase: Phrase) -> Span:
    """ "two weeks ago", "three years and a month ago", "in two weeks": as coarse as the unit lets one mean it.

    Days give that day, weeks that week, months that month; years give a month too, because the order of two
    events in neighbouring years must not depend on where in its year each is placed.
    """
    many, unit = amount(phrase)
    if more := phrase["months"]:
        many, unit = many * MONTHS[unit] + value_of_number(more), "month"
    ago = phrase.match[0].lower().endswith("ago")
    meant = {"quarter": "month", "year": "month", "decade": "year"}.get(unit, unit)
    return unit_around(shifted(phrase.now, -many if ago else many, unit), meant)


def coming_stretch(phrase: Phrase) -> Span:
    return phrase.now, exactly(phrase.now, *amount(phrase))


def past_stretch(phrase: Phrase) -> Span:
    many, unit = amount(phrase)
    return exactly(phrase.now, -many, unit), phrase.now


def end_of_unit(phrase: Phrase) -> Span:
    return third(unit_around(phrase.now, phrase["unit"]), 2)


def weekday(phrase: Phrase) -> Span:
    """Last: before today; next: of the next calendar week. Else after today, or before it in the past tense."""
    which, wanted, today = phrase["which"], DAY_NUMBERS[phrase["weekday"]] - 1, phrase.now.weekday()
    if which in ("next", "following"):
        return days(phrase.now + (7 + wanted - today) * DAY)
    backward = step(which) < 0 if which else not phrase.future and in_past_tense(phrase.clause)
    return days(phrase.now + (-((today - wanted - 1) % 7 + 1) if backward else (wanted - today - 1) % 7 + 1) * DAY)


def once_a_year(span_in: Callable[[int], Span], phrase: Phrase) -> Span:
    """The span in the year that is named with it, or in the one that its words and its clause let one mean: last is
    one that is over, this is of this year, next is one to come, and without such a word it is the latest that began.

    A clause that looks ahead means one to come: "from June I'll work at Acme"; "since June" never looks ahead. In the
    present tense the running one counts too: "I'm on holiday in July", said in June or in July.
    """
    if phrase.year:
        return span_in(phrase.year)
    which, now = phrase["which"], phrase.now
    if which and step(which) == 0:
        return span_in(now.year)
    spans = [span_in(year) for year in range(now.year - 2, now.year + 2) if 1 <= year < 9999]
    if which and step(which) < 0:
        return [span for span in spans if span[1] <= now][-1]
    clause, since = phrase.clause, phrase.before.endswith(("since ", "since the "))
    if which or (not since and (phrase.future or in_future_tense(clause))):
        return next(span for span in spans if span[0] > now)
    if phrase.present and not since and re.search(PRESENT, clause) and not in_past_tense(clause):
        return next(span for span in spans if span[1] > now)
    return [span for span in spans if span[0] <= now][-1]


def month_name(phrase: Phrase) -> Span:
    return once_a_year(lambda year: months(year, MONTH_NUMBERS[phrase["month"]]), phrase)


def holiday(phrase: Phrase) -> Span:
    month, day = HOLIDAYS[phrase["holiday"].replace("’", "'")]
    return once_a_year(lambda year: days(datetime(year, month, day)), phrase)


def day_of_month(phrase: Phrase) -> Span:
    """ "3 May", "May 3rd, 2024", "the first of September"; a leap day without a year is the one of a leap year."""
    month, nth, now = MONTH_NUMBERS[phrase["month"]], phrase["nth"], phrase.now
    day = ORDINALS.index(nth) + 1 if nth else int(phrase["day"])
    if (month, day) != (2, 29) or phrase.year:
        return once_a_year(lambda year: days(datetime(year, month, day)), phrase)
    leap = [datetime(year, 2, 29) for year in range(now.year - 8, now.year + 9) if isleap(year)]
    coming = [one for one in leap if one > now]
    return days(coming[0] if phrase.future else leap[-1 - len(coming)])


def year_part(phrase: Phrase) -> Span:
    """The quarter, half or week of the year that is named with it; without one, of the latest or the coming year.

    Weeks are those of ISO 8601: the first of a year is that of its first Thursday, the last that of 28 December.
    """
    kind, nth, year = phrase["kind"][0], phrase["nth"], phrase.year or phrase.now.year
    parts = {"q": 4, "h": 2}.get(kind) or datetime(year, 12, 28).isocalendar().week
    place = parts if nth == "last" else ORDINALS.index(nth) + 1 if nth in ORDINALS else int(nth.rstrip("stndrh"))
    if not 1 <= place <= parts:
        raise ValueError(f"a year has no part {place} of {parts}")
    if kind == "w":
        return unit_around(datetime.fromisocalendar(year, place, 1), "week")
    many = 12 // parts
    return once_a_year(lambda year: months(year, (place - 1) * many + 1, many), phrase)


def season(phrase: Phrase) -> Span:
    """ "summer 2023", and the one season that two years share: "winter 2023/24"."""
    month, following = SEASONS[phrase["season"]], phrase["next"]
    if following and (month != SEASONS["winter"] or not str(int(phrase["year"]) + 1).endswith(following)):
        raise ValueError(f"no season goes from {phrase['year']} to {following}")
    return once_a_year(lambda year: months(year, month, 3), phrase)


def iso_day(phrase: Phrase) -> Span:
    return days(datetime.fromisocalendar(*(int(phrase[part]) for part in ("year", "week", "nth"))))


def numeric_date(phrase: Phrase) -> Span:
    """2024-03-05, 2024-03, 5.3.2024, and 3/5/2024 with the month first, as in the United States; 13/5 is no month."""
    year, month = int(phrase["year"]), int(phrase["month"])
    if not phrase["day"]:
        return months(year, month)
    day = int(phrase["day"])
    month, day = (day, month) if "/" in phrase.match[0] and month > 12 else (month, day)
    return days(datetime(year, month, day))


def whole_years(phrase: Phrase) -> Span:
    first = int(phrase["year"])
    return months(first, 1, 12 * (int(phrase["last"] or first) - first + 1))


def decade(phrase: Phrase) -> Span:
    """ "the 1990s", "the 90s", "the nineties"; two digits are of this century where it has got so far."""
    tens = phrase["tens"]
    first = TENS.index(tens.removesuffix("ies") + "y") * 10 + 20 if tens else int(phrase["digits"])
    if first < 1000:
        first += 2000 if 2000 + first <= phrase.now.year else 1900
    return months(first, 1, 120)


def clock(phrase: Phrase) -> Span | None:
    """A minute of today."""
    hour, minute = int(phrase["hour"] or phrase["hour24"] or 0), int(phrase["minute"] or phrase["minute24"] or 0)
    if phrase["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if phrase["half"] == "p" else 0)
    elif phrase["named"] == "noon":
        hour = 12
    start = days(phrase.now)[0] + timedelta(hours=hour, minutes=minute)
    return start, start + timedelta(minutes=1)


RULES: dict[str, Rule] = {
    rule.__name__: rule
    for rule in (
        relative_day, part_of_day, calendar_unit, ago_or_ahead, coming_stretch, past_stretch, end_of_unit, weekday,
        month_name, holiday, day_of_month, year_part, season, iso_day, numeric_date, whole_years, decade, clock,
    )
}  # fmt: skip
ONCE_A_YEAR = frozenset((month_name, day_of_month, holiday, year_part, season))
"""The rules of what comes once a year."""

# Shapes


class PhraseRow(NamedTuple):
    """One shape of a phrase, in a text that has a word of each of these groups."""

    kind: str
    groups: tuple[frozenset[str], ...]
    shape: str
    rule: Rule


class PhraseTable(NamedTuple):
    """What time_phrases.toml says."""

    rows: tuple[PhraseRow, ...]
    stretch: str
    """The shape of "have lived here for three years"."""
    timely: frozenset[str]
    """Without one of these words a text tells no time."""
    needed: frozenset[str]
    """All the words that rows look for."""


@lru_cache(maxsize=1)
def phrase_table() -> PhraseTable:
    """The phrases as shipped, read once."""
    given = read_toml(Path(__file__).with_name("time_phrases.toml"))
    names: dict[str, Iterable[str]] = {
        "months": MONTH_NUMBERS, "weekdays": DAY_NUMBERS, "day_parts": DAY_PARTS, "seasons": SEASONS,
        "holidays": HOLIDAYS, "numbers": NUMBERS, "ordinals": ORDINALS, "units": UNITS,
        "decades": [ten[:-1] + "ies" for ten in TENS],
    }  # fmt: skip
    needs = {name: " ".join(words) for name, words in names.items()} | given["words"]
    parts = {name: "|".join(sorted(words, key=len, reverse=True)) for name, words in names.items()} | given["parts"]
    rows = list[PhraseRow]()
    for kind, needed, shape, rule in given["shapes"]["all"]:
        groups = tuple(frozenset(group.split()) for group in filled(needed, needs).split("+"))
        rows.append(PhraseRow(kind, groups, filled(shape, parts), RULES[rule]))
    stretch = filled(parts["for_a_stretch"], parts)
    timely = frozenset[str]().union(*(row.groups[0] for row in rows))
    return PhraseTable(tuple(rows), stretch, timely, timely.union(*(group for row in rows for group in row.groups)))


def filled(text: str, parts: Mapping[str, str]) -> str:
    """The text with the names in braces replaced by what they stand for."""
    while (full := re.sub(r"\{([a-z_]+)\}", lambda name: parts[name[1]], text)) != text:
        text = full
    return text
