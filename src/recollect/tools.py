"""The tools with which a model pages its own memory: defined once, in every provider's schema, with one dispatcher."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, overload

from recollect.errors import InvalidInput, NotAllowed, NotFound, RecollectError
from recollect.messages import origin_of
from recollect.records import USER, Fact, Hit, Message, Origin
from recollect.shapes import shortened
from recollect.summary import cut
from recollect.tokens import count

if TYPE_CHECKING:
    from recollect.memory import Memory

Form = Literal["openai", "openai-responses", "anthropic"]
ANSWER_TOKENS = 300
MOST_HITS = 20
LINE_LETTERS = 300


@dataclass(frozen=True)
class Tool:
    """One tool: its name, what it is for, and the JSON schema of its arguments."""

    name: str
    description: str
    parameters: Mapping[str, Any]


def tool(name: str, description: str, required: Mapping[str, str], optional: Mapping[str, Any] | None = None) -> Tool:
    """A tool whose required arguments are texts, each described in a few words."""
    texts = {key: {"type": "string", "description": meaning} for key, meaning in required.items()}
    schema = {
        "type": "object",
        "properties": {**texts, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }
    return Tool(name, description, schema)


KEY = "What it is about, such as 'seat preference'"
KEY_OR_ID = "Its key, or its id from search"

TOOLS = (
    tool(
        "remember",
        "Store a lasting fact about the user or their work. A new value takes the place of the old one, which stays "
        "in the history.",
        {"key": KEY, "value": "What holds now, such as 'window'"},
        {"category": {"type": "string", "description": "Such as 'travel' or 'health'"}},
    ),
    tool("recall", "The value that is known under a key now.", {"key": KEY}),
    tool(
        "search",
        "Find what is remembered: facts, past messages and notes, each with its id.",
        {"query": "A question or key words"},
        {
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": MOST_HITS,
                "description": "At most so many; 5 if left out",
            }
        },
    ),
    tool("forget", "End a fact that no longer holds. It can be undone.", {"key": KEY_OR_ID}),
    tool(
        "correct",
        "Replace a value that was never right. For one that was right and has changed, use remember.",
        {"key": KEY_OR_ID, "value": "The right value"},
    ),
    tool("pin", "Keep a fact always in view. Only for what matters in every conversation.", {"key": KEY_OR_ID}),
    tool("unpin", "Take a fact out of view again; search still finds it.", {"key": KEY_OR_ID}),
)

BY_NAME = {one.name: one for one in TOOLS}

TYPES: Mapping[str, tuple[type, str]] = {"string": (str, "a text"), "integer": (int, "a whole number")}


@overload
def schemas(form: None = None) -> list[Tool]: ...
@overload
def schemas(form: str) -> list[dict[str, Any]]: ...
def schemas(form: str | None = None) -> list[Tool] | list[dict[str, Any]]:
    """The tools, or their schemas in a provider's form: "openai" (chat), "openai-responses" or "anthropic"."""
    if form is None:
        return list(TOOLS)
    if form not in FORMS:
        raise InvalidInput(f"unknown form of tools {shortened(form)}: use one of {', '.join(FORMS)}")
    return [json.loads(json.dumps(FORMS[form](one))) for one in TOOLS]


def openai_form(one: Tool) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {"name": one.name, "description": one.description, "parameters": one.parameters},
    }


def responses_form(one: Tool) -> dict[str, Any]:
    # Strict mode would make every optional argument required.
    return {"type": "function", **openai_form(one)["function"], "strict": False}


def anthropic_form(one: Tool) -> dict[str, Any]:
    return {"name": one.name, "description": one.description, "input_schema": one.parameters}


FORMS: Mapping[str, Callable[[Tool], dict[str, Any]]] = {
    "openai": openai_form,
    "openai-responses": responses_form,
    "anthropic": anthropic_form,
}


