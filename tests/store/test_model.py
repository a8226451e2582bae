"""Both stores against a dictionary of intervals, over thousands of random steps."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from recollect import Clock, Memory
from recollect.store import open_store

from .samples import T0

KEYS = ["home", "employer", "seat preference"]
VALUES = ["Lisbon", "Porto", "Rome", "Oslo"]
STEP = timedelta(hours=1)


@dataclass
class Interval:
    """A value with when it began and when it ended."""

    value: str
    since: datetime | None
    """None for the first value of a key: it may have held for ever."""
    until: datetime | None = None

    def holds(self, at: datetime) -> bool:
        return (self.since is None or self.since <= at) and (self.until is None or at < self.until)


class Broken(Exception):
    """Breaks a transaction off."""


class Intervals(RuleBasedStateMachine):
    """The same steps on every store and on the model; what they answer must be the same at any moment."""

    open_stores: Callable[[], list[str]]

    @initialize()
    def begin(self) -> None:
        self.now = T0
        self.model: dict[tuple[str, str], list[Interval]] = {}
        self.memories = [
            Memory(open_store(where), clock=Clock(now=lambda: self.now, randomness=random.Random(1)), embedder=None)
            for where in type(self).open_stores()
        ]
        self.said = 0

    def teardown(self) -> None:
        for owner, key in getattr(self, "model", {}):
            self.compare(owner, key)
        for memory in getattr(self, "memories", []):
            memory.close()

    @contextmanager
    def later(self) -> Iterator[datetime]:
        self.now += STEP
        yield self.now

    def current(self, owner: str, key: str) -> Interval | None:
        return next((one for one in self.model.get((owner, key), []) if one.until is None), None)

    @rule(owner=st.sampled_from(["ana", "bob"]), key=st.sampled_from(KEYS), value=st.sampled_from(VALUES))
    def remember(self, owner: str, key: str, value: str) -> None:
        with self.later() as now:
            for memory in self.memories:
                memory.of(owner).remember(key, value)
            held = self.current(owner, key)
            if held is None or held.value != value:
                if held is not None:
                    held.until = now
                history = self.model.setdefault((owner, key), [])
                history.append(Interval(value, now if history else None))
        self.compare(owner, key)

    @rule(owner=st.sampled_from(["ana", "bob"]), key=st.sampled_from(KEYS))
    def forget(self, owner: str, key: str) -> None:
        held = self.current(owner, key)
        if held is None:
            return
        with self.later() as now:
            for memory in self.memories:
                memory.of(owner).forget(key)
            held.until = now
        self.compare(owner, key)

    @rule(owner=st.sampled_from(["ana", "bob"]), key=st.sampled_from(KEYS), value=st.sampled_from(VALUES))
    def break_off(self, owner: str, key: str, value: str) -> None:
        """What is done in a transaction that breaks off was never done."""
        for memory in self.memories:
            with suppress(Broken), memory.store.transaction(owner):
                memory.of(owner).remember(key, value)
                memory.of(owner).add(f"I live in {value}.")
                raise Broken
        self.compare(owner, key)

    @rule(owner=st.sampled_from(["ana", "bob"]))
    def say(self, owner: str) -> None:
        self.said += 1
        with self.later():
            for memory in self.memories:
                memory.of(owner).add([{"role": "user", "content": f"Hello {self.said}.", "id": f"m{self.said}"}])

    @rule(owner=st.sampled_from(["ana", "bob"]), key=st.sampled_from(KEYS))
    def erase(self, owner: str, key: str) -> None:
        if not self.model.pop((owner, key), None):
            return
        with self.later():
            for memory in self.memories:
                memory.of(owner).erase(key)
        self.compare(owner, key)

    @rule(owner=st.sampled_from(["ana", "bob"]), key=st.sampled_from(KEYS), hours=st.integers(0, 60))
    def ask_of_any_moment(self, owner: str, key: str, hours: int) -> None:
        at = max(T0, self.now - hours * STEP)
        expected = [one.value for one in self.model.get((owner, key), []) if one.holds(at)]
        for memory in self.memories:
            answer = memory.of(owner).recall(key, at=at)
            assert answer == (expected[-1] if expected else None), memory.store.name

    @rule(owner=st.sampled_from(["ana", "bob"]), value=st.sampled_from(VALUES))
    def search_alike(self, owner: str, value: str) -> None:
        one, other = ([*memory.of(owner).search(f"what about {value}?")] for memory in self.memories)
        assert [hit.text for hit in one] == [hit.text for hit in other]
        assert [hit.score for hit in one] == pytest.approx([hit.score for hit in other], abs=2e-4)

    def compare(self, owner: str, key: str) -> None:
        """The history of a key is that of the model."""
        expected = [(one.value, one.since, one.until) for one in self.model.get((owner, key), [])]
        for memory in self.memories:
            kept = [(one.value, one.since, one.until) for one in memory.of(owner).history(key)]
            assert kept == expected, memory.store.name


def test_stores_are_dictionaries_of_intervals(postgres_url: str, truncated: Callable[[], None]) -> None:
    def places() -> list[str]:
        truncated()
        return [":memory:", postgres_url]

    class OnBoth(Intervals):
        open_stores = staticmethod(places)

    run_state_machine_as_test(
        OnBoth,
        settings=settings(
            max_examples=40, stateful_step_count=50, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )


@pytest.fixture
def truncated(postgres_url: str) -> Callable[[], None]:
    """Empties the store of the test."""
    from .raw import raw

    open_store(postgres_url).close()

    def empty() -> None:
        raw(postgres_url, "truncate owners, items, messages, unsettled, facts, notes, changes, sources, vectors, words")

    return empty
