"""Figures of speed as rows of a table, and docs/speed.md."""

from __future__ import annotations

import json
import platform
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
from speed_search import Figures, Times, p

TIMED = ("embed", "search", "scan", "words")
PAGE = Path(__file__).resolve().parents[1] / "docs" / "speed.md"

HEADS = (
    *("owner", "embed", "search CPU p50 / p95", "wall p50 / p95", "numpy scan", "FTS5", "search / floors"),
    *("first search", "bytes a record", "recall"),
)

GOALS = """
Goals: a search at most 3 × the sum of the floors at 10,000 records and more; below 60 ms at a million; below 600 bytes
a record; recall at least 0.98; a search in one of many owners costs what it costs in one alone.
"""

TEXT = """# Speed

Written by `python benchmarks/speed.py --write`; each row stands beside floors of its own run. All are milliseconds of
CPU, unless it says wall; the machine was shared with others, so that wall times are longer than they would be alone.
{machine}

## Search

An owner's records are half messages and half facts. **search** is `memory.search`, whose question was embedded before;
**embed** is that call. The floors: **numpy scan** is one product of the same vectors, as a float32 matrix, with the
question, and the best 100 of it; **FTS5** is the same words asked of a bare FTS5 table of the same texts, the best 100
by rank. **recall** is how many of the scan's best 100 the index finds: it keeps a byte a number, and from 16,000
records on compares a part of them only. **first search** is with the index still to be read from the file. **bytes a
record** is the memory that the index takes after many searches.

{search}
{goals}
Records were written by the store's own calls, since adding a million takes long; their sentences are made up, and their
vectors are spread at random around those of real sentences. Where the embedder compares word by word, each has the
words of the sentence that its vector is made from. A record that was added has the same rows.

## Other verbs

{verbs}
"""


def row(figures: Figures) -> tuple[str, ...]:
    """One owner's figures, in the order of `HEADS`."""
    among = f" of {figures.owners:,}" if figures.owners > 1 else ""
    return (
        f"{figures.items:,}{among}, {figures.embedder.split('-')[0]}",
        f"{p(figures.embed.cpu, 0.5):.2f}",
        both(figures.search.cpu),
        both(figures.search.wall),
        middle(figures.scan),
        middle(figures.words),
        f"{figures.ratio:.2f}",
        f"{figures.first:.0f}",
        f"{figures.bytes_each:.0f}",
        f"{figures.recall:.3f}",
    )


def both(values: Sequence[float]) -> str:
    return f"{p(values, 0.5):.1f} / {p(values, 0.95):.1f}"


def middle(times: Times) -> str:
    return f"{p(times.cpu, 0.5):.2f}"


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def keep(folder: Path, figures: Figures) -> None:
    """Keep figures beside the store that they are about."""
    name = f"{figures.embedder}-{figures.items}-{figures.owners}.json"
    (folder / name).write_text(json.dumps(asdict(figures)), encoding="utf-8")


def kept(folder: Path) -> list[Figures]:
    """The figures of all runs that were kept there, small owners first."""
    found = [json.loads(path.read_text(encoding="utf-8")) for path in folder.glob("*.json")]
    figures = [Figures(**one | {name: Times(**one[name]) for name in TIMED}) for one in found]
    return sorted(figures, key=lambda one: (one.owners, one.embedder, one.items))


def write(searches: Sequence[Figures], verbs: Sequence[Sequence[str]]) -> Path:
    """Write docs/speed.md anew."""
    machine = f"Python {platform.python_version()}, numpy {np.__version__}, {platform.machine()}."
    text = TEXT.format(
        machine=machine,
        search=table(HEADS, [row(figures) for figures in searches]),
        goals=GOALS,
        verbs=table(("what", "measured", "against"), verbs),
    )
    PAGE.write_text(text, encoding="utf-8")
    return PAGE
