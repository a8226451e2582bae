"""The PostgreSQL store: the same memory for many machines, with pgvector for vectors and posting rows for words."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import psycopg
from psycopg.pq import TransactionStatus

from recollect.errors import Interrupted, InvalidInput, StoreError
from recollect.records import Change, Fact, Message, Note, SessionInfo
from recollect.stores import Counts, Match
from recollect.stores.again import again
from recollect.stores.copying import copy_store
from recollect.stores.postgres import erasing, generations, matching, schema, vectors, writing
from recollect.stores.postgres.connections import (
    Connection,
    Connections,
    Place,
    connect,
    lost,
    translated,
)
from recollect.stores.postgres.reading import PostgresReader
from recollect.stores.sql import maybe_micros, maybe_moment, usable_vector
from recollect.stores.writing import refuse_strangers

__all__ = ["PostgresStore", "init_store"]

R = TypeVar("R")

WRITING = "isolation level read committed read write"
"""The lock on the owner's row is taken first, so that what is read after it is the newest."""

WHOLE = "*"
"""Stands for all owners, for what looks after the whole store."""


@dataclass
class Session:
    """A connection that a thread has at hand, with the owner whose rows it can see."""

    connection: Connection
    owner: str
    transaction: writing.Transaction | None = None

    def turn_to(self, owner: str) -> None:
        """Let the connection see another owner's rows."""
        if owner != self.owner:
            self.connection.execute(f"set local recollect.owner = '{_seen_as(owner)}'")
            self.owner = owner


def _seen_as(owner: str) -> str:
    return WHOLE if owner == WHOLE else writing.key_of(owner)


def _configured(connection: Connection, types: tuple[int, int]) -> None:
    """Make a new connection ready. Compiling costs more than these statements ever take."""
    connection.execute("set jit = off")
    vectors.register(connection, types)


def init_store(url: str, *, partitions: int = 0, distribute: bool = False) -> str:
    """Make a new store, in pieces by owner where that is asked for; gives its name."""
    place = Place(url)
    with translated(place.name), connect(place) as connection:
        schema.prepare(connection, place.schema, partitions=partitions, distribute=distribute)
    return place.name


