"""Notes and files: folders read and written without ever leaving them, files that are read again when they change."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from recollect.errors import InvalidInput
from recollect.store.atomic import atomic_file


def files_in(folder: Path) -> list[tuple[str, str]]:
    """The .md and .txt files below the folder, as (relative path with slashes, text), sorted."""
    if not folder.is_dir():
        raise InvalidInput(f"{str(folder)!r} is not a folder")
    root = folder.resolve()
    found = []
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
        found += [Path(place, name) for name in sorted(names) if name.lower().endswith((".md", ".txt"))]
    for file in found:
        if not file.resolve().is_relative_to(root):
            raise InvalidInput(
                f"{str(file)!r} leads out of the folder: remove the link, or import its target by itself"
            )
    return [(file.relative_to(folder).as_posix(), read_text(file)) for file in found]


def read_text(file: Path) -> str:
    """The text of a file in UTF-8, as it is."""
    if not file.is_file():
        raise InvalidInput(f"{str(file)!r} is not a file")
    try:
        return file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{str(file)!r} is not text in UTF-8: convert it first") from error
    except OSError as error:
        raise InvalidInput(f"{str(file)!r} cannot be read: {error.strerror}") from error


def write_files(folder: Path, texts: Mapping[str, str], *, overwrite: bool) -> list[Path]:
    """Write each text at its relative path below the folder; nothing is written unless all can be."""
    targets = {folder / name: text.encode() for name, text in texts.items()}
    try:
        for target, content in targets.items():
            if target.is_symlink() or not target.parent.resolve().is_relative_to(folder.resolve()):
                raise InvalidInput(f"{str(target)!r} leads out of {str(folder)!r}: remove the link there")
            if not overwrite and target.exists() and (not target.is_file() or target.read_bytes() != content):
                raise InvalidInput(f"{str(target)!r} exists with other content: pass overwrite=True, or another folder")
        for target, content in targets.items():
            target.parent.mkdir(parents=True, exist_ok=True)
            with atomic_file(str(target)) as part:
                Path(part).write_bytes(content)
    except OSError as error:
        raise InvalidInput(f"cannot write to {str(folder)!r}: {error}") from error
    return list(targets)


PROJECT_FILES = ("AGENTS.md", "CLAUDE.md")
"""What a project tells every agent that works on it."""


@dataclass
class Followed:
    """One file, and as what it was last seen."""

    file: Path
    seen: tuple[int, int, int] | None = None


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


def stamp(file: Path) -> tuple[int, int, int] | None:
    """What tells one state of a file from another; None when it is not there."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
