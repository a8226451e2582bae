"""What comes first, when nothing comes, and what names and notes cost. `python benchmarks/ranking.py`

Offline, in a few minutes. PrefEval is told as one user with one preference of each topic; without that data set
(RECOLLECT_DATA, or ../shared/data) this part is left out, and named. All else is made here. Costs are ratios of CPU
within one run: how many times as much a search, an add and a note take beside very many names and notes as beside few.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta, timezone

import data
import plain
import short
from quality_sets import questions_of
from rich.console import Console
from rich.table import Table

from recollect import Hit, Memory

START = datetime(2026, 1, 1, tzinfo=timezone.utc)
FEW, MANY = 10, 5_000
ROUNDS, TIMES = 4, 20
Row = tuple[str, str, str]


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse(arguments)
    table = Table("what", "measured", "goal", title="Ranking")
    for rows in parts(options):
        for row in rows:
            table.add_row(*row)
    Console(width=100).print(table)
    return 0


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--embedders", default="minilm,quick", help="names of embedders, with commas")
    parser.add_argument("--sizes", default="1000,10000", help="how many plain messages, with commas")
    parser.add_argument("--users", type=int, default=20, help="users of PrefEval")
    options = parser.parse_args(arguments)
    options.embedders, options.sizes = options.embedders.split(","), [int(size) for size in options.sizes.split(",")]
    return options


def parts(options: argparse.Namespace) -> Iterator[list[Row]]:
    yield [first_hits(size) for size in options.sizes]
    for embedder in options.embedders:
        yield silence(embedder)
        try:
            yield advice(embedder, options.users)
        except data.Absent as error:
            yield [(f"advice, {embedder}", "left out", str(error))]
    yield costs()


def told(texts: Sequence[str], embedder: str) -> tuple[Memory, dict[str, str]]:
    """A memory without facts that was told these texts, each in a session of its own; and the text of each message."""
    memory = Memory(":memory:", owner="me", embedder=embedder, reader=None)
    said = [{"role": "user", "content": text, "at": START + n * timedelta(minutes=1)} for n, text in enumerate(texts)]
    with memory.store.transaction("me"):
        added = [memory.add([one], session=f"s{place}").messages[0] for place, one in enumerate(said)]
    return memory, {message.id: message.content for message in added}


def is_first(hits: Sequence[Hit], text: str) -> bool:
    return bool(hits) and hits[0].text == text


def first_hits(size: int) -> Row:
    """How often the first hit is the plain message that answers."""
    pairs = list(plain.plain_messages(size))
    memory, _ = told([text for text, _ in pairs], "quick")
    asked = random.Random(1).sample(pairs, 300)
    right = sum(is_first(memory.search(question, limit=1), text) for text, question in asked) / len(asked)
    return f"first hit right, {size:,} plain messages", f"{right:.3f}", "0.98" if size <= 1_000 else "0.93"


def silence(embedder: str) -> list[Row]:
    """What a memory of short messages answers, and where it is silent."""
    memory, _ = told(short.SAID, embedder)
    answered = [is_first(memory.search(question), short.SAID[place]) for question, place in short.ANSWERED]
    silent = {
        name: [not memory.search(question) for question in questions]
        for name, questions in (("unrelated", short.UNANSWERED), ("close", short.CLOSE))
    }
    both = [*silent["unrelated"], *silent["close"]]
    rows = [(f"short messages, first hit right, {embedder}", share(answered), "0.9")]
    rows += [(f"short messages, silent, {name}, {embedder}", share(found), "") for name, found in silent.items()]
    return [*rows, (f"short messages, silent, {embedder}", share(both), "0.5")]


def share(found: Sequence[bool]) -> str:
    return f"{sum(found) / len(found):.3f}"


def advice(embedder: str, users: int) -> list[Row]:
    """Whether the preference that a request needs is among the first five, and where nothing comes for other lives."""
    topics: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in data.rows(data.find("prefeval", "prefeval_explicit.jsonl")):
        topics[row["topic"]].append(row)
    found, many, silent = list[bool](), list[int](), list[bool]()
    for user in range(users):
        wishes = [rows[user % len(rows)] for rows in topics.values()]
        memory, _ = told([wish["preference"] for wish in wishes], embedder)
        for wish in wishes:
            hits = memory.search(wish["question"], limit=20)
            found.append(wish["preference"] in [hit.text for hit in hits[:5]])
            many.append(len(hits))
        strange = random.Random(user).sample(questions_of("pool"), 10)
        silent += [not memory.search(question, limit=1) for question in strange]
    return [
        (f"PrefEval as one user, among the first five, {embedder}", share(found), "0.88"),
        (f"the same, hits, {embedder}", f"{sum(many) / len(many):.1f}", ""),
        (f"the same, silent at LongMemEval's questions, {embedder}", share(silent), "0.5"),
    ]


def costs() -> list[Row]:
    """The CPU of a verb beside very many names or notes, as a multiple of that beside few."""
    named = [with_names(many) for many in (FEW, MANY)]
    noted = [with_notes(many) for many in (100, MANY)]
    searched = [cpu(lambda _, one=one: one.search("Where does Person0007 live?")) for one in named]
    added = [cpu(lambda n, one=one: one.add(f"The {n}th box went to Person0005.")) for one in named]
    written = [cpu(lambda n, one=one: one.notes.write(f"/memories/new/{n}.md", "text")) for one in noted]
    told = (("search", searched), ("add", added), ("notes.write", written))
    return [(f"{verb}: CPU with {MANY:,}, beside few", f"{took[1] / took[0]:.2f}", "1.5") for verb, took in told]


def with_names(many: int) -> Memory:
    memory = Memory(":memory:", owner="me", embedder="quick")
    with memory.store.transaction("me"):
        for number in range(MANY):
            key, value = ("friend", "Person") if number < many else (f"shelf {number}", "Thing")
            memory.remember(key, f"{value}{number:04}")
    return memory


def with_notes(many: int) -> Memory:
    memory = Memory(":memory:", owner="me", embedder=None, reader=None)
    with memory.store.transaction("me"):
        for number in range(many):
            memory.notes.write(f"/memories/a{number % 20}/{number}.md", "text")
    return memory


def cpu(work: Callable[[int], object]) -> float:
    """The least CPU that one of several rounds took."""
    rounds = []
    for part in range(ROUNDS):
        began = time.process_time()
        for number in range(TIMES):
            work(part * TIMES + number)
        rounds.append(time.process_time() - began)
    return min(rounds)


if __name__ == "__main__":
    raise SystemExit(main())
