"""Who may write to a SQLite store: one at a time, in a transaction that all calls inside it share."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

import apsw

from recollect.errors import StoreError
from recollect.store.connections import Connected, Connections
from recollect.store.files import IN_MEMORY, translated, translation
from recollect.store.migrations import SCHEMA
from recollect.store.owner_counters import OwnerRow, Transaction
from recollect.store.sql import migrated_meanwhile
from recollect.store.write_queue import WriteQueue

_SYNC_FAULTS = (apsw.SQLITE_IOERR_FSYNC, apsw.SQLITE_IOERR_DIR_FSYNC)
_UNCERTAIN = (
    "could not be made durable: whether this write is kept shows when the store is opened again; check the disk, and "
    "look before you write it once more"
)


class Mine(threading.local):
    """What a thread has at hand of one store."""

    connection: apsw.Connection | None = None
    transaction: Transaction | None = None
    owners: dict[str, OwnerRow]
    """By name, as they were when the connection was taken in hand, or a transaction on it last began or ended."""


class Inner:
    """Part of a transaction: when it fails, nothing of the whole is kept, whatever is done with the error."""

    __slots__ = ("_whole",)

    def __init__(self, whole: Transaction) -> None:
        self._whole = whole

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is not None:
            self._whole.doomed = True


class Saving:
    """One call that writes inside a transaction. What is refused before the first row is written leaves it intact."""

    __slots__ = ("_before", "_name", "_owner", "_whole")

    def __init__(self, name: str, whole: Transaction, owner: str) -> None:
        self._name, self._whole, self._owner = name, whole, owner
        self._before = 0

    def __enter__(self) -> Transaction:
        with translated(self._name):
            self._whole.ledger(self._owner)
        self._before = self._whole.connection.total_changes()
        return self._whole

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None:
            return
        if self._whole.connection.total_changes() != self._before:
            self._whole.doomed = True
        if ours := translation(self._name, error):
            raise ours from error


class Turns:
    """Connections to one file, and the transactions on them."""

    _queue: WriteQueue | None = None

    def __init__(self, name: str, busy: float) -> None:
        self._name = name
        self._busy = busy
        self._begin_anew()
        self._connections = Connections(name, busy, self._begin_anew)
        self._file = self._identity()

    def _begin_anew(self) -> None:
        """Locks and what belongs to threads: new when opened, and new in a forked child."""
        self._turn = threading.Lock()
        if self._queue is not None:
            self._queue.forget()
        self._queue = None if self._name == IN_MEMORY else WriteQueue(self._name, self._busy)
        self._models: dict[str, tuple[int, int]] = {}
        self._mine = Mine()

    @property
    def name(self) -> str:
        return self._name

    @property
    def in_transaction(self) -> bool:
        """Whether this thread has one open."""
        return self._mine.transaction is not None

    def _using(self) -> Connected:
        """The connection that this thread has at hand, or one for as long as this lasts."""
        return Connected(self._connections, self._mine)

    def reading(self) -> Connected:
        """Whatever is read inside goes through one connection, at less cost than call by call."""
        return self._using()

    def transaction(self, owner: str) -> AbstractContextManager[object]:
        """Everything written inside is durable together on leaving, or nothing is."""
        current = self._mine.transaction
        return self._writing_alone() if current is None else Inner(current)

    @contextmanager
    def _writing_alone(self) -> Iterator[Transaction]:
        process = os.getpid()
        with self._my_turn(), self._using() as connection:
            connection.execute("begin immediate")
            self._mine.owners.clear()
            try:
                self._refuse_replaced_file()
                self._refuse_newer_schema(connection)
                self._mine.transaction = current = Transaction(connection, models=self._models)
                yield current
                if os.getpid() != process:
                    raise StoreError(f"{self._name!r} was forked inside a transaction, which is the parent's to end")
                self._commit(current)
            except BaseException:
                if os.getpid() == process and connection.in_transaction:
                    connection.execute("rollback")
                raise
            finally:
                self._mine.transaction = None
                self._mine.owners.clear()

    def _commit(self, current: Transaction) -> None:
        if current.doomed:
            raise StoreError(f"part of a transaction on {self._name!r} failed: nothing of it was kept")
        current.finish()
        try:
            current.connection.execute("commit")
        except apsw.IOError as error:
            if getattr(error, "extendedresult", 0) not in _SYNC_FAULTS:
                raise
            raise StoreError(f"{self._name!r} {_UNCERTAIN} (SQLite says: {error})") from error

    @contextmanager
    def _my_turn(self) -> Iterator[None]:
        """Threads of one process queue here, processes after them: SQLite's own waiting is by polling, and unfair."""
        turn = self._turn
        if not turn.acquire(timeout=self._busy * 6):  # others may be before us, and each may wait for a process
            raise StoreError(f"{self._name!r} is being written by another thread for too long: try again")
        try:
            with self._queue.turn() if self._queue else nullcontext():
                yield
        finally:
            if self._queue and self._queue.closed:
                self._queue.leave()
            turn.release()

    def _close_queue(self) -> None:
        """For a store that is closed; who is still writing leaves at the end of the turn."""
        if self._queue is None:
            return
        self._queue.closed = True
        if self._turn.acquire(blocking=False):
            self._queue.leave()
            self._turn.release()

    def _saving(self, owner: str) -> AbstractContextManager[Transaction]:
        """The open transaction, or one of its own."""
        current = self._mine.transaction
        return self._writing_alone() if current is None else Saving(self._name, current, owner)

    def _identity(self) -> tuple[int, int] | None:
        if self._name == IN_MEMORY:
            return None
        try:
            status = os.stat(self._name)
        except OSError:
            return (-1, -1)
        return status.st_dev, status.st_ino

    def _refuse_replaced_file(self) -> None:
        if self._identity() != self._file:
            raise StoreError(
                f"{self._name!r} was deleted, moved or replaced while it was open: nothing was written; open it again"
            )

    def _refuse_newer_schema(self, connection: apsw.Connection) -> None:
        if (version := connection.execute("pragma user_version").get) != SCHEMA:
            raise StoreError(migrated_meanwhile(self._name, version, SCHEMA))
