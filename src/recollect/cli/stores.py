"""Commands that move and look after a store: export, import, backup, copy, restore, reembed, store, doctor, stats,
owners, version."""

from __future__ import annotations

import platform
import tempfile
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import apsw
import typer

from recollect import Memory, __version__
from recollect.cli import output, show
from recollect.cli.command import KEEP, app, bare_command, command, group
from recollect.cli.options import read_text
from recollect.cli.output import plural, progress, stacked, table, words
from recollect.cli.settings import Settings, is_url
from recollect.errors import InvalidInput
from recollect.records import Health, Stats
from recollect.store import init_store
from recollect.store.copying import Copied

if TYPE_CHECKING:
    from rich.console import RenderableType


class Form(str, Enum):
    """How an export is written."""

    jsonl = "jsonl"
    json = "json"


Report = dict[str, Any]
"""What a command did or found, for --json and for what is shown."""

# Moving


def exported(done: Report | str) -> RenderableType:
    if isinstance(done, str):
        return words(done.rstrip("\n"))
    return show.outcome("exported", f"{plural(done['records'], 'record')} to {done['path']}")


@command(app, exported, panel=KEEP)
def export(
    memory: Memory,
    path: Annotated[str, typer.Argument(help="The file to write; '-' prints it.")],
    form: Annotated[
        Form, typer.Option(help="jsonl: everything, with both clocks; json: a dictionary of what holds now.")
    ] = Form.jsonl,
) -> Report | str:
    """Write everything that is remembered to a file."""
    if path != "-":
        return {"path": path, "records": memory.export_to(path, form=form.value)}
    with tempfile.TemporaryDirectory() as folder:
        memory.export_to(Path(folder, "export"), form=form.value)
        return read_text(Path(folder, "export"))


@command(
    app,
    lambda done: show.outcome("imported", f"{plural(done['records'], 'new record')} from {done['path']}"),
    name="import",
    panel=KEEP,
)
def import_(
    memory: Memory,
    path: Annotated[str, typer.Argument(help="What export wrote, a JSON dictionary, or messages.")],
    form: Annotated[Form | None, typer.Option(help="jsonl or json; found out when not given.")] = None,
) -> Report:
    """Read an export into this memory, all of it or nothing."""
    with progress("Importing") as told:
        records = memory.import_from(path, form=form.value if form else None, progress=told)
    return {"path": path, "records": records}


@command(app, lambda path: show.outcome("backed up", path), panel=KEEP)
def backup(memory: Memory, path: Annotated[str, typer.Argument(help="The new file.")]) -> str:
    """Copy the whole store, all owners, to a new file."""
    return str(memory.backup(path))


def copied(done: Copied, what: str = "copied") -> RenderableType:
    held = f"{plural(done.records, 'record')} and {plural(done.vectors, 'vector')} of {plural(done.owners, 'owner')}"
    return show.outcome(what, f"{held}, checked: sha256 {done.sha256[:16]}")


@bare_command(app, panel=KEEP)
def copy(
    settings: Settings,
    source: Annotated[str, typer.Argument(help="The store to read: a path or a URL.")],
    target: Annotated[str, typer.Argument(help="The store to fill: a path or a URL.")],
) -> None:
    """Copy a whole store, all owners, to another of any kind, and check the copy. Broken off, it goes on."""
    if not is_url(source) and not Path(source).is_file():
        raise InvalidInput(f"there is no store at {source!r}")
    with Memory(source, embedder=None) as memory, progress("Copying") as told:
        done = memory.copy_to(target, progress=told)
    output.emit(done, copied, as_json=settings.as_json)


@command(app, lambda done: copied(done, "restored"), panel=KEEP)
def restore(memory: Memory, path: Annotated[str, typer.Argument(help="A file that backup wrote.")]) -> Copied:
    """Bring back all owners from a backup, into a store that has nothing of them yet."""
    if not Path(path).is_file():
        raise InvalidInput(f"there is no backup at {path!r}")
    with Memory(path, embedder=None) as kept, progress("Restoring") as told:
        return kept.copy_to(memory.store, progress=told)


# Looking after


