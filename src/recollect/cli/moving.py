"""Commands that move a memory: export, import, backup."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recollect import Memory
from recollect.cli import show
from recollect.cli.command import KEEP, app, command
from recollect.cli.inputs import read_text
from recollect.cli.output import count, progress

if TYPE_CHECKING:
    from rich.console import RenderableType


class Form(str, Enum):
    """How an export is written."""

    jsonl = "jsonl"
    json = "json"


@dataclass(frozen=True)
class Moved:
    """What an export or an import did."""

    path: str
    records: int


def exported(done: Moved | str) -> RenderableType:
    if isinstance(done, str):
        return show.text(done.rstrip("\n"))
    return show.outcome("exported", f"{count(done.records, 'record')} to {done.path}")


def imported(done: Moved) -> RenderableType:
    return show.outcome("imported", f"{count(done.records, 'new record')} from {done.path}")


def backed_up(path: str) -> RenderableType:
    return show.outcome("backed up", path)


@command(app, exported, panel=KEEP)
def export(
    memory: Memory,
    path: Annotated[str, typer.Argument(help="The file to write; '-' prints it.")],
    form: Annotated[
        Form, typer.Option(help="jsonl: everything, with both clocks; json: a dictionary of what holds now.")
    ] = Form.jsonl,
) -> Moved | str:
    """Write everything that is remembered to a file."""
    if path != "-":
        return Moved(path, memory.export_to(path, form=form.value))
    with tempfile.TemporaryDirectory() as folder:
        memory.export_to(Path(folder, "export"), form=form.value)
        return read_text(Path(folder, "export"))


@command(app, imported, name="import", panel=KEEP)
def import_(
    memory: Memory,
    path: Annotated[str, typer.Argument(help="What export wrote, a JSON dictionary, or messages.")],
    form: Annotated[Form | None, typer.Option(help="jsonl or json; found out when not given.")] = None,
) -> Moved:
    """Read an export into this memory, all of it or nothing."""
    with progress("Importing") as told:
        return Moved(path, memory.import_from(path, form=form.value if form else None, progress=told))


@command(app, backed_up, panel=KEEP)
def backup(memory: Memory, path: Annotated[str, typer.Argument(help="The new file.")]) -> str:
    """Copy the whole store, all owners, to a new file."""
    return str(memory.backup(path))
