"""Turns what callers give into Messages, and Messages back into what was given."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from functools import partial
from typing import Any, cast, get_args

from recollect.clock import Clock
from recollect.errors import InvalidInput
from recollect.records import Message, Origin, Role
from recollect.text.dates import Time, moment
from recollect.text.message_formats import UNSTORABLE, MessageTexts, as_dict, json_copy, shortened, what_is_said
from recollect.text.message_formats import clean as clean

Given = str | Mapping[str, Any] | Message | Sequence[str | Mapping[str, Any] | Message]
"""What can be said to a memory: a text, a message as a dict or a Message, or several of them."""

DEFAULT_SESSION = "default"
LONGEST_NAME = 200
MOST_BYTES = 16 * 1024 * 1024

ROLES: Mapping[str, Role] = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "model": "assistant",
    "system": "system",
    "developer": "developer",
    "tool": "tool",
    "function": "tool",
}
ORIGIN_OF: Mapping[Role, Origin] = {
    "user": "user",
    "assistant": "assistant",
    "system": "operator",
    "developer": "operator",
    "tool": "tool",
}


def to_messages(
    said: object,
    *,
    owner: str,
    session: str | None = None,
    role: str = "user",
    origin: str | None = None,
    at: Time | None = None,
    clock: Clock,
) -> list[Message]:
    """The messages in a string, a Message, a dict, or a list of these.

    Dicts may be shaped as OpenAI (Chat Completions and Responses) and Anthropic define them, or be such a library's
    own objects; "id" and "at" (or "timestamp", "created_at") are taken when present. Messages without a time of their
    own get `at`, or the present moment, in steps of a microsecond, so that their order is kept. NUL characters are
    removed and lone surrogates become U+FFFD, in `raw` as well, so that any store can hold them.
    """
    check_owner(owner)
    session = None if session is None else check_session(session)
    now = clock.now()
    base = now if at is None else moment(at, now)
    items = list(said) if isinstance(said, (list, tuple)) else [said]
    messages = [
        one_message(item, owner=owner, session=session, role=role, origin=origin, at=when, clock=clock)
        for item, when in zip(items, apart(base, len(items)), strict=True)
    ]
    for (within, one), times in Counter((message.session, message.id) for message in messages).items():
        if times > 1:
            raise InvalidInput(
                f"two messages have the id {one!r} in session {within!r}: give each its own, or leave ids out"
            )
    return messages


def from_message(message: Message) -> dict[str, Any]:
    """The message as it was given."""
    if message.raw is not None:
        return cast("dict[str, Any]", json_copy(message.raw))
    given: dict[str, Any] = {"role": message.role, "content": message.content}
    return {**given, "name": message.name} if message.name else given


def one_message(
    item: object, *, owner: str, session: str | None, role: str, origin: str | None, at: datetime, clock: Clock
) -> Message:
    """The message that one item stands for."""
    if isinstance(item, Message):
        return taken_over(item, owner=owner, session=session, origin=origin)
    raw = {"role": role, "content": clean(item)} if isinstance(item, str) else as_dict(item)
    found_role = role_of(raw, role)
    content, implied = worth_keeping(what_is_said(raw), raw)
    tool_only = implied == "tool" and found_role == "user"
    plain = raw == {"role": found_role, "content": raw.get("content")} and isinstance(raw["content"], str)
    return Message(
        id=clock.new_id("m") if raw.get("id") is None else checked_id(raw["id"]),
        owner=owner,
        session=session or DEFAULT_SESSION,
        role="tool" if tool_only else found_role,
        content=within_size(content),
        at=time_of(raw, at),
        origin=origin_of(origin, implied or ORIGIN_OF[found_role]),
        name=name_of(raw),
        raw=None if plain else sized(raw),
    )


def taken_over(message: Message, *, owner: str, session: str | None, origin: str | None) -> Message:
    """A Message that was made elsewhere, as this owner's, with the same checks as any other."""
    content = clean(message.content)
    if not has_any(content) and message.raw is None:
        raise nothing_said(message.content)
    return replace(
        message,
        id=checked_id(message.id),
        owner=owner,
        session=session or check_session(message.session),
        role=known_role(message.role),
        content=within_size(content),
        at=moment(message.at, message.at),
        origin=origin_of(origin, message.origin),
        learned=None,
        raw=None if message.raw is None else sized(cast("dict[str, Any]", json_copy(message.raw))),
    )


# Names and numbers that stand around the words.


def checked_name(name: object, what: str) -> str:
    """The name, if owners and sessions can have it."""
    if not isinstance(name, str) or not name.strip() or len(name) > LONGEST_NAME:
        raise InvalidInput(f"{what} must be a text of 1 to {LONGEST_NAME} characters, got {shortened(name)}")
    if UNSTORABLE.search(name):
        raise InvalidInput(f"{what} must have no NUL and no half of a character in it, got {shortened(name)}")
    return name


check_owner = partial(checked_name, what="the owner")
check_session = partial(checked_name, what="a session's name")


def known_role(role: object) -> Role:
    """The role under the name we use for it."""
    found = ROLES.get(role) if isinstance(role, str) else None
    if found is None:
        raise InvalidInput(f"unknown role {shortened(role)}: use one of {', '.join(ROLES)}")
    return found


