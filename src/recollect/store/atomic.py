"""Files that are written as a whole or not at all, for this user alone, and durable once they stand in their place."""

from __future__ import annotations

import errno
import os
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from recollect.errors import InvalidInput, StoreError

_BESIDE = ("", "-journal", "-wal", "-shm")
"""What SQLite puts beside a file, which goes with it."""


def create_private(path: str) -> None:
    """A new, empty file that only this user can read; FileExistsError when there is one."""
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


@contextmanager
def atomic_file(target: str) -> Iterator[str]:
    """A private file beside the target, to be written inside. On leaving it is synced and takes the target's place;
    after an error nothing of it is left. A link is followed; a device or a pipe is refused, as the file would take its
    place instead of going through it."""
    target = _of_file(target)
    part = f"{target}.{os.getpid()}-{threading.get_native_id()}.part"
    Path(part).unlink(missing_ok=True)  # of a process of that number that was killed
    create_private(part)
    try:
        yield part
        _sync(part)
        os.replace(part, target)
    finally:
        for ending in _BESIDE:
            Path(part + ending).unlink(missing_ok=True)
    if os.name != "nt":  # where a directory can be opened at all: its entry is durable too
        _sync(os.path.dirname(os.path.abspath(target)))


def _of_file(path: str) -> str:
    """The place that a path leads to, where there is a file or nothing."""
    if os.path.exists(path) and not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError(errno.EINVAL, "there is something that is no file", path)
    return os.path.realpath(path)


def _sync(path: str) -> None:
    handle = os.open(path, os.O_RDONLY if os.path.isdir(path) else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def new_file(path: Path) -> Iterator[str]:
    """Where to write what is to stand at this path, which must be free."""
    target = os.path.abspath(path)
    if os.path.lexists(target):
        raise InvalidInput(f"{target!r} is there already: pass the name of a new file")
    try:
        with atomic_file(target) as part:
            yield part
    except OSError as error:
        raise StoreError(f"{target!r} can't be written: {error.strerror or error}") from error
