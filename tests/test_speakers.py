"""Several people speak in one memory: each one's "I" is their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from recollect import Memory
from recollect.records import Added


@pytest.fixture
def talk() -> Memory:
    return Memory(":memory:", owner="call-7")


def say(memory: Memory, name: str | None, text: str, session: str = "monday") -> Added:
    return memory.add({"role": "user", "content": text, **({"name": name} if name else {})}, session=session)


def test_one_speakers_home_does_not_end_anothers(talk: Memory) -> None:
    say(talk, "Caroline", "I live in Lisbon.")
    added = say(talk, "Melanie", "I live in Porto.")
    assert [receipt.outcome for receipt in added.receipts] == ["stored", "stored"]
    assert talk.recall("home") == "Lisbon"
    assert talk.recall("home", subject="Melanie") == "Porto"


def test_each_speaker_ends_their_own(talk: Memory) -> None:
    say(talk, "Caroline", "I live in Lisbon.")
    say(talk, "Melanie", "I live in Porto.")
    moved = say(talk, "Melanie", "I moved to Rome.")
    assert moved.receipts[0].why.startswith("ended “Melanie lives in Porto”")
    assert "Melanie said “I moved to Rome”" in moved.receipts[0].why
    say(talk, "Caroline", "I moved to Faro.")
    assert (talk.recall("home"), talk.recall("home", subject="Melanie")) == ("Faro", "Rome")


def test_a_question_finds_the_one_it_names(talk: Memory) -> None:
    say(talk, "Caroline", "I live in Lisbon.")
    say(talk, "Melanie", "I live in Porto.")
    assert talk.search("Where do I live?")[0].text == "lives in Lisbon"
    assert talk.search("Where does Melanie live?")[0].text == "Melanie lives in Porto"
    assert talk.search("Where does Caroline live?")[0].text == "lives in Lisbon"


def test_my_sister_is_the_speakers_sister(talk: Memory) -> None:
    say(talk, "Caroline", "My sister Anna lives in Oslo.")
    say(talk, "Melanie", "My sister Beth lives in Bern. My laptop has 16 GB of RAM.")
    assert talk.recall("home", subject="sister") == "Oslo"
    assert talk.recall("home", subject="Melanie's sister") == "Bern"
    assert not [fact for fact in talk.facts() if fact.subject in ("laptop", "user") and "16 GB" in fact.text]
    say(talk, "Melanie", "Beth moved to Basel.")
    assert talk.recall("home", subject="Melanie's sister") == "Basel"
    assert talk.recall("home", subject="sister") == "Oslo"


def test_a_correction_is_about_what_its_speaker_said(talk: Memory) -> None:
    say(talk, "Caroline", "I live in Lisbon.")
    say(talk, "Melanie", "I work at Acme.")
    say(talk, "Melanie", "Sorry, I meant Apex, not Lisbon.")
    assert talk.recall("home") == "Lisbon"


def test_who_speaks_is_decided_once_for_all_processes(path: Path) -> None:
    for name, text in [
        ("Caroline", "I live in Lisbon."),
        ("Melanie", "I live in Porto."),
        ("Caroline", "I work as a nurse."),
    ]:
        with Memory(path, owner="call-7") as talk:
            say(talk, name, text, session=text)
    with Memory(path, owner="call-7") as talk:
        assert (talk.recall("home"), talk.recall("occupation")) == ("Lisbon", "nurse")
        assert {fact.value: fact.subject for fact in talk.facts(attribute="heard as")} == {
            "Caroline": "user",
            "Melanie": "Melanie",
        }


def test_one_name_alone_is_the_user(talk: Memory) -> None:
    say(talk, "Caroline", "I live in Lisbon.")
    say(talk, "Caroline", "I moved to Porto.", session="tuesday")
    assert talk.recall("home") == "Porto"
    say(talk, None, "I moved to Faro.", session="wednesday")
    assert talk.recall("home") == "Faro"


def test_who_has_the_owners_name_is_the_user(memory: Memory) -> None:
    said = [("Ben", "I live in Porto."), ("Ana Silva", "I live in Lisbon.")]
    memory.add([{"role": "user", "name": name, "content": text} for name, text in said])
    assert memory.recall("home") == "Lisbon"
    assert memory.recall("home", subject="Ben") == "Porto"


def test_who_has_the_users_known_name_is_the_user(talk: Memory) -> None:
    say(talk, None, "My name is Dana Reyes. I live in Lisbon.", session="old")
    say(talk, "Ben", "I live in Porto.")
    say(talk, "Dana", "I moved to Faro.")
    assert talk.recall("home") == "Faro"
    assert talk.recall("home", subject="Ben") == "Porto"


def test_a_name_beside_a_user_without_one_is_someone_else(talk: Memory) -> None:
    say(talk, None, "I live in Lisbon.")
    say(talk, "Ben", "I live in Porto.")
    assert talk.recall("home") == "Lisbon"
    assert talk.recall("home", subject="Ben") == "Porto"


def test_a_sister_who_speaks_is_known_as_the_sister(talk: Memory) -> None:
    say(talk, None, "My sister Anna lives in Oslo.", session="old")
    say(talk, "Anna", "I moved to Bern.")
    assert talk.recall("home", subject="sister") == "Bern"
    assert talk.recall("home") is None


def test_a_friend_who_speaks_is_one_person_with_the_speaker(talk: Memory) -> None:
    say(talk, "Caroline", "Hello there!")
    say(talk, "Melanie", "I live in Porto.")
    say(talk, "Caroline", "My friend Melanie moved to Rome.")
    assert talk.recall("home", subject="Melanie") == "Rome"


def test_names_of_tools_and_assistants_are_no_speakers(talk: Memory) -> None:
    call = {"role": "tool", "name": "weather", "content": "I live in Oslo.", "tool_call_id": "c1"}
    talk.add([call, {"role": "assistant", "name": "bot", "content": "I live in a server."}])
    say(talk, "Caroline", "I live in Lisbon.")
    assert talk.recall("home") == "Lisbon"


def test_a_name_that_only_says_user_is_the_user(talk: Memory) -> None:
    say(talk, "User", "I live in Lisbon.")
    say(talk, "Caroline", "I live in Porto.")
    assert talk.recall("home") == "Lisbon"


def test_what_was_decided_can_be_taken_back(talk: Memory) -> None:
    added = say(talk, "Melanie", "Hello there!")
    talk.undo(added.receipts[0].changes[0])
    say(talk, "Caroline", "I live in Lisbon.")
    say(talk, "Melanie", "I live in Porto.")
    assert (talk.recall("home"), talk.recall("home", subject="Melanie")) == ("Lisbon", "Porto")


def test_a_name_is_no_answer_unless_it_is_asked_for(talk: Memory) -> None:
    say(talk, "Caroline", "I live in Lisbon.")
    say(talk, "Melanie", "I live in Porto.")
    assert not [hit for hit in talk.search("Where does Melanie live?") if "heard as" in hit.text]
    assert talk.search("What is my name?")[0].text.startswith("is heard as Caroline")
