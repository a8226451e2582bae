"""The PostgreSQL store: the same memory for many machines, with pgvector for vectors and posting rows for words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from recollect.store import Match, Newest
from recollect.store.atomic import new_file
from recollect.store.copying import copy_store
from recollect.store.postgres import matching, schema, writing
from recollect.store.postgres.connections import Place, connect, translated
from recollect.store.postgres.reading import PostgresReader
from recollect.store.postgres.sessions import WHOLE, Sessions
from recollect.store.reading import Reader
from recollect.store.rows import maybe_micros, maybe_moment
from recollect.store.sql_store import SQLStore
from recollect.store.sqlite import SQLiteStore
from recollect.store.vectors import usable_vector

__all__ = ["PostgresStore", "init_store"]

R = TypeVar("R")


def init_store(url: str, *, partitions: int = 0, distribute: bool = False) -> str:
    """Make a new store, in pieces by owner where that is asked for; gives its name."""
    place = Place(url)
    with translated(place.name), connect(place) as connection:
        schema.prepare(connection, place.schema, partitions=partitions, distribute=distribute)
    return place.name


class PostgresStore(Sessions, SQLStore):
    """Keeps records in a PostgreSQL database with pgvector.

    The URL is libpq's; beside its settings it may name `schema` (recollect), `connections` (at most so many, 10),
    `patience` (seconds to wait for a server or a connection, 15) and `prepared` (no: for poolers that lose prepared
    statements). Threads, processes and machines may share a store. Of one owner there is one writer at a time.
    """

    schema = schema.SCHEMA
    _writing = writing

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.scrub(None)

    # Records.

    def _read(self, owner: str, work: Callable[[Reader], R]) -> R:
        return self._ask(owner, lambda connection: work(PostgresReader(connection, owner)))

    def _keep(self, owner: str, work: Callable[[Reader], None]) -> None:
        self._save(owner, lambda transaction: work(self._inside(transaction, owner)))

    def _inside(self, transaction: writing.Transaction, owner: str) -> PostgresReader:
        return PostgresReader(transaction.connection, owner)

    def owners(self) -> list[str]:
        sql = "select name from owners where version > 0"
        rows = self._ask(WHOLE, lambda connection: connection.execute(sql).fetchall())
        return sorted(name for (name,) in rows)

    def newest(self, owner: str) -> Newest:
        session = self._mine.session
        transaction = session.transaction if session else None
        if transaction is not None and owner in transaction.all_counters:
            counters = transaction.all_counters[owner]
            return Newest(maybe_moment(counters.last_learned), counters.changes)
        sql, key = "select last_learned, changes from owners where owner = %s", writing.key_of(owner)
        row = self._ask(owner, lambda connection: connection.execute(sql, [key]).fetchone())
        return Newest(maybe_moment(row[0]), row[1]) if row else Newest()

    # Matching.

    def match_words(
        self, owner: str, words: Sequence[str], *, limit: int, holding: datetime | None = None, sessions: bool = False
    ) -> list[Match]:
        moment = maybe_micros(holding)
        if sessions:
            return self._ask(owner, lambda connection: matching.by_session(connection, owner, words, limit))
        return self._ask(owner, lambda connection: matching.by_words(connection, owner, words, limit, moment))

    def rarity(self, owner: str, words: Sequence[str]) -> dict[str, float]:
        return self._ask(owner, lambda connection: matching.rarities(connection, owner, words))

    def match_vector(
        self,
        owner: str,
        model: str,
        vector: npt.NDArray[np.float32],
        *,
        limit: int,
        holding: datetime | None = None,
    ) -> list[Match]:
        moment = maybe_micros(holding)
        asked = usable_vector(vector, "the query")
        return self._ask(owner, lambda connection: matching.by_vector(connection, owner, model, asked, limit, moment))

    def index_vectors(self, owner: str, model: str) -> None:
        """Give a very large owner an index of their own, for vectors: some 50,000 records are searched as quickly
        without. It is built while others read and write, and used as soon as it is there."""
        self._refuse_open_transaction("an index")
        with translated(self.name), connect(self._place) as connection:
            connection.execute(f"set search_path = {self._path}")
            matching.index_vectors(connection, owner, model)

    # Upkeep.

    def scrub(
        self, texts: Sequence[str] | None, *, request: str = "", held: bool = False
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Free the space of erased rows. A server's files are not ours to scan: what they may still hold is told."""
        if texts is None:
            if self._ask(WHOLE, schema.any_unfinished):
                self._free_space(None)
            return (), ()
        return (), (schema.LEFT_BEHIND.format(name=self.name, space=self._free_space(request)),)

    def _free_space(self, request: str | None) -> str:
        self._refuse_open_transaction("scrub")
        with translated(self.name), connect(self._place) as connection:
            space = schema.vacuum(connection, schema.quoted(self._place.schema))
            connection.execute(self._prelude("read write", WHOLE))
            schema.finish(connection, request)
            connection.execute("commit")
        return space

    def check(self, *, quick: bool = False) -> list[str]:
        if quick:
            self._probe.ask()
            return []
        return self._ask(WHOLE, schema.check)

    def backup(self, path: Path) -> None:
        """Copy the whole store to a new SQLite file, which can be opened as it is or restored to any store."""
        self._refuse_open_transaction("backup")
        with new_file(path) as part, closing(SQLiteStore(part)) as target:
            copy_store(self, target)
