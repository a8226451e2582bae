"""Values of one attribute hold one after the other, in whatever order they were told."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta, timezone
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import Fact, Memory

EVER, NEVER = (moment.replace(tzinfo=timezone.utc) for moment in (datetime.min, datetime.max))
FIRST = datetime(2020, 1, 1, tzinfo=timezone.utc)
CITIES = ("Lisbon", "Porto", "Braga", "Faro", "Evora", "Coimbra", "Oslo", "Rome", "Madrid", "Berlin")


@pytest.fixture(params=["memory", "postgres"])
def kept(request: pytest.FixtureRequest) -> Iterator[Memory]:
    where = request.getfixturevalue("postgres_url") if request.param == "postgres" else ":memory:"
    with Memory(where, owner="ana", embedder=None, reader=None) as opened:
        yield opened


def overlaps(facts: Sequence[Fact]) -> list[tuple[str, str]]:
    """Pairs of values that hold at one moment."""
    believed = [fact for fact in facts if fact.retired is None]
    spans = sorted((fact.since or EVER, fact.until or NEVER, fact.value) for fact in believed)
    spans = [span for span in spans if span[0] < span[1]]
    return [(one[2], two[2]) for one, two in pairwise(spans) if one[1] > two[0]]


def day(number: int) -> datetime:
    return FIRST + timedelta(days=number)


def test_two_values_told_late_after_a_hundred_do_not_overlap(kept: Memory) -> None:
    for number in range(100):
        kept.remember("badge", f"B{number}", at=day(1000 + number))
    kept.remember("badge", "early", at=day(10))
    kept.remember("badge", "between", at=day(37))
    assert overlaps(kept.history("badge")) == []
    assert [kept.recall("badge", at=day(number)) for number in (20, 50, 1050)] == ["early", "between", "B50"]


def tell(memory: Memory, how: str, said: int, earlier: int, city: str) -> None:
    """Tell of a home in one of these ways, on one day, of that or an earlier one."""
    date = f"{day(min(said, earlier)):%d %B %Y}"
    if how == "key":
        memory.remember("home", city, at=day(said))
    else:
        memory.add({"now": f"I live in {city}.", "moved": f"I moved to {city} on {date}."}[how], at=day(said))


TOLD = st.tuples(
    st.sampled_from(["key", "now", "moved"]), st.integers(0, 60), st.integers(0, 60), st.sampled_from(CITIES)
)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(TOLD, max_size=40))
def test_at_every_moment_one_value_holds_at_most(told: list[tuple[str, int, int, str]]) -> None:
    with Memory(":memory:", owner="ana", embedder=None) as memory:
        for how, said, earlier, city in told:
            tell(memory, how, said, earlier, city)
        assert overlaps(memory.history("home")) == []


def test_a_value_of_no_known_beginning_begins_after_an_older_one(kept: Memory) -> None:
    with Memory(kept.store, owner="bo", embedder=None) as memory:
        memory.remember("home", "Faro", at=day(133))
        memory.remember("home", "Porto", at=day(44))
        memory.add("I moved to Faro in 2020.", at=day(98))
        memory.add("I moved to Braga in 2018.", at=day(38))
        assert overlaps(memory.history("home")) == []
        assert memory.recall("home", at=day(-300)) == "Braga"


@pytest.mark.parametrize("seed", range(4))
def test_hundreds_of_values_in_any_order_stand_one_after_the_other(kept: Memory, seed: int) -> None:
    days = random.Random(seed).sample(range(2000), 150)
    for number in days:
        kept.remember("badge", f"B{number}", at=day(number))
    history = kept.history("badge")
    assert overlaps(history) == []
    assert [kept.recall("badge", at=day(number)) for number in sorted(days)[1:]] == [
        f"B{number}" for number in sorted(days)[1:]
    ]


def late_cpu(memory: Memory, values: int) -> float:
    """CPU seconds of ten late writes beside so many values of the key."""
    with memory.together():
        for number in range(values):
            memory.remember(f"badge {values}", f"B{number}", at=day(10 + 2 * number))
    began = time.process_time()
    for number in range(10):
        memory.remember(f"badge {values}", f"late {number}", at=day(11 + values + 2 * number))
    return time.process_time() - began


def test_a_late_value_costs_no_more_among_thousands() -> None:
    with Memory(":memory:", owner="ana", embedder=None, reader=None) as memory:
        late_cpu(memory, 50)
        assert late_cpu(memory, 2000) < 4 * late_cpu(memory, 200)
