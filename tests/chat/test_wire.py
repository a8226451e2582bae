"""Chat models over the wire: the official clients against a server that speaks and checks the providers' formats."""

from __future__ import annotations

import pytest

from recollect import chat_model
from recollect.chat import ChatModel
from recollect.records import Tool
from tests.providers import FORMATS, Call, Say, Server

PROVIDERS = sorted(FORMATS)
HELLO = [{"role": "user", "content": "Hello"}]
ONE_TEXT = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"], "additionalProperties": False}
LOOK = Tool("look", "Look something up.", ONE_TEXT)
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": False}

each_provider = pytest.mark.parametrize("provider", PROVIDERS)
whole_and_streamed = pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])


def model_at(server: Server, provider: str) -> ChatModel:
    return chat_model(f"{provider}:some-model", base_url=server.url(provider), key="k")


@each_provider
def test_a_model_answers(provider: str) -> None:
    with Server(Say("Good day.", cached=30)) as server:
        reply = model_at(server, provider)(HELLO, system="Be polite.")
    assert reply.text == "Good day."
    assert (reply.usage.input, reply.usage.output, reply.usage.cached) == (100, 10, 30)
    assert (server.seen[0].system, server.seen[0].asked) == ("Be polite.", "Hello")


@each_provider
def test_a_bare_text_is_a_users_message(provider: str) -> None:
    with Server(Say("Good day.")) as server:
        assert model_at(server, provider)("Hello").text == "Good day."  # type: ignore[arg-type]
    assert server.seen[0].asked == "Hello"


@each_provider
def test_text_is_passed_on_as_it_comes(provider: str) -> None:
    heard: list[str] = []
    with Server(Say("Good day to you.", cached=30)) as server:
        reply = model_at(server, provider)(HELLO, on_text=heard.append)
    assert len(heard) == 2
    assert "".join(heard) == reply.text == "Good day to you."
    assert reply.usage.cached == 30


@each_provider
@whole_and_streamed
def test_several_tools_are_called_at_once_and_answered(provider: str, streamed: bool) -> None:
    both = Call(("look", {"q": "ä"}), ("look", {"q": "b"}), text="One moment.")
    with Server(both, Say("Done.")) as server:
        model, heard = model_at(server, provider), list[str]()
        on_text = heard.append if streamed else None
        reply = model(HELLO, tools=[LOOK], on_text=on_text)
        results = [
            {"role": "tool", "tool_call_id": call.id, "name": call.name, "content": "42"} for call in reply.calls
        ]
        last = model([*HELLO, reply.message(), *results], tools=[LOOK], on_text=on_text)
    assert ([call.arguments for call in reply.calls], reply.stop) == ([{"q": "ä"}, {"q": "b"}], "tools")
    assert last.text == "Done."
    assert [message["role"] for message in server.seen[1].messages] == ["user", "assistant", "tool", "tool"]
    assert server.seen[1].messages[1]["text"] == "One moment."
    assert server.seen[1].tools == ["look"]


@pytest.mark.parametrize("provider", ["anthropic", "gemini"])
@whole_and_streamed
def test_signed_thoughts_go_back_while_the_turn_lasts(provider: str, streamed: bool) -> None:
    with Server(Call(("signed_look", {"q": "a"}), thought="hm"), Say("Done.")) as server:
        model = model_at(server, provider)
        reply = model(HELLO, tools=[LOOK], on_text=(lambda _: None) if streamed else None)
        result = {"role": "tool", "tool_call_id": reply.calls[0].id, "name": "signed_look", "content": "42"}
        assert model([*HELLO, reply.message(), result], tools=[LOOK]).text == "Done."
    assert "ignature" in str(server.seen[1].body)


@each_provider
def test_an_answer_can_be_asked_for_in_a_schema(provider: str) -> None:
    with Server(Say('{"n": 3}')) as server:
        assert model_at(server, provider)(HELLO, schema=SCHEMA).text == '{"n": 3}'
    sent = server.seen[0].body
    found = {
        "openai": lambda: sent["response_format"]["json_schema"]["schema"],
        "anthropic": lambda: sent["output_config"]["format"]["schema"],
        "gemini": lambda: sent["generationConfig"]["responseJsonSchema"],
    }
    assert found[provider]() == SCHEMA


@pytest.mark.parametrize(("schema", "strict"), [(SCHEMA, True), ({**SCHEMA, "required": []}, False)])
def test_openai_is_strict_where_the_schema_allows_it(schema: dict[str, object], strict: bool) -> None:
    with Server(Say('{"n": 3}')) as server:
        model_at(server, "openai")(HELLO, schema=schema)
    assert server.seen[0].body["response_format"]["json_schema"]["strict"] is strict


@each_provider
@pytest.mark.parametrize("stop", ["length", "refused"])
def test_why_it_stopped_is_told(provider: str, stop: str) -> None:
    with Server(Say("Well", stop=stop)) as server:
        assert model_at(server, provider)(HELLO).stop == stop


@each_provider
def test_options_go_into_every_request(provider: str) -> None:
    with Server(Say("Hi.")) as server:
        chat_model(f"{provider}:m", base_url=server.url(provider), key="k", options={"temperature": 0.25})(HELLO)
    assert "0.25" in str(server.seen[0].body)


@each_provider
def test_messages_of_another_kind_are_made_to_fit(provider: str) -> None:
    said = [
        {"role": "user", "content": [{"type": "text", "text": "Part one."}]},
        {"role": "user", "content": "Part two."},
        {"role": "assistant", "content": "", "name": "bot"},
        {"role": "user", "content": "Part three.", "origin": "user"},
    ]
    with Server(Say("Hi.")) as server:
        assert model_at(server, provider)(said).text == "Hi."
    texts = " ".join(str(message["text"]) for message in server.seen[0].messages)
    assert all(part in texts for part in ("Part one.", "Part two.", "Part three."))


def test_anthropic_marks_what_changes_least_for_its_cache() -> None:
    with Server(Say("Hi.")) as server:
        model_at(server, "anthropic")(HELLO, system=["Always.", "Just now."])
    marked = [("cache_control" in part) for part in server.seen[0].body["system"]]
    assert marked == [True, False]


def test_anthropic_keeps_the_conversation_where_nothing_before_it_changes() -> None:
    said = [*HELLO, {"role": "assistant", "content": "Hi."}, {"role": "user", "content": "And?"}]
    with Server(Say("Hi.")) as server:
        model_at(server, "anthropic")(said, system="Always.")
    marked = [("cache_control" in message["content"][-1]) for message in server.seen[0].body["messages"]]
    assert marked == [False, True, False]


def test_a_server_that_numbers_every_call_alike_is_understood() -> None:
    from recollect.chat.openai import Piece, collect

    calls: list[tuple[int, Piece]] = []
    for call_id, text in (("a", "{"), (None, "}"), ("b", "{}")):
        function = type("F", (), {"name": "look" if call_id else None, "arguments": text})
        collect(calls, type("D", (), {"index": 0, "id": call_id, "function": function}))
    assert [(piece.id, piece.arguments) for _, piece in calls] == [("a", "{}"), ("b", "{}")]
