"""The tools with which a model pages its own memory: defined once, in every provider's schema, with one dispatcher."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, overload

from recollect import tool_answers as answers
from recollect.errors import InvalidInput, NotAllowed, RecollectError
from recollect.messages import origin_of
from recollect.records import Origin, Tool
from recollect.text.message_formats import shortened
from recollect.tool_answers import MOST_HITS, Answered

if TYPE_CHECKING:
    from recollect.memory import Memory


def tool(name: str, description: str, required: Mapping[str, Any], optional: Mapping[str, Any] | None = None) -> Tool:
    """A tool whose required arguments are texts, each described in a few words, where no schema is given."""
    texts = {
        key: {"type": "string", "description": meaning} if isinstance(meaning, str) else meaning
        for key, meaning in required.items()
    }
    schema = {
        "type": "object",
        "properties": {**texts, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }
    return Tool(name, description, schema)


KEY = "What it is about, such as 'seat preference'"
ANYTHING = "A fact's key or id, or a note's path"
QUERY = "A question or key words"
PLAIN = ["string", "number", "boolean"]
VALUE = {"type": [*PLAIN, "array"], "items": {"type": PLAIN}, "description": "What holds now, such as 'window'"}
LIMIT = {"limit": {"type": "integer", "minimum": 1, "maximum": MOST_HITS, "description": "5 if left out"}}

TOOLS = (
    tool(
        "remember",
        "Store a lasting fact about the user or their work. A new value takes the place of the old one, which stays "
        "in the history.",
        {"key": KEY, "value": VALUE},
        {"category": {"type": "string", "description": "Such as 'travel' or 'health'"}},
    ),
    tool("recall", "The value that is known under a key now.", {"key": KEY}),
    tool(
        "search", "Find what is remembered: facts, past messages and notes, each with its id.", {"query": QUERY}, LIMIT
    ),
    tool(
        "search_conversation",
        "Find what was said, word for word, in this and earlier conversations. Open a message to see those around it.",
        {"query": QUERY},
        LIMIT,
    ),
    tool(
        "open",
        "Bring into view: a note by its path, a folder of notes, the messages around one, or a fact's history.",
        {"what": "A path, or an id from search"},
        {"line": {"type": "integer", "minimum": 1, "maximum": 1_000_000, "description": "Of a long note, begin here"}},
    ),
    tool(
        "write_note",
        "Keep a longer text at a path: whole, or with `old` only that passage of it. Pin it to keep it in view.",
        {"path": "Such as /memories/human.md", "text": "The new text"},
        {"old": {"type": "string", "description": "The passage to replace, as it stands"}},
    ),
    tool("forget", "End a fact that no longer holds, or take a note away. It can be undone.", {"key": ANYTHING}),
    tool(
        "correct",
        "Replace a value that was never right. For one that was right and has changed, use remember.",
        {"key": "Its key, or its id from search", "value": "The right value"},
    ),
    tool("pin", "Keep a fact or note always in view. Only for what matters in every conversation.", {"key": ANYTHING}),
    tool("unpin", "Take a fact or note out of view again; search still finds it.", {"key": ANYTHING}),
)

BY_NAME = {one.name: one for one in TOOLS}


def described(one: Tool, parameters: str) -> dict[str, Any]:
    """A tool as a dict, its arguments' schema under the key that a provider wants."""
    return {"name": one.name, "description": one.description, parameters: one.parameters}


FORMS: Mapping[str, Callable[[Tool], dict[str, Any]]] = {
    "openai": lambda one: {"type": "function", "function": described(one, "parameters")},
    # Strict mode would make every optional argument required.
    "openai-responses": lambda one: {"type": "function", **described(one, "parameters"), "strict": False},
    "anthropic": lambda one: described(one, "input_schema"),
    "gemini": lambda one: described(one, "parametersJsonSchema"),
}


@overload
def schemas(form: None = None) -> list[Tool]: ...
@overload
def schemas(form: str) -> list[dict[str, Any]]: ...
def schemas(form: str | None = None) -> list[Tool] | list[dict[str, Any]]:
    """The tools, or their schemas in a provider's form: "openai" (chat), "openai-responses", "anthropic"
    or "gemini"."""
    if form is None:
        return list(TOOLS)
    if form not in FORMS:
        raise InvalidInput(f"unknown form of tools {shortened(form)}: use one of {', '.join(FORMS)}")
    return [json.loads(json.dumps(FORMS[form](one))) for one in TOOLS]


