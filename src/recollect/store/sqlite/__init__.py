"""The store in one SQLite file, or in memory: many threads and many processes may use it at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import apsw
import numpy as np
import numpy.typing as npt

from recollect.errors import InvalidInput, StoreError
from recollect.store import EVERYTHING, Counts, Match, Newest, Query
from recollect.store.index import Indexes, OwnerIndex
from recollect.store.reading import Reader
from recollect.store.rows import maybe_micros, maybe_moment
from recollect.store.sql_store import SQLStore
from recollect.store.sqlite import matching, upkeep, writing
from recollect.store.sqlite.connections import Transactions
from recollect.store.sqlite.files import check_sqlite, default_path, files_of, located
from recollect.store.sqlite.schema import SCHEMA
from recollect.store.sqlite.writing import OwnerCounters, OwnerRow
from recollect.store.vectors import usable_vector

__all__ = ["SQLiteStore", "default_path"]

Record = TypeVar("Record")
R = TypeVar("R")

_SHORT_WAIT = 200
"""Milliseconds for which opening waits for readers of what an erase has left."""

_OWNER_ROW = f"select {', '.join(OwnerRow._fields)} from owners where name = ?"
_OWNERS = """
select name from owners where exists (select 1 from items where items.owner = owners.number)
or exists (select 1 from changes where changes.owner = owners.number)
"""


class SQLiteStore(SQLStore, Transactions):
    """Keeps records in one SQLite file, or in memory.

    `busy`: how many seconds to wait for other writers. `index_bytes`: how much memory the indexes of all owners may
    take together. Threads and processes may share a file; a forked child opens its own connection, and a child of a
    store in memory has a copy. A file without write permission can be read; in a directory without write permission
    SQLite can't open it unless another process has. A record is found by its first 20,000 terms.
    """

    schema = SCHEMA
    _writing = writing

    def __init__(self, where: str | Path, *, busy: float = 5.0, index_bytes: int = 256 * 2**20) -> None:
        check_sqlite(apsw.sqlite_lib_version())
        self._index_bytes = index_bytes
        super().__init__(located(where), busy)
        self._files = files_of(self.name)
        self._finish_when_opened()

    def _finish_when_opened(self) -> None:
        """Erases that were broken off are finished. Where others read, or the disk fails, it is left for later: that
        is no reason not to open, and `check` tells of it."""
        try:
            with self.reading() as connection:
                if not connection.readonly("main") and upkeep.unfinished(connection):
                    connection.set_busy_timeout(_SHORT_WAIT)
                    self.scrub(None)
                connection.set_busy_timeout(round(self._busy * 1000))
        except StoreError:
            pass

    def _begin_anew(self) -> None:
        super()._begin_anew()
        self._indexes = Indexes(self._index_bytes)

    def close(self) -> None:
        self._connections.close()
        self._close_queue()
        self._indexes = Indexes(self._index_bytes)

    # Records.

    def read(self, owner: str, kind: type[Record], query: Query = EVERYTHING) -> list[Record]:
        if query.waiting is not None and (current := self._mine.transaction) is not None:
            with self._using():
                current.list_unsettled(current.counters(owner))
        return super().read(owner, kind, query)

    def _read(self, owner: str, work: Callable[[Reader], R]) -> R:
        """What is read of an owner."""

        def read() -> R:
            with self._using() as connection:
                return work(self._reader(connection, owner))

        return self._patiently(read)

    def _save(self, owner: str, work: Callable[[Any], R]) -> R:
        with self._saving(owner) as transaction:
            return work(transaction)

    def _keep(self, owner: str, work: Callable[[Reader], None]) -> None:
        with self.transaction(owner), self._using() as connection:
            work(Reader(connection, owner, -1))

    def _inside(self, transaction: Any, owner: str) -> Reader:
        return Reader(transaction.connection, owner, transaction.counters(owner).number)

    def _reader(self, connection: apsw.Connection, owner: str) -> Reader:
        row = self._counters(owner) or self._owner(connection, owner)
        return Reader(connection, owner, row.number if row else -1, self._files)  # none have -1

    def _counters(self, owner: str) -> OwnerCounters | None:
        """The counters of an owner in the open transaction, if it has touched them."""
        current = self._mine.transaction
        return None if current is None else current.all_counters.get(owner)

    def _owner(self, connection: apsw.Connection, owner: str) -> OwnerRow | None:
        """The owner's row, where no transaction has touched it; None for one who has nothing yet."""
        rows = self._mine.owners
        if owner not in rows:
            found = connection.execute(_OWNER_ROW, (owner,)).fetchone()
            if found is None:
                return None
            rows[owner] = OwnerRow(*found)
        return rows[owner]

    def owners(self) -> list[str]:
        def read() -> list[str]:
            with self._using() as connection:
                return sorted(name for (name,) in connection.execute(_OWNERS))

        return self._patiently(read)

    def newest(self, owner: str) -> Newest:
        def read() -> Newest:
            with self._using() as connection:
                current = self._mine.transaction
                row = self._owner(connection, owner) if current is None else current.counters(owner)
                return Newest() if row is None else Newest(maybe_moment(row.last_learned), row.changes)

        return self._patiently(read)

    # Matching.

    @contextmanager
    def _matching(self, owner: str) -> Iterator[tuple[apsw.Connection, OwnerIndex | None]]:
        """The owner's index, up to date, for this thread alone; None for an owner who has nothing."""
        with self._using() as connection:
            if self._mine.transaction is not None:
                # What is not committed yet must not get into the index that other threads share.
                yield connection, matching.current_index(connection, [], owner)
                return
            lock, held = self._indexes.seat(owner)
            with lock:
                index = matching.current_index(connection, held, owner)
                yield connection, index
                self._indexes.weigh(owner, index.size if index else 0)

    def match_words(
        self, owner: str, words: Sequence[str], *, limit: int, holding: datetime | None = None, sessions: bool = False
    ) -> list[Match]:
        moment = maybe_micros(holding)

        def match() -> list[Match]:
            with self._matching(owner) as (connection, index):
                if index is None or limit < 1:
                    return []
                if not sessions:
                    return index.by_words(matching.postings(connection, index, words), limit, moment)
                matching.with_sessions(connection, index)
                return index.by_session(matching.postings(connection, index, words), limit)

        return self._patiently(match)

    def rarity(self, owner: str, words: Sequence[str]) -> dict[str, float]:
        def read() -> dict[str, float]:
            with self._matching(owner) as (connection, index):
                if index is None:
                    return dict.fromkeys(words, 1.0)
                return {word: index.rarity(matching.postings(connection, index, [word])) for word in words}

        return self._patiently(read)

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

        def match() -> list[Match]:
            with self._matching(owner) as (connection, index):
                known = matching.find_model(connection, model)
                if known is None or index is None or limit < 1:
                    return []
                number, dim = known
                if len(asked) != dim:
                    raise InvalidInput(
                        f"the vector of the query has {len(asked)} numbers, those of {model!r} have {dim}"
                    )
                matching.with_space(connection, index, number, dim)
                return index.by_vector(number, asked, limit, moment)

        return self._patiently(match)

    # Upkeep.

    def erase(
        self, owner: str, ids: Sequence[str], *, request: str = "", at: datetime | None = None, model: str = ""
    ) -> Counts:
        erase = super().erase
        return self._patiently(lambda: erase(owner, ids, request=request, at=at, model=model))

    def scrub(
        self, texts: Sequence[str] | None, *, request: str = "", held: bool = False
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        self._refuse_open_transaction("scrub")
        with self._my_turn(), self._using() as connection:
            if texts is None:
                requests = upkeep.unfinished(connection)
                if requests and upkeep.push_out(connection):
                    upkeep.finish(connection, requests, scanned=False)
                return (), ()
            scanned, residue = upkeep.scrub(connection, self.name, texts)
            if request and not residue:
                upkeep.finish(connection, [request], scanned=bool(scanned), held=held)
            return scanned, residue

    def check(self, *, quick: bool = False) -> list[str]:
        def work() -> list[str]:
            with self._using() as connection:
                if quick:
                    connection.execute("select 1 from owners limit 1").fetchall()
                return [] if quick else upkeep.check(connection)

        return work() if quick else self._patiently(work)

    def backup(self, path: Path) -> None:
        self._refuse_open_transaction("backup")
        with self._using() as connection:
            upkeep.backup(connection, path)

    def _refuse_open_transaction(self, what: str) -> None:
        if self._mine.transaction is not None:
            raise StoreError(f"{what} can't be done inside a transaction: end it first")
