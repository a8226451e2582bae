"""The shapes in which messages are given, OpenAI's and Anthropic's: the texts and the tool calls in them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from contextlib import suppress
from datetime import date, datetime
from typing import Any, NamedTuple

from recollect.errors import InvalidInput
from recollect.text import lazy_regex

DEEPEST = 100
OWN_TEXT = {"text", "input_text", "output_text", "summary_text", "refusal"}
UNSTORABLE = lazy_regex("[\x00\ud800-\udfff]")


class MessageTexts(NamedTuple):
    """What one message holds, told apart by who it comes from."""

    own: tuple[str, ...] = ()
    """The speaker's own words."""
    calls: tuple[str, ...] = ()
    """The tools that the speaker calls."""
    results: tuple[str, ...] = ()
    """What tools answered, enclosed in the message."""
    documents: tuple[str, ...] = ()
    parts: int = 0
    """How many parts there are, with and without text."""


def what_is_said(raw: Mapping[str, Any]) -> MessageTexts:
    """The texts of one message dict, by where they come from."""
    kind = raw.get("type")
    if kind in ("function_call", "custom_tool_call"):
        return MessageTexts(calls=(call_text(raw),), parts=1)
    if isinstance(kind, str) and kind.endswith("_output") and "role" not in raw:
        return MessageTexts(own=tuple(block_texts(raw.get("output"))), parts=1)
    if "role" not in raw and kind not in (None, "message"):
        return MessageTexts(own=tuple(block_texts(raw.get("summary"))), parts=1)
    calls = [call_text(call) for call in calls_of(raw)]
    # An empty answer is an answer: a tool call must not stand without its result.
    others = len(calls) + ("tool_call_id" in raw)
    content = raw.get("content", raw.get("parts"))
    if content is None and not others:
        raise InvalidInput(f"a message has no content: {shortened(dict(raw))}; give its text under 'content'")
    said = texts_in(content)
    return said._replace(calls=(*said.calls, *calls), parts=said.parts + others)


def texts_in(content: object) -> MessageTexts:
    """The texts of a message's content: a string, or a list of parts."""
    if content is None:
        return MessageTexts()
    if isinstance(content, str):
        return MessageTexts(own=(content,))
    if not isinstance(content, list):
        raise InvalidInput(f"a message's content must be a text or a list of parts, got {shortened(content)}")
    texts: dict[str, list[str]] = {"own": [], "calls": [], "results": [], "documents": []}
    for part in content:
        kind = part_kind(part)
        called = "calls" if kind.endswith("tool_use") else "results" if kind.endswith("tool_result") else ""
        texts[called or ("documents" if kind == "document" else "own")] += part_texts(part)
    others = sum(part_kind(part) not in OWN_TEXT for part in content)
    return MessageTexts(**{name: tuple(found) for name, found in texts.items()}, parts=others)


def part_kind(part: object) -> str:
    """What a part of a message is; a bare string and a part that only has a text are text."""
    if isinstance(part, str):
        return "text"
    if not isinstance(part, dict):
        raise InvalidInput(f"a part of a message must be a text or a dict, got {shortened(part)}")
    kind = part.get("type")
    return kind if isinstance(kind, str) else "text" if "text" in part else ""


def part_texts(part: str | dict[str, Any]) -> list[str]:
    """The texts of one part; images, sounds and thoughts have none."""
    kind = part_kind(part)
    if isinstance(part, str):
        return [part]
    if kind in OWN_TEXT:
        text = part.get("refusal" if kind == "refusal" else "text")
        if not isinstance(text, str):
            raise InvalidInput(f"a part of type {kind!r} has no text: {shortened(part)}")
        return [text]
    if kind.endswith("tool_use"):
        return [call_text(part)]
    if kind.endswith("tool_result"):
        return block_texts(part.get("content"))
    source = part.get("source")
    if kind != "document" or not isinstance(source, dict):
        return []
    text = source.get("data") if source.get("type") == "text" else None
    return [text] if isinstance(text, str) else block_texts(source.get("content"))


