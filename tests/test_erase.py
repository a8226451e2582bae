"""Erased means erased: no row, no word, no vector, no byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Memory
from recollect.errors import InvalidInput, NotFound


def bytes_of(path: Path) -> bytes:
    """Everything in the files of the store, while it is open."""
    return b"".join(part.read_bytes() for part in sorted(path.parent.glob(path.name + "*")))


def test_erasing_a_key_leaves_no_byte_of_it(memory: Memory, path: Path) -> None:
    memory.add("I live in Quetzaltenango.")
    memory.add("I moved to Ouagadougou.")
    memory.add("I prefer window seats.")
    assert b"Quetzaltenango" in bytes_of(path)
    receipt = memory.erase("home")
    assert receipt.verified
    assert receipt.residue == ()
    assert (receipt.facts, receipt.messages) == (2, 2)
    for trace in (b"uetzaltenang", b"uagadougo"):
        assert trace not in bytes_of(path)
    assert memory.recall("seat preference") == "window"


def test_the_receipt_names_the_files_that_were_scanned(memory: Memory, path: Path) -> None:
    memory.remember("home", "Quetzaltenango")
    assert any(str(path) in name for name in memory.erase("home").scanned)


def test_erasing_a_subject_takes_its_facts_names_and_mentions(memory: Memory, path: Path) -> None:
    memory.add("My sister Annegret lives in Berlin.")
    memory.add("Annegret called me today about the parcel.")
    memory.add("I live in Lisbon.")
    receipt = memory.erase(subject="sister")
    assert receipt.verified
    assert b"nnegret" not in bytes_of(path)
    assert [fact.value for fact in memory.facts()] == ["Lisbon"]
    assert memory.search("Annegret") == []


def test_a_subject_can_be_erased_by_its_name(memory: Memory, path: Path) -> None:
    memory.add("My sister Annegret lives in Berlin.")
    memory.erase(subject="Annegret")
    assert b"nnegret" not in bytes_of(path)
    assert memory.facts() == []


def test_notes_that_mention_an_erased_subject_are_named_not_touched(memory: Memory) -> None:
    memory.add("My sister Annegret lives in Berlin.")
    memory.notes.write("/memories/family.md", "Annegret likes tea.")
    receipt = memory.erase(subject="sister")
    assert any("/memories/family.md" in line for line in receipt.residue)
    assert memory.notes.read("/memories/family.md").text == "Annegret likes tea."


def test_erasing_a_session_takes_what_was_derived_from_it(memory: Memory, path: Path) -> None:
    memory.add("I live in Quetzaltenango.", session="one")
    memory.add("I prefer window seats.", session="two")
    memory.erase(session="one")
    assert memory.recall("home") is None
    assert [info.session for info in memory.sessions()] == ["two"]
    assert b"uetzaltenang" not in bytes_of(path)


def test_quotes_of_erased_words_vanish_from_other_records(memory: Memory, path: Path) -> None:
    memory.add("I live in Lisbon.", session="one")
    memory.add("I moved to Quetzaltenango.", session="two")
    memory.erase(session="two")
    assert b"uetzaltenang" not in bytes_of(path)
    assert [fact.value for fact in memory.history("home")] == ["Lisbon"]


def test_erasing_everything_leaves_no_trace_of_the_owner(memory: Memory, path: Path) -> None:
    zoe = memory.of("zoe-quibble")
    zoe.add("I live in Quetzaltenango.")
    zoe.notes.write("/memories/a.md", "A secret garden note.")
    memory.add("I live in Lisbon.")
    assert zoe.erase(everything=True).verified
    assert memory.owners() == ["ana"]
    for trace in (b"uetzaltenang", b"zoe-quibble", b"secret garden"):
        assert trace not in bytes_of(path)
    assert memory.recall("home") == "Lisbon"


def test_erasing_never_touches_another_owner(memory: Memory) -> None:
    memory.of("bob").add("I live in Quetzaltenango.")
    memory.add("I live in Quetzaltenango.")
    receipt = memory.erase("home")
    assert memory.of("bob").recall("home") == "Quetzaltenango"
    assert (receipt.verified, receipt.residue) == (True, ())


def test_the_log_says_that_something_was_erased_but_not_what(memory: Memory) -> None:
    memory.add("I live in Quetzaltenango.")
    memory.erase("home")
    entry = memory.changes()[0]
    assert entry.kind == "erased"
    assert entry.why == "erased 1 fact, 1 message, 0 notes"
    assert "Quetz" not in str(memory.changes())


def test_a_fact_that_was_said_elsewhere_too_outlives_a_session(memory: Memory) -> None:
    memory.add("I live in Lisbon.", session="one")
    memory.add("I live in Lisbon.", session="two")
    memory.erase(session="one")
    assert memory.recall("home") == "Lisbon"
    assert [message.session for message in memory.why(memory.facts()[0]).sources] == ["two"]


def test_a_fact_said_in_the_same_breath_stays_without_its_words(memory: Memory, path: Path) -> None:
    memory.add("My sister Annegret lives in Berlin. I live in Lisbon.")
    memory.erase(subject="sister")
    assert memory.recall("home") == "Lisbon"
    assert memory.facts()[0].sources == ()
    assert b"nnegret" not in bytes_of(path)


def test_a_mention_goes_without_what_else_was_said_beside_it(memory: Memory) -> None:
    memory.add("I live in Lisbon. What a day, said Annegret!")
    assert [fact.value for fact in memory.facts()] == ["Lisbon"]
    memory.erase(subject="Annegret")
    assert memory.recall("home") == "Lisbon"


def test_erasing_everything_takes_the_log_of_earlier_erasures(memory: Memory) -> None:
    memory.remember("home", "Lisbon")
    memory.erase("home")
    memory.remember("home", "Lisbon")
    memory.erase(everything=True)
    assert memory.owners() == []


def test_a_note_is_erased_with_all_its_versions(memory: Memory, path: Path) -> None:
    memory.notes.write("/memories/a.md", "The first xylophone.")
    memory.notes.write("/memories/a.md", "The second xylophone.")
    memory.erase("/memories/a.md")
    assert b"ylophone" not in bytes_of(path)


@pytest.mark.parametrize("options", [{}, {"subject": "sister", "session": "one"}, {"what": "home", "everything": True}])
def test_exactly_one_thing_is_erased_at_a_time(memory: Memory, options: dict[str, object]) -> None:
    with pytest.raises(InvalidInput, match="exactly one"):
        memory.erase(**options)  # type: ignore[arg-type]


def test_erasing_what_is_not_there_is_an_error(memory: Memory) -> None:
    for options in ({"what": "shoe size"}, {"subject": "uncle"}, {"session": "nine"}, {"everything": True}):
        with pytest.raises(NotFound):
            memory.erase(**options)  # type: ignore[arg-type]


def test_an_erasure_cannot_be_undone_and_undo_says_so(memory: Memory) -> None:
    memory.remember("seat preference", "window")
    memory.remember("home", "Quetzaltenango")
    memory.erase("home")
    with pytest.raises(InvalidInput, match="an erasure, which nothing brings back"):
        memory.undo()
    memory.undo(memory.changes()[1])
    assert memory.recall("seat preference") is None


def test_other_records_with_the_erased_value_are_named_and_not_touched(memory: Memory) -> None:
    memory.add("My doctor is Ruth Okafor.")
    [kept] = memory.add("Lunch with Ruth Okafor was fine.", session="two").messages
    memory.notes.write("/memories/health.md", "Ask Okafor about the knee.")
    receipt = memory.erase("doctor")
    assert set(receipt.also_in) >= {kept.id, "/memories/health.md"}
    assert not receipt.verified
    assert any(kept.id in line and "still mentions it" in line for line in receipt.residue)
    assert any("/memories/health.md" in line for line in receipt.residue)
    assert memory.notes.read("/memories/health.md").text.startswith("Ask")


def test_a_receipt_is_verified_when_only_a_word_of_the_value_stands_elsewhere(memory: Memory) -> None:
    memory.add("My doctor is Ruth Okafor.")
    memory.notes.write("/memories/health.md", "Ask Okafor about the knee.")
    receipt = memory.erase("doctor")
    assert (receipt.verified, receipt.also_in) == (True, ("/memories/health.md",))
    assert "has a word of it" in receipt.residue[0]
    assert memory.erase("/memories/health.md").residue == ()


def test_a_word_that_many_records_have_tells_of_nothing(memory: Memory) -> None:
    memory.remember("favourite cafe", "Cafe Central")
    for number in range(12):
        memory.add(f"Cafe number {number} was closed.", session="walk")
    receipt = memory.erase("favourite cafe")
    assert (receipt.verified, receipt.also_in) == (True, ())


def test_the_same_words_in_another_message_are_named(memory: Memory) -> None:
    first, second = memory.add(["The garden gate squeaks a lot.", "The garden gate squeaks a lot."]).messages
    receipt = memory.erase(first.id)
    assert (receipt.verified, receipt.also_in) == (False, (second.id,))


def test_a_payload_with_the_erased_value_is_named(memory: Memory) -> None:
    memory.remember("codename", "Nightjar")
    result = {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "Project Nightjar: go"}]}
    said = {"role": "user", "content": [{"type": "text", "text": "Look at this."}, result]}
    [kept] = memory.add([said]).messages
    receipt = memory.erase("codename")
    assert (receipt.verified, receipt.also_in) == (False, (kept.id,))
