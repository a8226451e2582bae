"""The agent in asynchronous programs: the loop never waits, and what is asynchronous runs on it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from recollect import AsyncAgent, AsyncMemory, Memory, chat_model
from recollect.chat import Reply, ToolCall
from recollect.errors import InvalidInput, ModelError
from tests.providers import FORMATS, Call, Fail, Say, Server


def weather(city: str) -> str:
    """The weather in a city."""
    return f"Sunny in {city}"


@pytest.mark.parametrize("provider", sorted(FORMATS))
def test_questions_are_answered_while_the_loop_runs_on(provider: str, memory: Memory) -> None:
    async def main(server: Server) -> tuple[str, int]:
        model = chat_model(f"{provider}:m", base_url=server.url(provider), key="k")
        agent, beats = AsyncAgent(memory, model, tools=[weather]), 0
        asking = asyncio.create_task(agent.ask("How is Porto?"))
        while not asking.done():
            beats += 1
            await asyncio.sleep(0)
        return (await asking).text, beats

    with Server(Call(("weather", {"city": "Porto"})), Say("Sunny.")) as server:
        text, beats = asyncio.run(main(server))
    assert text == "Sunny."
    assert beats > 10


def test_many_agents_answer_at_once(memory: Memory) -> None:
    async def main() -> list[str]:
        here, all_here = list[str](), asyncio.Event()

        async def wait_for_the_others(messages: Any) -> str:
            here.append("one")
            if len(here) == 20:
                all_here.set()
            await all_here.wait()
            return "all here"

        agents = [AsyncAgent(memory.of(f"user {number}"), wait_for_the_others) for number in range(20)]
        return [answer.text for answer in await asyncio.gather(*(agent.ask("Hi") for agent in agents))]

    assert asyncio.run(main()) == ["all here"] * 20


def test_what_is_asynchronous_runs_on_the_callers_loop(memory: Memory) -> None:
    loops: set[int] = set()

    async def note(*_: object, **__: object) -> str:
        loops.add(id(asyncio.get_running_loop()))
        return "noted"

    async def look(what: str) -> str:
        """Look something up."""
        return await note(what)

    async def model(messages: list[dict[str, Any]], **_: object) -> Reply:
        await note()
        done = messages[-1]["role"] == "tool"
        return Reply("Done.") if done else Reply(calls=(ToolCall("1", "look", {"what": "tea"}),))

    async def main() -> int:
        agent = AsyncAgent(AsyncMemory(memory), model, tools=[look])
        await agent.ask("Go", on_text=note, on_step=note)
        return id(asyncio.get_running_loop())

    assert {asyncio.run(main())} == loops


def test_what_was_said_survives_a_cancelled_question(memory: Memory) -> None:
    async def never(messages: Any) -> str:
        started.set()
        await asyncio.sleep(3600)
        return "never"

    async def main() -> AsyncAgent:
        agent = AsyncAgent(memory, never)
        asking = asyncio.create_task(agent.ask("My name is Alice."))
        await started.wait()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        return agent

    started = asyncio.Event()
    agent = asyncio.run(main())
    assert memory.recall("name") == "Alice"
    assert len(agent.session.messages()) == 1


def test_a_cancelled_agent_takes_no_further_step(memory: Memory) -> None:
    calls: list[int] = []

    async def main() -> None:
        async def model(messages: Any) -> Reply:
            calls.append(1)
            asking.cancel()
            await asyncio.sleep(0)
            return Reply(calls=(ToolCall(str(len(calls)), "recall", {"key": "name"}),))

        agent = AsyncAgent(memory, model)
        asking = asyncio.create_task(agent.ask("Who am I?"))
        with pytest.raises(asyncio.CancelledError):
            await asking
        while agent.agent._answering.locked():
            await asyncio.sleep(0.001)

    asyncio.run(main())
    assert calls == [1]


def test_a_failing_model_raises_in_the_caller(memory: Memory) -> None:
    async def main(server: Server) -> None:
        model = chat_model("openai:m", base_url=server.url("openai"), key="k", retries=0)
        with pytest.raises(ModelError, match="out of tea"):
            await AsyncAgent(memory, model).ask("My name is Alice.")

    with Server(Fail(500, "out of tea")) as server:
        asyncio.run(main(server))
    assert memory.recall("name") == "Alice"


def test_an_agent_may_be_the_tool_of_another(memory: Memory) -> None:
    async def inner_model(messages: Any) -> str:
        return "from within"

    async def main() -> str:
        inner = AsyncAgent(memory.of("helper"), inner_model)

        async def consult(question: str) -> str:
            """Ask the helper."""
            return (await inner.ask(question)).text

        replies = [Reply(calls=(ToolCall("1", "consult", {"question": "Well?"}),)), Reply("Done.")]
        answer = await AsyncAgent(memory, lambda messages, **_: replies.pop(0), tools=[consult]).ask("Go")
        return answer.steps[3].text

    assert asyncio.run(main()) == "from within"


def test_a_wait_that_would_never_end_is_told(memory: Memory) -> None:
    async def slow(messages: Any) -> str:
        return "hi"

    async def confused(what: str) -> str:
        """Runs on the loop, and would block it while it waits for it."""
        return chat_model(slow)([{"role": "user", "content": what}]).text

    async def main() -> str:
        replies = [Reply(calls=(ToolCall("1", "confused", {"what": "x"}),)), Reply("Done.")]
        agent = AsyncAgent(memory, lambda messages, **_: replies.pop(0), tools=[confused])
        return (await agent.ask("Go")).steps[3].text

    assert "would wait for itself" in asyncio.run(main())


def test_options_are_those_of_the_agent(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="max_turns"):
        AsyncAgent(memory, lambda messages: "hi", max_turns=0)
