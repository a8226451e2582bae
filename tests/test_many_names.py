"""What a search, an add and a note cost goes by what they speak of, not by how many people and notes there are."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from recollect import Memory
from recollect.errors import InvalidInput

MOST = 2.5
"""How many times the CPU of a small memory a large one may take; before, it was 10 to 30. Others share the machine."""


def cpu(work: Callable[[int], object], times: int) -> float:
    """The least CPU that one of several rounds took."""
    rounds = []
    for part in range(5):
        began = time.process_time()
        for number in range(times):
            work(part * times + number)
        rounds.append(time.process_time() - began)
    return min(rounds)


@pytest.fixture(scope="module")
def known() -> Callable[[int], Memory]:
    """A memory of 6,000 records in which so many subjects are named."""

    def fill(many: int) -> Memory:
        memory = Memory(":memory:", owner="me", embedder="quick", reader="plain")
        with memory.store.transaction("me"):
            for number in range(3_000):
                if number < many:
                    memory.remember("friend", f"Person{number:04}")
                else:
                    memory.remember(f"shelf {number}", f"Thing{number:04}")
        return memory

    made: dict[int, Memory] = {}
    return lambda many: made.setdefault(many, made[many] if many in made else fill(many))


def test_a_search_costs_the_same_with_few_and_with_very_many_names(known: Callable[[int], Memory]) -> None:
    few, many = known(10), known(3_000)
    took = [cpu(lambda _, memory=memory: memory.search("Where does Person0007 live?"), 10) for memory in (few, many)]
    assert took[1] <= MOST * took[0]
    assert "Person0007" in many.search("Who is Person0007?")[0].text


def test_a_search_for_a_relation_costs_the_same_with_some_and_with_very_many_of_it() -> None:
    took = []
    for many in (50, 8_000):
        memory = Memory(":memory:", owner="me", embedder=None, reader=None)
        with memory.store.transaction("me"):
            for number in range(many):
                memory.remember("friend", f"Person{number:04}")
        took.append(cpu(lambda _, memory=memory: memory.search("Who are my friends?"), 20))
    assert took[1] <= 1.6 * took[0]


def test_an_add_costs_the_same_with_few_and_with_very_many_names(known: Callable[[int], Memory]) -> None:
    took = [
        cpu(lambda number, memory=memory: memory.add(f"The {number}th box went to Person0005."), 10)
        for memory in (known(10), known(3_000))
    ]
    assert took[1] <= MOST * took[0]


def test_a_note_costs_the_same_beside_few_and_very_many() -> None:
    took = []
    for many in (50, 2_000):
        memory = Memory(":memory:", owner="me", embedder=None, reader=None)
        with memory.store.transaction("me"):
            for number in range(many):
                memory.notes.write(f"/memories/a{number % 20}/{number}.md", "text")
        took.append(cpu(lambda number, memory=memory: memory.notes.write(f"/memories/new/{number}.md", "text"), 20))
    assert took[1] <= MOST * took[0]


def test_a_note_is_never_a_folder_too() -> None:
    memory = Memory(":memory:", owner="me", embedder=None)
    memory.notes.write("/memories/a/b.md", "text")
    for path in ("/memories/a", "/memories/a/b.md/c"):
        with pytest.raises(InvalidInput, match="cannot both be notes"):
            memory.notes.write(path, "text")
    memory.notes.write("/memories/a/b.mdx", "text")
    memory.notes.rename("/memories/a/b.md", "/memories/a/b.md/c")
    assert [note.path for note in memory.notes.list()] == ["/memories/a/b.md/c", "/memories/a/b.mdx"]


def test_whom_a_message_names_is_known_however_many_others_were_named_since() -> None:
    memory = Memory(":memory:", owner="me", embedder=None, reader="plain")
    memory.add("My sister Anna lives in Oslo.")
    with memory.store.transaction("me"):
        for number in range(60):
            memory.remember("friend", f"Person{number:04}")
    memory.add("Anna moved to Porto.")
    memory.add("Person0001 works at Acme.")
    assert [(fact.subject, fact.value) for fact in memory.facts() if fact.attribute == "home"] == [("sister", "Porto")]
    assert any(fact.subject == "friend Person0001" for fact in memory.facts())


def test_the_second_of_many_friends_stays_apart_from_the_first() -> None:
    memory = Memory(":memory:", owner="me", embedder=None, reader="plain")
    with memory.store.transaction("me"):
        for number in range(80):
            memory.remember("friend", f"Person{number:04}")
    memory.add("Person0000 lives in Oslo.")
    memory.add("Person0040 lives in Rome.")
    told = {fact.subject: fact.value for fact in memory.facts() if fact.attribute == "home"}
    assert told == {"friend": "Oslo", "friend Person0040": "Rome"}
