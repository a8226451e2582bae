"""Writing to a PostgreSQL store: one transaction, the owner's counters in it, and rows sent many at a time."""

from __future__ import annotations

import hashlib
import json
import secrets
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, repeat
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from psycopg import Connection

from recollect.errors import InvalidInput, StoreError
from recollect.store.postgres.vectors import Halfvecs, unit
from recollect.store.rows import (
    CHANGE_COLUMNS,
    COLUMNS,
    KINDS,
    SOURCE_COLUMNS,
    TABLES,
    Fields,
    Rows,
    digest_of,
    in_columns,
    length_of,
)
from recollect.store.vectors import usable_vector

Row: TypeAlias = dict[str, Any]

MARKS = 16
"""So many of an owner's newest commits can be told from each other."""

ITEM_COLUMNS = ("owner", "item", "id", "kind", "since", "until", "length", "wording")
_COUNTERS = ("version", "items", "changes", "alive", "letters", "last_learned")
# The log begins anywhere: who has heard an earlier one, of which all was erased, finds no place of it in this one.
_LOCK_OWNER = f"""
insert into owners as o (owner, name, changes)
values (%(owner)s, %(name)s, (random() * 500000000000)::bigint)
on conflict (owner) do update set version = o.version returning name, {", ".join(_COUNTERS)}, recent
"""
_WRITE_OWNER = f"""
update owners set {", ".join(f"{name} = %({name})s" for name in _COUNTERS)},
       recent = (array_prepend(%(mark)s::bigint, recent))[1:{MARKS}] where owner = %(owner)s
"""
_FIND = "select id, item, kind, length, wording from items where owner = %(owner)s and id = any(%(ids)s)"
_SIZES = "select count(*), coalesce(sum(length), 0) from items where owner = %(owner)s and id = any(%(ids)s)"
_INSERT_WORDS = """
insert into words (owner, term, item, times, length)
select %(owner)s, term, t.item, times, t.length
from json_to_recordset(%(rows)s::json) as t(item bigint, length integer, terms text[], counts smallint[])
cross join lateral unnest(t.terms, t.counts) as one(term, times)
"""
_HAS_ANYTHING = """
select exists (select 1 from items where owner = %(owner)s) or exists (select 1 from changes where owner = %(owner)s)
"""


def key_of(owner: str) -> str:
    """The key of an owner: a hash of the name, the same wherever it is asked for."""
    try:
        owner.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput(f"the owner {owner!r} holds half a character and can't be kept") from error
    return str(uuid.UUID(bytes=digest_of(owner)))


def number_of(model: str) -> int:
    """The number of an embedder's fingerprint."""
    return int.from_bytes(hashlib.blake2b(model.encode(), digest_size=8).digest(), "big", signed=True)


@dataclass
class OwnerCounters:
    """An owner's counters, locked and read when a transaction first needs them and written once, at its end."""

    owner: str
    key: str
    version: int
    items: int
    changes: int
    alive: int
    letters: int
    last_learned: int | None
    mark: int = field(default_factory=lambda: secrets.randbits(62))
    touched: bool = False
    erased: bool = False
    gone: bool = False

    def learned(self, moment: int | None) -> None:
        """Take note of a moment at which something was learned."""
        if moment is not None and (self.last_learned is None or moment > self.last_learned):
            self.last_learned = moment


@dataclass
class Transaction:
    """What is written together."""

    connection: Connection[Any]
    all_counters: dict[str, OwnerCounters] = field(default_factory=dict)
    doomed: bool = False
    """Set when part of it failed: then nothing of it is kept, whatever the caller did with the error."""

    def counters(self, owner: str) -> OwnerCounters:
        """The owner's counters, which no other writer can have at the same time."""
        if owner not in self.all_counters:
            key = key_of(owner)
            name, *counts = locked_owner(self.connection, owner, key)
            if name != owner:
                raise StoreError(f"{owner!r} and another owner have the same key: rename one of them")
            self.all_counters[owner] = OwnerCounters(owner, key, *counts[:-1])
        return self.all_counters[owner]

    def finish(self, counters: OwnerCounters) -> None:
        """Write an owner's counters. An owner of whom nothing is left goes, name and all."""
        if not counters.touched or counters.erased:
            counters.gone = not self._has_anything(counters)
        if counters.gone:
            self.connection.execute("delete from owners where owner = %s", [counters.key])
        elif counters.touched:
            counters.version += 1
            values = {name: getattr(counters, name) for name in _COUNTERS}
            self.connection.execute(_WRITE_OWNER, values | {"owner": counters.key, "mark": counters.mark})

    def _has_anything(self, counters: OwnerCounters) -> bool:
        if not counters.touched and counters.version:
            return True
        row = self.connection.execute(_HAS_ANYTHING, {"owner": counters.key}).fetchone()
        return bool(row and row[0])


