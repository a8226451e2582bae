"""Real parts for every test: a real SQLite file, the real rules and embedder, and a clock that the test moves."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from recollect import Clock, Memory

MONDAY = datetime(2026, 6, 1, 9, 0, tzinfo=timezone.utc)


class Hands:
    """A clock whose hands the test moves; each look at it takes a millisecond."""

    def __init__(self, now: datetime = MONDAY) -> None:
        self.now = now

    def __call__(self) -> datetime:
        self.now += timedelta(milliseconds=1)
        return self.now

    def pass_days(self, days: float) -> None:
        self.now += timedelta(days=days)


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def memory(path: Path, hands: Hands) -> Iterator[Memory]:
    with Memory(path, owner="ana", clock=Clock(now=hands, randomness=random.Random(7))) as opened:
        yield opened
