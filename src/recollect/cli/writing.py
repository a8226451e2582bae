"""Commands that tell: add, remember, and what changes or erases it again."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from recollect import Fact, Memory
from recollect.cli import show
from recollect.cli.command import CHANGE, TELL, app, command, confirm
from recollect.cli.options import At, Category, Subject, Yes, given_messages, text_or_list
from recollect.cli.output import progress
from recollect.records import Added, Change, Erasure


class Origin(str, Enum):
    """Who a statement comes from."""

    user = "user"
    operator = "operator"
    assistant = "assistant"
    tool = "tool"
    document = "document"
    import_ = "import"


Key = Annotated[str, typer.Argument(help="The key, or the id of a fact.")]
Why = Annotated[str, typer.Option("--why", help="The reason, for the log.")]


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


@command(
    app,
    lambda fact: show.outcome("pinned" if fact.pinned else "remembered", fact.text, note=fact.id),
    panel=TELL,
)
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
    return memory.remember(key, text_or_list(value), category=category, subject=subject, at=at, pinned=pinned)


@command(app, show.erasure, panel=CHANGE, code=lambda done: 0 if done.verified else 1)
def erase(
    memory: Memory,
    what: Annotated[str | None, typer.Argument(help="A key, the id of a record, or the path of a note.")] = None,
    subject: Annotated[str | None, typer.Option("--subject", "-s", metavar="NAME", help="All about this one.")] = None,
    session: Annotated[str | None, typer.Option(help="All of this conversation.")] = None,
    everything: Annotated[bool, typer.Option("--everything", help="All that this owner has.")] = False,
    yes: Yes = False,
) -> Erasure:
    """Remove for good, with the words it came from, and scan the files for them."""
    if not yes:
        target = erased_name(what, subject, session, everything)
        confirm(
            f"Erase {target} of {memory.owner!r} for good? This cannot be undone.",
            unasked="erase cannot be undone: pass --yes where nobody can be asked",
            refused="Nothing was erased.",
        )
    with progress("Erasing, and scanning the files"):
        return memory.erase(what, subject=subject, session=session, everything=everything)


def erased_name(what: str | None, subject: str | None, session: str | None, everything: bool) -> str:
    """What is to go, in words."""
    if everything:
        return "everything"
    if session is not None:
        return f"the session {session!r}"
    return f"all about {subject!r}" if subject is not None else repr(what)


@command(app, show.changed, panel=CHANGE)
def forget(memory: Memory, key: Key, subject: Subject = "user", at: At = None, why: Why = "") -> list[Change]:
    """End what is known under a key; undo brings it back."""
    return memory.forget(key, subject=subject, at=at, why=why)


@command(app, lambda fact: show.outcome("corrected", fact.text, note=fact.id), panel=CHANGE)
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
