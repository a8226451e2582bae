"""The figures as a table in the terminal, a page for the docs, and a plot."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from measure import Figure, Result, Row
from rich.console import Console
from rich.table import Table

HEAD = ("set", "measure", "relevance only", "newest first", "Recollect", "goal")
INTRO = """# Truth over time, measured

Made by `python benchmarks/truth.py --write`; do not edit. No model is asked, nothing is downloaded; the data sets are
read from `RECOLLECT_DATA` or `../shared/data` beside the checkout and are not part of this repository. All of it goes
in through the public API, in the order in which it was said, with no hint from the labels.

*Relevance only* is the same library without extraction and meaning: BM25 over the plain messages, ties in the order
told. *Newest first* is the cheap trick: whatever scores within 20 % of the best hit comes first, newest first. Both are
measured in the same run. In brackets: the 95 % interval by bootstrap over the questions. *fresh1st*: of the current and
the stale items, the first one found is current. *stale@5*: a stale item is among the first five hits.
"""
FILES = {
    "correct": "Own cases",
    "held out": "Own cases, held out",
    "languages": "Own cases, languages",
    "fresh": "Own cases, fresh",
    "unread": "Own cases, unread",
    "languages unread": "Own cases, languages unread",
    "keeps": "Own cases, keeps",
}
"""The columns of the own cases by kind, and the file of each."""
COLOURS = ("#b8b8b8", "#e0a85a", "#2f6f9f")
DRAWN = {
    "fresh1st": "more is better",
    "R@1": "more is better",
    "Recall@5": "more is better",
    "stale@5": "less is better",
}
"""The measures in the plot."""


def shown(figure: Figure | None, unit: str = "") -> str:
    """A figure with its interval, as short as it can be read."""
    if figure is None:
        return "–"
    if unit == "count":
        return f"{figure.value:.0f} of {figure.n}"
    if unit:
        return f"{figure.value:.2f} {unit}"
    digits = 4 if 0 < figure.value < 0.01 else 3  # one false end in thousands is not none
    interval = f" ({figure.low:.2f}–{figure.high:.2f})" if figure.low is not None and figure.high is not None else ""
    return f"{figure.value:.{digits}f}{interval}"


def cells(row: Row) -> tuple[str, ...]:
    count = f" (n {row.ours.n:,})" if row.ours and row.ours.n and row.unit != "count" else ""
    figures = (shown(one, row.unit) for one in (row.relevance, row.newest, row.ours))
    return (row.set, row.measure + count, *figures, row.goal)


def print_table(console: Console, results: Sequence[Result]) -> None:
    """All rows, a line between sets."""
    table = Table(*HEAD, title="Truth over time")
    rows = [row for result in results for row in result.rows if not kind_of(row)]
    for place, row in enumerate(rows):
        last = place + 1 == len(rows) or rows[place + 1].set != row.set
        table.add_row(*cells(row), end_section=last)
    console.print(table)
    if kinds := by_kind(results):
        table = Table("own cases by kind", *FILES)
        for kind in kinds:
            table.add_row(*kind)
        console.print(table)


def kind_of(row: Row) -> str:
    """The kind of statement that a line is of; these stand in a table of their own."""
    return row.measure.removeprefix("correct: ") if row.measure.startswith("correct: ") else ""


def by_kind(results: Sequence[Result]) -> list[tuple[str, ...]]:
    """Correct cases of each kind, a column a file."""
    rows = {(row.set, kind_of(row)): row.ours for result in results for row in result.rows if kind_of(row)}
    return [
        (kind, *(counted(rows.get((file, kind))) for file in FILES.values()))
        for kind in sorted({kind for _, kind in rows}, key=lambda kind: ("(" in kind, kind))
    ]


def counted(figure: Figure | None) -> str:
    return f"{figure.value * figure.n:.0f} of {figure.n}" if figure else ""


def page(results: Sequence[Result], remarks: Sequence[str]) -> str:
    """The page of the docs: the table, the plot, how each figure was computed."""
    lines = [INTRO, "| " + " | ".join(HEAD) + " |", "|---|---|---:|---:|---:|---|"]
    rows = [row for result in results for row in result.rows if not kind_of(row)]
    lines += ["| " + " | ".join(cells(row)) + " |" for row in rows]
    if kinds := by_kind(results):
        lines += ["", f"| own cases by kind | {' | '.join(FILES)} |", "|---" + "|---:" * len(FILES) + "|"]
        lines += ["| " + " | ".join(kind) + " |" for kind in kinds]
    lines += ["", "![The figures, and the time that facts take](truth.svg)", "", "## How it was measured", ""]
    lines += [f"- {note}" for result in results for note in result.notes]
    lines += [f"- {remark}" for remark in remarks]
    return "\n".join(lines) + "\n"


def write(folder: Path, results: Sequence[Result], remarks: Sequence[str]) -> list[Path]:
    """Write the page and the plot; gives their paths."""
    (folder / "truth.md").write_text(page(results, remarks), encoding="utf-8")
    plot(folder / "truth.svg", results)
    return [folder / "truth.md", folder / "truth.svg"]


def plot(path: Path, results: Sequence[Result]) -> None:
    """Bars where a baseline was measured beside us, and CPU time against the number of facts."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "recollect", "font.size": 8, "svg.fonttype": "none"})
    from matplotlib import pyplot

    rows = [row for result in results for row in result.rows if row.measure in DRAWN and row.newest and row.ours]
    figure, (bars, line) = pyplot.subplots(1, 2, figsize=(11, max(4, 0.4 * len(rows))), width_ratios=(3, 2))
    draw_bars(bars, rows)
    draw_curve(line, next((result.curve for result in results if result.curve), []))
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    pyplot.close(figure)


def draw_bars(axes: Any, rows: Sequence[Row]) -> None:
    for step, (name, colour) in enumerate(zip(("relevance only", "newest first", "Recollect"), COLOURS, strict=True)):
        figures = [(row.relevance, row.newest, row.ours)[step] for row in rows]
        places = [-place - (step - 1) * 0.27 for place in range(len(rows))]
        axes.barh(places, [one.value if one else 0.0 for one in figures], 0.25, color=colour, label=name)
    names = [f"{row.set}: {row.measure} ({DRAWN[row.measure]})" for row in rows]
    axes.set_yticks([-place for place in range(len(rows))], names)
    axes.set_xlim(0, 1)
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, frameon=False)


def draw_curve(axes: Any, curve: Sequence[tuple[int, float]]) -> None:
    if curve:
        (facts, seconds), last = zip(*curve, strict=True), curve[-1]
        axes.plot(facts, seconds, color=COLOURS[2], label="measured")
        axes.plot([0, last[0]], [0, last[1]], color=COLOURS[0], linestyle="--", label="a straight line")
        axes.legend(frameon=False)
    axes.set_xlabel("facts told, one owner")
    axes.set_ylabel("CPU seconds in all")
    axes.set_title("Telling facts in a row")
