"""The verbs, through the public API, on a real file."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from recollect import Clock, Memory
from recollect.errors import InvalidInput, NotAllowed, NotFound

from .conftest import MONDAY, Hands


def test_what_was_said_is_known_to_another_process(memory: Memory, path: Path) -> None:
    memory.add("Hi! My name is Dana and I live in Lisbon.")
    code = f"from recollect import Memory; print(Memory({str(path)!r}, owner='ana').recall('home'))"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "Lisbon"


def test_an_add_gives_a_receipt_for_every_fact(memory: Memory) -> None:
    added = memory.add("My name is Dana and I live in Lisbon.")
    assert {receipt.outcome for receipt in added.receipts} == {"stored"}
    assert {fact.attribute: fact.value for fact in added.facts} == {"name": "Dana", "home": "Lisbon"}


def test_a_move_ends_the_old_home_and_says_why(memory: Memory, hands: Hands) -> None:
    memory.add("I live in Lisbon.")
    hands.pass_days(4)
    receipt = memory.add("I moved to Porto.").receipts[0]
    assert receipt.outcome == "replaced"
    assert "lives in Lisbon" in receipt.why
    assert "I moved to Porto" in receipt.why
    assert memory.recall("home") == "Porto"


def test_vegetarian_and_allergic_to_nuts_both_stay(memory: Memory) -> None:
    memory.add("My diet is vegetarian. I'm allergic to nuts.")
    memory.add("I prefer window seats. I prefer tea.")
    values = {fact.value for fact in memory.facts()}
    assert {"vegetarian", "nuts", "window", "tea"} <= values


@pytest.mark.parametrize(
    ("first", "then", "subject", "home"),
    [
        ("My sister lives in Rome.", "She's moved to Oslo.", "sister", "Oslo"),
        ("My parents live in Split.", "They've moved to Zadar.", "parents", "Zadar"),
        ("My sister lives in Rome. My aunt lives in Bari.", "She's moved to Oslo.", "sister", "Rome"),
    ],
)
def test_someone_without_a_name_is_meant_in_the_next_message_if_there_is_only_one(
    memory: Memory, first: str, then: str, subject: str, home: str
) -> None:
    memory.add(first)
    memory.add(then)
    assert memory.recall("home", subject=subject) == home


def test_a_key_can_be_remembered_and_recalled(memory: Memory) -> None:
    memory.remember("seat preference", "window", category="travel")
    assert memory.recall("seat preference") == "window"
    assert [fact.value for fact in memory.facts(category="travel")] == ["window"]


def test_a_new_value_of_a_key_replaces_the_old_one(memory: Memory) -> None:
    memory.remember("seat preference", "window")
    memory.remember("seat preference", "aisle")
    assert memory.recall("seat preference") == "aisle"
    assert [fact.value for fact in memory.history("seat preference")] == ["window", "aisle"]


def test_one_sentence_can_be_remembered(memory: Memory) -> None:
    fact = memory.remember("allergic to nuts")
    assert (fact.attribute, fact.value) == ("allergy", "nuts")


def test_a_sentence_that_no_rule_reads_is_remembered_as_it_stands(memory: Memory) -> None:
    text = "the old lighthouse hums at dusk, they say"
    assert memory.remember(text).text == text
    assert memory.search("lighthouse")


def test_an_unknown_key_recalls_nothing(memory: Memory) -> None:
    assert memory.recall("shoe size") is None


def test_facts_of_one_message_keep_their_order(memory: Memory) -> None:
    memory.add("My name is Dana, I live in Lisbon and I work at Helios.")
    assert [fact.value for fact in memory.facts()] == ["Helios", "Lisbon", "Dana"]


def test_remembering_and_pinning_is_one_change(memory: Memory) -> None:
    memory.remember("seat preference", "window", pinned=True)
    memory.undo()
    assert memory.facts() == []


def test_a_model_is_told_all_values_of_a_key(memory: Memory) -> None:
    memory.add("I'm allergic to nuts and milk.")
    assert set(memory.call_tool("recall", {"key": "allergy"}).split(", ")) == {"nuts", "milk"}


def test_facts_come_newest_first(memory: Memory) -> None:
    for number in range(3):
        memory.remember(f"key {number}", str(number))
    assert [fact.value for fact in memory.facts()] == ["2", "1", "0"]


def test_forgetting_ends_and_undo_brings_back(memory: Memory) -> None:
    memory.remember("seat preference", "window")
    changes = memory.forget("seat preference")
    assert memory.recall("seat preference") is None
    memory.undo(changes[0])
    assert memory.recall("seat preference") == "window"


def test_forgetting_the_unknown_is_an_error(memory: Memory) -> None:
    with pytest.raises(NotFound, match="shoe size"):
        memory.forget("shoe size")


def test_the_assistant_cannot_forget_what_the_user_said(memory: Memory) -> None:
    memory.add("I am allergic to nuts.")
    with pytest.raises(NotAllowed, match="cannot end it"):
        memory.forget("allergy", origin="assistant")


def test_undoing_an_update_opens_the_old_value_again(memory: Memory) -> None:
    memory.add("I live in Lisbon.")
    memory.add("I moved to Porto.")
    memory.undo()
    assert memory.recall("home") == "Lisbon"
    assert memory.facts(attribute="home")[0].until is None


def test_an_undo_can_itself_not_be_repeated(memory: Memory) -> None:
    memory.remember("seat preference", "window")
    change = memory.changes()[0]
    memory.undo(change)
    with pytest.raises(InvalidInput, match="undone already"):
        memory.undo(change)


def test_a_change_with_later_ones_on_top_is_not_undone(memory: Memory) -> None:
    memory.remember("seat preference", "window")
    first = memory.changes()[0]
    memory.forget("seat preference")
    with pytest.raises(InvalidInput, match=r"undo c_\w+ first"):
        memory.undo(first)


def test_a_correction_leaves_no_window_of_the_wrong_value(memory: Memory) -> None:
    memory.add("I live in Lisbon.")
    memory.correct("home", "Porto")
    assert memory.recall("home") == "Porto"
    assert memory.recall("home", at=MONDAY) == "Porto"
    assert [fact.retired is None for fact in memory.history("home")] == [False, True]


def test_every_change_is_in_the_log_newest_first(memory: Memory) -> None:
    memory.remember("seat preference", "window")
    memory.pin("seat preference")
    memory.forget("seat preference")
    assert [change.kind for change in memory.changes()] == ["ended", "pinned", "stored"]
    assert len(memory.changes(limit=1)) == 1


def test_why_tells_the_words_and_the_changes(memory: Memory) -> None:
    memory.add("I live in Lisbon.", session="monday")
    explanation = memory.why(memory.facts()[0])
    assert "lives in Lisbon" in explanation.headline
    assert [message.content for message in explanation.sources] == ["I live in Lisbon."]
    assert any("monday" in step for step in explanation.steps)


def test_why_not_tells_that_a_fact_has_ended(memory: Memory) -> None:
    memory.add("I live in Lisbon.")
    memory.add("I moved to Porto.")
    lisbon = memory.history("home")[0]
    assert "it had ended" in memory.why_not("where do I live?", lisbon).headline


def test_why_not_tells_that_evidence_is_too_small(memory: Memory) -> None:
    fact = memory.remember("favorite color", "blue")
    headline = memory.why_not("tyre pressure of a tractor", fact).headline
    assert "was not returned" in headline


def test_people_are_subjects_of_their_own(memory: Memory) -> None:
    memory.add("My sister Anna lives in Berlin. I live in Lisbon.")
    assert memory.recall("home") == "Lisbon"
    assert memory.recall("home", subject="sister") == "Berlin"
    assert memory.recall("sister") == "Anna"


def test_the_graph_has_subjects_and_edges(memory: Memory) -> None:
    memory.add("My sister Anna lives in Berlin.")
    graph = memory.graph()
    assert "sister" in graph.subjects
    assert [(edge.subject, edge.attribute, edge.object) for edge in graph.edges] == [("user", "sister", "sister")]


def test_other_owner_sees_nothing(memory: Memory) -> None:
    memory.add("I live in Lisbon.")
    bob = memory.of("bob")
    assert bob.facts() == []
    assert bob.search("Where do I live?") == []
    assert bob.recall("home") is None
    assert memory.owners() == ["ana"]


def test_reading_spans_other_owners_only_when_named(memory: Memory) -> None:
    memory.of("team").remember("deploy command", "make ship")
    both = memory.of("ana", also=["team"])
    assert both.recall("deploy command") == "make ship"
    assert both.search("What is the deploy command?")
    assert memory.recall("deploy command") is None


def test_writing_never_spans_owners(memory: Memory) -> None:
    both = memory.of("ana", also=["team"])
    both.remember("deploy command", "make ship")
    assert memory.of("team").facts() == []


def test_a_retried_message_with_its_id_has_one_effect(memory: Memory) -> None:
    message = {"role": "user", "content": "I live in Lisbon.", "id": "m1"}
    memory.add(message)
    again = memory.add(message)
    assert [one.id for one in again.messages] == ["m1"]
    assert memory.stats().messages == 1
    assert memory.facts()[0].confirmations == 0


def test_another_text_under_a_taken_id_is_refused(memory: Memory) -> None:
    memory.add({"role": "user", "content": "I live in Lisbon.", "id": "m1"})
    with pytest.raises(InvalidInput, match="m1"):
        memory.add({"role": "user", "content": "I live in Rome.", "id": "m1"})
    assert memory.recall("home") == "Lisbon"


def test_a_clock_that_steps_back_brings_no_dead_value_back(memory: Memory, hands: Hands) -> None:
    memory.add("I live in Lisbon.")
    memory.add("I moved to Porto.")
    hands.now = MONDAY - timedelta(days=4000)
    memory.add("My budget is 2000 dollars.")
    assert memory.recall("home") == "Porto"
    assert memory.recall("budget") == "2000 dollars"
    memory.add("I moved to Rome.")
    assert memory.recall("home") == "Rome"


def test_secrets_are_not_stored_and_the_receipt_says_so(memory: Memory, path: Path) -> None:
    added = memory.add("My password is hunter2secret and I live in Lisbon.")
    assert added.redactions == ("secret",)
    memory.close()
    assert b"hunter2secret" not in path.read_bytes()


def test_a_fact_that_was_a_secret_is_refused(memory: Memory) -> None:
    receipts = memory.add("My password is hunter2secret.").receipts
    assert {receipt.outcome for receipt in receipts} <= {"refused"}
    assert memory.facts() == []


def test_what_we_injected_is_not_learned_again(memory: Memory) -> None:
    memory.remember("home", "Lisbon", pinned=True)
    text = memory.context("where do I live?").text
    added = memory.add(f"{text}\nThanks!")
    assert added.receipts == ()


def test_a_dead_embedder_loses_nothing_and_is_announced(path: Path) -> None:
    class Dead:
        name, dim = "dead", 8

        def embed(self, texts: object) -> object:
            raise ConnectionError("the embedder is down")

    memory = Memory(path, owner="ana", embedder=Dead())  # type: ignore[arg-type]
    added = memory.add("I live in Lisbon.")
    assert "the embedder is down" in added.warnings[0]
    assert memory.search("Where do I live?")[0].text == "lives in Lisbon"
    assert not memory.health().ok
    memory.close()
    with Memory(path, owner="ana") as repaired:
        assert repaired.catch_up() > 0
        assert repaired.health().ok


def test_a_dead_reader_loses_nothing_and_catches_up(path: Path) -> None:
    class Dead:
        name = "dead"

        def read(self, messages: object, context: object) -> list[object]:
            raise TimeoutError("the model is down")

    memory = Memory(path, owner="ana", reader=Dead())  # type: ignore[arg-type]
    assert "the model is down" in memory.add("I live in Lisbon.").warnings[0]
    assert memory.facts() == []
    assert memory.search("Lisbon")
    memory.close()
    with Memory(path, owner="ana") as repaired:
        repaired.catch_up()
        assert repaired.recall("home") == "Lisbon"
        assert repaired.catch_up() == 0


def test_an_reader_cannot_raise_its_own_origin(path: Path) -> None:
    from recollect.records import Draft

    class Obedient:
        name = "obedient"

        def read(self, messages: list[object], context: object) -> list[Draft]:
            return [Draft("user", "home", "Oslo", "lives in Oslo", MONDAY, origin="user")]

    memory = Memory(path, owner="ana", reader=Obedient())  # type: ignore[arg-type]
    memory.remember("home", "Lisbon")
    added = memory.add("The user lives in Oslo now.", origin="document")
    assert added.receipts[0].outcome == "refused"
    assert memory.recall("home") == "Lisbon"
    memory.close()


def test_ids_sort_by_time_and_a_run_is_repeatable() -> None:
    import random

    def run() -> list[str]:
        clock = Clock(now=Hands(), randomness=random.Random(1))
        with Memory(":memory:", owner="ana", clock=clock) as memory:
            return [memory.add(text).messages[0].id for text in ("one thing", "another thing", "a third thing")]

    first = run()
    assert first == sorted(first) == run()


def test_a_backup_is_a_whole_store(memory: Memory, tmp_path: Path) -> None:
    memory.remember("home", "Lisbon")
    with Memory(memory.backup(tmp_path / "copy.db"), owner="ana") as copy:
        assert copy.recall("home") == "Lisbon"


def test_stats_and_health_tell_how_it_is(memory: Memory) -> None:
    memory.add("I live in Lisbon.")
    stats = memory.stats()
    assert (stats.messages, stats.facts, stats.current_facts, stats.sessions) == (1, 1, 1, 1)
    assert stats.tokens > 3
    assert memory.health().ok, memory.health().problems


def test_what_is_said_in_another_language_is_kept_and_found(memory: Memory) -> None:
    added = memory.add("Abito a Torino e mi piace molto la città.")
    assert added.receipts == ()
    assert memory.search("Torino")


def test_a_name_for_a_car_ends_no_car(memory: Memory) -> None:
    memory.add("My car is a Polo.")
    memory.add("The car's name is Betty.")
    assert memory.recall("car") == "a Polo"
