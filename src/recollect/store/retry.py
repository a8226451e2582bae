"""Trying again what a store took back: a deadlock, a lost connection, a server that is being replaced, a bad read."""

from __future__ import annotations

import functools
import random
import threading
import time
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from recollect.errors import Interrupted, StoreError

P = ParamSpec("P")
R = TypeVar("R")

PAUSES = (0.01, 0.05, 0.2, 0.5)
"""Seconds between one try and the next, on average."""


class DiskFault(StoreError):
    """The disk failed, or what was read makes no sense, and nothing was written. A single bad read gives that too, so
    that the same call is made again before anyone is told."""


class DamagedRow(Exception):
    """What was read can't have been written by us. A store turns it into its own error, which names the file."""


class _Depth(threading.local):
    """How many of these calls a thread is inside of."""

    now = 0


_depth = _Depth()


def retry(work: Callable[[], R]) -> R:
    """What the work gives; work of which the store kept nothing is done again, a few times. Where one such call is
    inside another, a fault of the disk is for the outer one, so that tries do not multiply."""
    _depth.now += 1
    try:
        for pause in PAUSES:
            try:
                return work()
            except (Interrupted, DiskFault) as error:
                if isinstance(error, DiskFault) and _depth.now > 1:
                    raise
                time.sleep(pause * random.uniform(0.5, 1.5))
        return work()
    finally:
        _depth.now -= 1


def retried(verb: Callable[P, R]) -> Callable[P, R]:
    """The verb, done again where the store kept nothing of it."""

    @functools.wraps(verb)
    def persistent(*args: P.args, **kwargs: P.kwargs) -> R:
        return retry(lambda: verb(*args, **kwargs))

    return persistent