def role_of(raw: Mapping[str, Any], default: str) -> Role:
    """Who speaks: as the dict says, as its type implies, or the call's role."""
    if raw.get("role") is not None:
        return known_role(raw["role"])
    kind = raw.get("type")
    if kind is None or kind == "message":
        return known_role(default)
    if isinstance(kind, str) and kind.endswith("_output"):
        return "tool"
    if isinstance(kind, str) and (kind.endswith("_call") or kind in ("reasoning", "compaction")):
        return "assistant"
    raise InvalidInput(f"a message of type {shortened(kind)} without a role: add 'role' to it")


def origin_of(given: str | None, implied: Origin) -> Origin:
    """The origin that was asked for, or else the implied one."""
    if given is None:
        return implied
    if given not in get_args(Origin):
        raise InvalidInput(f"unknown origin {shortened(given)}: use one of {', '.join(get_args(Origin))}")
    return cast(Origin, given)


def checked_id(given: object) -> str:
    if not isinstance(given, str) or not given or len(given) > LONGEST_NAME or UNSTORABLE.search(given):
        raise InvalidInput(f"a message's id must be a text of 1 to {LONGEST_NAME} characters, got {shortened(given)}")
    return given


def name_of(raw: Mapping[str, Any]) -> str | None:
    """The speaker's name. A tool call's own name is part of its text and no speaker."""
    name = raw.get("name")
    if name is None or raw.get("type") == "function_call":
        return None
    if not isinstance(name, str) or len(name) > LONGEST_NAME:
        raise InvalidInput(
            f"a speaker's name must be a text of at most {LONGEST_NAME} characters, got {shortened(name)}"
        )
    return name or None


def time_of(raw: Mapping[str, Any], default: datetime) -> datetime:
    """When it was said: as the dict says, in any usual form, or the default."""
    value = next((raw[key] for key in ("at", "timestamp", "created_at") if raw.get(key) is not None), None)
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return default if value is None else moment(value, default)
    try:  # a Unix time, in seconds or milliseconds
        return datetime.fromtimestamp(value / 1000 if abs(value) > 1e11 else value, timezone.utc)
    except (OverflowError, OSError, ValueError) as error:
        raise InvalidInput(f"the time {value!r} is out of range: give seconds since 1970, or a date") from error


def apart(base: datetime, many: int) -> list[datetime]:
    """So many moments in steps of a microsecond, from the base on, or up to it where else a day would end."""
    first = base if later(base, many - 1).date() == base.date() else later(base, 1 - many)
    return [later(first, step) for step in range(many)]


def later(base: datetime, steps: int) -> datetime:
    try:
        return base + timedelta(microseconds=steps)
    except OverflowError:
        return base


# The words themselves.


def worth_keeping(said: MessageTexts, raw: Mapping[str, Any]) -> tuple[str, Origin | None]:
    """The text to search by, and its origin where that is not the speaker's.

    Enclosed results and documents count only when the speaker adds no words: what a tool answered must never be
    taken for what the user said.
    """
    choices: tuple[tuple[tuple[str, ...], Origin | None], ...] = (
        ((*said.own, *said.calls), None),
        (said.results, "tool"),
        (said.documents, "document"),
    )
    for texts, origin in choices:
        text = "\n".join(part for part in texts if has_any(part))
        if text:
            return text, origin
    if not said.parts:
        raise nothing_said(raw.get("content"))
    return "", None


def within_size(text: str) -> str:
    if len(text) > MOST_BYTES or len(text) * 4 > MOST_BYTES < len(text.encode()):
        raise InvalidInput(f"a message of {len(text):,} characters is over the {MOST_BYTES >> 20} MB limit: split it")
    return text


def sized(raw: dict[str, Any]) -> dict[str, Any]:
    within_size(json.dumps(raw, ensure_ascii=False))
    return raw


def has_any(text: str) -> bool:
    """Whether a text has anything to see: zero-width characters alone say nothing."""
    return any(not letter.isspace() and unicodedata.category(letter) != "Cf" for letter in text.lstrip())


def nothing_said(content: object) -> InvalidInput:
    return InvalidInput(f"nothing to remember in {shortened(content)}: give a text with at least one character to see")


def id_in_session(message_id: str, session: str) -> str:
    """The id `"m1@monday"` for the message `"m1"` of session "monday"; always the same one, and never too long."""
    plain = f"{message_id}@{session}"
    if len(plain) <= LONGEST_NAME:
        return plain
    digest = hashlib.sha256(f"{session}\n{message_id}".encode()).hexdigest()[:32]
    return f"{message_id[: LONGEST_NAME - 33]}@{digest}"


def possible_ids(message: Message) -> tuple[str, str, str]:
    """The ids a message may be kept under, the first choice first. The third serves a caller who named a message of
    another session as we would have named this one."""
    second = id_in_session(message.id, message.session)
    return message.id, second, id_in_session(second, message.session)


def place(messages: Sequence[Message], held: Mapping[str, Message]) -> list[Message]:
    """Each message as it is held already, or under the id by which it can be kept beside `held` and the others.

    One session's message sent again under its id is the held one; with other words it is refused.
    """
    taken, placed = dict(held), list[Message]()
    for message in messages:
        names = possible_ids(message)
        own = next((taken[name] for name in names if name in taken and taken[name].session == message.session), None)
        if own is None:
            free = next((name for name in names if name not in taken), None)
            if free is None:
                raise InvalidInput(f"the message ids {names!r} are all taken in other sessions: give it another id")
            own = taken[free] = message if free == message.id else replace(message, id=free)
        elif own.content != message.content or not (own.content or own.raw == message.raw):  # no words: the payload
            raise InvalidInput(
                f"message id {message.id!r} is taken by another text in session {message.session!r}, which is already "
                "here with other content; give each message its own id"
            )
        placed.append(own)
    return placed
