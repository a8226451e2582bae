"""Commands that tell: add, remember, and what changes it again."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from recollect import Fact, Memory
from recollect.cli import show
from recollect.cli.command import CHANGE, TELL, app, command
from recollect.cli.inputs import At, Category, Subject, Why, given_messages, listed
from recollect.records import Added, Change


class Origin(str, Enum):
    """Who a statement comes from."""

    user = "user"
    operator = "operator"
    assistant = "assistant"
    tool = "tool"
    document = "document"
    import_ = "import"


Key = Annotated[str, typer.Argument(help="The key, or the id of a fact.")]


@command(app, show.added, panel=TELL)
def add(
    memory: Memory,
    words: Annotated[list[str] | None, typer.Argument(help="What was said; '-' or nothing reads a pipe.")] = None,
    file: Annotated[Path | None, typer.Option(help="A text, or messages in .json or .jsonl.")] = None,
    session: Annotated[str | None, typer.Option(help="The conversation it was said in.")] = None,
    role: Annotated[str, typer.Option(help="Who spoke: user, assistant, system, tool.")] = "user",
    at: At = None,
    origin: Annotated[Origin | None, typer.Option(help="Where it comes from, when the role does not tell.")] = None,
) -> Added:
    """Keep what was said, and the facts in it."""
    said = given_messages(words, file)
    return memory.add(said, session=session, at=at, role=role, origin=origin.value if origin else None)


@command(app, show.remembered, panel=TELL)
def remember(
    memory: Memory,
    key: Annotated[str, typer.Argument(help="A key such as 'seat preference', or one sentence.")],
    value: Annotated[str | None, typer.Argument(help='The value of the key; \'["a", "b"]\' is a list.')] = None,
    category: Category = None,
    subject: Subject = "user",
    at: At = None,
    pinned: Annotated[bool, typer.Option("--pinned", help="Put it into every context.")] = False,
) -> Fact:
    """Remember a value under a key, or one sentence."""
    return memory.remember(key, listed(value), category=category, subject=subject, at=at, pinned=pinned)


@command(app, show.changed, panel=CHANGE)
def forget(memory: Memory, key: Key, subject: Subject = "user", at: At = None, why: Why = "") -> list[Change]:
    """End what is known under a key; undo brings it back."""
    return memory.forget(key, subject=subject, at=at, why=why)


@command(app, show.corrected, panel=CHANGE)
def correct(
    memory: Memory,
    key: Key,
    value: Annotated[str, typer.Argument(help="The right value.")],
    subject: Subject = "user",
    why: Why = "",
) -> Fact:
    """Put right what was never true."""
    return memory.correct(key, value, subject=subject, why=why)


@command(app, show.settled, panel=CHANGE)
def settle(
    memory: Memory,
    key: Key,
    holds: Annotated[bool, typer.Option("--holds/--over", help="Whether it is so, or has ended.")],
    subject: Subject = "user",
) -> Fact:
    """Decide about a fact that may be outdated, or contradicts another."""
    return memory.settle(key, holds=holds, subject=subject)


@command(app, show.pinned, panel=CHANGE)
def pin(memory: Memory, key: Key, subject: Subject = "user") -> Fact:
    """Put a fact into every context."""
    return memory.pin(key, subject=subject)


@command(app, show.pinned, panel=CHANGE)
def unpin(memory: Memory, key: Key, subject: Subject = "user") -> Fact:
    """Take a fact out of every context; it stays known."""
    return memory.unpin(key, subject=subject)


@command(app, show.changed, panel=CHANGE)
def undo(
    memory: Memory,
    change: Annotated[str | None, typer.Argument(help="The id of a change; nothing means the latest.")] = None,
) -> list[Change]:
    """Take back a change, with all that was changed together with it."""
    return memory.undo(change)
