"""What size costs, on both stores, as ratios to the bare engine measured in the same run: `make scale`.

Owners of 1,000 facts each are added until there are 1,000 of them, and one owner is filled to 100,000 facts. On the way
searches and adds are timed in an owner of fixed size, beside what they cannot be quicker than: one durable insert of a
row by bare SQL, one bare query of the engine for the nearest vectors of the same owner. Bulk ingest and the import of
JSON Lines are compared with a batch insert of the very same rows by the bare engine. Times are of the wall; where other
work shares the machine, read the ratios.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import apsw
import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.servers import Server

from recollect import Change, Fact, Memory, Message, Source, to_plain
from recollect.stores import Store, open_store
from recollect.stores.ledgers import span

DOCS = Path(__file__).parent.parent / "docs"
T0 = datetime(2026, 1, 1, tzinfo=timezone.utc)
SECOND = timedelta(seconds=1)
WORDS = (
    "copper velvet autumn harbor marble signal ember willow granite meadow canyon lantern saffron cobalt kettle "
    "bicycle camera violin tent notebook drone easel loom kayak lathe anvil sextant astrolabe Lisbon Porto Rome Oslo "
    "Bergen Graz Kyoto Quito Lima Turin Ghent Malmo Leeds Basel Cork Split garden engine bottle window ladder silver"
).split()
DIM = 256
EACH = 1_000
PARTS = ("bulk", "import facts", "import", "owners", "one owner")
INGEST = {
    "bulk": "facts with vectors",
    "import facts": "import of facts",
    "import": "import of messages, facts and changes",
}
"""The parts that are compared with a bare insert of the same rows, and what they keep."""
Vectors = npt.NDArray[np.float32]


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


@dataclass
class Figures:
    """What was measured at one size."""

    store: str
    shape: str
    facts: int
    search: list[float]
    add: list[float]
    bare_query: list[float]
    bare_insert: list[float]
    cpu: dict[str, float]
    """Milliseconds of CPU that each took on average, client and server together."""
    disk: int
    ingest: float = 0.0
    """Facts a second since the last size."""


@dataclass
class Bulk:
    """Seconds of CPU for bulk ingest, client and server together, beside the bare engine's for the same rows."""

    store: str
    ours: float
    bare: dict[str, float] = field(default_factory=dict)
    what: str = INGEST["bulk"]
    json: float = 0.0
    """Of ours: what `json.loads` takes to read the same lines, one by one."""


def timed(work: Callable[[int], object], times: int) -> list[float]:
    """Milliseconds of each call."""
    found = []
    for number in range(times):
        started = time.perf_counter()
        work(number)
        found.append((time.perf_counter() - started) * 1000)
    return found


def p(values: Sequence[float], share: float) -> float:
    return statistics.quantiles(values, n=100, method="inclusive")[round(share * 100) - 1]


# The engines

_ITEMS = "where item between :first and :last"
_NUMBERS = "where number between :first and :last"
ROWS = {
    "owners": "select * from owners where number = :owner",
    "models": "select * from models",
    "items": f"select * from items {_ITEMS}",
    "messages": f"select * from messages {_ITEMS}",
    "facts": f"select * from facts {_ITEMS}",
    "sources": "select * from sources where owner = :owner",
    "changes": f"select * from changes {_NUMBERS}",
    "words": "select rowid, * from words where rowid between :first and :last",
    "vectors": f"select * from vectors {_NUMBERS}",
}
"""The rows of a batch, which is the newest owner's, in a store that is filled in bulk."""


