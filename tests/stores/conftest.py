"""Every store that the contract runs on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect.stores.sqlite import SQLiteStore


@pytest.fixture(params=["memory", "file"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SQLiteStore]:
    opened = SQLiteStore(":memory:" if request.param == "memory" else tmp_path / "memory.db")
    yield opened
    opened.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"
