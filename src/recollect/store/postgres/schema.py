"""The schema of a PostgreSQL store: tables, the wall between owners, the way from one version to the next; what is
wrong with it, and the space of what was erased."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recollect.errors import InvalidInput, StoreError
from recollect.store.sql_store import FAULTS

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

# The owner is the 128-bit hash of its name, so that a client knows the shard without asking. Items and changes are
# numbered by the owner's own counts. There are no foreign keys: they would cost a look-up a row, every writer holds the
# owner's row, and `check` looks for what they would find. `recent` are marks of the newest commits, by which a writer
# that lost its connection finds out whether its commit came through.
_VERSION_1 = """
create table owners (
    owner uuid primary key, name text not null, version bigint not null default 0, items bigint not null default 0,
    changes bigint not null default 0, alive bigint not null default 0, letters bigint not null default 0,
    last_learned bigint, recent bigint[] not null default '{}', near text
) /* by owner */;

create table models (number bigint primary key, name text not null, dim integer not null);

create table items (
    owner uuid not null, item bigint not null, id text collate "C" not null, kind smallint not null,
    since bigint not null, until bigint not null, length integer not null, wording bigint not null,
    primary key (owner, item)
) /* by owner */;
create unique index items_by_id on items (owner, id);

create table messages (
    owner uuid not null, item bigint not null, id text collate "C" not null,
    session text collate "C" not null, role text not null, at bigint not null, origin text not null, name text,
    learned bigint, content text not null, raw text, primary key (owner, item)
) /* by owner */;
create index messages_by_session on messages (owner, session, item);

create table unsettled (owner uuid not null, item bigint not null, primary key (owner, item)) /* by owner */;

create table facts (
    owner uuid not null, item bigint not null, id text collate "C" not null,
    subject text not null, subject_key text collate "C" not null, attribute text collate "C" not null,
    value text not null, value_key text collate "C" not null, named smallint not null, category text not null,
    said bigint not null, learned bigint not null, since bigint, until bigint, retired bigint, origin text not null,
    confidence double precision not null, replaces text collate "C", replaced_by text collate "C",
    disputes text collate "C", pinned smallint not null, confirmations integer not null, text text not null,
    why text not null, sources text not null, primary key (owner, item)
) /* by owner */;
create index facts_by_subject on facts (owner, subject_key, attribute, value_key);
create index facts_by_attribute on facts (owner, attribute);
create index facts_by_said on facts (owner, said, learned);
create index facts_pinned on facts (owner) where pinned = 1;
create index facts_named on facts (owner) where named = 1;
create index facts_disputed on facts (owner, item) where disputes is not null;
create index facts_unconfirmed on facts (owner, item)
    where origin not in ('user', 'operator') and confirmations = 0 and disputes is null;
create index facts_of_tasks on facts (owner) where category = 'request';

create table notes (
    owner uuid not null, item bigint not null, id text collate "C" not null, path text collate "C" not null,
    version integer not null, learned bigint not null, pinned smallint not null, retired bigint, origin text not null,
    text text not null, primary key (owner, item)
) /* by owner */;
create index notes_by_path on notes (owner, path);
create index notes_current on notes (owner) where retired is null;

create table changes (
    owner uuid not null, number bigint not null, id text collate "C" not null, kind text not null,
    record text not null, record_id text collate "C" not null, at bigint not null, origin text not null, undoes text,
    group_id text collate "C" not null, why text not null, before text, after text, primary key (owner, number)
) /* by owner */;
create unique index changes_by_id on changes (owner, id);
create index changes_by_record on changes (owner, record_id);
create index changes_by_group on changes (owner, group_id);

create table sources (
    owner uuid not null, message text collate "C" not null, fact text collate "C" not null,
    primary key (owner, message, fact)
) /* by owner */;
create index sources_by_fact on sources (owner, fact);

