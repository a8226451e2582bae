"""Tools: one definition, every provider's schema, answers for whatever a model sends."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from itertools import count as numbers
from types import SimpleNamespace
from typing import Any

import pytest

from recollect import tools
from recollect.clock import Clock
from recollect.errors import InvalidInput
from recollect.memory import Memory
from recollect.tokens import count

MONDAY = datetime(2026, 3, 2, 9, 30, tzinfo=timezone.utc)
NAMES = ["remember", "recall", "search", "forget", "correct", "pin", "unpin"]


@pytest.fixture
def memory() -> Iterator[Memory]:
    seconds = numbers()
    clock = Clock(now=lambda: MONDAY + timedelta(seconds=next(seconds)))
    with Memory(":memory:", owner="ana", embedder=None, extractor=None, clock=clock) as opened:
        yield opened


def call(memory: Memory, name: str, **arguments: Any) -> str:
    return memory.call_tool(name, arguments)


def test_tools_are_defined_once() -> None:
    defined = tools.schemas()
    assert [tool.name for tool in defined] == NAMES
    assert [tool["function"]["name"] for tool in tools.schemas("openai")] == NAMES
    assert [tool["name"] for tool in tools.schemas("openai-responses")] == NAMES
    assert [tool["input_schema"] for tool in tools.schemas("anthropic")] == [tool.parameters for tool in defined]
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name) for name in NAMES)


@pytest.mark.parametrize("form", ["openai", "openai-responses", "anthropic"])
def test_all_schemas_cost_little(memory: Memory, form: str) -> None:
    assert count(json.dumps(memory.tools(form))) < 900


def test_a_schema_given_out_can_be_changed_without_harm() -> None:
    tools.schemas("anthropic")[0]["input_schema"]["properties"].clear()
    assert tools.schemas("anthropic")[0]["input_schema"]["properties"]


def test_an_unknown_form_is_refused(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match=r"unknown form of tools 'cobol': use one of openai, openai-responses"):
        memory.tools("cobol")


def test_a_model_remembers_and_recalls(memory: Memory) -> None:
    told = call(memory, "remember", key="seat preference", value="window", category="travel")
    assert told == "Remembered: seat preference = window."
    assert call(memory, "recall", key="seat preference") == "window"
    assert call(memory, "recall", key="shoe size") == 'Nothing is known about "shoe size".'
    assert [fact.category for fact in memory.facts()] == ["travel"]


def test_a_model_hears_what_a_new_value_replaced(memory: Memory) -> None:
    call(memory, "remember", key="seat preference", value="aisle")
    assert call(memory, "remember", key="seat preference", value="window").endswith("= window (replaced aisle).")
    assert call(memory, "remember", key="seat preference", value="window").startswith("Already known: ")


def test_a_model_cannot_overrule_the_user(memory: Memory) -> None:
    memory.remember("seat preference", "window")
    answer = call(memory, "remember", key="seat preference", value="aisle")
    assert "contradicts what the user said (window): ask the user" in answer
    assert memory.recall("seat preference") == "window"


def test_search_answers_lines_with_ids(memory: Memory) -> None:
    fact = memory.remember("seat preference", "window")
    answer = call(memory, "search", query="which seat do I prefer?")
    assert answer.startswith(f"- [{fact.id}] ")
    assert answer.endswith("(2026-03-02)")
    assert call(memory, "search", query="quantum chromodynamics") == "Nothing found."


def test_search_answers_within_its_tokens(memory: Memory) -> None:
    memory.add([f"Number {number} was called." for number in range(60)])
    memory.add([f"Report {number}: " + "the harvest was good and " * 20 for number in range(10)])
    answer = call(memory, "search", query="harvest report", limit=20)
    assert count(answer) <= 300
    assert len(answer.splitlines()) >= 2


def test_a_model_forgets_by_key_and_by_id(memory: Memory) -> None:
    call(memory, "remember", key="seat preference", value="window")
    assert call(memory, "forget", key="seat preference") == "Forgotten: seat preference = window."
    assert call(memory, "recall", key="seat preference").startswith("Nothing is known")
    assert call(memory, "forget", key="shoe size").startswith('Nothing is known about "shoe size"')
    fact = memory.remember("shoe size", "41", origin="assistant")
    assert call(memory, "forget", key=fact.id) == "Forgotten: shoe size = 41."


def test_a_model_cannot_forget_for_the_user(memory: Memory) -> None:
    memory.remember("shoe size", "41")
    answer = call(memory, "forget", key="shoe size")
    assert answer.startswith("Error: ")
    assert answer.endswith("Ask the user to say so themselves.")
    assert tools.call(memory, "forget", {"key": "shoe size"}, origin="user") == "Forgotten: shoe size = 41."


def test_a_model_corrects(memory: Memory) -> None:
    call(memory, "remember", key="shoe size", value="14")
    assert call(memory, "correct", key="shoe size", value="41") == "Corrected: shoe size = 41."
    assert memory.recall("shoe size") == "41"
    assert call(memory, "correct", key="hat size", value="7").startswith("Error: ")


def test_a_model_pins_and_unpins(memory: Memory) -> None:
    call(memory, "remember", key="shoe size", value="41")
    assert call(memory, "pin", key="shoe size") == "Pinned: shoe size = 41."
    assert "41" in memory.context().stable
    assert call(memory, "unpin", key="shoe size") == "Unpinned: shoe size = 41."
    assert memory.context().stable == ""


@pytest.mark.parametrize(
    ("name", "arguments", "complaint"),
    [
        ("fly", {}, "there is no tool 'fly': use one of remember, recall"),
        (None, {}, "not a tool call"),
        ("recall", "{key: x}", "not valid JSON"),
        pytest.param("recall", "[" * 100_000, "not valid JSON", id="nested without end"),
        ("recall", '["x"]', "must be one JSON object"),
        ("recall", 7, "must be one JSON object"),
        ("recall", "", "needs the argument 'key'"),
        ("recall", None, "needs the argument 'key'"),
        ("recall", {}, "needs the argument 'key': What it is about"),
        ("recall", {"key": None}, "needs the argument 'key'"),
        ("recall", {"key": ""}, "'key' of recall is empty"),
        ("recall", {"key": 7}, "'key' of recall must be a text, got 7"),
        ("recall", {"key": "x", "verbose": True}, "recall has no argument 'verbose': it takes key"),
        ("search", {"query": "x", "limit": 0}, "'limit' of search must be from 1 to 20, got 0"),
        ("search", {"query": "x", "limit": True}, "'limit' of search must be a whole number"),
        ("search", {"query": "x", "limit": "5"}, "'limit' of search must be a whole number"),
        ("remember", {"key": "x"}, "remember needs the argument 'value'"),
        ("remember", {"key": "x" * 5_000, "value": "y"}, "characters"),
        ("pin", {"key": "nothing of the kind"}, "nothing of the kind"),
    ],
)
def test_what_a_model_did_wrong_is_answered(memory: Memory, name: Any, arguments: Any, complaint: str) -> None:
    answer = memory.call_tool(name, arguments)
    assert answer.startswith("Error: ")
    assert complaint in answer


def test_an_optional_argument_may_be_null(memory: Memory) -> None:
    assert memory.call_tool("search", '{"query": "x", "limit": null}') == "Nothing found."


@pytest.mark.parametrize(
    "given",
    [
        {"id": "1", "type": "function", "function": {"name": "recall", "arguments": '{"key": "shoe size"}'}},
        {"type": "function_call", "call_id": "1", "name": "recall", "arguments": '{"key": "shoe size"}'},
        {"type": "tool_use", "id": "1", "name": "recall", "input": {"key": "shoe size"}},
        SimpleNamespace(function=SimpleNamespace(name="recall", arguments='{"key": "shoe size"}')),
        SimpleNamespace(type="tool_use", name="recall", input={"key": "shoe size"}),
    ],
)
def test_a_call_is_taken_as_a_provider_gives_it(memory: Memory, given: object) -> None:
    memory.remember("shoe size", "41")
    assert tools.call_from(memory, given) == "41"


@pytest.mark.parametrize("given", [{}, None, 7, "recall", {"function": {}}, {"name": 7}])
def test_what_is_no_call_is_answered(memory: Memory, given: object) -> None:
    assert tools.call_from(memory, given).startswith("Error: ")


def test_what_the_programmer_did_wrong_is_raised(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="unknown origin"):
        tools.call(memory, "recall", {"key": "x"}, origin="god")  # type: ignore[arg-type]
