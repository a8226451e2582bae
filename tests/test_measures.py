"""Measures that are said in passing: a later one of the same thing takes the place of an earlier one."""

from __future__ import annotations

import pytest

from recollect import Memory
from recollect.retrieve.measures import asked_measure, given, gives_any, measures

from .conftest import Hands


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("We spent $1,200 on it", "money", "$1200"),
        ("forty euros or so", "money", "fortyeuros"),
        ("it is at 92% now", "percent", "92%"),
        ("let's meet at 4:30 PM", "time", "4:30pm"),
        ("on April 5 or so", "date", "april5"),
        ("I run three times a week", "frequency", "threetimesaweek"),
        ("it took 20 to 30 minutes", "duration", "20to30minutes"),
        ("I own seven bikes", "count", "7"),
    ],
)
def test_a_measure_is_told_by_its_kind(text: str, kind: str, value: str) -> None:
    assert [(one.kind, one.value) for one in measures(text)] == [(kind, value)]


@pytest.mark.parametrize(
    ("text", "may"),
    [
        ("I swam four times", True),
        ("that was my 5th lesson", True),
        ("my fifth lesson went well", True),
        ("I love swimming lessons", False),
        ("each lesson costs $30", False),
    ],
)
def test_what_gives_no_number_is_no_answer_to_how_many(text: str, may: bool) -> None:
    asked = asked_measure("How many swimming lessons do I have?")
    assert asked is not None
    assert gives_any(text, asked) is may


@pytest.mark.parametrize("text", ["Nobody knows", "this one is mine", "the other one broke"])
def test_words_without_a_measure_give_none(text: str) -> None:
    assert measures(text) == ()


@pytest.mark.parametrize(
    ("question", "kinds", "thing"),
    [
        ("What is my annual budget for shoes?", {"money"}, {"budget"}),
        ("How many red marbles do I have?", {"count"}, {"red", "marble"}),
        ("What time do I get up on Sundays?", {"time"}, set()),
        ("How often do I swim?", {"frequency"}, set()),
    ],
)
def test_a_question_asks_for_a_kind_of_measure(question: str, kinds: set[str], thing: set[str]) -> None:
    asked = asked_measure(question)
    assert asked is not None
    assert (asked.kinds, asked.thing) == (kinds, thing)


@pytest.mark.parametrize(
    "question", ["Where do I live?", "How many days passed between the two trips?", "What was my budget before June?"]
)
def test_a_question_about_something_else_asks_for_no_measure(question: str) -> None:
    assert asked_measure(question) is None


def test_a_measure_of_another_thing_is_not_given() -> None:
    asked = asked_measure("What is my budget for shoes?")
    assert asked is not None
    assert given("The train ticket was $50.", asked) == {}
    assert given("For shoes I set a budget of $50.", asked)["money"].values == {"$50"}


def test_what_a_number_counts_is_its_thing_however_long_its_name() -> None:
    asked = asked_measure("What is my weekly word count target for the novel?")
    assert asked is not None
    assert given("For the novel it was raised, as the editor wanted, to 1,350 words.", asked)["count"].values == {
        "1350"
    }


def told(memory: Memory, hands: Hands, *texts: str) -> None:
    for text in texts:
        memory.add(text)
        hands.pass_days(2)


def test_a_changed_measure_stands_before_the_old_one(memory: Memory, hands: Hands) -> None:
    told(
        memory,
        hands,
        "Can you help me plan the garden party, given that I put aside a budget of $300 for the garden party?",
        "Any ideas for drinks, now that the garden party budget has been raised to $450?",
    )
    texts = [hit.text for hit in memory.search("What is my budget for the garden party?")]
    assert "$450" in texts[0]
    assert any("$300" in text and "garden party" in text for text in texts[1:])


def test_a_question_about_the_past_keeps_the_old_one(memory: Memory, hands: Hands) -> None:
    told(
        memory,
        hands,
        "Can you help me plan the garden party, given that I put aside a budget of $300 for the garden party?",
        "Any ideas for drinks, now that the garden party budget has been raised to $450?",
    )
    assert any("$300" in hit.text for hit in memory.search("What was my budget for the garden party at first?"))


@pytest.mark.parametrize(
    "later",
    [
        "I gave the gardener $450 for the new trees.",
        "The budget for my sister's wedding is now $4,500.",
        "I still think a budget of $300 for the garden party is right, don't you?",
    ],
)
def test_another_things_measure_leaves_nothing_out(memory: Memory, hands: Hands, later: str) -> None:
    told(memory, hands, "What could I cook with a budget of $300 for the garden party?", later)
    assert any("$300 for the garden party?" in hit.text for hit in memory.search("What is my garden party budget?"))


def test_another_speakers_measure_leaves_nothing_out(memory: Memory, hands: Hands) -> None:
    for name, text in [
        ("Ana", "My budget for the party is around $300 I guess?"),
        ("Ben", "My party budget is now $450!"),
    ]:
        memory.add({"role": "user", "name": name, "content": text})
        hands.pass_days(1)
    assert any("$300" in hit.text for hit in memory.search("What is my budget for the party?"))
