"""What models were asked and what it cost: one line a call, in a file a day, shared by all processes of a user."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import platformdirs

from recollect.chat import ChatModel, Reply, Usage
from recollect.clock import system_time
from recollect.errors import InvalidInput, ModelError, StoreError
from recollect.records import Spent
from recollect.text.tokens import count

Price = tuple[float, float]
"""Money for a million tokens sent, and for a million tokens answered."""


@dataclass
class Ledger:
    """Counts the calls of one model, and refuses more than a day may have."""

    model: str
    folder: Path | None = None
    """None: in the user's data directory."""
    price: Price | None = None
    daily_calls: int | None = None
    daily_tokens: int | None = None
    now: Callable[[], datetime] = system_time
    _read: dict[Path, tuple[int, list[dict[str, Any]]]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        for name in ("daily_calls", "daily_tokens"):
            cap = getattr(self, name)
            if cap is not None and (isinstance(cap, bool) or not isinstance(cap, int) or cap < 0):
                raise InvalidInput(f"{name} must be a whole number of 0 or more, not {cap!r}")

    def refuse_over_budget(self) -> None:
        """Raise when the day's budget is used up."""
        today = self.spent()
        if self.daily_calls is not None and today.calls_today >= self.daily_calls:
            raise ModelError(f"the day's budget of {self.daily_calls} calls to {self.model} is used up")
        if self.daily_tokens is not None and today.tokens_today >= self.daily_tokens:
            raise ModelError(f"the day's budget of {self.daily_tokens:,} tokens of {self.model} is used up")

    def note(self, purpose: str, usage: Usage) -> None:
        """Write down one call."""
        cost = (usage.input * self.price[0] + usage.output * self.price[1]) / 1e6 if self.price else None
        line = {"model": self.model, "for": purpose, "input": usage.input, "output": usage.output, "cost": cost}
        try:
            self._today().parent.mkdir(parents=True, exist_ok=True)
            with self._today().open("a", encoding="utf-8") as file:  # a short line is appended whole
                file.write(json.dumps(line) + "\n")
        except OSError as error:
            raise StoreError(f"the call to {self.model} could not be written down: {error}") from error

    def spent(self) -> Spent:
        """Calls, tokens and money: today, and since the first day."""
        today = self._lines(self._today())
        whole = [line for file in sorted(self._folder().glob("*.jsonl")) for line in self._lines(file)]
        return Spent(
            model=self.model,
            calls_today=len(today),
            tokens_today=sum_tokens(today),
            calls=len(whole),
            tokens=sum_tokens(whole),
            cost=sum(line["cost"] for line in whole if line["cost"] is not None) if self.price else None,
            purposes=dict(Counter(line["for"] for line in whole)),
            daily_calls=self.daily_calls,
            daily_tokens=self.daily_tokens,
        )

    def _folder(self) -> Path:
        return self.folder or platformdirs.user_data_path("recollect") / "model-calls"

    def _today(self) -> Path:
        return self._folder() / f"{self.now():%Y-%m-%d}.jsonl"

    def _lines(self, file: Path) -> list[dict[str, Any]]:
        """This model's lines of a file, read again when it has grown."""
        size = file.stat().st_size if file.exists() else 0
        if size == 0:
            return []
        if self._read.get(file, (-1, []))[0] != size:
            lines = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())
            self._read[file] = (size, [line for line in lines if line["model"] == self.model])
        return self._read[file][1]


def sum_tokens(lines: Iterable[Mapping[str, Any]]) -> int:
    return sum(line["input"] + line["output"] for line in lines)


def asked(
    model: ChatModel,
    messages: Sequence[Mapping[str, Any]],
    *,
    ledger: Ledger,
    purpose: str,
    system: str,
    schema: Mapping[str, Any] | None = None,
) -> Reply:
    """What the model answers, within the day's budget and written down; a call that fails counts too."""
    ledger.refuse_over_budget()
    sent = sum(count(str(message["content"])) for message in messages) + count(system)
    try:
        reply = model(messages, system=system, schema=schema)
    except Exception:
        ledger.note(purpose, Usage(sent, 0))
        raise
    used = reply.usage if reply.usage.input else Usage(sent, count(reply.text))
    ledger.note(purpose, used)
    return reply
