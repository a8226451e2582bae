"""What a coding agent waits for: `recollect hook` as its own process, on a store of 10,000 facts. `make hooks`.

Each hook is run as an agent runs it, with its JSON on stdin. CPU is what the process and the kernel worked for it; wall
is what the agent waited, on a machine that may be busy with other things. The floors beside it are bare Python, Python
with numpy, and `import recollect`. With `--keep` the stores are used again in a later run, such as one of older code.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table
from speed_verbs import fill

from recollect import Memory

ENDING = {"session_id": "s1", "cwd": "/work/lamp-shop", "transcript_path": "/work/none.jsonl"}
START = {**ENDING, "hook_event_name": "SessionStart", "source": "startup"}
PROMPT = {**ENDING, "hook_event_name": "UserPromptSubmit", "prompt": "Where is my copper kettle kept?"}


class Run(NamedTuple):
    """What one process cost, in milliseconds."""

    cpu: float
    wall: float


def run(command: list[str], given: Mapping[str, str], environment: Mapping[str, str]) -> Run:
    """Run a command to its end."""
    usual = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    started = time.perf_counter()
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**usual, **environment}
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps(given).encode())
        process.stdin.close()
        process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command} ended with {process.returncode}")
    return Run((used.ru_utime + used.ru_stime) * 1000, (time.perf_counter() - started) * 1000)


def filled(folder: Path, embedder: str, facts: int) -> Path:
    """A store with so many facts, a message behind each, and one conversation of the project that hooks ask about."""
    path = folder / f"{embedder}-{facts}.db"
    with Memory(path, embedder=embedder) as memory:
        if not memory.sessions():
            fill(memory, facts, seed=7)
            memory.remember("name", "Ana", pinned=True)
            said = ["My editor is Helix.", "The brochure is for the lamp shop.", "It should be on warm paper."]
            memory.add(said, session="lamp-shop/s0")
    return path


def measured(folder: Path, embedders: list[str], facts: int, times: int) -> Iterator[tuple[str, list[Run]]]:
    """Each thing that is measured, and its runs."""
    python = sys.executable
    for code in ("pass", "import numpy", "import recollect"):
        yield f"python -c '{code}'", [run([python, "-c", code], {}, {}) for _ in range(times)]
    for embedder in embedders:
        path = filled(folder, embedder, facts)
        hook = [python, "-m", "recollect", "hook"]
        settings = {"RECOLLECT_DB": str(path), "RECOLLECT_EMBEDDER": embedder}
        for given in (START, PROMPT):
            event = given["hook_event_name"]
            runs = [run([*hook, event], given, settings) for _ in range(times + 1)][1:]  # the first fills caches
            yield f"{event}, {embedder}", runs


def row(name: str, runs: list[Run]) -> tuple[str, str, str]:
    cpu, wall = [one.cpu for one in runs], [one.wall for one in runs]
    return name, *(f"{statistics.median(values):.0f} ({min(values):.0f})" for values in (cpu, wall))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--facts", type=int, default=10_000)
    parser.add_argument("--times", type=int, default=15)
    parser.add_argument("--embedders", default="quick,minilm", help="names, with commas between them")
    parser.add_argument("--keep", type=Path, help="a folder for the stores; found there, they are used again")
    options = parser.parse_args()
    table = Table("process", "CPU ms, median (least)", "wall ms", title=f"{options.facts:,} facts and their messages")
    with tempfile.TemporaryDirectory() as folder:
        place = options.keep or Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        for name, runs in measured(place, options.embedders.split(","), options.facts, options.times):
            table.add_row(*row(name, runs))
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
