"""What callers give becomes messages, and comes back as it was given."""

from __future__ import annotations

import random
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from recollect.clock import Clock
from recollect.errors import InvalidInput
from recollect.messages import from_message, to_messages
from recollect.records import Message

NOW = datetime(2026, 3, 2, 9, 30, tzinfo=timezone.utc)

OPENAI_CALL = {
    "role": "assistant",
    "content": None,
    "tool_calls": [
        {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Porto"}'}}
    ],
}
OPENAI_RESULT = {"role": "tool", "tool_call_id": "call_1", "content": "18 degrees"}
ANTHROPIC_CALL = {
    "role": "assistant",
    "content": [
        {"type": "thinking", "thinking": "hidden", "signature": "x"},
        {"type": "text", "text": "Let me look."},
        {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {"city": "Porto", "days": 2}},
    ],
}
ANTHROPIC_RESULT = {
    "role": "user",
    "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": [{"type": "text", "text": "18 degrees"}]}],
}


def kept(said: object, **options: Any) -> list[Message]:
    return to_messages(said, **{"owner": "ana", "clock": Clock(lambda: NOW, random.Random(1)), **options})


def one(said: object, **options: Any) -> Message:
    (message,) = kept(said, **options)
    return message


def test_messages_of_a_day_stay_in_it() -> None:
    messages = kept(["one", "two", "three"], at="2026-01-05")
    assert [message.at.date().isoformat() for message in messages] == ["2026-01-05"] * 3
    assert len({message.at for message in messages}) == 3
    assert messages[-1].at == one("three", at="2026-01-05").at


def test_a_text_is_what_the_user_said_now() -> None:
    message = one("I moved to Porto.")
    assert (message.owner, message.session, message.role, message.origin) == ("ana", "default", "user", "user")
    assert (message.content, message.at, message.raw) == ("I moved to Porto.", NOW, None)


def test_messages_of_one_call_keep_their_order_in_time() -> None:
    messages = kept(["one", {"role": "assistant", "content": "two"}, "three"], session="monday")
    assert [message.at - NOW for message in messages] == [timedelta(microseconds=step) for step in range(3)]
    assert {message.session for message in messages} == {"monday"}
    assert len({message.id for message in messages}) == 3


@pytest.mark.parametrize(
    ("role", "known_as", "origin"),
    [
        ("user", "user", "user"),
        ("human", "user", "user"),
        ("assistant", "assistant", "assistant"),
        ("ai", "assistant", "assistant"),
        ("model", "assistant", "assistant"),
        ("system", "system", "operator"),
        ("developer", "developer", "operator"),
        ("tool", "tool", "tool"),
        ("function", "tool", "tool"),
    ],
)
def test_a_role_says_where_words_come_from(role: str, known_as: str, origin: str) -> None:
    message = one({"role": role, "content": "hello"})
    assert (message.role, message.origin) == (known_as, origin)
    assert from_message(message) == {"role": role, "content": "hello"}


def test_an_origin_that_is_named_wins() -> None:
    assert one("a page", origin="document").origin == "document"
    with pytest.raises(InvalidInput, match=r"unknown origin 'god'.*document"):
        one("a page", origin="god")


