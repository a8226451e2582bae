"""What a scripted model does, and what it was asked, whatever the provider."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Say:
    """Answer with a text."""

    text: str
    stop: str = "end"
    cut: bool = False
    """Break off in the middle of a stream."""
    cached: int = 0


@dataclass(frozen=True, init=False)
class Call:
    """Call tools, all at once; arguments that are a text are sent as they are, valid or not."""

    calls: tuple[tuple[str, Mapping[str, Any] | str], ...]
    text: str
    thought: str
    """A thought that the provider signs and wants back."""

    def __init__(self, *calls: tuple[str, Mapping[str, Any] | str], text: str = "", thought: str = "") -> None:
        object.__setattr__(self, "calls", calls)
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "thought", thought)


@dataclass(frozen=True)
class Fail:
    """Answer with an error."""

    status: int
    message: str = "the script says so"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str | None = None
    """Sent instead of the provider's form of an error."""


@dataclass(frozen=True)
class Stall:
    """Do not answer."""

    seconds: float = 30


Step = Say | Call | Fail | Stall


@dataclass
class Seen:
    """A request, in one form for all providers."""

    provider: str
    body: Mapping[str, Any]
    system: str = ""
    system_parts: list[str] = field(default_factory=list)
    messages: list[dict[str, Any]] = field(default_factory=list)
    """Each with "role" (user, assistant or tool) and "text"; an assistant's with "calls", a tool's with "id"."""
    tools: list[str] = field(default_factory=list)
    path: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def last(self) -> dict[str, Any]:
        return self.messages[-1]

    @property
    def asked(self) -> str:
        """What the user said last."""
        return next(message["text"] for message in reversed(self.messages) if message["role"] == "user")


@dataclass(frozen=True)
class Wire:
    """What a format needs to write an answer."""

    new_id: Callable[[str], str]


class Refused(Exception):
    """A request that the real provider would refuse."""


def check_answered(messages: list[dict[str, Any]]) -> None:
    """Every call is answered at once and once, and nothing is answered that was not called."""
    waiting: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            if message["id"] not in waiting:
                raise Refused(f"a result without its call: {message['id']!r}")
            waiting.remove(message["id"])
            continue
        if waiting:
            raise Refused(f"calls without their results: {waiting}")
        waiting = [call[0] for call in message.get("calls", ())]
        if len(set(waiting)) < len(waiting):
            raise Refused(f"two calls have one id: {waiting}")
    if waiting:
        raise Refused(f"calls without their results: {waiting}")


def check_keys(given: Mapping[str, Any], allowed: set[str], where: str) -> None:
    if strange := set(given) - allowed:
        raise Refused(f"unknown keys in {where}: {sorted(strange)}")


def halves(text: str) -> list[str]:
    """The text in two pieces, as a stream would bring it."""
    middle = len(text) // 2
    return [piece for piece in (text[:middle], text[middle:]) if piece]
