"""What size costs, on both stores, as ratios to the bare engine measured in the same run: `make scale`.

Owners of 1,000 facts each are added until there are 1,000 of them, and one owner is filled to 100,000 facts. On the way
searches and adds are timed in an owner of fixed size, beside what they cannot be quicker than: one durable insert of a
row by bare SQL, one bare query of the engine for the nearest vectors of the same owner. Bulk ingest and the import of
JSON Lines are compared with a batch insert of the very same rows by the bare engine. What counts is CPU, of client and
server together; times of the wall are kept beside it.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

import numpy as np
from scale_engines import DIM, EACH, Postgres, SQLite, Vectors
from scale_page import DOCS, INGEST, Bulk, Figures, page, plot, write

from recollect import Fact, Memory, Message
from recollect.records import Change, Source
from recollect.serialize import to_plain
from recollect.store import Store, open_store

T0 = datetime(2026, 1, 1, tzinfo=timezone.utc)
SECOND = timedelta(seconds=1)
WORDS = (
    "copper velvet autumn harbor marble signal ember willow granite meadow canyon lantern saffron cobalt kettle "
    "bicycle camera violin tent notebook drone easel loom kayak lathe anvil sextant astrolabe Lisbon Porto Rome Oslo "
    "Bergen Graz Kyoto Quito Lima Turin Ghent Malmo Leeds Basel Cork Split garden engine bottle window ladder silver"
).split()
PARTS = ("bulk", "import facts", "import", "owners", "one owner")
Engine = SQLite | Postgres


class Toy:
    """An embedder that costs next to nothing, so that the stores are measured and not it."""

    name, dim = "toy", DIM

    def embed(self, texts: Sequence[str]) -> Vectors:
        seeds = [hash(text) & 0xFFFF for text in texts]
        return np.stack([POOL[seed] for seed in seeds])


POOL = np.random.default_rng(3).normal(size=(0x10000, DIM)).astype(np.float32)
POOL /= np.linalg.norm(POOL, axis=1, keepdims=True)


def facts_of(owner: str, count: int, seed: int, first: int = 0) -> list[Fact]:
    """Short statements, no two the same."""
    chance, made = random.Random(seed), []
    for number in range(first, first + count):
        one, two, three, four, five = chance.choices(WORDS, k=5)
        value = f"{one} {two} {chance.randrange(10**6)}"
        text = f"The {three} {four} of the {five} is {value}."
        said = T0 - chance.randrange(10**8) * SECOND
        made.append(Fact(f"f{number}", owner, "user", f"{three} {four}", value, text, "other", said, T0))
    return made


def timed(work: Callable[[int], object], times: int) -> list[float]:
    """Milliseconds of each call."""
    found = []
    for number in range(times):
        started = time.perf_counter()
        work(number)
        found.append((time.perf_counter() - started) * 1000)
    return found


# Measuring


def ingest(engine: Engine, store: Store, owner: str, count: int, seed: int, first: int = 0) -> float:
    """Keep facts with their vectors, a thousand at a time; gives the seconds of CPU that the store took."""
    took = 0.0
    for start in range(first, first + count, EACH):
        facts = facts_of(owner, EACH, seed + start, start)
        vectors = Toy().embed([fact.text for fact in facts])
        started = engine.cpu()
        with store.transaction(owner):
            store.save(owner, facts)
            store.save_vectors(owner, "toy", dict(zip([fact.id for fact in facts], vectors, strict=True)))
        took += engine.cpu() - started
        engine.keep(owner, vectors)
    return took


def measured(engine: Engine, memory: Memory, writer: Memory, size: int, times: int) -> Figures:
    """Search in one owner, add to another who has as much, or to the same, and the bare engine's floors. What is asked
    and said first only warms up."""
    chance = random.Random(size)
    questions = [
        f"what is the {' '.join(chance.choices(WORDS, k=2))} of the {chance.choice(WORDS)}?" for _ in range(times)
    ]
    sayings = [f"The {chance.choice(WORDS)} {chance.choice(WORDS)} is {chance.randrange(10**9)}." for _ in range(times)]
    engine.vacuum()
    for number in range(5):
        writer.add(f"The {WORDS[number]} is {size + number}.")
        memory.search(questions[number % times])
    work: dict[str, Callable[[int], object]] = {
        "search": lambda number: memory.search(questions[number]),
        "bare query": lambda number: engine.query(memory.owner, POOL[number]),
        "add": lambda number: writer.add(sayings[number]),
        "bare insert": engine.insert,
    }
    wall, cpu = {}, {}
    for name, one in work.items():
        many, started = times * (10 if name.startswith("bare") else 1), engine.cpu()  # a server counts its CPU coarsely
        wall[name] = timed(one, many)
        cpu[name] = (engine.cpu() - started) * 1000 / many
    kinds = [wall[name] for name in ("search", "add", "bare query", "bare insert")]
    shape = "one owner" if writer is memory else "owners"
    return Figures(engine.name, shape, size, *kinds, cpu, engine.disk())


def many_owners(engine: Engine, owners: int, times: int) -> Iterator[Figures]:
    """Owners of 1,000 facts each, until there are so many."""
    memory = Memory(engine.url(), owner="o0", embedder=Toy())
    ingest(engine, memory.store, "writer", EACH, 1)
    done = 0
    for many in [size for size in (1, 10, 100, 1000) if size <= owners]:
        took = sum(ingest(engine, memory.store, f"o{number}", EACH, number * 7) for number in range(done, many))
        figures = measured(engine, memory, memory.of("writer"), many * EACH, times)
        figures.ingest = (many - done) * EACH / took
        done = many
        if many == owners:
            figures.in_turns = in_turns(engine, memory, times)
        yield figures
    memory.close()


def in_turns(engine: Engine, memory: Memory, times: int) -> list[float]:
    """Milliseconds of CPU of a search in this store, and in one that has the same owner alone: in turns, since what
    else the machine does changes by the minute."""
    with Memory(engine.elsewhere(), owner=memory.owner, embedder=Toy()) as alone:
        ingest(engine, alone.store, memory.owner, EACH, 0)
        engine.vacuum()
        took = [0.0, 0.0]
        for turn in range(11):
            for place, one in enumerate((memory, alone)):
                started = engine.cpu()
                for number in range(times):
                    one.search(f"what is the {WORDS[(turn + number) % len(WORDS)]} of the {WORDS[number % 7]}?")
                took[place] += engine.cpu() - started if turn else 0.0  # the first warms up
    return [one * 1000 / times / 10 for one in took]


def one_owner(engine: Engine, facts: int, times: int) -> Iterator[Figures]:
    """One owner who has more and more."""
    memory = Memory(engine.url(), owner="big", embedder=Toy())
    done = 0
    for many in [size for size in (1_000, 10_000, 100_000) if size <= facts]:
        took = ingest(engine, memory.store, "big", many - done, 1, done)
        figures = measured(engine, memory, memory, many, times)
        figures.ingest = (many - done) / took
        done = many
        yield figures
    if isinstance(engine, Postgres):
        memory.store.index_vectors("big", "toy")  # type: ignore[attr-defined]
        yield replace(measured(engine, memory, memory, done, times), store=f"{engine.name}, HNSW")
    memory.close()


def bulk(engine: Engine, owners: int) -> Bulk:
    """Ingest beside the bare engine, on a store of its own. The first batch only warms up: it reads our tables."""
    store = open_store(engine.url())
    batches = [(f"b{number}", facts_of(f"b{number}", EACH, number)) for number in range(owners)]
    vectors = [Toy().embed([fact.text for fact in facts]) for _, facts in batches]
    took = 0.0
    for batch, ((owner, facts), rows) in enumerate(zip(batches, vectors, strict=True)):
        started = engine.cpu()
        with store.transaction(owner):
            store.save(owner, facts)
            store.save_vectors(owner, "toy", dict(zip([fact.id for fact in facts], rows, strict=True)))
        took += engine.cpu() - started if batch else 0.0
        engine.beside(batch)
    store.close()
    return Bulk(engine.name, took, engine.bulk())


def whole_memory(facts: Sequence[Fact]) -> tuple[list[Message], list[Fact], list[Change]]:
    """These facts with the messages that they come from and the changes that log them."""
    messages, quoting, changes = [], [], []
    for fact in facts:
        messages.append(Message(f"m{fact.id}", fact.owner, "default", "user", fact.text, fact.said, learned=T0))
        quoting.append(replace(fact, sources=(Source(f"m{fact.id}", fact.text),)))
        after = to_plain(quoting[-1])
        origin = fact.owner, "stored", "fact", fact.id, T0, "user", "you said so", f"g{fact.id}"
        changes.append(Change(f"c{fact.id}", *origin, after=after))
    return messages, quoting, changes


def export(folder: Path, owner: str, facts: Sequence[Fact], *, whole: bool) -> Path:
    """The file that an owner's export is: of the facts alone, or of a whole memory."""
    messages, facts, changes = whole_memory(facts) if whole else ([], facts, [])
    with Memory(":memory:", owner=owner, embedder=None, reader=None) as memory:
        memory.store.save(owner, messages)
        memory.store.save(owner, facts)
        memory.store.save(owner, changes)
        memory.export_to(folder / "export.jsonl")
    return folder / "export.jsonl"


