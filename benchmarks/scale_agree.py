"""Do both stores find the same? The same conversations told to SQLite and to PostgreSQL, and asked the same.

`python benchmarks/scale_agree.py --stories 2`, with the data sets of benchmarks/quality.py. Prints recall on each
store, and for how many questions the first ten hits are the same ones in the same order.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import fmean

from measure import recall
from quality_cache import Cached, cached
from quality_sets import STORIES, Asked
from quality_told import Told
from scale_engines import Postgres

from recollect import Clock, Memory
from recollect.embed import open_embedder

DEPTHS = (5, 10)


@dataclass
class ToldTo(Told):
    """A memory in a store of its own choice."""

    where: str = ":memory:"

    def __post_init__(self) -> None:
        clock = Clock(now=self.clock, randomness=random.Random(7))
        self.memory = Memory(self.where, owner="me", embedder=self.embedder, clock=clock)


def compared(name: str, stories: int, embedder: Cached, url: str) -> None:
    found: dict[str, list[tuple[float, ...]]] = {"SQLite": [], "PostgreSQL": []}
    same = first = 0
    for number, story in enumerate(islice(STORIES[name](), stories)):
        sides = [ToldTo(embedder), ToldTo(embedder, where=f"{url}?schema=story{number}")]
        for step in story.steps:
            if not isinstance(step, Asked):
                for side in sides:
                    side.tell(step)
            elif step.messages:
                one, other = (side.ask(step).ranking for side in sides)
                for rows, ranking in zip(found.values(), (one, other), strict=True):
                    rows.append(tuple(recall(ranking, step.messages, depth) for depth in DEPTHS))
                same, first = same + (one[:10] == other[:10]), first + (one[:1] == other[:1])
        for side in sides:
            side.memory.close()
    asked = len(found["SQLite"])
    for store, rows in found.items():
        told = ", ".join(f"R@{depth} {fmean(row[place] for row in rows):.4f}" for place, depth in enumerate(DEPTHS))
        print(f"{name}, {asked} questions, {store}: {told}")
    print(f"the first hit is the same for {first} of {asked}, the first ten in their order for {same}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--set", choices=list(STORIES), default="locomo")
    parser.add_argument("--stories", type=int, default=2)
    parser.add_argument("--embedder", default="minilm")
    given = parser.parse_args()
    embedder = open_embedder(given.embedder)
    assert embedder is not None
    with tempfile.TemporaryDirectory(prefix="recollect-scale-") as folder:
        engine = Postgres(Path(folder))
        try:
            compared(given.set, given.stories, cached(embedder, None), engine.url())
        finally:
            engine.close()


if __name__ == "__main__":
    main()
