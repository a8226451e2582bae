"""Stores that move: copied, backed up, restored, with another embedder; from SQLite to PostgreSQL and back."""

from __future__ import annotations

import hashlib
import json
import os
import signal
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from recollect import Memory
from recollect.errors import InvalidInput
from recollect.records import Change, Fact, Message, Note
from recollect.store import Query, Store
from recollect.store.postgres.writing import number_of
from recollect.store.sqlite import upkeep

from ..cli.conftest import Cli, cli
from .children import Writer
from .raw import raw
from .samples import message

__all__ = ["cli"]


class Letters:
    """An embedder that counts letters; two with other names give vectors that can't be compared."""

    def __init__(self, name: str, dim: int = 16) -> None:
        self.name, self.dim = name, dim
        self.asked = 0

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self.asked += len(texts)
        rows = np.zeros((len(texts), self.dim), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                place = int.from_bytes(hashlib.blake2b(f"{self.name}{word}".encode(), digest_size=4).digest(), "big")
                row[place % self.dim] += 1
        return rows / np.maximum(1e-9, np.linalg.norm(rows, axis=1, keepdims=True))


def fill(memory: Memory) -> None:
    for owner in ("ana", "bob"):
        one = memory.of(owner)
        one.add(["I live in Lisbon.", "I like window seats.", "naïve\0 日本 👩‍👩‍👧"], session="monday")
        one.remember("home", "Porto")
        one.notes.write("/memories/a.md", "one")
        one.notes.write("/memories/a.md", "two")
        one.forget("home")


def same(one: Store, other: Store) -> bool:
    def kept(store: Store) -> object:
        return [
            (
                store.read(owner, Message),
                store.read(owner, Fact),
                store.read(owner, Note),
                store.read(owner, Change),
                store.counts(owner),
            )
            for owner in store.owners()
        ]

    return kept(one) == kept(other) and one.owners() == other.owners()


def test_a_store_is_the_same_after_it_moved_there_and_back(path: Path, postgres_url: str) -> None:
    with Memory(path) as source:
        fill(source)
        there = source.copy_to(postgres_url)
        with Memory(postgres_url) as server:
            assert same(source.store, server.store)
            back = server.copy_to(path.with_name("back.db"))
            assert [hit.id for hit in server.of("ana").search("window seats")] == [
                hit.id for hit in source.of("ana").search("window seats")
            ]
        with Memory(path.with_name("back.db")) as returned:
            assert same(source.store, returned.store)
            assert returned.store.check() == []
    assert there == back
    assert (there.owners, len(there.sha256)) == (2, 64)


def test_a_copy_that_broke_off_goes_on(path: Path, postgres_url: str) -> None:
    class Enough(Exception):
        pass

    def break_off(done: int, total: int) -> None:
        if done > 3:
            raise Enough

    with Memory(path) as source:
        fill(source)
        with pytest.raises(Enough):
            source.copy_to(postgres_url, progress=break_off)
        whole = source.copy_to(postgres_url)
        assert source.copy_to(postgres_url) == whole
        source.of("ana").remember("seat", "aisle")
        assert source.copy_to(postgres_url).records > whole.records
        with Memory(postgres_url) as server:
            assert same(source.store, server.store)


def test_a_copy_never_writes_over_what_is_not_its_own(path: Path, postgres_url: str) -> None:
    with Memory(path) as source, Memory(postgres_url) as server:
        fill(source)
        server.of("ana").remember("seat", "aisle")
        with pytest.raises(InvalidInput, match="empty store"):
            source.copy_to(postgres_url)
        assert server.of("ana").recall("seat") == "aisle"


def test_what_still_waits_is_still_waiting_in_the_copy(path: Path, postgres_url: str) -> None:
    with Memory(path) as source, Memory(postgres_url) as server:
        source.store.save("ana", [message("m1"), message("m2")])
        source.store.settle("ana", ["m1"])
        source.copy_to(postgres_url)
        assert [one.id for one in server.store.read("ana", Message, Query(waiting=True, first=9))] == ["m2"]


@pytest.mark.parametrize("place", ["file", "postgres"])
def test_a_backup_is_restored(place: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    where = str(tmp_path / "memory.db") if place == "file" else request.getfixturevalue("postgres_url")
    with Memory(where) as memory:
        fill(memory)
        memory.backup(tmp_path / "backup.db")
        with pytest.raises(InvalidInput, match="already"):
            memory.backup(tmp_path / "backup.db")
        memory.of("ana").erase(everything=True)
        with Memory(tmp_path / "backup.db") as kept:
            kept.copy_to(memory.store)
    with Memory(where) as again, Memory(tmp_path / "backup.db") as kept:
        assert same(again.store, kept.store)
        assert again.store.check() == []


@pytest.mark.parametrize("place", ["file", "postgres"])
def test_a_backup_that_is_killed_never_stands_for_a_whole_one(
    place: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    where = str(tmp_path / "memory.db") if place == "file" else request.getfixturevalue("postgres_url")
    with Memory(where) as memory:
        fill(memory)

    def back_up(tell: Callable[[str], None]) -> None:
        """Dies when ana is copied and bob is not, or when the copy of a file is there and not looked over yet."""
        with Memory(where) as memory, pytest.MonkeyPatch.context() as patch:
            patch.setattr(upkeep, "check", lambda connection: os.kill(os.getpid(), signal.SIGKILL))
            read = memory.store.read

            def dying(owner: str, kind: Any, *query: Query) -> Any:
                return (
                    os.kill(os.getpid(), signal.SIGKILL)
                    if (owner, kind) == ("bob", Note)
                    else read(owner, kind, *query)
                )

            patch.setattr(memory.store, "read", dying)
            tell("begun")
            memory.backup(tmp_path / "backup.db")
            tell("done")

    assert Writer(back_up).join() == ["begun"]
    assert list(tmp_path.glob("backup.db.*.part"))
    assert not (tmp_path / "backup.db").exists()
    with Memory(where) as memory:
        memory.backup(tmp_path / "backup.db")


def test_a_backup_that_fails_leaves_nothing_behind(tmp_path: Path, postgres_url: str) -> None:
    with Memory(postgres_url) as memory, pytest.MonkeyPatch.context() as patch:
        fill(memory)
        patch.setattr(memory.store, "read", lambda *asked: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            memory.backup(tmp_path / "backup.db")
    assert list(tmp_path.iterdir()) == []


def test_the_commands_move_a_store(cli: Cli, tmp_path: Path, postgres_url: str) -> None:
    cli("add", "I live in Lisbon.")
    assert "copied" in cli("copy", cli.db, postgres_url)
    server = Cli(postgres_url)  # type: ignore[arg-type]
    assert "Lisbon" in server("recall", "home")
    server("backup", tmp_path / "b.db")
    restored = Cli(tmp_path / "new.db")
    assert restored.json("restore", tmp_path / "b.db") == cli.json("copy", cli.db, tmp_path / "third.db")
    assert "Lisbon" in restored("recall", "home")
    cli("copy", tmp_path / "missing.db", tmp_path / "x.db")
    assert (cli.code, "no store" in cli.err) == (2, True)


def test_the_commands_make_and_tend_a_store_on_a_server(cli: Cli, postgres_url: str) -> None:
    assert cli.json("store", "init", postgres_url, "--partitions", "2")["partitions"] == 2
    server = Cli(postgres_url)  # type: ignore[arg-type]
    server("store", "index")
    assert (server.code, "no vectors" in server.err) == (2, True)
    server("add", "I live in Lisbon.")
    assert "indexed: the vectors of 'me'" in server("store", "index")
    assert "Lisbon" in server("search", "where do I live?")
    cli("store", "init", "memory.db")
    assert (cli.code, "PostgreSQL" in cli.err) == (2, True)


def test_the_index_is_of_the_present_embedder(cli: Cli, postgres_url: str) -> None:
    with Memory(postgres_url, owner="me", embedder=Letters("a letter counter"), reader=None) as memory:
        memory.add(["red kite", "green boat"])
    server = Cli(postgres_url)  # type: ignore[arg-type]
    server("reembed")
    server("store", "index")
    with Memory(postgres_url, owner="me") as memory:
        former, present = memory.store.counts("me").models, memory.health().embedder
    assert former == {"a letter counter": 2, present: 2}
    assert raw(postgres_url, "select near from owners", owner="*") == [(str(number_of(present)),)]


def test_both_generations_are_served_while_the_embedder_changes(store: Store) -> None:
    old, new = Letters("old"), Letters("new", 24)
    Memory(store, owner="ana", embedder=old, reader=None).add(["red kite", "green boat"])
    memory = Memory(store, owner="ana", embedder=new, previous_embedder=old, reader=None)
    memory.add("blue kite")
    found = {hit.text: hit.found_by for hit in memory.search("kite")}
    assert {"red kite", "blue kite"} <= found.keys()
    assert all("meaning" in signals for text, signals in found.items() if "kite" in text)


def test_no_score_mixes_two_embedders(store: Store) -> None:
    old, new = Letters("old"), Letters("new")  # of one length, so that only the fingerprint tells them apart
    before = Memory(store, owner="ana", embedder=old, reader=None)
    before.add(["red kite", "green boat"])
    new_ids = [one.id for one in store.read("ana", Message)][:1]
    memory = Memory(store, owner="ana", embedder=new, previous_embedder=old, reader=None)
    store.save_vectors("ana", "new", dict(zip(new_ids, new.embed(["red kite"]), strict=True)))
    for text, embedder in (("red kite", new), ("green boat", old)):
        hit = next(one for one in memory.search(text) if one.text == text)
        strength = next(reason.strength for reason in hit.reasons if reason.signal == "meaning")
        cosine = float((embedder.embed([text]) @ embedder.embed([text]).T)[0, 0])
        assert strength == pytest.approx(min(1.0, cosine), abs=0.02)


def test_reembedding_goes_on_where_it_broke_off(store: Store) -> None:
    class Tired(Letters):
        def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
            if self.asked >= 256:
                raise TimeoutError("no more today")
            return super().embed(texts)

    Memory(store, owner="ana", embedder=Letters("old"), reader=None).add([f"line {n}" for n in range(300)])
    with pytest.raises(Exception, match="no more today"):
        Memory(store, owner="ana", embedder=Tired("new"), reader=None).reembed()
    assert store.counts("ana").models == {"new": 256, "old": 300}
    rested = Letters("new")
    assert Memory(store, owner="ana", embedder=rested, reader=None).reembed(drop_old=True) == rested.asked == 44
    assert store.counts("ana").models == {"new": 300}


def test_the_command_embeds_everyone(cli: Cli) -> None:
    with Memory(cli.db, embedder=Letters("old"), reader=None) as memory:
        memory.of("ana").add("red kite")
        memory.of("bob").add("green boat")
    assert "2 records of 2 owners" in cli("reembed", "--everyone", "--drop-old")
    with Memory(cli.db) as memory:
        assert list(memory.store.counts("bob").models) == [memory.health().embedder]


def test_lines_however_they_are_written_become_the_same_records(store: Store, path: Path) -> None:
    with Memory(path.with_name("source.db"), owner="ana") as source, Memory(store, owner="ana") as memory:
        fill(source)
        source.export_to(path.with_name("as.jsonl"))
        header, *lines = path.with_name("as.jsonl").read_text(encoding="utf-8").splitlines()
        told = [json.loads(line) for line in lines]
        bare = [
            {
                "record": {name: part for name, part in sorted(line["record"].items()) if part not in (None, [], "")},
                "kind": line["kind"],
            }
            for line in told
        ]
        path.with_name("bare.jsonl").write_text("\n\n".join([header, *map(json.dumps, bare)]), encoding="utf-8")
        assert memory.import_from(path.with_name("as.jsonl")) == len(lines)
        assert memory.import_from(path.with_name("bare.jsonl")) == 0
        assert memory.of("bob").import_from(path.with_name("bare.jsonl")) == len(lines)
        assert memory.store.read("ana", Fact) == source.store.read("ana", Fact)
        assert memory.store.read("ana", Message) == source.store.read("ana", Message)
        assert memory.store.read("ana", Change) == source.store.read("ana", Change)
        assert memory.store.read("ana", Note) == source.store.read("ana", Note)
        assert [replace(fact, owner="ana") for fact in memory.store.read("bob", Fact)] == source.store.read("ana", Fact)