def locked_owner(connection: Connection[Any], owner: str, key: str) -> Any:
    """The owner's row, locked until the transaction ends, and made where there was none."""
    return connection.execute(_LOCK_OWNER, {"owner": key, "name": owner}).fetchone()


def came_through(connection: Connection[Any], counters: OwnerCounters) -> bool | None:
    """Whether the commit of these counters was kept; None where too many others came since to tell. The lock waits
    for a server that is still at it."""
    _, version, *_, recent = locked_owner(connection, counters.owner, counters.key)
    if counters.gone:
        return bool(version == 0)
    if not counters.touched or version < counters.version:
        return not counters.touched
    return counters.mark in recent or (False if version - counters.version < MARKS else None)


def held(row: Row) -> Row:
    """The row with NUL, which PostgreSQL can't hold in a text, written with signs that no text has."""
    return {key: held_text(value) if isinstance(value, str) else value for key, value in row.items()}


_ESCAPE = "\ufdd0"


def held_text(text: str) -> str:
    """A text without NUL."""
    if "\0" not in text and _ESCAPE not in text:
        return text
    return text.replace(_ESCAPE, _ESCAPE + "1").replace("\0", _ESCAPE + "0")


def given(row: Sequence[Any]) -> Sequence[Any]:
    """The row as it was before `held`."""
    if not any(type(value) is str and _ESCAPE in value for value in row):
        return row
    return [_with_nul(value) if type(value) is str else value for value in row]


def _with_nul(text: str) -> str:
    return text.replace(_ESCAPE + "0", "\0").replace(_ESCAPE + "1", _ESCAPE)


def insert_rows(
    connection: Connection[Any],
    table: str,
    columns: Sequence[str],
    rows: Sequence[Row],
    key: str,
    *,
    keeping: Sequence[str] = (),
) -> None:
    """Add rows, or write over those with the same key, in one statement however many there are; `keeping`: columns
    that stay as they were."""
    names = ", ".join(columns)
    changed = ", ".join(f"{one} = excluded.{one}" for one in columns if one not in (*key.split(", "), *keeping))
    sql = f"""insert into {table} ({names}) select {names} from json_populate_recordset(null::{table}, %s::json)
              on conflict ({key}) do {f"update set {changed}" if changed else "nothing"}"""
    text = json.dumps(rows, ensure_ascii=False)
    if "\\u0000" in text or _ESCAPE in text:
        text = json.dumps([held(row) for row in rows], ensure_ascii=False)
    connection.execute(sql, [text])


Known = tuple[int, int, int, int]
"""Of a record that is there: its number, kind, length, and a hash of the words it is found by."""

Found = dict[str, Known]


def _find(connection: Connection[Any], counters: OwnerCounters, ids: Sequence[str]) -> Found:
    rows = connection.execute(_FIND, {"owner": counters.key, "ids": list(ids)}).fetchall()
    return {record_id: (item, kind, length, wording) for record_id, item, kind, length, wording in rows}


def save(transaction: Transaction, owner: str, rows: Rows) -> None:
    """Keep records, each in the place of the one with its id if there is one."""
    counters, connection = transaction.counters(owner), transaction.connection
    known = _find(connection, counters, rows.ids)
    rows.refuse_taken({record_id: one[1] for record_id, one in known.items()})
    with connection.pipeline():
        items = _save(transaction, counters, rows, known)
        if rows.kind == "fact":
            _save_sources(connection, counters, rows, known)
        if rows.kind == "message":
            waiting = [{"owner": counters.key, "item": item} for item in items]
            insert_rows(connection, "unsettled", ("owner", "item"), waiting, "owner, item")