def call(memory: Memory, name: str, arguments: Mapping[str, Any] | str | None, *, origin: Origin = "assistant") -> str:
    """What a tool answers a model. What the model did wrong comes back as "Error: …", with what to do instead."""
    origin = origin_of(origin, "assistant")
    try:
        given = checked(name, arguments)
        return ANSWERS[name](memory, given, origin)
    except NotAllowed as error:
        return f"Error: {error}. Ask the user to say so themselves."
    except RecollectError as error:
        return f"Error: {error}"


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
    for key in given:
        if key not in properties:
            raise InvalidInput(f"{known.name} has no argument {shortened(key)}: it takes {', '.join(properties)}")
    kept = {key: value for key, value in given.items() if value is not None}
    for key in required:
        if key not in kept:
            raise InvalidInput(f"{known.name} needs the argument {key!r}: {properties[key]['description']}")
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
    kind, called = TYPES[schema["type"]]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise InvalidInput(f"{key!r} of {name} must be {called}, got {shortened(value)}")
    if isinstance(value, str) and not value.strip():
        raise InvalidInput(f"{key!r} of {name} is empty: {schema['description']}")
    if isinstance(value, int) and not schema["minimum"] <= value <= schema["maximum"]:
        raise InvalidInput(f"{key!r} of {name} must be from {schema['minimum']} to {schema['maximum']}, got {value}")


# What each tool does, and says.


def remember(memory: Memory, given: Mapping[str, Any], origin: Origin) -> str:
    fact = memory.remember(given["key"], given["value"], category=given.get("category"), origin=origin)
    if fact.disputes:
        return disputed(memory, fact)
    if fact.confirmations:
        return f"Already known: {known_as(fact)}."
    former = by_id(memory, fact.replaces)
    return f"Remembered: {known_as(fact)}" + (f" (replaced {former.value})." if former else ".")


def recall(memory: Memory, given: Mapping[str, Any], origin: Origin) -> str:
    """All values that the key holds: one allergy told of two would be worse than none."""
    values = [fact.value for fact in memory.facts(subject=USER, attribute=given["key"]) if fact.disputes is None]
    return ", ".join(values) or f'Nothing is known about "{given["key"]}".'


def search(memory: Memory, given: Mapping[str, Any], origin: Origin) -> str:
    """The hits, best first, as many as fit the answer."""
    lines: list[str] = []
    for hit in memory.search(given["query"], limit=given.get("limit", 5)):
        if lines and count("\n".join([*lines, hit_line(hit)])) > ANSWER_TOKENS:
            break
        lines.append(hit_line(hit))
    return "\n".join(lines) or "Nothing found."


def forget(memory: Memory, given: Mapping[str, Any], origin: Origin) -> str:
    try:
        changes = memory.forget(given["key"], origin=origin)
    except NotFound:
        return not_found(given["key"])
    facts = [found for change in changes if (found := by_id(memory, change.record_id))]
    return f"Forgotten: {', '.join(known_as(fact) for fact in facts)}." if facts else not_found(given["key"])


def correct(memory: Memory, given: Mapping[str, Any], origin: Origin) -> str:
    fact = memory.correct(given["key"], given["value"], origin=origin)
    return disputed(memory, fact) if fact.disputes else f"Corrected: {known_as(fact)}."


def pin(memory: Memory, given: Mapping[str, Any], origin: Origin) -> str:
    return f"Pinned: {known_as(memory.pin(given['key']))}."


def unpin(memory: Memory, given: Mapping[str, Any], origin: Origin) -> str:
    return f"Unpinned: {known_as(memory.unpin(given['key']))}."


ANSWERS: Mapping[str, Callable[[Memory, Mapping[str, Any], Origin], str]] = {
    "remember": remember,
    "recall": recall,
    "search": search,
    "forget": forget,
    "correct": correct,
    "pin": pin,
    "unpin": unpin,
}


def by_id(memory: Memory, fact_id: str | None) -> Fact | None:
    return next(iter(memory.store.facts(memory.owner, ids=[fact_id])), None) if fact_id else None


def known_as(fact: Fact) -> str:
    return f"{fact.attribute} = {cut(' '.join(fact.value.split()), LINE_LETTERS)}"


def not_found(key: str) -> str:
    return f'Nothing is known about "{key}": search for it to find its key or id.'


def disputed(memory: Memory, fact: Fact) -> str:
    """What to say when the user told otherwise."""
    other = by_id(memory, fact.disputes)
    told = f"the {other.origin} said ({other.value})" if other else "the user said"
    return f"Noted {known_as(fact)}, but it contradicts what {told}: ask the user."


def hit_line(hit: Hit) -> str:
    """A hit as one line: id, text, day, and whether it still holds."""
    record = hit.record
    at = record.at if isinstance(record, Message) else record.said if isinstance(record, Fact) else record.learned
    who = f"{record.role} said: " if isinstance(record, Message) else ""
    over = ", no longer so" if hit.ended else ", disputed" if hit.dispute else ""
    return f"- [{hit.id}] {who}{cut(' '.join(hit.text.split()), LINE_LETTERS)} ({at:%Y-%m-%d}{over})"
