"""`recollect savings`: what memory puts into the window, against the whole history, as a conversation grows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recollect import Memory
from recollect.cli.command import ASK, app, command
from recollect.cli.options import CountedBy
from recollect.cli.output import aside, plural, progress, stacked, table, words
from recollect.errors import InvalidInput, MissingDependency, NotFound
from recollect.records import Message
from recollect.store import Query

if TYPE_CHECKING:
    from rich.console import RenderableType

MOST_POINTS = 20
WIDTH = 60


@dataclass(frozen=True)
class Point:
    """One turn: what the whole conversation before it costs, and what memory brings instead."""

    turn: int
    whole: int
    injected: int


@dataclass(frozen=True)
class Savings:
    """A conversation as it grew."""

    session: str
    counted_by: str
    budget: int
    points: list[Point]

    @property
    def share(self) -> float:
        """Of the tokens of the last turn, how many are saved."""
        last = self.points[-1]
        return max(0.0, 1 - last.injected / last.whole) if last.whole else 0.0


def measure_savings(memory: Memory, session: str, budget: int, model: str) -> Savings:
    """The price of some turns of a conversation, each with what was known by then."""
    from recollect.chat.counting import count_tokens  # it needs asyncio, which no other command waits for

    said = memory.store.read(memory.owner, Message, Query(session=session))
    turns = [place for place, message in enumerate(said) if message.role == "user" and message.content.strip()]
    if len(turns) < 2:
        raise InvalidInput(f"session {session!r} has {plural(len(turns), 'turn')}: two or more are needed to compare")
    costs = [0]
    for message in said:
        costs.append(costs[-1] + count_tokens(message.content, model).tokens)
    points, chosen = list[Point](), spread_evenly(range(len(turns)))
    with progress("Counting") as tell:
        for turn in chosen:
            place = turns[turn]
            asked = said[place].content[:2_000]
            before = (said[place].learned or said[place].at) - timedelta(microseconds=1)
            given = memory.context(asked, budget=budget, known_at=before, model=model)
            points.append(Point(turn + 1, costs[place], given.tokens))
            tell(len(points), len(chosen))
    return Savings(session, count_tokens("", model).how, budget, points)


def spread_evenly(turns: Sequence[int]) -> list[int]:
    """At most so many turns, evenly spread, the last one included."""
    if len(turns) <= MOST_POINTS:
        return list(turns)
    return sorted({turns[round(step * (len(turns) - 1) / (MOST_POINTS - 1))] for step in range(MOST_POINTS)})


def savings_table(found: Savings) -> RenderableType:
    """A table, and a plot that any terminal can show."""
    most = max(1, *(max(one.whole, one.injected) for one in found.points))
    rows = [(f"{one.turn}", f"{one.whole:,}", f"{one.injected:,}", bars(one, most)) for one in found.points]
    last = found.points[-1]
    saved = f"At turn {last.turn}: {last.injected:,} tokens instead of {last.whole:,}, {found.share:.0%} saved."
    legend = f"█ injected (at most {found.budget:,} asked for)  ░ whole history; counted with {found.counted_by}"
    return stacked([table(("turn", "whole history", "injected", ""), rows), words(legend, style="dim"), words(saved)])


def bars(one: Point, most: int) -> str:
    """Both numbers as one bar."""
    whole, injected = round(one.whole / most * WIDTH), round(one.injected / most * WIDTH)
    return "█" * max(injected, one.injected > 0) + "░" * max(0, whole - max(injected, one.injected > 0))


def draw_savings(found: Savings, file: Path) -> None:
    """The same as a picture."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingDependency("a picture needs another package: pip install 'recollect[bench]'") from error
    turns = [one.turn for one in found.points]
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    axes.plot(turns, [one.whole for one in found.points], label="whole history")
    axes.plot(turns, [one.injected for one in found.points], label="injected by memory")
    axes.set(xlabel="turn", ylabel=f"tokens ({found.counted_by})", title=f"Session {found.session}")
    axes.legend()
    axes.grid(alpha=0.3)
    try:
        figure.savefig(file)
    except (OSError, ValueError) as error:
        raise InvalidInput(f"cannot draw {str(file)!r}: {error}") from error
    aside(f"drawn: {file}")


@command(app, savings_table, panel=ASK)
def savings(
    memory: Memory,
    session: Annotated[str | None, typer.Argument(help="The conversation; the newest if not given.")] = None,
    budget: Annotated[int, typer.Option("--budget", "-b", help="Tokens of memory for each turn, at most.")] = 400,
    model: CountedBy = "o200k",
    plot: Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Draw it, as .png, .svg or .pdf.")] = None,
) -> Savings:
    """Compare what memory injects with the whole history, as a conversation grows."""
    known = [info.session for info in memory.sessions()]
    if not known or (session is not None and session not in known):
        raise NotFound(f"there is no session {session!r}: `recollect sessions` lists them" if known else "no sessions")
    found = measure_savings(memory, session or known[0], budget, model)
    if plot is not None:
        draw_savings(found, plot)
    return found
