"""Nothing freezes: what a message costs grows with its length and no faster, whatever is in it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from recollect import Memory
from tests.server.conftest import serving

LETTERS = 100_000

REPEATED = {
    "sentence": "I am. ",
    "home": "I live in Porto. ",
    "home a line": "I live in Porto.\n",
    "capitals": "I LIVE IN PORTO. ",
    "bullets": "- I am\n",
    "bullets with facts": "* my dog is Rex\n",
    "numbered": "1. I am\n",
    "question": "Where am I? ",
    "exclaimed": "I am! ",
    "semicolons": "I am; ",
    "stops": "stop. ",
    "conjunctions": "tea and ",
    "commas": "tea, ",
    "names": "Anna Smith ",
    "relation": "my sister Anna is ",
    "negation": "not A but B, ",
    "conditions": "if I am ",
    "causes": "because I am ",
    "relatives": "which is ",
    "article": "the ",
    "prepositions": "of the a ",
    "pronoun": "I ",
    "adverb": "actually, ",
    "possessive": "Today's ",
    "apostrophes": "'a ",
    "quotes": '"I am" ',
    "open quotes": "“he said ‘",
    "only quotes": '"',
    "open brackets": "[",
    "braces": '{"a": ',
    "json": '{"b": 1}, ',
    "combining": "e\u0301 ",
    "emoji": "😀",
    "emoji in sentences": "I like 😀. ",
    "joined emoji": "👩‍👩‍👧 ",
    "zero-width": "a\u200b",
    "one word": "a",
    "capital": "A",
    "digits": "1",
    "numbers": "12 ",
    "dates": "on 5 May 2020 ",
    "times": "at 7:15 ",
    "code": "def f(x):\n    return x\n",
    "fences": "```\na\n```\n",
    "ticks": "`a` ",
    "base64": "aGVsbG8gd29ybGQh",
    "base64 lines": "aGVsbG8gd29ybGQhaGVsbG8gd29ybGQh\n",
    "dashes": "-",
    "compounds": "a-",
    "slashes": "a/b ",
    "dots": ".",
    "colons": "a: ",
    "table": "| a | b |\n",
    "html": "<b>I am</b>",
    "bold": "**I am** ",
    "quoted lines": "> I am\n",
    "addresses": "http://a.b/c ",
    "mails": "a@b.c ",
    "speakers": "Bob: I am\n",
    "Cyrillic": "Я живу в Порту. ",
    "Chinese": "我住在波尔图。",
    "German": "Ich wohne in Porto. ",
    "Windows lines": "I am.\r\n\r\n",
    "passwords": "password: ",
    "private keys": "-----BEGIN PRIVATE KEY-----",
    "own blocks": "<recollect-memory>",
    "empty bullets": "\n\n- ",
    "opened braces": "{\n",
    "brackets a line": "[\n]\n",
    "letters a line": "a\n",
    "rules": "-- \n",
    "questions and answers": "Q: a\nA: b\n",
}

SHAPES: dict[str, Callable[[int], str]] = {
    **{name: lambda size, part=part: (part * (size // len(part) + 1))[:size] for name, part in REPEATED.items()},  # type: ignore[misc]
    "newlines and a sentence": lambda size: "\n" * size + "I am.",
    "blanks and a sentence": lambda size: " " * size + "I am.",
    "nested brackets": lambda size: "(" * (size // 2) + "I am" + ")" * (size // 2),
    "marks on one letter": lambda size: "e" + "\u0301" * size,
    "different facts": lambda size: " ".join(f"I like thing{number}." for number in range(size // 16)),
}


@pytest.fixture(scope="module")
def quick() -> Iterator[Memory]:
    with Memory(":memory:", embedder="quick") as memory:
        memory.add("I live in Porto.")  # what is loaded once is no part of what a message costs
        yield memory


def seconds(memory: Memory, said: str) -> float:
    """The processor time that keeping and reading a message takes, at best of two."""

    def once(owner: str) -> float:
        began = time.process_time()
        memory.of(owner).add(said)
        return time.process_time() - began

    return min(once("one"), once("two"))


@pytest.mark.parametrize("shape", SHAPES)
def test_twice_as_long_costs_less_than_three_times_as_much(quick: Memory, shape: str) -> None:
    half, whole = seconds(quick, SHAPES[shape](LETTERS // 2)), seconds(quick, SHAPES[shape](LETTERS))
    assert whole < 0.5
    assert whole < 3 * max(half, 0.03)  # below that, what does not depend on the length is most of it


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["sentence", "one word", "newlines and a sentence", "different facts", "json"])
def test_ten_megabytes_are_kept_in_seconds(quick: Memory, shape: str) -> None:
    assert seconds(quick, SHAPES[shape](10_000_000)) < 50 * 0.5


def test_what_was_not_read_is_kept_and_said(memory: Memory) -> None:
    added = memory.add("I live in Porto. " + "The weather was fine again. " * 400 + "My sister is called Anna.")
    assert [fact.value for fact in added.facts] == ["Porto"]
    (warning,) = added.warnings
    assert added.messages[0].id in warning
    assert "only the first 8,000 characters or 200 sentences were read for facts" in warning
    assert "Anna" in memory.search("sister called Anna", kinds=["message"])[0].text


def test_sentences_that_were_not_read_are_said_too(memory: Memory) -> None:
    added = memory.add("I live in Porto. " + "I am. " * 300 + "My sister is called Anna.")
    assert {fact.value for fact in added.facts} == {"Porto", "Anna"} or len(added.warnings) == 1


def test_blank_lines_are_no_part_of_what_is_read(memory: Memory) -> None:
    added = memory.add("I live in Porto." + "\n" * 5_000 + "My sister is called Anna.")
    assert ({fact.value for fact in added.facts}, added.warnings) == ({"Porto", "Anna"}, ())


def test_no_sentence_is_read_by_half(memory: Memory) -> None:
    added = memory.add("The weather was fine. " * 363 + "I live in Porto Alegre.")
    assert added.facts == ()


@pytest.mark.parametrize("shape", ["newlines and a sentence", "sentence", "passwords", "different facts", "one word"])
@pytest.mark.parametrize("size", [30_000, 1_000_000])
def test_health_answers_beside_any_body(tmp_path: Path, shape: str, size: int) -> None:
    with serving(tmp_path, memory=Memory(tmp_path / "m.db", embedder="quick")) as up, up.client() as client:
        client.post("/v1/owners/ana/add", json={"said": "I live in Porto."})
        sent = threading.Thread(
            target=client.post, args=["/v1/owners/ana/add"], kwargs={"json": {"said": SHAPES[shape](size)}}
        )
        sent.start()
        waits = []
        while sent.is_alive():
            began = time.perf_counter()
            assert httpx.get(f"{up.url}/health").status_code == 200
            waits.append(time.perf_counter() - began)
        assert max(waits, default=0) < 1.5  # 0.3 on a machine that has nothing else to do
