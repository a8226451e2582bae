"""Every store that the contract runs on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from recollect.store import Store, open_store
from recollect.store.sqlite import SQLiteStore

STORES = ("memory", "file", "postgres")


@pytest.fixture(params=STORES)
def new_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Store]]:
    """Opens the same store, as often as it is called."""
    opened: list[Store] = []

    def place() -> str:
        if request.param == "postgres":
            return str(request.getfixturevalue("postgres_url"))
        return ":memory:" if request.param == "memory" else str(tmp_path / "memory.db")

    where = place()

    def open_it() -> Store:
        opened.append(open_store(where))
        return opened[-1]

    yield open_it
    for store in opened:
        store.close()


@pytest.fixture
def store(new_store: Callable[[], Store]) -> Store:
    return new_store()


@pytest.fixture(params=["memory", "file"])
def sqlite(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SQLiteStore]:
    """A SQLite store, for what only it promises."""
    opened = SQLiteStore(":memory:" if request.param == "memory" else tmp_path / "memory.db")
    yield opened
    opened.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"
