"""A plan whose time has come holds from then on, and says that nobody has confirmed it."""

from __future__ import annotations

import pytest

from recollect import Fact, Memory

from .conftest import Hands


@pytest.fixture
def planned(memory: Memory, hands: Hands) -> Memory:
    """A memory in August, with a plan of May for June."""
    memory.add("I work at Acme.", at="2026-01-10")
    memory.add("From June I'll work at Globex.", at="2026-05-01")
    hands.pass_days(400)
    return memory


def now(memory: Memory) -> Fact:
    [fact] = memory.facts(attribute="employer")
    return fact


def test_a_plan_that_nobody_confirmed_says_so(planned: Memory) -> None:
    assert now(planned).value == "Globex"
    assert now(planned).planned
    assert "(planned for 2026-06-01, not confirmed)" in planned.context("Where do I work?").text
    assert "not confirmed" in " ".join(planned.why("employer").steps)


def test_a_plan_told_twice_is_not_confirmed(memory: Memory, hands: Hands) -> None:
    memory.add("From June I'll work at Globex.", at="2026-04-01")
    memory.add("From June I'll work at Globex.", at="2026-05-01")
    hands.pass_days(400)
    assert now(memory).planned


def test_a_statement_of_the_present_confirms_a_plan(planned: Memory) -> None:
    planned.add("I work at Globex.")
    assert not now(planned).planned
    assert "(since 2026-06-01)" in planned.context("Where do I work?").text


@pytest.mark.parametrize("said", ["I still work at Acme.", "I work at Acme."])
def test_a_plan_that_fell_through_never_was_and_what_it_was_to_end_goes_on(planned: Memory, said: str) -> None:
    [receipt] = planned.add(said).receipts
    assert (receipt.outcome, now(planned).value, now(planned).until) == ("confirmed", "Acme", None)
    assert planned.recall("employer", at="2026-07-01") == "Acme"
    assert [fact.value for fact in planned.history("employer") if fact.retired] == ["Globex"]
    planned.undo()
    assert now(planned).value == "Globex"


@pytest.mark.parametrize("said", ["I'm back at Acme.", "I work at Acme again.", "I rejoined Acme."])
def test_who_is_back_was_away(planned: Memory, said: str) -> None:
    planned.add(said)
    assert planned.recall("employer", at="2026-07-01") == "Globex"


def test_a_plan_that_came_true_is_not_undone_by_a_later_return(planned: Memory) -> None:
    planned.add("I work at Globex.")
    planned.add("I work at Acme now.")
    assert planned.recall("employer", at="2026-07-01") == "Globex"
    assert now(planned).value == "Acme"


def test_a_document_calls_no_plan_off(planned: Memory) -> None:
    planned.add("I work at Acme.", origin="document")
    assert now(planned).value == "Globex"
