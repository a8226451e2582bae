"""Phrases of time: one table of rows, each with a shape and the rule that turns its match into a span of local time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from recollect.text import time_rules as rules
from recollect.text.time_rules import (
    COUNT,
    DAY_NUMBERS,
    DAY_PARTS,
    FREE,
    HOLIDAYS,
    MONTH_NUMBERS,
    NUMBERS,
    OF_YEAR,
    ORDINALS,
    SEASONS,
    TENS,
    UNIT,
    UNITS,
    WHICH,
    YEAR,
    Rule,
    any_of,
)

DIGIT = "0"
"""Stands for any number of up to four digits among the words of a text."""
_DECADES = " ".join(ten[:-1] + "ies" for ten in TENS.split())
_UNITS = " ".join(word + ending for word in UNITS.split() for ending in ("", "s"))
_MONTHS, _DAYS, _PARTS, _SEASON_NAMES = (" ".join(names) for names in (MONTH_NUMBERS, DAY_NUMBERS, DAY_PARTS, SEASONS))
_NEAR = "last past previous this current next coming following"
_FEASTS = "christmas xmas new halloween valentine"
_IN_YEAR = "q h w quarter half week"

Kind = Literal["strong", "weak", "stretch", "clock", "part"]
"""Strong phrases tell a time wherever they stand, weak ones only beside words such as `in`, `since` or `until`."""


@dataclass(frozen=True, slots=True)
class Row:
    """One shape of a phrase. A text must have a word of each group of `needs` (groups are set apart by `+`): most texts
    have few of these words, and few shapes are ever compiled."""

    kind: Kind
    needs: str
    shape: str
    rule: Rule

    @property
    def groups(self) -> list[frozenset[str]]:
        return [frozenset(group.split()) for group in self.needs.split("+")]


def beside_a_year(needs: str, part: str, rule: Rule) -> tuple[Row, Row]:
    """The part of a year after its year and before it: "2024-Q1", "Q1 of 2024", "last year's summer"."""
    year = rf"(?:{YEAR}(?:['’]s )?|(?P<near>last|this|next) year['’]s )"
    return (
        Row("strong", needs, rf"{FREE}{year}[ /–-]?{part}(?![\w-])", rule),
        Row("strong", needs, rf"\b(?:the )?{part}{OF_YEAR}", rule),
    )


_MONTH = rf"(?P<month>{any_of(MONTH_NUMBERS)})\b(?:\.(?=\s*\d))?"
_DAY_NUMBER = r"(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?"
_WEEKDAY = rf"(?P<weekday>{any_of(DAY_NUMBERS)})\b"
_PART_UNITS = "quarter|half(?:[ -]year)?|week"
_SEASON = rf"(?P<season>{any_of(SEASONS)})"
_NUMBERED = rf"(?P<kind>[QHW]|(?:{_PART_UNITS}) )(?P<nth>\d\d?)"
_COUNTED = rf"(?P<nth>{'|'.join(ORDINALS)}|\d\d?(?:st|nd|rd|th)|last(?= [\w-]+ of )) (?P<kind>{_PART_UNITS})"
_SHORT = r"(?-i:(?P<nth>\d)(?P<kind>[QH]))"
_CLOCK = (
    r"(?:\bat )?(?<![\d:.])(?P<hour>[01]?\d|2[0-3])(?:[:.](?P<minute>[0-5]\d))? ?(?P<half>[ap])\.?m\b\.?"
    r"|\bat (?P<hour24>[01]?\d|2[0-3]):(?P<minute24>[0-5]\d)(?![\d:])|\bat (?P<named>noon|midnight)\b"
)
_RELATIVE_DAY = (
    r"\b(?P<beyond>the day (?:before(?= yesterday)|after(?= tomorrow)) )?(?P<day_name>yesterday|today|tomorrow)\b"
)
_CALENDAR_UNIT = rf"\b{WHICH} (?P<unit>week|weekend|month|year|quarter|decade)\b(?! (?:ago|old|of)\b)"
_MANY = rf"{FREE}{COUNT} {UNIT}(?P<half> and a half)?"
_IN_SOME = rf"\bin (?:about |around )?{COUNT} {UNIT}(?P<half> and a half)?(?:'s|s')?(?: time)?\b(?! ago)"
_YEARS_AND_MONTHS = rf"{FREE}{COUNT} (?P<unit>year)s? and (?P<months>\d{{1,2}}|{any_of(NUMBERS)}) months? ago\b"
_ISO_DATE = rf"{FREE}(?P<year>[12]\d{{3}})-(?P<month>0[1-9]|1[0-2])(?:-(?P<day>0[1-9]|[12]\d|3[01]))?(?![\d-])"
_SLASHED = rf"{FREE}(?P<month>\d{{1,2}})/(?P<day>\d{{1,2}})/(?P<year>[12]\d{{3}})(?![\d/])"
_DOTTED = rf"{FREE}(?P<day>\d{{1,2}})\.\s?(?P<month>\d{{1,2}})\.\s?(?P<year>[12]\d{{3}})(?![\d.]\d|\d)"
_DECADE = rf"\bthe (?:(?P<digits>[12]\d\d0|\d0)'?s|(?P<tens>{_DECADES.replace(' ', '|')}))\b"
_TWO_YEARS = rf"\b{_SEASON} (?:of )?(?P<year>[12]\d{{3}})[/–-](?P<next>\d{{2,4}})(?![\d-])"
ROWS: tuple[Row, ...] = (
    Row("strong", "yesterday today tomorrow", _RELATIVE_DAY, rules.relative_day),
    Row("strong", "night tonight", r"\b(?:last night|tonight)\b", rules.part_of_day),
    Row("strong", f"{_PARTS} + this", r"\bthis (?P<part>morning|afternoon|evening)\b", rules.part_of_day),
    Row("strong", f"{_UNITS} weekend + {_NEAR}", _CALENDAR_UNIT, rules.calendar_unit),
    Row("strong", f"ago + {_UNITS}", rf"{_MANY} ago\b", rules.ago_or_ahead),
    Row("strong", "ago + month months", _YEARS_AND_MONTHS, rules.ago_or_ahead),
    Row("strong", f"next + {_UNITS}", rf"\b(?:in the |over the )?next {COUNT} {UNIT}\b", rules.coming_stretch),
    Row(
        "strong",
        "end",
        r"\b(?:at )?(?:the )?end of (?:the|this) (?P<unit>week|month|quarter|year)\b",
        rules.end_of_unit,
    ),
    Row("strong", f"in + {_UNITS}", _IN_SOME, rules.ago_or_ahead),
    Row("strong", f"from hence + {_UNITS}", rf"{_MANY} (?:from (?:now|today)|hence)\b", rules.ago_or_ahead),
    Row("strong", f"{_DAYS} + {_NEAR}", rf"\b{WHICH} {_WEEKDAY}", rules.weekday),
    Row("strong", f"{_MONTHS} + {_NEAR}", rf"\b{WHICH} {_MONTH}(?! {_DAY_NUMBER}\b)", rules.month_name),
    Row("strong", _FEASTS, rf"\b(?:{WHICH} )?(?P<holiday>{any_of(HOLIDAYS)})\b(?:{OF_YEAR})?", rules.holiday),
    Row("strong", _MONTHS, rf"\b(?:the )?{_DAY_NUMBER} (?:of )?{_MONTH}(?:{OF_YEAR})?", rules.day_of_month),
    Row("strong", _MONTHS, rf"\bthe (?P<nth>{'|'.join(ORDINALS)}) of {_MONTH}(?:{OF_YEAR})?", rules.day_of_month),
    Row("strong", _MONTHS, rf"\b{_MONTH} (?:the )?{_DAY_NUMBER}\b(?!:)(?:{OF_YEAR})?", rules.day_of_month),
    Row("strong", _MONTHS, rf"\b{_MONTH}{OF_YEAR}", rules.month_name),
    Row("strong", DIGIT, _ISO_DATE, rules.numeric_date),
    Row("strong", DIGIT, _SLASHED, rules.numeric_date),
    Row("strong", DIGIT, _DOTTED, rules.numeric_date),
    Row(
        "strong", DIGIT, rf"{FREE}(?P<year>1[89]\d\d|20\d\d)[-–](?P<last>1[89]\d\d|20\d\d)(?![\w-])", rules.whole_years
    ),
    Row("strong", f"{DIGIT} {_DECADES}", _DECADE, rules.decade),
    *beside_a_year(_IN_YEAR, _NUMBERED, rules.year_part),
    *beside_a_year(_IN_YEAR, _COUNTED, rules.year_part),
    *beside_a_year(_IN_YEAR, _SHORT, rules.year_part),
    *beside_a_year(_SEASON_NAMES, _SEASON, rules.season),
    Row("strong", "w", rf"{FREE}(?P<year>[12]\d{{3}})-?W(?P<week>\d\d)-(?P<nth>\d)(?![\w-])", rules.iso_day),
    Row("strong", f"{_SEASON_NAMES} + {_NEAR}", rf"\b{WHICH} {_SEASON}\b(?! year)", rules.season),
    Row("strong", _SEASON_NAMES, _TWO_YEARS, rules.season),
    Row("weak", DIGIT, rf"(?:{FREE}|(?<=mid-))(?<!\d\s){YEAR}\b", rules.whole_years),
    Row("weak", _MONTHS, rf"\b{_MONTH}(?! ?['’]\d\d\b)", rules.month_name),
    Row("weak", _DAYS, rf"\b{_WEEKDAY}(?! (?:morning|afternoon|evening|night)s\b)", rules.weekday),
    Row("weak", _IN_YEAR, r"\b(?-i:(?P<kind>[QH]))(?P<nth>\d)\b(?! ?['’]?\d)", rules.year_part),
    Row("weak", _SEASON_NAMES, rf"\b{_SEASON}\b(?! months?\b| (?-i:[A-Z])| ?['’]\d\d\b|[ /-]\d)", rules.season),
    Row(
        "stretch",
        f"past last previous + {_UNITS}",
        rf"\b(?:past|last|previous) {COUNT}[\s-]{UNIT}\b",
        rules.past_stretch,
    ),
    Row("clock", f"{DIGIT} noon midnight + am pm m at", _CLOCK, rules.clock),
    Row("part", _PARTS, r"\b(?:in the |at )?(?P<part>morning|afternoon|evening|night)\b", rules.part_of_day),
)
ONCE_A_YEAR = frozenset((rules.month_name, rules.day_of_month, rules.holiday, rules.year_part, rules.season))
"""The rules of what comes once a year."""
