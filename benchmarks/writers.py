"""How long each of several processes waits to write to one SQLite file, and whether every write succeeds.

    PYTHONPATH=src python benchmarks/writers.py [--processes 2 8] [--writes 25] [--busy-loops 0]

Every process adds messages to an owner of its own, as fast as it can, without a reader or embedder. `--busy-loops`: so
many processes beside them that do nothing but compute, as on a loaded machine. Failed writes exit with 1.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import tempfile
import time
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import NamedTuple

from recollect import Memory
from recollect.errors import StoreError

SPAWN = multiprocessing.get_context("spawn")


class Waited(NamedTuple):
    """Seconds that each write took, what failed, and seconds of all together."""

    seconds: list[float]
    failed: list[str]
    elapsed: float


def write(path: str, number: int, writes: int, begin: Barrier, done: Queue[Waited]) -> None:
    """What one process does."""
    seconds, failed = list[float](), list[str]()
    with Memory(path, owner=f"owner {number}", embedder=None, reader=None) as memory:
        begin.wait()
        first = time.monotonic()
        for count in range(writes):
            began = time.monotonic()
            try:
                memory.add(f"message {count} of {number}")
            except StoreError as error:
                failed.append(str(error))
            seconds.append(time.monotonic() - began)
    done.put(Waited(seconds, failed, time.monotonic() - first))


def compute() -> None:
    while True:
        sum(range(10_000))


def measure(path: Path, processes: int, writes: int) -> Waited:
    """So many processes, each with so many writes."""
    begin, done = SPAWN.Barrier(processes), SPAWN.Queue()
    children = [SPAWN.Process(target=write, args=(str(path), each, writes, begin, done)) for each in range(processes)]
    for child in children:
        child.start()
    found = [done.get() for _ in children]
    for child in children:
        child.join()
    seconds = sorted(each for one in found for each in one.seconds)
    return Waited(seconds, [each for one in found for each in one.failed], max(one.elapsed for one in found))


def line(processes: int, waited: Waited) -> str:
    def at(share: float) -> float:
        return waited.seconds[min(len(waited.seconds) - 1, int(share * len(waited.seconds)))] * 1000

    total, failed = len(waited.seconds), len(waited.failed)
    return (
        f"{processes} processes: {total} writes in {waited.elapsed:.2f} s, "
        f"p50 {at(0.5):.0f} ms, p99 {at(0.99):.0f} ms, max {at(1):.0f} ms, failed {failed}"
    )


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--processes", type=int, nargs="+", default=[2, 8])
    options.add_argument("--writes", type=int, default=25)
    options.add_argument("--busy-loops", type=int, default=0)
    asked = options.parse_args()
    busy = [SPAWN.Process(target=compute, daemon=True) for _ in range(asked.busy_loops)]
    for one in busy:
        one.start()
    failed = list[str]()
    with tempfile.TemporaryDirectory() as folder:
        for processes in asked.processes:
            waited = measure(Path(folder) / f"{processes}.db", processes, asked.writes)
            failed += waited.failed
            print(line(processes, waited), flush=True)
    for one in busy:
        one.terminate()
    print(*sorted(set(failed)), sep="\n", end="")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
