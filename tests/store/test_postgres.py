"""What only the PostgreSQL store has: the wall between owners, partitions, large owners, settings in the URL."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from recollect import Memory
from recollect.errors import InvalidInput, StoreError
from recollect.records import Fact, Message
from recollect.store import Store, init_store, open_store
from recollect.store.postgres import PostgresStore, schema
from recollect.store.postgres.connections import Place
from recollect.testing import check_store, store_checks
from recollect.text.words import terms

from .children import in_child
from .raw import raw
from .samples import day, fact, message


@pytest.fixture
def two_owners(postgres_url: str) -> tuple[str, str, str]:
    """A store in which ana and bob have a fact each, and their keys."""
    store = PostgresStore(postgres_url)
    for owner in ("ana", "bob"):
        store.save(owner, [fact(f"f-{owner}", owner=owner)])
        store.save_vectors(owner, "toy", {f"f-{owner}": np.ones(4, np.float32)})
    store.close()
    keys = dict(raw(postgres_url, "select name, owner::text from owners", owner="*"))
    return postgres_url, keys["ana"], keys["bob"]


# The second wall


def test_a_statement_that_forgot_to_ask_for_the_owner_sees_only_its_own(two_owners: tuple[str, str, str]) -> None:
    url, ana, _ = two_owners
    for table in ("facts", "items", "words", "vectors"):
        assert {row[0] for row in raw(url, f"select owner::text from {table}", owner=ana)} == {ana}
    assert raw(url, "select id from facts", owner=ana) == [("f-ana",)]


def test_a_statement_for_nobody_sees_nothing(two_owners: tuple[str, str, str]) -> None:
    url, _, _ = two_owners
    for owner in (None, "", "x' or true --", "00000000-0000-0000-0000-000000000000"):
        assert raw(url, "select * from facts", owner=owner) == []


def test_nothing_can_be_written_or_taken_for_another_owner(two_owners: tuple[str, str, str]) -> None:
    url, ana, bob = two_owners
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        raw(url, f"insert into unsettled (owner, item) values ('{bob}', 7)", owner=ana)
    raw(url, f"delete from facts where owner = '{bob}'", owner=ana)
    raw(url, f"update facts set text = 'x' where owner = '{bob}'", owner=ana)
    assert PostgresStore(url).read("bob", Fact)[0].text == "Likes window seats."


def test_a_role_above_the_wall_is_named(two_owners: tuple[str, str, str], postgres: str) -> None:
    url = two_owners[0].replace("recollect@", "postgres@")
    if url == two_owners[0]:
        pytest.skip("the server under RECOLLECT_TEST_POSTGRES has roles of its own")
    store = PostgresStore(url)
    assert [line for line in store.check() if "second wall" in line]
    store.close()


def test_the_owner_leads_every_key_and_index(postgres_url: str) -> None:
    PostgresStore(postgres_url).close()
    led = raw(
        postgres_url,
        """select c.relname, a.attname from pg_index i join pg_class c on c.oid = i.indexrelid
           join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
           where c.relnamespace = current_schema::regnamespace and c.relname <> 'models_pkey'""",
    )
    assert len(led) > 15
    assert {column for _, column in led} == {"owner"}


def test_a_piece_of_a_table_is_behind_the_wall_too(postgres_url: str) -> None:
    init_store(postgres_url, partitions=2)
    PostgresStore(postgres_url).save("ana", [fact("f1")])
    assert raw(postgres_url, "select id from facts", owner="*") == [("f1",)]
    for piece in ("facts_0", "facts_1"):
        assert raw(postgres_url, f"select * from {piece}", owner="*") == []


def test_a_role_that_does_not_own_the_tables_can_use_them(postgres_url: str) -> None:
    """What the owner of the tables gave it the right to: it reads and writes behind the same wall, and is told what it
    can't do."""
    place, role = Place(postgres_url), f"r{random.SystemRandom().getrandbits(60):x}"
    url = postgres_url.replace("postgresql://recollect@", f"postgresql://{role}@")
    if url == postgres_url:
        pytest.skip("the server under RECOLLECT_TEST_POSTGRES has roles of its own")
    PostgresStore(postgres_url).close()
    with psycopg.connect(place.conninfo.replace("user=recollect", "user=postgres"), autocommit=True) as above:
        above.execute(f"create role {role} login; grant usage on schema {place.schema} to {role}")
        above.execute(f"grant select, insert, update, delete on all tables in schema {place.schema} to {role}")
        try:
            with Memory(url, owner="ana") as memory:
                memory.remember("home", "Lisbon")
                assert memory.health().ok
                assert raw(url, "select * from facts") == []
                assert "could not be freed" in memory.erase(everything=True).residue[0]
        finally:
            above.execute(f"drop owned by {role}; drop role {role}")


