"""The queue of the processes that write to one SQLite file: first come, first served.

SQLite alone lets writers poll for its lock, and whoever asks more often or by chance at the right moment gets it: with
eight writers on a busy machine some get nothing for seconds. Here each writer takes a ticket, the present microsecond,
and locks that byte of an empty file beside the store. It has its turn when no earlier byte is locked any more. The
kernel drops the locks of a process that dies. The queue only orders: what keeps two writers apart is SQLite's own lock,
so that the worst a missing or broken queue can do is what was so without it.
"""

from __future__ import annotations

import os
import stat
import struct
import sys
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress

ENDING = "-queue"
PAUSE, LONGEST_PAUSE = 0.001, 0.01
"""Seconds between one look at the queue and the next, for each writer that is before us."""
MOST_TRIES = 100
PRESENCE, FIRST_TICKET = 0, 1
"""The byte that all who have the file open share, and the first that can be a ticket."""
LOCK = struct.Struct("hhqqi0q")
"""`struct flock` on 64-bit Linux: type, whence, start, length, process."""


def is_supported() -> bool:
    """Whether this system has locks that belong to an open file: those of a process would be lost when a second store
    of the process lets go of the same file."""
    return sys.platform == "linux" and sys.maxsize > 2**32


class WriteQueue:
    """One store's place in the queue of its file. Its threads must come one at a time."""

    def __init__(self, store: str, patience: float) -> None:
        self._path = store + ENDING
        self._patience = patience
        self._file: QueueFile | None = None
        self.closed = not is_supported()
        self._stuck = FIRST_TICKET - 1
        """The last ticket that was waited for in vain: a process that was stopped, say."""

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Waits for those who came before; they go first for as long as one of them gets on."""
        ticket = self._waited()
        try:
            yield
        finally:
            if ticket is not None and self._file is not None:
                self._file.unlock(ticket)

    def _waited(self) -> int | None:
        """The ticket whose turn has come; None without a queue."""
        if self.closed:
            return None
        try:
            file = self._opened()
            ticket = file.take_ticket()
            self._wait(file, ticket)
        except (
            OSError
        ):  # the directory can't be written, or a network drive has no such locks: SQLite's waiting must do
            self.forget()
            return None
        except BaseException:
            self.forget()  # and with it of the ticket
            raise
        return ticket

    def _wait(self, file: QueueFile, ticket: int) -> None:
        first, deadline = None, 0.0
        while before := file.tickets(self._stuck + 1, ticket):
            if before[0] != first:
                first, deadline = before[0], time.monotonic() + self._patience
            elif time.monotonic() > deadline:
                self._stuck = first
                return
            time.sleep(min(PAUSE * len(before), LONGEST_PAUSE))

    def _opened(self) -> QueueFile:
        """The file, opened again where another process has removed it."""
        if self._file is None or not self._file.is_there():
            self.forget()
            self._file = opened(self._path)
        return self._file

    def leave(self) -> None:
        """Let go of the file, and remove it when nobody else has it open."""
        if self._file is not None:
            with suppress(OSError):
                self._file.remove_if_last()
            self.forget()

    def forget(self) -> None:
        """Let go of the file and no more: in a forked child, the locks are the parent's."""
        if self._file is not None:
            self._file.close()
            self._file = None


def opened(path: str) -> QueueFile:
    """The queue file, made where there is none."""
    for _ in range(MOST_TRIES):
        file = QueueFile(path)
        if file.share():
            return file
        file.close()  # another process is just removing it
        time.sleep(PAUSE)
    raise TimeoutError(f"{path!r} is being removed for too long")


class QueueFile:
    """An empty file whose locked bytes are the queue."""

    def __init__(self, path: str) -> None:
        import fcntl  # not there on Windows

        self._ask, self._set = fcntl.F_OFD_GETLK, fcntl.F_OFD_SETLK
        self._write, self._read, self._none = fcntl.F_WRLCK, fcntl.F_RDLCK, fcntl.F_UNLCK
        self._call = fcntl.fcntl
        self._path = path
        mode = stat.S_IMODE(os.stat(path.removesuffix(ENDING)).st_mode)  # who may write the store may queue
        self._number = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, mode)
        self.close = weakref.finalize(self, os.close, self._number)

    def is_there(self) -> bool:
        """Whether the file has not been removed."""
        return os.fstat(self._number).st_nlink > 0

    def share(self) -> bool:
        """Tell others that we have the file open; False where one is removing it."""
        return self._lock(self._read, PRESENCE) and self.is_there()

    def remove_if_last(self) -> None:
        """Remove the file unless others have it open."""
        if self._lock(self._write, PRESENCE) and self.is_there():
            os.unlink(self._path)

    def take_ticket(self) -> int:
        """Lock the byte of the present microsecond, or the next one that is free."""
        ticket = time.monotonic_ns() // 1000 + FIRST_TICKET
        while not self._lock(self._write, ticket):
            ticket += 1
        return ticket

    def unlock(self, ticket: int) -> None:
        self._call(self._number, self._set, LOCK.pack(self._none, 0, ticket, 1, 0))

    def tickets(self, first: int, end: int) -> list[int]:
        """The tickets of others in this range, the lowest one first."""
        found: list[int] = []
        ranges = [(first, end)]
        while ranges:
            start, stop = ranges.pop()
            if start < stop and (ticket := self._locked(start, stop)) is not None:
                found.append(ticket)
                ranges += [(start, ticket), (ticket + 1, stop)]
        return sorted(found)

    def _locked(self, start: int, end: int) -> int | None:
        """One ticket in this range, in no order."""
        asked = LOCK.pack(self._write, 0, start, end - start, 0)
        kind, _, found, _, _ = LOCK.unpack(self._call(self._number, self._ask, asked))
        return None if kind == self._none else max(found, start)

    def _lock(self, kind: int, byte: int) -> bool:
        try:
            self._call(self._number, self._set, LOCK.pack(kind, 0, byte, 1, 0))
        except BlockingIOError:
            return False
        return True
