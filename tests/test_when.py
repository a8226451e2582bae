"""Words of time, read relative to when they were said."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta, timezone
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from recollect.errors import InvalidInput
from recollect.text.dates import find, moment, period, readable

SAID = datetime(2026, 5, 13, 15, 0, tzinfo=timezone.utc)  # a Wednesday

# What is said, where its range starts and ends (days, or days with a time).
DURING = """
yesterday | 2026-05-12 | 2026-05-13
I saw her today. | 2026-05-13 | 2026-05-14
tonight | 2026-05-13T18:00 | 2026-05-14T06:00
last night | 2026-05-12T18:00 | 2026-05-13T06:00
this morning | 2026-05-13T05:00 | 2026-05-13T12:00
this afternoon | 2026-05-13T12:00 | 2026-05-13T18:00
tomorrow | 2026-05-14 | 2026-05-15
the day before yesterday | 2026-05-11 | 2026-05-12
the day after tomorrow | 2026-05-15 | 2026-05-16
this week | 2026-05-11 | 2026-05-18
last week | 2026-05-04 | 2026-05-11
next week | 2026-05-18 | 2026-05-25
last month | 2026-04-01 | 2026-05-01
in the last month | 2026-04-13 | 2026-05-13T15:00
over the past year | 2025-05-13 | 2026-05-13T15:00
the past week | 2026-05-06 | 2026-05-13T15:00
the last week of April | 2026-04-01 | 2026-05-01
this month | 2026-05-01 | 2026-06-01
next month | 2026-06-01 | 2026-07-01
last year | 2025-01-01 | 2026-01-01
this year | 2026-01-01 | 2027-01-01
next year | 2027-01-01 | 2028-01-01
last weekend | 2026-05-09 | 2026-05-11
this weekend | 2026-05-16 | 2026-05-18
next weekend | 2026-05-23 | 2026-05-25
last quarter | 2026-01-01 | 2026-04-01
this quarter | 2026-04-01 | 2026-07-01
next quarter | 2026-07-01 | 2026-10-01
last decade | 2010-01-01 | 2020-01-01
three days ago | 2026-05-10 | 2026-05-11
3 days ago | 2026-05-10 | 2026-05-11
a day ago | 2026-05-12 | 2026-05-13
two weeks ago | 2026-04-27 | 2026-05-04
a couple of weeks ago | 2026-04-27 | 2026-05-04
a fortnight ago | 2026-04-27 | 2026-05-04
a few days ago | 2026-05-10 | 2026-05-11
six months ago | 2025-11-01 | 2025-12-01
a month ago | 2026-04-01 | 2026-05-01
half a year ago | 2025-11-01 | 2025-12-01
a year ago | 2025-05-01 | 2025-06-01
a year and a half ago | 2024-11-01 | 2024-12-01
twenty-five years ago | 2001-05-01 | 2001-06-01
ninety nine years ago | 1927-05-01 | 1927-06-01
two hours ago | 2026-05-13T13:00 | 2026-05-13T14:00
in two days | 2026-05-15 | 2026-05-16
in 10 days | 2026-05-23 | 2026-05-24
in three weeks | 2026-06-01 | 2026-06-08
in a month | 2026-06-01 | 2026-07-01
in two years | 2028-05-01 | 2028-06-01
two weeks from now | 2026-05-25 | 2026-06-01
in two weeks' time | 2026-05-25 | 2026-06-01
last Monday | 2026-05-11 | 2026-05-12
last Wednesday | 2026-05-06 | 2026-05-07
last friday | 2026-05-08 | 2026-05-09
this Friday | 2026-05-15 | 2026-05-16
on Friday | 2026-05-15 | 2026-05-16
I met Tom on Friday | 2026-05-08 | 2026-05-09
on Wednesday | 2026-05-20 | 2026-05-21
next Friday | 2026-05-22 | 2026-05-23
next Monday | 2026-05-18 | 2026-05-19
on Sat | 2026-05-16 | 2026-05-17
in March | 2026-03-01 | 2026-04-01
in may | 2026-05-01 | 2026-06-01
in May | 2026-05-01 | 2026-06-01
in June | 2025-06-01 | 2025-07-01
last March | 2026-03-01 | 2026-04-01
last May | 2025-05-01 | 2025-06-01
last June | 2025-06-01 | 2025-07-01
this March | 2026-03-01 | 2026-04-01
next March | 2027-03-01 | 2027-04-01
next June | 2026-06-01 | 2026-07-01
last spring | 2025-03-01 | 2025-06-01
last summer | 2025-06-01 | 2025-09-01
last autumn | 2025-09-01 | 2025-12-01
last fall | 2025-09-01 | 2025-12-01
last winter | 2025-12-01 | 2026-03-01
next summer | 2026-06-01 | 2026-09-01
summer 2019 | 2019-06-01 | 2019-09-01
in the summer of 2019 | 2019-06-01 | 2019-09-01
winter 2023 | 2023-12-01 | 2024-03-01
in spring | 2026-03-01 | 2026-06-01
March 2024 | 2024-03-01 | 2024-04-01
in Sept. 2024 | 2024-09-01 | 2024-10-01
Dec 2024 | 2024-12-01 | 2025-01-01
in 2019 | 2019-01-01 | 2020-01-01
back in 1066 | 1066-01-01 | 1067-01-01
in the year 2010 | 2010-01-01 | 2011-01-01
from 2019 to 2021 | 2019-01-01 | 2022-01-01
between 2019 and 2021 | 2019-01-01 | 2022-01-01
from 2019 until 2021 | 2019-01-01 | 2022-01-01
from 2019 until last March | 2019-01-01 | 2026-04-01
from March 2020 to June 2021 | 2020-03-01 | 2021-07-01
2019–2021 | 2019-01-01 | 2022-01-01
2019-2021 | 2019-01-01 | 2022-01-01
from January to March | 2026-01-01 | 2026-04-01
between January and March | 2026-01-01 | 2026-04-01
2024-03-05 | 2024-03-05 | 2024-03-06
2024-03 | 2024-03-01 | 2024-04-01
5 March 2024 | 2024-03-05 | 2024-03-06
5th March 2024 | 2024-03-05 | 2024-03-06
March 5, 2024 | 2024-03-05 | 2024-03-06
March 5th, 2024 | 2024-03-05 | 2024-03-06
Mar 5 2024 | 2024-03-05 | 2024-03-06
March 5th | 2026-03-05 | 2026-03-06
on May 5 | 2026-05-05 | 2026-05-06
on May 20 | 2025-05-20 | 2025-05-21
the 5th of May | 2026-05-05 | 2026-05-06
the 29th of February | 2024-02-29 | 2024-03-01
3/5/2024 | 2024-03-05 | 2024-03-06
25/12/2024 | 2024-12-25 | 2024-12-26
5.3.2024 | 2024-03-05 | 2024-03-06
at 3pm | 2026-05-13T15:00 | 2026-05-13T15:01
at 15:30 | 2026-05-13T15:30 | 2026-05-13T15:31
tomorrow at 3pm | 2026-05-14T15:00 | 2026-05-14T15:01
at 9:30 am on Friday | 2026-05-15T09:30 | 2026-05-15T09:31
yesterday at noon | 2026-05-12T12:00 | 2026-05-12T12:01
on 5 March 2024 at 12 am | 2024-03-05T00:00 | 2024-03-05T00:01
tomorrow morning | 2026-05-14T05:00 | 2026-05-14T12:00
next Monday evening | 2026-05-18T18:00 | 2026-05-18T23:00
early 2019 | 2019-01-01 | 2019-05-01
in mid-2019 | 2019-05-01 | 2019-09-01
late 2019 | 2019-09-01 | 2020-01-01
early March 2024 | 2024-03-01 | 2024-03-11
at the end of 2019 | 2019-09-01 | 2020-01-01
in the 90s | 1990-01-01 | 2000-01-01
the 1980s | 1980-01-01 | 1990-01-01
the nineties | 1990-01-01 | 2000-01-01
the 10s | 2010-01-01 | 2020-01-01
at Christmas | 2025-12-25 | 2025-12-26
last christmas | 2025-12-25 | 2025-12-26
next christmas | 2026-12-25 | 2026-12-26
on New Year's Eve | 2025-12-31 | 2026-01-01
Christmas 2019 | 2019-12-25 | 2019-12-26
in the last three months | 2026-02-13 | 2026-05-13T15:00
in the next two weeks | 2026-05-13T15:00 | 2026-05-27
2 years and 3 months ago | 2024-02-01 | 2024-03-01
at the end of the month | 2026-05-21 | 2026-06-01
from March to June | 2026-03-01 | 2026-07-01
from Monday to Friday | 2026-05-18 | 2026-05-23
the year 2019 | 2019-01-01 | 2020-01-01
over the past two weeks | 2026-04-29 | 2026-05-13T15:00
"""

OPEN = """
since 2019 | since | 2019-01-01 | 2026-05-13T15:00
ever since March 2024 | since | 2024-03-01 | 2026-05-13T15:00
since Monday | since | 2026-05-11 | 2026-05-13T15:00
since last summer | since | 2025-06-01 | 2026-05-13T15:00
since two weeks ago | since | 2026-04-27 | 2026-05-13T15:00
for the past three years | since | 2023-05-13 | 2026-05-13T15:00
for the last 6 months | since | 2025-11-13 | 2026-05-13T15:00
I have lived here for three years | since | 2023-05-13 | 2026-05-13T15:00
I've been working there for a year and a half | since | 2024-11-13 | 2026-05-13T15:00
until 2019 | until | 2019-01-01 | 2020-01-01
until last March | until | 2026-03-01 | 2026-04-01
by Friday | until | 2026-05-15 | 2026-05-16
before 2019 | until | 2018-01-01 | 2019-01-01
from June | from | 2025-06-01 | 2025-07-01
from next Monday | from | 2026-05-18 | 2026-05-19
as of 2027 | from | 2027-01-01 | 2028-01-01
starting in March 2027 | from | 2027-03-01 | 2027-04-01
after 2019 | from | 2020-01-01 | 2021-01-01
"""

NOT_TIMES = """
I may come along
we march on
You may 5 times try
this may be wrong
the sun is out and she sat down
wait a second
Python 3.11 runs on port 5433
it costs $2019 or 2024 euros
call +49 30 2019 2020
version 2.2024.1 is out
since then
these days I sleep well
now
my friend June likes April
30 February 2024
February 30th
2024-02-30
31/31/2024
I stayed for three years
room 2019
she is 25 years old
99999999 years ago
between you and me
from here to there
100 days of code
a mar on the jan record
"""


def rows(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=timezone.utc)


@pytest.mark.parametrize(("words", "start", "end"), rows(DURING))
def test_words_name_a_range(words: str, start: str, end: str) -> None:
    found = find(words, SAID)
    assert [(one.start, one.end, one.relation, one.open) for one in found] == [(utc(start), utc(end), "during", False)]


@pytest.mark.parametrize(("words", "relation", "start", "end"), rows(OPEN))
def test_words_leave_one_side_open(words: str, relation: str, start: str, end: str) -> None:
    found = find(words, SAID)
    assert [(one.relation, one.start, one.end, one.open) for one in found] == [(relation, utc(start), utc(end), True)]


@pytest.mark.parametrize("words", [row[0] for row in rows(NOT_TIMES)])
def test_these_words_tell_no_time(words: str) -> None:
    assert find(words, SAID) == []


@pytest.mark.parametrize(
    ("words", "start"),
    [
        ("in March", "2027-03-01"),
        ("from June", "2026-06-01"),
        ("on May 20", "2026-05-20"),
        ("at Christmas", "2026-12-25"),
        ("in summer", "2026-06-01"),
        ("the 29th of February", "2028-02-29"),
        ("on Monday, as we decided", "2026-05-18"),
        ("last March", "2026-03-01"),
    ],
)
def test_future_prefers_the_coming_one(words: str, start: str) -> None:
    assert [one.start for one in find(words, SAID, future=True)] == [utc(start)]


def test_a_clause_about_the_future_means_the_coming_month() -> None:
    text = "I moved in March, and from June I'll work at Acme."
    assert [(one.text, one.start) for one in find(text, SAID)] == [
        ("in March", utc("2026-03-01")),
        ("from June", utc("2026-06-01")),
    ]


def test_several_times_come_in_order_with_their_words() -> None:
    text = "I moved to Porto in May 2024, left Acme last Friday, and start at Helios from next Monday."
    found = find(text, SAID)
    assert [one.text for one in found] == ["in May 2024", "last Friday", "from next Monday"]
    assert [text[slice(*one.at)] for one in found] == [one.text for one in found]


def test_days_are_those_of_the_zone_it_was_said_in() -> None:
    said = datetime(2026, 5, 13, 1, 0, tzinfo=timezone(timedelta(hours=9)))
    assert find("yesterday", said)[0].start == datetime(2026, 5, 11, 15, 0, tzinfo=timezone.utc)


def test_a_long_text_is_read_to_its_end() -> None:
    text = "I moved here in 2019 and may leave next March for 3 days. " * 2000
    assert len(find(text, SAID)) == 4000


ANY_TEXT = st.text(st.characters(), max_size=60)
PIECES = """
since until from between and to in on last next this the a of 5 30 2019 9999 1000 0001-01-01 march May friday spring
christmas years days ago 99 ninety-nine decades for past at 3pm 24:00 early late - , . 90s 29 February half have been
yesterday night year 2024-02-30 31/2/2024 before after mid-2019
"""
PHRASES = st.lists(st.sampled_from(PIECES.split()), max_size=12).map(" ".join)


@settings(max_examples=300, deadline=None)
@given(text=ANY_TEXT | PHRASES, said=st.datetimes(timezones=st.just(timezone.utc)), future=st.booleans())
@example("last decade", datetime.min.replace(tzinfo=timezone.utc), False)
@example("since next year", datetime.max.replace(tzinfo=timezone.utc), True)
def test_any_text_is_read_without_an_error(text: str, said: datetime, future: bool) -> None:
    found = find(text, said, future=future)
    assert [text[slice(*one.at)] for one in found] == [one.text for one in found]
    assert all(one.start < one.end for one in found)
    assert all(a.at[1] <= b.at[0] for a, b in pairwise(found))


@settings(max_examples=200, deadline=None)
@given(value=ANY_TEXT | PHRASES | st.floats() | st.integers() | st.datetimes() | st.dates() | st.booleans())
def test_a_moment_is_given_or_refused_with_our_error(value: str | float | datetime | date) -> None:
    try:
        given_back = moment(value, SAID)
    except InvalidInput:
        return
    assert given_back.tzinfo is timezone.utc


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (datetime(2024, 3, 5, 10, 0), "2024-03-05T10:00"),
        (datetime(2024, 3, 5, 10, 0, tzinfo=timezone(timedelta(hours=2))), "2024-03-05T08:00"),
        (date(2024, 3, 5), "2024-03-05T23:59:59.999999"),
        ("2024-03-05", "2024-03-05T23:59:59.999999"),
        ("2024-03", "2024-03-31T23:59:59.999999"),
        ("2024", "2024-12-31T23:59:59.999999"),
        (" 2024-03-05T10:00:00Z ", "2024-03-05T10:00:00"),
        ("2024-03-05 10:00", "2024-03-05T10:00"),
        ("2024-03-05T10:00:00.5+0200", "2024-03-05T08:00:00.500000"),
        ("last March", "2026-03-31T23:59:59.999999"),
        ("March", "2026-03-31T23:59:59.999999"),
        ("now", "2026-05-13T15:00"),
        (0, "1970-01-01T00:00"),
        (-1.5, "1969-12-31T23:59:58.500000"),
    ],
)
def test_a_moment_is_the_last_instant_of_what_was_named(value: str | float | datetime | date, expected: str) -> None:
    assert moment(value, SAID) == utc(expected)


NO_TIMES = [True, float("nan"), float("inf"), 1e20, "", "whenever", "2024-13", "2024-02-30", None]


@pytest.mark.parametrize("value", NO_TIMES)
def test_what_is_no_time_is_refused(value: object) -> None:
    with pytest.raises(InvalidInput, match=f"{re.escape(repr(value))}.*pass a datetime"):
        moment(value, SAID)  # type: ignore[arg-type]


def test_a_period_is_the_whole_range() -> None:
    assert period("2024-02", SAID) == (utc("2024-02-01"), utc("2024-03-01"))
    assert period("last week", SAID) == (utc("2026-05-04"), utc("2026-05-11"))


def test_a_day_is_written_for_people() -> None:
    assert readable(utc("2026-05-03")) == "3 May 2026"
    assert readable(utc("2026-05-12"), now=SAID) == "yesterday"
