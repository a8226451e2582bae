"""A damaged file is answered from as before, or refused by an error of ours that says what to do."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from recollect import Memory
from recollect.errors import NotFound, StoreError

Bytes = npt.NDArray[np.uint8]

ADVICE = ("restore", "check", "pass the name", "pip install")


def opened(path: Path) -> Memory:
    return Memory(path, owner="ana", embedder="quick", reader=None)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("told") / "memory.db"
    with opened(path) as memory:
        for number in range(12):
            memory.remember("home", f"Street {number}")
            memory.remember(f"thing {number}", f"value {number}", pinned=number == 3)
            memory.notes.write("/memories/a.md", f"The note, for the {number}th time.")
        memory.add([{"role": "assistant", "content": "Noted.", "id": "a1"}, "Where is my cello?"], session="monday")
    return path


def use(path: Path) -> None:
    """All that a reader does, and two writers."""
    with opened(path) as memory:
        memory.facts()
        memory.facts(known_at="yesterday")
        memory.search("where is the cello?")
        memory.history("home")
        memory.session("monday").messages()
        memory.notes.list()
        memory.notes.versions("/memories/a.md")
        memory.changes()
        memory.context("home", budget=300)
        memory.stats()
        memory.health()
        memory.remember("home", "Porto")
        with suppress(NotFound):  # a wrong answer is for checksums to find, not for this
            memory.erase("thing 5")


def only_our_error(path: Path) -> bool:
    """Whether it was refused; any other error than ours fails the test."""
    try:
        use(path)
    except StoreError as error:
        said = str(error)
    else:
        return False
    assert any(advice in said for advice in ADVICE), said
    return True


def flip(content: Bytes, chance: random.Random) -> bytes:
    """One bit of a byte that says something."""
    content[chance.choice(np.flatnonzero(content))] ^= 1 << chance.randrange(8)
    return content.tobytes()


def garble(content: Bytes, chance: random.Random) -> bytes:
    """Eight bytes that are anything."""
    for _ in range(8):
        content[chance.choice(np.flatnonzero(content))] = chance.randrange(256)
    return content.tobytes()


def cut(content: Bytes, chance: random.Random) -> bytes:
    """The end missing."""
    return content[: chance.randrange(len(content))].tobytes()


def damage(told: Path, tmp_path: Path, how: Callable[[Bytes, random.Random], bytes], runs: int) -> int:
    chance, refused = random.Random(11), 0
    for number in range(runs):
        path = tmp_path / str(number) / "memory.db"
        path.parent.mkdir()
        path.write_bytes(how(np.fromfile(told, np.uint8), chance))
        refused += only_our_error(path)
        shutil.rmtree(path.parent)
    return refused


@pytest.mark.parametrize("how", [flip, garble, cut])
def test_no_error_of_another_kind_escapes(
    told: Path, tmp_path: Path, how: Callable[[Bytes, random.Random], bytes]
) -> None:
    assert damage(told, tmp_path, how, 25) > 0


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("how", [flip, garble, cut])
def test_no_error_of_another_kind_escapes_in_a_thousand(
    told: Path, tmp_path: Path, how: Callable[[Bytes, random.Random], bytes]
) -> None:
    assert damage(told, tmp_path, how, 1000) > 0


def test_vectors_that_a_killed_process_never_made_are_made_at_the_next_search(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Memory(path, owner="ana", embedder=None, reader=None) as memory:
        memory.add("The cello is in the attic.")
        memory.notes.write("/memories/a.md", "Buy bread.")
    with opened(path) as memory:
        assert memory.health().vectors_missing == 2
        memory.search("cello")
        assert memory.health().vectors_missing == 0
