"""What a JSON file of somebody else's says: keys and their values, or the messages of a conversation. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from recollect.errors import InvalidInput
from recollect.text.values import Value

READ = (
    'an export of recollect, a dictionary of keys and values ({"home": "Lisbon", "likes": ["tea", "jazz"]}), '
    'or the messages of one conversation ([{"role": "user", "content": "…"}], or {"messages": […]})'
)
EXPORTS = ("mapping", "chat_messages")
"""Keys that conversations have in the exports of ChatGPT and of Claude."""


def messages_in(given: object) -> list[Mapping[str, Any]] | None:
    """The messages that a value is or has; None where it has none."""
    if isinstance(given, dict) and is_list_of_objects(given.get("messages")):
        given = given["messages"]
    if isinstance(given, dict) and is_message(given):
        given = [given]
    if not isinstance(given, list):
        return None
    for place, item in enumerate(given, 1):
        refuse_no_message(item, place)
    if not given:
        raise InvalidInput(f"there is nothing in it: import reads {READ}")
    return given


def is_list_of_objects(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(one, dict) for one in value)


def refuse_no_message(item: object, place: int) -> None:
    """Refuse what would be kept as a turn that says nothing."""
    if isinstance(item, dict) and any(key in item for key in EXPORTS):
        raise InvalidInput(
            f"item {place} is a conversation as ChatGPT or Claude exports it; that is not read yet: import reads {READ}"
        )
    if not isinstance(item, dict) or not is_message(item):
        raise InvalidInput(
            f"item {place} is no message with a role and a content: {str(item)[:80]!r}; import reads {READ}"
        )


def is_message(item: Mapping[str, Any]) -> bool:
    return isinstance(item.get("role"), str) and has_words(item)


def has_words(item: Mapping[str, Any]) -> bool:
    return bool(item.get("content") or item.get("tool_calls"))


def conversation_of(said: Sequence[Mapping[str, Any]]) -> str:
    """A name for a conversation, which follows from how it begins: the same when the file has grown."""
    return f"imported-{digest(said[0])[:8]}"


def id_at(place: int, said: Sequence[Mapping[str, Any]]) -> str:
    """An id for a message, which follows from its conversation, its place and all that it says."""
    return f"m_{digest([conversation_of(said), place, said[place]])[:24]}"


def digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def pairs_in(given: object) -> list[tuple[str, Value]]:
    """Keys and their values; what is no such dictionary is refused, with the key that shows it."""
    if not isinstance(given, dict):
        raise InvalidInput(f"this is {str(given)[:80]!r}: import reads {READ}")
    for key, value in given.items():
        parts = value if isinstance(value, list) else [value]
        if not parts or not all(isinstance(one, str | int | float) for one in parts):
            raise InvalidInput(
                f"the value of {key!r} is no text, number, true or false, nor a list of these: {str(value)[:80]!r}; "
                f"import reads {READ}"
            )
    return list(given.items())
