"""The wire format of OpenAI's chat completions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tests.providers.script import Call, Fail, Refused, Say, Seen, Wire, check_answered, check_keys, halves

KEYS = set("role content name tool_calls tool_call_id refusal annotations audio function_call".split())
STOPS = {"end": "stop", "length": "length", "refused": "content_filter"}


def read(body: Mapping[str, Any]) -> Seen:
    """The request, or Refused."""
    system = [message["content"] for message in body["messages"] if message["role"] == "system"]
    messages = [read_message(message) for message in body["messages"] if message["role"] != "system"]
    if not messages:
        raise Refused("no messages")
    check_answered(messages)
    tools = [tool["function"]["name"] for tool in body.get("tools", ())]
    return Seen("openai", body, "\n\n".join(system), system, messages, tools)


def read_message(message: Mapping[str, Any]) -> dict[str, Any]:
    check_keys(message, KEYS, "a message")
    if message["role"] == "tool":
        return {"role": "tool", "text": message["content"], "id": message["tool_call_id"]}
    read: dict[str, Any] = {"role": message["role"], "text": message["content"] or ""}
    if message.get("tool_calls"):
        read["calls"] = [
            (call["id"], call["function"]["name"], json.loads(call["function"]["arguments"]))
            for call in message["tool_calls"]
        ]
    return read


def calls_of(step: Call, wire: Wire) -> list[dict[str, Any]]:
    return [
        {
            "id": wire.new_id("call_"),
            "type": "function",
            "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given)},
        }
        for name, given in step.calls
    ]


def usage_of(step: Say | Call) -> dict[str, Any]:
    cached = getattr(step, "cached", 0)
    return {
        "prompt_tokens": 100,
        "completion_tokens": 10,
        "total_tokens": 110,
        "prompt_tokens_details": {"cached_tokens": cached},
    }


def whole(step: Say | Call, wire: Wire) -> dict[str, Any]:
    """The answer in one piece."""
    message: dict[str, Any] = {"role": "assistant", "content": step.text or None}
    reason = STOPS.get(step.stop) if isinstance(step, Say) else "tool_calls"
    if isinstance(step, Call):
        message["tool_calls"] = calls_of(step, wire)
    choice = {"index": 0, "message": message, "finish_reason": reason}
    return {**head("chat.completion"), "choices": [choice], "usage": usage_of(step)}


def pieces(step: Say | Call, wire: Wire) -> list[str]:
    """The answer as a stream of events."""
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": piece} for piece in halves(step.text)]
    reason = STOPS.get(step.stop) if isinstance(step, Say) else "tool_calls"
    for place, call in enumerate(calls_of(step, wire) if isinstance(step, Call) else ()):
        function = call["function"]
        deltas.append(
            {"tool_calls": [{"index": place, **call, "function": {"name": function["name"], "arguments": ""}}]}
        )
        deltas += [
            {"tool_calls": [{"index": place, "function": {"arguments": piece}}]}
            for piece in halves(function["arguments"])
        ]
    chunks = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
    last = {"choices": [], "usage": usage_of(step)}
    lines = [json.dumps({**head("chat.completion.chunk"), **chunk}) for chunk in (*chunks, last)]
    return [f"data: {line}\n\n" for line in (*lines, "[DONE]")]


def head(kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": kind, "created": 1_780_000_000, "model": "scripted"}


def error(step: Fail) -> str:
    inner = {"message": step.message, "type": "error", "param": None, "code": None}
    return step.body if step.body is not None else json.dumps({"error": inner})
