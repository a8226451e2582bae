"""Anthropic's messages."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import anthropic

from recollect.chat.retry import Failure, failures
from recollect.chat.types import OnText, Reply, Request, Stop, ToolCall, Usage, calls_in, text_in
from recollect.errors import InvalidInput
from recollect.records import Tool

MOST_TOKENS = 4_096
"""How long an answer may be unless `options` say otherwise: the interface has no default of its own."""
STOPS: Mapping[str, Stop] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tools",
    "refusal": "refused",
}
CACHED = {"cache_control": {"type": "ephemeral"}}


class Speaking:
    """One model behind Anthropic's client."""

    def __init__(
        self, model: str, *, base_url: str | None, key: str | None, timeout: float, options: Mapping[str, Any]
    ) -> None:
        self.model, self.options = model, options
        base_url = base_url or os.environ.get("ANTHROPIC_BASE_URL")
        self.key = key or os.environ.get("ANTHROPIC_API_KEY") or ""
        if not self.key and not base_url:
            raise InvalidInput("no key for Anthropic: set ANTHROPIC_API_KEY, or pass key=")
        # Retries are ours alone.
        self.client = anthropic.Anthropic(api_key=self.key or "none", base_url=base_url, timeout=timeout, max_retries=0)

    def ask(self, request: Request, on_text: OnText | None) -> Reply:
        body = {**body_of(self.model, request), "extra_body": self.options}
        with failures(anthropic):
            if on_text is None:
                return reply_of(self.client.messages.create(**body))
            with self.client.messages.stream(**body) as stream:
                for piece in stream.text_stream:
                    on_text(piece)
                return reply_of(stream.get_final_message())


def body_of(model: str, request: Request) -> dict[str, Any]:
    """What is sent. The parts that change least are marked for the cache, which then holds the tools as well."""
    system: list[dict[str, Any]] = [{"type": "text", "text": part} for part in request.system]
    messages = messages_of(request.messages)
    if system:
        system[0] |= CACHED
    if len(system) == 1 and len(messages) > 2:
        # Nothing before the messages changes from turn to turn, so that all but the newest can be kept as well.
        messages[-2]["content"][-1] |= CACHED
    tools = {"tools": [tool_form(tool) for tool in request.tools]} if request.tools else {}
    named = {"system": system} if system else {}
    schema = {"output_config": {"format": {"type": "json_schema", "schema": request.schema}}} if request.schema else {}
    return {"model": model, "max_tokens": MOST_TOKENS, "messages": messages, **named, **tools, **schema}


def tool_form(tool: Tool) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}


def messages_of(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The messages in this provider's form: results of tools belong to the user, and one speaker speaks at a time."""
    turns = [(role_of(message), blocks) for message in messages if (blocks := list(blocks_of(message)))]
    return [
        {"role": role, "content": [block for _, blocks in group for block in blocks]}
        for role, group in groupby(turns, key=lambda turn: turn[0])
    ]


def role_of(message: Mapping[str, Any]) -> str:
    return "assistant" if message.get("role") == "assistant" else "user"


def blocks_of(message: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The content of one message; an empty text is refused there, so it is left out."""
    if "anthropic" in message:
        yield from (dict(block) for block in message["anthropic"])
        return
    text = text_in(message)
    if message.get("role") == "tool":
        yield {"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": text or "(nothing)"}
        return
    if text.strip():
        yield {"type": "text", "text": text}
    for call in calls_in(message):
        yield {"type": "tool_use", "id": call.id, "name": call.name, "input": input_of(call)}


def input_of(call: ToolCall) -> Mapping[str, Any]:
    return {"unreadable": call.arguments} if isinstance(call.arguments, str) else call.arguments


def reply_of(answer: Any) -> Reply:
    """The reply in a message."""
    content = getattr(answer, "content", None)
    if content is None:
        raise Failure(f"it sent no message but {str(answer)[:200]!r}")
    if answer.stop_reason is None:
        raise Failure("its answer broke off", again=True)
    text = "".join(block.text for block in content if block.type == "text")
    calls = tuple(ToolCall(block.id, block.name, given(block.input)) for block in content if block.type == "tool_use")
    thought = any("thinking" in block.type for block in content)
    kept = {"anthropic": [block.model_dump(exclude_none=True) for block in content]} if thought else {}
    return Reply(text, calls, usage_of(answer.usage), STOPS.get(answer.stop_reason or "", "end"), kept)


def given(arguments: object) -> Mapping[str, Any] | str:
    return arguments if isinstance(arguments, Mapping) else str(arguments)


def usage_of(usage: Any) -> Usage:
    cached = usage.cache_read_input_tokens or 0
    return Usage(usage.input_tokens + cached + (usage.cache_creation_input_tokens or 0), usage.output_tokens, cached)
