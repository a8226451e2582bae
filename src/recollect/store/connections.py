"""Connections to one SQLite store: lent to a thread for a call, kept for the next one, never carried over a fork."""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Callable

import apsw

from recollect.errors import StoreError
from recollect.store.files import IN_MEMORY, open_file, open_memory, translated, translation

_MOST_IDLE = 8


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
