"""Always-on files: a project's CLAUDE.md or AGENTS.md as a pinned note, read again whenever it has changed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from recollect.errors import InvalidInput, RecollectError
from recollect.note_folder import read_text
from recollect.records import Note

if TYPE_CHECKING:
    from recollect.notes import Notes
    from recollect.runtime import Parts

PROJECT_FILES = ("AGENTS.md", "CLAUDE.md")
"""What a project tells every agent that works on it."""

Stamp = tuple[int, int, int]


@dataclass
class Followed:
    """One file, and as what it was last seen."""

    file: Path
    seen: Stamp | None = None


def files_of(where: Path) -> list[Path]:
    """The file itself, or the files of a project's folder; one that only points at the other is left out."""
    if not where.is_dir():
        return [where]
    found = [where / name for name in PROJECT_FILES if (where / name).is_file()]
    if not found:
        raise InvalidInput(f"{str(where)!r} has no {' or '.join(PROJECT_FILES)}: pass the file to follow")
    pointing = {f"@{name}" for name in PROJECT_FILES} | {f"@./{name}" for name in PROJECT_FILES}
    telling = [file for file in found if len(found) == 1 or read_text(file).strip() not in pointing]
    return telling or found[:1]


def follow(notes: Notes, parts: Parts, owner: str, where: Path, to: str) -> list[Note]:
    """Pin these files, now and whenever they change."""
    read = []
    for file in files_of(where):
        path = f"{to}/{file.name}"
        followed = Followed(file.absolute(), stamp(file))
        read.append(notes.write(path, read_text(file), pinned=True, origin="operator"))
        parts.followed.setdefault(owner, {})[path] = followed
    return read


def refresh(notes: Notes, parts: Parts, owner: str) -> None:
    """Take over what has changed in the files that are followed. One that is gone is no longer in view; one that
    cannot be taken over leaves its last version there, and `health()` says so."""
    for path, followed in parts.followed.get(owner, {}).items():
        now = stamp(followed.file)
        if now == followed.seen:
            continue
        problem = f"{followed.file} is followed and is gone" if now is None else take_over(notes, path, followed.file)
        if now is None and any(note.path == path for note in notes.list(path)):
            notes.delete(path, origin="operator")
        followed.seen = now
        if problem is None:
            parts.problems.pop(f"the file at {path}", None)
        else:
            parts.problems[f"the file at {path}"] = problem


def take_over(notes: Notes, path: str, file: Path) -> str | None:
    """Write the file's text as the next version; gives what is in the way, if anything is."""
    try:
        notes.write(path, read_text(file), pinned=True, origin="operator")
    except RecollectError as error:
        return str(error)
    return None


def stamp(file: Path) -> Stamp | None:
    """What tells one state of a file from another; None when it is not there."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
