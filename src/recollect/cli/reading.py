"""Commands that ask: recall, search, facts, history, context, why, graph, changes, and those about sessions."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from recollect import Fact, Hit, Memory, Session
from recollect.cli import show
from recollect.cli.command import ASK, app, command, group
from recollect.cli.options import At, Budget, Category, CountedBy, KnownAt, Subject
from recollect.cli.output import words
from recollect.errors import NotFound
from recollect.records import Change, Context, Explanation, Graph, SessionInfo

Key = Annotated[str, typer.Argument(help="The key, such as 'seat preference'.")]
Name = Annotated[str, typer.Argument(help="The name of the session.")]


@command(app, lambda held: words(held["value"]), panel=ASK)
def recall(
    memory: Memory, key: Key, subject: Subject = "user", at: At = None, known_at: KnownAt = None
) -> dict[str, str]:
    """Print the value held under a key."""
    value = memory.recall(key, subject=subject, at=at, known_at=known_at)
    if value is None:
        raise NotFound(f"nothing is known under {key!r} for {memory.owner!r}: `recollect facts` lists what is known")
    return {"key": key, "subject": subject, "value": value}


@command(app, show.hits, panel=ASK)
def search(
    memory: Memory,
    query: Annotated[list[str], typer.Argument(help="A question, or some words.")],
    limit: Annotated[int, typer.Option("--limit", "-n", help="How many at most.")] = 5,
    category: Category = None,
    at: At = None,
    known_at: KnownAt = None,
) -> list[Hit]:
    """Find what is relevant, best first; nothing when nothing is."""
    return memory.search(" ".join(query), limit=limit, category=category, at=at, known_at=known_at)


@command(app, show.facts, panel=ASK)
def facts(
    memory: Memory,
    subject: Annotated[str | None, typer.Option("--subject", "-s", metavar="NAME", help="Only about this one.")] = None,
    attribute: Annotated[str | None, typer.Option("--attribute", "-a", help="Only under this key.")] = None,
    category: Category = None,
    at: At = None,
    known_at: KnownAt = None,
) -> list[Fact]:
    """List what holds, newest first."""
    return memory.facts(subject=subject, attribute=attribute, category=category, at=at, known_at=known_at)


@command(app, show.history, panel=ASK)
def history(memory: Memory, key: Key, subject: Subject = "user") -> list[Fact]:
    """List every value ever held under a key, oldest first."""
    return memory.history(key, subject=subject)


@command(app, show.context, panel=ASK)
def context(
    memory: Memory,
    query: Annotated[list[str] | None, typer.Argument(help="What it is for; nothing gives what is pinned.")] = None,
    budget: Budget = 400,
    at: At = None,
    known_at: KnownAt = None,
    model: CountedBy = "o200k",
) -> Context:
    """Print the text to put into a model's window."""
    return memory.context(" ".join(query or ()) or None, budget=budget, at=at, known_at=known_at, model=model)


@command(app, show.explanation, panel=ASK)
def why(
    memory: Memory,
    what: Annotated[str, typer.Argument(help="The id of a fact, or a key.")],
    not_in: Annotated[
        str | None, typer.Option("--not-in", metavar="QUERY", help="Why a search for this does not return it.")
    ] = None,
    at: At = None,
    known_at: KnownAt = None,
) -> Explanation:
    """Tell where a fact comes from, or why a search leaves it out."""
    return memory.why(what) if not_in is None else memory.why_not(not_in, what, at=at, known_at=known_at)


@command(app, show.graph, panel=ASK)
def graph(memory: Memory, at: At = None, known_at: KnownAt = None) -> Graph:
    """List the links between subjects."""
    return memory.graph(at=at, known_at=known_at)


@command(app, show.changes, panel=ASK)
def changes(
    memory: Memory, limit: Annotated[int | None, typer.Option("--limit", "-n", help="How many at most.")] = 20
) -> list[Change]:
    """List what was changed, newest first."""
    return memory.changes(limit=limit)


def all_sessions(memory: Memory) -> list[SessionInfo]:
    """List all conversations, newest first."""
    return memory.sessions()


sessions = group("sessions", "Conversations: what was said, and what to resume with.", show.sessions, all_sessions)


@command(sessions, show.conversation, name="show")
def show_one(
    memory: Memory,
    name: Name,
    limit: Annotated[int | None, typer.Option("--limit", "-n", help="The newest so many messages.")] = None,
    budget: Annotated[int | None, typer.Option("--budget", "-b", help="The newest within so many tokens.")] = None,
) -> list[dict[str, Any]]:
    """Print what was said in one conversation."""
    return existing_session(memory, name).messages(limit=limit, budget=budget)


@command(sessions, words)
def brief(memory: Memory, name: Name) -> str:
    """Print what the next session should know of this one."""
    return existing_session(memory, name).brief()


@command(sessions, words)
def summary(memory: Memory, name: Name, budget: Budget = 200) -> str:
    """Print the most telling sentences of one conversation."""
    return existing_session(memory, name).summary(budget=budget)


def existing_session(memory: Memory, name: str) -> Session:
    """The session, which must have a message: a mistyped name is an error here."""
    session = memory.session(name)
    session.info()
    return session
