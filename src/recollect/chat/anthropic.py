"""Anthropic's messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import anthropic

from recollect.chat.provider import Provider, calls_in, speaker_turns, text_in
from recollect.chat.retry import Failure, failures
from recollect.chat.types import OnText, Reply, Request, Stop, ToolCall, Usage

STOPS: Mapping[str, Stop] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tools",
    "refusal": "refused",
}
CACHED = {"cache_control": {"type": "ephemeral"}}


class Anthropic(Provider):
    title, address_variable = "Anthropic", "ANTHROPIC_BASE_URL"
    key_variables = ("ANTHROPIC_API_KEY",)

    def connect(self, key: str, base_url: str | None, timeout: float) -> anthropic.Anthropic:
        return anthropic.Anthropic(api_key=key, base_url=base_url, timeout=timeout, max_retries=0)

    def ask(self, request: Request, on_text: OnText | None) -> Reply:
        body = {**body_of(self.model, request), "extra_body": self.options}
        with failures(anthropic):
            if on_text is None:
                return reply_of(self.client.messages.create(**body))
            with self.client.messages.stream(**body) as stream:
                for piece in stream.text_stream:
                    on_text(piece)
                return reply_of(stream.get_final_message())

    def count(self, text: str) -> int:
        with failures(anthropic):
            messages = [{"role": "user", "content": text}]
            return int(self.client.messages.count_tokens(model=self.model, messages=messages).input_tokens)


def body_of(model: str, request: Request) -> dict[str, Any]:
    """What is sent. The parts that change least are marked for the cache, which then holds the tools as well."""
    system: list[dict[str, Any]] = [{"type": "text", "text": part} for part in request.system]
    turns = speaker_turns(request.messages, blocks_of)
    messages: list[dict[str, Any]] = [{"role": role, "content": blocks} for role, blocks in turns]
    if system:
        system[0] |= CACHED
    if len(system) == 1 and len(messages) > 2:
        # Nothing before the messages changes from turn to turn, so that all but the newest can be kept as well.
        messages[-2]["content"][-1] |= CACHED
    # The interface has no default of its own for the length of an answer; `options` may say otherwise.
    body: dict[str, Any] = {"model": model, "max_tokens": 4_096, "messages": messages}
    if system:
        body["system"] = system
    if request.tools:
        body["tools"] = [
            {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}
            for tool in request.tools
        ]
    if request.schema:
        body["output_config"] = {"format": {"type": "json_schema", "schema": request.schema}}
    return body


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
        yield {"type": "tool_use", "id": call.id, "name": call.name, "input": call.argument_object}


def reply_of(answer: Any) -> Reply:
    """The reply in a message."""
    content = getattr(answer, "content", None)
    if content is None:
        raise Failure(f"it sent no message but {str(answer)[:200]!r}")
    if answer.stop_reason is None:
        raise Failure("its answer broke off", again=True)
    text = "".join(block.text for block in content if block.type == "text")
    calls = tuple(
        ToolCall(block.id, block.name, block.input if isinstance(block.input, Mapping) else str(block.input))
        for block in content
        if block.type == "tool_use"
    )
    thought = any("thinking" in block.type for block in content)
    kept = {"anthropic": [block.model_dump(exclude_none=True) for block in content]} if thought else {}
    return Reply(text, calls, usage_of(answer.usage), STOPS.get(answer.stop_reason or "", "end"), kept)


def usage_of(usage: Any) -> Usage:
    cached = usage.cache_read_input_tokens or 0
    return Usage(usage.input_tokens + cached + (usage.cache_creation_input_tokens or 0), usage.output_tokens, cached)
