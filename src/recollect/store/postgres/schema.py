"""The schema of a PostgreSQL store: tables, the wall between owners, the way from one version to the next; what is
wrong with it, and the space of what was erased."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from recollect.errors import InvalidInput, StoreError
from recollect.store.sql_store import FAULTS
from recollect.store.steps import steps_of

if TYPE_CHECKING:
    from psycopg import Connection

TABLES = (
    *("owners", "items", "messages", "unsettled", "facts", "notes", "changes", "sources", "vectors", "words"),
    *("erasures", "answers", "doubts"),
)
"""Every table that belongs to owners. The owner leads each key, so that each can be partitioned or sharded by it."""

OLDEST_VECTOR = (0, 8, 0)
SAFE_VECTOR = (0, 8, 2)
"""Older ones leak memory of other tables in a parallel index build (CVE-2026-3172)."""

_LOCK = 0x5265636C
"""The advisory lock under which one process at a time changes the schema ("Recl")."""

SCHEMA = 8
"""The present version: how many steps there are."""

STEPS = Path(__file__).with_name("schema.sql")


def prepare(connection: Connection[Any], schema: str, *, partitions: int = 0, distribute: bool = False) -> str:
    """Bring an empty or older store to the present schema, once however many ask for it at a time; gives the
    search path. `partitions`: into so many pieces by owner; `distribute`: over the nodes of Citus."""
    path = f"{quoted(schema)}, {quoted(vector_home(connection))}"
    if not (partitions or distribute) and version_of(connection, schema) == SCHEMA:
        return path
    with connection.transaction():
        connection.execute("select pg_advisory_xact_lock(%s, hashtext(%s))", [_LOCK, schema])
        version = version_of(connection, schema)
        _refuse(schema, version, changed=bool(partitions or distribute))
        if version is None:
            connection.execute(f"create schema if not exists {quoted(schema)}")
        connection.execute("select set_config('search_path', %s, true)", [path])
        _migrate(connection, version or 0, partitions)
        if distribute:
            _distribute(connection)
    return path


def _refuse(schema: str, version: int | None, *, changed: bool) -> None:
    if version is not None and version > SCHEMA:
        raise StoreError(
            f"the store {schema!r} has schema {version}, this version knows {SCHEMA}: "
            "run `pip install -U recollect` to open it"
        )
    if version is not None and changed:
        raise InvalidInput(f"the store {schema!r} is there already: partition or distribute a new one, then copy")


def _migrate(connection: Connection[Any], version: int, partitions: int) -> None:
    for step in steps_of(STEPS)[version:]:
        connection.execute(step.replace("/* by owner */", "partition by hash (owner)") if partitions else step)
    if partitions:
        _divide(connection, partitions)
    if version < SCHEMA:
        _raise_wall(connection)
        connection.execute("create table if not exists store (schema integer not null)")
        connection.execute("delete from store")
        connection.execute("insert into store (schema) values (%s)", [SCHEMA])


def version_of(connection: Connection[Any], schema: str) -> int | None:
    """The version of the store in this schema; None where there is none."""
    # Not by to_regclass: it may remember from before the lock that there was nothing.
    sql = """select c.relname, a.attname from pg_class c join pg_namespace n on n.oid = c.relnamespace
             left join pg_attribute a on a.attrelid = c.oid and a.attname = 'schema'
             where nspname = %s and relname = any(%s)"""
    found = connection.execute(sql, [schema, ["store", *TABLES]]).fetchall()
    if not found:
        return None
    row = ("store", "schema") in found and connection.execute(f"select schema from {quoted(schema)}.store").fetchone()
    if not row:
        raise StoreError(f"the schema {schema!r} holds tables of another application: choose one with ?schema=name")
    return int(row[0])


def vector_home(connection: Connection[Any]) -> str:
    """The schema that holds pgvector, which is made where we may make it; refused where it is too old."""
    sql = "select nspname, extversion from pg_extension e join pg_namespace n on n.oid = extnamespace"
    found = connection.execute(f"{sql} where extname = 'vector'").fetchone()
    if found is None:
        _create_extension(connection)
        found = connection.execute(f"{sql} where extname = 'vector'").fetchone() or ("public", "0")
    if numbers(found[1]) < OLDEST_VECTOR:
        raise StoreError(f"pgvector {found[1]} is too old: 0.8.2 or newer is needed; `alter extension vector update`")
    return str(found[0])


def _create_extension(connection: Connection[Any]) -> None:
    import psycopg

    try:
        connection.execute("create extension if not exists vector schema public")
    except psycopg.errors.UniqueViolation:
        pass  # another process made it at the same moment
    except psycopg.Error as error:
        raise StoreError(
            f"this database has no pgvector and we may not add it: have an administrator run "
            f"`create extension vector` in it (PostgreSQL says: {error})"
        ) from error


def numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def quoted(name: str) -> str:
    """A name as SQL writes it."""
    if not name or "\0" in name or len(name.encode()) > 60:
        raise InvalidInput(f"{name!r} can't name a schema: use 1 to 60 letters")
    return '"' + name.replace('"', '""') + '"'


def _raise_wall(connection: Connection[Any]) -> None:
    """Row-level security: a statement sees the rows of the owner it was sent for, even if it forgot to ask for them;
    what looks after the whole store says so with "*"."""
    wall = Path(__file__).with_name("wall.sql").read_text("utf-8")
    for table in TABLES:
        connection.execute(wall.replace("{table}", table))
    # A piece of a table is read through the table; who asks for it by its own name sees nothing.
    pieces = "select inhrelid::regclass::text from pg_inherits where inhparent = any(%s::text[]::regclass[])"
    for (piece,) in connection.execute(pieces, [list(TABLES)]).fetchall():
        connection.execute(f"alter table {piece} enable row level security, force row level security")


def _divide(connection: Connection[Any], count: int) -> None:
    if not 2 <= count <= 1024:
        raise InvalidInput(f"a store has 2 to 1,024 partitions, not {count}")
    for table in TABLES:
        for number in range(count):
            connection.execute(
                f"create table {table}_{number} partition of {table} "
                f"for values with (modulus {count}, remainder {number})"
            )


def _distribute(connection: Connection[Any]) -> None:
    """Spread the tables over the nodes of Citus by owner, all rows of an owner on one node."""
    found = connection.execute("select 1 from pg_proc where proname = 'create_distributed_table'").fetchone()
    if found is None:
        raise StoreError("this server has no Citus: `create extension citus` first, or leave out --distribute")
    connection.execute("select create_reference_table('models')")
    for table in TABLES:
        connection.execute(f"select create_distributed_table('{table}', 'owner')")


LEFT_BEHIND = (
    "{name}: the rows are gone and {space}, but the write-ahead log of PostgreSQL, its replicas and the backups of the "
    "server keep old pages until they expire: let them expire, or make new ones"
)
FREED = "their space was freed"
NOT_FREED = "their space could not be freed (have the owner of the tables run `vacuum`; PostgreSQL says: {told})"


def any_unfinished(connection: Connection[Any]) -> bool:
    """Whether the space of any erased rows is still to be freed."""
    return connection.execute("select 1 from erasures where state = 0 limit 1").fetchone() is not None


def finish(connection: Connection[Any], request: str | None) -> None:
    """Take note that the space of this erase was freed; None: of all."""
    sql = "update erasures set state = 1 where state = 0 and (%(request)s::text is null or request = %(request)s)"
    connection.execute(sql, {"request": request})


_FAULTS = FAULTS | {
    "records can't be found by words": """
        select count(*) from items i where length > 0 and not exists
        (select 1 from words w where w.owner = i.owner and w.item = i.item)""",
    "words have no record": "select count(*) from words w left join items i using (owner, item) where i.item is null",
    "owners have counters that are behind their records": """
        select count(*) from owners o left join
          (select owner, count(*) as alive, sum(length) as letters, max(item) as newest from items group by owner) i
          using (owner) left join (select owner, max(number) as logged from changes group by owner) c using (owner)
        where coalesce(i.alive, 0) <> o.alive or coalesce(i.letters, 0) <> o.letters
        or i.newest > o.items or c.logged > o.changes""",
}


def check(connection: Connection[Any]) -> list[str]:
    """What is wrong, in words."""
    problems = []
    for what, sql in _FAULTS.items():
        row = connection.execute(sql).fetchone()
        if row and row[0]:
            problems.append(f"{row[0]} {what}")
    sql = "select rolname, rolsuper or rolbypassrls from pg_roles where rolname = current_user"
    role, above = connection.execute(sql).fetchone() or ("", False)
    if above:
        problems.append(
            f"the role {role!r} is above row-level security, so that the second wall between owners is down: "
            "connect with a plain role that owns the schema"
        )
    row = connection.execute("select extversion from pg_extension where extname = 'vector'").fetchone()
    if row and numbers(row[0]) < SAFE_VECTOR:
        problems.append(f"pgvector {row[0]} has a known fault (CVE-2026-3172): update it to 0.8.2 or newer")
    return problems


def vacuum(connection: Connection[Any], schema: str) -> str:
    """Free the space of removed rows; gives what became of it. A role that may not only gets a warning."""
    told: list[str] = []
    connection.add_notice_handler(lambda notice: told.append(notice.message_primary or ""))
    connection.execute(f"vacuum {', '.join(f'{schema}.{table}' for table in TABLES)}")
    return NOT_FREED.format(told=told[0]) if told else FREED
