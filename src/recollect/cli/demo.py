"""`recollect demo`: what memory is for, on a temporary store, each step in a process of its own."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recollect import Fact, RecollectError
from recollect.cli import output, show
from recollect.cli.command import TELL, app, bare_command
from recollect.cli.output import stacked, table, words
from recollect.cli.settings import Settings
from recollect.errors import InvalidInput
from recollect.serialize import from_plain

if TYPE_CHECKING:
    from rich.console import RenderableType

OWNER = "dana"
SEAT, COLOUR = "Which seat do I prefer?", "What is my favorite color?"
CHANGE = "Actually my favorite color is green."
SESSION = json.loads(Path(__file__).with_name("demo.json").read_text(encoding="utf-8"))
"""What Dana and an assistant say to each other."""


class DemoFailed(RecollectError):
    """The demo did not show what it promises."""


@dataclass(frozen=True)
class DemoStep:
    """One command that ran in its own process, and what it gave."""

    title: str
    command: str
    pid: int
    result: Any


Shown = tuple[DemoStep, Sequence["RenderableType"]]
"""A step, and what people are shown of it."""


@bare_command(app, panel=TELL)
def demo(
    settings: Settings,
    plain: Annotated[bool, typer.Option("--plain", help="No colours.")] = False,
    keep: Annotated[
        Path | None, typer.Option("--keep", metavar="PATH", help="Leave the store there, for a look at it.")
    ] = None,
) -> None:
    """See it work: told in one process, known in the next. Uses a store of its own, never yours."""
    steps: list[DemoStep] = []
    with store_at(keep) as store:
        for step, parts in play(store):
            steps.append(step)
            if not settings.as_json:
                output.put(stacked([heading(len(steps), step), *parts, words("")]), plain=plain)
                sys.stdout.flush()
        played = {"steps": steps, "store": str(store), "kept": keep is not None}
        output.emit(played, lambda done: closing_line(store, kept=done["kept"]), as_json=settings.as_json, plain=plain)


@contextmanager
def store_at(keep: Path | None) -> Iterator[Path]:
    """A place for a new store: the one that was named, or one that is gone afterwards."""
    if keep is not None:
        if keep.exists():
            raise InvalidInput(f"{str(keep)!r} exists already: the demo needs a new file")
        yield keep
        return
    with tempfile.TemporaryDirectory(prefix="recollect-demo-", ignore_cleanup_errors=True) as folder:
        yield Path(folder, "demo.db")


def play(store: Path) -> Iterator[Shown]:
    """The whole story; every step checks that it went as it should."""
    yield tell_facts(store)
    yield ask_seat(store)
    step = run_alone(store, "Something changes", "add", "--session=friday", CHANGE)
    yield step, [speech_line(CHANGE), *receipts(step.result)]
    yield ask_colour(store, "The question again, in a new process", expected="green", other="blue")
    step = run_alone(store, "Nothing is overwritten: each value has its window", "history", "favorite color")
    facts = [from_plain(Fact, fact) for fact in step.result]
    expect([fact.value for fact in facts] == ["blue", "green"], "blue, then green, in the history", step)
    yield step, [value_windows(facts)]
    yield ask_colour(
        store, "What was true just before the change", expected="blue", other="green", before=end_of(facts[0])
    )


def tell_facts(store: Path) -> Shown:
    """Session 1: facts in passing."""
    with tempfile.TemporaryDirectory(prefix="recollect-demo-") as folder:
        file = Path(folder, "monday.json")
        file.write_text(json.dumps(SESSION), encoding="utf-8")
        step = run_alone(store, "Session 1: Dana tells things in passing", "add", "--session=monday", f"--file={file}")
    expect(len(step.result["receipts"]) >= 6, "six facts or more in what Dana said", step)
    said = [speech_line(message["content"]) for message in SESSION if message["role"] == "user"]
    aside = words("  (and four long answers of an assistant, part of the history too)", style="dim")
    return step, [*said, aside, *receipts(step.result)]


def ask_seat(store: Path) -> Shown:
    """A new process answers from nothing but the store."""
    from rich.panel import Panel

    step = run_alone(store, "A new process, with nothing but the store", "context", SEAT)
    context = step.result
    answer = next((hit["text"] for hit in context["hits"] if hit["kind"] == "fact"), "")
    expect("window" in answer, "a window seat in the context", step)
    title = words("what the model gets to see")
    framed = Panel(words(context["text"]), title=title, title_align="left", border_style="cyan")
    price = show.price(context["tokens"], context["history_tokens"], context["saved"])
    return step, [speech_line(SEAT), framed, words(price, style="cyan"), answer_line(answer)]


def ask_colour(store: Path, title: str, *, expected: str, other: str, before: datetime | None = None) -> Shown:
    """The same question, also for the time before a moment."""
    asked, at, meant = COLOUR, [], f"{expected} as the answer"
    if before is not None:
        at = [f"--at={(before - timedelta(milliseconds=1)).isoformat()}"]
        asked, meant = f"{COLOUR} (as of one millisecond before {second(before)})", f"{meant} for the time before"
    step = run_alone(store, title, "search", COLOUR, *at)
    best = step.result[0]["text"] if step.result else ""
    expect(expected in best and other not in best, meant, step)
    return step, [speech_line(asked), answer_line(best)]


def value_windows(facts: Sequence[Fact]) -> RenderableType:
    """Every value with the time in which it was true."""
    rows = [
        (fact.value, second(fact.since or fact.said), second(fact.until or fact.retired), fact.why) for fact in facts
    ]
    return table(("value", "from (UTC)", "until (UTC)", "why"), rows)


def end_of(fact: Fact) -> datetime:
    """When another value took its place."""
    if (ended := fact.until or fact.retired) is None:
        raise DemoFailed("blue has no end in the history; this is a fault, please report it")
    return ended


def run_alone(store: Path, title: str, *arguments: str) -> DemoStep:
    """Run one command in a new process that has nothing but the store."""
    command = [sys.executable, "-m", "recollect", "--db", str(store), "--owner", OWNER, "--json", *arguments]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as process:  # `run` does not tell the process id
        out, err = (stream.decode("utf-8", "replace") for stream in process.communicate())
    typed = f"recollect {shlex.join(arguments)}"
    if process.returncode != 0:
        raise DemoFailed(f"`{typed}` ended with exit code {process.returncode}: {(err or out).strip()[-2000:]}")
    return DemoStep(title, typed, process.pid, json.loads(out))


def expect(true: bool, what: str, step: DemoStep) -> None:
    """Fail loudly when a step did not give what it should."""
    if not true:
        found = output.one_line(json.dumps(step.result, ensure_ascii=False), most=600)
        raise DemoFailed(f"expected {what}, but `{step.command}` gave {found}")


def receipts(added: dict[str, Any]) -> list[RenderableType]:
    """What was learned, one line for each fact."""
    lines: list[RenderableType] = []
    for receipt in added["receipts"]:
        note = receipt["why"] if receipt["outcome"] not in ("stored", "confirmed") else ""
        lines.append(show.outcome(f"  {receipt['outcome']}", (receipt["fact"] or receipt["draft"])["text"], note=note))
    return lines


def heading(number: int, step: DemoStep) -> RenderableType:
    from rich.text import Text

    command = step.command if len(step.command) < 80 else step.command[:79] + "…"
    return Text.assemble((f"{number}. {step.title}", "bold"), (f"\n   process {step.pid}: {command}", "dim"))


def speech_line(text: str) -> RenderableType:
    from rich.text import Text

    return Text.assemble(("  Dana: ", "bold blue"), text)


def answer_line(text: str) -> RenderableType:
    from rich.text import Text

    return Text.assemble(("  → ", "bold green"), (output.one_line(text), "bold green"))


def second(moment: datetime | None) -> str:
    return moment.strftime("%H:%M:%S.%f")[:-3] if moment else "now"


def closing_line(store: Path, *, kept: bool) -> RenderableType:
    size = f"{store.stat().st_size // 1024:,} KB" if store.exists() else "one file"
    tail = f"kept at {store}; look at it with: recollect --db {store} -o {OWNER} facts" if kept else "now deleted"
    return words(f"No key, no server, no download: all of it was one SQLite file ({size}), {tail}.", style="dim")
