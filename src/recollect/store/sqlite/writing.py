"""Writing to a SQLite store: the rows of many records at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import count, repeat
from typing import Any, NamedTuple

import apsw
import numpy as np
import numpy.typing as npt

from recollect.serialize import to_json
from recollect.store.rows import (
    CHANGE_COLUMNS,
    COLUMNS,
    ITEM_COLUMNS,
    KINDS,
    OWNER_BITS,
    OWNER_COLUMNS,
    SOURCE_COLUMNS,
    TABLES,
    TOKEN_COLUMNS,
    VECTOR_COLUMNS,
    Fields,
    Rows,
    in_columns,
    length_of,
)
from recollect.store.vectors import packed_all, usable_vectors


def insert_sql(table: str, columns: Sequence[str]) -> str:
    """A statement that adds one row, with values for all columns in the table's own order. It names none of them: apsw
    reads a statement's text anew for each row."""
    return f"insert into {table} values({','.join('?' * len(columns))})"


def update_sql(table: str, columns: Sequence[str], key: str) -> str:
    """A statement that writes these columns, bound in their order, of the row with the key that is bound last."""
    return f"update {table} set {', '.join(f'{column} = ?' for column in columns if column != key)} where {key} = ?"


_INSERT_ITEM = insert_sql("items", ITEM_COLUMNS)
_UPDATE_ITEM = update_sql("items", ("since", "until", "length", "touched"), "item")
_INSERT = {kind: insert_sql(TABLES[kind], COLUMNS[kind]) for kind in KINDS}
_UPDATE = {kind: update_sql(TABLES[kind], COLUMNS[kind][2:], "item") for kind in KINDS}
_UPDATE_CHANGE = update_sql("changes", CHANGE_COLUMNS[3:], "id") + " and owner = ?"
_INSERT_CHANGE = insert_sql("changes", CHANGE_COLUMNS)
_NEW_VECTOR = insert_sql("vectors", VECTOR_COLUMNS)
_SAVE_VECTOR = _NEW_VECTOR.replace("insert", "insert or replace", 1)
"""The newer vector of a record has the higher number, by which an index catches up."""
_SAVE_TOKENS = insert_sql("tokens", TOKEN_COLUMNS)
_NEW_MODEL = "insert into models (name, dim) values (?, ?) returning number"
_INSERT_WORDS = "insert into words (rowid, terms) values (?, ?)"
_INSERT_SOURCE = insert_sql("sources", SOURCE_COLUMNS)
_INSERT_DOUBT = insert_sql("doubts", SOURCE_COLUMNS).replace("insert", "insert or ignore", 1)
"""A doubt that was settled stays here: the log still has its words, which an erase must find."""
_DELETE_SOURCES = """
delete from sources where owner = :owner and fact = :fact
and message in (select one.value ->> 0 from facts, json_each(facts.sources) as one where item = :item)
"""
_FIND_ITEM = "select item, kind from items where owner = ? and id = ?"
_FIND_ITEMS = "select id, item, kind from items where owner = ? and id in (select value from json_each(?))"
_FIND_CHANGES = "select id from changes where owner = ? and id in (select value from json_each(?))"


_READ_OWNER = f"select {', '.join(OWNER_COLUMNS)} from owners where name = ?"
_WRITE_OWNER = update_sql("owners", OWNER_COLUMNS, "number")
_NEW_OWNER = """
insert into owners (name, version, naming, erasures, items, vectors, changes)
values (?, 0, 0, 0, 0, 0, abs(random() % 500000000000))
returning number, changes
"""
# The log begins anywhere: who has heard an earlier one, of which all was erased, finds no place of it in this one.


class OwnerRow(NamedTuple):
    """What a reader needs of an owner's row."""

    number: int
    last_learned: int | None
    changes: int


