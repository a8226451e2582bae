"""Many processes and threads on one store: nothing that was acknowledged is lost."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from recollect import Memory
from recollect.errors import StoreError
from recollect.records import Message
from recollect.store import Query
from recollect.store.sqlite import SQLiteStore
from recollect.text.words import terms

from .children import Writer, in_child
from .samples import fact, message


def write_many(path: Path, prefix: str, count: int) -> Callable[[Callable[[str], None]], None]:
    def work(tell: Callable[[str], None]) -> None:
        store = SQLiteStore(path)
        for number in range(count):
            name = f"{prefix}-{number}"
            with store.transaction("ana"):
                store.save("ana", [message(name)])
                store.save("ana", [fact(f"f-{name}")])
                store.save_vectors("ana", "toy", {f"f-{name}": np.ones(8, np.float32)})
            tell(name)

    return work


def test_two_processes_writing_at_once_lose_nothing(path: Path) -> None:
    writers = [Writer(write_many(path, prefix, 100)) for prefix in ("a", "b", "c")]
    told = [name for writer in writers for name in writer.join()]
    with_all = SQLiteStore(path)
    assert len(told) == 300
    assert {one.id for one in with_all.read("ana", Message)} == set(told)
    assert len(with_all.match_words("ana", terms("window"), limit=1000)) == 600
    assert with_all.check() == []


def test_kill_9_loses_nothing_that_was_acknowledged(path: Path) -> None:
    chance = random.Random(7)
    told: set[str] = set()
    for cycle in range(2000):
        if cycle >= 200 and len(told) > 100:  # on a slow disk it takes more of them until enough was acknowledged
            break
        writers = [Writer(write_many(path, f"{cycle}-{each}", 10_000)) for each in range(4)]
        time.sleep(chance.uniform(0.002, 0.06))
        for writer in writers:
            told.update(writer.kill())
        store = SQLiteStore(path)
        kept = {one.id for one in store.read("ana", Message)}
        assert told <= kept, f"cycle {cycle} lost {told - kept}"
        assert cycle % 20 or store.check() == []
        store.close()
    store = SQLiteStore(path)
    counts = store.counts("ana")
    assert counts.messages == counts.facts == counts.vectors >= len(told) > 100
    assert store.check() == []


def test_the_kill_test_would_notice_a_loss(path: Path) -> None:
    def tell_too_early(tell: Callable[[str], None]) -> None:
        store = SQLiteStore(path)
        with store.transaction("ana"):
            store.save("ana", [message("m1")])
            tell("m1")
            time.sleep(60)

    writer = Writer(tell_too_early)
    assert writer.first() == "m1"
    writer.kill()
    assert SQLiteStore(path).read("ana", Message) == []


@pytest.fixture(params=["file", "postgres"])
def where(request: pytest.FixtureRequest, path: Path) -> str:
    """A store that processes can share."""
    return str(path) if request.param == "file" else str(request.getfixturevalue("postgres_url"))


def test_processes_that_write_one_attribute_leave_one_value(where: str) -> None:
    def move(number: int) -> Callable[[Callable[[str], None]], None]:
        def work(tell: Callable[[str], None]) -> None:
            with Memory(where, owner="ana", embedder=None) as memory:
                for street in range(5):
                    memory.remember("home", f"Street {number}-{street}")
            tell(str(number))

        return work

    Memory(where).close()
    writers = [Writer(move(number)) for number in range(4)]
    assert [writer.join() for writer in writers] == [["0"], ["1"], ["2"], ["3"]]
    with Memory(where, owner="ana", embedder=None) as memory:
        history = memory.history("home")
        assert len(history) == 20
        assert [one.until is None for one in history] == [False] * 19 + [True]
        assert [one.until for one in history[:-1]] == [one.since for one in history[1:]]
        assert memory.store.check() == []


def test_what_another_process_wrote_is_seen_at_once(where: str) -> None:
    with Memory(where, owner="ana") as memory:
        memory.remember("home", "Lisbon")
        assert memory.search("where is home?")

        def elsewhere() -> None:
            with Memory(where, owner="ana") as other:
                assert other.recall("home") == "Lisbon"
                other.remember("home", "Porto")
                other.notes.write("/memories/persona.md", "a pirate", pinned=True)

        in_child(elsewhere)
        assert memory.recall("home") == "Porto"
        assert "Porto" in memory.search("where is home?")[0].text
        assert "a pirate" in memory.context("hello").stable
        in_child(lambda: Memory(where, owner="ana").erase(everything=True))
        assert (memory.recall("home"), memory.search("where is home?"), memory.owners()) == (None, [], [])


def test_another_process_is_seen_at_the_next_call(path: Path) -> None:
    store = SQLiteStore(path)
    store.save("ana", [fact("f1")])
    store.save_vectors("ana", "toy", {"f1": np.array([1, 0], np.float32)})

    def both() -> tuple[list[str], list[str]]:
        words = store.match_words("ana", terms("window"), limit=5)
        near = store.match_vector("ana", "toy", np.array([1, 0], np.float32), limit=5)
        return [one.id for one in words], [one.id for one in near]

    assert both() == (["f1"], ["f1"])

    def add() -> None:
        other = SQLiteStore(path)
        other.save("ana", [fact("f2")])
        other.save_vectors("ana", "toy", {"f2": np.array([1, 0], np.float32)})

    in_child(add)
    assert both() == (["f2", "f1"], ["f2", "f1"])
    in_child(lambda: SQLiteStore(path).erase("ana", ["f1"]))
    assert both() == (["f2"], ["f2"])


def test_a_forked_child_gets_its_own_connection(path: Path) -> None:
    store = SQLiteStore(path)
    store.save("ana", [message("m1")])
    assert in_child(lambda: [one.id for one in store.read("ana", Message)]) == ["m1"]
    in_child(lambda: store.save("ana", [message("m2")]))
    store.save("ana", [message("m3")])
    store.close()
    assert [one.id for one in SQLiteStore(path).read("ana", Message)] == ["m1", "m2", "m3"]


def test_parent_and_child_write_at_once(path: Path) -> None:
    store = SQLiteStore(path)
    store.save("ana", [message("m0")])

    def work(tell: Callable[[str], None]) -> None:
        for number in range(50):
            store.save("ana", [message(f"child-{number}")])
            tell(f"child-{number}")

    writer = Writer(work)
    for number in range(50):
        store.save("ana", [message(f"parent-{number}")])
    store.close()
    assert len(writer.join()) == 50
    assert SQLiteStore(path).counts("ana").messages == 101


def test_a_fork_while_threads_write_harms_nothing(path: Path) -> None:
    store = SQLiteStore(path)
    threads = [threading.Thread(target=write_some, args=(store, f"t{number}", 40)) for number in range(4)]
    for thread in threads:
        thread.start()
    for number in range(5):
        in_child(lambda number=number: store.save("ana", [message(f"child-{number}")]))
    for thread in threads:
        thread.join()
    assert store.counts("ana").messages == 165
    assert store.check() == []


def test_a_child_forked_inside_a_transaction_is_told_so(path: Path) -> None:
    store = SQLiteStore(path)

    def use() -> str:
        with pytest.raises(StoreError, match="fork"):
            store.read("ana", Message)
        return "told"

    with store.transaction("ana"):
        store.save("ana", [message("m1")])
        assert in_child(use) == "told"
    assert len(store.read("ana", Message)) == 1


def write_some(store: SQLiteStore, prefix: str, count: int) -> None:
    for number in range(count):
        store.save("ana", [message(f"{prefix}-{number}")])


def test_32_threads_share_one_store(sqlite: SQLiteStore) -> None:
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            write_some(sqlite, str(number), 8)
            assert sqlite.match_words("ana", terms("window"), limit=5)
            assert len(sqlite.read("ana", Message, Query(ids=[f"{number}-7"]))) == 1
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert sqlite.counts("ana").messages == 256
    assert len(sqlite.match_words("ana", terms("window"), limit=999)) == 256


def test_another_thread_sees_only_what_is_committed(path: Path) -> None:
    store = SQLiteStore(path)
    store.save("ana", [message("m1")])
    seen: list[int] = []

    def look() -> None:
        seen.append(len(store.read("ana", Message)) + len(store.match_words("ana", terms("window"), limit=9)))

    with store.transaction("ana"):
        store.save("ana", [message("m2")])
        assert len(store.match_words("ana", terms("window"), limit=9)) == 2
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    assert seen == [2]


def test_a_writer_that_waits_too_long_is_told(path: Path) -> None:
    holder, waiting = SQLiteStore(path), SQLiteStore(path, busy=0.2)
    with holder.transaction("ana"):
        holder.save("ana", [message("m1")])
        with pytest.raises(StoreError, match="another process"):
            waiting.save("ana", [message("m2")])
        assert waiting.read("ana", Message) == []
    waiting.save("ana", [message("m2")])


def test_a_closed_store_says_so(sqlite: SQLiteStore) -> None:
    sqlite.save("ana", [message("m1")])
    sqlite.close()
    sqlite.close()
    for use in (lambda: sqlite.read("ana", Message), sqlite.owners, lambda: sqlite.save("ana", [message("m2")])):
        with pytest.raises(StoreError, match="closed"):
            use()


@pytest.mark.parametrize("replaced", [False, True])
def test_a_file_deleted_while_open_is_noticed(path: Path, replaced: bool) -> None:
    store = SQLiteStore(path)
    store.save("ana", [message("m1")])
    for file in path.parent.iterdir():
        file.unlink()
    if replaced:
        SQLiteStore(path).close()
    with pytest.raises(StoreError, match="deleted, moved or replaced"):
        store.save("ana", [message("m2")])


def test_leaving_without_close_loses_nothing(path: Path) -> None:
    def work() -> None:
        SQLiteStore(path).save("ana", [message("m1")])
        os._exit(1)

    with pytest.raises(AssertionError):
        in_child(work)
    assert len(SQLiteStore(path).read("ana", Message)) == 1
