"""What adding and opening cost, beside what they cannot be quicker than: a bare durable insert and an embed call."""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import apsw
from speed_fill import questions, sentence
from speed_search import p, timed

from recollect import Memory


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

    return timed(insert, times).wall


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
        embed = timed(lambda number: embedder.embed([told[number], told[number]]), times).wall
        # The disk is shared and noisy: the floor is measured before and after, and each add beside it.
        floor = bare_insert(folder, times)
        added = timed(lambda number: memory.add(told[number], session="one"), times)
        (folder / "bare.db").unlink()
        floor += bare_insert(folder, times)
        asked = questions(random_, times)
        memory.search("warm up the index")
        searched = timed(lambda number: memory.search(asked[number]), times).cpu
        memory.close()
        opened = timed(lambda _: Memory(folder / "memory.db", owner="ana").close(), 20).wall
    add_ratio = (p(added.wall, 0.5) - p(embed, 0.5)) / p(floor, 0.5)
    return [
        ("bare durable insert, p50", f"{p(floor, 0.5):.2f} ms", "the floor"),
        ("embed one message and one fact, p50", f"{p(embed, 0.5):.3f} ms", "the floor"),
        (
            "add one message, p50 / p95",
            f"{p(added.wall, 0.5):.2f} / {p(added.wall, 0.95):.2f} ms",
            f"{add_ratio:.2f} × insert (goal ≤ 3)",
        ),
        ("add one message, CPU p50", f"{p(added.cpu, 0.5):.2f} ms", ""),
        ("add in batches of 200, CPU a message", f"{bulk_ms:.2f} ms", f"until there are {facts:,} facts"),
        ("embed and search, CPU p50 / p95", f"{p(searched, 0.5):.2f} / {p(searched, 0.95):.2f} ms", "goal: p50 < 5 ms"),
        ("open, p50", f"{statistics.median(opened):.1f} ms", "goal: < 50 ms"),
        ("import recollect", f"{import_ms():.0f} ms", "goal: < 150 ms"),
    ]
