"""Vectors that adds under load leave for later."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from recollect import Memory
from tests.server.conftest import serving
from tests.server.test_service import post


class Slow:
    """An embedder for which writers would wait long."""

    name, dim = "slow", 4

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        time.sleep(0.06 * len(texts))
        return np.ones((len(texts), 4), np.float32)


def test_vectors_that_follow_are_made_before_a_service_ends(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "memory.db", embedder=Slow())
    with serving(tmp_path, memory=memory) as up:
        for one in range(3):
            assert post(up, "add", said=f"Could you look at item {one}?").status_code == 200
    with Memory(tmp_path / "memory.db", embedder=Slow()) as memory:
        assert memory.of("ana").health().vectors_missing == 0
        assert memory.store.counts("ana").models == {"slow": 3}