@dataclass
class OwnerCounters:
    """An owner's counters, read when a transaction first needs them and written once, at its end."""

    owner: str
    number: int
    version: int = 0
    erasures: int = 0
    items: int = 0
    vectors: int = 0
    changes: int = 0
    last_learned: int | None = None
    erased: bool = False
    added: dict[str, int] = field(default_factory=dict)
    """The numbers of the records that this transaction added, by id."""
    embedded: set[int] = field(default_factory=set)
    """Records to which this transaction gave a vector."""
    unsettled: set[int] = field(default_factory=set)
    """Messages added by this transaction from which facts are still to be derived."""

    @property
    def base(self) -> int:
        return self.number << OWNER_BITS

    def learned(self, moment: int | None) -> None:
        """Take note of a moment at which something was learned."""
        if moment is not None and (self.last_learned is None or moment > self.last_learned):
            self.last_learned = moment


@dataclass
class Transaction:
    """What is written together."""

    connection: apsw.Connection
    all_counters: dict[str, OwnerCounters] = field(default_factory=dict)
    models: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Number and length of the vectors of each embedder, by name: kept from one transaction to the next, since what is
    there stays."""
    new_models: bool = False
    """Whether there are some that may be taken back."""
    doomed: bool = False
    """Set when part of it failed: then nothing of it is kept, whatever the caller did with the error."""

    def counters(self, owner: str) -> OwnerCounters:
        """The owner's counters; an owner who has nothing yet gets a number."""
        if owner not in self.all_counters:
            row = self.connection.execute(_READ_OWNER, (owner,)).fetchone()
            if row is None:
                number, changes = self.connection.execute(_NEW_OWNER, (owner,)).get
                counters = OwnerCounters(owner, number, changes=changes)
            else:
                counters = OwnerCounters(owner, *row)
            counters.version += 1
            self.all_counters[owner] = counters
        return self.all_counters[owner]

    def finish(self) -> None:
        """Write the counters. An owner of whom nothing is left goes too, name and all."""
        for counters in self.all_counters.values():
            if counters.erased and not _has_anything(self.connection, counters):
                self.connection.execute("delete from owners where number = ?", (counters.number,))
            else:
                values = [getattr(counters, column) for column in OWNER_COLUMNS[1:]]
                self.connection.execute(_WRITE_OWNER, (*values, counters.number))
            self.list_unsettled(counters)

    def list_unsettled(self, counters: OwnerCounters) -> None:
        """Write down the messages that are not settled yet. Late, since most are settled by the time."""
        if counters.unsettled:
            self.connection.executemany(
                "insert into unsettled (item) values (?)", [(item,) for item in sorted(counters.unsettled)]
            )
            counters.unsettled.clear()


def _has_anything(connection: apsw.Connection, counters: OwnerCounters) -> bool:
    sql = """select exists(select 1 from items where item between :first and :last)
                 or exists(select 1 from changes where number between :first and :last)"""
    return bool(connection.execute(sql, span(counters.number)).get)


def span(number: int) -> dict[str, int]:
    """The first and the last number that an owner's rows can have."""
    return {"first": number << OWNER_BITS, "last": ((number + 1) << OWNER_BITS) - 1}


def save(transaction: Transaction, owner: str, rows: Rows) -> None:
    """Keep records, each in the place of the one with its id if there is one."""
    connection, counters = transaction.connection, transaction.counters(owner)
    known = _insert_if_new(connection, counters, rows)
    if not known:
        return
    rows.refuse_taken({record_id: number for record_id, (_, number) in known.items()})
    for place, record_id in enumerate(rows.ids):
        if record_id in known:
            _update(connection, counters, known[record_id][0], rows, place)
    if new := [place for place, record_id in enumerate(rows.ids) if record_id not in known]:
        _insert(connection, counters, rows.at(new))
    _note(connection, counters, rows)


Known = dict[str, tuple[int, int]]
"""Records that are there: number and kind, by id."""


def _insert_if_new(connection: apsw.Connection, counters: OwnerCounters, rows: Rows) -> Known:
    """Add records that are all new; gives those that are not, and then has written nothing. A single one need not be
    looked for first: its id is refused."""
    if len(rows.ids) > 1 and (known := _find(connection, counters, rows.ids)):
        return known
    try:
        _insert(connection, counters, rows)
    except apsw.ConstraintError:
        known = _find(connection, counters, rows.ids) if len(rows.ids) == 1 else {}
        if not known:
            raise
        return known
    _note(connection, counters, rows)
    return {}


