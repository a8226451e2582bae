"""The wire format of Anthropic's messages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from tests.providers.script import Call, Fail, Refused, Say, Seen, Wire, check_answered, halves

STOPS = {"end": "end_turn", "length": "max_tokens", "refused": "refusal"}
MOST_CACHE_MARKS = 4


def read(body: Mapping[str, Any]) -> Seen:
    """The request, or Refused."""
    check(body)
    parts = body.get("system", [])
    system = [parts] if isinstance(parts, str) else [part["text"] for part in parts]
    messages = [one for message in body["messages"] for one in read_message(message)]
    check_answered(messages)
    tools = [tool["name"] for tool in body.get("tools", ())]
    return Seen("anthropic", body, "\n\n".join(system), system, messages, tools)


def check(body: Mapping[str, Any]) -> None:
    roles = [message["role"] for message in body["messages"]]
    if not roles or roles[0] != "user" or "max_tokens" not in body:
        raise Refused("the first message must be the user's, and max_tokens is needed")
    if any(a == b for a, b in pairwise(roles)):
        raise Refused(f"roles must alternate: {roles}")
    if json.dumps(body).count('"cache_control"') > MOST_CACHE_MARKS:
        raise Refused("a maximum of 4 blocks with cache_control may be provided")


def read_message(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A message as one or several: each result of a tool stands for itself."""
    content = message["content"]
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    if not blocks or any(block["type"] == "text" and not block["text"].strip() for block in blocks):
        raise Refused("text content blocks must be non-empty")
    if any(block["type"] == "thinking" and not block.get("signature") for block in blocks):
        raise Refused("a thinking block without its signature")
    results = [
        {"role": "tool", "text": block["content"], "id": block["tool_use_id"]}
        for block in blocks
        if block["type"] == "tool_result"
    ]
    text = "".join(block["text"] for block in blocks if block["type"] == "text")
    calls = [(block["id"], block["name"], block["input"]) for block in blocks if block["type"] == "tool_use"]
    if not (text or calls):
        return results
    spoken: dict[str, Any] = {"role": message["role"], "text": text}
    return [*results, {**spoken, "calls": calls} if calls else spoken]


def blocks_of(step: Say | Call, wire: Wire) -> list[dict[str, Any]]:
    thought = getattr(step, "thought", "")
    blocks: list[dict[str, Any]] = (
        [{"type": "thinking", "thinking": thought, "signature": "c2lnbmVk"}] if thought else []
    )
    blocks += [{"type": "text", "text": step.text}] if step.text else []
    calls = step.calls if isinstance(step, Call) else ()
    return blocks + [
        {"type": "tool_use", "id": wire.new_id("toolu_01"), "name": name, "input": given} for name, given in calls
    ]


def usage_of(step: Say | Call) -> dict[str, Any]:
    cached = getattr(step, "cached", 0)
    return {"input_tokens": 100 - cached, "output_tokens": 10, "cache_read_input_tokens": cached}


def stop_of(step: Say | Call) -> str:
    return STOPS[step.stop] if isinstance(step, Say) else "tool_use"


def whole(step: Say | Call, wire: Wire) -> dict[str, Any]:
    """The answer in one piece."""
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": blocks_of(step, wire),
        "stop_reason": stop_of(step),
        "stop_sequence": None,
        "usage": usage_of(step),
    }


def pieces(step: Say | Call, wire: Wire) -> list[str]:
    """The answer as a stream of events."""
    start = {**whole(step, wire), "content": [], "stop_reason": None}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": start}]
    for place, block in enumerate(blocks_of(step, wire)):
        empty, deltas = in_pieces(block)
        events.append({"type": "content_block_start", "index": place, "content_block": empty})
        events += [{"type": "content_block_delta", "index": place, "delta": delta} for delta in deltas]
        events.append({"type": "content_block_stop", "index": place})
    delta = {"stop_reason": stop_of(step), "stop_sequence": None}
    events += [{"type": "message_delta", "delta": delta, "usage": {"output_tokens": 10}}, {"type": "message_stop"}]
    return [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events]


def in_pieces(block: Mapping[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A block as it begins, and the pieces that fill it."""
    if block["type"] == "text":
        return {**block, "text": ""}, [{"type": "text_delta", "text": piece} for piece in halves(block["text"])]
    if block["type"] == "thinking":
        thinking = {"type": "thinking_delta", "thinking": block["thinking"]}
        return {**block, "thinking": "", "signature": ""}, [
            thinking,
            {"type": "signature_delta", "signature": block["signature"]},
        ]
    given = block["input"] if isinstance(block["input"], str) else json.dumps(block["input"])
    return {**block, "input": {}}, [{"type": "input_json_delta", "partial_json": piece} for piece in halves(given)]


def error(step: Fail) -> str:
    inner = {"type": "error", "error": {"type": "api_error", "message": step.message}}
    return step.body if step.body is not None else json.dumps(inner)
