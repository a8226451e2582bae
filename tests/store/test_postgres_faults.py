"""What goes wrong with a server: nothing that was acknowledged is lost, nothing is kept twice, and work goes on."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest

from recollect import Memory
from recollect.errors import Interrupted, StoreError
from recollect.records import Message
from recollect.store.postgres import PostgresStore
from recollect.store.postgres.connections import Place
from recollect.store.retry import PAUSES, retry

from ..conftest import no_server
from ..servers import Proxy, Server
from .samples import message


@pytest.fixture
def server() -> Iterator[Server]:
    """A server of the test's own, which may be killed."""
    with a_folder() as made:
        try:
            made.create()
        except (AssertionError, RuntimeError, OSError) as error:
            no_server(error)
        yield made


@pytest.fixture
def replica(server: Server) -> Iterator[Server]:
    """A second server, which follows the first; what that one acknowledges, this one has."""
    with a_folder() as made:
        source = f"host=127.0.0.1 port={server.port} user=postgres"
        made.run("pg_basebackup", "-D", str(made.data), "-d", source, "-R", "-X", "stream", "-c", "fast")
        made.start()
        server.sql("alter system set synchronous_standby_names = '*'", database="postgres")
        server.sql("select pg_reload_conf()", database="postgres")
        yield made


@contextmanager
def a_folder() -> Iterator[Server]:
    """Where a server can be made; gone with it, however far it came."""
    made = Server(Path(tempfile.mkdtemp(prefix="recollect-")))
    try:
        yield made
    finally:
        made.remove()


@pytest.fixture
def proxy(postgres: str) -> Iterator[Proxy]:
    settings = psycopg.conninfo.conninfo_to_dict(postgres)
    made = Proxy(int(settings.get("port") or 5432))
    yield made
    made.close()


def through(proxy: Proxy, url: str) -> str:
    port = str(psycopg.conninfo.conninfo_to_dict(Place(url).conninfo).get("port"))
    return url.replace(f":{port}/", f":{proxy.port}/")


def in_threads(*work: Callable[[], object]) -> None:
    failed: list[BaseException] = []

    def guarded(one: Callable[[], object]) -> None:
        try:
            one()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=guarded, args=(one,)) for one in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not failed, failed


