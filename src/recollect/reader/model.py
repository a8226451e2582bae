"""Facts by a chat model, which reads alone: it proposes, our code decides, and what it fails at waits."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from recollect.chat import ChatModel, chat_model
from recollect.chat.usage import Ledger, Price, asked
from recollect.clock import system_time
from recollect.errors import InvalidInput, ModelError
from recollect.facts.trust import TRUST
from recollect.reader import ReadingContext, Unreadable
from recollect.reader.answer import SCHEMA, drafts_from
from recollect.records import Draft, Fact, Message, Origin, Spent
from recollect.text.tokens import trim

PROMPT = Path(__file__).with_name("model_prompt.md")
PURPOSE = "extraction"
BATCH = 16
MESSAGE_TOKENS = 2_000
"""Of one message; what comes after is kept and found, and not read for facts."""
BEFORE_LETTERS = 1_000
"""Of what was said just before a message: its end, where a question stands."""
MOST_KNOWN = 40
FIRST_REST, LONGEST_REST = 15.0, 600.0


class ModelReader:
    """Has a model read what was said, one call for up to `batch` messages.

    `reads`: only what comes from these origins is read for facts, and each origin in a call of its own; what the
    assistant or another speaker said just before a short message is sent with it, to be understood by. `turns`:
    wait until so many turns of the user can be read in one call. `daily_calls`, `daily_tokens`: beyond them messages
    wait for the next day. After a failure the model is left alone for a while, so that nobody waits for it in vain.
    """

    def __init__(
        self,
        model: ChatModel | Callable[..., Any] | str,
        *,
        reads: Sequence[Origin] = ("user",),
        turns: int = 1,
        batch: int = BATCH,
        daily_calls: int | None = None,
        daily_tokens: int | None = None,
        price: Price | None = None,
        ledger: str | Path | None = None,
        now: Callable[[], datetime] = system_time,
    ) -> None:
        for name, number in (("turns", turns), ("batch", batch)):
            if isinstance(number, bool) or not isinstance(number, int) or number < 1:
                raise InvalidInput(f"{name} must be a whole number of 1 or more, not {number!r}")
        self.model = chat_model(model)
        self.name = f"model:{self.model.name}"
        self.reads, self.turns, self.batch = tuple(reads), turns, max(batch, turns)
        folder = None if ledger is None else Path(ledger)
        self.ledger = Ledger(
            self.model.name, folder, price=price, daily_calls=daily_calls, daily_tokens=daily_tokens, now=now
        )
        self._rest = Rest()
        self._notices: dict[str, list[str]] = {}

    def read(self, messages: Sequence[Message], context: ReadingContext) -> list[Draft]:
        """What the model finds in messages of one origin, in the order it was said."""
        if messages[0].origin not in self.reads or not any(message.content.strip() for message in messages):
            return []
        self._rest.refuse()
        try:
            drafts, left_out = drafts_from(self._answer(messages, context), messages)
        except ModelError as error:
            # An answer that cannot be read says nothing about the next one.
            self._rest.begin(error if not isinstance(error, Unreadable) else None)
            raise
        self._rest.end()
        if left_out:
            self._notices[messages[0].id] = [f"of the model's answer, {one}" for one in left_out]
        order = {message.id: place for place, message in enumerate(messages)}
        return sorted(drafts, key=lambda draft: order[draft.source.message] if draft.source else 0)

    def notices(self, messages: Sequence[Message]) -> list[str]:
        """What of the model's answer could not be taken, and what of the messages it was not shown."""
        notices = [one for message in messages for one in self._notices.pop(message.id, [])]
        cut = [one.id for one in messages if one.origin in self.reads and len(one.content) > len(shown(one))]
        most = f"only the first {MESSAGE_TOKENS:,} tokens were read for facts"
        return [*notices, *(f"message {one!r} is kept whole and can be found; {most}" for one in cut)]

    def wake(self) -> None:
        """Ask the model again, however short ago it failed."""
        self._rest.end()

    def spent(self) -> Spent:
        """What the model has cost."""
        return self.ledger.spent()

    def _answer(self, messages: Sequence[Message], context: ReadingContext) -> str:
        """The text of the model's answer."""
        request = [{"role": "user", "content": as_lines(messages, context.known, context.before)}]
        system = PROMPT.read_text(encoding="utf-8")
        reply = asked(self.model, request, ledger=self.ledger, purpose=PURPOSE, system=system, schema=SCHEMA)
        if reply.stop == "refused":
            raise Unreadable(f"the model declined to read these messages: {reply.text[:200]!r}")
        if reply.stop == "length":
            raise Unreadable("the model's answer was cut off")
        return reply.text


def as_lines(messages: Sequence[Message], known: Sequence[Fact], before: Mapping[str, Message]) -> str:
    """What the model reads: JSON, so that no text can look like another message."""
    trusted = [fact for fact in known if TRUST[fact.origin] >= TRUST[messages[0].origin]][-MOST_KNOWN:]
    lines: list[dict[str, Any]] = [{"known": fact.text, "of": fact.subject} for fact in trusted]
    for number, message in enumerate(messages, 1):
        if message.id in before:
            said = before[message.id]
            lines.append({"before": said.content[-BEFORE_LETTERS:], "by": said.name or said.role})
        lines.append(as_line(number, message))
    return "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)


def as_line(number: int, message: Message) -> dict[str, Any]:
    """One message as the model reads it."""
    speaker = {"by": message.name} if message.name else {}
    return {"message": number, "at": f"{message.at:%Y-%m-%d %A}", **speaker, "text": shown(message)}


def shown(message: Message) -> str:
    """What the model is shown of a message."""
    return trim(message.content, MESSAGE_TOKENS)


class Rest:
    """How long a model that failed is left alone: longer with every failure, until it answers again."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._until, self._length, self._problem = 0.0, 0.0, ""

    def refuse(self) -> None:
        """Raise while the rest lasts."""
        with self._lock:
            left = self._until - time.monotonic()
            if left > 0:
                raise ModelError(f"{self._problem} (it is asked again in {left:.0f} seconds, or by catch_up())")

    def begin(self, error: ModelError | None) -> None:
        if error is None:
            return
        with self._lock:
            self._length = min(max(self._length * 2, FIRST_REST), LONGEST_REST)
            self._until, self._problem = time.monotonic() + self._length, str(error)

    def end(self) -> None:
        with self._lock:
            self._until = self._length = 0.0
