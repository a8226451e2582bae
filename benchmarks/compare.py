"""Two checkouts side by side: whether they find the same, and what a search and an add cost in one beside the other.

`python benchmarks/compare.py ../before` compares this checkout with another one, such as a worktree of the commit that
a change began from. A store is filled once, by the other checkout, with what LoCoMo and LongMemEval say; each checkout
then has a copy of it and a process of its own, and both get the same questions and the same messages, in turn, so that
whatever else the machine does falls on both. Ratios of CPU are of this checkout to the other one. Scores and strengths
have four digits, and count as the same where the last of them differs by one.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from data import HERE

NOW = datetime(2024, 6, 1, tzinfo=timezone.utc)
"""After all that is said in the two sets."""
OWNER = "me"
SAME = 0.00011
WARM = 20
SHOWN = 5
EMBEDDERS = ("quick", "minilm:numpy", "minilm:onnxruntime")

Reply = dict[str, Any]


# In the process of a checkout: its own recollect is imported, so that everything of it stays inside functions.


def serve(path: Path, embedder: str) -> None:
    """Open a store, and answer each line of the input with a line: milliseconds of CPU, and what came out."""
    memory = open_memory(path, embedder)
    verbs = {"fill": lambda _: fill(memory), "search": memory.search, "add": memory.add}
    print(json.dumps({"ready": sys.modules["recollect"].__file__}), flush=True)
    for line in sys.stdin:
        verb, text = json.loads(line)
        started = time.process_time()
        result = verbs[verb](text)
        took = (time.process_time() - started) * 1000
        print(json.dumps({"ms": took, "result": plain(verb, result)}), flush=True)
    memory.close()


def open_memory(path: Path, embedder: str) -> Any:
    from recollect import Clock, Memory
    from recollect.embed.minilm import MiniLMEmbedder

    name, _, runtime = embedder.partition(":")
    model = MiniLMEmbedder(runtime) if name == "minilm" else name  # type: ignore[arg-type]
    steps = iter(range(10**9))
    clock = Clock(now=lambda: NOW + timedelta(milliseconds=next(steps)), randomness=random.Random(7))
    return Memory(path, owner=OWNER, embedder=model, clock=clock)


def fill(memory: Any) -> None:
    """Tell the memory all sessions, each as a batch."""
    from quality_sets import Session, in_order, lme_pool, locomo
    from quality_told import as_given

    talks = [step for story in locomo() for step in story.steps if isinstance(step, Session)]
    evidence = in_order(session for session, _ in lme_pool("user")[1].values())
    for number, session in enumerate([*talks, *evidence]):
        memory.add([as_given(one) for one in session.said], session=f"s{number}")


def plain(verb: str, result: Any) -> Any:
    """What is compared: hits with their scores and reasons, or what became of each draft."""
    if verb == "search":
        reasons = [{reason.signal: reason.strength for reason in hit.reasons} for hit in result]
        return [(hit.id, hit.text, hit.score, why) for hit, why in zip(result, reasons, strict=True)]
    return [(one.outcome, one.fact.text if one.fact else "") for one in result.receipts] if verb == "add" else None


# In the process that was started: it asks both and compares what they say.


@dataclass
class Side:
    """One checkout at work."""

    process: subprocess.Popen[str]

    @classmethod
    def start(cls, checkout: Path, store: Path, embedder: str) -> Side:
        env = {**os.environ, "PYTHONPATH": str(checkout / "src"), "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
        command = [sys.executable, __file__, "--serve", str(store), "--embedder", embedder]
        process = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        side = cls(process)
        if not Path(imported := side.read()["ready"]).is_relative_to(checkout):
            raise SystemExit(f"{checkout} was meant, but {imported} was imported")
        return side

    def ask(self, verb: str, text: str = "") -> Reply:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps([verb, text]) + "\n")
        self.process.stdin.flush()
        return self.read()

    def read(self) -> Reply:
        assert self.process.stdout is not None
        if not (line := self.process.stdout.readline()):
            raise SystemExit(f"the process of a checkout ended with {self.process.wait()}")
        return json.loads(line)  # type: ignore[no-any-return]

    def end(self) -> None:
        self.process.communicate()


def same(one: Any, other: Any) -> bool:
    """Whether two results are the same, but for the last digits of numbers."""
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= SAME
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(same(*pair) for pair in zip(one, other, strict=True))
    return bool(one == other)


def compared(verb: str, texts: list[str], ours: Side, theirs: Side) -> Iterator[str]:
    """Lines that say what both did with these texts."""
    times: list[tuple[float, float]] = []
    different: list[tuple[str, Reply, Reply]] = []
    for number, text in enumerate(texts):
        sides = (ours, theirs) if number % 2 else (theirs, ours)
        first, second = (side.ask(verb, text) for side in sides)
        mine, other = (first, second) if number % 2 else (second, first)
        if number >= WARM:
            times.append((mine["ms"], other["ms"]))
        if not same(mine["result"], other["result"]):
            different.append((text, mine["result"], other["result"]))
    ratio = statistics.median(here / there for here, there in times)
    here, there = ([each[place] for each in times] for place in (0, 1))
    yield (
        f"{verb}: ratio {ratio:.3f} (median of {len(times)}), of means {sum(here) / sum(there):.3f}; "
        f"ms of CPU, p50 / p95 / mean: here {spread(here)}, there {spread(there)}; "
        f"different results: {len(different)} of {len(texts)}"
    )
    for text, result, former in different[:SHOWN]:
        yield f"  {text!r}\n    here  {json.dumps(result)[:600]}\n    there {json.dumps(former)[:600]}"


def spread(times: list[float]) -> str:
    middle, high = statistics.median(times), statistics.quantiles(times, n=20)[-1]
    return f"{middle:.2f} / {high:.2f} / {statistics.mean(times):.2f}"


def chosen(questions: int, adds: int) -> tuple[list[str], list[str]]:
    """Questions of both sets, mixed; and things to say, which are what other people's assistants were asked."""
    from quality_sets import Asked, lme_pool, locomo

    rows, pool = lme_pool("user")
    asked = [step.text for story in locomo() for step in story.steps if isinstance(step, Asked)]
    asked += [row["question"] for row in rows]
    said = [one.text for session, _ in pool.values() for one in session.said]
    random_ = random.Random(3)
    return random_.sample(asked, min(questions, len(asked))), random_.sample(said, min(adds, len(said)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=Path, nargs="?", help="the checkout to compare with")
    parser.add_argument("--embedder", choices=EMBEDDERS, default=EMBEDDERS[0])
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--adds", type=int, default=200)
    parser.add_argument("--keep", type=Path, help="a folder for the filled stores; found there, they are used again")
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve, options.embedder)
    elif options.other is None:
        parser.error("which checkout to compare with?")
    else:
        with tempfile.TemporaryDirectory() as folder:
            run(options, Path(folder))


def run(options: argparse.Namespace, folder: Path) -> None:
    checkouts = [HERE.parent, options.other.resolve()]
    kept = (options.keep or folder) / f"{options.embedder.partition(':')[0]}.db"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        side = Side.start(checkouts[1], part := kept.with_suffix(".part"), options.embedder)
        side.ask("fill")
        side.end()
        part.rename(kept)
    sides = []
    for number, checkout in enumerate(checkouts):
        copy = shutil.copy(kept, folder / f"copy-{number}.db")
        sides.append(Side.start(checkout, Path(copy), options.embedder))
    questions, said = chosen(options.questions, options.adds)
    for verb, texts in (("search", questions), ("add", said)):
        if len(texts) > WARM:
            print(*compared(verb, texts, *sides), sep="\n", flush=True)
    for side in sides:
        side.end()


if __name__ == "__main__":
    main()
