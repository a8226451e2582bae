"""What every store promises: recollect.testing, on each of ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from recollect.stores import Store, open_store
from recollect.testing import check_store, store_checks


@pytest.mark.parametrize("name", store_checks())
def test_contract(name: str, store: Store) -> None:
    store_checks()[name](store)


def test_a_store_can_be_checked_without_a_test_runner() -> None:
    @contextmanager
    def new_store() -> Iterator[Store]:
        store = open_store(":memory:")
        yield store
        store.close()

    assert check_store(new_store) == len(store_checks()) > 60


def test_a_broken_promise_is_named() -> None:
    @contextmanager
    def forgetful() -> Iterator[Store]:
        store = open_store(":memory:")
        store.settle = lambda owner, messages: None  # type: ignore[method-assign]
        yield store
        store.close()

    with pytest.raises(AssertionError, match="messages_wait_until_they_are_settled"):
        check_store(forgetful)