def call(memory: Memory, name: str, arguments: Mapping[str, Any] | str | None, *, origin: Origin = "assistant") -> str:
    """What a tool answers a model. What the model did wrong comes back as "Error: …", with what to do instead."""
    return answered(memory, name, arguments, origin=origin).text


def answered(
    memory: Memory, name: str, arguments: Mapping[str, Any] | str | None, *, origin: Origin = "assistant"
) -> Answered:
    """The same, with the lowest origin of what is shown."""
    origin = origin_of(origin, "assistant")
    try:
        given = checked(name, arguments)
        return ANSWERS[name](memory, given, origin)
    except NotAllowed as error:
        return Answered(f"Error: {error}. Ask the user to say so themselves.")
    except RecollectError as error:
        return Answered(f"Error: {error}")


def call_from(memory: Memory, tool_call: object, *, origin: Origin = "assistant") -> str:
    """The same for a tool call as a provider's library gives it: OpenAI's or Anthropic's, as a dict or an object."""
    name, arguments = parts_of(tool_call)
    return not_a_call(tool_call) if name is None else call(memory, name, arguments, origin=origin)


def parts_of(tool_call: object) -> tuple[Any, Any]:
    """The name and the arguments of a tool call."""
    function = part(tool_call, "function") or tool_call
    arguments = next((found for key in ("arguments", "input") if (found := part(function, key)) is not None), None)
    return part(function, "name"), arguments


def not_a_call(tool_call: object) -> str:
    return f"Error: not a tool call: {shortened(tool_call)}; it needs a name and arguments"


def part(whole: object, name: str) -> Any:
    return whole.get(name) if isinstance(whole, Mapping) else getattr(whole, name, None)


def checked(name: object, arguments: object) -> dict[str, Any]:
    """The arguments of a call, if its tool can use them; an optional one that is null counts as left out."""
    known = BY_NAME.get(name) if isinstance(name, str) else None
    if known is None:
        raise InvalidInput(f"there is no tool {shortened(name)}: use one of {', '.join(BY_NAME)}")
    given = as_object(arguments)
    properties, required = known.parameters["properties"], known.parameters["required"]
    kept = {key: value for key, value in given.items() if value is not None}
    if strange := [key for key in given if key not in properties]:
        raise InvalidInput(f"{known.name} has no argument {shortened(strange[0])}: it takes {', '.join(properties)}")
    if missing := next((key for key in required if key not in kept), None):
        raise InvalidInput(f"{known.name} needs the argument {missing!r}: {properties[missing]['description']}")
    for key, value in kept.items():
        check_type(known.name, key, value, properties[key])
    return kept


def as_object(arguments: object) -> Mapping[str, Any]:
    """The arguments as a mapping, parsed when they come as JSON text."""
    if arguments is None or arguments == "":
        return {}
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError) as error:
            raise InvalidInput(f"the arguments are not valid JSON ({error}): send one JSON object") from error
    if not isinstance(arguments, Mapping):
        raise InvalidInput(f"the arguments must be one JSON object, got {shortened(arguments)}")
    return arguments


def check_type(name: str, key: str, value: object, schema: Mapping[str, Any]) -> None:
    if isinstance(schema["type"], list) and not isinstance(value, str):
        return  # `remember` says itself what it can keep
    number = schema["type"] == "integer"
    if not isinstance(value, int if number else str) or isinstance(value, bool):
        raise InvalidInput(
            f"{key!r} of {name} must be {'a whole number' if number else 'a text'}, got {shortened(value)}"
        )
    if isinstance(value, str) and not value.strip() and key != "text":
        raise InvalidInput(f"{key!r} of {name} is empty: {schema['description']}")
    if isinstance(value, int) and not schema["minimum"] <= value <= schema["maximum"]:
        raise InvalidInput(f"{key!r} of {name} must be from {schema['minimum']} to {schema['maximum']}, got {value}")


ANSWERS: Mapping[str, Callable[[Memory, Mapping[str, Any], Origin], Answered]] = {
    "remember": answers.remember,
    "recall": answers.recall,
    "search": answers.search,
    "search_conversation": partial(answers.search, kinds=("message",)),
    "open": answers.open_up,
    "write_note": answers.write_note,
    "forget": answers.forget,
    "correct": answers.correct,
    "pin": partial(answers.pin, pinned=True),
    "unpin": partial(answers.pin, pinned=False),
}