def _save(transaction: Transaction, counters: OwnerCounters, rows: Rows, known: Found) -> list[int]:
    """Write items, records and words; words and vectors of a record whose wording changed are taken out first. Gives
    the numbers of the records."""
    items = _items(counters, rows, known)
    numbers: list[int] = [item["item"] for item in items]
    words = [
        _words(item, found_by)
        for item, found_by in zip(items, rows.wordings, strict=True)
        if item["id"] not in known or known[item["id"]][3] != item["wording"]
    ]
    connection, counters.touched = transaction.connection, True
    counters.learned(rows.newest)
    changed = {item for item, *_ in known.values()}
    if reworded := [one["item"] for one in words if one["item"] in changed]:
        _forget_words(connection, counters, reworded)
    insert_rows(connection, "items", ITEM_COLUMNS, items, "owner, item")
    names = COLUMNS[rows.kind]
    values = zip(numbers, repeat(counters.key), *rows.columns.values(), strict=False)
    records = [dict(zip(names, one, strict=True)) for one in values]
    insert_rows(connection, TABLES[rows.kind], names, records, "owner, item")
    if words:
        connection.execute(_INSERT_WORDS, {"owner": counters.key, "rows": json.dumps(words, ensure_ascii=False)})
    return numbers


def _items(counters: OwnerCounters, rows: Rows, known: Found) -> list[Row]:
    """The rows of items, those of new records with the next numbers."""
    items: list[Row] = []
    for record_id, since, until, found_by in zip(rows.ids, *rows.spans, rows.wordings, strict=True):
        item, _, before, _ = known.get(record_id, (counters.items + 1, 0, 0, 0))
        if record_id not in known:
            counters.items += 1
            counters.alive += 1
        length = length_of(found_by)
        counters.letters += length - before
        wording = hashlib.blake2b(found_by.encode(errors="surrogatepass"), digest_size=8).digest()
        number = int.from_bytes(wording, "big", signed=True)
        values = counters.key, item, record_id, KINDS.index(rows.kind), since, until, length, number
        items.append(dict(zip(ITEM_COLUMNS, values, strict=True)))
    return items


def _words(item: Row, found_by: str) -> Row:
    """The words that a record is found by, each with how often it has it."""
    times = Counter(found_by.split(" ")) if found_by else Counter[str]()
    return {"item": item["item"], "length": item["length"], "terms": list(times), "counts": list(times.values())}


def _forget_words(connection: Connection[Any], counters: OwnerCounters, items: Sequence[int]) -> None:
    values = {"owner": counters.key, "items": list(items)}
    connection.execute("delete from words where owner = %(owner)s and item = any(%(items)s)", values)
    connection.execute("delete from vectors where owner = %(owner)s and item = any(%(items)s)", values)


def _save_sources(connection: Connection[Any], counters: OwnerCounters, facts: Rows, known: Found) -> None:
    if known:
        connection.execute("delete from sources where owner = %s and fact = any(%s)", [counters.key, list(known)])
    rows = [{"owner": counters.key, "message": message, "fact": fact} for message, fact in facts.quoting]
    if rows:
        insert_rows(connection, "sources", SOURCE_COLUMNS, rows, "owner, message, fact")
    # A doubt that was settled stays: the log still has its words, which an erase must find.
    if doubts := [{"owner": counters.key, "message": message, "fact": fact} for message, fact in facts.doubting]:
        insert_rows(connection, "doubts", SOURCE_COLUMNS, doubts, "owner, message, fact")


def save_changes(transaction: Transaction, owner: str, changes: Fields) -> None:
    """Append to the owner's log, or write over the entry with the same id."""
    columns = in_columns("change", changes)
    counters = transaction.counters(owner)
    values = zip(count(counters.changes + 1), repeat(counters.key), *columns.values(), strict=False)
    rows = [dict(zip(CHANGE_COLUMNS, one, strict=True)) for one in values]
    counters.learned(max(columns["at"]))
    counters.changes += len(rows)
    counters.touched = True
    insert_rows(transaction.connection, "changes", CHANGE_COLUMNS, rows, "owner, id", keeping=("number",))