@command(
    app,
    lambda done: show.outcome("embedded", f"{plural(done['records'], 'record')} of {plural(done['owners'], 'owner')}"),
    panel=KEEP,
)
def reembed(
    memory: Memory,
    embedder: Annotated[str | None, typer.Option(help="The embedder that makes the vectors, by its name.")] = None,
    everyone: Annotated[bool, typer.Option("--everyone", help="Of all owners, not of one.")] = False,
    drop_old: Annotated[bool, typer.Option("--drop-old", help="Then forget the vectors of other embedders.")] = False,
) -> Report:
    """Make vectors with another embedder for all that is remembered. Broken off, it goes on where it was."""
    owners, done = memory.owners() if everyone else [memory.owner], 0
    with progress("Embedding") as told:
        for owner in owners:
            one = memory.of(owner) if embedder is None else Memory(memory.store, owner=owner, embedder=embedder)
            done += one.reembed(drop_old=drop_old, progress=told)
    return {"owners": len(owners), "records": done}


def checkup(found: Report) -> RenderableType:
    """A table of checks, and what to do about those that failed."""
    health: Health = found["health"]
    vectors = f"{health.vectors_missing:,} missing" if health.vectors_missing else "none missing"
    rows = [(name, "ok", version) for name, version in found["versions"].items()]
    rows += [
        ("store", "opens", f"{health.store} (schema {health.schema})"),
        ("embedder", "none" if health.embedder == "none" else "ok", health.embedder),
        ("reader", "none" if health.reader == "none" else "ok", health.reader),
        ("vectors", "problem" if health.vectors_missing else "ok", vectors),
        *((name, "", detail) for name, detail in health.details.items()),
    ]
    problems = [words(f"problem: {problem}", style="bold red") for problem in health.problems]
    well = words("All is well.", style="green")
    return stacked([table(("check", "", "what was found"), rows), *(problems or [well])])


@command(app, checkup, panel=KEEP, code=lambda found: 0 if found["ok"] else 1)
def doctor(
    memory: Memory,
    catch_up: Annotated[bool, typer.Option("--catch-up", help="First make missing vectors and facts.")] = False,
) -> Report:
    """Check that all parts work; every degraded mode is named."""
    if catch_up:
        with progress("Catching up"):
            memory.catch_up()
    health = memory.health()
    return {"ok": health.ok, "versions": versions(), "health": health}


def versions() -> dict[str, str]:
    """What runs here, in which version."""
    return {"recollect": __version__, "sqlite": apsw.sqlite_lib_version(), "python": platform.python_version()}


@command(app, show.stats, panel=KEEP)
def stats(memory: Memory) -> Stats:
    """Count what is remembered."""
    return memory.stats()


@command(app, show.names, panel=KEEP)
def owners(memory: Memory) -> list[str]:
    """List everyone who has anything in this store."""
    return memory.owners()


@bare_command(app, panel=KEEP)
def version(settings: Settings) -> None:
    """Print the versions of recollect, SQLite and Python."""
    lines = words("\n".join(f"{name} {number}" for name, number in versions().items()))
    output.emit(versions(), lambda found: lines, as_json=settings.as_json)


# On a server

store = group("store", "Make and tend a store on a server.")


@command(store, lambda owner: show.outcome("indexed", f"the vectors of {owner!r}"))
def index(memory: Memory) -> str:
    """Give a very large owner (50,000 records and more) an index of their own for vectors, on PostgreSQL."""
    build = getattr(memory.store, "index_vectors", None)
    if build is None:
        raise InvalidInput(f"{memory.store.name!r} needs no index: a SQLite store holds one in memory")
    generations = memory.store.counts(memory.owner).models
    if not generations:
        raise InvalidInput(f"{memory.owner!r} has no vectors: there is nothing to make an index of")
    present = memory.health().embedder
    with progress("Indexing"):
        build(memory.owner, max(generations, key=lambda model: (model == present, generations[model])))
    return memory.owner


@bare_command(store)
def init(
    settings: Settings,
    url: Annotated[str, typer.Argument(help="The database; ?schema= names the place in it.")],
    partitions: Annotated[int, typer.Option(help="Divide every table by owner into so many.")] = 0,
    distribute: Annotated[bool, typer.Option("--distribute", help="Spread owners over the nodes of Citus.")] = False,
) -> None:
    """Make a new PostgreSQL store, undivided unless told otherwise."""
    name = init_store(url, partitions=partitions, distribute=distribute)
    made: Report = {"store": name, "partitions": partitions, "distributed": distribute}
    output.emit(made, lambda done: show.outcome("made", done["store"]), as_json=settings.as_json)
