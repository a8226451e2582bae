"""The way in: what is waited for before a write, and what is read again when someone else has written meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from recollect import Memory
from recollect.store.sqlite import SQLiteStore


class Meanwhile:
    """An embedder during whose first call something else happens."""

    name, dim = "meanwhile", 4

    def __init__(self, happens: Callable[[], object]) -> None:
        self.happens: Callable[[], object] | None = happens
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self.asked += texts
        happens, self.happens = self.happens, None
        if happens:
            happens()
        return np.ones((len(texts), self.dim), dtype=np.float32)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


def beside(path: Path, owner: str) -> Memory:
    """Another writer to the same file, who does not wait."""
    return Memory(SQLiteStore(path, busy=0.0), owner=owner, embedder=None)


def test_nobody_waits_for_the_embedder(path: Path) -> None:
    with beside(path, "bob") as other:
        with Memory(path, owner="ana", embedder=Meanwhile(lambda: other.add("I live in Oslo."))) as memory:
            memory.add("I live in Porto.")
        assert other.recall("home") == "Oslo"
        assert other.of("ana").recall("home") == "Porto"


def test_a_name_that_someone_told_meanwhile_is_known(path: Path) -> None:
    with beside(path, "ana") as other:
        embedder = Meanwhile(lambda: other.add("My sister is called Anna."))
        with Memory(path, owner="ana", embedder=embedder) as memory:
            added = memory.add("Anna moved to Rome.")
            assert [(one.draft.subject, one.draft.value) for one in added.receipts] == [("sister", "Rome")]


def test_what_was_embedded_is_not_embedded_again(path: Path) -> None:
    with beside(path, "ana") as other:
        embedder = Meanwhile(lambda: other.add("I like tea."))
        with Memory(path, owner="ana", embedder=embedder) as memory:
            memory.add("I live in Porto.")
            assert len(embedder.asked) == 2
            assert memory.store.counts("ana").vectors == 2


def test_a_message_that_is_sent_again_gives_no_second_receipt(path: Path) -> None:
    with Memory(path, owner="ana") as memory:
        said = {"id": "m1", "role": "user", "content": "I live in Porto."}
        assert len(memory.add(said).receipts) == 1
        assert memory.add([said, "I like tea."]).receipts[0].draft.value == "tea"
        assert len(memory.facts()) == 2
