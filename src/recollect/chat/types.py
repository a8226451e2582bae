"""What is said to a chat model and what it answers, in one form for every provider."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from recollect.records import Tool

Stop = Literal["end", "tools", "length", "refused"]
"""Why a model stopped: it was done, it calls tools, its answer was cut off, it declined."""
OnText = Callable[[str], Any]
"""Takes each piece of an answer as it comes."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that the model wants to have run."""

    id: str
    name: str
    arguments: Mapping[str, Any] | str
    """As JSON gives them; the text itself where it is not valid JSON."""

    @property
    def argument_object(self) -> dict[str, Any]:
        """The arguments as a JSON object, which is all that providers take back."""
        return {"unreadable": self.arguments} if isinstance(self.arguments, str) else dict(self.arguments)

    def message(self) -> dict[str, Any]:
        arguments = json.dumps(self.argument_object, ensure_ascii=False)
        return {"id": self.id, "type": "function", "function": {"name": self.name, "arguments": arguments}}


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens of a call, as the provider counted them; zero where it did not say."""

    input: int = 0
    """All that was sent, with what came from the provider's cache."""
    output: int = 0
    cached: int = 0
    """How many of the input came from the provider's cache."""

    def __add__(self, other: Usage) -> Usage:
        return Usage(self.input + other.input, self.output + other.output, self.cached + other.cached)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    usage: Usage = Usage()
    stop: Stop = "end"
    kept: Mapping[str, Any] = field(default_factory=dict)
    """What the same provider wants back as it came while the turn lasts, such as signed thoughts; under its name."""

    def message(self) -> dict[str, Any]:
        """The answer as a message, to be sent back with the next call."""
        calls = {"tool_calls": [call.message() for call in self.calls]} if self.calls else {}
        return {"role": "assistant", "content": self.text, **calls, **self.kept}


class ChatModel(Protocol):
    """A model to talk to. `chat_model` makes one out of a name, or of any function."""

    @property
    def name(self) -> str:
        """Such as "openai:gpt-5"."""
        ...

    def __call__(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        system: str | Sequence[str] = "",
        tools: Sequence[Tool] = (),
        schema: Mapping[str, Any] | None = None,
        on_text: OnText | None = None,
    ) -> Reply:
        """The answer to these messages, which have the form of OpenAI's chat messages.

        `system`: instructions; in several parts, the ones that change least come first, so that a prompt cache can
        keep them. `schema`: the answer's text is to be JSON of this schema. `on_text` takes the text as it comes.
        """
        ...


@dataclass(frozen=True, slots=True)
class Request:
    """All that one call to a model sends."""

    messages: tuple[Mapping[str, Any], ...]
    system: tuple[str, ...] = ()
    tools: tuple[Tool, ...] = ()
    schema: Mapping[str, Any] | None = None
