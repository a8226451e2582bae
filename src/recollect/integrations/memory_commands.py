"""The commands of Anthropic's memory tool (memory_20250818) over anything that keeps texts at paths."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from recollect.notes import LONGEST_PATH, MOST_BYTES, MOST_SEGMENTS, ROOT, UNSEEN

LONGEST_PART = 255
MOST_SHOWN = 60_000
"""Letters of one answer; the rest of a long file is asked for by `view_range`."""

AROUND = 2
"""Lines shown before and after an edit."""

LEADS_ELSEWHERE = re.compile(r"(?:^|[/\\])\.\.?(?:[/\\]|$)|\\|%(?:2e|2f|5c|00|25)", re.IGNORECASE)

Kind = Literal["file", "folder"]


class CommandError(Exception):
    """What a command answers when it cannot be done; the model reads it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One file or folder below another folder."""

    path: str
    size: int
    is_folder: bool


class Files(Protocol):
    """Where the files are kept. Paths are canonical, under /memories and without a closing slash."""

    def together(self) -> AbstractContextManager[object]:
        """While inside, nobody else changes anything here."""

    def kind(self, path: str) -> Kind | None:
        """What is at this path, if anything."""

    def read(self, path: str) -> str:
        """The text of a file."""

    def entries(self, folder: str, depth: int) -> Iterable[Entry]:
        """What is below a folder, so many levels deep, in any order."""

    def write(self, path: str, text: str) -> None:
        """Keep the text as this file; folders on the way are made."""

    def delete(self, path: str) -> None:
        """Take a file away, or a folder with all that is in it."""

    def move(self, old: str, new: str) -> None:
        """Give a file or a folder another path; folders on the way are made."""


def run_command(files: Files, command: Mapping[str, Any]) -> str:
    """What the tool answers; raises CommandError with what to tell the model instead."""
    check_command(command)
    with files.together():
        return COMMANDS[command["command"]][1](files, command)


def check_command(command: object) -> None:
    """Refuse what is no whole command: a model may send anything."""
    if not isinstance(command, Mapping):
        raise CommandError(f"A command must be one JSON object, got: {command!r:.80}")
    name = command.get("command")
    if not isinstance(name, str) or name not in COMMANDS:
        raise CommandError(f"Unknown command: {name}. Use one of {', '.join(COMMANDS)}.")
    for field, kind in COMMANDS[name][0].items():
        given = command.get(field)
        if not isinstance(given, kind) or isinstance(given, bool):
            called = "a whole number" if kind is int else "a text"
            raise CommandError(f"The command {name} needs `{field}`, {called}.")


# Commands, each with the words that the official SDK answers.


def view(files: Files, command: Mapping[str, Any]) -> str:
    given = command["path"]
    path, kind = find_path(files, given)
    if kind is None:
        raise CommandError(f"The path {given} does not exist. Please provide a valid path.")
    if kind == "folder":
        return listing(given.rstrip("/"), path, files.entries(path, 2))
    lines = files.read(path).split("\n")
    if len(lines) > 999_999:
        raise CommandError(f"File {given} exceeds maximum line limit of 999,999 lines.")
    first, last = line_range(command.get("view_range"), len(lines))
    return f"Here's the content of {given} with line numbers:\n{numbered_lines(lines, first, last)}"


def create(files: Files, command: Mapping[str, Any]) -> str:
    given = command["path"]
    path, as_folder = canonical_path(given)
    if files.kind(path) is not None:
        raise CommandError(f"File {given} already exists")
    if as_folder:
        raise CommandError(f"The path {given} is not a file.")
    refuse_below_file(files, path)
    files.write(path, within_size(command["file_text"], given))
    return f"File created successfully at: {given}"


def str_replace(files: Files, command: Mapping[str, Any]) -> str:
    given, old, new = command["path"], command["old_str"], command["new_str"]
    path = existing_file(files, given)
    text = files.read(path)
    if not old or old not in text:
        raise CommandError(f"No replacement was performed, old_str `{old}` did not appear verbatim in {given}.")
    if text.count(old) > 1:
        places = [place for place in range(len(text)) if text.startswith(old, place)]  # overlapping ones too
        numbers = ", ".join(str(text.count("\n", 0, place) + 1) for place in places)
        raise CommandError(
            f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {numbers}. "
            "Please ensure it is unique"
        )
    edited = text.replace(old, new)
    files.write(path, within_size(edited, given))
    line, lines = text.count("\n", 0, text.index(old)) + 1, edited.split("\n")
    snippet = numbered_lines(lines, max(1, line - AROUND), min(len(lines), line + AROUND))
    return f"The memory file has been edited. Here is the snippet showing the change (with line numbers):\n{snippet}"


def insert(files: Files, command: Mapping[str, Any]) -> str:
    given, place = command["path"], command["insert_line"]
    path = existing_file(files, given)
    text = files.read(path)
    lines = text.removesuffix("\n").split("\n") if text else []
    if not 0 <= place <= len(lines):
        raise CommandError(
            f"Invalid `insert_line` parameter: {place}. It should be within the range [0, {len(lines)}]."
        )
    lines.insert(place, command["insert_text"].rstrip("\n"))
    edited = "\n".join(lines)
    files.write(path, within_size(edited if edited.endswith("\n") else edited + "\n", given))
    return f"The file {given} has been edited."


def delete(files: Files, command: Mapping[str, Any]) -> str:
    given = command["path"]
    path, kind = find_path(files, given)
    if path == ROOT:
        raise CommandError("Cannot delete the /memories directory itself")
    if kind is None:
        raise CommandError(f"The path {given} does not exist")
    files.delete(path)
    return f"Successfully deleted {given}"


def rename(files: Files, command: Mapping[str, Any]) -> str:
    old_given, new_given = command["old_path"], command["new_path"]
    (old, kind), (new, new_as_folder) = find_path(files, old_given), canonical_path(new_given)
    if old == ROOT:
        raise CommandError("Cannot rename the /memories directory itself")
    if files.kind(new) is not None:
        raise CommandError(f"The destination {new_given} already exists")
    if kind is None:
        raise CommandError(f"The path {old_given} does not exist")
    if kind == "file" and new_as_folder:
        raise CommandError(f"The path {new_given} is not a file.")
    if new.startswith(f"{old}/"):
        raise CommandError(f"The destination {new_given} is inside {old_given}")
    refuse_below_file(files, new)
    files.move(old, new)
    return f"Successfully renamed {old_given} to {new_given}"


COMMANDS: Mapping[str, tuple[Mapping[str, type], Callable[[Files, Mapping[str, Any]], str]]] = {
    "view": ({"path": str}, view),
    "create": ({"path": str, "file_text": str}, create),
    "str_replace": ({"path": str, "old_str": str, "new_str": str}, str_replace),
    "insert": ({"path": str, "insert_line": int, "insert_text": str}, insert),
    "delete": ({"path": str}, delete),
    "rename": ({"old_path": str, "new_path": str}, rename),
}


# Paths


def canonical_path(given: str) -> tuple[str, bool]:
    """The canonical path, and whether it was written as a folder's, with a closing slash."""
    path = unicodedata.normalize("NFC", given)
    if path != ROOT and not path.startswith(f"{ROOT}/"):
        raise CommandError(f"Path must start with /memories, got: {given}")
    if LEADS_ELSEWHERE.search(path):
        raise CommandError(f"Path {given} would escape /memories directory")
    if any(unicodedata.category(letter) in UNSEEN for letter in path):
        raise CommandError(f"The path {given!r} has characters that cannot be shown: leave them out.")
    parts = [part for part in path.split("/") if part]
    too_long = len(path.encode()) > LONGEST_PATH or any(len(part.encode()) > LONGEST_PART for part in parts)
    if too_long or len(parts) > MOST_SEGMENTS:
        raise CommandError(
            f"The path {given[:80]}… is too long: use at most {MOST_SEGMENTS} parts of {LONGEST_PART} bytes, "
            f"{LONGEST_PATH:,} in all."
        )
    return "/" + "/".join(parts), path.endswith("/")


