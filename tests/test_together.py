"""Adds that share a transaction: durable together, embedded in one call, each as if it were alone."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from recollect import Memory
from recollect.errors import InvalidInput


class Counting:
    """An embedder that remembers what it was asked for."""

    name, dim = "counting", 4

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        self.calls.append(list(texts))
        return np.ones((len(texts), 4), np.float32)


@pytest.fixture
def embedder() -> Counting:
    return Counting()


@pytest.fixture
def memory(tmp_path: Path, embedder: Counting) -> Memory:
    return Memory(tmp_path / "memory.db", owner="ana", embedder=embedder)


def test_adds_together_are_embedded_in_one_call(memory: Memory, embedder: Counting) -> None:
    with memory.together():
        memory.add("I live in Lisbon.")
        memory.add("Could you look again?")
        memory.of("bob").add("I like tea.")
    assert embedder.calls == [
        ["I live in Lisbon.", "lives in Lisbon", "Could you look again?", "I like tea.", "likes tea"]
    ]
    assert memory.store.counts("ana").models == {"counting": 3}
    assert memory.store.counts("bob").models == {"counting": 2}
    assert memory.health().vectors_missing == 0


def test_what_is_added_together_knows_what_came_before_it(memory: Memory) -> None:
    with memory.together():
        memory.add("My sister Anna lives in Berlin.")
        memory.add("Anna moved to Rome.")
        memory.add("I live in Lisbon.")
        memory.add("I moved to Porto.")
    assert memory.recall("home") == "Porto"
    assert memory.recall("home", subject="sister") == "Rome"


def test_an_add_that_is_refused_leaves_the_others(memory: Memory) -> None:
    with memory.together():
        memory.add("I like tea.")
        with pytest.raises(InvalidInput):
            memory.add(" ")
        memory.add("I like rice.")
    assert {fact.value for fact in memory.facts()} == {"tea", "rice"}


def test_nothing_is_kept_of_what_breaks_off(memory: Memory, embedder: Counting) -> None:
    def break_off() -> None:
        with memory.together():
            memory.add("I like tea.")
            raise KeyError("broken off")

    with pytest.raises(KeyError):
        break_off()
    assert memory.facts() == []
    memory.add("I like rice.")
    assert embedder.calls == [["I like rice.", "likes rice"]]


def test_an_embedder_that_fails_loses_no_words(tmp_path: Path) -> None:
    class Failing(Counting):
        def embed(self, texts: Sequence[str]) -> np.ndarray:
            raise OSError("no such model")

    memory = Memory(tmp_path / "memory.db", owner="ana", embedder=Failing())
    with memory.together():
        memory.add("I like tea.")
    assert memory.recall("likes") == "tea"
    assert memory.health().vectors_missing == 2


def test_a_dictionary_is_imported_with_one_call_of_the_embedder(
    memory: Memory, embedder: Counting, tmp_path: Path
) -> None:
    (tmp_path / "plain.json").write_text('{"home": "Lisbon", "likes": ["tea", "rice"]}', encoding="utf-8")
    memory.import_from(tmp_path / "plain.json")
    assert embedder.calls == [["lives in Lisbon", "likes tea", "likes rice"]]


class Slow(Counting):
    """An embedder for which writers would wait long."""

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        time.sleep(0.06 * len(texts))
        return super().embed(texts)


@pytest.fixture
def slow(tmp_path: Path) -> Memory:
    """A memory that knows already how long its embedder takes."""
    memory = Memory(tmp_path / "slow.db", owner="ana", embedder=Slow())
    memory.add("Could you look again?")
    return memory


def test_vectors_that_take_long_may_follow(slow: Memory) -> None:
    with slow.together(later=True):
        slow.add("I live in Lisbon.")
    assert (slow.vectors_waiting, slow.health().vectors_missing) == (2, 2)
    assert slow.recall("home") == "Lisbon"
    assert [slow.make_vectors(limit=1), slow.make_vectors(), slow.make_vectors()] == [1, 1, 0]
    assert (slow.vectors_waiting, slow.health().vectors_missing) == (0, 0)


def test_a_search_makes_the_vectors_of_its_owner_first(slow: Memory) -> None:
    with slow.together(later=True):
        slow.add("I live in Lisbon.")
        slow.of("bob").add("I like tea.")
    assert "lives in Lisbon" in [hit.text for hit in slow.search("Lisbon")]
    assert (slow.vectors_waiting, slow.health().vectors_missing) == (2, 0)
    assert slow.of("bob").health().vectors_missing == 2


def test_vectors_are_made_at_once_where_they_take_no_time_or_nobody_said_later(memory: Memory, slow: Memory) -> None:
    with memory.together(later=True):
        memory.add("I live in Lisbon.")
    with slow.together():
        slow.add("I live in Lisbon.")
    assert (
        memory.vectors_waiting,
        slow.vectors_waiting,
        memory.health().vectors_missing,
        slow.health().vectors_missing,
    ) == (0, 0, 0, 0)


def test_what_is_erased_before_its_vector_is_made_gets_none(slow: Memory) -> None:
    with slow.together(later=True):
        slow.add("I live in Lisbon.")
        slow.add("I like tea.")
    slow.erase("home")
    slow.make_vectors()
    assert slow.store.counts("ana").models == {"counting": 3}
    assert slow.health().vectors_missing == 0


def test_no_vector_follows_of_what_breaks_off(slow: Memory) -> None:
    def break_off() -> None:
        with slow.together(later=True):
            slow.add("I like tea.")
            raise KeyError("broken off")

    with pytest.raises(KeyError):
        break_off()
    assert slow.vectors_waiting == 0
