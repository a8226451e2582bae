"""Erased means erased: not a byte of it is left in any file of the store."""

from __future__ import annotations

import random
from pathlib import Path

import apsw
import numpy as np
import pytest

from recollect.records import Message, Source
from recollect.store.sqlite import SQLiteStore

from .children import in_child
from .samples import change, fact, message, note

SECRET = 'The zyxolith "Qvorbex" lies under the ninth stone of Mournhold-Éà.'


def bytes_of(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in path.parent.iterdir())


def vocabulary(path: Path) -> set[str]:
    """All terms of the word index, and the keys of its upper level, which are beginnings of terms."""
    connection = apsw.Connection(str(path))
    connection.execute("create virtual table temp.all_words using fts5vocab(main, words, row)")
    words = {term for (term,) in connection.execute("select term from all_words")}
    keys = {
        bytes(term).decode(errors="replace") for (term,) in connection.execute("select term from words_idx") if term
    }
    connection.close()
    return words | keys


def fill(store: SQLiteStore, count: int) -> None:
    chance = random.Random(3)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(chance.choices(letters, k=8)) for _ in range(count * 2)]
    store.save("ana", [message(f"m{n}", " ".join(chance.choices(words, k=20))) for n in range(count)])


def keep_secret(store: SQLiteStore) -> None:
    store.save("ana", [message("secret", SECRET, raw={"content": SECRET}), message("other", "Tea.")])
    store.save("ana", [fact("f1", SECRET, value=SECRET, why=SECRET, sources=(Source("secret", SECRET),))])
    store.save("ana", [fact("f2", "Knows a stone.", sources=(Source("secret", SECRET),))])
    store.save("ana", [note("n1", SECRET * 300)])
    store.save("ana", [change("c1", "f1", after={"text": SECRET}), change("c2", "n1", before={"text": SECRET})])
    logged = {"sources": [{"message": "secret", "quote": SECRET}]}
    store.save("ana", [change("c3", "f2", after=logged)])
    store.save_vectors("ana", "toy", {"f1": np.arange(-32, 32, dtype=np.float32)})


@pytest.mark.parametrize("count", [0, 10, 2000])
def test_no_byte_of_an_erased_text_is_left(path: Path, count: int) -> None:
    store = SQLiteStore(path)
    fill(store, count)
    keep_secret(store)
    packed = np.rint(np.arange(-32, 32) * 127 / 32).astype(np.int8).tobytes()[:24]
    assert SECRET.encode() in bytes_of(path)
    assert packed in bytes_of(path)
    store.erase("ana", ["secret", "f1", "n1"])
    scanned, residue = store.scrub([SECRET])
    assert (residue, scanned) == ((), (str(path), f"{path}-wal"))
    left = bytes_of(path)
    for part in ("zyxolith", "Qvorbex", "ninth stone", "Mournhold", "qvorbex", "mournhold"):
        assert part.encode() not in left, part
    assert packed not in left
    assert not [term for term in vocabulary(path) if "zyx" in term or "qvo" in term or "mournh" in term]
    assert store.check() == []


def test_terms_between_leaves_of_the_word_index_are_gone(path: Path) -> None:
    store = SQLiteStore(path)
    fill(store, 3000)
    keys = [key.partition("_")[2] for key in vocabulary(path) if key.startswith("0") and len(key.partition("_")[2]) > 3]
    unique = keys[len(keys) // 2]
    matching = [
        one for one in store.read("ana", Message) if any(word.startswith(unique) for word in one.content.split())
    ]
    assert matching
    store.erase("ana", [one.id for one in matching])
    assert store.scrub([one.content for one in matching])[1] == ()
    assert not [term for term in vocabulary(path) if unique in term]
    assert store.check() == []


def test_an_erased_owner_leaves_no_name(path: Path) -> None:
    store = SQLiteStore(path)
    store.save("vellichor@example.org", [message("m1", SECRET, owner="vellichor@example.org")])
    store.save("bob", [message("m1", owner="bob")])
    store.erase("vellichor@example.org", ["m1"])
    assert store.scrub([SECRET, "vellichor@example.org"])[1] == ()
    assert b"vellichor" not in bytes_of(path)


def test_a_reader_that_blocks_is_named(path: Path) -> None:
    store = SQLiteStore(path, busy=0.1)
    keep_secret(store)
    reader = apsw.Connection(str(path))
    reader.execute("begin")
    reader.execute("select * from messages").fetchall()
    store.erase("ana", ["secret", "f1", "n1"])
    _, residue = store.scrub([SECRET])
    assert any("another process is reading" in line for line in residue)
    reader.close()
    assert store.scrub([SECRET])[1] == ()
    assert b"zyxolith" not in bytes_of(path)


def test_the_same_words_of_another_owner_are_kept_and_not_spoken_of(path: Path) -> None:
    store = SQLiteStore(path)
    keep_secret(store)
    store.save("bob", [message("m1", f"He said: {SECRET}", owner="bob")])
    store.erase("ana", ["secret", "f1", "n1"])
    _, residue = store.scrub([SECRET])
    assert residue == ()
    assert len(store.read("bob", Message)) == 1


def test_what_a_store_without_secure_delete_left_is_found_and_removed(path: Path) -> None:
    SQLiteStore(path).close()
    careless = apsw.Connection(str(path))
    careless.execute("create table scraps (text)")
    careless.execute("insert into scraps values (?)", (SECRET * 200,))
    careless.execute("delete from scraps; drop table scraps")
    careless.close()
    assert b"zyxolith" in bytes_of(path)
    store = SQLiteStore(path)
    assert store.scrub([SECRET])[1] == ()
    assert b"zyxolith" not in bytes_of(path)


def test_locks_survive_a_scan(path: Path) -> None:
    store = SQLiteStore(path)
    keep_secret(store)
    store.erase("ana", ["secret"])
    store.scrub([SECRET])

    def last_one_out() -> None:
        other = SQLiteStore(path)
        other.save("ana", [message("child")])
        other.close()

    in_child(last_one_out)
    store.save("ana", [message("parent")])
    assert {"child", "parent"} <= {one.id for one in SQLiteStore(path).read("ana", Message)}


def test_short_texts_are_not_looked_for(sqlite: SQLiteStore) -> None:
    sqlite.save("ana", [message("m1", "tea"), message("m2", "tea")])
    sqlite.erase("ana", ["m1"])
    assert sqlite.scrub(["tea", ""])[1] == ()