# Partitions and shards


def test_a_partitioned_store_keeps_the_contract(postgres_url: str) -> None:
    init_store(postgres_url, partitions=2)
    pieces = """select count(*) from pg_partitioned_table p join pg_class c on c.oid = partrelid
                where c.relnamespace = current_schema::regnamespace"""
    assert raw(postgres_url, pieces) == [(len(schema.TABLES),)]

    @contextmanager
    def emptied() -> Iterator[Store]:
        raw(postgres_url, f"truncate models, {', '.join(schema.TABLES)}")
        store = PostgresStore(postgres_url)
        yield store
        store.close()

    assert check_store(emptied) == len(store_checks())


def test_a_store_that_is_there_is_not_divided(postgres_url: str) -> None:
    PostgresStore(postgres_url).close()
    with pytest.raises(InvalidInput, match="already"):
        init_store(postgres_url, partitions=3)


def test_without_citus_nothing_is_distributed(postgres_url: str) -> None:
    with pytest.raises(StoreError, match="citus"):
        init_store(postgres_url, distribute=True)
    assert raw(postgres_url, "select to_regclass('store')") == [(None,)]


def test_every_table_is_distributed_by_owner(postgres_url: str) -> None:
    """Citus is not to be had here: functions with the names of its own note what they are asked for."""
    place = Place(postgres_url)
    with psycopg.connect(place.conninfo) as connection:
        connection.execute(f"create schema {place.schema}; set search_path = {place.schema}")
        connection.execute("create table told (what text, by text)")
        noting = "returns void language sql as 'insert into told values ($1, $2)'"
        connection.execute(f"create function create_distributed_table(what text, by text) {noting}")
        connection.execute(f"create function create_reference_table(what text, by text default '') {noting}")
    init_store(postgres_url, distribute=True)
    told = raw(postgres_url, "select what, by from told")
    assert set(told) == {("models", ""), *((table, "owner") for table in schema.TABLES)}


# The URL


def test_a_password_is_not_shown() -> None:
    place = Place("postgresql://ana:s3cret@db.example.org:6432/memory?schema=mine&connections=3&sslmode=require")
    assert "s3cret" not in place.name
    assert (place.schema, place.connections, "sslmode=require" in place.conninfo) == ("mine", 3, True)


def test_a_socket_is_a_place_too() -> None:
    place = Place("postgresql:///memory?host=/run/postgresql&schema=mine")
    settings = conninfo_to_dict(place.conninfo)
    assert (settings["host"], settings["dbname"]) == ("/run/postgresql", "memory")
    assert (place.schema, place.name) == ("mine", "postgresql:///run/postgresql/memory?schema=mine")


