"""What the verbs cost, as ratios to bare floors measured in the same run: `make speed`.

A store with 10,000 facts of one owner is filled through the public API; then single adds, searches and opening are
timed beside what they cannot be quicker than: one durable insert of the same row by bare SQLite, one call of the
embedder, one scan of the same vectors by bare numpy.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import apsw
import numpy as np
from rich.console import Console
from rich.table import Table

from recollect import Memory

PLACES = "Lisbon Porto Rome Oslo Bergen Graz Kyoto Quito Lima Turin Ghent Malmo Leeds Basel Cork Split".split()
THINGS = "kettle bicycle camera violin tent notebook drone easel loom kayak lathe anvil sextant astrolabe".split()
WORDS = "copper velvet autumn harbor marble signal ember willow granite meadow canyon lantern saffron cobalt".split()


def sentence(random_: random.Random, number: int) -> str:
    """One statement that is one new fact; no two are the same."""
    place, thing, word = random_.choice(PLACES), random_.choice(THINGS), random_.choice(WORDS)
    return random_.choice(
        [
            f"My {word} {thing} {number} is from {place}.",
            f"The port of {word}-{thing}-{number} in {place} is {number % 60_000}.",
        ]
    )


def timed(work: Callable[[int], object], times: int) -> tuple[list[float], list[float]]:
    """Wall and CPU milliseconds of each call."""
    wall, cpu = [], []
    for number in range(times):
        started, worked = time.perf_counter(), time.process_time()
        work(number)
        wall.append((time.perf_counter() - started) * 1000)
        cpu.append((time.process_time() - worked) * 1000)
    return wall, cpu


def p(values: list[float], share: float) -> float:
    return statistics.quantiles(values, n=100)[round(share * 100) - 1]


def fill(memory: Memory, facts: int, seed: int) -> float:
    """Fill the store through add, in batches; gives CPU milliseconds a message."""
    random_ = random.Random(seed)
    worked, told = time.process_time(), 0
    while memory.store.counts(memory.owner).facts < facts:
        memory.add([sentence(random_, told + step) for step in range(200)], session=f"s{told // 200}")
        told += 200
    return (time.process_time() - worked) * 1000 / told


def bare_insert(folder: Path, times: int) -> list[float]:
    """One durable insert of a row of the same size, by SQLite alone, with the same settings."""
    connection = apsw.Connection(str(folder / "bare.db"))
    connection.execute("pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on")
    connection.execute("create table rows (id text primary key, content text, at integer, vector blob) without rowid")
    vector = bytes(256)

    def insert(number: int) -> None:
        connection.execute("begin immediate")
        row = (f"m_{number:026}", "I bought a copper kettle in Porto today.", number, vector)
        connection.execute("insert into rows values (?, ?, ?, ?)", row)
        connection.execute("commit")

    wall, _ = timed(insert, times)
    return wall


def import_ms() -> float:
    """Milliseconds that `import recollect` adds to starting Python, the best of several (a busy machine only adds)."""

    usual = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def start(code: str) -> float:
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, env=usual)
        return (time.perf_counter() - started) * 1000

    return min(start("import recollect") for _ in range(9)) - min(start("pass") for _ in range(9))


def measure(facts: int, times: int, seed: int) -> list[tuple[str, str, str]]:
    """All figures as rows: what, measured, against the floor."""
    random_ = random.Random(seed + 1)
    with tempfile.TemporaryDirectory() as folder_name:
        folder = Path(folder_name)
        memory = Memory(folder / "memory.db", owner="ana")
        bulk_ms = fill(memory, facts, seed)
        embedder = memory._parts.embedder
        assert embedder is not None
        told = [sentence(random_, 10_000_000 + number) for number in range(times)]
        embed, _ = timed(lambda number: embedder.embed([told[number], told[number]]), times)
        # The disk is shared and noisy: the floor is measured before and after, and each add beside it.
        floor = bare_insert(folder, times)
        added, added_cpu = timed(lambda number: memory.add(told[number], session="one"), times)
        (folder / "bare.db").unlink()
        floor += bare_insert(folder, times)
        queries = [
            " ".join((random_.choice(WORDS), random_.choice(THINGS), random_.choice(PLACES))) for _ in range(times)
        ]
        asked = [f"Where is the {query}?" for query in queries]
        memory.search("warm up the index")
        _, searched = timed(lambda number: memory.search(asked[number]), times)
        matrix = np.random.default_rng(seed).standard_normal((facts * 2, embedder.dim)).astype(np.float32)
        _, scan = timed(lambda number: np.argpartition(matrix @ matrix[number], -50), times)
        memory.close()
        opened, _ = timed(lambda _: Memory(folder / "memory.db", owner="ana").close(), 20)
        first, _ = timed(lambda _: Memory(folder / "memory.db", owner="ana").search(asked[0]), 5)
    add_ratio = (p(added, 0.5) - p(embed, 0.5)) / p(floor, 0.5)
    return [
        ("bare durable insert, p50", f"{p(floor, 0.5):.2f} ms", "the floor"),
        ("embed one message and one fact, p50", f"{p(embed, 0.5):.3f} ms", "the floor"),
        (
            "add one message, p50 / p95",
            f"{p(added, 0.5):.2f} / {p(added, 0.95):.2f} ms",
            f"{add_ratio:.2f} × insert (goal ≤ 3)",
        ),
        ("add one message, CPU p50", f"{p(added_cpu, 0.5):.2f} ms", ""),
        ("add in batches of 200, CPU a message", f"{bulk_ms:.2f} ms", ""),
        ("bare numpy scan, CPU p50", f"{p(scan, 0.5):.2f} ms", "the floor"),
        ("search, CPU p50 / p95", f"{p(searched, 0.5):.2f} / {p(searched, 0.95):.2f} ms", "goal: p50 < 5 ms"),
        ("open, p50", f"{statistics.median(opened):.1f} ms", "goal: < 50 ms"),
        ("import recollect", f"{import_ms():.0f} ms", "goal: < 150 ms"),
        ("open and first search", f"{statistics.median(first):.0f} ms", "loads the index"),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--facts", type=int, default=10_000)
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    table = Table(
        "what", "measured", "against", title=f"{options.facts:,} facts of one owner, {options.times} calls each"
    )
    for row in measure(options.facts, options.times, options.seed):
        table.add_row(*row)
    Console().print(table)


if __name__ == "__main__":
    main()
