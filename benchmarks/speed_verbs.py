"""What adding and opening cost, beside what they cannot be quicker than: a bare durable insert and an embed call."""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import apsw
from speed_fill import questions, sentence
from speed_search import p, timed

from recollect import Memory
from recollect.embed import Embedder

WARM = 50


def fill(memory: Memory, facts: int, seed: int) -> float:
    """Fill the store through add, in batches; gives CPU milliseconds a message."""
    random_ = random.Random(seed)
    worked, told = time.process_time(), 0
    while memory.store.counts(memory.owner).facts < facts:
        added = memory.add([sentence(random_, told + step) for step in range(200)], session=f"s{told // 200}")
        if not added.receipts:  # a loop without end else
            raise SystemExit("the reader finds no fact in the sentences of speed_fill")
        told += 200
    return (time.process_time() - worked) * 1000 / told


def bare_insert(folder: Path) -> Callable[[int], None]:
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

    return insert


class Watched:
    """How many milliseconds an embedder took since it was last asked."""

    def __init__(self, embedder: Embedder) -> None:
        self.took, self.inside = 0.0, False
        for name in ("embed", "embed_tokens"):
            if hasattr(embedder, name):
                setattr(embedder, name, partial(self.call, getattr(embedder, name)))

    def call(self, embed: Callable[..., Any], *texts: Any) -> Any:
        if self.inside:  # one way to embed may use the other
            return embed(*texts)
        self.inside, started = True, time.perf_counter()
        try:
            return embed(*texts)
        finally:
            self.took += (time.perf_counter() - started) * 1000
            self.inside = False

    def read(self) -> float:
        took, self.took = self.took, 0.0
        return took


@dataclass
class Adds:
    """Milliseconds of adds, of the embedder inside them, and of a bare insert beside each."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    embed: list[float] = field(default_factory=list)
    floor: list[float] = field(default_factory=list)
    flush: list[float] = field(default_factory=list)
    """What the disk takes to keep a page for good."""

    @property
    def own_cpu(self) -> list[float]:
        """CPU of each add beside the embedder, which computes all the time that it takes."""
        return [max(0.0, cpu - embed) for cpu, embed in zip(self.cpu, self.embed, strict=True)]

    @property
    def ratio(self) -> float:
        """What an add takes beside the embedder, as a multiple of a bare insert."""
        own = [wall - embed for wall, embed in zip(self.wall, self.embed, strict=True)]
        return p(own, 0.5) / p(self.floor, 0.5)


def adds(memory: Memory, folder: Path, told: Sequence[str]) -> Adds:
    """Each add beside a bare insert, since the disk is shared and noisy; the first fifty only warm up."""
    embedder = memory._runtime.embedder
    assert embedder is not None
    found, watch, insert = Adds(), Watched(embedder), bare_insert(folder)
    for number, text in enumerate(told):
        once, bare = timed(lambda _, text=text: memory.add(text, session="one"), 1), timed(insert_at(insert, number), 1)
        embed, flush = watch.read(), timed(lambda _: keep_page(folder / "flush"), 1)
        if number >= WARM:
            found.flush += flush.wall
            found.wall += once.wall
            found.cpu += once.cpu
            found.embed.append(embed)
            found.floor += bare.wall
    return found


def keep_page(path: Path) -> None:
    """Keep 4 KiB for good, by the disk alone."""
    with path.open("ab") as file:
        file.write(b"x" * 4096)
        file.flush()
        os.fsync(file.fileno())


def insert_at(insert: Callable[[int], None], number: int) -> Callable[[int], None]:
    return lambda _: insert(number)


def import_ms() -> float:
    """Milliseconds that `import recollect` adds to starting Python, the best of several (a busy machine only adds)."""

    usual = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def start(code: str) -> float:
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, env=usual)
        return (time.perf_counter() - started) * 1000

    return min(start("import recollect") for _ in range(9)) - min(start("pass") for _ in range(9))


def measure(facts: int, times: int, seed: int, embedder: str) -> list[tuple[str, str, str]]:
    """The figures of one embedder as rows: what, measured, against the floor."""
    random_ = random.Random(seed + 1)
    with tempfile.TemporaryDirectory() as folder_name:
        folder = Path(folder_name)
        memory = Memory(folder / "memory.db", owner="ana", embedder=embedder)
        bulk_ms = fill(memory, facts, seed)
        told = [sentence(random_, 10_000_000 + number) for number in range(WARM + times)]
        added = adds(memory, folder, told)
        asked = questions(random_, times)
        memory.search("warm up the index")
        searched = timed(lambda number: memory.search(asked[number]), times).cpu
        memory.close()
        opened = timed(lambda _: Memory(folder / "memory.db", owner="ana").close(), 20).wall
    return [
        (f"{embedder}: a flush of 4 KiB, p50", f"{p(added.flush, 0.5):.2f} ms", "one beside each add"),
        (f"{embedder}: bare durable insert, p50", f"{p(added.floor, 0.5):.2f} ms", "the floor, one beside each add"),
        (f"{embedder}: the embedder inside an add, p50", f"{p(added.embed, 0.5):.3f} ms", "a message and its fact"),
        (
            f"{embedder}: add one message, p50 / p95",
            f"{p(added.wall, 0.5):.2f} / {p(added.wall, 0.95):.2f} ms",
            f"without the embedder {added.ratio:.2f} × insert (goal ≤ 3)",
        ),
        (
            f"{embedder}: add one message, CPU p50",
            f"{p(added.cpu, 0.5):.2f} ms",
            f"without the embedder {p(added.own_cpu, 0.5):.2f} ms",
        ),
        (f"{embedder}: add in batches of 200, CPU a message", f"{bulk_ms:.2f} ms", f"until there are {facts:,} facts"),
        (
            f"{embedder}: embed and search, CPU p50 / p95",
            f"{p(searched, 0.5):.2f} / {p(searched, 0.95):.2f} ms",
            "goal: p50 < 5 ms",
        ),
        (f"{embedder}: open, p50", f"{statistics.median(opened):.1f} ms", "goal: < 50 ms"),
    ]
