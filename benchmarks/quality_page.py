"""The figures of the quality benchmark as tables in the terminal, a page for the docs, and plots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from measure import Figure, mean
from quality_measures import ABSTAIN_GOAL, CURVE, TASKS, Judged, Task, abstained
from rich.console import Console
from rich.table import Table

COLUMNS = ("R@1", "R@3", "R@5", "R@10", "R@20", "all@5", "NDCG@10", "MRR", "tok@5", "tok@10")
WITH_INTERVAL = ("R@5", "R@10", "all@5")
INTRO = """# Finding the right memory, measured

Made by `python benchmarks/quality.py --write`; do not edit. Nothing is downloaded and no model is asked beyond the
embedders that come with the package. The data sets are read from `RECOLLECT_DATA` or `../shared/data` beside the
checkout and are not part of this repository. Everything goes in through `add`, with sessions and times, and comes out
through `search`; what the sets know of the evidence is used to score only, and names of sessions and messages tell the
memory nothing.

A hit is a message, or a fact, which counts as the messages it comes from. *R@k*: share of the evidence in the first k
hits. *all@5*: all of it is. *tok@k*: tokens that the first k hits put into a prompt. In brackets: the 95 % interval by
bootstrap over questions. The baselines are measured in the same run on the same messages: BM25 (question words dropped,
words as stems), each embedder alone, both fused by rank with equal weights (*RRF*), and the toy of the tutorials, words
hashed into 256 slots. In sessions, BM25 and the toy rank whole sessions, an embedder counts a session's best message.
"""
COLOURS = ("#2f6f9f", "#6aa5cf", "#555555", "#e0a85a", "#8f5fa8", "#c98fb5", "#7fae6f", "#b8b8b8")


def shown(measure: str, figure: Figure | None) -> str:
    """A figure as short as it can be read."""
    if figure is None:
        return ""
    if measure.startswith("tok"):
        return f"{figure.value:,.0f}"
    interval = f" ({figure.low:.2f}–{figure.high:.2f})" if measure in WITH_INTERVAL and figure.low is not None else ""
    return f"{figure.value:.3f}{interval}"


def lines_of(judged: Judged, task: Task) -> Iterator[tuple[str, ...]]:
    for who in judged.rankers(task):
        yield (who, *(shown(one, judged.figure(task, who, one)) for one in COLUMNS))
    for name, goals in (("goal", task.goals), ("goal, quick", task.quick_goals)):
        if goals:
            yield (name, *(f"≥ {goals[one]:.2f}" if one in goals else "" for one in COLUMNS))


def kinds_of(judged: Judged, task: Task) -> Iterator[tuple[str, ...]]:
    """R@5 by type of question, a line a ranker."""
    for who in judged.rankers(task):
        yield (who, *(shown("", judged.figure(task, who, "R@5", kind)) for kind in judged.kinds(task)))


def kind_names(judged: Judged, task: Task) -> list[str]:
    who = judged.rankers(task)[0]
    counts = {kind: sum(one == kind for one, _ in judged.rows[task.title, who]) for kind in judged.kinds(task)}
    return [f"{kind} ({counts[kind]})" for kind in judged.kinds(task)]


def absent_lines(judged: Judged) -> Iterator[tuple[str, ...]]:
    for (name, who), asked in judged.empty.items():
        if any(not one.answerable for one in asked):
            yield (name, who, *(shown("R@5", one) for one in abstained(asked)))


def strange_lines(judged: Judged) -> Iterator[tuple[str, ...]]:
    for (name, who), silent in judged.strange.items():
        yield (name, who, f"{len(silent):,}", shown("R@5", mean(silent)))


def time_lines(judged: Judged) -> Iterator[tuple[str, ...]]:
    for (name, who), seconds in judged.seconds.items():
        milliseconds = 1000 * np.array(seconds)
        yield (name, who, f"{np.percentile(milliseconds, 50):.1f}", f"{np.percentile(milliseconds, 95):.1f}")


ABSENT_HEAD = ("set", "ranker", "unanswerable: nothing came back", "answerable: the same", "evidence lost", "precision")
STRANGE_HEAD = ("set", "ranker", "questions", "nothing came back")
TIME_HEAD = ("set", "ranker", "ms of CPU a query, median", "95 %")


def print_tables(console: Console, judged: Judged) -> None:
    """All tables, one a task."""
    for task in (task for task in TASKS if judged.rankers(task)):
        count = len(judged.rows[task.title, judged.rankers(task)[0]])
        print_table(console, f"{task.title} ({count} questions)", ("ranker", *COLUMNS), lines_of(judged, task))
        if judged.kinds(task):
            head = ("R@5 by type", *kind_names(judged, task))
            print_table(console, None, head, kinds_of(judged, task))
    print_table(console, "Nothing came back", ABSENT_HEAD, absent_lines(judged))
    print_table(console, "Questions of other people's lives", STRANGE_HEAD, strange_lines(judged))
    print_table(console, "Time", TIME_HEAD, time_lines(judged))


def print_table(console: Console, title: str | None, head: Sequence[str], lines: Iterator[tuple[str, ...]]) -> None:
    table = Table(*head, title=title)
    for line in lines:
        table.add_row(*line)
    console.print(table)


def page(judged: Judged, remarks: Sequence[str]) -> str:
    """The page of the docs."""
    lines = [INTRO]
    for task in (task for task in TASKS if judged.rankers(task)):
        count = len(judged.rows[task.title, judged.rankers(task)[0]])
        lines += [f"## {task.title} ({count:,} questions)", "", *table(("ranker", *COLUMNS), lines_of(judged, task))]
        if judged.kinds(task):
            lines += table(("R@5 by type", *kind_names(judged, task)), kinds_of(judged, task))
    lines += ["![Recall against tokens](quality-tokens.svg)", "", "![Recall by type](quality-types.svg)", ""]
    lines += ["## Nothing came back", "", *table(ABSENT_HEAD, absent_lines(judged))]
    lines += [
        "*Evidence lost*: of the answerable questions, those that got nothing though evidence was among the first ten"
        " hits of a memory that is not cautious.",
        f"Goal: nothing for at least {ABSTAIN_GOAL[0]:.2f} of the unanswerable, while at most {ABSTAIN_GOAL[1]:.2f} of"
        " the answerable lose their evidence.",
        "",
    ]
    lines += [
        "## Questions of other people's lives",
        "",
        "Each memory is also asked questions of another set, about people and things that it never heard of.",
        "",
        *table(STRANGE_HEAD, strange_lines(judged)),
    ]
    lines += ["## Time", "", *table(TIME_HEAD, time_lines(judged)), *(f"- {remark}" for remark in remarks)]
    return "\n".join(lines) + "\n"


def table(head: Sequence[str], lines: Iterator[tuple[str, ...]]) -> list[str]:
    rule = "|---|" + "---:|" * (len(head) - 1)
    return ["| " + " | ".join(head) + " |", rule, *("| " + " | ".join(line) + " |" for line in lines), ""]


def write(folder: Path, judged: Judged, remarks: Sequence[str]) -> list[Path]:
    """Write the page and the plots; gives their paths."""
    paths = [folder / name for name in ("quality.md", "quality-tokens.svg", "quality-types.svg")]
    paths[0].write_text(page(judged, remarks), encoding="utf-8")
    tasks = [task for task in TASKS if judged.rankers(task)]
    plot(paths[1], judged, tasks, draw_tokens)
    plot(paths[2], judged, [task for task in tasks if judged.kinds(task)], draw_kinds)
    return paths


def plot(path: Path, judged: Judged, tasks: Sequence[Task], draw: Any) -> None:
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "recollect", "font.size": 8, "svg.fonttype": "none"})
    from matplotlib import pyplot

    rows = max(1, (len(tasks) + 2) // 3)
    figure, axes = pyplot.subplots(rows, 3, figsize=(13, 3.6 * rows), squeeze=False)
    for place in axes.flat[len(tasks) :]:
        place.set_axis_off()
    for place, task in zip(axes.flat, tasks, strict=False):
        draw(place, judged, task)
        place.set_title(task.title)
    handles, names = axes.flat[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="lower center", ncols=5, frameon=False)
    figure.tight_layout(rect=(0, 0.08 / rows + 0.02, 1, 1))
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def draw_tokens(axes: Any, judged: Judged, task: Task) -> None:
    """Recall at each depth over the tokens of so many hits."""
    for who, colour in zip(judged.rankers(task), COLOURS, strict=False):
        rows = [measures for _, measures in judged.rows[task.title, who]]
        tokens = [float(np.mean([one[f"tok@{k}"] for one in rows])) for k in CURVE]
        recalls = [float(np.mean([one[f"R@{k}"] for one in rows])) for k in CURVE]
        axes.plot(tokens, recalls, color=colour, label=who, marker=".", linewidth=1)
    axes.set_xscale("log")
    axes.set_ylim(0, 1)
    axes.set_xlabel("tokens put into the prompt")
    axes.set_ylabel("recall of the evidence")


def draw_kinds(axes: Any, judged: Judged, task: Task) -> None:
    """R@5 of each type of question, a bar a ranker."""
    kinds, rankers = judged.kinds(task), judged.rankers(task)
    height = 0.8 / len(rankers)
    for step, (who, colour) in enumerate(zip(rankers, COLOURS, strict=False)):
        figures = [judged.figure(task, who, "R@5", kind) for kind in kinds]
        places = [-place - step * height for place in range(len(kinds))]
        axes.barh(places, [one.value if one else 0.0 for one in figures], height, color=colour, label=who)
    axes.set_yticks([-place - 0.4 for place in range(len(kinds))], kinds)
    axes.set_xlim(0, 1)
