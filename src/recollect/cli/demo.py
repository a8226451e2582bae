"""`recollect demo`: what memory is for, on a temporary store, each step in a process of its own."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recollect import Fact, RecollectError
from recollect.cli import output, show
from recollect.cli.command import TELL, Db, Json, Owner, app, reporting
from recollect.cli.output import stacked, table, words
from recollect.errors import InvalidInput
from recollect.serialize import from_plain

if TYPE_CHECKING:
    from rich.console import RenderableType

OWNER = "dana"
SEAT, COLOUR = "Which seat do I prefer?", "What is my favorite color?"
CHANGE = "Actually my favorite color is green."
SESSION = (
    ("user", "Hi! My name is Dana and I live in Lisbon."),
    (
        "assistant",
        "Nice to meet you, Dana! Lisbon in spring is a lovely place to set out from. Tell me what kind of trip it will "
        "be, roughly how long it should take, and whether it is for work or for pleasure, and I will sketch three "
        "different routes with the flying time, the usual fares and the weather that can be expected there.",
    ),
    ("user", "I prefer window seats and I am vegetarian."),
    (
        "assistant",
        "Noted, both. Airlines want to hear about special meals at least a day ahead, so that goes into the booking "
        "itself rather than into a remark. For shorter hops there is often only a snack, and it may be wise to bring "
        "something along; the airport has a few good places behind security.",
    ),
    ("user", "By the way my favorite color is blue."),
    (
        "assistant",
        "A fine choice for a suitcase too: most on the belt are black, and a bright one is found in seconds. Shall we "
        "go on with the dates? Tuesdays and Wednesdays tend to be the quietest and the cheapest days of the week.",
    ),
    ("user", "I work at Helios and my budget is 2000 dollars."),
    (
        "assistant",
        "That leaves plenty of room. I will look at direct connections first, then at those with one stop, and come "
        "back with three proposals, each with the total price, the hotel and the time on the road, so that they can be "
        "compared at a glance.",
    ),
)


class DemoFailed(RecollectError):
    """The demo did not show what it promises."""


@dataclass(frozen=True)
class Step:
    """One command that ran in its own process, and what it gave."""

    title: str
    command: str
    pid: int
    result: Any


Shown = Callable[[Step, "RenderableType"], None]


@app.command(rich_help_panel=TELL)
def demo(
    ctx: typer.Context,
    plain: Annotated[bool, typer.Option("--plain", help="No colours.")] = False,
    keep: Annotated[
        Path | None, typer.Option("--keep", metavar="PATH", help="Leave the store there, for a look at it.")
    ] = None,
    owner: Owner = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """See it work: told in one process, known in the next. Uses a store of its own, never yours."""
    as_json = as_json or ctx.obj.as_json
    steps: list[Step] = []

    def shown(step: Step, rendered: RenderableType) -> None:
        steps.append(step)
        if not as_json:
            output.put(stacked([heading(len(steps), step), rendered, words("")]), plain=plain)
            sys.stdout.flush()

    with reporting(as_json=as_json), store_at(keep) as store:
        play(store, shown)
        if as_json:
            output.put_json({"steps": steps, "store": str(store), "kept": keep is not None})
        else:
            output.put(ending(store, kept=keep is not None), plain=plain)
        sys.stdout.flush()


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


def play(store: Path, shown: Shown) -> None:
    """The whole story; every step checks that it went as it should."""
    tell(store, shown)
    ask_seat(store, shown)
    change_colour(store, shown)
    ask_colour(store, shown)
    changed_at = compare_windows(store, shown)
    look_back(store, shown, changed_at)


def tell(store: Path, shown: Shown) -> None:
    """Session 1: facts in passing."""
    chat = [{"role": role, "content": content} for role, content in SESSION]
    with tempfile.TemporaryDirectory(prefix="recollect-demo-") as folder:
        file = Path(folder, "monday.json")
        file.write_text(json.dumps(chat), encoding="utf-8")
        step = run_alone(store, "Session 1: Dana tells things in passing", "add", "--session=monday", f"--file={file}")
    expect(len(step.result["receipts"]) >= 6, "six facts or more in what Dana said", step)
    said = [spoken("Dana", content) for role, content in SESSION if role == "user"]
    aside = words("  (and four long answers of an assistant, part of the history too)", style="dim")
    shown(step, stacked([*said, aside, *receipts(step.result)]))


def ask_seat(store: Path, shown: Shown) -> None:
    """A new process answers from nothing but the store."""
    step = run_alone(store, "A new process, with nothing but the store", "context", SEAT)
    context = step.result
    answer = next((hit["text"] for hit in context["hits"] if hit["kind"] == "fact"), "")
    expect("window" in answer, "a window seat in the context", step)
    price = show.price(context["tokens"], context["history_tokens"], context["saved"])
    parts = [spoken("Dana", SEAT), framed(context["text"], "what the model gets to see"), words(price, style="cyan")]
    shown(step, stacked([*parts, answered(answer)]))


def change_colour(store: Path, shown: Shown) -> None:
    """Something changes."""
    step = run_alone(store, "Something changes", "add", "--session=friday", CHANGE)
    shown(step, stacked([spoken("Dana", CHANGE), *receipts(step.result)]))


def ask_colour(store: Path, shown: Shown) -> None:
    """The question again."""
    step = run_alone(store, "The question again, in a new process", "search", COLOUR)
    best = step.result[0]["text"] if step.result else ""
    expect("green" in best and "blue" not in best, "green as the answer", step)
    shown(step, stacked([spoken("Dana", COLOUR), answered(best)]))


def compare_windows(store: Path, shown: Shown) -> datetime:
    """Both values with the time in which each was true; gives when the one took the place of the other."""
    step = run_alone(store, "Nothing is overwritten: each value has its window", "history", "favorite color")
    facts = [from_plain(Fact, fact) for fact in step.result]
    expect([fact.value for fact in facts] == ["blue", "green"], "blue, then green, in the history", step)
    ended = facts[0].until or facts[0].retired
    if ended is None:
        raise DemoFailed("blue has no end in the history; this is a fault, please report it")
    rows = table("value", "from (UTC)", "until (UTC)", "why")
    for fact in facts:
        rows.add_row(fact.value, second(fact.since or fact.said), second(fact.until or fact.retired), fact.why)
    shown(step, rows)
    return ended


def look_back(store: Path, shown: Shown, changed_at: datetime) -> None:
    """What was true before the change."""
    before = (changed_at - timedelta(milliseconds=1)).isoformat()
    step = run_alone(store, "What was true just before the change", "search", COLOUR, f"--at={before}")
    best = step.result[0]["text"] if step.result else ""
    expect("blue" in best and "green" not in best, "blue as the answer for the time before", step)
    asked = f"{COLOUR} (as of one millisecond before {second(changed_at)})"
    shown(step, stacked([spoken("Dana", asked), answered(best)]))


def run_alone(store: Path, title: str, *arguments: str) -> Step:
    """Run one command in a new process that has nothing but the store."""
    command = [sys.executable, "-m", "recollect", "--db", str(store), "--owner", OWNER, "--json", *arguments]
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as process:
        out, err = (stream.decode("utf-8", "replace") for stream in process.communicate())
    typed = f"recollect {shlex.join(arguments)}"
    if process.returncode != 0:
        raise DemoFailed(f"`{typed}` ended with exit code {process.returncode}: {(err or out).strip()[-2000:]}")
    return Step(title, typed, process.pid, json.loads(out))


def expect(true: bool, what: str, step: Step) -> None:
    """Fail loudly when a step did not give what it should."""
    if not true:
        found = output.one_line(json.dumps(step.result, ensure_ascii=False), most=600)
        raise DemoFailed(f"expected {what}, but `{step.command}` gave {found}")


def receipts(added: dict[str, Any]) -> list[RenderableType]:
    """What was learned, one line for each fact."""
    lines: list[RenderableType] = []
    for receipt in added["receipts"]:
        text = (receipt["fact"] or receipt["draft"])["text"]
        note = receipt["why"] if receipt["outcome"] not in ("stored", "confirmed") else ""
        lines.append(show.outcome(f"  {receipt['outcome']}", text, note=note))
    return lines


def heading(number: int, step: Step) -> RenderableType:
    from rich.text import Text

    command = step.command if len(step.command) < 80 else step.command[:79] + "…"
    return Text.assemble((f"{number}. {step.title}", "bold"), (f"\n   process {step.pid}: {command}", "dim"))


def spoken(who: str, text: str) -> RenderableType:
    from rich.text import Text

    return Text.assemble((f"  {who}: ", "bold blue"), text)


def answered(text: str) -> RenderableType:
    from rich.text import Text

    return Text.assemble(("  → ", "bold green"), (output.one_line(text), "bold green"))


def framed(text: str, title: str) -> RenderableType:
    from rich.panel import Panel

    return Panel(words(text), title=words(title), title_align="left", border_style="cyan")


def second(moment: datetime | None) -> str:
    return moment.strftime("%H:%M:%S.%f")[:-3] if moment else "now"


def ending(store: Path, *, kept: bool) -> RenderableType:
    size = f"{store.stat().st_size // 1024:,} KB" if store.exists() else "one file"
    tail = f"kept at {store}; look at it with: recollect --db {store} -o {OWNER} facts" if kept else "now deleted"
    return words(f"No key, no server, no download: all of it was one SQLite file ({size}), {tail}.", style="dim")
