"""Connections to one SQLite store, lent to a thread for a call and never carried over a fork; transactions on them, in
which one writes at a time and which all calls inside share."""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TypeVar

import apsw

from recollect.errors import RecollectError, StoreError
from recollect.store.reading import NO_SENSE, damaged
from recollect.store.retry import retry
from recollect.store.rows import migrated_meanwhile
from recollect.store.sqlite.files import IN_MEMORY, open_file, open_memory, translation
from recollect.store.sqlite.schema import SCHEMA
from recollect.store.sqlite.writing import OwnerRow, Transaction
from recollect.store.write_queue import WriteQueue

R = TypeVar("R")

_MOST_IDLE = 8


class translated:  # noqa: N801 - reads as a word: with translated(name)
    """Turns what SQLite raises into our errors, which say what happened to which file and what to do."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is not None and (ours := translation(self.name, error)):
            raise ours from error


class Connections:
    """Lends connections. `:memory:` has a single one, for which threads take turns."""

    def __init__(self, name: str, busy: float, on_fork: Callable[[], None]) -> None:
        self.name = name
        self.busy = busy
        self._on_fork = on_fork
        self._idle: list[apsw.Connection] = []
        self._lent: dict[int, apsw.Connection] = {}
        self._changed = threading.Condition()
        self._closed = ""
        with translated(name):
            self._idle.append(self._open())
        _open_stores.add(self)

    def _open(self) -> apsw.Connection:
        return open_memory() if self.name == IN_MEMORY else open_file(self.name, self.busy)

    def lend(self) -> apsw.Connection:
        """A connection for this thread alone, until it is given back."""
        with self._changed:
            self._refuse_closed()
            if self.name == IN_MEMORY and not self._changed.wait_for(lambda: self._idle or self._closed, self.busy):
                raise StoreError(f"{self.name!r} is being used by another thread for too long: try again")
            self._refuse_closed()
            connection = self._idle.pop() if self._idle else self._open()
            self._lent[threading.get_ident()] = connection
            return connection

    def give_back(self, connection: apsw.Connection, *, broken: bool = False) -> None:
        """Keep a connection for the next call; one that met a fault of the disk is not trusted again."""
        with self._changed:
            self._lent.pop(threading.get_ident(), None)
            spoilt = broken and self.name != IN_MEMORY
            if spoilt or self._closed or len(self._idle) >= _MOST_IDLE:
                _close(connection)
            else:
                self._idle.append(connection)
            self._changed.notify()

    def close(self) -> None:
        """Close what is idle now, and what is lent when it comes back."""
        with self._changed:
            self._closed = self._closed or "is closed: open the memory again to go on"
            self._close_idle()
            self._changed.notify_all()

    def _close_idle(self) -> None:
        while self._idle:
            _close(self._idle.pop())

    def _refuse_closed(self) -> None:
        if self._closed:
            raise StoreError(f"{self.name!r} {self._closed}")

    # SQLite's locks belong to a process, and its notes about them would be wrong in a child. So nothing is open while
    # the process forks: both sides open anew at their next call. A memory store has no locks and is simply copied.

    def before_fork(self) -> None:
        self._changed.acquire()
        deadline = time.monotonic() + self.busy
        me = threading.get_ident()
        while self._lent.keys() - {me} and time.monotonic() < deadline:
            self._changed.wait(0.05)
        if self.name != IN_MEMORY:
            self._close_idle()

    def after_fork_in_parent(self) -> None:
        self._changed.release()

    def after_fork_in_child(self) -> None:
        self._changed = threading.Condition()
        if self._lent:
            _left_alone.extend(self._lent.values())
            self._closed = "was in use while this process was forked: open the memory again, before or after a fork"
        self._lent = {}
        self._on_fork()


class Connected:
    """A connection for as long as this lasts: the one that this thread has at hand already, or one that is lent."""

    __slots__ = ("_connections", "_lent", "_mine")

    def __init__(self, connections: Connections, mine: threading.local) -> None:
        self._connections = connections
        self._mine = mine
        self._lent: apsw.Connection | None = None

    def __enter__(self) -> apsw.Connection:
        at_hand: apsw.Connection | None = getattr(self._mine, "connection", None)
        if at_hand is None:
            self._lent = self._mine.connection = at_hand = self._connections.lend()
            self._mine.owners = {}  # as long as the connection is at hand
        return at_hand

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        ours = None if error is None else translation(self._connections.name, error, self._mine.connection)
        if self._lent is not None:
            fault = error if ours else getattr(error, "__cause__", None)
            broken = isinstance(ours or error, StoreError) and not isinstance(fault, apsw.BusyError)
            self._mine.connection = None
            self._connections.give_back(self._lent, broken=broken)
        if ours is not None:
            raise ours from error


def _close(connection: apsw.Connection) -> None:
    try:
        connection.close()
    except apsw.Error:
        connection.close(True)


_open_stores: weakref.WeakSet[Connections] = weakref.WeakSet()
_forking: list[Connections] = []
_left_alone: list[apsw.Connection] = []


def _before_fork() -> None:
    _forking[:] = list(_open_stores)
    for store in _forking:
        store.before_fork()


def _after_fork_in_parent() -> None:
    for store in _forking:
        store.after_fork_in_parent()
    _forking.clear()


def _after_fork_in_child() -> None:
    for store in _forking:
        store.after_fork_in_child()
    _forking.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork_in_parent, after_in_child=_after_fork_in_child)


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
            self._whole.counters(self._owner)
        self._before = self._whole.connection.total_changes()
        return self._whole

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None:
            return
        if self._whole.connection.total_changes() != self._before:
            self._whole.doomed = True
        if ours := translation(self._name, error):
            raise ours from error


class Transactions:
    """Connections to one file, and the transactions on them."""

    _queue: WriteQueue | None = None

    def __init__(self, name: str, busy: float) -> None:
        self.name = name
        self._busy = busy
        self._begin_anew()
        self._connections = Connections(name, busy, self._begin_anew)
        self._file = self._identity()

    def _begin_anew(self) -> None:
        """Locks and what belongs to threads: new when opened, and new in a forked child."""
        self._turn = threading.Lock()
        if self._queue is not None:
            self._queue.forget()
        self._queue = None if self.name == IN_MEMORY else WriteQueue(self.name, self._busy)
        self._models: dict[str, tuple[int, int]] = {}
        self._mine = Mine()

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

    def _patiently(self, read: Callable[[], R]) -> R:
        """What this reads, done again on a new connection where what was read made no sense: one bad read is no damage
        yet. Inside a transaction it is the verb around it that is done again: what was written before is taken back
        with it."""

        def once() -> R:
            with translated(self.name):
                try:
                    return read()
                except (RecollectError, apsw.Error, UnicodeEncodeError):
                    raise
                except NO_SENSE as error:
                    raise damaged(error) from error

        return once() if self.in_transaction else retry(once)

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
                    raise StoreError(f"{self.name!r} was forked inside a transaction, which is the parent's to end")
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
            raise StoreError(f"part of a transaction on {self.name!r} failed: nothing of it was kept")
        current.finish()
        try:
            current.connection.execute("commit")
        except apsw.IOError as error:
            if getattr(error, "extendedresult", 0) not in _SYNC_FAULTS:
                raise
            raise StoreError(f"{self.name!r} {_UNCERTAIN} (SQLite says: {error})") from error

    @contextmanager
    def _my_turn(self) -> Iterator[None]:
        """Threads of one process queue here, processes after them: SQLite's own waiting is by polling, and unfair."""
        turn = self._turn
        if not turn.acquire(timeout=self._busy * 6):  # others may be before us, and each may wait for a process
            raise StoreError(f"{self.name!r} is being written by another thread for too long: try again")
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
        return self._writing_alone() if current is None else Saving(self.name, current, owner)

    def _identity(self) -> tuple[int, int] | None:
        if self.name == IN_MEMORY:
            return None
        try:
            status = os.stat(self.name)
        except OSError:
            return (-1, -1)
        return status.st_dev, status.st_ino

    def _refuse_replaced_file(self) -> None:
        if self._identity() != self._file:
            raise StoreError(
                f"{self.name!r} was deleted, moved or replaced while it was open: nothing was written; open it again"
            )

    def _refuse_newer_schema(self, connection: apsw.Connection) -> None:
        if (version := connection.execute("pragma user_version").get) != SCHEMA:
            raise StoreError(migrated_meanwhile(self.name, version, SCHEMA))
