"""Whose rows a connection sees, and for how long a thread has it: to read, to write, to make sure of a commit."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TypeVar

import psycopg
from psycopg.pq import TransactionStatus

from recollect.errors import Interrupted, InvalidInput, StoreError
from recollect.store.postgres import schema, vectors, writing
from recollect.store.postgres.connections import Connection, Connections, Place, Probe, connect, lost, translated
from recollect.store.retry import retry
from recollect.store.rows import migrated_meanwhile

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


class Mine(threading.local):
    """What a thread has at hand of one store."""

    session: Session | None = None
    inside = False
    """Whether it reads, and goes on with the connection of its first read."""


def _seen_as(owner: str) -> str:
    return WHOLE if owner == WHOLE else writing.key_of(owner)


class Sessions:
    """A database, and what each thread is doing with it."""

    def __init__(self, url: str) -> None:
        self._place = Place(url)
        self.name = self._place.name
        with translated(self.name), connect(self._place) as connection:
            self._path = schema.prepare(connection, self._place.schema)
            types = vectors.halfvec_types(connection)
        self._mine = Mine()
        self._probe = Probe(self._place)
        self._connections = Connections(self._place, lambda connection: vectors.register(connection, types))

    def close(self) -> None:
        self._probe.close()
        self._connections.close()

    def _prelude(self, mode: str, owner: str) -> str:
        """What every transaction begins with; all of it ends with the transaction, so that poolers may be between.
        Statements are not compiled: that costs more than they ever take."""
        path = f"begin {mode}; set local search_path = {self._path}; set local jit = off"
        path = f"{path}; set local recollect.owner = '{_seen_as(owner)}'"
        if mode != WRITING:
            return path
        patience = f"set local lock_timeout = '{max(1, self._place.patience) * 1000}ms'"
        return f"{path}; {patience}; set local idle_in_transaction_session_timeout = '5min'; select schema from store"

    def _prepare_to_write(self, connection: Connection, owner: str) -> None:
        """Begin what writes, unless a newer process has migrated the store since it was opened."""
        told = connection.execute(self._prelude(WRITING, owner))
        while told.nextset():
            pass
        (version,) = told.fetchone() or (0,)
        if version != schema.SCHEMA:
            raise StoreError(migrated_meanwhile(self.name, version, schema.SCHEMA))

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

    def _ask(self, owner: str, work: Callable[[Connection], R]) -> R:
        """What the work reads. Where its connection is lost, it is done again on another one; but inside a
        transaction, which is lost with it."""
        session = self._mine.session
        if session is not None and session.transaction is not None:
            return self._ask_once(owner, work)
        return retry(lambda: self._ask_once(owner, work))

    def _ask_once(self, owner: str, work: Callable[[Connection], R]) -> R:
        """The same, on the connection that this thread has at hand, or on one for as long as this lasts."""
        with self.reading():
            session = self._mine.session
            if session is None:
                session = self._mine.session = self._begin_reading(owner)
            try:
                with translated(self.name, session.connection):
                    session.turn_to(owner)
                    return work(session.connection)
            except Interrupted:
                if session.transaction is None:
                    self._mine.session = None
                    self._let_go(session.connection)
                raise

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Everything read inside uses one connection, which is lent when it is first needed; nested ones join."""
        if self._mine.inside or self._mine.session is not None:
            yield
            return
        self._mine.inside, self._mine.session = True, None
        try:
            yield
        finally:
            self._mine.inside = False
            session = self._mine.session
            self._mine.session = None
            if session is not None:
                self._let_go(session.connection)

    def _begin_reading(self, owner: str) -> Session:
        prelude = self._prelude("read only", owner)
        with translated(self.name):
            connection, _ = self._begin(owner, lambda connection: connection.execute(prelude))
        return Session(connection, owner)

    def _let_go(self, connection: Connection) -> None:
        """End what was only read, and keep the connection for the next call; one that is broken is replaced."""
        with suppress(psycopg.Error):
            connection.execute("rollback")
        self._connections.give_back(connection)

    @contextmanager
    def transaction(self, owner: str) -> Iterator[None]:
        """Everything written inside is durable together on leaving, or nothing is."""
        session = self._mine.session
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
        reading = self._mine.session
        if reading is not None:  # two connections in one thread could wait for each other
            self._mine.session = None
            self._let_go(reading.connection)
        session = self._begin_writing(owner)
        transaction = session.transaction
        assert transaction is not None
        self._mine.session = session
        try:
            yield transaction
            self._commit(session, transaction)
        except BaseException:
            with suppress(psycopg.Error):
                session.connection.execute("rollback")
            raise
        finally:
            self._mine.session = None  # what is read next, where reading goes on, begins anew
            self._connections.give_back(session.connection)

    def _begin_writing(self, owner: str) -> Session:
        """A connection that holds the lock on the owner's row."""

        def start(connection: Connection) -> writing.Transaction:
            self._prepare_to_write(connection, owner)
            transaction = writing.Transaction(connection)
            transaction.counters(owner)
            return transaction

        with translated(self.name):
            connection, transaction = self._begin(owner, start)
        return Session(connection, owner, transaction)

    def _commit(self, session: Session, transaction: writing.Transaction) -> None:
        connection = transaction.connection
        if transaction.doomed or connection.info.transaction_status == TransactionStatus.INERROR:
            raise StoreError(f"part of a transaction on {self.name!r} failed: nothing of it was kept")
        with translated(self.name, connection):
            for counters in transaction.all_counters.values():
                session.turn_to(counters.owner)
                transaction.finish(counters)
        try:
            connection.execute("commit")
        except psycopg.Error as error:
            if not lost(connection, error):
                with translated(self.name, connection):
                    raise
            self._make_sure(next(iter(transaction.all_counters.values())), error)

    def _make_sure(self, counters: writing.OwnerCounters, cause: psycopg.Error) -> None:
        """Find out whether a commit came through whose answer was lost: then all is well, else nothing was kept."""

        def look(connection: Connection) -> bool | None:
            self._prepare_to_write(connection, counters.owner)
            return writing.came_through(connection, counters)

        with translated(self.name):
            connection, kept = self._begin(counters.owner, look)
        self._let_go(connection)
        if kept is None:
            raise StoreError(
                f"the connection to {self.name!r} was lost at a commit: look whether it was kept"
            ) from cause
        if not kept:
            raise Interrupted(f"the connection to {self.name!r} was lost: nothing of this write was kept") from cause

    def _save(self, owner: str, work: Callable[[writing.Transaction], R]) -> R:
        """Do the work in the open transaction, or in one of its own, which is tried again where it was taken back."""
        session = self._mine.session
        if session is None or session.transaction is None:
            return retry(lambda: self._write_alone(owner, work))
        transaction = session.transaction
        try:
            with translated(self.name, session.connection):
                session.turn_to(owner)
                transaction.counters(owner)
                return work(transaction)
        except BaseException as error:
            broken = session.connection.info.transaction_status != TransactionStatus.INTRANS
            transaction.doomed = transaction.doomed or broken or not isinstance(error, InvalidInput)
            raise

    def _write_alone(self, owner: str, work: Callable[[writing.Transaction], R]) -> R:
        with self._writing_alone(owner) as transaction, translated(self.name, transaction.connection):
            return work(transaction)

    def _refuse_open_transaction(self, what: str) -> None:
        session = self._mine.session
        if session is not None and session.transaction is not None:
            raise StoreError(f"{what} can't be done inside a transaction: end it first")
