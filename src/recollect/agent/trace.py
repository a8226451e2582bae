"""What an agent did, step by step, and what came of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from recollect.chat import Usage
from recollect.summary import cut

SHOWN = 200


@dataclass(frozen=True, slots=True)
class Step:
    """One step: what was remembered for this turn, what the model said, a tool it called, what that gave."""

    kind: Literal["memory", "model", "call", "result"]
    name: str
    """The session, the model, or the tool."""
    text: str
    """What went into the prompt, what the model said, what the tool gave."""
    turn: int = 0
    """The how-manieth call of the model it belongs to."""
    tokens: int = 0
    """Of the text that was remembered."""
    usage: Usage = field(default_factory=Usage)
    """Of a call of the model."""
    arguments: Mapping[str, Any] | str | None = None
    seconds: float = 0.0

    def __str__(self) -> str:
        """One line for people."""
        text = cut(self.text, SHOWN)
        if self.kind == "memory":
            return f"memory   {self.tokens} tokens: {text or 'nothing'}"
        if self.kind == "model":
            usage = self.usage
            counted = f"{usage.input} tokens in ({usage.cached} cached), {usage.output} out"
            return f"model    {self.name}, {self.seconds:.1f} s, {counted}: {text or '(no text)'}"
        if self.kind == "call":
            given = self.arguments or ""
            if not isinstance(given, str):
                given = ", ".join(f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in given.items())
            return f"call     {self.name}({cut(given, SHOWN)})"
        return f"result   {self.name}: {text}"


@dataclass(frozen=True, slots=True)
class Answer:
    """What an agent answered, how it ended, and how it got there."""

    text: str
    stopped: Literal["done", "max_turns", "length", "refused", "cancelled"] = "done"
    """"done", or why it went no further."""
    steps: tuple[Step, ...] = ()

    @property
    def usage(self) -> Usage:
        """The tokens of all calls of the model together."""
        return sum((step.usage for step in self.steps), Usage())

    @property
    def trace(self) -> str:
        """Every step as one line."""
        return "\n".join(map(str, self.steps))

    def __str__(self) -> str:
        return self.text
