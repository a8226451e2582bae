"""Google's Gemini."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from google import genai
from google.genai import errors, types

from recollect.chat.provider import Provider, calls_in, speaker_turns, text_in
from recollect.chat.retry import Failure, asked_wait, unforeseen
from recollect.chat.types import OnText, Reply, Request, Stop, ToolCall, Usage

REFUSALS = {"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "LANGUAGE"}
PASSING = {"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "OTHER"}
"""Ends without an answer that another attempt often does not have."""


class Gemini(Provider):
    title, address_variable = "Gemini", "GOOGLE_GEMINI_BASE_URL"
    key_variables = ("GEMINI_API_KEY", "GOOGLE_API_KEY")

    def connect(self, key: str, base_url: str | None, timeout: float) -> genai.Client:
        once, milliseconds = types.HttpRetryOptions(attempts=1), round(timeout * 1000)
        web = types.HttpOptions(base_url=base_url, timeout=milliseconds, retry_options=once)
        return genai.Client(api_key=key, http_options=web)

    def ask(self, request: Request, on_text: OnText | None) -> Reply:
        body = {"model": self.model, **body_of(request, self.options)}
        with gemini_failures():
            if on_text is None:
                return reply_of([self.client.models.generate_content(**body)])
            answers = []
            for answer in self.client.models.generate_content_stream(**body):
                answers.append(answer)
                if text := answer_text(answer_parts(answer)):
                    on_text(text)
            return reply_of(answers)

    def count(self, text: str) -> int:
        with gemini_failures():
            return int(self.client.models.count_tokens(model=self.model, contents=text).total_tokens)


def body_of(request: Request, options: Mapping[str, Any]) -> dict[str, Any]:
    """What is sent."""
    config: dict[str, Any] = {"automatic_function_calling": {"disable": True}}
    if request.system:
        config["system_instruction"] = [types.Part(text=part) for part in request.system]
    if request.tools:
        declared = [
            types.FunctionDeclaration(
                name=tool.name, description=tool.description, parameters_json_schema=dict(tool.parameters)
            )
            for tool in request.tools
        ]
        config["tools"] = [types.Tool(function_declarations=declared)]
    if request.schema:
        config |= {"response_mime_type": "application/json", "response_json_schema": dict(request.schema)}
    names = {call.id: call.name for message in request.messages for call in calls_in(message)}
    turns = speaker_turns(request.messages, lambda message: turn_parts(message, names), assistant="model")
    contents = [types.Content(role=role, parts=parts) for role, parts in turns]
    return {"contents": contents, "config": types.GenerateContentConfig(**config, **options)}


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
        yield types.Part(function_call=types.FunctionCall(id=call.id, name=call.name, args=call.argument_object))


def answer_parts(answer: types.GenerateContentResponse) -> list[types.Part]:
    content = answer.candidates[0].content if answer.candidates else None
    return list(content.parts or ()) if content else []


def answer_text(parts: Sequence[types.Part]) -> str:
    return "".join(part.text for part in parts if part.text and not part.thought)


def reply_of(answers: Sequence[types.GenerateContentResponse]) -> Reply:
    """The reply in one answer, or in the pieces of one."""
    parts = [part for answer in answers for part in answer_parts(answer)]
    called = [part.function_call for part in parts if part.function_call]
    for call in called:  # not every model gives an id, and results are matched by it
        call.id = call.id or f"call_{secrets.token_hex(6)}"
    calls = tuple(ToolCall(call.id or "", call.name or "", call.args or {}) for call in called)
    reason = reason_of(answers)
    if not reason:
        raise Failure("its answer broke off", again=True)
    if reason in PASSING and not calls and not answer_text(parts):
        raise Failure(f"it ended with {reason} and no answer", again=True)
    stop: Stop = "tools" if calls else "end"
    if reason in REFUSALS or reason == "MAX_TOKENS":
        stop = "refused" if reason in REFUSALS else "length"
    signed = any(part.thought_signature for part in parts)
    kept = {"gemini": [part for part in parts if not part.thought]} if signed else {}
    return Reply(answer_text(parts), calls, usage_of(answers), stop, kept)


def reason_of(answers: Sequence[types.GenerateContentResponse]) -> str:
    """Why it ended, by this provider's name for it; empty when it did not say."""
    for answer in answers:
        if answer.prompt_feedback and answer.prompt_feedback.block_reason:
            return "SAFETY"
    ends = [answer.candidates[0].finish_reason for answer in answers if answer.candidates]
    return next((str(end.value) for end in reversed(ends) if end), "")


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
        wait = asked_wait(dict(getattr(error.response, "headers", None) or {}))
        if wait is None and (found := re.search(r"'retryDelay': '([\d.]+)s'", str(error.details))):
            wait = float(found[1])  # the body is where this provider says it
        raise Failure(error.message or str(error), status=error.code, wait=wait) from error
    except Failure:
        raise
    except Exception as error:
        raise unforeseen(error) from error
