"""What is no evidence that a fact ended marks it as perhaps outdated, ends nothing, and can be settled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from recollect import Fact, Memory, Message
from recollect.errors import NotAllowed, NotFound
from recollect.reader import ReadingContext
from recollect.records import Draft, Source, Target


class Reads:
    """A reader that proposes what it was given for the next message."""

    name, instant = "given", True

    def __init__(self) -> None:
        self.next: dict[str, object] | None = None

    def read(self, messages: Sequence[Message], context: ReadingContext) -> list[Draft]:
        said, given = messages[-1], self.next
        self.next = None
        if given is None:
            return []
        told = {"subject": "user", "attribute": "", "value": "", "text": said.content, **given}
        return [Draft(**told, said=said.at, origin=said.origin, source=Source(said.id, said.content))]  # type: ignore[arg-type]


@pytest.fixture
def reader() -> Reads:
    return Reads()


@pytest.fixture
def memory(reader: Reads) -> Iterator[Memory]:
    with Memory(":memory:", owner="dana", embedder="quick", reader=reader) as opened:
        opened.remember("drives", "a Golf")
        yield opened


def doubted(memory: Memory, reader: Reads) -> Fact:
    """The Golf after it was said to be sold: another attribute, so no evidence that it is no longer driven."""
    reader.next = {"attribute": "possession", "value": "a Golf", "effect": "ends"}
    [receipt] = memory.add("I finally sold the Golf.").receipts
    assert receipt.outcome == "doubted"
    assert receipt.fact is not None
    return receipt.fact


def test_an_end_under_another_attribute_is_a_doubt(memory: Memory, reader: Reads) -> None:
    fact = doubted(memory, reader)
    assert fact.until is None
    assert fact.doubted_by is not None
    assert fact.doubted_by.quote == "I finally sold the Golf."
    assert memory.recall("drives") == "a Golf"
    assert memory.facts(attribute="drives") == [fact] == memory.history("drives")


def test_a_doubt_is_shown_with_its_words(memory: Memory, reader: Reads) -> None:
    fact = doubted(memory, reader)
    assert "may be outdated since" in memory.context("What do I drive?").text
    assert "“I finally sold the Golf.”" in memory.context("What do I drive?").text
    assert any("may be outdated" in step for step in memory.why(fact).steps)


def test_a_doubt_is_undone_like_any_change(memory: Memory, reader: Reads) -> None:
    doubted(memory, reader)
    memory.undo()
    assert memory.facts(attribute="drives")[0].doubted_by is None


def test_what_is_said_again_is_in_doubt_no_more(memory: Memory, reader: Reads) -> None:
    doubted(memory, reader)
    memory.remember("drives", "a Golf")
    assert memory.facts(attribute="drives")[0].doubted_by is None


@pytest.mark.parametrize("holds", [True, False])
def test_a_doubt_is_settled_either_way(memory: Memory, reader: Reads, holds: bool) -> None:
    fact = doubted(memory, reader)
    settled = memory.settle("drives", holds=holds)
    assert (settled.id, settled.until is None) == (fact.id, holds)
    assert memory.recall("drives") == ("a Golf" if holds else None)
    with pytest.raises(NotFound):
        memory.settle(fact, holds=True)


def test_a_dispute_is_settled_either_way(memory: Memory) -> None:
    memory.remember("home", "Porto")
    claim = memory.remember("home", "Oslo", origin="assistant")
    assert memory.settle(claim, holds=True).value == "Oslo"
    assert memory.recall("home") == "Oslo"


def test_the_one_named_among_many_is_the_one_in_doubt(memory: Memory, reader: Reads) -> None:
    memory.remember("uses", "Jenkins")
    memory.remember("uses", "Grafana")
    reader.next = {"value": "Buildkite", "target": Target("Jenkins"), "effect": "replaces"}
    memory.add("We replaced Jenkins with Buildkite.")
    marks = {fact.value: fact.doubted_by is not None for fact in memory.facts(attribute="uses")}
    assert marks == {"Jenkins": True, "Grafana": False}


def test_two_that_may_be_meant_are_both_left_alone(memory: Memory, reader: Reads) -> None:
    memory.remember("favorite car", "a Golf")
    reader.next = {"attribute": "possession", "value": "a Golf", "effect": "ends"}
    memory.add("I finally sold the Golf.")
    assert not any(fact.doubted_by for fact in memory.facts())


def test_an_end_of_another_value_casts_no_doubt(memory: Memory, reader: Reads) -> None:
    reader.next = {"attribute": "drives", "value": "a Fiat", "effect": "ends"}
    memory.add("I no longer drive a Fiat.")
    assert not any(fact.doubted_by for fact in memory.facts())


def test_a_document_casts_no_doubt(memory: Memory, reader: Reads) -> None:
    reader.next = {"subject": "Dana", "attribute": "possession", "value": "a Golf", "effect": "ends"}
    memory.add("Dana sold the Golf.", role="tool", origin="document")
    assert not any(fact.doubted_by for fact in memory.facts())


def test_who_may_not_end_a_fact_may_not_settle_it(memory: Memory, reader: Reads) -> None:
    fact = doubted(memory, reader)
    with pytest.raises(NotAllowed):
        memory.settle(fact, holds=False, origin="tool")


def test_erasing_what_was_said_takes_its_doubt_along(memory: Memory, reader: Reads) -> None:
    fact = doubted(memory, reader)
    assert fact.doubted_by is not None
    memory.erase(fact.doubted_by.message)
    assert memory.facts(attribute="drives")[0].doubted_by is None
