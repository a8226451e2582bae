"""Any function is a chat model."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from recollect import chat_model
from recollect.chat import Reply, ToolCall
from recollect.errors import ModelError

HELLO = [{"role": "user", "content": "Hello"}]


def test_a_function_of_messages_is_a_model() -> None:
    model = chat_model(lambda messages: f"{len(messages)} messages, the last: {messages[-1]['content']}")
    assert model(HELLO).text == "1 messages, the last: Hello"


def test_instructions_reach_a_function_that_takes_only_messages() -> None:
    model = chat_model(lambda messages: str([message["role"] for message in messages]))
    assert model(HELLO, system=["Be brief.", "Be kind."]).text == "['system', 'user']"


def test_a_function_gets_what_it_names() -> None:
    def parrot(messages: list[dict[str, Any]], *, system: str, schema: object = None) -> str:
        return f"{system} {schema} {len(messages)}"

    assert chat_model(parrot)(HELLO, system=["a", "b"], schema={"type": "object"}).text == "a\n\nb {'type': 'object'} 1"


def test_a_function_may_call_tools() -> None:
    model = chat_model(lambda messages, **_: Reply(calls=(ToolCall("1", "recall", {"key": "name"}),), stop="tools"))
    assert model(HELLO).calls[0].name == "recall"


def test_an_asynchronous_function_is_a_model_in_blocking_code() -> None:
    async def slow(messages: list[dict[str, Any]]) -> str:
        await asyncio.sleep(0)
        return str(id(asyncio.get_running_loop()))

    model = chat_model(slow)
    assert model(HELLO).text == model(HELLO).text  # one loop, so that its connections can be used again


def test_an_asynchronous_function_works_where_a_loop_is_running() -> None:
    async def slow(messages: list[dict[str, Any]]) -> str:
        return "from another loop"

    async def main() -> str:
        return chat_model(slow)(HELLO).text

    assert asyncio.run(main()) == "from another loop"


def test_a_whole_text_is_passed_on_too() -> None:
    heard: list[str] = []
    chat_model(lambda messages: "Good day.")(HELLO, on_text=heard.append)
    assert heard == ["Good day."]


def test_what_a_function_raises_is_a_model_error() -> None:
    def broken(messages: object) -> str:
        raise ValueError("out of tea")

    with pytest.raises(ModelError, match="ValueError: out of tea"):
        chat_model(broken)(HELLO)


@pytest.mark.parametrize("wrong", [None, 7, {"content": "hi"}, [Reply("hi")]])
def test_what_is_no_answer_is_a_model_error(wrong: object) -> None:
    with pytest.raises(ModelError, match="it must give a text or a Reply"):
        chat_model(lambda messages: wrong)(HELLO)


def test_a_model_stays_a_model() -> None:
    model = chat_model(lambda messages: "hi")
    assert chat_model(model) is model
    assert "lambda" in repr(model)
