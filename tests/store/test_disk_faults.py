"""A disk that fails now and then: what is said about it is true, and one bad read is no damage."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from recollect import Memory
from recollect.errors import StoreError

from .children import in_child
from .faults import CHANGES, READ, counted, failing

FOR_EVER = 10**9


def opened(path: Path) -> Memory:
    return Memory(path, owner="ana", embedder="quick", reader=None)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("told") / "memory.db"
    with opened(path) as memory:
        memory.remember("doctor", "Ruth Okafor")
        memory.add([f"Thing {number} is on shelf {number}." for number in range(60)])
    return path


@pytest.fixture
def path(told: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(told, tmp_path / "memory.db"))


def answers(path: Path) -> tuple[object, ...]:
    with opened(path) as memory:
        found = [hit.text for hit in memory.search("who is my doctor?")]
        return found, memory.recall("doctor"), len(memory.sessions()), memory.health().problems


def with_reads_failing(path: Path, first: int, times: int) -> object:
    def work() -> object:
        disk = failing(READ, first=first, times=times)
        try:
            return answers(path), disk.calls
        except StoreError as error:
            return str(error)

    return in_child(work)


def one_bad_read(path: Path, numbers: range) -> None:
    wanted, calls = with_reads_failing(path, 0, 0)  # type: ignore[misc]
    assert calls > 20
    for number in numbers:
        if number <= calls:
            assert with_reads_failing(path, number, 1)[0] == wanted, number  # type: ignore[index]


def test_one_bad_read_is_read_again(path: Path) -> None:
    one_bad_read(path, range(1, 60, 12))


@pytest.mark.slow
def test_one_bad_read_anywhere_is_read_again(path: Path) -> None:
    one_bad_read(path, range(1, 1000))


@pytest.mark.parametrize("first", [1, 8, 20])
def test_a_disk_that_can_not_be_read_is_not_called_damage(path: Path, first: int) -> None:
    said = str(with_reads_failing(path, first, FOR_EVER))
    assert "could not be read from the disk" in said
    assert "damaged" not in said


WRITES: dict[str, Callable[[Memory], object]] = {
    "note": lambda memory: memory.notes.write("/memories/new.md", "A sentinel."),
    "message": lambda memory: memory.add("A sentinel."),
    "fact": lambda memory: memory.remember("hobby", "A sentinel."),
}


def is_there(path: Path) -> bool:
    with opened(path) as memory:
        texts = [note.text for note in memory.notes.list()] + [fact.text for fact in memory.facts()]
        return any("A sentinel." in text for text in (*texts, *(one["content"] for one in said_in(memory))))


def said_in(memory: Memory) -> list[dict[str, str]]:
    return [message for info in memory.sessions() for message in memory.session(info.session).messages()]


def written_on(path: Path, write: Callable[[Memory], object], first: int, times: int) -> tuple[str, bool, int]:
    """What was said to a write on a disk that fails from that change on, if it is kept, and how many there were."""

    def work() -> tuple[str, int]:
        memory = opened(path)
        disk = failing(*CHANGES, first=first, times=times) if times else counted(*CHANGES)
        try:
            write(memory)
        except StoreError as error:
            return str(error), disk.calls
        return "kept", disk.calls

    said, calls = in_child(work)
    return said, is_there(path), calls


def writes_are_told_truly(path: Path, kind: str, steps: Callable[[int], Sequence[int]]) -> None:
    place = path.parent / "copies"
    place.mkdir()
    copies = (Path(shutil.copy(path, place / f"{number}.db")) for number in range(10_000))
    last = written_on(next(copies), WRITES[kind], 0, 0)[2]
    for first in steps(last):
        for times in (1, FOR_EVER):
            said, there, _ = written_on(next(copies), WRITES[kind], first, times)
            assert there if said == "kept" else not there or "look" in said, (first, times, said)
            assert times > 1 or said == "kept", "a write that the disk refused once is made again"


@pytest.mark.parametrize("kind", WRITES)
def test_what_was_kept_is_never_said_to_be_lost(path: Path, kind: str) -> None:
    writes_are_told_truly(path, kind, lambda last: sorted({1, last // 2, last - 1}))


@pytest.mark.slow
@pytest.mark.parametrize("kind", WRITES)
def test_what_was_kept_is_never_said_to_be_lost_at_any_step(path: Path, kind: str) -> None:
    writes_are_told_truly(path, kind, lambda last: range(1, last + 1))


def test_a_note_without_its_vector_is_kept_and_health_says_so(path: Path) -> None:
    copy = Path(shutil.copy(path, path.parent / "counted.db"))
    last = written_on(copy, WRITES["note"], 0, 0)[2]

    def work() -> str:
        memory = opened(path)
        failing(*CHANGES, first=last)
        WRITES["note"](memory)
        return " ".join(memory.health().problems)

    problems = in_child(work)
    assert "vectors failed" in problems
    assert "is kept" in problems
    assert is_there(path)
