"""Words on the terminal: colours where they help, JSON where a program reads, nothing that could steer a terminal."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from recollect import Hit
from recollect.records import Context
from recollect.retrieve.candidates import kind_of
from recollect.serialize import to_plain

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

Show = Callable[[Any], "RenderableType"]
"""Renders what a command gives for people."""

STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that would move the cursor, change colours or turn text around: remembered text may hold any."""


def console(*, errors: bool = False, plain: bool = False) -> Console:
    """Where to print; no colours for a pipe, a file, NO_COLOR or `plain`."""
    from rich.console import Console

    stream = sys.stderr if errors else sys.stdout
    colourless = plain or bool(os.environ.get("NO_COLOR"))
    width = None if stream.isatty() or os.environ.get("COLUMNS") else 120  # a pipe has none
    return Console(
        file=stream,
        color_system=None if colourless else "auto",
        width=width,
        markup=False,
        highlight=False,
        emoji=False,
    )


def put(what: RenderableType, *, plain: bool = False) -> None:
    """Print for people, on stdout."""
    out = console(plain=plain)
    # Rich would end the process itself on a broken pipe; written here, it is ours to report.
    with out.capture() as captured:
        print_parts(out, what)
    sys.stdout.write(captured.get())


def print_parts(out: Console, what: RenderableType) -> None:
    """Lay out what has a shape; words are left for the terminal to wrap, so that a pipe gets whole lines."""
    from rich.console import Group
    from rich.text import Text

    if isinstance(what, Group):
        for part in what.renderables:
            print_parts(out, part)
    else:
        out.print(what, soft_wrap=isinstance(what, Text))


def put_json(what: object) -> None:
    """Print one JSON document, on stdout."""
    readable = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    document = json.dumps(json_data(what), ensure_ascii=not readable, indent=2)
    sys.stdout.write(STEERING.sub(lambda found: f"\\u{ord(found.group()):04x}", document) + "\n")


def emit(result: object, show: Show, *, as_json: bool, plain: bool = False) -> None:
    """Print a result, for a program or as `show` renders it for people, and hold nothing of it back."""
    if as_json:
        put_json(result)
    else:
        put(show(result), plain=plain)
    sys.stdout.flush()


def aside(what: str) -> None:
    """Say something beside the result, on stderr."""
    console(errors=True).print(words(what, style="dim"), soft_wrap=True)


def complain(what: str) -> None:
    """Say what went wrong, on one line of stderr."""
    from rich.text import Text

    line = Text.assemble(("Error: ", "bold red"), one_line(what, most=10_000))
    console(errors=True).print(line, soft_wrap=True)


def json_data(value: Any) -> Any:
    """What --json prints: the record's fields, and what a hit and a context tell beyond them."""
    if isinstance(value, Hit):
        told = {"id": value.id, "kind": kind_of(value.record), "text": value.text, "found_by": list(value.found_by)}
        return {**told, **to_plain(value)}
    if isinstance(value, Context):
        parts = {"hits": json_data(value.hits), "left_out": json_data(value.left_out)}
        return {**to_plain(value), "text": value.text, "saved": value.saved, **parts}
    return [json_data(part) for part in value] if isinstance(value, list | tuple) else to_plain(value)


def words(text: str, *, style: str = "") -> Text:
    """Text as it is, on as many lines as it has."""
    from rich.text import Text

    return Text(printable(text), style=style)


def printable(text: str) -> str:
    """The text without anything that could steer a terminal."""
    return STEERING.sub("", text.replace("\r\n", "\n"))


def one_line(text: str, *, most: int = 300) -> str:
    """The text on one line, cut when it is long."""
    line = " ".join(printable(text).split())
    return line if len(line) <= most else line[: most - 1] + "…"


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, otherwise: str | None = None) -> RenderableType:
    """Rows under their columns, or what to say when there is none. An "id" is never folded, for those who copy it."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    made = Table(box=SIMPLE_HEAD, header_style="bold", pad_edge=False, show_edge=False)
    for column in columns:
        fixed = column in ("id", "when", "from", "until", "since", "score")
        made.add_column(printable(column), no_wrap=fixed, overflow="fold", style="dim" if column == "id" else None)
    for row in rows:
        made.add_row(*map(printable, row))
    return words(otherwise, style="dim") if otherwise is not None and not made.rows else made


def stacked(parts: Sequence[RenderableType], *, otherwise: str = "") -> RenderableType:
    """One below the other, or what to say when there is none."""
    from rich.console import Group

    return Group(*parts) if parts else words(otherwise, style="dim")


def date_of(moment: datetime | None, *, missing: str = "") -> str:
    """A moment in UTC, without the hour where it is midnight."""
    if moment is None:
        return missing
    moment = moment.astimezone(timezone.utc)
    at_midnight = (moment.hour, moment.minute, moment.second) == (0, 0, 0)
    return moment.strftime("%Y-%m-%d" if at_midnight else "%Y-%m-%d %H:%M")


def plural(number: int, what: str) -> str:
    """A number of things, such as "1 fact" or "1,200 facts"."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


@contextmanager
def progress(title: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr while work goes on, where someone looks; tell it how much is done, of how much."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.progress import Progress

    with Progress(console=console(errors=True), transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