create table vectors (
    owner uuid not null, model bigint not null, item bigint not null, vector halfvec, tokens bytea,
    primary key (owner, model, item)
) /* by owner */;

create table words (
    owner uuid not null, term text collate "C" not null, item bigint not null, times smallint not null,
    length integer not null, primary key (owner, term, item) include (times, length)
) /* by owner */;
"""

# Version 1 was still edited while 0.1.0 was being made: this adds what a store of that time may lack.
_VERSION_2 = """
alter table vectors add column if not exists tokens bytea;
create index if not exists facts_by_said on facts (owner, said, learned);
create index if not exists facts_disputed on facts (owner, item) where disputes is not null;
create index if not exists facts_unconfirmed on facts (owner, item)
    where origin not in ('user', 'operator') and confirmations = 0 and disputes is null;
create index if not exists facts_of_tasks on facts (owner) where category = 'request';
"""

# What holds before and after a moment, however many values an attribute had.
_FACTS_IN_TIME = """
create index if not exists facts_in_time on facts (owner, subject_key, attribute, (coalesce(since, said)), item)
    where retired is null;
"""

# What was erased: how much, never what. `request` is a hash of what was asked to be erased.
_ERASURES = """
create table if not exists erasures (
    owner uuid not null, request text collate "C" not null, at bigint not null, state smallint not null,
    messages integer not null, facts integer not null, notes integer not null, changes integer not null,
    vectors integer not null, primary key (owner, request)
) /* by owner */;
"""

# Answers to requests, so that one that is sent again is done once.
_ANSWERS = """
create table if not exists answers (
    owner uuid not null, key text collate "C" not null, print text not null, at bigint not null, undo text not null,
    body text not null, primary key (owner, key)
) /* by owner */;
"""

# How often reading a message has failed.
_UNREAD = "alter table unsettled add column if not exists failures integer not null default 0"

# Who is called so, by name and by relation, and what is pinned: found without a look at all names and notes.
_NAMES = """
create index facts_named_by_value on facts (owner, value_key) where named = 1;
create index facts_named_by_relation on facts (owner, attribute, subject_key, said, learned, id) where named = 1;
create index notes_pinned on notes (owner) where pinned = 1 and retired is null;
"""

# What was said later against a fact, and of which facts a message ever said something.
_DOUBTS = """
alter table facts add column doubted_by text;
create table doubts (
    owner uuid not null, message text collate "C" not null, fact text collate "C" not null,
    primary key (owner, message, fact)
) /* by owner */;
"""

MIGRATIONS = (_VERSION_1, _VERSION_2, _FACTS_IN_TIME, _ERASURES, _ANSWERS, _UNREAD, _NAMES, _DOUBTS)
"""What leads from each version to the next. None is edited any more; a new one is added at the end."""

SCHEMA = len(MIGRATIONS)


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
    for step in MIGRATIONS[version:]:
        connection.execute(_partitioned(step) if partitions else step)
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
    for table in TABLES:
        connection.execute(f"alter table {table} enable row level security")
        connection.execute(f"alter table {table} force row level security")
        connection.execute(f"drop policy if exists own on {table}")
        connection.execute(f"drop policy if exists whole on {table}")
        connection.execute(
            f"create policy own on {table} using (owner = (select case when current_setting('recollect.owner', true)"
            " ~ '^[0-9a-f-]{36}$' then current_setting('recollect.owner', true)::uuid end))"
        )
        connection.execute(
            f"create policy whole on {table} using ((select current_setting('recollect.owner', true)) = '*')"
        )
    # A piece of a table is read through the table; who asks for it by its own name sees nothing.
    pieces = "select inhrelid::regclass::text from pg_inherits where inhparent = any(%s::text[]::regclass[])"
    for (piece,) in connection.execute(pieces, [list(TABLES)]).fetchall():
        connection.execute(f"alter table {piece} enable row level security, force row level security")


def _partitioned(step: str) -> str:
    return step.replace("/* by owner */", "partition by hash (owner)")


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
