"""Taking records out of a PostgreSQL store, and looking the store over."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import product
from typing import Any

from psycopg import Connection

from recollect.store import Counts, Erased
from recollect.store.erasing import _unquoted, without_quotes
from recollect.store.erasures import KEPT, erased_from, values_of
from recollect.store.postgres.idempotency import drop
from recollect.store.postgres.schema import SAFE_VECTOR, TABLES, numbers
from recollect.store.postgres.writing import Ledger, Transaction, key_of
from recollect.store.upkeep import UNFINISHED

_ITEMS = "(select item from items where owner = %(owner)s and id = any(%(ids)s))"
_SIZES = "select count(*), coalesce(sum(length), 0) from items where owner = %(owner)s and id = any(%(ids)s)"
LEFT_BEHIND = (
    "{name}: the rows are gone and {space}, but the write-ahead log of PostgreSQL, its replicas and the backups of the "
    "server keep old pages until they expire: let them expire, or make new ones"
)
FREED = "their space was freed"
NOT_FREED = "their space could not be freed (have the owner of the tables run `vacuum`; PostgreSQL says: {told})"


def erase(transaction: Transaction, owner: str, ids: Sequence[str]) -> Counts:
    """Remove these records with all that was derived from them, and what remaining records say of them."""
    connection, ledger = transaction.connection, transaction.ledger(owner)
    values = {"owner": ledger.key, "ids": list(ids)}
    drop(connection, ledger.key)
    _forget_quotes(connection, ledger, set(ids), values)
    alive, letters = connection.execute(_SIZES, values).fetchone() or (0, 0)
    ledger.alive -= alive
    ledger.letters -= letters
    vectors = _delete(connection, f"delete from vectors where owner = %(owner)s and item in {_ITEMS}", values)
    for table in ("words", "unsettled"):
        _delete(connection, f"delete from {table} where owner = %(owner)s and item in {_ITEMS}", values)
    messages, facts, notes = (
        _delete(connection, f"delete from {table} where owner = %(owner)s and item in {_ITEMS}", values)
        for table in ("messages", "facts", "notes")
    )
    for table, column in product(("sources", "doubts"), ("message", "fact")):
        _delete(connection, f"delete from {table} where owner = %(owner)s and {column} = any(%(ids)s)", values)
    _delete(connection, "delete from items where owner = %(owner)s and id = any(%(ids)s)", values)
    changes = _delete(connection, "delete from changes where owner = %(owner)s and record_id = any(%(ids)s)", values)
    for column in ("replaces", "replaced_by", "disputes"):
        sql = f"update facts set {column} = null where owner = %(owner)s and {column} = any(%(ids)s)"
        connection.execute(sql, values)
    ledger.touched = ledger.erased = True
    return Counts(messages, facts, notes, changes, vectors)


_SAVE = """
insert into erasures (owner, request, at, state, messages, facts, notes, changes, vectors)
values (%(owner)s, %(request)s, %(at)s, 0, %(messages)s, %(facts)s, %(notes)s, %(changes)s, %(vectors)s)
on conflict (owner, request) do update set at = excluded.at, state = 0, messages = excluded.messages,
facts = excluded.facts, notes = excluded.notes, changes = excluded.changes, vectors = excluded.vectors
"""
_EXPIRE = f"delete from erasures where owner = %(owner)s and state > 0 and at < %(at)s - {KEPT}"
_READ = """
select at, state, messages, facts, notes, changes, vectors from erasures
where owner = %(owner)s and request = %(request)s
"""


def save_erasure(transaction: Transaction, owner: str, request: str, at: datetime, counts: Counts) -> None:
    """Keep the numbers of an erase whose space is not freed yet."""
    values = values_of(request, at, counts) | {"owner": transaction.ledger(owner).key}
    transaction.connection.execute(_SAVE, values)
    transaction.connection.execute(_EXPIRE, values)


def erased(connection: Connection[Any], owner: str, request: str) -> Erased | None:
    """What became of an erase."""
    row = connection.execute(_READ, {"owner": key_of(owner), "request": request}).fetchone()
    return None if row is None else erased_from(row, ())


def any_unfinished(connection: Connection[Any]) -> bool:
    """Whether the space of any erased rows is still to be freed."""
    return connection.execute("select 1 from erasures where state = 0 limit 1").fetchone() is not None


def finish(connection: Connection[Any], request: str | None) -> None:
    """Take note that the space of this erase was freed; None: of all."""
    sql = "update erasures set state = 1 where state = 0 and (%(request)s::text is null or request = %(request)s)"
    connection.execute(sql, {"request": request})


def _delete(connection: Connection[Any], sql: str, values: dict[str, Any]) -> int:
    return connection.execute(sql, values).rowcount


def _forget_quotes(connection: Connection[Any], ledger: Ledger, ids: set[str], values: dict[str, Any]) -> None:
    """Take quotes of erased messages out of the facts that remain, and out of what the log says of those facts."""
    quoting = """(select fact from sources where owner = %(owner)s and message = any(%(ids)s)
                  union select fact from doubts where owner = %(owner)s and message = any(%(ids)s))"""
    sql = f"""select item, sources, doubted_by from facts where owner = %(owner)s and item in
              (select item from items where owner = %(owner)s and id in {quoting})"""
    for item, sources, doubt in connection.execute(sql, values).fetchall():
        row = [*without_quotes(sources, doubt, ids), ledger.key, item]
        connection.execute("update facts set sources = %s, doubted_by = %s where owner = %s and item = %s", row)
    sql = f"select number, before, after from changes where owner = %(owner)s and record_id in {quoting}"
    for number, before, after in connection.execute(sql, values).fetchall():
        row = [_unquoted(before, ids), _unquoted(after, ids), ledger.key, number]
        connection.execute("update changes set before = %s, after = %s where owner = %s and number = %s", row)


_FAULTS = (
    (UNFINISHED, "select count(*) from erasures where state = 0"),
    (
        "records are not in the index of items",
        """select sum(count) from (
             select count(*) from messages t left join items i using (owner, item) where i.item is null
             union all select count(*) from facts t left join items i using (owner, item) where i.item is null
             union all select count(*) from notes t left join items i using (owner, item) where i.item is null) a""",
    ),
    (
        "items have no record",
        """select count(*) from items i
           left join messages m on (m.owner, m.item) = (i.owner, i.item)
           left join facts f on (f.owner, f.item) = (i.owner, i.item)
           left join notes n on (n.owner, n.item) = (i.owner, i.item)
           where m.item is null and f.item is null and n.item is null""",
    ),
    (
        "records can't be found by words",
        """select count(*) from items i where length > 0 and not exists
           (select 1 from words w where w.owner = i.owner and w.item = i.item)""",
    ),
    ("words have no record", "select count(*) from words w left join items i using (owner, item) where i.item is null"),
    (
        "vectors have no record",
        "select count(*) from vectors v left join items i using (owner, item) where i.item is null",
    ),
    (
        "owners have counters that are behind their records",
        """select count(*) from owners o left join
             (select owner, count(*) as alive, sum(length) as letters, max(item) as newest from items group by owner) i
             using (owner) left join (select owner, max(number) as logged from changes group by owner) c using (owner)
           where coalesce(i.alive, 0) <> o.alive or coalesce(i.letters, 0) <> o.letters
           or i.newest > o.items or c.logged > o.changes""",
    ),
)


def check(connection: Connection[Any]) -> list[str]:
    """What is wrong, in words."""
    problems = []
    for what, sql in _FAULTS:
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