def imported(engine: Engine, owners: int, folder: Path, part: str) -> Bulk:
    """Import beside the bare engine: an export an owner, each read, checked and kept in one transaction. There is no
    embedder: an export has no vectors. The first only warms up."""
    took = read_alone = 0.0
    with Memory(engine.url(), embedder=None, reader=None) as memory:
        for batch in range(owners):
            owner = f"b{batch}"
            file = export(folder, owner, facts_of(owner, EACH, batch), whole=part == "import")
            into, started = memory.of(owner), engine.cpu()
            into.import_from(file)
            took += engine.cpu() - started if batch else 0.0
            started = time.process_time()
            for line in file.read_text(encoding="utf-8").splitlines():
                json.loads(line)
            read_alone += time.process_time() - started if batch else 0.0
            engine.beside(batch)
    return Bulk(engine.name, took, engine.bulk(), INGEST[part], read_alone)


def read(file: Path | None) -> tuple[list[Figures], list[Bulk]]:
    """What an earlier run kept."""
    if file is None or not file.exists():
        return [], []
    kept = json.loads(file.read_text())
    return [Figures(**one) for one in kept["figures"]], [Bulk(**one) for one in kept["bulks"]]


def is_there(figures: Sequence[Figures], store: str, shape: str) -> bool:
    return any((one.store, one.shape) == (store, shape) for one in figures)


