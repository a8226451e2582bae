"""Changes that are told without naming what has changed: by a value, by a part of a name, by another key."""

from __future__ import annotations

import pytest

from recollect import Memory

REPLACED = {
    "a verb of its own": (
        ("My phone plan costs 25 euros a month.", "My phone plan went up to 32 euros a month."),
        ("costs", "32 euros a month"),
    ),
    "what we call it now": (("My cat is called Toffee.", "We call the cat Nougat now."), ("cat", "Nougat")),
    "what it is called now": (("My dog is called Toffee.", "My dog is called Nougat now."), ("dog", "Nougat")),
    "its old value": (("My nephew is called Jonas.", "His name is Jonah, not Jonas."), ("nephew", "Jonah")),
}
KEPT = {
    "someone else's": ("I have a house.", "My sister sold her house."),
    "an intention of the past": ("I live in Brno.", "I was going to move to Prague in July but that fell through."),
    "another payment": ("I pay 700 euros a month in rent.", "I joined a gym, I pay 30 euros a month now."),
    "another unit": ("I weigh 92 kg.", "Down to 40 minutes!"),
    "a plan": ("I work at Arup.", "I'm hoping to start at Foster in September."),
}


@pytest.fixture
def memory() -> Memory:
    return Memory(":memory:", embedder="quick")


@pytest.mark.parametrize("how", REPLACED)
def test_a_value_is_replaced_when_it_is_told_by(how: str, memory: Memory) -> None:
    (before, after), (name, value) = REPLACED[how]
    memory.add(before)
    memory.add(after)
    assert [fact.value for fact in memory.facts() if fact.attribute == name] == [value]


@pytest.mark.parametrize("how", KEPT)
def test_a_fact_goes_on_when_what_is_told_is(how: str, memory: Memory) -> None:
    before, after = KEPT[how]
    memory.add(before)
    [fact] = memory.facts()
    memory.add(after)
    assert fact.id in {held.id for held in memory.facts()}