def _find(connection: apsw.Connection, counters: OwnerCounters, ids: Sequence[str]) -> Known:
    if counters.items == len(counters.added) and counters.added.keys().isdisjoint(ids):
        return {}  # all that the owner has was added by this transaction
    if len(ids) == 1:
        row = connection.execute(_FIND_ITEM, (counters.number, ids[0])).fetchone()
        return {ids[0]: row} if row else {}
    rows = connection.execute(_FIND_ITEMS, (counters.number, to_json(ids)))
    return {record_id: (item, kind) for record_id, item, kind in rows}


def _insert(connection: apsw.Connection, counters: OwnerCounters, rows: Rows) -> None:
    """Add the rows of new records, one statement for each table."""
    number, first, code = counters.number, counters.base + counters.items + 1, KINDS.index(rows.kind)
    since, until = rows.spans
    lengths = map(length_of, rows.wordings)
    items = zip(count(first), repeat(number), rows.ids, repeat(code), since, until, lengths, repeat(None), strict=False)
    connection.executemany(_INSERT_ITEM, items)
    records = zip(count(first), repeat(number), *rows.columns.values(), strict=False)
    connection.executemany(_INSERT[rows.kind], records)
    words = [(item, owned(number, found_by)) for item, found_by in enumerate(rows.wordings, first) if found_by]
    connection.executemany(_INSERT_WORDS, words)
    counters.items += len(rows.ids)
    counters.added.update(zip(rows.ids, count(first), strict=False))
    if rows.kind == "message":
        counters.unsettled.update(range(first, first + len(rows.ids)))


def _note(connection: apsw.Connection, counters: OwnerCounters, rows: Rows) -> None:
    """What follows from rows that were written: moments, sources, names."""
    counters.learned(rows.newest)
    if rows.kind == "fact" and (pairs := rows.quoting):
        connection.executemany(_INSERT_SOURCE, [(counters.number, *pair) for pair in pairs])
    if rows.kind == "fact" and (pairs := rows.doubting):
        connection.executemany(_INSERT_DOUBT, [(counters.number, *pair) for pair in pairs])


def _update(connection: apsw.Connection, counters: OwnerCounters, item: int, rows: Rows, place: int) -> None:
    """Write the row at this place over the one with this number."""
    if rows.kind == "fact":
        connection.execute(_DELETE_SOURCES, {"owner": counters.number, "fact": rows.ids[place], "item": item})
    since, until = rows.spans
    found_by = rows.wordings[place]
    connection.execute(_UPDATE_ITEM, (since[place], until[place], length_of(found_by), counters.version, item))
    connection.execute(_UPDATE[rows.kind], (*[column[place] for column in rows.columns.values()], item))
    new = owned(counters.number, found_by) if found_by else ""
    # Compared by SQLite: terms that damage has made unreadable are other ones, and no error of decoding.
    same = connection.execute("select terms = ? from words where rowid = ?", (new, item)).get
    if not same and (new or same is not None):
        _reword(connection, counters, item, new)


def _reword(connection: apsw.Connection, counters: OwnerCounters, item: int, terms: str) -> None:
    """Other words, and no vector until one is made of them."""
    connection.execute("delete from words where rowid = ?", (item,))
    if terms:
        connection.execute(_INSERT_WORDS, (item, terms))
    connection.execute("delete from vectors where owner = ? and item = ?", (counters.number, item))
    counters.erasures += 1  # an index elsewhere must forget the old vector


def owned(owner: int, found_by: str) -> str:
    """Terms as the word index keeps them: each with its owner's number, so that no other owner's query meets it."""
    return (mark := f" {owner}_")[1:] + found_by.replace(" ", mark)


def save_changes(transaction: Transaction, owner: str, changes: Fields) -> None:
    """Append to the owner's log, or write over the entry with the same id."""
    connection, counters, columns = transaction.connection, transaction.counters(owner), in_columns("change", changes)
    counters.learned(max(columns["at"]))
    try:
        _log(connection, counters, list(columns.values()))
    except apsw.ConstraintError:
        found = connection.execute(_FIND_CHANGES, (counters.number, to_json(columns["id"])))
        there = {record_id for (record_id,) in found}
        rows = list(zip(*columns.values(), strict=True))
        known = [(*row[1:], row[0], counters.number) for row in rows if row[0] in there]
        connection.executemany(_UPDATE_CHANGE, known)
        if new := [row for row in rows if row[0] not in there]:
            _log(connection, counters, list(zip(*new, strict=True)))


