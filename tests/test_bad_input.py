"""Bad input gets a clear error of our tree or is handled; nothing stored is lost."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timezone

import pytest

from recollect import Memory, Message, RecollectError
from recollect.errors import InvalidInput

AWKWARD = {
    "emoji": "I love 🦄 and 👩‍👩‍👧‍👦 in Lisbon",
    "right to left": "אני גר בתל אביב עם \u202eנועה\u202c",
    "zero width": "I li\u200bve in Lis\u200dbon",
    "combining": "e" + "\u0301" * 5000,
    "markup": "<script>alert(1)</script> & {{template}} %s \x1b[31m",
    "sql": "Robert'); drop table facts; --",
    "one long word": "x" * 100_000,
    "only punctuation": "?!… --- ***",
    "lone surrogate": "hello \ud800 world",
    "nul": "hello \x00 world",
    "tag characters": "hi \U000e0041\U000e0042",
}


@pytest.mark.parametrize("text", AWKWARD.values(), ids=AWKWARD)
def test_awkward_text_is_kept_and_the_next_add_works(memory: Memory, text: str) -> None:
    memory.add(text)
    memory.add("I live in Lisbon.")
    assert memory.stats().messages == 2
    assert memory.recall("home") == "Lisbon"
    assert memory.health().ok


def test_ten_megabytes_are_kept_and_found(memory: Memory) -> None:
    text = "The quick brown fox sleeps. " * 380_000 + "The lighthouse hums."
    assert len(text) > 10_000_000
    memory.add(text)
    assert memory.session("default").messages(limit=1)[0]["content"] == text


@pytest.mark.parametrize(
    "said",
    ["", "   \n\t", "\u200b\u2060 \ufeff", {"role": "user", "content": "\u200b"},
     None, 7, b"bytes", {"role": "user"}, {"content": "hi", "role": "wizard"}, [["nested"]], {},
     {"role": "user", "content": None}, {"role": "user", "content": 7}, object(),
     {"role": "user", "content": "x", "id": ""}],
)  # fmt: skip
def test_a_message_that_says_nothing_is_refused(memory: Memory, said: object) -> None:
    with pytest.raises(InvalidInput):
        memory.add(said)  # type: ignore[arg-type]
    assert memory.owners() == []


def test_an_empty_list_adds_nothing(memory: Memory) -> None:
    assert memory.add([]).messages == ()


def test_one_bad_message_in_a_list_keeps_none(memory: Memory) -> None:
    with pytest.raises(InvalidInput):
        memory.add(["I live in Lisbon.", ""])
    assert memory.owners() == []


def test_two_messages_with_one_id_in_a_list_are_refused(memory: Memory) -> None:
    twice = [{"role": "user", "content": text, "id": "m1"} for text in ("one", "two")]
    with pytest.raises(InvalidInput, match="m1"):
        memory.add(twice)


@pytest.mark.parametrize("owner", ["", "  ", None, 7, "x" * 300, "nul\x00"])
def test_an_owner_that_is_none_is_refused(memory: Memory, owner: object) -> None:
    with pytest.raises(InvalidInput, match="no NUL" if owner == "nul\x00" else "1 to 200 characters"):
        memory.of(owner)  # type: ignore[arg-type]


def test_also_takes_a_list_not_a_text(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="list of owners"):
        memory.of("ana", also="team")


@pytest.mark.parametrize("owner", ["a%b_c", "a'b", "../x", "日本", "a|b&c=d", "ANA", "ana "])
def test_any_other_owner_name_is_its_own_owner(memory: Memory, owner: str) -> None:
    memory.remember("home", "Lisbon")
    other = memory.of(owner)
    assert other.recall("home") is None
    other.remember("home", "Rome")
    assert (memory.recall("home"), other.recall("home")) == ("Lisbon", "Rome")


@pytest.mark.parametrize("at", ["0001-01-02", "9999-12-30", "1970-01-01", datetime(1, 1, 2), -62_000_000_000])
def test_the_far_past_and_future_are_times_like_others(memory: Memory, at: object) -> None:
    memory.add("The lighthouse hums.", at=at)  # type: ignore[arg-type]
    assert memory.search("lighthouse")
    assert memory.health().ok


@pytest.mark.parametrize("at", ["yesterdayish", "2026-13-01", 10**20, float("inf"), [], "99999-01-01"])
def test_a_time_that_is_none_is_refused(memory: Memory, at: object) -> None:
    with pytest.raises(InvalidInput):
        memory.add("The lighthouse hums.", at=at)  # type: ignore[arg-type]


BAD_CALLS: dict[str, Callable[[Memory], object]] = {
    "remember nothing": lambda memory: memory.remember(""),
    "remember an empty value": lambda memory: memory.remember("key", " "),
    "remember a huge key": lambda memory: memory.remember("k" * 1000, "v"),
    "remember a strange origin": lambda memory: memory.remember("key", "v", origin="god"),  # type: ignore[arg-type]
    "recall nothing": lambda memory: memory.recall(""),
    "recall a number": lambda memory: memory.recall(5),  # type: ignore[arg-type]
    "history of nothing": lambda memory: memory.history(" "),
    "facts of a number": lambda memory: memory.facts(attribute=5),  # type: ignore[arg-type]
    "facts about a number": lambda memory: memory.facts(subject=5),  # type: ignore[arg-type]
    "forget nothing": lambda memory: memory.forget(""),
    "undo a number": lambda memory: memory.undo(7),  # type: ignore[arg-type]
    "changes with limit 0": lambda memory: memory.changes(limit=0),
    "a strange kind": lambda memory: memory.search("x", kinds=["dream"]),  # type: ignore[list-item]
    "a strange tool form": lambda memory: memory.tools("xml"),
    "a session without a name": lambda memory: memory.session(""),
    "a strange embedder": lambda memory: Memory(":memory:", embedder="telepathy"),
    "a strange reader": lambda memory: Memory(":memory:", reader="telepathy"),
}


@pytest.mark.parametrize("call", BAD_CALLS.values(), ids=BAD_CALLS)
def test_a_bad_call_gets_an_error_that_says_so(memory: Memory, call: Callable[[Memory], object]) -> None:
    with pytest.raises(InvalidInput) as caught:
        call(memory)
    assert isinstance(caught.value, RecollectError)
    assert len(str(caught.value)) > 10


def test_a_message_object_of_another_owner_becomes_this_owners(memory: Memory) -> None:
    message = Message("m1", "bob", "s", "user", "I live in Lisbon.", datetime(2026, 1, 1, tzinfo=timezone.utc))
    assert memory.add(message).messages[0].owner == "ana"


def test_ten_thousand_messages_at_once_are_kept(memory: Memory) -> None:
    memory.add([f"Line {number} of the log." for number in range(10_000)])
    assert memory.stats().messages == 10_000