def find_path(files: Files, given: str) -> tuple[str, Kind | None]:
    """The canonical path, and what is there; a file is not found by the name of a folder."""
    path, as_folder = canonical_path(given)
    kind = files.kind(path)
    return path, None if kind == "file" and as_folder else kind


def existing_file(files: Files, given: str) -> str:
    path, kind = find_path(files, given)
    if kind is None:
        raise CommandError(f"The path {given} does not exist. Please provide a valid path.")
    if kind == "folder":
        raise CommandError(f"The path {given} is not a file.")
    return path


def refuse_below_file(files: Files, path: str) -> None:
    """A file cannot have files below it."""
    parts = path.split("/")
    above = ("/".join(parts[:size]) for size in range(3, len(parts)))
    if file := next((one for one in above if files.kind(one) == "file"), None):
        raise CommandError(f"The path {file} is not a directory.")


# Texts


def within_size(text: str, given: str) -> str:
    """The text, if a file may be that large."""
    size = len(text.encode("utf-8", "replace"))
    if size > MOST_BYTES:
        raise CommandError(f"File {given} would have {size:,} bytes, {MOST_BYTES:,} are allowed: split it.")
    return text


def line_range(view_range: object, lines: int) -> tuple[int, int]:
    """The first and the last line to show, counted from 1."""
    if not view_range:
        return 1, lines
    if not isinstance(view_range, list | tuple) or [type(one) for one in view_range] != [int, int]:
        raise CommandError(f"Invalid `view_range` parameter: {view_range}. It should be two numbers, [first, last].")
    first, last = max(1, view_range[0]), lines if view_range[1] == -1 else min(view_range[1], lines)
    if first > last:
        raise CommandError(
            f"Invalid `view_range` parameter: {list(view_range)}. It should be within the range [1, {lines}], the "
            "first line before the last, or -1 for the end."
        )
    return first, last


