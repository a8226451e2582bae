"""What a search costs in owners of any size, beside what it cannot be quicker than, measured in the same run.

The floors: one product of the same vectors as a float32 matrix with the question, by bare numpy on one thread, and the
best 100 of it; one query of the same words to a bare FTS5 table of the same texts, and the best 100 of it; one call of
the embedder. Questions are embedded before they are searched for, so that a search is timed without that call.
"""

from __future__ import annotations

import gc
import random
import statistics
import time
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import apsw
import numpy as np
from speed_fill import Around, Floats, around, fill, ids, owner_name, questions

from recollect import Memory
from recollect.embed import Embedder
from recollect.records import Fact, Message
from recollect.text.words import terms

BEST = 100


@dataclass(frozen=True)
class Times:
    """Milliseconds of each call."""

    wall: list[float]
    cpu: list[float]


@dataclass(frozen=True)
class Figures:
    """What was measured in an owner of one size, among so many owners."""

    embedder: str
    items: int
    owners: int
    embed: Times
    search: Times
    scan: Times
    words: Times
    first: float
    """Milliseconds of CPU of opening and the first search."""
    bytes_each: float
    recall: float

    @property
    def ratio(self) -> float:
        """CPU of a search beside the sum of a bare scan and a bare query of words."""
        return p(self.search.cpu, 0.5) / (p(self.scan.cpu, 0.5) + p(self.words.cpu, 0.5))


def p(values: Sequence[float], share: float) -> float:
    return statistics.quantiles(values, n=100)[round(share * 100) - 1]


def timed(work: Callable[[int], object], times: int) -> Times:
    """Wall and CPU milliseconds of each call."""
    wall, cpu = [], []
    for number in range(times):
        started, worked = time.perf_counter(), time.process_time()
        work(number)
        wall.append((time.perf_counter() - started) * 1000)
        cpu.append((time.process_time() - worked) * 1000)
    return Times(wall, cpu)


def measured(folder: Path, embedder: Embedder, items: int, owners: int, times: int) -> Figures:
    """Measure searches in the first of so many owners with so many records each; the store is kept in the folder."""
    vectors = around(embedder)
    path = filled(folder, embedder.name, items, owners, vectors)
    asked = questions(random.Random(5), 2 * times)
    embed = timed(lambda number: embedder.embed([asked[times + number]]), times)
    unit = np.asarray(embedder.embed(asked[:times]), dtype=np.float32)
    first, bytes_each = first_search(path, embedder, asked, items)
    memory = Memory(path, owner=owner_name(1), embedder=embedder)
    memory.search(asked[-1])
    search = timed(lambda number: memory.search(asked[number]), times)
    scan, recall = bare_scan(memory, vectors, items, unit)
    words = bare_words(memory, asked[:times])
    memory.close()
    return Figures(embedder.name, items, owners, embed, search, scan, words, first, bytes_each, recall)


def filled(folder: Path, model: str, items: int, owners: int, vectors: Around) -> Path:
    """The file of a store with so many owners of so many records each; filled unless it is there already."""
    path = folder / f"{model}-{items}-{owners}.db"
    if not path.exists():
        part = path.with_suffix(".part")
        part.unlink(missing_ok=True)
        with Memory(part, embedder=None) as memory:
            for owner in range(1, owners + 1):
                fill(memory.store, owner, items, model, vectors)
        part.rename(path)
    return path


def first_search(path: Path, embedder: Embedder, asked: Sequence[str], items: int) -> tuple[float, float]:
    """CPU milliseconds to open and search once; and bytes of memory for each record once many questions were asked."""
    with Memory(path, owner=owner_name(1), embedder=embedder) as memory:
        first = timed(lambda _: memory.search(asked[0]), 1).cpu[0]
    gc.collect()
    tracemalloc.start()
    with Memory(path, owner=owner_name(1), embedder=embedder) as memory:
        before = tracemalloc.get_traced_memory()[0]
        for question in asked:
            find_both(memory, question, np.asarray(embedder.embed([question]))[0])
        gc.collect()
        after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return first, (after - before) / items


def find_both(memory: Memory, question: str, vector: Floats) -> None:
    """Let the store find by words and by the vector, so that it has both in memory."""
    memory.store.match_words(memory.owner, terms(question), limit=BEST)
    memory.store.match_vector(memory.owner, _model(memory), vector, limit=BEST)


def _model(memory: Memory) -> str:
    return next(iter(memory.store.counts(memory.owner).models))


def bare_scan(memory: Memory, vectors: Around, items: int, asked: Floats) -> tuple[Times, float]:
    """The time of scanning a float32 matrix by bare numpy, and the share of its best 100 that the store finds too."""
    matrix, names, model = vectors.all(1, items), ids(items), _model(memory)
    many = min(BEST, items - 1)
    best: list[set[str]] = []

    def scan(number: int) -> None:
        nearest = np.argpartition(matrix @ asked[number], -many)[-many:]
        best.append({names[place] for place in nearest})

    times = timed(scan, len(asked))
    found = [{one.id for one in memory.store.match_vector(memory.owner, model, each, limit=many)} for each in asked]
    return times, statistics.mean(len(one & other) / many for one, other in zip(found, best, strict=True))


def bare_words(memory: Memory, asked: Sequence[str]) -> Times:
    """The time of asking a bare FTS5 table of the same texts for the same words."""
    connection = apsw.Connection("")  # a file of its own, gone when closed
    connection.execute("create virtual table bare using fts5(terms, tokenize='ascii')")
    texts = [one.content for one in memory.store.read(memory.owner, Message)]
    texts += [one.text for one in memory.store.read(memory.owner, Fact)]
    with connection:
        connection.executemany("insert into bare values (?)", [[" ".join(terms(text))] for text in texts])
    sql = f"select rowid from bare where bare match ? order by rank limit {BEST}"
    queries = [" OR ".join(f'"{term}"' for term in dict.fromkeys(terms(question))) for question in asked]
    found = timed(lambda number: connection.execute(sql, (queries[number],)).fetchall(), len(asked))
    connection.close()
    return found
