"""Memory keeps prompt caches warm: what stands first in a prompt stays the same, byte for byte, until core changes."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from recollect import Agent, Memory, chat_model
from tests.providers import FORMATS, Call, Say, Seen, Server, Step

TURNS = 30
CHANGES = {7: ("pin", {"key": "home"}), 19: ("write_note", {"path": "/memories/persona.md", "text": "You are a poet."})}
"""In these turns the model changes what is always in view."""


def scripted(seen: Seen) -> Step:
    number = sum(message["role"] == "user" for message in seen.messages)
    if seen.last["role"] == "user" and number in CHANGES:
        return Call(CHANGES[number])
    return Say(f"That was question {number}.")


def prompt(seen: Seen) -> str:
    """The request in the order in which every provider reads and caches it."""
    tools = json.dumps(seen.body.get("tools"))
    return "\n".join([tools, seen.system, *(json.dumps(message) for message in seen.messages)])


def conversation(memory: Memory, provider: str, **options: str) -> list[Seen]:
    """The first request of each of thirty turns."""
    memory.remember("home", "Porto")
    memory.add("I like tea. My sister Anna lives in Berlin. I work at Acme as a nurse.")
    memory.notes.write("/memories/persona.md", "You are a pirate.", pinned=True, origin="assistant")
    questions = ["Where do I live?", "What do I drink?", "Where does Anna live?", "What is my job?", "Tell me a joke."]
    with Server(scripted) as server:
        model = chat_model(f"{provider}:m", base_url=server.url(provider), key="k")
        agent = Agent(memory, model, **options)  # type: ignore[arg-type]
        for number in range(TURNS):
            agent.ask(questions[number % len(questions)])
    return [seen for seen in server.seen if seen.last["role"] == "user"]


@pytest.mark.parametrize("provider", sorted(FORMATS))
def test_the_stable_prefix_changes_only_with_core(provider: str, memory: Memory) -> None:
    asked = conversation(memory, provider)
    assert len(asked) == TURNS
    stable = [json.dumps(seen.body["tools"]) + seen.system.split('<recollect-memory mark="')[0] for seen in asked]
    core = [seen.system.split("</recollect-memory")[0] for seen in asked]
    changed = [number for number, (one, other) in enumerate(pairwise(core), start=2) if one != other]
    assert len(set(stable)) == 1
    assert changed == [turn + 1 for turn in CHANGES]
    assert len({seen.system for seen in asked}) > 3  # what is relevant did change


@pytest.mark.parametrize(("place", "share"), [("system", 0.55), ("message", 0.9)])
def test_beside_the_question_memory_lets_the_conversation_be_cached_too(
    place: str, share: float, memory: Memory
) -> None:
    prompts = [prompt(seen) for seen in conversation(memory, "openai", recall_in=place)]
    kept = sum(same_beginning(one, other) for one, other in pairwise(prompts))
    assert kept / sum(map(len, prompts[1:])) > share


def same_beginning(one: str, other: str) -> int:
    """How many characters two texts have in common before they differ."""
    places = (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return next(places, min(len(one), len(other)))


def test_anthropic_marks_the_prefix_that_stays(memory: Memory) -> None:
    asked = conversation(memory, "anthropic")
    marked = [seen.body["system"][0] for seen in asked]
    assert all("cache_control" in part for part in marked)
    assert len({part["text"] for part in marked}) == 1 + len(CHANGES)


def test_a_window_that_is_full_moves_on_seldom(memory: Memory) -> None:
    with Server(lambda seen: Say("That was a long answer to a short question. " * 5)) as server:
        model = chat_model("openai:m", base_url=server.url("openai"), key="k")
        agent = Agent(memory, model, window=1_000, recall_in="message")
        for number in range(TURNS):
            agent.ask(f"Question {number}?")
    first = [seen.messages[0]["text"] for seen in server.seen]
    moves = sum(one != other for one, other in pairwise(first))
    assert 2 <= moves <= TURNS // 3
    assert all(len(seen.messages) > 6 for seen in server.seen[-10:])
