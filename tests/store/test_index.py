"""The index in memory never differs from what the file says."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from recollect.store import Match
from recollect.store.conditions import select_sql
from recollect.store.index import OwnerIndex
from recollect.store.sqlite import SQLiteStore
from recollect.store.vectors import Space, packed_all, unpacked
from recollect.text.words import terms

from .samples import day, fact, message, new_items

WORDS = ["window", "aisle", "tea", "coffee", "porto", "rome"]


def answers(store: SQLiteStore, owner: str) -> list[list[Match]]:
    asked = np.array([1, 2, 3], np.float32)
    found = [store.match_words(owner, terms(word), limit=20, holding=at) for word in WORDS for at in (None, day(2))]
    return [
        *found,
        store.match_vector(owner, "toy", asked, limit=20),
        store.match_words(owner, terms("rome tea"), limit=2),
    ]


def change_something(store: SQLiteStore, owner: str, chance: random.Random) -> None:
    text = " ".join(chance.choices(WORDS, k=chance.randint(0, 6)))
    name = f"f{chance.randrange(30)}"
    what = chance.randrange(5)
    if what == 0:
        store.save(owner, [message(f"m{chance.getrandbits(60)}", text, owner=owner)])
    elif what == 1:
        store.erase(owner, [name])
    elif what == 2:
        vector = np.array([chance.randint(-2, 2) for _ in range(3)], np.float32)
        store.save_vectors(owner, "toy", {name: vector})
    else:
        until = chance.choice([None, day(1), day(3)])
        store.save(owner, [fact(name, text, owner=owner, until=until, retired=chance.choice([None, None, day(1)]))])


@pytest.mark.parametrize("seed", range(4))
def test_an_index_that_caught_up_equals_a_new_one(path: Path, seed: int) -> None:
    chance = random.Random(seed)
    writer, reader, forgetful = SQLiteStore(path), SQLiteStore(path), SQLiteStore(path, index_bytes=1)
    for step in range(250):
        owner = chance.choice(["ana", "bob"])
        change_something(writer, owner, chance)
        if step % 10 == 0:
            fresh = SQLiteStore(path)
            expected = answers(fresh, owner)
            fresh.close()
            assert answers(writer, owner) == answers(reader, owner) == answers(forgetful, owner) == expected
    assert writer.check() == []


def test_adding_one_by_one_seldom_copies() -> None:
    space, index, copies = Space(64), OwnerIndex(1), 0
    for number in range(1, 2001):
        before = space._numbers
        index.add(new_items([(number, 1, 0, 1, 5, f"f{number}")]))
        index.add_vectors(space, np.array([number]), packed_all(np.ones((1, 64), np.float32))[0])
        copies += space._numbers is not before
    assert space.count == index.count == 2000
    assert copies < 25


def test_a_packed_vector_keeps_its_direction() -> None:
    vectors = np.random.default_rng(1).standard_normal((50, 256)).astype(np.float32)
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    back = unpacked(packed_all(vectors), 256)
    assert (np.sum(units * back, axis=1) > 0.9998).all()
    assert not unpacked(packed_all(np.stack([np.zeros(256), np.full(256, 1e-45)]).astype(np.float32)), 256)[0].any()


def test_a_hint_for_the_newest_rows_does_not_reach_the_rows_of_all_owners() -> None:
    sql = select_sql("facts indexed by facts_by_subject", ("id",), ["owner = :owner"], key="item", last=True)
    outer, _, inner = sql.partition(" in (")
    assert outer == "select id from facts where owner = :owner and item"
    assert inner.startswith("select item from facts indexed by facts_by_subject where owner = :owner")