class SQLite:
    """A file, and what bare SQLite and numpy take for the same."""

    name = "SQLite"

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "memory.db"
        self._bare = apsw.Connection(str(folder / "bare.db"))
        self._bare.execute("pragma journal_mode = wal; pragma synchronous = full")
        self._bare.execute("create table rows (id integer primary key, text text, vector blob)")
        self._matrix: dict[str, Vectors] = {}
        self._took = 0.0

    def url(self) -> str:
        return str(self.path)

    def keep(self, owner: str, vectors: Vectors) -> None:
        """Take note of vectors for the bare query."""
        held = self._matrix.get(owner)
        self._matrix[owner] = vectors if held is None else np.concatenate([held, vectors])

    def query(self, owner: str, vector: Vectors) -> None:
        scores = self._matrix[owner] @ vector
        np.argpartition(scores, -10)[-10:]

    def insert(self, number: int) -> None:
        self._bare.execute("begin immediate")
        self._bare.execute("insert into rows (text, vector) values (?, ?)", ("x" * 60, bytes(DIM)))
        self._bare.execute("commit")

    def disk(self) -> int:
        return sum(file.stat().st_size for file in self.folder.glob("memory.db*"))

    def beside(self, batch: int) -> None:
        """Insert the rows of one batch once more, by the bare engine: right after ours, since the machine is shared."""
        source = apsw.Connection(str(self.path))
        if not batch:
            open_store(self.folder / "again.db").close()
            self._again = apsw.Connection(str(self.folder / "again.db"))
            self._again.execute("pragma synchronous = full")
        newest = source.execute("select max(number) from owners").get
        whose = {"owner": newest} | span(newest)
        rows = {table: source.execute(sql, whose).fetchall() for table, sql in ROWS.items()}
        started = self.cpu()
        self._again.execute("begin immediate")
        for table, part in rows.items():
            if part:
                names = "(rowid, terms) " if table == "words" else ""
                self._again.executemany(
                    f"insert or ignore into {table} {names}values ({', '.join('?' * len(part[0]))})", part
                )
        self._again.execute("commit")
        self._took += self.cpu() - started if batch else 0.0

    def bulk(self) -> dict[str, float]:
        """Seconds that the bare engine took, but for the first batch."""
        return {"executemany": self._took}

    def vacuum(self) -> None:
        pass

    def cpu(self) -> float:
        return time.process_time()

    def close(self) -> None:
        self._bare.close()


class Postgres:
    """A server from the wheel, and what bare SQL takes for the same."""

    name = "PostgreSQL"

    def __init__(self, folder: Path) -> None:
        import psycopg

        self.server = Server(folder / "server").create(
            "shared_buffers=512MB", "max_wal_size=4GB", "maintenance_work_mem=256MB", "work_mem=32MB"
        )
        self._psycopg = psycopg
        self._bare = psycopg.connect(self.server.url("postgres"), autocommit=True)
        self._bare.execute("create table rows (id bigserial primary key, text text, vector halfvec)")
        self._keys: dict[str, Any] = {}

    def url(self) -> str:
        return self.server.url()

    def keep(self, owner: str, vectors: Vectors) -> None:
        pass

    def query(self, owner: str, vector: Vectors) -> None:
        if owner not in self._keys:
            row = self._bare.execute("select owner from recollect.owners where name = %s", [owner]).fetchone()
            self._keys[owner] = row[0] if row else None
        text = "[" + ",".join(map(str, vector.tolist())) + "]"
        sql = "select item from recollect.vectors where owner = %s order by vector <#> %s::halfvec limit 10"
        self._bare.execute(sql, [self._keys[owner], text]).fetchall()

    def insert(self, number: int) -> None:
        sql = "insert into rows (text, vector) values (%s, %s)"
        self._bare.execute(sql, ["x" * 60, "[" + ",".join(["0.5"] * DIM) + "]"])

    def disk(self) -> int:
        sql = "select sum(pg_total_relation_size(oid)) from pg_class where relnamespace = 'recollect'::regnamespace"
        row = self._bare.execute(f"{sql} and relkind = 'r'").fetchone()
        return int(row[0]) if row else 0

    def bulk(self) -> dict[str, float]:
        """Seconds that the bare engine takes to insert all rows of the store, by batches of statements and by COPY."""
        tables = ("items", "messages", "facts", "sources", "changes", "words", "vectors")
        rows = {table: self._bare.execute(f"select * from recollect.{table}").fetchall() for table in tables}
        found = {}
        for way in ("executemany", "copy"):
            for table in tables:
                self._bare.execute(f"drop table if exists again_{table}")
                self._bare.execute(f"create table again_{table} (like recollect.{table} including all)")
            pieces, started = len(rows["facts"]) // EACH, 0.0
            for piece in range(pieces):
                started = self.cpu() if piece == 1 else started  # the first is not counted, as with ours
                with self._bare.transaction():
                    for table in tables:
                        size = len(rows[table]) // pieces + 1
                        self._write(way, f"again_{table}", rows[table][piece * size : (piece + 1) * size])
            found[way] = self.cpu() - started
        return found

    def _write(self, way: str, table: str, rows: Sequence[Any]) -> None:
        with self._bare.cursor() as cursor:
            if way == "copy":
                with cursor.copy(f"copy {table} from stdin") as copy:
                    for row in rows:
                        copy.write_row(row)
            elif rows:
                cursor.executemany(f"insert into {table} values ({', '.join(['%s'] * len(rows[0]))})", rows)

    def beside(self, batch: int) -> None:
        pass

    def vacuum(self) -> None:
        self._bare.execute("vacuum analyze")

    def cpu(self) -> float:
        """Seconds of CPU of this process, of the server and of all that it started."""
        children = Path(f"/proc/{self.server.process}/task/{self.server.process}/children").read_text().split()
        ticks = sum(_ticks(child)[0] for child in children) + sum(_ticks(str(self.server.process)))
        return time.process_time() + ticks / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        self._bare.close()
        self.server.remove()


