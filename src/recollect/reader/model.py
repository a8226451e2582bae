"""Facts by a chat model, which reads alone: it proposes, our code decides, and what it fails at waits."""

from __future__ import annotations

import json
import re
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
from recollect.facts.attributes import attribute, sentence
from recollect.facts.trust import TRUST
from recollect.reader import ReadingContext, Unreadable
from recollect.records import USER, Draft, Effect, Fact, Message, Origin, Source, Spent, Target
from recollect.text.dates import period
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
        cut = [one.id for one in messages if one.origin in self.reads and len(one.content) > len(shown_text(one))]
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
    return {"message": number, "at": f"{message.at:%Y-%m-%d %A}", **speaker, "text": shown_text(message)}


def shown_text(message: Message) -> str:
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


# Its answer: the schema, and what of it may become a draft

MOST_FACTS = 60
LONGEST = {"subject": 80, "attribute": 60, "value": 300, "instead_of": 300}
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
    answer = parsed_answer(text)
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


def parsed_answer(text: str) -> Any:
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
    said = normalized(messages[given["message"] - 1].content)
    if not normalized(given["quote"]) or normalized(given["quote"]) not in said:
        return "its words were not said"
    if not given["attribute"].strip() or not (given["value"].strip() or given["kind"] == "ending"):
        return "it has no attribute or no value"
    return next((f"its {name} is too long" for name, most in LONGEST.items() if len(given[name]) > most), None)


def normalized(text: str) -> str:
    """The text without case, quotation marks and spacing, which a model may copy differently."""
    return " ".join(re.sub("[\"'“”‘’«»]", "", text.casefold()).split())


def draft_of(given: Mapping[str, Any], message: Message) -> Draft:
    """One fact of an answer as a draft; the sentence that says it is ours."""
    known = attribute(given["attribute"])
    subject, value = given["subject"].strip() or USER, " ".join(given["value"].split())
    effect = EFFECTS[given["kind"]]
    since, until = day_given(given["since"], message), day_given(given["until"], message)
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
        confidence=0.8,
        source=Source(message.id, exact_quote(given["quote"], message.content)),
    )


def day_given(date: str, message: Message) -> Any:
    """The first moment of a year, a month or a day; None when it is none."""
    if not re.fullmatch(r"\d{4}(?:-\d\d(?:-\d\d)?)?", date.strip()):
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
