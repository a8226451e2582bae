"""Commands about conversations: sessions list, show, brief, summary."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from recollect import Memory, Session
from recollect.cli import show
from recollect.cli.command import command, group
from recollect.records import SessionInfo

Name = Annotated[str, typer.Argument(help="The name of the session.")]


def all_sessions(memory: Memory) -> list[SessionInfo]:
    """List all conversations, newest first."""
    return memory.sessions()


sessions = group("sessions", "Conversations: what was said, and what to resume with.", show.sessions, all_sessions)
command(sessions, show.sessions, name="list")(all_sessions)


@command(sessions, show.conversation, name="show")
def show_one(
    memory: Memory,
    name: Name,
    limit: Annotated[int | None, typer.Option("--limit", "-n", help="The newest so many messages.")] = None,
    budget: Annotated[int | None, typer.Option("--budget", "-b", help="The newest within so many tokens.")] = None,
) -> list[dict[str, Any]]:
    """Print what was said in one conversation."""
    return existing(memory, name).messages(limit=limit, budget=budget)


@command(sessions, show.text)
def brief(memory: Memory, name: Name) -> str:
    """Print what the next session should know of this one."""
    return existing(memory, name).brief()


@command(sessions, show.text)
def summary(
    memory: Memory, name: Name, budget: Annotated[int, typer.Option("--budget", "-b", help="Tokens at most.")] = 200
) -> str:
    """Print the most telling sentences of one conversation."""
    return existing(memory, name).summary(budget=budget)


def existing(memory: Memory, name: str) -> Session:
    """The session, which must have a message: a mistyped name is an error here."""
    session = memory.session(name)
    session.info()
    return session