def _ticks(process: str) -> tuple[int, int]:
    """What a process has used, and what those of its children that ended have."""
    try:
        found = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    except FileNotFoundError:
        return 0, 0
    return int(found[11]) + int(found[12]), int(found[13]) + int(found[14])


# Measuring


def ingest(engine: SQLite | Postgres, store: Store, owner: str, count: int, seed: int, first: int = 0) -> float:
    """Keep facts with their vectors, a thousand at a time; gives the seconds that the store took."""
    took = 0.0
    for start in range(first, first + count, EACH):
        facts = facts_of(owner, EACH, seed + start, start)
        vectors = Toy().embed([fact.text for fact in facts])
        started = time.perf_counter()
        with store.transaction(owner):
            store.save_facts(owner, facts)
            store.save_vectors(owner, "toy", dict(zip([fact.id for fact in facts], vectors, strict=True)))
        took += time.perf_counter() - started
        engine.keep(owner, vectors)
    return took


def measured(engine: SQLite | Postgres, memory: Memory, shape: str, size: int, times: int) -> Figures:
    """Search in the owner, add as another owner who has as much, and the bare engine's floors."""
    chance = random.Random(size)
    questions = [
        f"what is the {' '.join(chance.choices(WORDS, k=2))} of the {chance.choice(WORDS)}?" for _ in range(times)
    ]
    writer = memory.of("o1" if shape == "owners" and size > EACH else memory.owner)
    sayings = [f"The {chance.choice(WORDS)} {chance.choice(WORDS)} is {chance.randrange(10**9)}." for _ in range(times)]
    engine.vacuum()
    memory.search(questions[0])
    work: dict[str, Callable[[int], object]] = {
        "search": lambda number: memory.search(questions[number]),
        "bare query": lambda number: engine.query(memory.owner, POOL[number]),
        "add": lambda number: writer.add(sayings[number]),
        "bare insert": engine.insert,
    }
    wall, cpu = {}, {}
    for name, one in work.items():
        started = engine.cpu()
        wall[name] = timed(one, times)
        cpu[name] = (engine.cpu() - started) * 1000 / times
    kinds = [wall[name] for name in ("search", "add", "bare query", "bare insert")]
    return Figures(engine.name, shape, size, *kinds, cpu, engine.disk())


