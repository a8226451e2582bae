"""Through pgbouncer in transaction mode: clients share connections, and each transaction may have another one.

`make pgbouncer` installs it and runs these.
"""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from recollect import Memory
from recollect.errors import StoreError
from recollect.store import Store, open_store
from recollect.store.postgres import PostgresStore
from recollect.testing import store_checks

from ..servers import PgBouncer, Server

pytestmark = pytest.mark.slow

KEEPS_STATEMENTS = (1, 21)
"""The first version that can keep prepared statements."""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    if not PgBouncer.program():
        missing = "no pgbouncer: run `make pgbouncer`, or apt-get install pgbouncer"
        pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)
    made = Server(Path(tempfile.mkdtemp(prefix="recollect-"))).create()
    yield made
    made.remove()


@pytest.fixture(scope="module")
def losing(server: Server) -> Iterator[str]:
    """The URL of a database behind a pgbouncer that loses prepared statements."""
    settings = ["max_prepared_statements = 0"] if PgBouncer.version() >= KEEPS_STATEMENTS else []
    bouncer = PgBouncer(server.folder, server, *settings)
    yield bouncer.url()
    bouncer.stop()


@pytest.fixture(scope="module")
def keeping(server: Server) -> Iterator[str]:
    """The URL of a database behind a pgbouncer that keeps prepared statements."""
    if PgBouncer.version() < KEEPS_STATEMENTS:
        pytest.skip("this version of pgbouncer keeps no prepared statements")
    bouncer = PgBouncer(server.folder, server, "max_prepared_statements = 100")
    yield bouncer.url()
    bouncer.stop()


@pytest.fixture(params=["losing", "keeping"])
def pooled(request: pytest.FixtureRequest) -> str:
    return str(request.getfixturevalue(request.param))


@contextmanager
def a_schema(url: str) -> Iterator[str]:
    """A store that does not exist yet, and is gone afterwards."""
    schema = f"t_{random.SystemRandom().getrandbits(60):x}"
    yield f"{url}?schema={schema}&patience=5"
    with psycopg.connect(url, autocommit=True, prepare_threshold=None) as connection:
        connection.execute(f"drop schema if exists {schema} cascade")


@pytest.fixture
def url(pooled: str, request: pytest.FixtureRequest) -> Iterator[str]:
    with a_schema(pooled) as named:
        yield f"{named}&prepared={'no' if 'losing' in request.node.name else 'yes'}"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    opened = open_store(url)
    yield opened
    opened.close()


@pytest.mark.parametrize("name", store_checks())
def test_contract(name: str, store: Store) -> None:
    store_checks()[name](store)


def test_many_clients_of_few_connections_see_only_their_own(url: str) -> None:
    def live(number: int) -> list[str]:
        with Memory(url, owner=f"owner{number}", embedder=None) as memory:
            for step in range(5):
                memory.remember("desk", f"oak {number}-{step}")
            return [fact.value for fact in memory.facts()] + [hit.text for hit in memory.search("oak desk")]

    with Memory(url, embedder=None), ThreadPoolExecutor(8) as pool:
        found = list(pool.map(live, range(16)))
    for number, texts in enumerate(found):
        assert texts
        assert all(f"oak {number}-4" in text for text in texts)


def test_no_setting_of_ours_stays_on_a_shared_connection(url: str, pooled: str) -> None:
    with Memory(url, owner="ana", embedder=None) as memory:
        memory.remember("desk", "oak")
        memory.search("oak desk")
    with psycopg.connect(pooled, autocommit=True, prepare_threshold=None) as connection:
        for _ in range(8):
            row = connection.execute(
                "select current_setting('recollect.owner', true), current_setting('search_path'), "
                "current_setting('jit'), current_setting('lock_timeout')"
            ).fetchone()
            assert row in (("", '"$user", public', "on", "0"), (None, '"$user", public', "on", "0"))


def test_a_pooler_that_loses_prepared_statements_is_named(losing: str) -> None:
    with a_schema(losing) as url, pytest.raises(StoreError, match="prepared=no"):
        tell_from_many_threads(url)


def test_a_pooler_that_keeps_prepared_statements_needs_no_setting(keeping: str) -> None:
    with a_schema(keeping) as url:
        tell_from_many_threads(url)


def tell_from_many_threads(url: str) -> None:
    """The same statements again and again, on whichever connection is free."""
    store = PostgresStore(url)

    def tell(number: int) -> None:
        memory = Memory(store, owner=f"owner{number}", embedder=None)
        for step in range(10):
            memory.remember("desk", f"oak {step}")
            memory.recall("desk")

    try:
        with ThreadPoolExecutor(6) as pool:
            list(pool.map(tell, range(6)))
    finally:
        store.close()
