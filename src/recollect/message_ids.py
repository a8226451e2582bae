"""Under which id a message is kept: its own, or one made of id and session where another session has that id."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

from recollect.errors import InvalidInput
from recollect.records import Message

LONGEST_ID = 200
DIGEST = 32


def id_in_session(message_id: str, session: str) -> str:
    """The id `"m1@monday"` for the message `"m1"` of session "monday"; always the same one, and never too long."""
    plain = f"{message_id}@{session}"
    if len(plain) <= LONGEST_ID:
        return plain
    digest = hashlib.sha256(f"{session}\n{message_id}".encode()).hexdigest()[:DIGEST]
    return f"{message_id[: LONGEST_ID - DIGEST - 1]}@{digest}"


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
        elif not says_the_same(message, own):
            raise InvalidInput(
                f"message id {message.id!r} is taken by another text in session {message.session!r}, which is already "
                "here with other content; give each message its own id"
            )
        placed.append(own)
    return placed


def says_the_same(one: Message, other: Message) -> bool:
    """Whether both have the same words; of messages without words, the same payload."""
    return one.content == other.content and bool(one.content or one.raw == other.raw)
