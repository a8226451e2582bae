"""Quarters, halves, weeks and seasons wherever a time is read; what can't be read is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect import Clock, Memory
from recollect.errors import InvalidInput

JUNE = datetime(2026, 6, 10, 12, tzinfo=timezone.utc)
TICK = timedelta(microseconds=1)
YEARS = st.integers(1900, 2099)
ORDINALS = (("first", "1st"), ("second", "2nd"), ("third", "3rd"), ("fourth", "4th"))


def opened(now: datetime = JUNE) -> Memory:
    return Memory(":memory:", owner="dana", embedder="quick", clock=Clock(now=lambda: now))


@pytest.fixture(scope="module")
def memory() -> Iterator[Memory]:
    with opened() as one:
        yield one


@pytest.fixture(scope="module")
def mover() -> Memory:
    """Someone who moved in the middle of 2023, 2024 and 2025."""
    memory = opened()
    for home, at in (
        ("Lisbon", "2022-05-10"),
        ("Porto", "2023-05-10"),
        ("Faro", "2024-05-10"),
        ("Braga", "2025-05-10"),
    ):
        memory.remember("home", home, at=at)
    return memory


def first_of(year: int, month: int) -> datetime:
    return datetime(year + (month - 1) // 12, (month - 1) % 12 + 1, 1, tzinfo=timezone.utc)


@given(year=YEARS, quarter=st.integers(1, 4))
@settings(deadline=None)
def test_a_quarter_ends_with_its_third_month_however_it_is_written(memory: Memory, year: int, quarter: int) -> None:
    end = first_of(year, quarter * 3 + 1) - TICK
    word, short = ORDINALS[quarter - 1]
    names = [
        f"{year}-Q{quarter}",
        f"{year} q{quarter}",
        f"Q{quarter} {year}",
        f"Q{quarter} of {year}",
        f"Q{quarter}/{year}",
    ]
    names += [f"{word} quarter of {year}", f"the {word} quarter of {year}", f"{short} quarter {year}"]
    names += [
        f"{year}–Q{quarter}",
        f"{year} {word} quarter",
        f"{year}'s {word} quarter",
        f"quarter {quarter} of {year}",
    ]
    names += [f"{quarter}Q {year}"]
    assert {name: memory.moment(name) for name in names} == dict.fromkeys(names, end)


@given(year=YEARS, half=st.integers(1, 2))
@settings(deadline=None)
def test_a_half_ends_with_its_sixth_month_however_it_is_written(memory: Memory, year: int, half: int) -> None:
    end = first_of(year, half * 6 + 1) - TICK
    word = ORDINALS[half - 1][0]
    names = [
        f"{year}-H{half}",
        f"H{half} {year}",
        f"{word} half of {year}",
        f"{half}H {year}",
        f"half {half} of {year}",
    ]
    names += [f"{word} half-year of {year}", f"the {word} half year {year}"]
    assert {name: memory.moment(name) for name in names} == dict.fromkeys(names, end)


@given(day=st.dates(date(1900, 1, 1), date(2098, 12, 31)))
@settings(deadline=None)
def test_an_iso_week_ends_on_its_sunday(memory: Memory, day: date) -> None:
    year, week, weekday = day.isocalendar()
    sunday = day + timedelta(days=7 - weekday)
    names = [f"{year}-W{week:02}", f"{year}W{week:02}", f"week {week} of {year}", f"{year} week {week}"]
    names += [f"{year} W{week}", f"W{week}/{year}", f"the {week}th week of {year}"]
    for name in names:
        assert memory.moment(name) == memory.moment(sunday), name
    assert memory.moment(f"{year}-W{week:02}-{weekday}") == memory.moment(day)


@given(year=YEARS, season=st.sampled_from([("spring", 6), ("summer", 9), ("autumn", 12), ("fall", 12), ("winter", 15)]))
@settings(deadline=None)
def test_a_season_is_three_whole_months_and_a_winter_begins_its_year_in_december(
    memory: Memory, year: int, season: tuple[str, int]
) -> None:
    name, after = season
    for words in (
        f"{name} {year}",
        f"{name} of {year}",
        f"{year} {name}",
        f"in the {name} of {year}",
        f"{name}, {year}",
    ):
        assert memory.moment(words) == first_of(year, after) - TICK, words


@pytest.mark.parametrize(
    ("words", "same"),
    [
        ("Q1 last year", "2025-Q1"),
        ("the first quarter of this year", "2026-Q1"),
        ("H2 of last year", "2025-H2"),
        ("week 10 of last year", "2025-W10"),
        ("last year's summer", "summer 2025"),
        ("the summer of last year", "summer 2025"),
        ("winter last year", "winter 2025"),
        ("March last year", "2025-03"),
        ("5 March last year", "2025-03-05"),
        ("Christmas of last year", "2025-12-25"),
    ],
)
def test_a_year_may_be_told_from_now_wherever_it_may_be_a_number(memory: Memory, words: str, same: str) -> None:
    assert memory.moment(words) == memory.moment(same)


@pytest.mark.parametrize(
    ("said", "until"),
    [
        ("from March 2024 to June", "2024-06"),
        ("from October 2023 to March", "2024-03"),
        ("from Q3 2023 to Q2", "2024-Q2"),
    ],
)
def test_the_year_of_the_beginning_counts_for_the_end_of_a_range(memory: Memory, said: str, until: str) -> None:
    with opened() as told:
        told.add(f"I lived in Rome {said}.")
        [home] = told.history("home")
    assert home.until == memory.moment(until) + TICK


def test_a_winter_may_be_named_by_both_its_years(memory: Memory) -> None:
    assert memory.moment("winter 2023/24") == memory.moment("winter 2023-2024") == memory.moment("winter 2023")


REFUSED = """
2024-Q5, Q0 2024, Q5 2024, fifth quarter of 2024, 2024-H3, third half of 2024, 2024-W54, 2023-W53, 2024-W10-8,
2024-13, 2024-02-30, tomorrow or so, 2024 or 2025, March 2024 banana, 2024-Q1 maybe, summer 2023/24, winter 2023/25,
summer '23, Q1 '24, 1Q24, FY2024, 2024-Mar, 2024 - Q1, week 60 of 2024, eighth quarter of 2024,
until May, before 2019, quarter, week 10, not 2024, 2024-03-05T25:00, the first quarter
"""


@pytest.mark.parametrize("value", [one.strip() for one in REFUSED.replace("\n", " ").split(",")])
def test_what_is_no_whole_time_is_refused_with_the_forms_that_are_understood(memory: Memory, value: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        memory.recall("home", at=value)
    assert repr(value) in str(refused.value)
    assert "'2024-Q1'" in str(refused.value)


def test_a_period_asks_for_what_held_at_its_end(mover: Memory) -> None:
    asked = ["2024-Q1", "2024-Q2", "first half of 2024", "2024-W19", "2024-W18", "winter 2023", "summer 2023"]
    held = [mover.recall("home", at=at) for at in asked]
    assert held == ["Porto", "Faro", "Faro", "Faro", "Porto", "Porto", "Porto"]


READS: list[Callable[[Memory, str], object]] = [
    lambda memory, at: memory.facts(at=at)[0].value,
    lambda memory, at: memory.search("Where do I live?", at=at, kinds=["fact"])[0].record.value,  # type: ignore[union-attr]
    lambda memory, at: memory.graph(at=at).facts[0].value,
    lambda memory, at: next(one for one in ("Porto", "Faro") if one in memory.context("Where do I live?", at=at).text),
]


@pytest.mark.parametrize("reads", READS)
def test_every_verb_takes_a_period(mover: Memory, reads: Callable[[Memory, str], object]) -> None:
    assert [reads(mover, at) for at in ("2024-Q1", "H2 2024")] == ["Porto", "Faro"]


def test_a_period_of_belief_is_its_end_too() -> None:
    now = datetime(2024, 2, 10, tzinfo=timezone.utc)
    memory = Memory(":memory:", owner="dana", embedder="quick", clock=Clock(now=lambda: now))
    memory.remember("home", "Lisbon")
    now = datetime(2024, 5, 10, tzinfo=timezone.utc)
    memory.remember("home", "Porto")
    assert [memory.recall("home", known_at=when) for when in ("2023-Q4", "2024-Q1", "2024-Q2")] == [
        None,
        "Lisbon",
        "Porto",
    ]


@pytest.mark.parametrize(
    ("words", "home"),
    [
        ("Q1 2024", "Porto"),
        ("2024-Q1", "Porto"),
        ("the first quarter of 2024", "Porto"),
        ("Q4 2024", "Faro"),
        ("H2 2023", "Porto"),
        ("the second half of 2024", "Faro"),
        ("2024-W10", "Porto"),
        ("week 40 of 2024", "Faro"),
        ("summer 2023", "Porto"),
        ("winter 2022", "Lisbon"),
        ("winter 2023/24", "Porto"),
        ("the 10th week of 2024", "Porto"),
        ("Q1 of last year", "Faro"),
        ("2024–Q1", "Porto"),
    ],
)
def test_a_question_about_a_period_answers_from_it(mover: Memory, words: str, home: str) -> None:
    assert mover.search(f"Where did I live in {words}?")[0].text == f"lives in {home}"


def test_a_question_about_a_period_finds_all_that_held_in_it(mover: Memory) -> None:
    found = [hit.text for hit in mover.search("Where did I live in Q2 2024?", kinds=["fact"])]
    assert sorted(found) == ["lives in Faro", "lives in Porto"]


def test_a_message_is_found_by_the_quarter_it_was_said_in() -> None:
    memory = opened()
    for month in (2, 5, 8, 11):
        memory.add(f"The boiler was repaired by firm number {month}.", at=date(2024, month, 7))
    [first, *_] = memory.search("Who repaired the boiler in Q3 2024?")
    assert first.text.endswith("number 8.")


def test_the_year_of_the_end_counts_for_the_beginning_of_a_range(mover: Memory) -> None:
    assert mover.moment("between May and July 2024") == mover.moment("2024-07")
    found = [hit.text for hit in mover.search("Where did I live between January and March 2024?", kinds=["fact"])]
    assert found == ["lives in Porto"]


@pytest.mark.parametrize(
    ("said", "year"),
    [
        ("I'm moving to Rome in July.", 2026),
        ("I'm moving to Rome in August.", 2026),
        ("We're moving to Rome in July.", 2026),
        ("I'm moving to Rome in Q3.", 2026),
        ("I'm working at Globex in June.", 2026),
        ("I'm moving to Rome in March.", 2027),
        ("I lived in Rome in July.", 2025),
        ("I lived in Rome in March.", 2026),
    ],
)
def test_what_is_told_in_the_present_tense_is_running_or_ahead(said: str, year: int) -> None:
    [fact] = opened().add(said).facts
    assert fact.since is not None
    assert fact.since.year == year


def test_a_question_about_a_coming_month_finds_what_was_told_of_it() -> None:
    memory = opened()
    memory.add("I'm planning a trip to Rome in July.")
    assert memory.search("What do I do in July?")[0].text.startswith("a trip to Rome (July 2026)")