def block_texts(content: object) -> list[str]:
    """The texts in what a tool gave back: a string, one part, or a list of parts."""
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else [content] if isinstance(content, dict) else []
    return [text for part in parts if isinstance(part, (str, dict)) for text in part_texts(part)]


def calls_of(raw: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The tool calls of an OpenAI message, each with name and arguments."""
    calls = raw.get("tool_calls") or []
    if not isinstance(calls, list):
        raise InvalidInput(f"'tool_calls' must be a list, got {shortened(calls)}")
    if isinstance(raw.get("function_call"), dict):
        calls = [*calls, raw["function_call"]]
    return [call.get("function") or call.get("custom") or call for call in calls if isinstance(call, dict)]


def call_text(call: Mapping[str, Any]) -> str:
    """A tool call as a person would note it: `search(query: flights to Porto)`."""
    given = next((call[key] for key in ("arguments", "input", "args") if call.get(key)), "")
    if isinstance(given, str):
        with suppress(ValueError, RecursionError):
            given = json.loads(given)
    if isinstance(given, dict):
        shown = {key: value if isinstance(value, str) else json.dumps(value) for key, value in given.items()}
        given = ", ".join(f"{key}: {value}" for key, value in shown.items())
    return f"{call.get('name', 'tool')}({given})"


def calls_made(raw: Mapping[str, Any]) -> set[str]:
    """The ids of the tool calls in a message as given."""
    if raw.get("type") in ("function_call", "custom_tool_call"):
        return ids_under([dict(raw)], "call_id")
    return ids_under(raw.get("tool_calls"), "id") | ids_under(raw.get("content"), "id", "tool_use")


def calls_answered(raw: Mapping[str, Any]) -> set[str]:
    """The ids of the tool calls whose results a message as given holds."""
    if str(raw.get("type", "")).endswith("_output"):
        return ids_under([dict(raw)], "call_id")
    return ids_under([dict(raw)], "tool_call_id") | ids_under(raw.get("content"), "tool_use_id", "tool_result")


def ids_under(parts: object, key: str, kind: str = "") -> set[str]:
    """What dicts of a kind hold under a key."""
    dicts = [part for part in parts if isinstance(part, Mapping)] if isinstance(parts, list) else []
    return {
        part[key] for part in dicts if isinstance(part.get(key), str) and (not kind or part_kind(part).endswith(kind))
    }


def as_dict(item: object) -> dict[str, Any]:
    """A copy of the dict that was given, as JSON can hold it."""
    plain = json_copy(item) if isinstance(item, Mapping) or hasattr(item, "model_dump") else None
    if not isinstance(plain, dict):
        raise InvalidInput(
            f"a message must be a text, a dict or a Message, got {type(item).__name__} {shortened(item)}"
        )
    return plain


def json_copy(value: Any, depth: int = 0) -> Any:
    """A deep copy in JSON's terms, with texts that any store can hold."""
    if depth > DEEPEST:
        raise InvalidInput(f"a message is nested more than {DEEPEST} levels deep: flatten it")
    if isinstance(value, str):
        return clean(value)
    if value is None or isinstance(value, (bool, int)) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, (list, tuple)):
        return [json_copy(part, depth + 1) for part in value]
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return {clean(key): json_copy(part, depth + 1) for key, part in value.items()}
    if hasattr(value, "model_dump"):
        return json_copy(value.model_dump(mode="json", exclude_none=True), depth + 1)
    raise InvalidInput(f"a message holds what JSON cannot: {type(value).__name__} {shortened(value)}")


def clean(text: object) -> str:
    """The text without NUL, its lone surrogates replaced by U+FFFD."""
    if not isinstance(text, str):
        raise InvalidInput(f"a text is needed, got {type(text).__name__} {shortened(text)}")
    if text.isascii() and "\0" not in text:
        return text
    return UNSTORABLE.sub(lambda found: "" if found[0] == "\x00" else "\ufffd", text)


def shortened(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 80 else shown[:77] + "…"