def many_owners(engine: SQLite | Postgres, owners: int, times: int) -> Iterator[Figures]:
    """Owners of 1,000 facts each, until there are so many."""
    memory = Memory(engine.url(), owner="o0", embedder=Toy())
    done = 0
    for many in [size for size in (1, 10, 100, 1000) if size <= owners]:
        took = sum(ingest(engine, memory.store, f"o{number}", EACH, number * 7) for number in range(done, many))
        figures = measured(engine, memory, "owners", many * EACH, times)
        figures.ingest = (many - done) * EACH / took
        done = many
        yield figures
    memory.close()


def one_owner(engine: SQLite | Postgres, facts: int, times: int) -> Iterator[Figures]:
    """One owner who has more and more."""
    memory = Memory(engine.url(), owner="big", embedder=Toy())
    done = 0
    for many in [size for size in (1_000, 10_000, 100_000) if size <= facts]:
        took = ingest(engine, memory.store, "big", many - done, 1, done)
        figures = measured(engine, memory, "one owner", many, times)
        figures.ingest = (many - done) / took
        done = many
        yield figures
    memory.close()


def bulk(engine: SQLite | Postgres, owners: int) -> Bulk:
    """Ingest beside the bare engine, on a store of its own. The first batch only warms up: it reads our tables."""
    store = open_store(engine.url())
    batches = [(f"b{number}", facts_of(f"b{number}", EACH, number)) for number in range(owners)]
    vectors = [Toy().embed([fact.text for fact in facts]) for _, facts in batches]
    took = 0.0
    for batch, ((owner, facts), rows) in enumerate(zip(batches, vectors, strict=True)):
        started = engine.cpu()
        with store.transaction(owner):
            store.save_facts(owner, facts)
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
    with Memory(":memory:", owner=owner, embedder=None, extractor=None) as memory:
        memory.store.save_messages(owner, messages)
        memory.store.save_facts(owner, facts)
        memory.store.save_changes(owner, changes)
        memory.export_to(folder / "export.jsonl")
    return folder / "export.jsonl"


def imported(engine: SQLite | Postgres, owners: int, folder: Path, part: str) -> Bulk:
    """Import beside the bare engine: an export an owner, each read, checked and kept in one transaction. There is no
    embedder: an export has no vectors. The first only warms up."""
    took = read_alone = 0.0
    with Memory(engine.url(), embedder=None, extractor=None) as memory:
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


# The page