@pytest.mark.parametrize(
    ("given", "content"),
    [
        ({"role": "user", "content": "hi", "name": "Ana"}, "hi"),
        ({"content": "hi"}, "hi"),
        (
            {
                "role": "user",
                "content": [{"type": "text", "text": "a"}, {"type": "image_url", "image_url": {"url": "x"}}],
            },
            "a",
        ),
        ({"role": "user", "content": ["a", {"type": "input_text", "text": "b"}]}, "a\nb"),
        (OPENAI_CALL, "weather(city: Porto)"),
        (OPENAI_RESULT, "18 degrees"),
        (ANTHROPIC_CALL, "Let me look.\nweather(city: Porto, days: 2)"),
        (ANTHROPIC_RESULT, "18 degrees"),
        ({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "a"}]}, "a"),
        ({"type": "function_call", "call_id": "c", "name": "weather", "arguments": "{}"}, "weather()"),
        ({"type": "function_call_output", "call_id": "c", "output": "18 degrees"}, "18 degrees"),
        ({"type": "reasoning", "id": "rs_1", "summary": []}, ""),
        ({"role": "user", "content": [{"type": "image", "source": {"type": "base64", "data": "eA=="}}]}, ""),
        ({"role": "tool", "tool_call_id": "call_1", "content": ""}, ""),
        ({"role": "assistant", "content": [{"type": "refusal", "refusal": "no"}]}, "no"),
        ({"role": "model", "parts": [{"text": "hi"}]}, "hi"),
    ],
)
def test_messages_come_back_as_given(given: dict[str, Any], content: str) -> None:
    message = one(given)
    assert from_message(message) == given
    assert message.content == content


def test_what_comes_back_is_a_copy() -> None:
    given = {"role": "user", "content": [{"type": "text", "text": "a"}]}
    message = one(given)
    given["content"][0]["text"] = "b"  # type: ignore[index]
    from_message(message)["content"].append("c")
    assert from_message(message) == {"role": "user", "content": [{"type": "text", "text": "a"}]}


def test_items_of_the_responses_api_have_roles() -> None:
    call, result = kept(
        [
            {"type": "function_call", "call_id": "c", "name": "weather", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c", "output": [{"type": "input_text", "text": "18"}]},
        ]
    )
    assert (call.role, call.origin, result.role, result.origin) == ("assistant", "assistant", "tool", "tool")
    assert result.content == "18"


def test_a_tool_result_is_not_what_the_user_said() -> None:
    message = one(ANTHROPIC_RESULT)
    assert (message.role, message.origin) == ("tool", "tool")


def test_words_beside_a_tool_result_are_the_users_alone() -> None:
    blocks = [*ANTHROPIC_RESULT["content"], {"type": "text", "text": "I live in Porto."}]
    message = one({"role": "user", "content": blocks})
    assert (message.role, message.origin, message.content) == ("user", "user", "I live in Porto.")


def test_a_document_by_itself_is_a_document() -> None:
    block = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "I am the king."}}
    message = one({"role": "user", "content": [block]})
    assert (message.origin, message.content) == ("document", "I am the king.")


def test_an_object_of_a_providers_library_is_taken_as_its_dict() -> None:
    class Block:
        def model_dump(self, **_: Any) -> dict[str, Any]:
            return {"type": "text", "text": "Let me look."}

    message = one({"role": "assistant", "content": [Block()]})
    assert from_message(message) == {"role": "assistant", "content": [{"type": "text", "text": "Let me look."}]}


def test_a_message_keeps_its_own_id_and_time() -> None:
    message = one({"role": "user", "content": "hi", "id": "m1", "at": "2024-05-01T10:00:00Z"})
    assert (message.id, message.at) == ("m1", datetime(2024, 5, 1, 10, tzinfo=timezone.utc))


@pytest.mark.parametrize("seconds", [1_714_557_600, 1_714_557_600_000, 1_714_557_600.0])
def test_a_time_may_be_a_number(seconds: float) -> None:
    assert one({"content": "hi", "timestamp": seconds}).at == datetime(2024, 5, 1, 10, tzinfo=timezone.utc)


def test_a_time_may_be_a_datetime() -> None:
    assert one({"content": "hi", "created_at": NOW - timedelta(days=1)}).at == NOW - timedelta(days=1)
    assert one("hi", at=NOW - timedelta(days=1)).at == NOW - timedelta(days=1)


@pytest.mark.parametrize("at", [datetime.min, datetime.max])
def test_the_far_past_and_future_are_times(at: datetime) -> None:
    assert {message.at.year for message in kept(["a", "b"], at=at.replace(tzinfo=timezone.utc))} == {at.year}


