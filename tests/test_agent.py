"""The agent loop over the wire: tools, memory, session, failures, and a model that never stops."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from recollect import Agent, Memory
from recollect.agent.trace import Step
from recollect.chat import Reply, ToolCall
from recollect.errors import InvalidInput, ModelError
from tests.providers import FORMATS, Call, Fail, Say, Seen, Server, environment

each_provider = pytest.mark.parametrize("provider", sorted(FORMATS))


def weather(city: str) -> str:
    """The weather in a city."""
    if city == "Atlantis":
        raise LookupError("no such city")
    return f"Sunny in {city}"


async def forecast(city: str, days: int = 1) -> dict[str, Any]:
    """The weather of the next days."""
    return {"city": city, "days": days}


@pytest.fixture
def agent_at(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Agent]]:
    """Makes an agent whose model is a script."""

    def make(server: Server, provider: str = "openai", **options: Any) -> Agent:
        for name, value in environment(server).items():
            monkeypatch.setenv(name, value)
        return Agent(memory, f"{provider}:some-model", **options)

    return make  # type: ignore[return-value]


@each_provider
def test_tools_are_called_turn_after_turn_until_the_model_is_done(
    provider: str, agent_at: Callable[..., Agent]
) -> None:
    script = [
        Call(("weather", {"city": "Porto"}), ("forecast", {"city": "Rome", "days": 2})),
        Call(("weather", {"city": "Oslo"}), text="And Oslo."),
        Say("Sunny everywhere."),
    ]
    with Server(*script) as server:
        answer = agent_at(server, provider, tools=[weather, forecast]).ask("How is the weather?")
    assert (answer.text, answer.stopped, answer.usage.input) == ("Sunny everywhere.", "done", 300)
    results = [message["text"] for message in server.seen[2].messages if message["role"] == "tool"]
    assert results == ["Sunny in Porto", '{"city": "Rome", "days": 2}', "Sunny in Oslo"]


@each_provider
def test_a_model_remembers_and_recalls_like_any_tool(
    provider: str, agent_at: Callable[..., Agent], memory: Memory
) -> None:
    script = [Call(("remember", {"key": "seat", "value": "window"})), Call(("recall", {"key": "seat"})), Say("Done.")]
    with Server(*script) as server:
        agent_at(server, provider).ask("I want a window seat")
    assert memory.recall("seat") == "window"
    assert server.seen[2].last["text"] == "window"


@each_provider
@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (("fly", {"to": "Porto"}), "Error: there is no tool 'fly': use one of remember, recall"),
        (("weather", {"town": "Porto"}), "Error: weather has no argument 'town': it takes city"),
        (("weather", {"city": 7}), "Error: 'city' of weather must be a text, got 7"),
        (("weather", {"city": "Atlantis"}), "Error: LookupError: no such city"),
        (("recall", {}), "Error: recall needs the argument 'key'"),
    ],
)
def test_what_goes_wrong_with_a_tool_is_told_to_the_model(
    provider: str, call: tuple[str, dict[str, Any]], complaint: str, agent_at: Callable[..., Agent]
) -> None:
    with Server(Call(call), Say("I see.")) as server:
        assert agent_at(server, provider, tools=[weather]).ask("Go.").text == "I see."
    assert server.seen[1].last["text"].startswith(complaint)


@pytest.mark.parametrize("arguments", ['{"city": "Por', "[1, 2]", "null", "", "{" * 50_000])
def test_malformed_arguments_are_told_to_the_model(arguments: str, agent_at: Callable[..., Agent]) -> None:
    with Server(Call(("weather", arguments)), Say("Sorry.")) as server:
        assert agent_at(server, tools=[weather]).ask("Go.").text == "Sorry."
    assert server.seen[1].last["text"].startswith("Error: ")


def test_a_call_that_was_cut_off_is_not_made(memory: Memory) -> None:
    replies = [
        Reply(calls=(ToolCall("1", "remember", {"key": "home", "value": "Por"}),), stop="length"),
        Reply("Sorry."),
    ]
    agent = Agent(memory, lambda messages, **_: replies.pop(0))
    assert "was cut off" in agent.ask("I am moving to a town").steps[3].text
    assert memory.recall("home") is None


@each_provider
def test_a_model_that_calls_tools_for_ever_is_stopped(provider: str, agent_at: Callable[..., Agent]) -> None:
    with Server(Call(("weather", {"city": "Porto"}))) as server:
        answer = agent_at(server, provider, tools=[weather], max_turns=3).ask("How is the weather?")
    assert answer.stopped == "max_turns"
    assert answer.text == "Stopped after 3 calls of the model, which still called tools (weather): raise max_turns"
    assert len(server.seen) == 3


@each_provider
def test_a_stopped_conversation_goes_on(provider: str, agent_at: Callable[..., Agent]) -> None:
    with Server(Call(("weather", {"city": "Porto"})), Say("Sunny.")) as server:
        agent = agent_at(server, provider, tools=[weather], max_turns=1)
        agent.ask("How is the weather?")
        assert agent.ask("And?").text == "Sunny."


@each_provider
def test_what_was_said_is_kept_when_the_model_fails(
    provider: str, agent_at: Callable[..., Agent], memory: Memory
) -> None:
    script = [Call(("remember", {"key": "seat", "value": "window"})), Fail(400, "out of tea"), Say("Welcome back.")]
    with Server(*script) as server:
        agent = agent_at(server, provider)
        with pytest.raises(ModelError, match="out of tea"):
            agent.ask("My name is Alice and I like a window seat")
        assert (memory.recall("name"), memory.recall("seat")) == ("Alice", "window")
        assert [message["role"] for message in agent.session.messages()] == ["user", "assistant", "tool"]
        assert agent.ask("Hello again").text == "Welcome back."


@each_provider
def test_a_session_goes_on_in_another_agent(provider: str, agent_at: Callable[..., Agent]) -> None:
    with Server(Call(("weather", {"city": "Porto"})), Say("Sunny."), Say("I said: sunny.")) as server:
        agent_at(server, provider, session="monday", tools=[weather]).ask("How is Porto?")
        agent_at(server, provider, session="monday", tools=[weather]).ask("What did you say?")
    assert [message["role"] for message in server.seen[2].messages] == [
        "user",
        "assistant",
        "tool",
        "assistant",
        "user",
    ]


@each_provider
def test_text_streams_through_the_loop(provider: str, agent_at: Callable[..., Agent]) -> None:
    heard: list[str] = []
    with Server(Call(("weather", {"city": "Porto"}), text="One moment."), Say("It is sunny.")) as server:
        agent_at(server, provider, tools=[weather]).ask("How is Porto?", on_text=heard.append)
    assert "".join(heard) == "One moment.It is sunny."
    assert len(heard) == 4


def test_every_step_is_traced(agent_at: Callable[..., Agent], memory: Memory) -> None:
    memory.add("I live in Porto.")
    steps: list[Step] = []
    with Server(Call(("weather", {"city": "Porto"})), Say("Sunny.")) as server:
        answer = agent_at(server, tools=[weather]).ask("How is the weather where I live?", on_step=steps.append)
    assert list(answer.steps) == steps
    assert [step.kind for step in steps] == ["memory", "model", "call", "result", "model"]
    assert "lives in Porto" in steps[0].text
    assert steps[0].tokens > 10
    lines = answer.trace.splitlines()
    assert lines[2:4] == ['call     weather(city="Porto")', "result   weather: Sunny in Porto"]
    assert "100 tokens in (0 cached), 10 out: Sunny." in lines[4]


@each_provider
def test_what_is_pinned_comes_first_and_what_is_relevant_last(
    provider: str, agent_at: Callable[..., Agent], memory: Memory
) -> None:
    memory.notes.write("/memories/persona.md", "You are a pirate.", pinned=True)
    memory.add("I live in Porto.")
    with Server(Say("Arr.")) as server:
        agent_at(server, provider, instructions="Be brief.").ask("Where do I live?")
    system = server.seen[0].system
    places = [system.index(part) for part in ("Be brief.", "You are a pirate.", "lives in Porto")]
    assert places == sorted(places)


def test_nothing_is_said_twice_to_the_model(agent_at: Callable[..., Agent]) -> None:
    with Server(Say("Nice.")) as server:
        agent_at(server).ask("I live in Porto.")
    assert "Porto" not in server.seen[0].system


def test_your_code_may_drive_alone(agent_at: Callable[..., Agent], memory: Memory) -> None:
    memory.add("I live in Porto.")
    with Server(Call(("recall", {"key": "home"})), Say("In Porto.")) as server:
        answer = agent_at(server, memory_tools=False).ask("Where do I live?")
    assert server.seen[0].tools == []
    assert "lives in Porto" in server.seen[0].system
    assert "there is no tool 'recall': use one of none" in answer.steps[3].text


def test_memory_may_stand_beside_the_question(agent_at: Callable[..., Agent], memory: Memory) -> None:
    memory.add("I live in Porto.")
    with Server(Say("In Porto.")) as server:
        agent = agent_at(server, recall_in="message")
        agent.ask("Where do I live?")
    assert "Porto" not in server.seen[0].system
    assert "lives in Porto" in server.seen[0].asked
    assert agent.session.messages()[0]["content"] == "Where do I live?"


def test_what_no_longer_fits_is_summed_up(agent_at: Callable[..., Agent]) -> None:
    with Server(Say("I see. " + "That is how it goes. " * 20)) as server:
        agent = agent_at(server, window=700)
        agent.ask("The harbour of Leixoes opens at six.")
        for number in range(8):
            agent.ask(f"Tell me story {number}.")
    last = server.seen[-1]
    assert "The harbour" not in str(last.messages)
    assert "Earlier in this conversation" in last.system
    assert "harbour of Leixoes" in last.system


def test_a_model_may_sum_up_what_no_longer_fits(agent_at: Callable[..., Agent]) -> None:
    with Server(Say("I see. " + "That is how it goes. " * 20)) as server:
        agent = agent_at(server, window=700, summarise=lambda prompt: "They spoke of a harbour.")
        for number in range(8):
            agent.ask(f"Tell me story {number} of the harbour.")
    assert "They spoke of a harbour." in server.seen[-1].system


def test_tokens_of_memory_are_bounded(agent_at: Callable[..., Agent], memory: Memory) -> None:
    memory.add([f"I visited the harbour of town {number} and liked its boats." for number in range(60)])
    with Server(Say("Many.")) as server:
        answer = agent_at(server, recall=200).ask("Which harbour did I visit?")
    assert 100 < answer.steps[0].tokens <= 200


def test_one_question_at_a_time(memory: Memory) -> None:
    def nosy(messages: Any) -> str:
        return agent.ask("And another").text

    agent = Agent(memory, nosy)
    with pytest.raises(InvalidInput, match="answering already"):
        agent.ask("One")


def test_the_model_may_be_a_function_of_what_it_sees(memory: Memory) -> None:
    memory.add("I live in Porto.")
    agent = Agent(memory, lambda messages, system: "Porto" if "Porto" in system else "no idea")
    assert str(agent.ask("Where do I live?")) == "Porto"


def test_an_empty_answer_is_an_answer(memory: Memory) -> None:
    agent = Agent(memory, lambda messages: "")
    assert agent.ask("Hello").text == ""
    assert len(agent.session.messages()) == 1


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"max_turns": 0}, "max_turns must be"),
        ({"window": -1}, "window must be"),
        ({"recall": 0}, "recall must be"),
        ({"tools": [weather, weather]}, "two tools are named 'weather'"),
        ({"tools": [lambda: 1]}, "cannot be a tool's name"),
        ({"session": ""}, "session"),
        ({"recall_in": "footer"}, "recall_in"),
    ],
)
def test_wrong_options_are_refused(memory: Memory, options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InvalidInput, match=complaint):
        Agent(memory, lambda messages: "hi", **options)


def test_a_tool_may_not_take_the_name_of_one_of_ours(memory: Memory) -> None:
    def remember(what: str) -> str:
        return what

    with pytest.raises(InvalidInput, match="two tools are named 'remember'"):
        Agent(memory, lambda messages: "hi", tools=[remember])


def test_nothing_said_is_refused(memory: Memory) -> None:
    with pytest.raises(InvalidInput):
        Agent(memory, lambda messages: "hi").ask("  ")


def test_the_script_sees_each_request(agent_at: Callable[..., Agent]) -> None:
    def echo(seen: Seen) -> Say:
        return Say(f"You said: {seen.asked}")

    with Server(echo) as server:
        assert agent_at(server).ask("Tea?").text == "You said: Tea?"
