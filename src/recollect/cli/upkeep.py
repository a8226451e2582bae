"""Commands that look after a store: erase, doctor, stats, owners, version."""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from recollect import Memory, __version__
from recollect.cli import output, show
from recollect.cli.command import CHANGE, KEEP, Db, Json, Owner, app, command, reporting
from recollect.cli.output import aside, progress, stacked, table, words
from recollect.errors import InvalidInput
from recollect.records import Erasure, Health, Stats

if TYPE_CHECKING:
    from rich.console import RenderableType


@dataclass(frozen=True)
class Checkup:
    """What the doctor found."""

    ok: bool
    versions: dict[str, str]
    health: Health


def versions() -> dict[str, str]:
    """What runs here, in which version."""
    import apsw

    return {"recollect": __version__, "sqlite": apsw.sqlite_lib_version(), "python": platform.python_version()}


def unproven(done: Erasure) -> int:
    """1 when something may be left, so that a script notices."""
    return 0 if done.verified else 1


@command(app, show.erasure, panel=CHANGE, code=unproven)
def erase(
    memory: Memory,
    what: Annotated[str | None, typer.Argument(help="A key, the id of a record, or the path of a note.")] = None,
    subject: Annotated[str | None, typer.Option("--subject", "-s", metavar="NAME", help="All about this one.")] = None,
    session: Annotated[str | None, typer.Option(help="All of this conversation.")] = None,
    everything: Annotated[bool, typer.Option("--everything", help="All that this owner has.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> Erasure:
    """Remove for good, with the words it came from, and scan the files for them."""
    if not yes:
        confirm(named(what, subject, session, everything), memory.owner)
    with progress("Erasing, and scanning the files"):
        return memory.erase(what, subject=subject, session=session, everything=everything)


def named(what: str | None, subject: str | None, session: str | None, everything: bool) -> str:
    """What is to go, in words."""
    if everything:
        return "everything"
    if session is not None:
        return f"the session {session!r}"
    return f"all about {subject!r}" if subject is not None else repr(what)


def confirm(what: str, owner: str) -> None:
    """Go on only when a person says so."""
    if not sys.stdin.isatty():
        raise InvalidInput("erase cannot be undone: pass --yes where nobody can be asked")
    if not typer.confirm(f"Erase {what} of {owner!r} for good? This cannot be undone.", err=True):
        aside("Nothing was erased.")
        raise typer.Exit(1)


def checkup(found: Checkup) -> RenderableType:
    """A table of checks, and what to do about those that failed."""
    health = found.health
    rows = table("check", "", "what was found")
    for name, version in found.versions.items():
        rows.add_row(name, "ok", version)
    vectors = f"{health.vectors_missing:,} missing" if health.vectors_missing else "none missing"
    rows.add_row("store", "opens", f"{health.store} (schema {health.schema})")
    rows.add_row("embedder", "none" if health.embedder == "none" else "ok", health.embedder)
    rows.add_row("reader", "none" if health.reader == "none" else "ok", health.reader)
    rows.add_row("vectors", "problem" if health.vectors_missing else "ok", vectors)
    for name, detail in health.details.items():
        rows.add_row(name, "", detail)
    problems = [words(f"problem: {problem}", style="bold red") for problem in health.problems]
    return stacked([rows, *(problems or [words("All is well.", style="green")])])


def unwell(found: Checkup) -> int:
    return 0 if found.ok else 1


@command(app, checkup, panel=KEEP, code=unwell)
def doctor(
    memory: Memory,
    catch_up: Annotated[bool, typer.Option("--catch-up", help="First make missing vectors and facts.")] = False,
) -> Checkup:
    """Check that all parts work; every degraded mode is named."""
    if catch_up:
        with progress("Catching up"):
            memory.catch_up()
    health = memory.health()
    return Checkup(health.ok, versions(), health)


@command(app, show.stats, panel=KEEP)
def stats(memory: Memory) -> Stats:
    """Count what is remembered."""
    return memory.stats()


@command(app, show.names, panel=KEEP)
def owners(memory: Memory) -> list[str]:
    """List everyone who has anything in this store."""
    return memory.owners()


@app.command(rich_help_panel=KEEP)
def version(ctx: typer.Context, owner: Owner = None, db: Db = None, as_json: Json = False) -> None:
    """Print the versions of recollect, SQLite and Python."""
    as_json = as_json or ctx.obj.as_json
    with reporting(as_json=as_json):
        if as_json:
            output.put_json(versions())
        else:
            output.put(words("\n".join(f"{name} {number}" for name, number in versions().items())))
