"""Trying again what a store took back: a deadlock, a lost connection, a server that is being replaced, a bad read."""

from __future__ import annotations

import functools
import random
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


def again(work: Callable[[], R]) -> R:
    """What the work gives; work of which the store kept nothing is done again, a few times."""
    for pause in PAUSES:
        try:
            return work()
        except (Interrupted, DiskFault):
            time.sleep(pause * random.uniform(0.5, 1.5))
    return work()


def retried(verb: Callable[P, R]) -> Callable[P, R]:
    """The verb, done again where the store kept nothing of it."""

    @functools.wraps(verb)
    def persistent(*args: P.args, **kwargs: P.kwargs) -> R:
        return again(lambda: verb(*args, **kwargs))

    return persistent
