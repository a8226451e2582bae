"""What comes first, and when nothing comes: through the public API, on messages that no reader has read."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from recollect import Memory

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "benchmarks"))

import plain
import short

START = datetime(2026, 3, 1, 9, tzinfo=timezone.utc)
Told = Callable[..., Memory]


@pytest.fixture
def told() -> Told:
    """A memory that was told these texts, a minute apart."""

    def tell(*texts: str, embedder: str = "quick") -> Memory:
        memory = Memory(":memory:", owner="me", embedder=embedder, reader=None)
        memory.add(
            [{"role": "user", "content": text, "at": START + n * timedelta(minutes=1)} for n, text in enumerate(texts)]
        )
        return memory

    return tell


def first(memory: Memory, question: str) -> str:
    hits = memory.search(question, limit=1)
    return hits[0].text if hits else ""


def test_of_many_plain_messages_the_one_with_all_that_is_asked_comes_first(told: Told) -> None:
    pairs = list(plain.plain_messages(600))
    memory = told(*(text for text, _ in pairs))
    asked = random.Random(3).sample(pairs, 100)
    assert sum(first(memory, question) == text for text, question in asked) >= 98


@pytest.mark.parametrize("embedder", ["quick", "minilm"])
def test_of_two_messages_that_match_alike_the_newer_comes_first(told: Told, embedder: str) -> None:
    memory = told(
        "The code of the front door is 4711.",
        "The code of the back door is 99.",
        "The code of the front door is 2020.",
        embedder=embedder,
    )
    assert first(memory, "What is the code of the front door?") == "The code of the front door is 2020."


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("The ER closes at nine.", "How late is the ER?"),
        ("My cousin works at MIT.", "Who is at MIT?"),
        ("The flight to LA was cancelled.", "Was there anything about LA?"),
        ("Shipping to the US takes ten days.", "How about the US?"),
        ("IT replaced my keyboard.", "What did IT do?"),
        ("The WHO published the report on Monday.", "What about the WHO?"),
        ("Will moved into the blue house.", "Where did Will go?"),
    ],
)
def test_a_name_that_is_also_a_common_word_is_looked_for(told: Told, text: str, question: str) -> None:
    others = [f"{who} has the {thing}." for who, thing in zip(plain.PEOPLE, plain.THINGS, strict=True)]
    assert first(told(*others, text), question) == text


def test_capitals_tell_no_name_in_a_text_that_is_all_capitals(told: Told) -> None:
    memory = told("It is what it is.", "The kettle is in the attic.")
    assert first(memory, "WHERE IS IT, THE KETTLE?") == "The kettle is in the attic."
    assert first(memory, "Where Is My Kettle?") == "The kettle is in the attic."


WISHES = {
    "I never eat anything with dairy in it.": "Can you recommend a dessert for Sunday?",
    "I get carsick on winding roads.": "What are some good scenic routes for my holiday?",
    "I avoid crowds wherever I can.": "Could you suggest a good day to visit the museum?",
    "I like to read on paper, never on a screen.": "Which e-books would you recommend?",
    "Loud music gives me a headache.": "Can you suggest a bar for tonight?",
    "I prefer furniture of real wood.": "Can you recommend a desk for my study?",
    "I can't run since my knee was operated on.": "What are some good ways to get fit?",
    "I only wear wool and cotton.": "Can you suggest a jacket for autumn?",
    "I would rather have old films than new ones.": "What should I watch tonight?",
    "I don't trust airlines that fly old planes.": "Can you recommend a way to get to Madrid?",
}


@pytest.mark.parametrize("embedder", ["quick", "minilm"])
def test_a_small_memory_answers_a_request_of_advice(told: Told, embedder: str) -> None:
    memory = told(*WISHES, embedder=embedder)
    found = [wish in [hit.text for hit in memory.search(asked, limit=5)] for wish, asked in WISHES.items()]
    assert sum(found) >= 7


@pytest.mark.parametrize("embedder", ["quick", "minilm"])
def test_a_memory_of_short_messages_is_silent_where_nobody_said_it_and_answers_where_somebody_did(
    told: Told, embedder: str
) -> None:
    memory = told(*short.SAID, embedder=embedder)
    silent = [not memory.search(question) for question in (*short.UNANSWERED, *short.CLOSE)]
    found = [first(memory, question) == short.SAID[place] for question, place in short.ANSWERED]
    assert sum(silent) >= len(silent) / 2
    assert sum(found) >= 18


@pytest.mark.parametrize("embedder", ["quick", "minilm"])
def test_advice_gets_nothing_beside_the_fact_that_it_asks_for(embedder: str) -> None:
    memory = Memory(":memory:", owner="me", embedder=embedder)
    memory.add("Hi! My name is Dana and I live in Lisbon.")
    memory.add("My car is a grey Golf and the office is on the second floor.")
    memory.add("My diet is vegetarian.")
    assert [hit.text for hit in memory.search("What can I eat for dinner?")] == ["is vegetarian"]