def numbered_lines(lines: list[str], first: int, last: int) -> str:
    """These lines with their numbers, as many as one answer may hold."""
    answer, letters = list[str](), 0
    for number in range(first, last + 1):
        line = f"{number:>6}\t{lines[number - 1]}"
        letters += len(line) + 1
        if letters > MOST_SHOWN and answer:
            answer.append(f"({last - number + 1:,} more lines: view again with view_range [{number}, {last}])")
            break
        answer.append(line if len(line) <= MOST_SHOWN else f"{line[:MOST_SHOWN]}… (cut: the line is too long)")
    return "\n".join(answer)


def listing(given: str, folder: str, entries: Iterable[Entry]) -> str:
    """The folder's files and folders with their sizes, each folder before what is in it."""
    found = sorted(entries, key=lambda entry: entry.path.split("/"))
    seen = [entry for entry in found if not any(part.startswith(".") for part in below(folder, entry).split("/"))]
    rows = [f"{readable_size(entry.size)}\t{given}/{below(folder, entry)}{'/' * entry.is_folder}" for entry in seen]
    whole = sum(entry.size for entry in found if entry.path.count("/") == folder.count("/") + 1)
    header = f"Here're the files and directories up to 2 levels deep in {given}, excluding hidden items:"
    return "\n".join([header, f"{readable_size(whole)}\t{given}", *rows])


def below(folder: str, entry: Entry) -> str:
    return entry.path[len(folder) + 1 :]


def readable_size(number: int) -> str:
    """Bytes for people: 0B, 512B, 4K, 1.5K."""
    unit = 0
    while number >= 1024 ** (unit + 1) and unit < 3:
        unit += 1
    value = number / 1024**unit
    return f"{value:.0f}{'BKMG'[unit]}" if value == int(value) else f"{value:.1f}{'BKMG'[unit]}"
