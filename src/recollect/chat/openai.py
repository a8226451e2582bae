"""OpenAI's chat completions, and every server that speaks them: Ollama, vLLM, llama.cpp, OpenRouter and others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import openai

from recollect.chat.provider import Provider, parsed_arguments
from recollect.chat.retry import Failure, failures
from recollect.chat.types import OnText, Reply, Request, Stop, ToolCall, Usage

STOPS: Mapping[str, Stop] = {"length": "length", "tool_calls": "tools", "content_filter": "refused"}
KNOWN = ("role", "content", "name", "tool_calls", "tool_call_id", "refusal")
"""What a message may hold here; servers refuse what they do not know."""


class OpenAI(Provider):
    title, address_variable = "OpenAI", "OPENAI_BASE_URL"
    key_variables = ("OPENAI_API_KEY",)

    def connect(self, key: str, base_url: str | None, timeout: float) -> openai.OpenAI:
        return openai.OpenAI(api_key=key, base_url=base_url, timeout=timeout, max_retries=0)

    def ask(self, request: Request, on_text: OnText | None) -> Reply:
        body = {**body_of(self.model, request), "extra_body": self.options}
        with failures(openai):
            if on_text is None:
                return reply_of(self.client.chat.completions.create(**body))
            chunks = self.client.chat.completions.create(**body, stream=True, stream_options={"include_usage": True})
            return streamed(chunks, on_text)


def body_of(model: str, request: Request) -> dict[str, Any]:
    """What is sent."""
    system = [{"role": "system", "content": "\n\n".join(request.system)}] if request.system else []
    messages = [{key: message[key] for key in KNOWN if key in message} for message in request.messages]
    body: dict[str, Any] = {"model": model, "messages": [*system, *messages]}
    if request.tools:
        body["tools"] = [
            {
                "type": "function",
                "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
            }
            for tool in request.tools
        ]
    if request.schema:
        named = {"name": "answer", "schema": request.schema, "strict": is_strict(request.schema)}
        body["response_format"] = {"type": "json_schema", "json_schema": named}
    return body


def is_strict(schema: object) -> bool:
    """Whether strict mode takes this schema: every object closed, every property required."""
    if isinstance(schema, list):
        return all(map(is_strict, schema))
    if not isinstance(schema, Mapping):
        return True
    open_object = schema.get("type") == "object" and (
        schema.get("additionalProperties") is not False
        or set(schema.get("properties", ())) != set(schema.get("required", ()))
    )
    return not open_object and all(map(is_strict, schema.values()))


def reply_of(answer: Any) -> Reply:
    """The reply in a whole answer."""
    choices = getattr(answer, "choices", None)
    if not choices or choices[0].message is None:
        raise Failure(f"it sent no chat completion but {str(answer)[:200]!r}")
    message = choices[0].message
    calls = tuple(
        ToolCall(call.id, call.function.name, parsed_arguments(call.function.arguments))
        for call in message.tool_calls or ()
        if call.function
    )
    text = message.content or getattr(message, "refusal", None) or ""
    return Reply(text, calls, usage_of(answer.usage), stop_of(choices[0].finish_reason, calls))


def stop_of(reason: str | None, calls: Sequence[ToolCall]) -> Stop:
    """Some servers say "stop" beside the tools they call."""
    found = STOPS.get(reason or "", "end")
    return "tools" if calls and found == "end" else found


def usage_of(usage: Any) -> Usage:
    if usage is None:
        return Usage()
    details = getattr(usage, "prompt_tokens_details", None)
    cached = getattr(details, "cached_tokens", None) or 0
    return Usage(usage.prompt_tokens or 0, usage.completion_tokens or 0, cached)


@dataclass
class Piece:
    """A tool call that is still coming."""

    id: str
    name: str
    arguments: str


def streamed(chunks: Any, on_text: OnText) -> Reply:
    """The reply put together from its pieces, each passed on as it comes."""
    text, reason, usage = "", None, Usage()
    calls: list[tuple[int, Piece]] = []
    for chunk in chunks:
        usage = usage_of(chunk.usage) if chunk.usage else usage
        for choice in chunk.choices or ():
            reason = choice.finish_reason or reason
            if choice.delta is None:
                continue
            for call in choice.delta.tool_calls or ():
                collect(calls, call)
            if choice.delta.content:
                text += choice.delta.content
                on_text(choice.delta.content)
    if reason is None:
        raise Failure("its answer broke off", again=True)
    done = tuple(ToolCall(call.id, call.name, parsed_arguments(call.arguments)) for _, call in calls)
    return Reply(text, done, usage, stop_of(reason, done))


def collect(calls: list[tuple[int, Piece]], delta: Any) -> None:
    """Add to the call that this piece goes on with. Some servers number every call 0: a new id begins a new one."""
    function = delta.function
    name, arguments = (function.name or "", function.arguments or "") if function else ("", "")
    place = delta.index or 0
    last = next((piece for index, piece in reversed(calls) if index == place), None)
    if last is None or (delta.id and last.id and delta.id != last.id):
        calls.append((place, Piece(delta.id or f"call_{len(calls)}", name, arguments)))
        return
    last.name = last.name or name
    last.arguments += arguments
