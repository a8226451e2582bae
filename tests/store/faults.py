"""Faults of the disk, made where SQLite calls the operating system. Only for forked children."""

from __future__ import annotations

import ctypes
import errno
import os
import signal
from collections.abc import Callable
from typing import Any

import apsw

READ, WRITE, CUT, REMOVE = "pread64", "pwrite64", "ftruncate", "unlink"
CHANGES = (WRITE, CUT, REMOVE)
_NUMBER, _POINTER, _SIZE = ctypes.c_int, ctypes.c_void_p, ctypes.c_ssize_t
_FORMS: dict[str, Any] = {
    READ: ctypes.CFUNCTYPE(_SIZE, _NUMBER, _POINTER, _SIZE, ctypes.c_int64, use_errno=True),
    WRITE: ctypes.CFUNCTYPE(_SIZE, _NUMBER, _POINTER, _SIZE, ctypes.c_int64, use_errno=True),
    CUT: ctypes.CFUNCTYPE(_NUMBER, _NUMBER, ctypes.c_int64, use_errno=True),
    REMOVE: ctypes.CFUNCTYPE(_NUMBER, ctypes.c_char_p, use_errno=True),
}
_replaced: list[object] = []
"""What SQLite calls from now on: it must outlive the disk."""


class Disk:
    """SQLite's system calls of some names, counted; `decide` says with which error one of them fails, or 0."""

    def __init__(self, names: tuple[str, ...], decide: Callable[[int], int]) -> None:
        self.calls = 0
        self._decide = decide
        for name in names:
            self._replace(apsw.VFS("recollect-faults", base="unix"), name)

    def _replace(self, vfs: apsw.VFS, name: str) -> None:
        real = _FORMS[name](vfs.xGetSystemCall(name))

        def call(*given: Any) -> int:
            self.calls += 1
            if code := self._decide(self.calls):
                ctypes.set_errno(code)
                return -1
            done: int = real(*given)
            return done

        ours = _FORMS[name](call)
        assert vfs.xSetSystemCall(name, ctypes.cast(ours, ctypes.c_void_p).value or 0)
        _replaced.append((vfs, ours))


def counted(*names: str) -> Disk:
    """A disk that only counts."""
    return Disk(names, lambda call: 0)


def failing(*names: str, first: int, times: int = 1) -> Disk:
    """A disk whose calls fail from that one on, so many times."""
    return Disk(names, lambda call: errno.EIO if first <= call < first + times else 0)


def killed(*names: str, at: int) -> Disk:
    """A process that is killed instead of its call of that number."""
    return Disk(names, lambda call: os.kill(os.getpid(), signal.SIGKILL) or 0 if call == at else 0)
