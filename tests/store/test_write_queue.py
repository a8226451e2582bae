"""Processes that write to one file take turns: none starves, none waits for one that is dead or stopped."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from recollect.records import Message
from recollect.store.sqlite import SQLiteStore

from .children import Writer, in_child
from .samples import message

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere SQLite's own waiting must do")
EACH = 25


def queue_of(path: Path) -> Path:
    return path.with_name(path.name + "-queue")


def write_in_turn(path: Path, prefix: str, begin: Path) -> Callable[[Callable[[str], None]], None]:
    def work(tell: Callable[[str], None]) -> None:
        store = SQLiteStore(path, busy=2)
        tell("ready")
        while not begin.exists():
            time.sleep(0.001)
        for number in range(EACH):
            store.save("ana", [message(f"{prefix}-{number}")])
            tell(f"{prefix}-{number}")

    return work


@pytest.mark.parametrize("processes", [2, 8])
def test_all_of_several_writers_come_to_their_turn(path: Path, processes: int) -> None:
    writers = [Writer(write_in_turn(path, str(each), path.with_name("begin"))) for each in range(processes)]
    assert {writer.first() for writer in writers} == {"ready"}
    path.with_name("begin").touch()
    assert [len(writer.join()) for writer in writers] == [EACH] * processes
    order = [one.id.split("-")[0] for one in SQLiteStore(path).read("ana", Message)]
    until_one_was_done = order[: min(order.index(each, 0) + EACH for each in set(order))]
    assert len(order) == processes * EACH
    assert len(set(until_one_was_done)) == processes


def test_whoever_is_killed_in_its_turn_keeps_nobody_waiting(path: Path) -> None:
    def hold(tell: Callable[[str], None]) -> None:
        with SQLiteStore(path).transaction("ana"):
            tell("inside")
            time.sleep(60)

    SQLiteStore(path).close()
    writer = Writer(hold)
    assert writer.first() == "inside"
    writer.kill()
    began = time.monotonic()
    SQLiteStore(path, busy=20).save("ana", [message("m1")])
    assert time.monotonic() - began < 15


def test_whoever_was_stopped_while_waiting_is_passed_over(path: Path) -> None:
    def wait(tell: Callable[[str], None]) -> None:
        store = SQLiteStore(path, busy=60)
        tell("ready")
        while not begin.exists():
            time.sleep(0.001)
        tell("waits")
        store.save("ana", [message("m2")])

    begin = path.with_name("begin")
    writer = Writer(wait)
    store = SQLiteStore(path, busy=0.3)
    assert writer.first() == "ready"
    with store.transaction("ana"):
        store.save("ana", [message("m0")])
        begin.touch()
        assert writer.first() == "waits"
        time.sleep(0.5)
        os.kill(writer._child, signal.SIGSTOP)
    store.save("ana", [message("m1")])
    assert [one.id for one in store.read("ana", Message)] == ["m0", "m1"]
    os.kill(writer._child, signal.SIGCONT)
    writer.join()
    assert [one.id for one in store.read("ana", Message)] == ["m0", "m1", "m2"]


def test_the_last_one_to_close_leaves_no_queue_behind(path: Path) -> None:
    first, second = SQLiteStore(path), SQLiteStore(path)
    for number, store in enumerate((first, second)):
        store.save("ana", [message(f"m{number}")])
    first.close()
    assert queue_of(path).stat().st_size == 0
    in_child(lambda: SQLiteStore(path).save("ana", [message("m2")]))
    second.close()
    assert not queue_of(path).exists()


def test_a_store_that_is_only_read_makes_no_queue(path: Path) -> None:
    SQLiteStore(path).close()
    store = SQLiteStore(path)
    assert store.read("ana", Message) == []
    assert not queue_of(path).exists()


def test_a_store_closed_inside_a_transaction_leaves_the_queue_with_it(path: Path) -> None:
    store = SQLiteStore(path)
    with store.transaction("ana"):
        store.save("ana", [message("m1")])
        store.close()
    assert not queue_of(path).exists()


def test_a_queue_that_was_removed_is_made_anew(path: Path) -> None:
    store = SQLiteStore(path)
    store.save("ana", [message("m1")])
    queue_of(path).unlink()
    store.save("ana", [message("m2")])
    assert queue_of(path).exists()


def test_where_there_can_be_no_queue_the_store_is_written_all_the_same(path: Path) -> None:
    queue_of(path).mkdir()
    store = SQLiteStore(path)
    store.save("ana", [message("m1")])
    assert [one.id for one in store.read("ana", Message)] == ["m1"]


def test_a_fork_leaves_the_parents_turn_alone(path: Path) -> None:
    store = SQLiteStore(path)
    store.save("ana", [message("m1")])
    in_child(lambda: store.save("ana", [message("m2")]))
    store.save("ana", [message("m3")])
    assert [one.id for one in store.read("ana", Message)] == ["m1", "m2", "m3"]
