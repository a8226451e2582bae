"""One message that cannot be read costs its own facts only: whatever reads, nothing else is lost or held up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from recollect import Memory, Message
from recollect.reader import ReadingContext
from recollect.records import Draft, Source


class Picky:
    """Reads "likes X" in each message and raises at one with a thorn in it."""

    name = "picky"

    def __init__(self, error: Exception | None = None, *, instant: bool = True) -> None:
        self.error, self.instant = error or IndexError("a thorn"), instant
        self.calls = 0

    def read(self, messages: Sequence[Message], context: ReadingContext) -> list[Draft]:
        self.calls += 1
        if any("thorn" in message.content for message in messages):
            raise self.error
        return [self.draft(message) for message in messages if message.role == "user"]

    def draft(self, message: Message) -> Draft:
        value, source = message.content, Source(message.id, message.content)
        return Draft("user", "likes", value, f"likes {value}", message.at, many=True, source=source)


BATCH = ["roses", "a thorn", "lilies"]


@pytest.fixture(params=["instant", "slow"])
def picky(request: pytest.FixtureRequest) -> Picky:
    return Picky(instant=request.param == "instant")


@pytest.fixture
def garden(path: Path, picky: Picky) -> Iterator[Memory]:
    with Memory(path, embedder="quick", reader=picky) as memory:
        yield memory


def likes(memory: Memory) -> set[str]:
    return {fact.value for fact in memory.facts(attribute="likes")}


def test_the_others_of_a_batch_are_read(garden: Memory) -> None:
    added = garden.add(BATCH)
    assert likes(garden) == {"roses", "lilies"}
    assert len(added.receipts) == 2
    assert garden.search("thorn", kinds=["message"])[0].record == added.messages[1]


def test_the_message_and_the_error_are_named(garden: Memory) -> None:
    added = garden.add(BATCH)
    (warning,) = added.warnings
    assert added.messages[1].id in warning
    assert "IndexError: a thorn" in warning
    assert any(added.messages[1].id in problem for problem in garden.health().problems)
    assert garden.stats().waiting == 1


def test_it_is_tried_three_times_and_then_left_unread(garden: Memory, picky: Picky, path: Path) -> None:
    bad = garden.add(BATCH).messages[1]
    assert [garden.catch_up(), garden.stats().waiting] == [0, 1]
    assert [garden.catch_up(), garden.stats().waiting] == [0, 0]
    calls = picky.calls
    assert [garden.catch_up(), picky.calls] == [0, calls]
    with Memory(path, reader=picky, embedder="quick") as later:
        assert any("3 tries" in problem and bad.id in problem for problem in later.health().problems)
        assert later.search("thorn", kinds=["message"])
        later.erase(bad)
        assert later.health().ok


def test_it_is_read_once_the_reader_is_mended(garden: Memory, path: Path) -> None:
    garden.add(BATCH)
    with Memory(path, reader=Patient(), embedder="quick") as mended:
        assert mended.catch_up() == 1
        assert likes(mended) == set(BATCH)
        assert mended.health().ok


UNKEEPABLE: list[dict[str, Any]] = [
    {"value": 5},
    {"text": None},
    {"subject": "half a \ud800 character"},
    {"since": datetime(2026, 1, 1)},
    {"until": "2026"},
    {"confidence": float("nan")},
    {"category": None},
    {"kind": "guess"},
    {"pinned": "yes"},
]


@pytest.mark.parametrize("wrong", UNKEEPABLE, ids=str)
def test_a_draft_that_cannot_be_kept_costs_its_own_message_only(picky: Picky, wrong: dict[str, Any]) -> None:
    sound = picky.draft
    picky.read = lambda messages, context: [  # type: ignore[method-assign]
        replace(sound(one), **wrong if "thorn" in one.content else {}) for one in messages
    ]
    with Memory(":memory:", embedder=None, reader=picky) as garden:
        added = garden.add(BATCH)
        assert likes(garden) == {"roses", "lilies"}
        assert any(added.messages[1].id in warning for warning in added.warnings)


class Patient(Picky):
    def read(self, messages: Sequence[Message], context: ReadingContext) -> list[Draft]:
        return [self.draft(message) for message in messages]


def test_an_reader_that_is_down_is_not_counted_against_messages(path: Path) -> None:
    with Memory(path, reader=Picky(ConnectionError("no answer"), instant=False), embedder="quick") as memory:
        memory.add(BATCH)
        for _ in range(5):
            memory.catch_up()
        assert memory.stats().waiting == 3
    with Memory(path, reader=Patient(), embedder="quick") as mended:
        assert mended.catch_up() == 3


def test_a_slow_reader_that_fails_at_everything_is_not_asked_for_each_message(path: Path) -> None:
    broken = Picky(RuntimeError("broken"), instant=False)
    with Memory(path, reader=broken, embedder="quick") as memory:
        memory.add(["a thorn"] * 200)
        assert broken.calls == 4
        assert memory.stats().waiting == 200


def test_what_one_owner_said_is_no_problem_of_another(garden: Memory) -> None:
    garden.add(BATCH)
    assert garden.of("bob").health().ok


def test_a_sentence_without_its_day_is_read(memory: Memory) -> None:
    for said in ("Today's meeting is about the budget.", "Tomorrow's flight is at 7am."):
        assert memory.add(said).warnings == ()
    assert memory.health().ok


def test_a_long_talk_with_it_inside_is_read(path: Path) -> None:
    told = ["I live in Porto.", "My sister is called Anna.", "Today's meeting is about the budget."]
    talk = [{"role": ("user", "assistant")[turn % 2], "content": f"That is turn {turn}."} for turn in range(3_000)]
    talk[1000:1003] = [{"role": "user", "content": said} for said in told]
    with Memory(path, embedder=None) as memory:
        added = memory.add(talk)
        assert (len(added.messages), added.warnings) == (3_000, ())
        assert memory.recall("home") == "Porto"
        assert memory.stats().waiting == 0


class WithoutNumbers:
    """An embedder whose vectors hold no numbers, as a model gives them whose weights were lost."""

    name, dim = "without-numbers", 4

    def __init__(self) -> None:
        self.calls = 0

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self.calls += 1
        if self.calls > 20:
            raise KeyboardInterrupt
        return np.full((len(texts), self.dim), np.nan, np.float32)


def test_catching_up_ends_where_no_vector_can_be_kept() -> None:
    with Memory(":memory:", embedder=WithoutNumbers()) as memory:
        memory.add("I live in Porto.")
        assert memory.catch_up() == 0
        assert memory.recall("home") == "Porto"
        assert any(problem.startswith("embedder failed") for problem in memory.health().problems)


def test_words_are_searched_where_a_question_has_no_vector() -> None:
    with Memory(":memory:", embedder=WithoutNumbers()) as memory:
        memory.add("I live in Porto.")
        assert memory.search("Where do I live?")[0].text == "lives in Porto"
        assert "Porto" in memory.context("Where do I live?").text
        assert any(problem.startswith("embedder failed") for problem in memory.health().problems)
