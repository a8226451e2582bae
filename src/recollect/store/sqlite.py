"""The store in one SQLite file, or in memory: many threads and many processes may use it at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import apsw
import numpy as np
import numpy.typing as npt

from recollect.errors import InvalidInput, StoreError
from recollect.records import Change, Fact, Message, Note, SessionInfo
from recollect.store import Counts, Erased, Match, Position, erasing, erasures, generations, matching, upkeep, writing
from recollect.store.files import check_sqlite, default_path, located
from recollect.store.idempotency import Answers
from recollect.store.index import Indexes, OwnerIndex
from recollect.store.migrations import SCHEMA
from recollect.store.owner_counters import Ledger, OwnerRow
from recollect.store.packing import usable_vector
from recollect.store.reading import Reader
from recollect.store.rereading import reread
from recollect.store.sql import maybe_micros, maybe_moment, own_fields

__all__ = ["SQLiteStore", "default_path"]

_SHORT_WAIT = 200
"""Milliseconds for which opening waits for readers of what an erase has left."""

_OWNER_ROW = f"select {', '.join(OwnerRow._fields)} from owners where name = ?"


class SQLiteStore(Answers):
    """Keeps records in one SQLite file, or in memory.

    `busy`: how many seconds to wait for other writers. `index_bytes`: how much memory the indexes of all owners may
    take together. Threads and processes may share a file; a forked child opens its own connection, and a child of a
    store in memory has a copy. A file without write permission can be read; in a directory without write permission
    SQLite can't open it unless another process has. A record is found by its first 20,000 terms.
    """

    def __init__(self, where: str | Path, *, busy: float = 5.0, index_bytes: int = 256 * 2**20) -> None:
        check_sqlite(apsw.sqlite_lib_version())
        self._index_bytes = index_bytes
        super().__init__(located(where), busy)
        self._finish_when_opened()

    def _finish_when_opened(self) -> None:
        """Erases that were broken off are finished. Where others read, or the disk fails, it is left for later: that
        is no reason not to open, and `check` tells of it."""
        try:
            with self.reading() as connection:
                if not connection.readonly("main") and erasures.unfinished(connection):
                    connection.set_busy_timeout(_SHORT_WAIT)
                    self.finish_erasures()
                connection.set_busy_timeout(round(self._busy * 1000))
        except StoreError:
            pass

    def _begin_anew(self) -> None:
        super()._begin_anew()
        self._indexes = Indexes(self._index_bytes)

    @property
    def schema(self) -> int:
        return SCHEMA

    def close(self) -> None:
        self._connections.close()
        self._close_queue()
        self._indexes = Indexes(self._index_bytes)

    # Writing.

    def save_messages(self, owner: str, messages: Sequence[Message]) -> None:
        if messages:
            fields = own_fields(owner, Message, messages)
            with self._saving(owner) as transaction:
                writing.save_new(transaction, owner, fields)

    def save_facts(self, owner: str, facts: Sequence[Fact]) -> None:
        if facts:
            fields = own_fields(owner, Fact, facts)
            with self._saving(owner) as transaction:
                writing.save_changed(transaction, owner, "fact", fields)

    def save_notes(self, owner: str, notes: Sequence[Note]) -> None:
        if notes:
            fields = own_fields(owner, Note, notes)
            with self._saving(owner) as transaction:
                writing.save_changed(transaction, owner, "note", fields)

    def save_changes(self, owner: str, changes: Sequence[Change]) -> None:
        if changes:
            fields = own_fields(owner, Change, changes)
            with self._saving(owner) as transaction:
                writing.save_changes(transaction, owner, fields)

    def save_vectors(
        self,
        owner: str,
        model: str,
        vectors: Mapping[str, npt.NDArray[np.float32]],
        tokens: Mapping[str, bytes] | None = None,
    ) -> None:
        if vectors:
            with self._saving(owner) as transaction:
                writing.save_vectors(transaction, owner, model, vectors, tokens or {})

    def settle(self, owner: str, messages: Sequence[str]) -> None:
        if messages:
            with self._saving(owner) as transaction:
                writing.settle(transaction, owner, messages)

    def count_failure(self, owner: str, messages: Sequence[str]) -> None:
        if messages:
            with self._saving(owner) as transaction:
                writing.count_failure(transaction, owner, messages)

    # Reading.

    def _ledger(self, owner: str) -> Ledger | None:
        """The counters of an owner in the open transaction, if it has touched them."""
        current = self._mine.transaction
        return None if current is None else current.ledgers.get(owner)

    def _reader(self, connection: apsw.Connection, owner: str) -> Reader:
        if (ledger := self._ledger(owner)) is not None:
            return Reader(connection, owner, ledger.number)
        row = self._owner(connection, owner)
        return Reader(connection, owner, row.number if row else -1)  # no rows have the number -1

    def _owner(self, connection: apsw.Connection, owner: str) -> OwnerRow | None:
        """The owner's row, where no transaction has touched it; None for one who has nothing yet."""
        rows = self._mine.owners
        if owner not in rows:
            found = connection.execute(_OWNER_ROW, (owner,)).fetchone()
            if found is None:
                return None
            rows[owner] = OwnerRow(*found)
        return rows[owner]

    @reread
    def owners(self) -> list[str]:
        sql = """select name from owners where exists (select 1 from items where items.owner = owners.number)
                 or exists (select 1 from changes where changes.owner = owners.number)"""
        with self._using() as connection:
            return sorted(name for (name,) in connection.execute(sql))

    @reread
    def last_learned(self, owner: str) -> datetime | None:
        if (ledger := self._ledger(owner)) is not None:
            return maybe_moment(ledger.last_learned)
        with self._using() as connection:
            if (current := self._mine.transaction) is not None:
                return maybe_moment(current.ledger(owner).last_learned)
            row = self._owner(connection, owner)
            return maybe_moment(row.last_learned) if row else None

    @reread
    def unsettled(self, owner: str, *, limit: int, unread: bool = False) -> list[Message]:
        with self._using() as connection:
            if (current := self._mine.transaction) is not None:
                current.list_unsettled(current.ledger(owner))
            return self._reader(connection, owner).unsettled(limit, unread)

    @reread
    def messages(
        self,
        owner: str,
        *,
        ids: Sequence[str] | None = None,
        session: str | None = None,
        between: tuple[datetime, datetime] | None = None,
        before: tuple[datetime, str] | None = None,
        last: int | None = None,
    ) -> list[Message]:
        with self._using() as connection:
            return self._reader(connection, owner).messages(
                ids=ids, session=session, between=between, before=before, last=last
            )

    @reread
    def sessions(self, owner: str) -> list[SessionInfo]:
        with self._using() as connection:
            return self._reader(connection, owner).sessions()

    @reread
    def facts(
        self,
        owner: str,
        *,
        ids: Sequence[str] | None = None,
        subjects: Sequence[str] | None = None,
        attributes: Sequence[str] | None = None,
        values: Sequence[str] | None = None,
        category: str | None = None,
        holding: datetime | None = None,
        between: tuple[datetime, datetime] | None = None,
        pinned: bool = False,
        named: bool = False,
        disputed: bool = False,
        unconfirmed: bool = False,
        last: int | None = None,
        skip: int = 0,
    ) -> list[Fact]:
        with self._using() as connection:
            return self._reader(connection, owner).facts(
                ids=ids,
                subjects=subjects,
                attributes=attributes,
                values=values,
                category=category,
                holding=holding,
                between=between,
                pinned=pinned,
                named=named,
                disputed=disputed,
                unconfirmed=unconfirmed,
                last=last,
                skip=skip,
            )

    @reread
    def latest_facts(
        self,
        owner: str,
        *,
        limit: int,
        before: Position | None = None,
        subjects: Sequence[str] | None = None,
        attributes: Sequence[str] | None = None,
        category: str | None = None,
        holding: datetime | None = None,
        learned_by: datetime | None = None,
        named: bool = False,
    ) -> list[Fact]:
        with self._using() as connection:
            return self._reader(connection, owner).latest_facts(
                limit=limit,
                before=before,
                subjects=subjects,
                attributes=attributes,
                category=category,
                holding=holding,
                learned_by=learned_by,
                named=named,
            )

    @reread
    def facts_around(self, owner: str, subject: str, attribute: str, moment: datetime, *, limit: int) -> list[Fact]:
        with self._using() as connection:
            return self._reader(connection, owner).facts_around(subject, attribute, moment, limit)

    @reread
    def facts_with(self, owner: str, words: Sequence[str], *, last: int) -> list[Fact]:
        with self._using() as connection:
            return self._reader(connection, owner).facts_with(words, last)

    @reread
    def facts_from(self, owner: str, messages: Sequence[str], *, over: datetime | None = None) -> dict[str, list[Fact]]:
        with self._using() as connection:
            return self._reader(connection, owner).facts_from(messages, over=over)

    @reread
    def notes(
        self,
        owner: str,
        *,
        ids: Sequence[str] | None = None,
        path: str | None = None,
        under: str | None = None,
        current: bool = False,
        pinned: bool = False,
    ) -> list[Note]:
        with self._using() as connection:
            return self._reader(connection, owner).notes(
                ids=ids, path=path, under=under, current=current, pinned=pinned
            )

    @reread
    def changes(
        self,
        owner: str,
        *,
        ids: Sequence[str] | None = None,
        record_id: str | None = None,
        records: Sequence[str] | None = None,
        group: str | None = None,
        after: datetime | None = None,
        before: tuple[datetime, str] | None = None,
        last: int | None = None,
    ) -> list[Change]:
        with self._using() as connection:
            return self._reader(connection, owner).changes(
                ids=ids, record_id=record_id, records=records, group=group, after=after, before=before, last=last
            )

    @reread
    def log(self, owner: str, *, after: int | datetime, limit: int) -> list[tuple[int, Change]]:
        with self._using() as connection:
            return self._reader(connection, owner).log(after, limit)

    @reread
    def log_end(self, owner: str) -> int:
        if (ledger := self._ledger(owner)) is not None:
            return ledger.changes
        sql = "select changes from owners where name = :owner"
        with self._using() as connection:
            return int(connection.execute(sql, {"owner": owner}).get or 0)

    @reread
    def counts(self, owner: str) -> Counts:
        with self._using() as connection:
            return self._reader(connection, owner).counts()

    @reread
    def count_holding(self, owner: str, moment: datetime) -> int:
        with self._using() as connection:
            return self._reader(connection, owner).count_holding(moment)

    @reread
    def beside(self, owner: str, messages: Sequence[str]) -> dict[str, tuple[str | None, str | None]]:
        with self._using() as connection:
            return self._reader(connection, owner).beside(messages)

    @reread
    def tokens(self, owner: str, model: str, ids: Sequence[str]) -> dict[str, bytes]:
        with self._using() as connection:
            return self._reader(connection, owner).tokens(model, ids)

    @reread
    def without_vectors(self, owner: str, model: str, *, limit: int) -> list[tuple[str, str]]:
        with self._using() as connection:
            return self._reader(connection, owner).without_vectors(model, limit)

    # Generations of vectors.

    @reread
    def generations(self, owner: str) -> dict[str, int]:
        with self._using() as connection:
            return generations.counted(connection, owner)

    @reread
    def vectors(self, owner: str, model: str, ids: Sequence[str]) -> dict[str, npt.NDArray[np.float32]]:
        with self._using() as connection:
            return generations.read(connection, owner, model, ids)

    def drop_vectors(self, owner: str, model: str) -> int:
        with self._saving(owner) as transaction:
            return generations.drop(transaction, owner, model)

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

    @reread
    def match_words(
        self, owner: str, words: Sequence[str], *, limit: int, holding: datetime | None = None
    ) -> list[Match]:
        moment = maybe_micros(holding)
        with self._matching(owner) as (connection, index):
            if index is None or limit < 1:
                return []
            return index.by_words(matching.postings(connection, index, words), limit, moment)

    @reread
    def match_sessions(self, owner: str, words: Sequence[str], *, limit: int) -> list[tuple[str, float]]:
        with self._matching(owner) as (connection, index):
            if index is None or limit < 1:
                return []
            matching.with_talks(connection, index)
            return index.by_talk(matching.postings(connection, index, words), limit)

    @reread
    def rarity(self, owner: str, words: Sequence[str]) -> dict[str, float]:
        with self._matching(owner) as (connection, index):
            if index is None:
                return dict.fromkeys(words, 1.0)
            return {word: index.rarity(matching.postings(connection, index, [word])) for word in words}

    @reread
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
        with self._matching(owner) as (connection, index):
            known = matching.find_model(connection, model)
            if known is None or index is None or limit < 1:
                return []
            number, dim = known
            if len(asked) != dim:
                raise InvalidInput(f"the vector of the query has {len(asked)} numbers, those of {model!r} have {dim}")
            matching.with_space(connection, index, number, dim)
            return index.by_vector(number, asked, limit, moment)

    # Ending.

    @reread
    def erase(self, owner: str, ids: Sequence[str], *, request: str = "", at: datetime | None = None) -> Counts:
        if not ids:
            return Counts()
        with self._saving(owner) as transaction:
            counts = erasing.erase(transaction, owner, ids)
            if request and at is not None:
                erasures.save(transaction.connection, request, at, counts)
            return counts

    @reread
    def erased(self, owner: str, request: str) -> Erased | None:
        with self._using() as connection:
            return erasures.read(connection, request, erasing.files_of(self._name))

    def scrub(
        self, texts: Sequence[str], *, request: str = "", held: bool = False
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        self._refuse_open_transaction("scrub")
        with self._my_turn(), self._using() as connection:
            scanned, residue = erasing.scrub(connection, self._name, texts)
            if request and not residue:
                erasures.finish(connection, [request], scanned=bool(scanned), held=held)
            return scanned, residue

    def finish_erasures(self) -> None:
        self._refuse_open_transaction("finish_erasures")
        with self._my_turn(), self._using() as connection:
            requests = erasures.unfinished(connection)
            if requests and erasing.push_out(connection):
                erasures.finish(connection, requests, scanned=False)

    @reread
    def check(self) -> list[str]:
        with self._using() as connection:
            return upkeep.check(connection)

    def backup(self, path: Path) -> None:
        self._refuse_open_transaction("backup")
        with self._using() as connection:
            upkeep.backup(connection, path)

    def _refuse_open_transaction(self, what: str) -> None:
        if self._mine.transaction is not None:
            raise StoreError(f"{what} can't be done inside a transaction: end it first")
