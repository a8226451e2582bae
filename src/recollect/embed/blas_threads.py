"""One thread for numpy's matrix products: ours are small, and a second one mostly waits, at full cost of its core."""

from __future__ import annotations

from functools import lru_cache
from threading import Lock
from typing import Any

import threadpoolctl  # type: ignore[import-untyped]


@lru_cache(maxsize=1)
def _libraries() -> Any:
    # To find them takes milliseconds. numpy is loaded before anyone asks, and its BLAS is the one that counts.
    return threadpoolctl.ThreadpoolController()


class OneThread:
    """Inside `with one_thread:` a product takes one thread in the whole process; afterwards as many as before, once the
    last of the callers that are inside has left."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._inside = 0
        self._limit: Any = None

    def __enter__(self) -> None:
        with self._lock:
            self._inside += 1
            if self._inside == 1:
                self._limit = _libraries().limit(limits=1, user_api="blas")

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._limit.restore_original_limits()


one_thread = OneThread()
