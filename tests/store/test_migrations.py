"""The way from one schema to the next: once, as a whole, and never from or to what we do not know."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import apsw
import psycopg
import pytest

from recollect import Memory
from recollect.errors import StoreError
from recollect.records import Fact, Message, Note
from recollect.store import init_store
from recollect.store.postgres import PostgresStore, schema
from recollect.store.postgres.connections import Place
from recollect.store.sqlite import SQLiteStore
from recollect.store.sqlite import schema as migrations
from recollect.store.steps import steps_of

from .children import Writer
from .raw import raw
from .samples import fact, message

FIRST_EDITION = Path(__file__).parent / "data" / "first_edition.db.gz"
SQLITE_STEPS = (
    *("a3b4f9625f5fcd02", "81efcc18d9fd68b1", "dc1bee8e0effc901", "1578b2bd60c332cb"),
    *("dc2fa7a6f3dced21", "9665a2d29e1e348d", "59ae1e3de5ad80ca", "acd9a93a1d23adfc"),
)
STEPS = (
    *("e47edd92ea5a74ac", "d69944ca5799b53b", "7fcc72489499d591", "5e572c4557ae3299"),
    *("dcc0e5c49839441b", "1f96bb7f53c4e8e7", "59ae1e3de5ad80ca", "454229a10f85a8d3"),
)

NO_DOUBTS = "alter table facts drop column doubted_by; drop table doubts"
NAMES = ("facts_named_by_value", "facts_named_by_relation", "notes_pinned")
"""Indexes that stores of 0.1.0 lack."""


@pytest.mark.parametrize(("kind", "known"), [(migrations, SQLITE_STEPS), (schema, STEPS)])
def test_no_step_from_one_schema_to_the_next_is_edited(kind: Any, known: Sequence[str]) -> None:
    """A store that ran a step would lack what was added to it later. Add a step at the end, and its hash here."""
    assert [hashlib.sha256(step.encode()).hexdigest()[:16] for step in steps_of(kind.STEPS)] == list(known)
    assert len(known) == kind.SCHEMA


def test_many_processes_that_start_at_once_make_one_store(postgres_url: str) -> None:
    def open_and_write(number: int) -> Callable[[Callable[[str], None]], None]:
        def work(tell: Callable[[str], None]) -> None:
            PostgresStore(postgres_url).save(f"o{number}", [message("m", owner=f"o{number}")])
            tell(f"o{number}")

        return work

    writers = [Writer(open_and_write(number)) for number in range(8)]
    told = [name for writer in writers for name in writer.join()]
    store = PostgresStore(postgres_url)
    assert store.owners() == sorted(told) == [f"o{number}" for number in range(8)]
    assert raw(postgres_url, "select schema from store") == [(schema.SCHEMA,)]
    store.close()


def test_a_newer_schema_is_refused(postgres_url: str) -> None:
    PostgresStore(postgres_url).close()
    raw(postgres_url, "update store set schema = schema + 1")
    with pytest.raises(StoreError, match="pip install -U recollect"):
        PostgresStore(postgres_url)


def test_a_migration_is_kept_whole_or_not_at_all(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def add(name: str, step: str) -> None:
        file = tmp_path / name
        file.write_text(f"{released}\n-- step {before + 1}\n{step}\n", encoding="utf-8")
        monkeypatch.setattr(schema, "STEPS", file)

    store = PostgresStore(postgres_url)
    store.save("ana", [fact("f1")])
    better = "alter table facts add column mood text"
    released, before = schema.STEPS.read_text(encoding="utf-8"), schema.SCHEMA
    monkeypatch.setattr(schema, "SCHEMA", before + 1)
    add("broken.sql", f"{better}; select not_there()")
    with pytest.raises(StoreError, match="not_there"):
        PostgresStore(postgres_url)
    assert raw(postgres_url, "select schema from store") == [(before,)]
    add("better.sql", better)
    renewed = PostgresStore(postgres_url)
    assert [one.id for one in renewed.read("ana", Fact)] == ["f1"]
    assert raw(postgres_url, "select schema from store") == [(before + 1,)]
    store.close()
    renewed.close()


@pytest.mark.parametrize("partitions", [0, 2])
def test_a_store_from_before_0_1_0_gets_what_it_lacks(postgres_url: str, partitions: int) -> None:
    """As the first commit with PostgreSQL made it: without tokens, and without four of the indexes."""
    init_store(postgres_url, partitions=partitions)
    Memory(postgres_url, owner="ana", embedder=None).remember("home", "Lisbon")
    lacking = ("facts_by_said", "facts_disputed", "facts_unconfirmed", "facts_of_tasks", *NAMES)
    raw(postgres_url, "alter table unsettled drop column failures")
    raw(postgres_url, NO_DOUBTS)
    raw(postgres_url, f"alter table vectors drop column tokens; drop index {', '.join(lacking)}")
    raw(postgres_url, "update store set schema = 1")
    with Memory(postgres_url, owner="ana") as memory:
        memory.add("I moved to Porto.")
        assert [one.value for one in memory.history("home")] == ["Lisbon", "Porto"]
        assert memory.store.counts("ana").models
    there = {
        name for (name,) in raw(postgres_url, "select indexname from pg_indexes where schemaname = current_schema")
    }
    assert there.issuperset(lacking)


def test_a_process_that_runs_on_while_a_newer_one_migrates_writes_no_more(postgres_url: str) -> None:
    store = PostgresStore(postgres_url)
    store.save("ana", [message("m1")])
    raw(postgres_url, "update store set schema = schema + 1")
    with pytest.raises(StoreError, match="pip install -U recollect` and restart"):
        store.save("ana", [message("m2")])
    raw(postgres_url, "update store set schema = schema - 1")
    store.save("ana", [message("m3")])
    assert [one.id for one in store.read("ana", Message)] == ["m1", "m3"]
    store.close()


@pytest.mark.parametrize("table", ["owners", "facts", "store"])
def test_tables_of_another_application_are_left_alone(postgres_url: str, table: str) -> None:
    place = Place(postgres_url)
    with psycopg.connect(place.conninfo) as connection:
        connection.execute(f"create schema {place.schema}; create table {place.schema}.{table} (a int)")
    with pytest.raises(StoreError, match="another application"):
        PostgresStore(postgres_url)


# SQLite


def changed(path: Path, statements: str) -> None:
    with apsw.Connection(str(path)) as connection:
        connection.execute(statements)
    connection.close()


def test_a_file_from_before_0_1_0_gets_what_it_lacks(path: Path) -> None:
    with Memory(path) as memory:
        memory.remember("home", "Lisbon")
    lacking = ("facts_by_said", "facts_disputed", "facts_unconfirmed", *NAMES)
    changed(path, "".join(f"drop index {name};" for name in lacking) + "pragma user_version = 1")
    changed(path, "alter table unsettled drop column failures")
    changed(path, NO_DOUBTS)
    with Memory(path) as memory:
        memory.remember("home", "Porto")
        assert [one.value for one in memory.history("home")] == ["Lisbon", "Porto"]
        assert memory.health().schema == migrations.SCHEMA
    there = apsw.Connection(str(path)).execute("select name from sqlite_master where type = 'index'").fetchall()
    assert {name for (name,) in there}.issuperset(lacking)


def test_a_file_of_the_first_edition_opens_with_all_it_has(path: Path) -> None:
    """`data/first_edition.db.gz` was made by commit 13b22b0, whose schema was 2."""
    path.write_bytes(gzip.decompress(FIRST_EDITION.read_bytes()))
    with Memory(path, owner="dana") as memory:
        texts = {"lives in Porto", "is allergic to nuts", "sister lives in Oslo", "sister is Anna"}
        assert {fact.text for fact in memory.facts()} == texts
        assert [(fact.value, fact.until is None) for fact in memory.history("home")] == [
            ("Lisbon", False),
            ("Porto", True),
        ]
        assert [one.text for one in memory.store.read("dana", Note)] == ["Be brief.", "Be brief and kind."]
        assert len(memory.changes()) == 13
        assert memory.search("Where do I live?")[0].text.startswith("lives in Porto")
        assert memory.recall("diet") is None
        memory.undo()
        assert memory.recall("diet") == "vegan"
        changes = {one.kind: one for one in memory.changes() if one.record == "fact" and "Porto" in one.why}
        memory.undo(changes["confirmed"])
        memory.undo(changes["ended"])
        assert memory.recall("home") == "Lisbon"
        assert memory.store.check() == []


def test_a_file_of_0_1_0_can_be_asked_by_name(path: Path) -> None:
    with Memory(path) as memory:
        memory.add("My sister Anna lives in Oslo.")
    changed(path, "".join(f"drop index {name};" for name in NAMES) + "pragma user_version = 2")
    changed(path, "alter table unsettled drop column failures")
    changed(path, NO_DOUBTS)
    with Memory(path) as memory:
        memory.add("Anna moved to Porto.")
        assert [fact.value for fact in memory.facts(subject="sister")] == ["Porto"]
        assert memory.health().schema == migrations.SCHEMA


def test_a_process_that_runs_on_while_a_newer_one_migrates_a_file_writes_no_more(path: Path) -> None:
    store = SQLiteStore(path)
    store.save("ana", [message("m1")])
    changed(path, f"pragma user_version = {migrations.SCHEMA + 1}")
    with pytest.raises(StoreError, match="pip install -U recollect` and restart"):
        store.save("ana", [message("m2")])
    changed(path, f"pragma user_version = {migrations.SCHEMA}")
    store.save("ana", [message("m3")])
    assert [one.id for one in store.read("ana", Message)] == ["m1", "m3"]
    store.close()


def test_a_file_of_the_first_drafts_is_refused_and_left_as_it_is(path: Path) -> None:
    Memory(path).close()
    changed(path, "alter table owners drop column naming; pragma user_version = 1")
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"before 0\.1\.0 .* export each owner"):
        Memory(path)
    assert path.read_bytes() == before
