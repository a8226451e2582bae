"""What the verbs and searches of any size cost, as ratios to bare floors measured in the same run: `make speed`.

Searches are measured in owners of `--sizes` records, and in one owner of 1,000 among `--owners` such. Those stores are
filled by the store's own calls, in large batches, with vectors at random around real ones: adding a million records
through the public API takes too long. Adding and opening are measured in a store with `--facts` facts, filled by `add`.
`--sizes 1000,10000,100000,1000000 --owners 1000` is the whole of it, and takes about a quarter of an hour of one core;
with `--keep` it can be done in several runs, and `--write` then writes the figures of all of them.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import speed_page
from rich.console import Console
from rich.table import Table
from speed_search import Figures, measured
from speed_verbs import import_ms, measure

from recollect.embed import Embedder
from recollect.embed.minilm import MiniLMEmbedder
from recollect.embed.quick import QuickEmbedder

EMBEDDERS: dict[str, Callable[[], Embedder]] = {"minilm": MiniLMEmbedder, "quick": QuickEmbedder}
SMALL = 1_000
WIDE = 150


def searches(options: argparse.Namespace) -> Iterator[Figures]:
    """The figures of each size and embedder; of many owners with the last one only."""
    for name in options.embedders:
        for items in options.sizes:
            yield one(name, items, 1, options)
    if options.owners > 1:
        yield one(options.embedders[-1], SMALL, options.owners, options)


def one(name: str, items: int, owners: int, options: argparse.Namespace) -> Figures:
    """The figures of one store, which is kept only where that is asked for."""
    embedder = EMBEDDERS[name]()  # a new one: it has no question in its cache
    if options.keep is not None:
        options.keep.mkdir(parents=True, exist_ok=True)
        figures = measured(options.keep, embedder, items, owners, options.times)
        speed_page.keep(options.keep, figures)
        return figures
    with tempfile.TemporaryDirectory() as folder:
        return measured(Path(folder), embedder, items, owners, options.times)


def names(text: str) -> list[str]:
    if strange := [name for name in text.split(",") if name not in EMBEDDERS]:
        raise argparse.ArgumentTypeError(f"no embedder is called {strange[0]!r}: take {', '.join(EMBEDDERS)}")
    return text.split(",")


def sizes(text: str) -> list[int]:
    found = [int(size) for size in text.split(",")]
    if min(found) < 200:
        raise argparse.ArgumentTypeError("an owner needs 200 records at least")
    return found


def shown(title: str, heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    table = Table(*heads, title=title)
    for row in rows:
        table.add_row(*row)
    Console(width=max(WIDE, Console().width)).print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=sizes, default="1000,10000", help="records of one owner, such as 1000,100000")
    parser.add_argument("--owners", type=int, default=20, help="owners of 1,000 records in one store; 0 for none")
    parser.add_argument("--embedders", type=names, default="minilm,quick")
    parser.add_argument(
        "--keep", type=Path, help="a folder for the stores that are searched; found there, they are used again"
    )
    parser.add_argument("--facts", type=int, default=10_000, help="facts to add; 0 to measure searches only")
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--write", action="store_true", help="write docs/speed.md")
    options = parser.parse_args()
    verbs: list[tuple[str, str, str]] = []
    if options.facts:
        for name in options.embedders:
            verbs += measure(options.facts, options.times, options.seed, name)
        verbs.append(("import recollect", f"{import_ms():.0f} ms", "goal: < 150 ms"))
        title = f"{options.facts:,} facts of one owner, {options.times} calls each"
        shown(title, ("what", "measured", "against"), [*verbs])
    found = list(searches(options))
    shown("Searches, ms of CPU", speed_page.HEADS, [speed_page.row(figures) for figures in found])
    if options.write:
        kept = speed_page.kept(options.keep) if options.keep else found
        print(f"wrote {speed_page.write(kept, verbs)}")


if __name__ == "__main__":
    main()
