"""What a new user tries first: plain talk, and what must come of it."""

from __future__ import annotations

import pytest

from recollect import Memory

TALKS = {
    "who moved from their town to another lives there": (
        ("I live in Leeds.", "I moved from Leeds to York."),
        {"lives in York"},
    ),
    "who likes where they moved from still likes it": (
        ("I like Lisbon.", "I moved from Lisbon to Porto."),
        {"likes Lisbon", "lives in Porto"},
    ),
    "an upgrade of something that two things use is of neither": (
        ("The app uses Node 18.", "The worker uses Node 20.", "We upgraded Node to 22."),
        {"app uses Node 18", "worker uses Node 20"},
    ),
    "a number that something runs on is its port": (
        ("The staging server runs on port 8080.", "The staging server now runs on 9090."),
        {"staging server port is 9090"},
    ),
    "a friend who is named moves out by that name": (
        ("I live with my friend Tom.", "Tom moved out."),
        {"friend is Tom"},
    ),
    "to be born is no value of a name": (("Our baby girl Noor was born on 14 October!",), set()),
    "a year or a size before a thing is no number of things": (
        ("My car is a 2014 Civic.", "I'm planning a 3 day trip to Rome."),
        {"drives a 2014 Civic", "a 3 day trip to Rome"},
    ),
}


@pytest.mark.parametrize("talk", TALKS)
def test_what_was_said_is_known(memory: Memory, talk: str) -> None:
    said, known = TALKS[talk]
    for text in said:
        memory.add(text)
    assert {fact.text for fact in memory.facts()} == known


@pytest.mark.parametrize(
    ("said", "asked", "answer"),
    [
        ("My address is 12 Oak Lane, Bristol.", "Where do I live?", "address is 12 Oak Lane, Bristol"),
        ("My diet is vegan.", "Suggest a dessert for me", "is vegan"),
        ("My diet is coeliac.", "What should I cook tonight?", "is coeliac"),
        ("My time zone is UTC+2.", "When can we schedule a call?", "time zone is UTC+2"),
    ],
)
def test_what_is_known_is_found(memory: Memory, said: str, asked: str, answer: str) -> None:
    memory.add(said)
    assert memory.search(asked)[0].text.startswith(answer)


@pytest.mark.parametrize("asked", ["Which browser do I use?", "Which editor do I use?"])
def test_a_program_of_another_kind_is_no_answer(memory: Memory, asked: str) -> None:
    memory.add("We use Jira.")
    assert memory.search(asked, kinds=["fact"]) == []