def measure(engine: Engine, part: str, given: argparse.Namespace, figures: list[Figures], bulks: list[Bulk]) -> None:
    try:
        if part == "bulk":
            bulks.append(bulk(engine, min(50, given.owners)))
        elif part in INGEST:
            with tempfile.TemporaryDirectory(prefix="recollect-export-") as folder:
                bulks.append(imported(engine, min(20, given.owners), Path(folder), part))
        elif part == "owners":
            figures += many_owners(engine, given.owners, given.times)
        else:
            figures += one_owner(engine, given.facts, given.times)
    finally:
        engine.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--owners", type=int, default=1000, help="owners of 1,000 facts each")
    parser.add_argument("--facts", type=int, default=100_000, help="facts of the one large owner")
    parser.add_argument("--times", type=int, default=60, help="searches and adds at each size")
    parser.add_argument("--only", choices=["sqlite", "postgres"], help="one store alone")
    parser.add_argument("--parts", choices=PARTS, nargs="+", default=PARTS, help="what to measure")
    parser.add_argument("--write", action="store_true", help="write the figures into docs/scale.md, and docs/scale.svg")
    parser.add_argument("--keep", type=Path, help="keep what was measured in this file, and go on from what it has")
    parser.add_argument("--join", type=Path, nargs="*", default=[], help="files of other runs to show with this one")
    given = parser.parse_args()
    figures, bulks = read(given.keep)
    kinds: list[type[Engine]] = [SQLite, Postgres]
    for kind in [one for one in kinds if given.only in (None, one.__name__.lower())]:
        for part in given.parts:
            if is_there(figures, kind.name, part) or any(
                (kind.name, INGEST.get(part)) == (one.store, one.what) for one in bulks
            ):
                continue
            with tempfile.TemporaryDirectory(prefix="recollect-scale-") as folder:
                measure(kind(Path(folder)), part, given, figures, bulks)
            if given.keep:
                kept = {"figures": [asdict(one) for one in figures], "bulks": [asdict(one) for one in bulks]}
                given.keep.write_text(json.dumps(kept))
    for file in given.join:
        more, more_bulks = read(file)
        figures, bulks = figures + more, bulks + more_bulks
    text = page(figures, bulks)
    print(text)
    if given.write:
        write(text)
        plot(figures, DOCS / "scale.svg")


if __name__ == "__main__":
    main()
