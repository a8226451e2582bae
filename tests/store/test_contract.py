"""What every store promises: recollect.testing, on each of ours."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from recollect.store import Store, open_store
from recollect.testing import check_store, store_checks

from ..conftest import no_server
from ..servers import Server


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


def test_postgresql_18_keeps_the_same_promises() -> None:
    folder = Path(tempfile.mkdtemp(prefix="recollect-"))
    server = Server(folder, version=18)
    schemas = itertools.count()

    @contextmanager
    def new_store() -> Iterator[Store]:
        store = open_store(f"{server.url()}?schema=t{next(schemas)}")
        yield store
        store.close()

    try:
        server.create("fsync=off")
        assert server.sql("show server_version")[0][0].startswith("18.")
        assert check_store(new_store) == len(store_checks())
    except (RuntimeError, OSError) as error:
        no_server(error)
    finally:
        server.remove()


def test_a_broken_promise_is_named() -> None:
    @contextmanager
    def forgetful() -> Iterator[Store]:
        store = open_store(":memory:")
        store.settle = lambda owner, messages, failed=(): None  # type: ignore[method-assign]
        yield store
        store.close()

    with pytest.raises(AssertionError, match="messages_wait_until_they_are_settled"):
        check_store(forgetful)
