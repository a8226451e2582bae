"""Commands that ask: recall, search, facts, history, context, why."""

from __future__ import annotations

from typing import Annotated

import typer

from recollect import Fact, Hit, Memory
from recollect.cli import show
from recollect.cli.command import ASK, app, command
from recollect.cli.inputs import At, Category, KnownAt, Subject
from recollect.errors import NotFound
from recollect.records import Change, Context, Explanation, Graph

Key = Annotated[str, typer.Argument(help="The key, such as 'seat preference'.")]
Limit = Annotated[int, typer.Option("--limit", "-n", help="How many at most.")]


@command(app, show.value, panel=ASK)
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
    limit: Limit = 5,
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
    budget: Annotated[int, typer.Option("--budget", "-b", help="Tokens at most.")] = 400,
    at: At = None,
    known_at: KnownAt = None,
    model: Annotated[str, typer.Option(help="Whose tokens to count.")] = "o200k",
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