class Teller:
    """Adds one message after another and notes which were acknowledged."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.told: list[str] = []
        self.failed: list[BaseException] = []
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._tell)
        self._thread.start()

    def _tell(self) -> None:
        number = 0
        while not self._ending.is_set():
            number += 1
            said = {"role": "user", "content": f"I like item {number}.", "id": f"m{number}"}
            try:
                self.memory.add([said])
                self.told.append(f"m{number}")
            except BaseException as error:
                self.failed.append(error)

    def wait_for(self, count: int) -> None:
        deadline = time.monotonic() + 60
        while len(self.told) < count:
            assert time.monotonic() < deadline, (self.told[-3:], self.failed[-3:])
            time.sleep(0.01)

    def __enter__(self) -> Teller:
        return self

    def __exit__(self, *error: object) -> None:
        self._ending.set()
        self._thread.join(60)


def kept_once(memory: Memory, told: list[str]) -> None:
    """All that was acknowledged is there, once, with its facts and vectors."""
    kept = [one.id for one in memory.store.read(memory.owner, Message)]
    assert set(told) <= set(kept)
    assert len(kept) == len(set(kept))
    counts = memory.store.counts(memory.owner)
    assert counts.messages <= counts.facts <= counts.messages + 1
    assert memory.store.check() == []


def test_a_server_that_is_killed_and_restarted_loses_nothing_acknowledged(server: Server) -> None:
    memory = Memory(server.url() + "?patience=30", owner="ana")
    with Teller(memory) as teller:
        for kill in range(1, 4):
            teller.wait_for(5 * kill)
            server.kill()
            server.start()
        teller.wait_for(len(teller.told) + 5)
    assert not teller.failed, teller.failed
    kept_once(memory, teller.told)
    memory.close()


def test_the_kill_test_would_notice_a_loss(server: Server) -> None:
    server.sql("alter system set synchronous_commit = off", database="postgres")
    server.sql("alter system set wal_writer_delay = '10s'", database="postgres")
    server.sql("alter system set wal_writer_flush_after = '1GB'", database="postgres")
    server.sql("select pg_reload_conf()", database="postgres")
    store = PostgresStore(server.url() + "?patience=30")
    for number in range(20):
        store.save("ana", [message(f"m{number}")])
    server.kill()
    server.start()
    assert len(store.read("ana", Message)) < 20
    store.close()


def test_a_replica_that_is_promoted_goes_on(server: Server, replica: Server) -> None:
    hosts = f"postgresql://recollect@127.0.0.1:{server.port},127.0.0.1:{replica.port}/memory?patience=30"
    memory = Memory(hosts, owner="ana")
    with Teller(memory) as teller:
        teller.wait_for(5)
        server.kill()
        replica.sql("select pg_promote()", database="postgres")
        teller.wait_for(len(teller.told) + 5)
    assert not teller.failed, teller.failed
    kept_once(memory, teller.told)
    memory.close()


@pytest.mark.parametrize("word", [b"insert into items", b"insert into vectors", b"update owners", b"commit"])
@pytest.mark.parametrize("after", [False, True])
def test_a_connection_that_is_cut_in_an_add_has_one_effect(
    proxy: Proxy, postgres_url: str, word: bytes, after: bool
) -> None:
    memory = Memory(through(proxy, postgres_url), owner="ana")
    memory.add("I like tea.")
    proxy.after, proxy.word = after, word
    memory.add("I live in Lisbon.")
    assert proxy.word == b"", "the connection was not cut"
    assert len(memory.store.read("ana", Message)) == 2
    assert [(one.value, one.confirmations) for one in memory.history("home")] == [("Lisbon", 0)]
    assert memory.store.check() == []
    memory.close()


@pytest.mark.parametrize("after", [False, True])
def test_a_key_that_is_remembered_over_a_cut_connection_is_not_confirmed_by_itself(
    proxy: Proxy, postgres_url: str, after: bool
) -> None:
    memory = Memory(through(proxy, postgres_url), owner="ana")
    proxy.after, proxy.word = after, b"commit"
    memory.remember("seat", "window")
    assert [(one.value, one.confirmations) for one in memory.history("seat")] == [("window", 0)]
    memory.close()


def test_reading_goes_on_after_all_connections_were_cut(proxy: Proxy, postgres_url: str) -> None:
    memory = Memory(through(proxy, postgres_url), owner="ana")
    memory.remember("seat", "window")
    proxy.cut()
    assert memory.recall("seat") == "window"
    memory.close()


@pytest.mark.parametrize("word", [b"from words", b"from vectors", b"from facts", b"from items"])
@pytest.mark.parametrize("after", [False, True])
def test_a_search_whose_connection_is_cut_goes_on(proxy: Proxy, postgres_url: str, word: bytes, after: bool) -> None:
    memory = Memory(through(proxy, postgres_url), owner="ana")
    memory.add("I live in Lisbon.")
    found = memory.search("where do I live?")
    proxy.after, proxy.word = after, word
    assert memory.search("where do I live?") == found
    assert proxy.word == b"", "the connection was not cut"
    assert memory.recall("home") == "Lisbon"
    memory.close()


def test_what_is_read_in_a_transaction_is_lost_with_it(proxy: Proxy, postgres_url: str) -> None:
    store = PostgresStore(through(proxy, postgres_url))

    def write() -> None:
        with store.transaction("ana"):
            store.save("ana", [message("m1")])
            proxy.word = b"from messages"
            store.read("ana", Message)

    with pytest.raises(Interrupted):
        write()
    assert store.read("ana", Message) == []
    store.close()


def test_a_pool_that_is_used_up_says_so(postgres_url: str) -> None:
    store = PostgresStore(postgres_url.replace("patience=5", "patience=1") + "&connections=2")
    both, done = threading.Barrier(3, timeout=30), threading.Event()

    def hold(owner: str) -> None:
        with store.transaction(owner):
            both.wait()
            done.wait(30)

    threads = [threading.Thread(target=hold, args=(owner,)) for owner in ("a", "b")]
    for thread in threads:
        thread.start()
    both.wait()
    for use in (lambda: store.read("c", Message), lambda: Memory(store, owner="c", embedder=None).add("I like tea.")):
        with pytest.raises(StoreError, match="all 2 connections") as told:
            use()
        assert not isinstance(told.value, Interrupted), "it would be tried again, and wait as long each time"
    done.set()
    for thread in threads:
        thread.join()
    assert store.read("c", Message) == []
    store.close()


def test_a_writer_that_holds_an_owner_too_long_is_named(postgres_url: str) -> None:
    store = PostgresStore(postgres_url.replace("patience=5", "patience=1"))
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with store.transaction("ana"):
            held.set()
            done.wait(30)

    thread = threading.Thread(target=hold)
    thread.start()
    assert held.wait(30)
    store.save("bob", [message("m1", owner="bob")])
    with pytest.raises(StoreError, match="another process for too long"):
        store.save("ana", [message("m1")])
    done.set()
    thread.join()
    store.close()


def test_a_deadlock_is_tried_again(postgres_url: str) -> None:
    store = PostgresStore(postgres_url)
    met = threading.Barrier(2)

    def write(first: str, second: str) -> Callable[[], None]:
        def once() -> None:
            with store.transaction(first):
                store.save(first, [message(f"{first}{second}", owner=first)])
                if not met.broken and met.n_waiting < 2:
                    with suppress(threading.BrokenBarrierError):  # the second try meets nobody
                        met.wait(2)
                store.save(second, [message(f"{first}{second}", owner=second)])

        return lambda: retry(once)

    in_threads(write("a", "b"), write("b", "a"))
    for owner in ("a", "b"):
        assert {one.id for one in store.read(owner, Message)} == {"ab", "ba"}
    store.close()


def failing(url: str, times: int) -> Callable[[], int]:
    """Make so many of the next writes of messages fail with a serialization failure; gives how many there were."""
    place = Place(url)

    def run(*statements: str) -> Any:
        with psycopg.connect(place.conninfo, autocommit=True) as connection:
            connection.execute(f"set search_path = {place.schema}")
            for statement in statements:
                done = connection.execute(statement)
            return done.fetchone() if done.description else None

    run(
        "create sequence tries",
        f"""create function refuse() returns trigger language plpgsql as $$ begin
            if nextval('{place.schema}.tries') <= {times} then raise sqlstate '40001'; end if; return new; end $$""",
        "create trigger refusing before insert on messages for each row execute function refuse()",
    )
    return lambda: int(run("select last_value from tries")[0])


def test_a_serialization_failure_is_tried_again(postgres_url: str) -> None:
    memory = Memory(postgres_url, owner="ana")
    tries = failing(postgres_url, 2)
    memory.add("I live in Lisbon.")
    assert tries() == 3
    assert [(one.value, one.confirmations) for one in memory.history("home")] == [("Lisbon", 0)]
    memory.close()


def test_trying_again_has_an_end(postgres_url: str) -> None:
    memory = Memory(postgres_url, owner="ana")
    tries = failing(postgres_url, 1000)
    with pytest.raises(Interrupted, match="try again"):
        memory.add("I live in Lisbon.")
    assert tries() == len(PAUSES) + 1
    assert memory.owners() == []
    memory.close()