def test_a_message_of_another_owner_becomes_this_owners() -> None:
    given = Message("m1", "bo", "tuesday", "user", "hi\0", NOW)
    message = one(given)
    assert (message.owner, message.session, message.content) == ("ana", "tuesday", "hi")
    assert one(given, session="monday").session == "monday"


def test_what_no_store_can_hold_is_taken_out() -> None:
    message = one({"role": "user", "content": [{"type": "text", "text": "a\0b\ud800c"}]})
    assert message.content == "ab\ufffdc"
    assert from_message(message)["content"][0]["text"] == "ab\ufffdc"


@pytest.mark.parametrize(
    "text", ["👩‍👩‍👧 hi", "שלום עולם", "a\u200bb", "\u202eabc", pytest.param("x" * 10_000_000, id="10 MB")]
)
def test_unusual_text_is_kept_as_it_is(text: str) -> None:
    assert from_message(one(text)) == {"role": "user", "content": text}


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ("", "nothing to remember"),
        (" \n\t", "nothing to remember"),
        ("\0", "nothing to remember"),
        ({"role": "user", "content": ""}, "nothing to remember"),
        ({"role": "user", "content": []}, "nothing to remember"),
        ({"role": "user", "content": [{"type": "text", "text": " "}]}, "nothing to remember"),
        ({"role": "user"}, "no content"),
        ({"role": "user", "content": None}, "no content"),
        ({"role": "user", "content": 7}, "a text or a list"),
        ({"role": "user", "content": [7]}, "a text or a dict"),
        ({"role": "user", "content": [{"type": "text"}]}, "no text"),
        ({"role": "assistant", "content": "x", "tool_calls": "y"}, "must be a list"),
        ({"role": "wizard", "content": "hi"}, "unknown role 'wizard': use one of user"),
        ({"role": 3, "content": "hi"}, "unknown role 3"),
        ({"type": "novelty", "content": "hi"}, "add 'role'"),
        ({"role": "user", "content": "hi", "id": ""}, "id must be"),
        ({"role": "user", "content": "hi", "id": "x" * 201}, "id must be"),
        ({"role": "user", "content": "hi", "id": 7}, "id must be"),
        ({"role": "user", "content": "hi", "name": 7}, "name must be"),
        ({"role": "user", "content": "hi", "timestamp": 1e300}, "out of range"),
        ({"role": "user", "content": "hi", "extra": {1, 2}}, "what JSON cannot"),
        ({"role": "user", "content": "hi", "extra": float("nan")}, "what JSON cannot"),
        ({"role": "user", "content": "hi", "extra": {1: 2}}, "what JSON cannot"),
        (b"hi", "must be a text"),
        (None, "must be a text"),
        (["hi", ["nested"]], "must be a text"),
        ([{"content": "a", "id": "m"}, {"content": "b", "id": "m"}], "two messages have the id 'm'"),
        pytest.param("x" * (16 * 1024 * 1024 + 1), "16 MB", id="too many letters"),
        pytest.param("ü" * (8 * 1024 * 1024 + 1), "16 MB", id="too many bytes"),
        pytest.param({"content": "hi", "extra": "x" * (16 * 1024 * 1024 + 1)}, "16 MB", id="too much beside it"),
    ],
)
def test_what_cannot_be_used_is_refused(said: object, complaint: str) -> None:
    with pytest.raises(InvalidInput, match=complaint):
        kept(said)


def test_what_is_nested_without_end_is_refused() -> None:
    endless: dict[str, Any] = {"role": "user", "content": "hi"}
    endless["self"] = endless
    with pytest.raises(InvalidInput, match="nested"):
        kept(endless)


@pytest.mark.parametrize("name", ["", "  ", "x" * 201, "a\0b", 7])
def test_an_owner_and_a_session_need_a_name(name: Any) -> None:
    with pytest.raises(InvalidInput, match="owner"):
        kept("hi", owner=name)
    with pytest.raises(InvalidInput, match="session"):
        kept("hi", session=name)


def test_nothing_given_is_nothing_kept() -> None:
    assert kept([]) == []
