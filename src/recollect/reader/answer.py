"""A model's answer: its schema, and what of it may become a draft. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from recollect.errors import InvalidInput
from recollect.facts.attributes import attribute, sentence
from recollect.reader import Unreadable
from recollect.records import USER, Draft, Effect, Message, Source, Target
from recollect.text.dates import period

MOST_FACTS = 60
LONGEST = {"subject": 80, "attribute": 60, "value": 300, "instead_of": 300}
CONFIDENCE = 0.8
DATE = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?")
FENCE = re.compile(r"\A\s*```(?:json)?\s*\n(.*)\n\s*```\s*\Z", re.DOTALL)

EFFECTS: Mapping[str, Effect] = {
    "state": "states",
    "update": "replaces",
    "correction": "corrects",
    "ending": "ends",
    "past": "past",
    "plan": "plans",
}
"""The words of the prompt for what a fact does."""
TEXTS = ("quote", "subject", "attribute", "value", "since", "until", "instead_of")
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "facts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "message": {"type": "integer"},
                    **{name: {"type": "string"} for name in TEXTS},
                    "kind": {"type": "string", "enum": list(EFFECTS)},
                },
                "required": ["message", *TEXTS, "kind"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["facts"],
    "additionalProperties": False,
}
"""Every field is required, and an empty text stands for "not told": all providers' structured outputs can do that."""

TYPES: Mapping[str, type] = {"object": dict, "array": list, "string": str, "integer": int}


def drafts_from(text: str, messages: Sequence[Message]) -> tuple[list[Draft], list[str]]:
    """The drafts in an answer, and why others in it were left out. Raises Unreadable when it is not of the schema."""
    answer = parsed(text)
    if problem := mismatch(answer, SCHEMA):
        raise Unreadable(f"the model's answer is not of the schema: {problem}")
    drafts, left_out = list[Draft](), list[str]()
    for given in answer["facts"][:MOST_FACTS]:
        if problem := unusable(given, messages):
            left_out.append(f"{given['attribute'][:60]!r} = {given['value'][:60]!r} was left out: {problem}")
        else:
            drafts.append(draft_of(given, messages[given["message"] - 1]))
    if over := len(answer["facts"]) - MOST_FACTS:
        left_out += [f"{over} facts more than {MOST_FACTS} were left out"] if over > 0 else []
    return drafts, left_out


def parsed(text: str) -> Any:
    """The JSON of an answer, also where the model put it in a fence."""
    if not text.strip():
        raise Unreadable("the model's answer is empty")
    fenced = FENCE.match(text)
    try:
        return json.loads(fenced[1] if fenced else text)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"the model's answer is not JSON ({error})") from error


def mismatch(value: object, schema: Mapping[str, Any], place: str = "the answer") -> str | None:
    """Where a value is not as a schema asks, in words; covers the part of JSON Schema that ours use."""
    kind = TYPES[schema["type"]]
    if not isinstance(value, kind) or isinstance(value, bool):
        return f"{place} is no {schema['type']}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{place} is none of {', '.join(schema['enum'])}"
    if isinstance(value, list):
        found = (mismatch(one, schema["items"], f"{place}[{index}]") for index, one in enumerate(value))
        return next((problem for problem in found if problem), None)
    if not isinstance(value, dict):
        return None
    if missing := [name for name in schema["required"] if name not in value]:
        return f"{place} has no {missing[0]!r}"
    if strange := [name for name in value if name not in schema["properties"]]:
        return f"{place} has an unknown {str(strange[0])[:40]!r}"
    parts = (mismatch(value[name], part, f"{place}.{name}") for name, part in schema["properties"].items())
    return next((problem for problem in parts if problem), None)


def unusable(given: Mapping[str, Any], messages: Sequence[Message]) -> str | None:
    """Why a fact cannot be taken: its words were not said, or it is too long, or names nothing."""
    if not 1 <= given["message"] <= len(messages):
        return f"there is no message {given['message']}"
    said = plain(messages[given["message"] - 1].content)
    if not plain(given["quote"]) or plain(given["quote"]) not in said:
        return "its words were not said"
    if not given["attribute"].strip() or not (given["value"].strip() or given["kind"] == "ending"):
        return "it has no attribute or no value"
    return next((f"its {name} is too long" for name, most in LONGEST.items() if len(given[name]) > most), None)


def plain(text: str) -> str:
    """The text without case, quotation marks and spacing, which a model may copy differently."""
    return " ".join(re.sub("[\"'“”‘’«»]", "", text.casefold()).split())


def draft_of(given: Mapping[str, Any], message: Message) -> Draft:
    """One fact of an answer as a draft; the sentence that says it is ours."""
    known = attribute(given["attribute"])
    subject, value = given["subject"].strip() or USER, " ".join(given["value"].split())
    effect = EFFECTS[given["kind"]]
    since, until = moment_of(given["since"], message), moment_of(given["until"], message)
    if effect == "plans" and since is not None and since <= message.at:
        effect = "replaces"
    return Draft(
        subject=subject,
        attribute=known.name,
        value=value,
        text=sentence(subject, known.name, value) if value else known.name,
        said=message.at,
        effect=effect,
        category=known.category,
        since=since,
        until=until,
        target=Target(given["instead_of"].strip()) if given["instead_of"].strip() else None,
        origin=message.origin,
        confidence=CONFIDENCE,
        source=Source(message.id, exact_quote(given["quote"], message.content)),
    )


def moment_of(date: str, message: Message) -> Any:
    """The first moment of a year, a month or a day; None when it is none."""
    if not DATE.fullmatch(date.strip()):
        return None
    try:
        return period(date.strip(), message.at)[0]
    except InvalidInput:
        return None


def exact_quote(quote: str, content: str) -> str:
    """The words as they stand in the message, where the model's copy differs in case or marks only."""
    if quote in content:
        return quote
    place = content.casefold().find(quote.casefold())
    return content[place : place + len(quote)] if place >= 0 else quote