def _log(connection: apsw.Connection, counters: OwnerCounters, columns: Sequence[Sequence[Any]]) -> None:
    """Append rows; when one is there already, none of them is."""
    first, many = counters.base + counters.changes + 1, len(columns[0])
    rows = zip(count(first), repeat(counters.number), *columns, strict=False)
    with connection if many > 1 else nullcontext():  # a savepoint, which a single statement does not need
        connection.executemany(_INSERT_CHANGE, rows)
    counters.changes += many


def settle(transaction: Transaction, owner: str, messages: Sequence[str], failed: Sequence[str]) -> None:
    """Take messages off the list of those from which facts are still to be derived; count one more failure to derive
    any from those that failed, where they still wait for it."""
    counters, connection = transaction.counters(owner), transaction.connection
    items = set(items_of(connection, counters, messages).values())
    earlier = items - counters.unsettled
    counters.unsettled -= items
    if earlier:
        connection.executemany("delete from unsettled where item = ?", [(item,) for item in earlier])
    if failed:
        transaction.list_unsettled(counters)
        again = [(item,) for item in items_of(connection, counters, failed).values()]
        connection.executemany("update unsettled set failures = failures + 1 where item = ?", again)


def forget(transaction: Transaction, owner: str, ids: Sequence[str]) -> None:
    """Take note that these records are erased, or vectors: an index elsewhere must forget them too."""
    counters = transaction.counters(owner)
    counters.erasures += 1
    counters.erased = counters.erased or bool(ids)
    for record_id in ids:
        counters.unsettled.discard(counters.added.pop(record_id, -1))


def save_vectors(
    transaction: Transaction,
    owner: str,
    model: str,
    vectors: Mapping[str, npt.NDArray[np.float32]],
    tokens: Mapping[str, bytes],
) -> None:
    """Keep vectors, each with its tokens where it has any; all vectors of one model have one length. A record that was
    erased while it was embedded is left out."""
    connection, counters = transaction.connection, transaction.counters(owner)
    number, dim = _model(transaction, model) or (None, None)
    matrix = usable_vectors(vectors, model, dim)
    if number is None:
        number = connection.execute(_NEW_MODEL, (model, matrix.shape[1])).get
        transaction.new_models = True
    items, first = items_of(connection, counters, list(vectors)), counters.base + counters.vectors + 1
    known, packed = list(vectors), packed_all(matrix)
    if len(items) < len(known):
        packed = [one for name, one in zip(known, packed, strict=True) if name in items]
        known = [name for name in known if name in items]
    new = items.keys() <= counters.added.keys() and counters.embedded.isdisjoint(items.values())
    connection.executemany(
        _NEW_VECTOR if new else _SAVE_VECTOR,  # to replace takes longer, also where there is nothing to replace
        zip(
            count(first), repeat(counters.number), repeat(number), [items[name] for name in known], packed, strict=False
        ),
    )
    if tokens:
        by_number = [(place, tokens[name]) for place, name in enumerate(known, first) if tokens.get(name)]
        connection.executemany(_SAVE_TOKENS, by_number)
    counters.embedded.update(items.values())
    counters.vectors += len(known)


def _model(transaction: Transaction, model: str) -> tuple[int, int] | None:
    found = transaction.models.get(model)
    if found is None:
        found = transaction.connection.execute("select number, dim from models where name = ?", (model,)).fetchone()
        if found is not None and not transaction.new_models:
            transaction.models[model] = found
    return found


def items_of(connection: apsw.Connection, counters: OwnerCounters, ids: Sequence[str]) -> dict[str, int]:
    """The numbers of these records, by id; unknown ids are left out."""
    found = {record_id: counters.added[record_id] for record_id in ids if record_id in counters.added}
    if len(found) < len(ids):
        others = _find(connection, counters, [record_id for record_id in ids if record_id not in found])
        found |= {record_id: item for record_id, (item, _) in others.items()}
    return found