def settle(transaction: Transaction, owner: str, messages: Sequence[str], failed: Sequence[str]) -> None:
    """Take messages off the list of those from which facts are still to be derived; count one more failure to derive
    any from those that failed, where they still wait for it."""
    counters = transaction.counters(owner)
    counters.touched = True
    listed = """where owner = %(owner)s and item in
                (select item from items where owner = %(owner)s and id = any(%(ids)s))"""
    if messages:
        transaction.connection.execute(
            f"delete from unsettled {listed}", {"owner": counters.key, "ids": list(messages)}
        )
    if failed:
        sql = f"update unsettled set failures = failures + 1 {listed}"
        transaction.connection.execute(sql, {"owner": counters.key, "ids": list(failed)})


def forget(transaction: Transaction, owner: str, ids: Sequence[str]) -> None:
    """Take records that are about to be erased out of the owner's counters."""
    counters = transaction.counters(owner)
    counters.touched, counters.erased = True, counters.erased or bool(ids)
    alive, letters = transaction.connection.execute(_SIZES, {"owner": counters.key, "ids": list(ids)}).fetchone() or (
        0,
        0,
    )
    counters.alive -= alive
    counters.letters -= letters


def save_vectors(
    transaction: Transaction,
    owner: str,
    model: str,
    vectors: Mapping[str, npt.NDArray[np.float32]],
    tokens: Mapping[str, bytes],
) -> None:
    """Keep vectors, each with its tokens where it has any; all vectors of one model have one length. A record that was
    erased while it was embedded is left out."""
    usable = {name: usable_vector(vector, name) for name, vector in vectors.items()}
    connection = transaction.connection
    known = dim_of(connection, model)
    dim = known or len(next(iter(usable.values())))
    for name, vector in usable.items():
        if len(vector) != dim:
            raise InvalidInput(f"the vector of {name!r} has {len(vector)} numbers, those of {model!r} have {dim}")
    if known is None:
        _keep_model(connection, model, dim)
    counters = transaction.counters(owner)
    found = {name: one[0] for name, one in _find(connection, counters, list(usable)).items()}
    counters.touched = True
    blank = [item for name, item in found.items() if not usable[name].any()]
    full = {item: unit(usable[name]) for name, item in found.items() if usable[name].any()}
    values = {"owner": counters.key, "model": number_of(model)}
    words = {item: tokens.get(name) or None for name, item in found.items()}
    sql = """insert into vectors (owner, model, item, vector, tokens) select %(owner)s, %(model)s, item, vector, tokens
             from unnest(%(items)s::bigint[], %(vectors)s, %(tokens)s::bytea[]) as t(item, vector, tokens)
             on conflict (owner, model, item) do update set vector = excluded.vector, tokens = excluded.tokens"""
    if full:
        rows = {"items": list(full), "vectors": Halfvecs(np.stack(list(full.values())))}
        connection.execute(sql, values | rows | {"tokens": [words[item] for item in full]})
    if blank:
        nothing = sql.replace("%(vectors)s", "array_fill(null::halfvec, array[cardinality(%(items)s::bigint[])])")
        connection.execute(nothing, values | {"items": blank, "tokens": [words[item] for item in blank]})


def dim_of(connection: Connection[Any], model: str) -> int | None:
    """The length of a model's vectors; None while it has none."""
    row = connection.execute("select dim from models where number = %s", [number_of(model)]).fetchone()
    return int(row[0]) if row else None


def _keep_model(connection: Connection[Any], model: str, dim: int) -> None:
    sql = "insert into models (number, name, dim) values (%s, %s, %s) on conflict do nothing"
    connection.execute(sql, [number_of(model), model, dim])
    if (kept := dim_of(connection, model)) != dim:
        raise InvalidInput(f"the vectors of {model!r} have {kept} numbers, not {dim}")
