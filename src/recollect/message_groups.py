"""Conversations in pieces that must not be split, and what they cost. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any

from recollect.errors import InvalidInput
from recollect.records import Message
from recollect.text.message_formats import calls_answered, calls_made
from recollect.text.tokens import count

MESSAGE_TOKENS = 4
"""What a message costs beside its text: role and separators."""


def check_positive(name: str, value: object) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise InvalidInput(f"{name} must be a whole number of 1 or more, got {value!r}")


def exchanges(messages: Sequence[Message]) -> list[list[Message]]:
    """The messages in groups that must not be split: a user's turn with all that follows from it."""
    glued = between_calls_and_results(messages)
    starts = [place for place in range(1, len(messages)) if opens(messages, place) and place not in glued]
    edges = [0, *starts, len(messages)] if messages else []
    return [list(messages[start:end]) for start, end in pairwise(edges)]


def opens(messages: Sequence[Message], place: int) -> bool:
    """Whether an exchange begins here: at a user's turn, or at the instructions that stand before one."""
    if is_instruction(messages[place - 1]):
        return False
    here_on = (messages[later] for later in range(place, len(messages)))
    speaker = next((message for message in here_on if not is_instruction(message)), None)
    return speaker is not None and speaker.role == "user" and not calls_answered(speaker.raw or {})


def is_instruction(message: Message) -> bool:
    return message.role in ("system", "developer")


def between_calls_and_results(messages: Sequence[Message]) -> set[int]:
    """The places at which a cut would part a tool call from its result."""
    called: dict[str, int] = {}
    glued: set[int] = set()
    for place, message in enumerate(messages):
        for call in calls_answered(message.raw or {}):
            glued.update(range(called.get(call, place) + 1, place + 1))
        called.update(dict.fromkeys(calls_made(message.raw or {}), place))
    return glued


def answers_earlier(groups: Sequence[Sequence[Message]]) -> bool:
    """Whether these groups hold the result of a tool call that stands before them."""
    raws = [message.raw for group in groups for message in group if message.raw]
    made = {call for raw in raws for call in calls_made(raw)}
    return any(calls_answered(raw) - made for raw in raws)


def newest(groups: Sequence[Sequence[Message]], *, budget: int | None, limit: int | None, model: str) -> list[Message]:
    """The last groups that fit, oldest first."""
    if budget is not None:
        newest_cost(groups, budget, model)
    taken: list[Sequence[Message]] = []
    left, room = budget, limit
    for group in reversed(groups):
        room = None if room is None else room - len(group)
        left = None if left is None else left - sum(cost(message, model) for message in group)
        if taken and ((room is not None and room < 0) or (left is not None and left < 0)):
            break
        taken.append(group)
    return [message for group in reversed(taken) for message in group]


def steady(groups: Sequence[Sequence[Message]], *, budget: int, step: int, model: str) -> list[Message]:
    """As `newest`, but where something is left out its beginning moves on seldom, by about `step` tokens at once: a
    prompt cache can keep what stays in its place."""
    fitting = newest(groups, budget=budget, limit=None, model=model)
    begins = list(accumulate(map(len, groups), initial=0))
    if len(fitting) == begins[-1]:
        return fitting
    costs = (sum(cost(message, model) for message in group) for group in groups)
    # The steps are counted from the first word of the conversation, so that they stay where they are.
    steps = [spent // max(1, step) for spent in accumulate(costs, initial=0)]
    left_out = begins[-1] - len(fitting)
    edges = [place for place in range(1, len(groups)) if steps[place] > steps[place - 1]]
    start = next((place for place in edges if begins[place] >= left_out), None)
    return fitting if start is None else [message for group in groups[start:] for message in group]


def newest_cost(groups: Sequence[Sequence[Message]], budget: int, model: str) -> int:
    """What the newest group costs; one that is larger than the budget is refused, not dropped."""
    needed = sum(cost(message, model) for message in groups[-1]) if groups else 0
    if needed > budget:
        raise InvalidInput(f"the newest exchange needs {needed} tokens, the budget is {budget}: raise it")
    return needed


def cost(message: Message, model: str) -> int:
    """The tokens of one message in a window; images and files, which no tokenizer counts, are estimated."""
    if message.raw is None:
        return MESSAGE_TOKENS + count(message.content, model)
    texts, files = without_files(message.raw)
    return MESSAGE_TOKENS + count(json.dumps(texts, ensure_ascii=False), model) + 1_000 * files  # an estimate


def without_files(value: Any) -> tuple[Any, int]:
    """The value with the data of images and files left out, and how many there were."""
    if isinstance(value, list):
        parts = [without_files(part) for part in value]
        return [part for part, _ in parts], sum(files for _, files in parts)
    if not isinstance(value, Mapping):
        return value, 0
    if is_file(value):
        return {"type": value["type"]}, 1
    named = {key: without_files(part) for key, part in value.items()}
    return {key: part for key, (part, _) in named.items()}, sum(files for _, files in named.values())


def is_file(part: Mapping[str, Any]) -> bool:
    kind, source = part.get("type"), part.get("source")
    if kind == "document" and isinstance(source, Mapping):
        return source.get("type") not in ("text", "content")
    return kind in ("image", "image_url", "input_image", "input_audio", "input_file", "file")
