"""The engines under `make scale`: a store on each, what bare SQL takes for the same, and the CPU of both."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import apsw
import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.servers import Server

from recollect.store import open_store
from recollect.store.rows import OWNER_BITS

DIM = 256
EACH = 1_000
"""Facts of an owner, and of a batch."""
Vectors = npt.NDArray[np.float32]

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

    def elsewhere(self) -> str:
        """A second store."""
        return str(self.folder / "alone.db")

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
        whose = {"owner": newest, "first": newest << OWNER_BITS, "last": ((newest + 1) << OWNER_BITS) - 1}
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

    def elsewhere(self) -> str:
        """A second store."""
        return f"{self.server.url()}?schema=alone"

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
