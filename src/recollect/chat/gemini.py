"""Google's Gemini."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any

from google import genai
from google.genai import errors, types

from recollect.chat.retry import Failure, asked_wait, unforeseen
from recollect.chat.types import OnText, Reply, Request, Stop, ToolCall, Usage, calls_in, text_in
from recollect.errors import InvalidInput
from recollect.records import Tool

REFUSALS = {"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "LANGUAGE"}
PASSING = {"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "OTHER"}
"""Ends without an answer that another attempt often does not have."""


class Speaking:
    """One model behind Google's client."""

    def __init__(
        self, model: str, *, base_url: str | None, key: str | None, timeout: float, options: Mapping[str, Any]
    ) -> None:
        self.model, self.options = model, options
        base_url = base_url or os.environ.get("GOOGLE_GEMINI_BASE_URL")
        self.key = key or os.environ.get("GEMINI_API_KEY") or os.environ.get("GOOGLE_API_KEY") or ""
        if not self.key and not base_url:
            raise InvalidInput("no key for Gemini: set GEMINI_API_KEY, or pass key=")
        # Retries are ours alone; the time is in milliseconds here.
        web = types.HttpOptions(
            base_url=base_url, timeout=round(timeout * 1000), retry_options=types.HttpRetryOptions(attempts=1)
        )
        self.client = genai.Client(api_key=self.key or "none", http_options=web)

    def ask(self, request: Request, on_text: OnText | None) -> Reply:
        body = {"model": self.model, **body_of(request, self.options)}
        with gemini_failures():
            if on_text is None:
                return reply_of([self.client.models.generate_content(**body)])
            answers = []
            for answer in self.client.models.generate_content_stream(**body):
                answers.append(answer)
                if text := spoken(parts_of(answer)):
                    on_text(text)
            return reply_of(answers)


def body_of(request: Request, options: Mapping[str, Any]) -> dict[str, Any]:
    """What is sent."""
    config: dict[str, Any] = {"automatic_function_calling": {"disable": True}}
    if request.system:
        config["system_instruction"] = [types.Part(text=part) for part in request.system]
    if request.tools:
        config["tools"] = [types.Tool(function_declarations=[tool_form(tool) for tool in request.tools])]
    if request.schema:
        config |= {"response_mime_type": "application/json", "response_json_schema": dict(request.schema)}
    return {
        "contents": contents_of(request.messages),
        "config": types.GenerateContentConfig(**config, **options),
    }


def tool_form(tool: Tool) -> types.FunctionDeclaration:
    return types.FunctionDeclaration(
        name=tool.name, description=tool.description, parameters_json_schema=dict(tool.parameters)
    )


def contents_of(messages: Sequence[Mapping[str, Any]]) -> list[types.Content]:
    """The messages in this provider's form: results of tools belong to the user, and one speaker speaks at a time."""
    names = {call.id: call.name for message in messages for call in calls_in(message)}
    turns = [(role_of(message), parts) for message in messages if (parts := list(turn_parts(message, names)))]
    return [
        types.Content(role=role, parts=[part for _, parts in group for part in parts])
        for role, group in groupby(turns, key=lambda turn: turn[0])
    ]


def role_of(message: Mapping[str, Any]) -> str:
    return "model" if message.get("role") == "assistant" else "user"


def turn_parts(message: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[types.Part]:
    if "gemini" in message:
        yield from message["gemini"]
        return
    text = text_in(message)
    if message.get("role") == "tool":
        name = message.get("name") or names.get(message["tool_call_id"], "tool")
        answer = types.FunctionResponse(id=message["tool_call_id"], name=name, response={"output": text})
        yield types.Part(function_response=answer)
        return
    if text.strip():
        yield types.Part(text=text)
    for call in calls_in(message):
        given = {"unreadable": call.arguments} if isinstance(call.arguments, str) else dict(call.arguments)
        yield types.Part(function_call=types.FunctionCall(id=call.id, name=call.name, args=given))


def parts_of(answer: types.GenerateContentResponse) -> list[types.Part]:
    content = answer.candidates[0].content if answer.candidates else None
    return list(content.parts or ()) if content else []


def spoken(parts: Sequence[types.Part]) -> str:
    return "".join(part.text for part in parts if part.text and not part.thought)


def reply_of(answers: Sequence[types.GenerateContentResponse]) -> Reply:
    """The reply in one answer, or in the pieces of one."""
    parts = [part for answer in answers for part in parts_of(answer)]
    called = [with_id(part.function_call) for part in parts if part.function_call]
    calls = tuple(ToolCall(call.id or "", call.name or "", call.args or {}) for call in called)
    reason = reason_of(answers)
    if not reason:
        raise Failure("its answer broke off", again=True)
    if reason in PASSING and not calls and not spoken(parts):
        raise Failure(f"it ended with {reason} and no answer", again=True)
    signed = any(part.thought_signature for part in parts)
    kept = {"gemini": [part for part in parts if not part.thought]} if signed else {}
    return Reply(spoken(parts), calls, usage_of(answers), stop_of(reason, calls), kept)


def with_id(call: types.FunctionCall) -> types.FunctionCall:
    """The call with an id: not every model gives one, and results are matched by it."""
    call.id = call.id or f"call_{secrets.token_hex(6)}"
    return call


def reason_of(answers: Sequence[types.GenerateContentResponse]) -> str:
    """Why it ended, by this provider's name for it; empty when it did not say."""
    for answer in answers:
        if answer.prompt_feedback and answer.prompt_feedback.block_reason:
            return "SAFETY"
    ends = [answer.candidates[0].finish_reason for answer in answers if answer.candidates]
    return next((str(end.value) for end in reversed(ends) if end), "")


def stop_of(reason: str, calls: Sequence[ToolCall]) -> Stop:
    if reason in REFUSALS:
        return "refused"
    if reason == "MAX_TOKENS":
        return "length"
    return "tools" if calls else "end"


def usage_of(answers: Sequence[types.GenerateContentResponse]) -> Usage:
    """The last one that was sent: each counts all before it."""
    told = [answer.usage_metadata for answer in answers if answer.usage_metadata]
    if not told:
        return Usage()
    usage = told[-1]
    output = (usage.candidates_token_count or 0) + (usage.thoughts_token_count or 0)
    return Usage(usage.prompt_token_count or 0, output, usage.cached_content_token_count or 0)


@contextmanager
def gemini_failures() -> Iterator[None]:
    """Turns what Google's package raises into a Failure."""
    try:
        yield
    except errors.APIError as error:
        headers = getattr(error.response, "headers", None) or {}
        wait = asked_wait(dict(headers))
        wait = retry_delay(error.details) if wait is None else wait
        raise Failure(error.message or str(error), status=error.code, wait=wait) from error
    except Failure:
        raise
    except Exception as error:
        raise unforeseen(error) from error


def retry_delay(details: object) -> float | None:
    """The pause that the body of an error asks for, which is where this provider says it."""
    found = re.search(r"'retryDelay': '([\d.]+)s'", str(details))
    return float(found[1]) if found else None
