"""Commands for whole stores: copy, restore, reembed, store init."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recollect import Memory
from recollect.cli import output, show
from recollect.cli.command import KEEP, Db, Json, Owner, app, command, reporting
from recollect.cli.output import count, progress
from recollect.cli.settings import is_url
from recollect.errors import InvalidInput
from recollect.store import init_store
from recollect.store.copying import Copied

if TYPE_CHECKING:
    from rich.console import RenderableType

store = typer.Typer(name="store", help="Make and tend a store on a server.", no_args_is_help=True)
app.add_typer(store, rich_help_panel=KEEP)


@store.callback()
def store_options(ctx: typer.Context, owner: Owner = None, db: Db = None, as_json: Json = False) -> None:
    """Make and tend a store on a server."""
    ctx.obj = ctx.obj.over(owner, db, as_json)


@dataclass(frozen=True)
class Renewed:
    """What a reembed did."""

    owners: int
    records: int


def copied(done: Copied) -> RenderableType:
    told = f"{count(done.records, 'record')} and {count(done.vectors, 'vector')} of {count(done.owners, 'owner')}"
    return show.outcome("copied", f"{told}, checked: sha256 {done.sha256[:16]}")


def restored(done: Copied) -> RenderableType:
    told = f"{count(done.records, 'record')} and {count(done.vectors, 'vector')} of {count(done.owners, 'owner')}"
    return show.outcome("restored", f"{told}, checked: sha256 {done.sha256[:16]}")


def renewed(done: Renewed) -> RenderableType:
    return show.outcome("embedded", f"{count(done.records, 'record')} of {count(done.owners, 'owner')}")


@app.command("copy", rich_help_panel=KEEP)
def copy(
    ctx: typer.Context,
    source: Annotated[str, typer.Argument(help="The store to read: a path or a URL.")],
    target: Annotated[str, typer.Argument(help="The store to fill: a path or a URL.")],
    owner: Owner = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Copy a whole store, all owners, to another of any kind, and check the copy. Broken off, it goes on."""
    as_json = as_json or ctx.obj.as_json
    with reporting(as_json=as_json):
        if not is_url(source) and not Path(source).is_file():
            raise InvalidInput(f"there is no store at {source!r}")
        with Memory(source, embedder=None) as memory, progress("Copying") as told:
            done = memory.copy_to(target, progress=told)
        if as_json:
            output.put_json(done)
        else:
            output.put(copied(done))


@command(app, restored, panel=KEEP)
def restore(memory: Memory, path: Annotated[str, typer.Argument(help="A file that backup wrote.")]) -> Copied:
    """Bring back all owners from a backup, into a store that has nothing of them yet."""
    if not Path(path).is_file():
        raise InvalidInput(f"there is no backup at {path!r}")
    with Memory(path, embedder=None) as kept, progress("Restoring") as told:
        return kept.copy_to(memory.store, progress=told)


@command(app, renewed, panel=KEEP)
def reembed(
    memory: Memory,
    embedder: Annotated[str | None, typer.Option(help="The embedder that makes the vectors, by its name.")] = None,
    everyone: Annotated[bool, typer.Option("--everyone", help="Of all owners, not of one.")] = False,
    drop_old: Annotated[bool, typer.Option("--drop-old", help="Then forget the vectors of other embedders.")] = False,
) -> Renewed:
    """Make vectors with another embedder for all that is remembered. Broken off, it goes on where it was."""
    owners, done = memory.owners() if everyone else [memory.owner], 0
    with progress("Embedding") as told:
        for owner in owners:
            one = memory.of(owner) if embedder is None else Memory(memory.store, owner=owner, embedder=embedder)
            done += one.reembed(drop_old=drop_old, progress=told)
    return Renewed(len(owners), done)


def indexed(owner: str) -> RenderableType:
    return show.outcome("indexed", f"the vectors of {owner!r}")


@command(store, indexed)
def index(memory: Memory) -> str:
    """Give a very large owner (50,000 records and more) an index of their own for vectors, on PostgreSQL."""
    build = getattr(memory.store, "index_vectors", None)
    if build is None:
        raise InvalidInput(f"{memory.store.name!r} needs no index: a SQLite store holds one in memory")
    generations = memory.store.generations(memory.owner)
    if not generations:
        raise InvalidInput(f"{memory.owner!r} has no vectors: there is nothing to make an index of")
    present = memory.health().embedder
    with progress("Indexing"):
        build(memory.owner, max(generations, key=lambda model: (model == present, generations[model])))
    return memory.owner


@store.command("init")
def init(
    ctx: typer.Context,
    url: Annotated[str, typer.Argument(help="The database; ?schema= names the place in it.")],
    partitions: Annotated[int, typer.Option(help="Divide every table by owner into so many.")] = 0,
    distribute: Annotated[bool, typer.Option("--distribute", help="Spread owners over the nodes of Citus.")] = False,
    owner: Owner = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Make a new PostgreSQL store, undivided unless told otherwise."""
    as_json = as_json or ctx.obj.as_json
    with reporting(as_json=as_json):
        name = init_store(url, partitions=partitions, distribute=distribute)
        if as_json:
            output.put_json({"store": name, "partitions": partitions, "distributed": distribute})
        else:
            output.put(show.outcome("made", name))
