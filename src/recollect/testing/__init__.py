"""Checks for those who bring a store of their own: the contract that ours pass too."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from recollect.store import Store
from recollect.testing import ending, matching, records, verbs
from recollect.testing.samples import CHECKS, Check

__all__ = ["check_store", "ending", "matching", "records", "store_checks", "verbs"]


def store_checks() -> dict[str, Check]:
    """Every check by its name, for a test runner: each wants a store that is new and empty."""
    return dict(CHECKS)


def check_store(new_store: Callable[[], AbstractContextManager[Store]]) -> int:
    """Run every check on a store that `new_store` opens, new and empty each time; gives how many there were.
    The first promise that is not kept raises AssertionError with its name."""
    for name, check in CHECKS.items():
        with new_store() as store:
            try:
                check(store)
            except Exception as error:
                raise AssertionError(f"{name}: {type(error).__name__}: {error}") from error
    return len(CHECKS)
