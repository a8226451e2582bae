"""What commands take: the options that several have, and texts from words, a file or a pipe."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from recollect.errors import InvalidInput

Owner = Annotated[
    str | None, typer.Option("--owner", "-o", metavar="NAME", help="Whose memory; else RECOLLECT_OWNER, else 'me'.")
]
Db = Annotated[
    str | None,
    typer.Option("--db", metavar="PATH", help="The store; else RECOLLECT_DB, else a file in your data directory."),
]
Json = Annotated[bool, typer.Option("--json", help="Answer with one JSON document.")]
At = Annotated[
    str | None, typer.Option("--at", metavar="TIME", help="When: '2024-Q1', '2024-05-01T10:00', 'last March'.")
]
KnownAt = Annotated[str | None, typer.Option("--known-at", metavar="TIME", help="As it was believed at that time.")]
Subject = Annotated[str, typer.Option("--subject", "-s", metavar="NAME", help="About whom or what.")]
Category = Annotated[str | None, typer.Option("--category", "-c", help="A word to group by, such as travel.")]
Budget = Annotated[int, typer.Option("--budget", "-b", help="Tokens at most.")]
CountedBy = Annotated[str, typer.Option("--model", help="Whose tokens to count.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


def given_text(words: Sequence[str] | None, file: Path | None = None) -> str:
    """The words, or the text of the file, or of the pipe when there are none or "-"."""
    if file is not None:
        if words:
            raise InvalidInput("give the words or --file, not both")
        return read_text(file)
    if words and list(words) != ["-"]:
        return " ".join(words)
    if not words and sys.stdin.isatty():
        raise InvalidInput("there is nothing to read: give the words, --file, or pipe a text in")
    return decode_text(sys.stdin.buffer.read(), "the input")


def given_messages(words: Sequence[str] | None, file: Path | None) -> str | Sequence[Mapping[str, Any]]:
    """What was said: a text, or the messages of a .json or .jsonl file."""
    text = given_text(words, file)
    if file is None or file.suffix.lower() not in (".json", ".jsonl"):
        return text.rstrip("\r\n")
    if file.suffix.lower() == ".jsonl":
        lines = enumerate(text.split("\n"), 1)
        return [parse_json(line, f"line {number} of {file}") for number, line in lines if line.strip()]
    chat = parse_json(text, str(file))
    chat = chat.get("messages", [chat]) if isinstance(chat, dict) else chat
    if not isinstance(chat, list):
        raise InvalidInput(f"{str(file)!r} must hold a list of messages, or an object with one")
    return chat


def text_or_list(value: str | None) -> str | list[Any] | None:
    """The value as it stands, or the list that it is in JSON."""
    if value is None or not value.startswith("["):
        return value
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return found if isinstance(found, list) else value


def read_text(file: Path) -> str:
    """The text of a file in UTF-8."""
    try:
        return decode_text(file.read_bytes(), repr(str(file)))
    except OSError as error:
        raise InvalidInput(f"cannot read {str(file)!r}: {error.strerror or error}") from error


def decode_text(content: bytes, what: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{what} is not text in UTF-8: convert it first") from error


def parse_json(text: str, what: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{what} is not JSON: {error}") from error
