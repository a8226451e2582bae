"""What the providers have in common: where key and address come from, and what a message holds."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, ClassVar

from recollect.chat.types import OnText, Reply, Request, ToolCall
from recollect.errors import InvalidInput


class Provider:
    """One model behind a provider's client. A provider says how to connect, and how to ask."""

    title: ClassVar[str]
    key_variables: ClassVar[tuple[str, ...]]
    address_variable: ClassVar[str]

    def __init__(
        self, model: str, *, base_url: str | None, key: str | None, timeout: float, options: Mapping[str, Any]
    ) -> None:
        self.model, self.options = model, options
        base_url = base_url or os.environ.get(self.address_variable)
        named = (os.environ.get(variable) for variable in self.key_variables)
        self.key = key or next(filter(None, named), "")
        if not self.key and not base_url:
            raise InvalidInput(
                f"no key for {self.title}: set {self.key_variables[0]}, or pass key= "
                "(or the base_url= of your own server)"
            )
        # A server of one's own often needs no key, the client always does.
        self.client = self.connect(self.key or "none", base_url, timeout)

    def connect(self, key: str, base_url: str | None, timeout: float) -> Any:
        """The client, which makes no retries: they are ours alone."""
        raise NotImplementedError

    def ask(self, request: Request, on_text: OnText | None) -> Reply:
        """The reply; what fails raises Failure."""
        raise NotImplementedError

    def count(self, text: str) -> int:
        """How many tokens the provider counts in a text."""
        raise NotImplementedError


def speaker_turns(
    messages: Sequence[Mapping[str, Any]],
    parts_of: Callable[[Mapping[str, Any]], Iterable[Any]],
    *,
    assistant: str = "assistant",
) -> Iterator[tuple[str, list[Any]]]:
    """Who speaks and what is said, by turns: the results of tools belong to the user, one speaker speaks at a time, and
    messages without parts are left out."""
    said = [
        (assistant if message.get("role") == "assistant" else "user", parts)
        for message in messages
        if (parts := list(parts_of(message)))
    ]
    for role, group in groupby(said, key=lambda turn: turn[0]):
        yield role, [part for _, parts in group for part in parts]


def parsed_arguments(text: str | None) -> Mapping[str, Any] | str:
    """The arguments in a call's JSON text, or the text where it is not a JSON object."""
    try:
        found = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return text or ""
    return found if isinstance(found, dict) else text or ""


def calls_in(message: Mapping[str, Any]) -> list[ToolCall]:
    """The calls of an assistant's message."""
    return [
        ToolCall(call["id"], call["function"]["name"], parsed_arguments(call["function"].get("arguments")))
        for call in message.get("tool_calls") or ()
    ]


def text_in(message: Mapping[str, Any]) -> str:
    """The text of a message, also where it comes in parts."""
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(part if isinstance(part, str) else part.get("text") or "" for part in content)
