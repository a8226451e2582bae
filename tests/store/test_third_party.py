"""A store of plain lists, as someone else might bring one, keeps the promises that ask for no engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Memory
from recollect.store import Store
from recollect.testing import store_checks

from . import list_store

BEYOND = {
    "a_rare_word_counts_about_one": "its scores are no BM25",
    "a_session_counts_with_all_that_was_said_in_it": "it does not match whole sessions",
    "a_word_is_as_rare_as_few_records_have_it": "its scores are no BM25",
    "words_find_the_closest_record_first": "its scores are no BM25",
    "a_time_without_zone_is_refused": "it checks little of what it is given",
    "an_unusable_vector_is_refused-2": "it checks little of what it is given",
    "an_unusable_vector_is_refused-6": "it checks little of what it is given",
    "half_a_character_is_refused": "it checks little of what it is given",
    "an_answer_is_kept_for_its_owner_until_something_is_erased": "no answer is ever too old for it",
    "changes_are_a_log": "it has no pages",
    "messages_keep_their_order": "it has no pages",
    "disputed_and_unconfirmed_facts_are_found_apart": "it does not ask who confirmed a fact",
    "names_are_found_by_value_and_by_relation": "it knows no names",
    "facts_are_found_by_their_neighbours_in_time": "it gives all facts of an attribute instead",
    "erased_records_are_gone_from_every_answer": "its log keeps what was quoted",
    "what_an_erased_message_said_against_a_fact_is_gone": "its log keeps what was quoted",
}
"""Promises that the store of lists does not keep, each with why."""


@pytest.mark.parametrize("name", sorted(store_checks().keys() - BEYOND.keys()))
def test_a_store_of_lists_keeps_the_contract(name: str) -> None:
    store: Store = list_store.ListStore()
    store_checks()[name](store)


def test_a_memory_works_on_a_store_of_lists() -> None:
    with Memory(list_store.ListStore(), owner="ana") as memory:
        memory.add("I live in Lisbon.")
        memory.remember("home", "Porto")
        assert [fact.value for fact in memory.history("home")] == ["Lisbon", "Porto"]
        assert "Porto" in memory.search("Where do I live?")[0].text
        memory.undo()
        assert memory.recall("home") == "Lisbon"


def test_such_a_store_has_at_most_200_lines() -> None:
    lines = Path(list_store.__file__).read_text(encoding="utf-8").splitlines()
    code = [line for line in lines if line.strip() and not line.startswith(("import ", "from "))]
    assert len(code) <= 200
