"""Reads of a SQLite store, made again where the disk failed: one bad read is no damage yet."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import apsw

from recollect.errors import RecollectError
from recollect.store.damage import NO_SENSE, damaged
from recollect.store.files import translated
from recollect.store.retries import again
from recollect.store.transactions import Turns

P = ParamSpec("P")
R = TypeVar("R")


def reread(method: Callable[P, R]) -> Callable[P, R]:
    """The method, done again on a new connection where what was read made no sense. Inside a transaction it is the
    verb around it that is done again: what was written before is taken back with it."""

    @functools.wraps(method)
    def patient(*args: P.args, **kwargs: P.kwargs) -> R:
        store: Turns = args[0]  # type: ignore[assignment]

        def read() -> R:
            with translated(store.name):
                try:
                    return method(*args, **kwargs)
                except (RecollectError, apsw.Error, UnicodeEncodeError):
                    raise
                except NO_SENSE as error:
                    raise damaged(error) from error

        return read() if store.in_transaction else again(read)

    return patient
