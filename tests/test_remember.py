"""What is told directly: a key and its value of any plain kind, or a sentence as a model writes it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect import AsyncMemory, Memory
from recollect.errors import InvalidInput, NotFound


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory(":memory:", owner="dana", embedder="quick") as opened:
        yield opened


@pytest.mark.parametrize(
    ("full", "value", "key", "other"),
    [
        ("phone number", "+351 912 345 678", "phone", "iPhone 15"),
        ("mobile number", "(555) 123-4567", "mobile", "a Pixel 9, bought in 2024 for 799"),
        ("email address", "ana@example.org", "email", "Gmail, sorted into folders"),
        ("date of birth", "3 May 1990", "birthday", "a party at the zoo"),
        ("birthday", "12 March", "dob", "never asked"),
        ("age", 31, "age", "the Bronze Age"),
    ],
)
def test_a_value_of_another_shape_ends_nothing(memory: Memory, full: str, value: str, key: str, other: str) -> None:
    memory.remember(full, value)
    memory.remember(key, other)
    assert memory.recall(key) == other
    assert str(value) in [fact.value for fact in memory.facts()]
    assert all(fact.until is None for fact in memory.history(full))


def test_a_key_gives_what_was_told_under_it_last(memory: Memory) -> None:
    memory.remember("phone", "iPhone 15")
    memory.remember("phone", "+351 912 345 678")
    assert (memory.recall("phone"), memory.recall("phone number")) == ("+351 912 345 678", "+351 912 345 678")
    memory.remember("phone", "iPhone 16")
    assert (memory.recall("phone"), memory.recall("phone number")) == ("iPhone 16", "+351 912 345 678")
    assert [fact.value for fact in memory.history("phone")] == ["iPhone 15", "+351 912 345 678", "iPhone 16"]


def test_a_key_of_ones_own_is_forgotten_and_put_right_by_its_name(memory: Memory) -> None:
    memory.remember("phone number", "+351 912 345 678")
    memory.remember("phone", "iPhone 15")
    assert memory.correct("phone", "iPhone 16").text == "phone is iPhone 16"
    memory.forget("phone")
    assert memory.recall("phone") == memory.recall("phone number") == "+351 912 345 678"


def test_a_synonym_with_the_right_shape_is_the_same_key(memory: Memory) -> None:
    memory.remember("phone number", "+351 912 345 678")
    memory.remember("mobile", "+351 000 111 222")
    assert [fact.value for fact in memory.facts()] == ["+351 000 111 222"]


def test_what_holds_in_one_place_does_not_end_what_holds_in_another(memory: Memory) -> None:
    memory.add("the api is on 4010")
    memory.add("in staging the api is on 8080")
    memory.add("on the test server the api port is 9090")
    assert memory.recall("port", subject="api") == "4010"
    assert "8080" in memory.search("Where is the api in staging?")[0].text


@pytest.mark.parametrize(
    ("value", "held"),
    [(31, "31"), (-4, "-4"), (1.5, "1.5"), (True, "yes"), (False, "no"), ("text", "text")],
)
def test_plain_values_come_back_as_text(memory: Memory, value: str | float | bool, held: str) -> None:
    assert memory.remember("setting", value).value == held
    assert memory.recall("setting") == held


PLAIN = st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from(["a", "b c", "ü", '"'])


@given(values=st.lists(PLAIN, min_size=1, max_size=5))
@settings(deadline=None, max_examples=30)
def test_a_list_under_a_key_of_ones_own_is_one_value_and_comes_back_whole(values: list[str | float]) -> None:
    with Memory(":memory:", owner="dana", embedder=None) as memory:
        memory.remember("list of things", "something else")
        memory.remember("list of things", values)
        assert json.loads(memory.recall("list of things") or "") == values
        assert len(memory.facts()) == 1


def test_a_list_under_a_key_that_holds_many_is_several_values(memory: Memory) -> None:
    memory.remember("allergy", ["nuts", "kiwi", "nuts"])
    assert {fact.value for fact in memory.facts(attribute="allergy")} == {"nuts", "kiwi"}
    memory.remember("allergies", ["kiwi", "shellfish"])
    assert {fact.value for fact in memory.facts(attribute="allergy")} == {"nuts", "kiwi", "shellfish"}


@pytest.mark.parametrize(
    "value", [{"a": 1}, [], [[1]], [{"a": 1}], [None], float("nan"), [float("inf")], b"bytes", object()]
)
def test_what_cannot_be_kept_is_refused_and_keeps_nothing(memory: Memory, value: object) -> None:
    with pytest.raises(InvalidInput, match="a value must"):
        memory.remember("setting", value)  # type: ignore[arg-type]
    assert memory.facts() == []


def test_the_async_memory_takes_the_same_values(memory: Memory) -> None:
    assert asyncio.run(AsyncMemory(memory).remember("age", 31)).value == "31"
    assert asyncio.run(AsyncMemory(memory).remember("vegan", value=True)).text == "vegan is yes"


def test_a_model_may_give_a_number_or_a_list(memory: Memory) -> None:
    memory.call_tool("remember", {"key": "age", "value": 31})
    memory.call_tool("remember", {"key": "allergy", "value": ["nuts", "kiwi"]})
    assert memory.recall("age") == "31"
    assert set(memory.call_tool("recall", {"key": "allergy"}).split(", ")) >= {"nuts", "kiwi"}
    assert "a value must" in memory.call_tool("remember", {"key": "age", "value": {"years": 31}})


SENTENCES = """
The user lives in Porto. | home | Porto
The user's name is Ana | name | Ana
User’s name is Ana | name | Ana
User: prefers tea | prefers | tea
User prefers dark mode | prefers | dark mode
User is allergic to peanuts | allergy | peanuts
The user works as a nurse at Helios | occupation | nurse
The user's wife Clara is a doctor | wife | Clara
the user is 34 years old | age | 34
The user's dog is called Rex. | dog | Rex
"""


@pytest.mark.parametrize("row", SENTENCES.strip().splitlines())
def test_a_sentence_about_the_user_becomes_a_fact_about_the_user(memory: Memory, row: str) -> None:
    sentence, key, value = row.split(" | ")
    memory.remember(sentence)
    assert value in [fact.value for fact in memory.facts(subject="user", attribute=key)]
    assert not [fact for fact in memory.facts() if "user" in f"{fact.value} {fact.text}".lower()]


def test_such_a_fact_is_superseded_like_any_other(memory: Memory) -> None:
    memory.remember("The user lives in Porto.")
    memory.add("I moved to Faro.")
    memory.remember("The user lives in Braga.")
    assert [fact.value for fact in memory.history("home")] == ["Porto", "Faro", "Braga"]
    assert memory.recall("home") == "Braga"


NOTES = [
    "User wants replies in German",
    "User asked for concise answers",
    "The user interface is slow",
    "Users complain about the login",
    "User said they moved to Berlin",
    "blue folder first, then the red one",
    "???",
    "x" * 3_000,
]


def test_what_is_not_read_stands_under_a_key_of_its_own(memory: Memory) -> None:
    kept = [memory.remember(text) for text in NOTES]
    assert len({fact.attribute for fact in kept}) == len(NOTES)
    assert {fact.text for fact in memory.facts()} == set(NOTES)
    assert memory.remember(NOTES[0]).confirmations == 1


@pytest.mark.parametrize("text", NOTES)
def test_such_a_text_is_forgotten_by_its_words_alone(memory: Memory, text: str) -> None:
    for one in NOTES:
        memory.remember(one)
    memory.forget(text)
    assert {fact.text for fact in memory.facts()} == set(NOTES) - {text}
    with pytest.raises(NotFound):
        memory.forget(text)


def test_such_a_text_is_put_right_and_found_by_its_new_words(memory: Memory) -> None:
    memory.remember("User wants replies in German")
    fact = memory.correct("User wants replies in German", "User wants replies in French")
    assert [one.text for one in memory.facts()] == ["User wants replies in French"] == [fact.text]
    memory.forget("User wants replies in French")
    assert memory.facts() == []


@pytest.mark.parametrize(
    "text",
    ["User isn't vegan.", "The user is no longer vegan.", "User used to live in Rome.", "User doesn't live in Porto."],
)
def test_an_end_of_what_is_not_known_keeps_its_words(memory: Memory, text: str) -> None:
    memory.remember(text)
    assert [fact.text for fact in memory.facts()] == [text]
    assert [hit.text for hit in memory.search(text)] == [text]


def test_an_end_of_what_is_known_leaves_no_words_beside_it(memory: Memory) -> None:
    memory.remember("The user lives in Porto.")
    memory.remember("The user doesn't live in Porto anymore.")
    assert memory.facts() == []
    assert [fact.text for fact in memory.history("home")] == ["lives in Porto"]


def test_every_receipt_has_words(memory: Memory) -> None:
    memory.add("I live in Lisbon and I am allergic to nuts.")
    said = ["I moved to Porto.", "I'm not allergic to nuts any more.", "I don't live in Rome."]
    receipts = [receipt for text in said for receipt in memory.add(text).receipts]
    assert [receipt.outcome for receipt in receipts if receipt.fact is None] == ["refused"]
    assert [receipt.text for receipt in receipts] == ["lives in Porto", "is allergic to nuts", "lives in Rome"]
