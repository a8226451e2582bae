"""What is held of a task after each turn of a dialogue with an agent."""

from __future__ import annotations

import sys
from datetime import datetime, timedelta, timezone
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory
from recollect.extractors.requests import AT_HAND, MOST_DRAFTS, requested
from recollect.extractors.rules import RuleExtractor
from recollect.records import Draft, Fact, Message, Origin

tomllib = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")

START = datetime(2024, 5, 15, 9, tzinfo=timezone.utc)
TABLE = Path(__file__).with_name("requests.toml")
DIALOGUES: list[dict[str, Any]] = tomllib.loads(TABLE.read_text(encoding="utf-8"))["dialogue"]

Held = dict[tuple[str, str], str]


def after(turns: list[str], *, apart: timedelta = timedelta(minutes=1)) -> list[Fact]:
    """The facts that hold once these turns were said."""
    with Memory(":memory:", embedder=None) as memory:
        memory.add([{"role": "user", "content": turn, "at": START + n * apart} for n, turn in enumerate(turns)])
        return memory.facts()


def held(facts: list[Fact]) -> Held:
    """The values of tasks, by the kind of task and of value."""
    asked = [fact for fact in facts if fact.category == "request"]
    return {
        (fact.subject.split(" request")[0], fact.attribute.removeprefix("requested ")): fact.value for fact in asked
    }


def told(kind: str, changes: list[str]) -> Held:
    """What a line of the table says is held by its turn."""
    values: Held = {}
    for change in changes:
        where, _, rest = change.rpartition(" / ")
        slot, _, value = rest.partition(": ")
        values[where or kind, slot] = value
    return values


def said(text: str, *, before: tuple[Draft, ...] = (), origin: Origin = "user") -> list[Draft]:
    return requested(Message("m", "dana", "s", "user", text, START, origin), (), before)


def test_there_are_many_dialogues() -> None:
    assert len(DIALOGUES) >= 80


@pytest.mark.parametrize("dialogue", DIALOGUES, ids=lambda dialogue: dialogue["turns"][0][0])
def test_after_each_turn_the_values_said_last_are_held_and_no_others(dialogue: dict[str, Any]) -> None:
    expected: Held = {}
    for count, turn in enumerate(dialogue["turns"], 1):
        expected |= told(dialogue["kind"], turn[1:])
        assert held(after([one[0] for one in dialogue["turns"][:count]])) == expected, turn[0]


def test_a_request_says_nothing_about_the_user() -> None:
    facts = after(["I'd like a table for two at 7 pm in San Jose.", "Make it Friday."])
    assert {fact.category for fact in facts} == {"request"}
    assert all(fact.confidence == 0.6 and fact.subject != "user" for fact in facts)


def test_a_changed_value_ends_the_old_one_and_says_why() -> None:
    with Memory(":memory:", embedder=None) as memory:
        turns = ["Book a table for two in Ghent.", "Make it three people."]
        added = memory.add([{"role": "user", "content": turn, "at": START} for turn in turns])
        [receipt] = [receipt for receipt in added.receipts if receipt.outcome == "replaced"]
        assert [fact.value for fact in receipt.affected] == ["two"]
        assert "you said “Make it three people.”" in receipt.why


@pytest.mark.parametrize(
    "text",
    [
        "Should I move to Rome?",
        "What if I lived in Oslo?",
        "What's the address?",
        "Does it have wifi?",
        "Is my sister in Berlin?",
        "I want to be a teacher in Boston.",
        "I would love to live in Rome.",
        "Can you recommend a good book?",
        "I'm looking for tips on saving money.",
        "Help me write an email to Anna about Friday.",
        "I want 3 kids.",
        "I need 8 hours of sleep.",
        "I went to a concert in Leeds on Friday.",
        "I stayed at a hotel in Rome last week.",
        "My flight was on March 3rd.",
        "I like jazz.",
        "In San Jose.",
        "Two people, please.",
        "I have 2 dogs.",
    ],
)
def test_what_asks_for_nothing_is_no_request(text: str) -> None:
    assert said(text) == []


def test_long_talk_is_no_request() -> None:
    assert said("I want to book a hotel in Rome, " + "and then we talked about many other things " * 8) == []


def test_what_a_document_says_is_no_request() -> None:
    assert said("Book a table for two in Ghent.", origin="document") == []


def test_a_task_of_long_ago_is_no_longer_at_hand() -> None:
    turns = ["Book a table for two in Ghent.", "In Bruges."]
    assert held(after(turns))["restaurant", "place"] == "Bruges"
    assert held(after(turns, apart=2 * AT_HAND))["restaurant", "place"] == "Ghent"


def test_the_same_kind_of_task_on_another_day_is_another_task() -> None:
    facts = after(["Book a table for two in Ghent.", "Book a table for four in Bruges."], apart=timedelta(days=2))
    assert sorted(fact.value for fact in facts) == ["Bruges", "Ghent", "four", "two"]


def test_what_is_known_tells_which_task_is_at_hand() -> None:
    [place, *_] = [fact for fact in after(["Book a table in Ghent."]) if fact.attribute == "requested place"]
    message = Message("m", "me", "s", "user", "Make it Bruges.", START + timedelta(minutes=5))
    [draft] = RuleExtractor().extract([message], [place])
    assert (draft.subject, draft.attribute, draft.value) == (place.subject, "requested place", "Bruges")


def test_one_message_asks_for_a_few_things_at_most() -> None:
    text = (
        "Book 2 rooms in a 4 star hotel in Rome with wifi, breakfast and a pool from May 2nd until May 9th for 3 "
        "people "
        "under 200 dollars at 7 pm, pet friendly, non-smoking, refundable."
    )
    assert len(said(text)) == MOST_DRAFTS
