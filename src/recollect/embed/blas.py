"""One thread for numpy's matrix products: ours are small, and a second thread mostly waits, at full cost of its core.

numpy has no setting for it. Its wheels carry OpenBLAS, which has one; another BLAS is left as it is.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import numpy as np


class _Threads(NamedTuple):
    """How many threads OpenBLAS uses: asked and set."""

    get: Callable[[], int]
    set: Callable[[int], None]


@lru_cache(maxsize=1)
def _openblas() -> _Threads | None:
    home = Path(np.__file__).parent
    folders = (home.with_name("numpy.libs"), home / ".dylibs")
    for path in (found for folder in folders for found in sorted(folder.glob("*openblas*"))):
        library = ctypes.CDLL(str(path))
        for name in ("scipy_openblas_{}_num_threads64_", "scipy_openblas_{}_num_threads", "openblas_{}_num_threads"):
            if hasattr(library, name.format("set")):
                setter = library[name.format("set")]
                setter.restype = None
                return _Threads(library[name.format("get")], setter)
    return None


_lock = Lock()
_inside: list[int] = []  # one entry a caller inside `one_thread`; the first holds the number to go back to


@contextmanager
def one_thread() -> Iterator[None]:
    """Inside this block a matrix product takes one thread, in the whole process; afterwards as many as before."""
    blas = _openblas()
    if blas is None:
        yield
        return
    with _lock:
        _inside.append(_inside[0] if _inside else blas.get())
        if len(_inside) == 1 and _inside[0] != 1:
            blas.set(1)
    try:
        yield
    finally:
        with _lock:
            before = _inside.pop()
            if not _inside and before != 1:
                blas.set(before)
