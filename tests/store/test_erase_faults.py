"""An erase that is broken off after its commit is finished, and its receipt is not lost."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from recollect import Memory
from recollect.errors import NotFound, StoreError

from .children import Writer, in_child
from .faults import CHANGES, READ, Disk, counted, failing, killed

WORDS = (b"yxolith", b"vorbex", b"ournhold", b"YXOLITH")


def bytes_of(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in path.parent.glob("memory.db*"))


def left_in(path: Path) -> list[bytes]:
    content = bytes_of(path).lower()
    return [word for word in WORDS if word.lower() in content]


def opened(path: Path | str) -> Memory:
    return Memory(path, owner="ana", embedder=None, reader=None)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("told") / "memory.db"
    with opened(path) as memory:
        memory.remember("doctor", "Zyxolith Qvorbex of Mournhold")
        memory.notes.write("/memories/a.md", "Buy bread on Friday. " * 40)
        for number in range(40):
            memory.add(f"Thing {number} is on shelf {number}.")
    return path


@pytest.fixture
def path(told: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(told, tmp_path / "memory.db"))


def erase_under(disk: Callable[[], Disk], path: Path) -> tuple[list[str], int]:
    """Erase in a child on such a disk; what it tells after the erase, and how many calls there were."""

    def work(tell: Callable[[str], None]) -> None:
        memory = opened(path)
        made = disk()
        receipt = memory.erase("doctor")
        tell(f"{receipt.verified}:{made.calls}")

    told = Writer(work).join()
    return [one.partition(":")[0] for one in told], int(told[0].partition(":")[2]) if told else 0


def steps(path: Path) -> int:
    """How many changes to its files an erase makes."""
    copy = path.parent / "counting"
    copy.mkdir()
    return erase_under(lambda: counted(*CHANGES), Path(shutil.copy(path, copy / "memory.db")))[1]


def killed_at(path: Path, step: int) -> None:
    place = path.parent / f"kill-{step}"
    place.mkdir()
    copy = Path(shutil.copy(path, place / "memory.db"))
    assert erase_under(lambda: killed(*CHANGES, at=step), copy) == ([], 0)
    with opened(copy) as memory:
        gone = memory.recall("doctor") is None
        assert not gone or not left_in(copy), "the erase is finished by opening"
        receipt = memory.erase("doctor")
        assert (receipt.facts, receipt.owner) == (1, "ana")
        assert all(one.startswith(("no embedder", "no reader")) for one in memory.health().problems)
        assert len(memory.search("shelf")) == 5
    assert not left_in(copy)
    shutil.rmtree(place)


def test_an_erase_that_is_killed_anywhere_is_finished_and_its_receipt_can_be_had(path: Path) -> None:
    last = steps(path)
    assert last > 10
    for step in sorted({*range(1, last + 1, 4), *range(max(1, last - 6), last + 1)}):
        killed_at(path, step)


@pytest.mark.slow
def test_an_erase_that_is_killed_at_any_step_is_finished(path: Path) -> None:
    for step in range(1, steps(path) + 1):
        killed_at(path, step)


def fails_at(path: Path, step: int) -> str:
    """What an erase says whose disk fails from that change on, and is well again afterwards."""
    place = path.parent / f"fail-{step}"
    place.mkdir()
    copy = Path(shutil.copy(path, place / "memory.db"))

    def work() -> tuple[str, bool]:
        memory = opened(copy)
        broken = [True]
        Disk(CHANGES, lambda call: errno.EIO if broken and call >= step else 0)
        try:
            receipt = memory.erase("doctor")
        except StoreError as error:
            broken.clear()
            return str(error), memory.recall("doctor") is not None
        broken.clear()
        assert memory.erase("doctor").facts == receipt.facts == 1
        return " ".join(receipt.residue), memory.recall("doctor") is None

    said, true = in_child(work)
    assert true, (step, said)
    with opened(copy) as memory:
        if "nothing of this write was kept" in said:
            assert memory.recall("doctor") is not None
            memory.erase("doctor")
        assert memory.erase("doctor").facts == 1
    assert not left_in(copy)
    return said


def test_a_disk_that_fails_after_the_commit_of_an_erase_is_told_as_such(path: Path) -> None:
    last = steps(path)
    said = [fails_at(path, step) for step in range(2, last + 1, 6)]
    assert any("the records are gone, but" in one for one in said)
    assert not any("the records are gone" in one and "kept" in one for one in said)


def test_a_receipt_can_be_had_again(path: Path) -> None:
    with opened(path) as memory:
        first = memory.erase("doctor")
        assert memory.erase("doctor") == first
        assert first.verified
        with pytest.raises(NotFound):
            memory.erase("dentist")
        with pytest.raises(NotFound):
            memory.of("bob").erase("doctor")
    with opened(path) as memory:
        assert memory.erase("doctor") == first


def test_a_receipt_that_named_others_is_not_verified_when_it_is_had_again(path: Path) -> None:
    with opened(path) as memory:
        memory.add("Ask Zyxolith Qvorbex of Mournhold.")
        first = memory.erase("doctor")
        again = memory.erase("doctor")
        assert (first.verified, again.verified, again.scanned) == (False, False, first.scanned)
        assert "other records" in again.residue[0]


def scans_through(path: Path, first: int) -> bool:
    """Whether an erase is verified that meets one bad read, counted from the end of its reads."""

    def work() -> bool:
        memory = opened(path)
        failing(READ, first=first)
        return memory.erase("doctor").verified

    return bool(in_child(work))


def test_one_bad_read_while_the_files_are_scanned_is_read_again(path: Path) -> None:
    reads = erase_under(lambda: counted(READ), Path(shutil.copy(path, path.parent / "memory.db.counted")))[1]
    for first in range(reads // 2, reads, 3):
        copy = path.parent / f"read-{first}"
        copy.mkdir()
        assert scans_through(Path(shutil.copy(path, copy / "memory.db")), first), (first, reads)


def test_what_a_reader_blocked_is_done_when_the_same_is_erased_again(path: Path) -> None:
    with opened(path) as memory:
        reader = apsw.Connection(str(path))
        reader.execute("begin; select * from facts").fetchall()
        memory.store._busy = 0.1
        assert any("another process is reading" in line for line in memory.erase("doctor").residue)
        assert any("broken off" in line for line in memory.health().problems)
        reader.close()
        assert "no scan could look for them" in memory.erase("doctor").residue[0]
        assert not left_in(path)
        assert not any("broken off" in line for line in memory.health().problems)


def test_what_was_asked_is_kept_in_no_form_that_can_be_read(path: Path) -> None:
    with opened(path) as memory:
        memory.add("Vellichor called about the parcel.")
        memory.erase(subject="Vellichor")
    assert b"ellichor" not in bytes_of(path)


def test_an_erase_of_rows_that_postgres_lost_the_answer_of_gives_its_receipt_again(postgres_url: str) -> None:
    with opened(postgres_url) as memory:
        memory.remember("doctor", "Zyxolith")
        memory.store.erase("ana", [memory.facts()[0].id], request="a", at=memory.tick())
        assert any("broken off" in line for line in memory.health().problems)
    with opened(postgres_url) as memory:
        assert not any("broken off" in line for line in memory.health().problems)
        memory.remember("doctor", "Zyxolith")
        first = memory.erase("doctor")
        again = memory.erase("doctor")
    assert (first.facts, first.at, first.verified) == (again.facts, again.at, again.verified) == (1, first.at, False)
