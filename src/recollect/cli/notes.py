"""Commands about notes: texts at paths, with their versions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from recollect import Memory, Note
from recollect.cli import output, show
from recollect.cli.command import command, group
from recollect.cli.options import KnownAt, given_text
from recollect.notes import ROOT

NotePath = Annotated[str, typer.Argument(metavar="PATH", help="Such as /memories/persona.md, or just persona.md.")]
Pinned = Annotated[bool | None, typer.Option("--pinned/--unpinned", help="In every context, or only found by search.")]


def full_path(path: str) -> str:
    """The path under /memories; what does not begin with a slash stands there."""
    return path if path.startswith("/") else f"{ROOT}/{path}"


def list_notes(
    memory: Memory, prefix: Annotated[str, typer.Argument(help="Only at or under this path.")] = ROOT
) -> list[Note]:
    """List the notes, as they are."""
    return memory.notes.list(full_path(prefix))


notes = group("notes", "Texts at paths under /memories, with their versions.", show.notes, list_notes)


@command(notes, lambda found: output.words(found.text))
def read(
    memory: Memory,
    path: NotePath,
    version: Annotated[int | None, typer.Option(help="As it was in this version.")] = None,
    known_at: KnownAt = None,
) -> Note:
    """Print a note."""
    return memory.notes.read(full_path(path), version=version, known_at=known_at)


@command(
    notes,
    lambda kept: show.outcome(
        "written", kept.path, note=f"version {kept.version}" + (", pinned" if kept.pinned else "")
    ),
)
def write(
    memory: Memory,
    path: NotePath,
    words: Annotated[list[str] | None, typer.Argument(help="The text; '-' or nothing reads a pipe.")] = None,
    file: Annotated[Path | None, typer.Option(help="Take the text of this file.")] = None,
    pinned: Pinned = None,
    expected_version: Annotated[int | None, typer.Option(help="Refuse when it is at another version.")] = None,
) -> Note:
    """Write the next version of a note."""
    text = given_text(words, file)
    return memory.notes.write(full_path(path), text, pinned=pinned, expected_version=expected_version)


@command(notes, lambda gone: show.outcome("deleted", gone.path, note="`recollect undo` brings it back"))
def delete(memory: Memory, path: NotePath) -> Note:
    """Take a note away; undo brings it back."""
    return memory.notes.delete(full_path(path))


@command(notes, show.pinned)
def pin(memory: Memory, path: NotePath) -> Note:
    """Put a note into every context."""
    return memory.notes.pin(full_path(path))


@command(notes, show.pinned)
def unpin(memory: Memory, path: NotePath) -> Note:
    """Leave a note to be found by search."""
    return memory.notes.unpin(full_path(path))


@command(notes, show.notes, name="import")
def import_notes(
    memory: Memory,
    source: Annotated[Path, typer.Argument(help="A folder of .md and .txt files, or one file.")],
    to: Annotated[str | None, typer.Option(metavar="PATH", help="Where the notes go; /memories unless given.")] = None,
    pinned: Pinned = None,
) -> list[Note]:
    """Write files as notes; CLAUDE.md and AGENTS.md become pinned."""
    place = None if to is None else full_path(to)
    if source.is_dir():
        return memory.notes.import_folder(source, to=place or ROOT, pinned=pinned)
    return [memory.notes.import_file(source, place, pinned=pinned)]


@command(notes, show.names, name="export")
def export_notes(
    memory: Memory,
    folder: Annotated[Path, typer.Argument(help="Where the files go.")],
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace files with other content.")] = False,
) -> list[str]:
    """Write every note as a file."""
    return [str(path) for path in memory.notes.export_folder(folder, overwrite=overwrite)]
