"""What `make scale` measured, as tables and a plot for docs/scale.md."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scale_engines import EACH

DOCS = Path(__file__).parent.parent / "docs"
INGEST = {
    "bulk": "facts with vectors",
    "import facts": "import of facts",
    "import": "import of messages, facts and changes",
}
"""The parts that are compared with a bare insert of the same rows, and what they keep."""


@dataclass
class Figures:
    """What was measured at one size."""

    store: str
    shape: str
    facts: int
    search: list[float]
    add: list[float]
    bare_query: list[float]
    bare_insert: list[float]
    cpu: dict[str, float]
    """Milliseconds of CPU that each took on average, client and server together."""
    disk: int
    ingest: float = 0.0
    """Facts a second of CPU since the last size."""
    in_turns: Sequence[float] = ()
    """Milliseconds of CPU of a search beside all other owners, and of the same without any."""


@dataclass
class Bulk:
    """Seconds of CPU for bulk ingest, client and server together, beside the bare engine's for the same rows."""

    store: str
    ours: float
    bare: dict[str, float] = field(default_factory=dict)
    what: str = INGEST["bulk"]
    json: float = 0.0
    """Of ours: what `json.loads` takes to read the same lines, one by one."""


def p(values: Sequence[float], share: float) -> float:
    return statistics.quantiles(values, n=100, method="inclusive")[round(share * 100) - 1]


def table(figures: Sequence[Figures]) -> list[str]:
    lines = [
        "| store | facts | search: CPU ms | × bare query | p50 / p95 ms | add: CPU ms | × bare insert | p50 / p95 ms "
        "| ingest: facts a CPU second | bytes a fact |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for one in figures:
        cpu, held = one.cpu, one.facts + (EACH if one.shape == "owners" else 0)  # the owner that is added to counts too
        lines.append(
            f"| {one.store} | {one.facts:,} | {cpu['search']:.1f} | {cpu['search'] / cpu['bare query']:.1f} "
            f"| {p(one.search, 0.5):.0f} / {p(one.search, 0.95):.0f} | {cpu['add']:.1f} "
            f"| {cpu['add'] / cpu['bare insert']:.0f} | {p(one.add, 0.5):.0f} / {p(one.add, 0.95):.0f} "
            f"| {f'{one.ingest:,.0f}' if one.ingest else ''} | {one.disk / held:,.0f} |"
        )
    return lines


def bulk_table(figures: Sequence[Bulk]) -> list[str]:
    lines = ["| store | what | bare engine, by | × bare | without reading JSON |", "|---|---|---|---:|---:|"]
    for one in figures:
        for way, took in one.bare.items():
            rest = f"{(one.ours - one.json) / took:.2f}" if one.json else ""
            lines.append(f"| {one.store} | {one.what} | {way} | {one.ours / took:.2f} | {rest} |")
    return lines


def slowdown(figures: Sequence[Figures]) -> list[str]:
    """How much more a search in an owner of 1,000 facts takes beside all the others."""
    lines = []
    for store in dict.fromkeys(one.store for one in figures):
        for one in [one for one in figures if one.store == store and one.in_turns]:
            beside, alone = one.in_turns
            lines.append(
                f"- {store}: {beside / alone:.2f} × the CPU beside {one.facts // EACH:,} others "
                f"({beside:.2f} and {alone:.2f} ms)"
            )
    return lines


def page(figures: Sequence[Figures], bulks: Sequence[Bulk]) -> str:
    owners = [one for one in figures if one.shape == "owners"]
    large = [one for one in figures if one.shape == "one owner"]
    return "\n".join(
        [
            "**Owners of 1,000 facts each.** Search and add in one of them, while the store around it grows:",
            "",
            *table(owners),
            "",
            "The same searches in an owner of 1,000 facts, in turns with a store that holds this owner alone:",
            "",
            *slowdown(figures),
            "",
            "**One owner** who has more and more:",
            "",
            *table(large),
            "",
            "**Bulk**, by CPU, against the bare engine inserting the very same rows:",
            "",
            *bulk_table(bulks),
            "",
            "![CPU of a search and an add from 1,000 to 1,000,000 facts](scale.svg)",
            "",
        ]
    )


def write(text: str) -> None:
    """Put the figures in their place on the page."""
    page_file = DOCS / "scale.md"
    before, _, rest = page_file.read_text(encoding="utf-8").partition("<!-- figures -->\n")
    after = rest.partition("<!-- /figures -->")[2]
    page_file.write_text(f"{before}<!-- figures -->\n{text}<!-- /figures -->{after}", encoding="utf-8")


def plot(figures: Sequence[Figures], path: Path) -> None:
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "recollect"
    from matplotlib import pyplot

    drawing, sides = pyplot.subplots(1, 2, figsize=(10, 4), sharey=True)
    for side, shape, title in zip(
        sides, ("owners", "one owner"), ("owners of 1,000 facts each", "one owner"), strict=True
    ):
        for store, colour in (("SQLite", "tab:blue"), ("PostgreSQL", "tab:orange")):
            sizes = [one for one in figures if one.store == store and one.shape == shape]
            facts = [one.facts for one in sizes]
            for what, line in (("search", "o-"), ("add", "s--"), ("bare query", ":")):
                side.plot(facts, [one.cpu[what] for one in sizes], line, color=colour, label=f"{store}: {what}")
        side.set(xscale="log", yscale="log", xlabel="facts in the store", title=title)
        side.grid(alpha=0.3)
    sides[0].set_ylabel("CPU of client and server, ms")
    sides[1].legend(fontsize=7, loc="upper left")
    drawing.tight_layout()
    drawing.savefig(path, metadata={"Date": None})