class PostgresStore:
    """Keeps records in a PostgreSQL database with pgvector.

    The URL is libpq's; beside its settings it may name `schema` (recollect), `connections` (at most so many, 10),
    `patience` (seconds to wait for a server or a connection, 15) and `prepared` (no: for poolers that lose prepared
    statements). Threads, processes and machines may share a store. Of one owner there is one writer at a time.
    """

    def __init__(self, url: str) -> None:
        self._place = Place(url)
        with translated(self.name), connect(self._place) as connection:
            self._path = schema.prepare(connection, self._place.schema)
            types = vectors.halfvec_types(connection)
        self._mine = threading.local()
        self._connections = Connections(self._place, lambda connection: _configured(connection, types))

    @property
    def name(self) -> str:
        return self._place.name

    @property
    def schema(self) -> int:
        return schema.SCHEMA

    def close(self) -> None:
        self._connections.close()

    # Connections and transactions.

    def _prelude(self, mode: str, owner: str) -> str:
        """What every transaction begins with; all of it ends with the transaction, so that poolers may be between."""
        path = f"begin {mode}; set local search_path = {self._path}; set local recollect.owner = '{_seen_as(owner)}'"
        if mode != WRITING:
            return path
        patience = f"set local lock_timeout = '{max(1, self._place.patience) * 1000}ms'"
        return f"{path}; {patience}; set local idle_in_transaction_session_timeout = '5min'"

    def _begin(self, owner: str, start: Callable[[Connection], R]) -> tuple[Connection, R]:
        """A connection on which the start succeeded; those that turn out to be dead are replaced."""
        deadline = time.monotonic() + self._place.patience
        while True:
            connection = self._connections.lend()
            try:
                return connection, start(connection)
            except BaseException as error:
                dead = lost(connection, error)
                self._connections.give_back(connection)
                if not dead or time.monotonic() > deadline:
                    raise
            time.sleep(0.02)

    @contextmanager
    def _using(self, owner: str) -> Iterator[Connection]:
        """The connection that this thread has at hand, or one for as long as this lasts."""
        session: Session | None = getattr(self._mine, "session", None)
        if session is None:
            with self.reading(owner), translated(self.name, self._mine.session.connection):
                yield self._mine.session.connection
            return
        with translated(self.name, session.connection):
            session.turn_to(owner)
            yield session.connection

    @contextmanager
    def reading(self, owner: str) -> Iterator[None]:
        """Everything read inside uses one connection; nested ones join."""
        if getattr(self._mine, "session", None) is not None:
            yield
            return
        prelude = self._prelude("read only", owner)
        with translated(self.name):
            connection, _ = self._begin(owner, lambda connection: connection.execute(prelude))
        self._mine.session = Session(connection, owner)
        try:
            yield
        finally:
            self._mine.session = None
            self._let_go(connection)

    def _let_go(self, connection: Connection) -> None:
        """End what was only read, and keep the connection for the next call; one that is broken is replaced."""
        with suppress(psycopg.Error):
            connection.execute("rollback")
        self._connections.give_back(connection)

    @contextmanager
    def transaction(self, owner: str) -> Iterator[None]:
        """Everything written inside is durable together on leaving, or nothing is."""
        session: Session | None = getattr(self._mine, "session", None)
        if session is None or session.transaction is None:
            with self._writing_alone(owner):
                yield
            return
        try:
            yield
        except BaseException:
            session.transaction.doomed = True
            raise

    @contextmanager
    def _writing_alone(self, owner: str) -> Iterator[writing.Transaction]:
        reading: Session | None = getattr(self._mine, "session", None)
        if reading is not None:
            reading.connection.execute("rollback")  # two connections in one thread could wait for each other
        session = self._begin_writing(owner, reading)
        transaction = session.transaction
        assert transaction is not None
        self._mine.session = session
        try:
            yield transaction
            self._commit(transaction)
        except BaseException:
            with suppress(psycopg.Error):
                session.connection.execute("rollback")
            raise
        finally:
            self._mine.session = reading
            if reading is None:
                self._connections.give_back(session.connection)
            else:
                reading.owner = owner
                with suppress(psycopg.Error):
                    reading.connection.execute(self._prelude("read only", owner))

    def _begin_writing(self, owner: str, reading: Session | None) -> Session:
        """A connection that holds the lock on the owner's row."""

        def start(connection: Connection) -> writing.Transaction:
            connection.execute(self._prelude(WRITING, owner))
            transaction = writing.Transaction(connection)
            transaction.ledger(owner)
            return transaction

        if reading is not None:
            with translated(self.name, reading.connection):
                return Session(reading.connection, owner, start(reading.connection))
        with translated(self.name):
            connection, transaction = self._begin(owner, start)
        return Session(connection, owner, transaction)

    def _commit(self, transaction: writing.Transaction) -> None:
        connection = transaction.connection
        if transaction.doomed or connection.info.transaction_status == TransactionStatus.INERROR:
            raise StoreError(f"part of a transaction on {self.name!r} failed: nothing of it was kept")
        with translated(self.name, connection):
            for ledger in transaction.ledgers.values():
                if ledger.owner != self._mine.session.owner:
                    self._mine.session.turn_to(ledger.owner)
                transaction.finish(ledger)
        try:
            connection.execute("commit")
        except psycopg.Error as error:
            if not lost(connection, error):
                with translated(self.name, connection):
                    raise
            self._make_sure(next(iter(transaction.ledgers.values())), error)

    def _make_sure(self, ledger: writing.Ledger, cause: psycopg.Error) -> None:
        """Find out whether a commit came through whose answer was lost: then all is well, else nothing was kept."""
        prelude = self._prelude(WRITING, ledger.owner)

        def look(connection: Connection) -> bool | None:
            connection.execute(prelude)
            return writing.came_through(connection, ledger)

        with translated(self.name):
            connection, kept = self._begin(ledger.owner, look)
        self._let_go(connection)
        if kept is None:
            raise StoreError(
                f"the connection to {self.name!r} was lost at a commit: look whether it was kept"
            ) from cause
        if not kept:
            raise Interrupted(f"the connection to {self.name!r} was lost: nothing of this write was kept") from cause

    def _save(self, owner: str, work: Callable[[writing.Transaction], R]) -> R:
        """Do the work in the open transaction, or in one of its own, which is tried again where it was taken back."""
        session: Session | None = getattr(self._mine, "session", None)
        if session is None or session.transaction is None:
            return again(lambda: self._save_alone(owner, work))
        transaction = session.transaction
        try:
            with translated(self.name, session.connection):
                session.turn_to(owner)
                transaction.ledger(owner)
                return work(transaction)
        except BaseException as error:
            broken = session.connection.info.transaction_status != TransactionStatus.INTRANS
            transaction.doomed = transaction.doomed or broken or not isinstance(error, InvalidInput)
            raise

    def _save_alone(self, owner: str, work: Callable[[writing.Transaction], R]) -> R:
        with self._writing_alone(owner) as transaction, translated(self.name, transaction.connection):
            return work(transaction)

    # Writing.

    def save_messages(self, owner: str, messages: Sequence[Message]) -> None:
        refuse_strangers(owner, messages)
        if messages:
            self._save(owner, lambda transaction: writing.save_new(transaction, owner, messages))

    def save_facts(self, owner: str, facts: Sequence[Fact]) -> None:
        refuse_strangers(owner, facts)
        if facts:
            self._save(owner, lambda transaction: writing.save_changed(transaction, owner, facts))

    def save_notes(self, owner: str, notes: Sequence[Note]) -> None:
        refuse_strangers(owner, notes)
        if notes:
            self._save(owner, lambda transaction: writing.save_changed(transaction, owner, notes))

    def save_changes(self, owner: str, changes: Sequence[Change]) -> None:
        refuse_strangers(owner, changes)
        if changes:
            self._save(owner, lambda transaction: writing.save_changes(transaction, owner, changes))

    def save_vectors(self, owner: str, model: str, vectors: Mapping[str, npt.NDArray[np.float32]]) -> None:
        if vectors:
            self._save(owner, lambda transaction: writing.save_vectors(transaction, owner, model, vectors))

    def settle(self, owner: str, messages: Sequence[str]) -> None:
        if messages:
            self._save(owner, lambda transaction: writing.settle(transaction, owner, messages))

    def drop_vectors(self, owner: str, model: str) -> int:
        return self._save(owner, lambda transaction: generations.drop(transaction, owner, model))

    # Reading.

    @contextmanager
    def _reader(self, owner: str) -> Iterator[PostgresReader]:
        with self._using(owner) as connection:
            yield PostgresReader(connection, owner)

    def owners(self) -> list[str]:
        with self._using(WHOLE) as connection:
            rows = connection.execute("select name from owners where version > 0").fetchall()
        return sorted(name for (name,) in rows)

    def last_learned(self, owner: str) -> datetime | None:
        session: Session | None = getattr(self._mine, "session", None)
        transaction = session.transaction if session else None
        if transaction is not None and owner in transaction.ledgers:
            return maybe_moment(transaction.ledgers[owner].last_learned)
        with self._using(owner) as connection:
            row = connection.execute("select last_learned from owners where owner = %s", [writing.key_of(owner)])
            return maybe_moment((row.fetchone() or [None])[0])

    def unsettled(self, owner: str, *, limit: int) -> list[Message]:
        with self._reader(owner) as reader:
            return reader.unsettled(limit)

    def messages(
        self,
        owner: str,
        *,
        ids: Sequence[str] | None = None,
        session: str | None = None,
        between: tuple[datetime, datetime] | None = None,
        last: int | None = None,
    ) -> list[Message]:
        with self._reader(owner) as reader:
            return reader.messages(ids=ids, session=session, between=between, last=last)

    def sessions(self, owner: str) -> list[SessionInfo]:
        with self._reader(owner) as reader:
            return reader.sessions()

    def facts(
        self,
        owner: str,
        *,
        ids: Sequence[str] | None = None,
        subjects: Sequence[str] | None = None,
        attributes: Sequence[str] | None = None,
        values: Sequence[str] | None = None,
        holding: datetime | None = None,
        between: tuple[datetime, datetime] | None = None,
        pinned: bool = False,
        named: bool = False,
        last: int | None = None,
    ) -> list[Fact]:
        with self._reader(owner) as reader:
            return reader.facts(
                ids=ids,
                subjects=subjects,
                attributes=attributes,
                values=values,
                holding=holding,
                between=between,
                pinned=pinned,
                named=named,
                last=last,
            )

    def facts_from(self, owner: str, messages: Sequence[str]) -> dict[str, list[Fact]]:
        with self._reader(owner) as reader:
            return reader.facts_from(messages)

    def notes(
        self, owner: str, *, ids: Sequence[str] | None = None, path: str | None = None, current: bool = False
    ) -> list[Note]:
        with self._reader(owner) as reader:
            return reader.notes(ids=ids, path=path, current=current)

    def changes(
        self,
        owner: str,
        *,
        ids: Sequence[str] | None = None,
        record_id: str | None = None,
        group: str | None = None,
        after: datetime | None = None,
        last: int | None = None,
    ) -> list[Change]:
        with self._reader(owner) as reader:
            return reader.changes(ids=ids, record_id=record_id, group=group, after=after, last=last)

    def counts(self, owner: str) -> Counts:
        with self._reader(owner) as reader:
            return reader.counts()

    def without_vectors(self, owner: str, model: str, *, limit: int) -> list[tuple[str, str]]:
        with self._reader(owner) as reader:
            return reader.without_vectors(model, limit)

    def generations(self, owner: str) -> dict[str, int]:
        with self._using(owner) as connection:
            return generations.counted(connection, owner)

    def vectors(self, owner: str, model: str, ids: Sequence[str]) -> dict[str, npt.NDArray[np.float32]]:
        with self._using(owner) as connection:
            return generations.read(connection, owner, model, ids)

    # Matching.

    def match_words(
        self, owner: str, words: Sequence[str], *, limit: int, holding: datetime | None = None
    ) -> list[Match]:
        moment = maybe_micros(holding)
        with self._using(owner) as connection:
            return matching.by_words(connection, owner, words, limit, moment)

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
        with self._using(owner) as connection:
            return matching.by_vector(connection, owner, model, asked, limit, moment)

    def index_vectors(self, owner: str, model: str) -> None:
        """Give a very large owner an index of their own, for vectors: some 50,000 records are searched as quickly
        without. It is built while others read and write, and used as soon as it is there."""
        self._refuse_open_transaction("an index")
        with translated(self.name), connect(self._place) as connection:
            connection.execute(f"set search_path = {self._path}")
            matching.index_vectors(connection, owner, model)

    # Ending.

    def erase(self, owner: str, ids: Sequence[str]) -> Counts:
        if not ids:
            return Counts()
        return self._save(owner, lambda transaction: erasing.erase(transaction, owner, ids))

    def scrub(self, texts: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Free the space of erased rows. A server's files are not ours to scan: what they may still hold is told."""
        self._refuse_open_transaction("scrub")
        with translated(self.name), connect(self._place) as connection:
            erasing.vacuum(connection, schema.quoted(self._place.schema))
        return (), (erasing.LEFT_BEHIND.format(name=self.name),)

    def check(self) -> list[str]:
        with self._using(WHOLE) as connection:
            return erasing.check(connection)

    def backup(self, path: Path) -> None:
        """Copy the whole store to a new SQLite file, which can be opened as it is or restored to any store."""
        from recollect.stores.sqlite import SQLiteStore

        self._refuse_open_transaction("backup")
        if path.exists():
            raise InvalidInput(f"{str(path)!r} is there already: pass the name of a new file")
        target = SQLiteStore(path)
        try:
            copy_store(self, target)
        finally:
            target.close()

    def _refuse_open_transaction(self, what: str) -> None:
        session: Session | None = getattr(self._mine, "session", None)
        if session is not None and session.transaction is not None:
            raise StoreError(f"{what} can't be done inside a transaction: end it first")
