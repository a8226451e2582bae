"""The same message id in several sessions: a fork, a replay and a copy of the same item lose nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import Memory
from recollect.errors import InvalidInput


@pytest.fixture(params=["file", "postgres"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(request.getfixturevalue("postgres_url") if request.param == "postgres" else tmp_path / "memory.db")


@pytest.fixture
def kept(store_url: str) -> Iterator[Memory]:
    with Memory(store_url, owner="ana", embedder=None) as opened:
        yield opened


def item(number: int, text: str) -> dict[str, object]:
    return {"id": f"item-{number}", "role": "user" if number % 2 else "assistant", "content": text, "turn": number}


TALK = [item(1, "I live in Porto."), item(2, "Noted."), item(3, "My dog is called Rex.")]


def test_the_same_id_in_two_sessions_keeps_both(kept: Memory) -> None:
    kept.session("one").add({"id": "m1", "role": "user", "content": "The red door is locked."})
    added = kept.session("two").add({"id": "m1", "role": "user", "content": "The blue door is open."})
    assert [message.id for message in added.messages] == ["m1@two"]
    assert kept.session("one").messages()[0]["content"] == "The red door is locked."
    assert kept.session("two").messages()[0]["content"] == "The blue door is open."


def test_a_forked_conversation_gives_its_own_items_in_order(kept: Memory) -> None:
    kept.session("main").add(TALK)
    kept.session("fork").add([*TALK, item(5, "I moved to Lisbon.")])
    assert kept.session("main").messages() == TALK
    assert kept.session("fork").messages() == [*TALK, item(5, "I moved to Lisbon.")]
    assert kept.recall("home") == "Lisbon"


def test_a_replay_in_its_session_is_kept_once(kept: Memory) -> None:
    kept.session("main").add(TALK)
    first = kept.session("fork").add(TALK)
    again = kept.session("fork").add(TALK)
    assert again.messages == first.messages
    assert again.receipts == ()
    assert [len(kept.session(name)) for name in ("main", "fork")] == [3, 3]


def test_other_words_under_an_id_of_the_session_keep_nothing_of_the_call(kept: Memory) -> None:
    kept.session("main").add(TALK)
    kept.session("fork").add(TALK)
    with pytest.raises(InvalidInput, match="taken by another text"):
        kept.session("fork").add([item(7, "Something new."), item(1, "I live in Rome.")])
    assert kept.session("fork").messages() == TALK


def test_one_call_with_an_id_twice_is_refused_whole(kept: Memory) -> None:
    with pytest.raises(InvalidInput, match="two messages have the id 'item-1' in session 'main'"):
        kept.session("main").add([item(1, "One."), item(1, "Two.")])
    assert kept.session("main").messages() == []


def test_messages_of_two_sessions_in_one_call_keep_both(kept: Memory) -> None:
    with Memory(":memory:", embedder=None, reader=None) as other:
        [here] = other.session("a").add({"id": "x", "role": "user", "content": "First."}).messages
        [there] = other.of("bob").session("b").add({"id": "x", "role": "user", "content": "Second."}).messages
    added = kept.add([here, there])
    assert [(one.id, one.session, one.content) for one in added.messages] == [
        ("x", "a", "First."),
        ("x@b", "b", "Second."),
    ]


def test_a_message_of_ours_can_be_copied_to_another_session(kept: Memory) -> None:
    added = kept.session("main").add(["I like tea.", "It is raining."])
    copied = kept.session("copy").add(added.messages)
    assert [one["content"] for one in kept.session("copy").messages()] == ["I like tea.", "It is raining."]
    assert kept.session("copy").add(added.messages).messages == copied.messages


def test_a_fact_of_a_fork_names_the_forks_own_message(kept: Memory) -> None:
    kept.session("main").add({"id": "m1", "role": "user", "content": "It is late."})
    added = kept.session("fork").add({"id": "m1", "role": "user", "content": "I live in Porto."})
    [fact] = kept.facts(attribute="home")
    assert fact.sources[0].message == added.messages[0].id == "m1@fork"
    assert [message.content for message in kept.why(fact).sources] == ["I live in Porto."]


def test_a_session_may_be_forked_of_a_fork_with_long_names(kept: Memory) -> None:
    names = ["s" * 200, "t" * 200, "u" * 200]
    for name in names:
        kept.session(name).add({"id": "i" * 200, "role": "user", "content": f"Words of {name[0]}."})
        kept.session(name).add({"id": "i" * 200, "role": "user", "content": f"Words of {name[0]}."})
    assert [kept.session(name).messages()[0]["content"] for name in names] == [f"Words of {one}." for one in "stu"]
    assert [len(kept.session(name)) for name in names] == [1, 1, 1]


def test_a_replay_is_known_again_after_the_first_of_the_name_was_erased(kept: Memory) -> None:
    kept.session("main").add(TALK)
    kept.session("fork").add(TALK)
    kept.erase(session="main")
    kept.session("fork").add(TALK)
    assert kept.session("fork").messages() == TALK


def test_payloads_without_words_are_told_apart(kept: Memory) -> None:
    def reasoning(secret: str) -> dict[str, object]:
        return {"id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": secret}

    kept.session("main").add(reasoning("abc"))
    kept.session("fork").add(reasoning("def"))
    assert kept.session("fork").messages() == [reasoning("def")]
    with pytest.raises(InvalidInput):
        kept.session("main").add(reasoning("other"))


def exported(name: str, folder: Path, *sessions: str) -> Path:
    """An export of a store that has the talk in these sessions."""
    with Memory(folder / f"{name}.db", owner="ana", embedder=None) as other:
        for session in sessions:
            other.session(session).add(TALK)
        other.export_to(folder / f"{name}.jsonl")
    return folder / f"{name}.jsonl"


def test_an_export_with_forks_comes_back_as_it_was(kept: Memory, tmp_path: Path) -> None:
    path = exported("both", tmp_path, "main", "fork")
    assert kept.import_from(path) > 0
    assert kept.import_from(path) == 0
    assert [kept.session(name).messages() for name in ("main", "fork")] == [TALK, TALK]


def test_an_import_beside_the_same_ids_keeps_both_sessions_and_their_facts(kept: Memory, tmp_path: Path) -> None:
    kept.session("mine").add([item(1, "The red door is locked."), item(2, "Noted.")])
    path = exported("other", tmp_path, "theirs")
    assert kept.import_from(path) > 0
    assert kept.import_from(path) == 0
    assert kept.session("theirs").messages() == TALK
    [fact] = kept.facts(attribute="home")
    assert [source.content for source in kept.why(fact).sources] == ["I live in Porto."]
    kept.undo(kept.why(fact).changes[0])
    assert kept.recall("home") is None


def test_an_import_of_what_was_said_here_too_keeps_it_once(kept: Memory, tmp_path: Path) -> None:
    kept.session("main").add(TALK, at="2026-03-01")
    with Memory(tmp_path / "other.db", owner="ana", embedder=None) as other:
        other.session("main").add([*TALK, item(5, "My sister is called Anna.")], at="2026-03-01")
        other.export_to(tmp_path / "other.jsonl")
    kept.import_from(tmp_path / "other.jsonl")
    assert kept.session("main").messages() == [*TALK, item(5, "My sister is called Anna.")]
    assert [fact.value for fact in kept.facts(attribute="home")] == ["Porto"]
    assert kept.store.check() == []


def test_a_copy_of_a_store_with_forks_agrees_and_goes_on(kept: Memory, tmp_path: Path) -> None:
    for name in ("main", "fork"):
        kept.session(name).add(TALK)
    assert kept.copy_to(tmp_path / "copy.db") == kept.copy_to(tmp_path / "copy.db")
    with Memory(tmp_path / "copy.db", owner="ana", embedder=None) as copy:
        assert copy.session("fork").messages() == TALK
