"""What was true then, and what we believed then."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from recollect import Memory
from recollect.errors import InvalidInput

from .conftest import MONDAY, Hands


@pytest.fixture
def moved(memory: Memory, hands: Hands) -> Memory:
    """Lisbon on Monday; on Friday we hear of a move to Porto in May."""
    memory.add("I live in Lisbon.")
    hands.pass_days(4)
    memory.add("I moved to Porto in May.")
    return memory


def test_at_asks_what_was_true_then(moved: Memory) -> None:
    assert moved.recall("home") == "Porto"
    assert moved.recall("home", at="2026-05-20") == "Porto"
    assert moved.recall("home", at="2026-04-20") == "Lisbon"


def test_known_at_asks_what_we_believed_then(moved: Memory) -> None:
    tuesday = MONDAY + timedelta(days=1)
    assert moved.recall("home", known_at=tuesday) == "Lisbon"
    assert moved.recall("home", at="2026-05-20", known_at=tuesday) == "Lisbon"
    assert moved.recall("home", known_at=MONDAY - timedelta(days=1)) is None


def test_search_knows_both_clocks(moved: Memory) -> None:
    question = "Where do I live?"
    assert moved.search(question)[0].text.startswith("lives in Porto")
    assert moved.search(question, at="2026-04-20")[0].text == "lives in Lisbon"
    assert moved.search(question, known_at=MONDAY + timedelta(days=1))[0].text == "lives in Lisbon"
    assert moved.search(question, known_at=MONDAY - timedelta(days=1)) == []


def test_facts_graph_and_context_know_both_clocks(moved: Memory) -> None:
    tuesday = MONDAY + timedelta(days=1)
    assert [fact.value for fact in moved.facts(at="2026-04-20")] == ["Lisbon"]
    assert [fact.value for fact in moved.facts(known_at=tuesday)] == ["Lisbon"]
    assert "Lisbon" in moved.context("where do I live", known_at=tuesday).text
    assert "Porto" not in moved.context("where do I live", at="2026-04-20").text
    assert moved.graph(at="2026-04-20").facts[0].value == "Lisbon"


def test_history_has_every_window(moved: Memory) -> None:
    lisbon, porto = moved.history("home")
    may = datetime(2026, 5, 1, tzinfo=timezone.utc)
    assert (lisbon.value, lisbon.since, lisbon.until) == ("Lisbon", None, may)
    assert (porto.value, porto.since, porto.until) == ("Porto", may, None)


def test_a_correction_changes_the_past_but_not_what_we_believed(memory: Memory, hands: Hands) -> None:
    memory.remember("home", "Lisbon")
    hands.pass_days(2)
    believed = hands.now
    hands.pass_days(2)
    memory.correct("home", "Porto")
    assert memory.recall("home", at=believed) == "Porto"
    assert memory.recall("home", known_at=believed) == "Lisbon"


def test_an_undo_changes_the_present_but_not_what_we_believed(memory: Memory, hands: Hands) -> None:
    memory.remember("home", "Lisbon")
    hands.pass_days(1)
    memory.forget("home")
    hands.pass_days(1)
    between = hands.now
    hands.pass_days(1)
    memory.undo()
    assert memory.recall("home") == "Lisbon"
    assert memory.recall("home", known_at=between) is None


def test_a_plan_holds_from_its_day_on(memory: Memory, hands: Hands) -> None:
    memory.add("I work at Helios.")
    memory.add("From August I'll work at Acme.")
    assert memory.recall("employer") == "Helios"
    assert memory.recall("employer", at="2026-08-15") == "Acme"
    hands.pass_days(90)
    assert memory.recall("employer") == "Acme"


def test_something_past_is_found_in_its_time_only(memory: Memory) -> None:
    memory.add("I lived in Rome from 2015 to 2019. I live in Lisbon.")
    assert memory.recall("home") == "Lisbon"
    assert "Rome" in [fact.value for fact in memory.facts(attribute="home", at="2017")]


def test_late_news_takes_its_place(memory: Memory) -> None:
    memory.add("I live in Porto.", at="2026-05-10")
    memory.add("I live in Lisbon.", at="2026-03-10")
    assert memory.recall("home") == "Porto"
    assert memory.recall("home", at="2026-04-01") == "Lisbon"


@pytest.mark.parametrize("moment", ["not a time at all", "2026-02-30", True, float("nan"), "", object()])
def test_a_time_that_is_none_is_refused(memory: Memory, moment: object) -> None:
    with pytest.raises(InvalidInput):
        memory.recall("home", at=moment)  # type: ignore[arg-type]


def test_times_may_be_dates_texts_and_phrases(moved: Memory) -> None:
    for moment in ("2026-04", "last April", datetime(2026, 4, 3), datetime(2026, 4, 3).date()):
        assert moved.recall("home", at=moment) == "Lisbon"
