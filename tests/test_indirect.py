"""Changes that are told without naming what has changed: by a value, by a part of a name, by another key."""

from __future__ import annotations

import pytest

from recollect import Memory
from recollect.saving import RECENT

REPLACED = {
    "a measure of its kind": (("I weigh 92 kg.", "Down to 84 kg!"), ("weight", "84 kg")),
    "a date of its kind": (("Our anniversary is June 14.", "Just realised it's June 15."), ("anniversary", "June 15")),
    "what replaced it": (
        ("We deploy with Capistrano.", "Capistrano was replaced by Kamal."),
        ("deploys with", "Kamal"),
    ),
    "its new name": (("Our project is called Falcon.", "Falcon has been renamed Kestrel."), ("name", "Kestrel")),
    "a verb of its own": (
        ("My phone plan costs 25 euros a month.", "My phone plan went up to 32 euros a month."),
        ("costs", "32 euros a month"),
    ),
    "how many there are": (
        ("The Kafka cluster has 3 brokers.", "We scaled Kafka out to 5 brokers."),
        ("number of brokers", "5"),
    ),
    "where it moved": (("Staging is in us-west-2.", "Staging moved to eu-west-1."), ("region", "eu-west-1")),
    "what is paid now": (
        ("We pay 12 euros a month for Spotify.", "Spotify went up, we pay 14 euros a month now."),
        ("costs", "14 euros a month"),
    ),
    "asking back": (("My car is a Volvo V60.", "Did I say Volvo V60? It's a Volvo V90."), ("car", "Volvo V90")),
    "what we call it now": (("My cat is called Toffee.", "We call the cat Nougat now."), ("cat", "Nougat")),
    "where we are since": (
        ("We live in Breda.", "We don't live in Breda anymore, we're in Tilburg these days."),
        ("home", "Tilburg"),
    ),
    "what it is called now": (("My dog is called Toffee.", "My dog is called Nougat now."), ("dog", "Nougat")),
    "its old value": (("My nephew is called Jonas.", "His name is Jonah, not Jonas."), ("nephew", "Jonah")),
}
ENDED = {
    "a part of its name": ("I drive a Renault Clio.", "The Clio's gone."),
    "what it is": ("My bike is a Canyon.", "My bike got stolen."),
    "where it was": ("I rent a studio in Leeds.", "The lease on the studio in Leeds ran out."),
    "words inside it": ("I volunteer at the food bank on Saturdays.", "I don't do the food bank anymore."),
    "not renewing it": ("I subscribe to The Economist.", "I didn't renew The Economist."),
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


@pytest.mark.parametrize("how", ENDED)
def test_a_fact_ends_when_it_is_told_by(how: str, memory: Memory) -> None:
    before, after = ENDED[how]
    memory.add(before)
    assert memory.facts()
    memory.add(after)
    assert not memory.facts()


@pytest.mark.parametrize("how", KEPT)
def test_a_fact_goes_on_when_what_is_told_is(how: str, memory: Memory) -> None:
    before, after = KEPT[how]
    memory.add(before)
    [fact] = memory.facts()
    memory.add(after)
    assert fact.id in {held.id for held in memory.facts()}


def test_what_is_named_by_its_value_is_found_behind_a_thousand_later_facts(memory: Memory) -> None:
    memory.add("I drive a red Renault Clio.")
    with memory.together():
        for number in range(RECENT + 50):
            memory.remember(f"key {number}", f"value {number}")
    [receipt] = memory.add("The Clio's gone.").receipts
    assert (receipt.outcome, receipt.draft.value) == ("ended", "red Renault Clio")