def table(figures: Sequence[Figures]) -> list[str]:
    lines = [
        "| store | facts | search p50 / p95 ms | CPU ms | × bare query | add p50 / p95 ms | CPU ms | × bare insert "
        "| ingest facts/s | disk a fact |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for one in figures:
        search, add = p(one.search, 0.5), p(one.add, 0.5)
        cpu = one.cpu
        ratios = cpu["search"] / cpu["bare query"], add / p(one.bare_insert, 0.5)
        lines.append(
            f"| {one.store} | {one.facts:,} | {search:.1f} / {p(one.search, 0.95):.1f} | {cpu['search']:.1f} "
            f"| {ratios[0]:.1f} | {add:.1f} / {p(one.add, 0.95):.1f} | {cpu['add']:.1f} | {ratios[1]:.1f} "
            f"| {one.ingest:,.0f} | {one.disk / one.facts:,.0f} B |"
        )
    return lines


def bulk_table(figures: Sequence[Bulk]) -> list[str]:
    lines = ["| store | what | bare engine, by | × bare | without reading JSON |", "|---|---|---|---:|---:|"]
    for one in figures:
        for way, took in one.bare.items():
            rest = f"{(one.ours - one.json) / took:.2f}" if one.json else ""
            lines.append(f"| {one.store} | {one.what} | {way} | {one.ours / took:.2f} | {rest} |")
    return lines


def slowdown(figures: Sequence[Figures]) -> list[str]:
    """How much slower a search in an owner of 1,000 facts becomes beside all the others."""
    lines = []
    for store in dict.fromkeys(one.store for one in figures):
        sizes = [one for one in figures if one.store == store and one.shape == "owners"]
        if len(sizes) > 1:
            first, last = sizes[0], sizes[-1]
            wall, cpu = p(last.search, 0.5) / p(first.search, 0.5), last.cpu["search"] / first.cpu["search"]
            others = last.facts // EACH - 1
            lines.append(f"- {store}: {cpu:.2f} × the CPU and {wall:.2f} × the time beside {others:,} other owners")
    return lines


def page(figures: Sequence[Figures], bulks: Sequence[Bulk]) -> str:
    owners = [one for one in figures if one.shape == "owners"]
    large = [one for one in figures if one.shape == "one owner"]
    return "\n".join(
        [
            f"By `make scale` (benchmarks/scale.py): 2 cores, which other work shared, vectors of {DIM} numbers.",
            "Times are of the wall and bear the marks of that other work; CPU is of client and server together.",
            "A search is compared by CPU with a bare query for the nearest vectors of that owner, an add by time with",
            "a bare durable insert of one row.",
            "",
            "**Owners of 1,000 facts each.** Search and add in one of them, while the store around it grows:",
            "",
            *table(owners),
            "",
            "A search in an owner of 1,000 facts takes:",
            "",
            *slowdown(figures),
            "",
            "**One owner** who has more and more:",
            "",
            *table(large),
            "",
            "**Bulk ingest**, by CPU: facts with vectors, 1,000 to a transaction, against the bare engine inserting",
            "the very same rows, those of the indexes of words included, in batches of the same size. An import reads",
            "the JSON Lines of 1,000 facts, or of these with messages and changes, checks and keeps them; `without",
            "reading JSON` leaves out what `json.loads` alone takes for the same lines, one by one:",
            "",
            *bulk_table(bulks),
            "",
            "![How cost grows from 1,000 to 1,000,000 facts](scale.svg)",
            "",
        ]
    )


def write(text: str) -> None:
    """Put the figures in their place on the page."""
    page_file = DOCS / "scale.md"
    before, _, rest = page_file.read_text(encoding="utf-8").partition("<!-- figures -->\n")
    after = rest.partition("<!-- /figures -->")[2]
    page_file.write_text(f"{before}<!-- figures -->\n{text}<!-- /figures -->{after}", encoding="utf-8")


def plot(figures: Sequence[Figures], path: Path) -> None:
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "recollect"
    from matplotlib import pyplot

    drawing, sides = pyplot.subplots(1, 2, figsize=(10, 4), sharey=True)
    for side, shape, title in zip(
        sides, ("owners", "one owner"), ("owners of 1,000 facts each", "one owner"), strict=True
    ):
        for store, colour in (("SQLite", "tab:blue"), ("PostgreSQL", "tab:orange")):
            sizes = [one for one in figures if one.store == store and one.shape == shape]
            facts = [one.facts for one in sizes]
            side.plot(facts, [p(one.search, 0.5) for one in sizes], "o-", color=colour, label=f"{store}: search")
            side.plot(facts, [p(one.add, 0.5) for one in sizes], "s--", color=colour, label=f"{store}: add")
            side.plot(facts, [p(one.bare_query, 0.5) for one in sizes], ":", color=colour, label=f"{store}: bare query")
        side.set(xscale="log", yscale="log", xlabel="facts in the store", title=title)
        side.grid(alpha=0.3)
    sides[0].set_ylabel("p50, ms")
    sides[0].legend(fontsize=7)
    drawing.tight_layout()
    drawing.savefig(path, metadata={"Date": None})


def read(file: Path | None) -> tuple[list[Figures], list[Bulk]]:
    """What an earlier run kept."""
    if file is None or not file.exists():
        return [], []
    kept = json.loads(file.read_text())
    return [Figures(**one) for one in kept["figures"]], [Bulk(**one) for one in kept["bulks"]]


def is_there(figures: Sequence[Figures], store: str, shape: str) -> bool:
    return any((one.store, one.shape) == (store, shape) for one in figures)


def measure(
    engine: SQLite | Postgres, part: str, given: argparse.Namespace, figures: list[Figures], bulks: list[Bulk]
) -> None:
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
    kinds: list[type[SQLite | Postgres]] = [SQLite, Postgres]
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