def test_the_environment_names_a_server_too(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOLLECT_DB", postgres_url)
    with Memory() as memory:
        assert isinstance(memory.store, PostgresStore)


def test_of_several_servers_the_one_that_can_be_written_is_asked() -> None:
    assert "target_session_attrs=read-write" in Place("postgresql://a:1,b:2/memory").conninfo
    assert "target_session_attrs=any" in Place("postgresql://a,b/memory?target_session_attrs=any").conninfo


@pytest.mark.parametrize("setting", ["connections=0", "connections=x", "patience=-1", "nonsense=1", "schema="])
def test_a_wrong_setting_is_refused(postgres: str, setting: str) -> None:
    with pytest.raises(InvalidInput):
        open_store(f"{postgres}?{setting}")


def test_a_server_that_is_not_there_is_named() -> None:
    with pytest.raises(StoreError, match=r"127\.0\.0\.1:1/.* can't be opened"):
        Memory("postgresql://x@127.0.0.1:1/memory?patience=0")


def test_it_works_without_prepared_statements(postgres_url: str) -> None:
    store = PostgresStore(f"{postgres_url}&prepared=no")
    for _ in range(8):
        store.match_words("ana", ["window"], limit=3)
    sql = "select count(*) from pg_prepared_statements"
    assert store._ask("ana", lambda connection: connection.execute(sql).fetchone()) == (0,)
    store.close()


# Many processes


def test_a_forked_child_has_its_own_connections(postgres_url: str) -> None:
    store = PostgresStore(postgres_url)
    store.save("ana", [message("m1")])
    in_child(lambda: store.save("ana", [message("m2")]))
    store.save("ana", [message("m3")])
    assert [one.id for one in store.read("ana", Message)] == ["m1", "m2", "m3"]
    store.close()


# Agreement with SQLite

WORDS = "window seat harbor lantern copper willow meadow kayak violin anvil ember canyon tea Lisbon Porto".split()


def test_words_and_vectors_rank_as_in_sqlite(postgres_url: str) -> None:
    chance, ours, theirs = random.Random(5), open_store(":memory:"), PostgresStore(postgres_url)
    facts = [fact(f"f{n}", " ".join(chance.choices(WORDS, k=chance.randint(2, 30)))) for n in range(300)]
    rows = {one.id: np.random.default_rng(n).normal(size=32).astype(np.float32) for n, one in enumerate(facts)}
    for store in (ours, theirs):
        store.save("ana", facts)
        store.save_vectors("ana", "toy", rows)
    for query in ("window seat", "copper kayaks by the harbor", "lantren", "tea tea violin anvil ember"):
        one, other = (store.match_words("ana", terms(query), limit=50) for store in (ours, theirs))
        assert [(match.id, match.kind) for match in one] == [(match.id, match.kind) for match in other]
        assert [match.score for match in one] == pytest.approx([match.score for match in other], abs=1e-6)
        assert [match.share for match in one] == pytest.approx([match.share for match in other], abs=1e-6)
    for asked in list(rows.values())[:20]:
        one, other = (store.match_vector("ana", "toy", asked, limit=20) for store in (ours, theirs))
        assert len({match.id for match in one} & {match.id for match in other}) >= 18
        assert one[0].id == other[0].id
    theirs.close()


# An index of their own


def test_a_large_owner_is_searched_by_an_index_of_their_own(postgres_url: str) -> None:
    store, chance = PostgresStore(postgres_url), np.random.default_rng(8)
    for owner, count in (("ana", 1500), ("bob", 20)):
        facts = [fact(f"f{n}", owner=owner, until=day(1) if n % 3 else None) for n in range(count)]
        rows = chance.normal(size=(count, 16)).astype(np.float32)
        store.save(owner, facts)
        store.save_vectors(owner, "toy", dict(zip([one.id for one in facts], rows, strict=True)))
    asked = [chance.normal(size=16).astype(np.float32) for _ in range(10)]
    exact = [ids(store, vector) for vector in asked]
    store.index_vectors("ana", "toy")
    raw(postgres_url, "vacuum analyze vectors")
    near = [ids(store, vector) for vector in asked]
    assert sum(len({*one} & {*other}) for one, other in zip(exact, near, strict=True)) >= 95
    assert all(int(one[1:]) % 3 == 0 for found in near for one in found)
    assert len(store.match_vector("bob", "toy", asked[0], limit=30)) == 20
    store.close()
    assert scans_in_the_end(postgres_url) >= 10


def scans_in_the_end(url: str) -> int:
    """How often those indexes were used; a connection tells so when it ends, on a busy machine a little later."""
    used = """select sum(idx_scan) from pg_stat_user_indexes
              where indexrelname like 'near_%' and schemaname = current_schema"""
    for _ in range(100):
        if (scans := int(raw(url, used)[0][0])) >= 10:
            break
        time.sleep(0.1)
    return scans


def test_an_index_that_was_left_half_made_is_made_anew(postgres_url: str) -> None:
    """Two rows of one key let the building of a unique index fail, and PostgreSQL leaves it behind, invalid."""
    store = PostgresStore(postgres_url)
    store.save("ana", [fact("f1"), fact("f2")])
    store.save_vectors("ana", "toy", {name: np.ones(4, np.float32) for name in ("f1", "f2")})
    store.index_vectors("ana", "toy")
    near = """select relname, indisvalid from pg_index join pg_class on pg_class.oid = indexrelid
              where relname like 'near_%' and relnamespace = current_schema::regnamespace"""
    ((name, _),) = raw(postgres_url, near)
    raw(postgres_url, f"drop index {name}")
    with pytest.raises(psycopg.errors.UniqueViolation):
        raw(postgres_url, f"create unique index concurrently {name} on vectors (owner)")
    assert raw(postgres_url, near) == [(name, False)]
    store.index_vectors("ana", "toy")
    assert raw(postgres_url, near) == [(name, True)]
    store.close()


def ids(store: Store, vector: Any) -> list[str]:
    return [one.id for one in store.match_vector("ana", "toy", vector, limit=10, holding=day(2))]


def test_an_index_needs_vectors(postgres_url: str) -> None:
    store = PostgresStore(postgres_url)
    with pytest.raises(InvalidInput, match="nothing to make an index of"):
        store.index_vectors("ana", "toy")
    store.close()
