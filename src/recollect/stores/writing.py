"""Writing to a SQLite store: one transaction, the owner's counters in it, and the rows of each record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import apsw
import numpy as np
import numpy.typing as npt

from recollect.errors import InvalidInput
from recollect.records import Change, Fact, Message, Note
from recollect.stores import IdTaken
from recollect.stores.sql import (
    CHANGE_COLUMNS,
    COLUMNS,
    ITEM_COLUMNS,
    KINDS,
    OWNER_COLUMNS,
    TABLES,
    change_row,
    insert_sql,
    kind_of,
    learned_by,
    micros,
    packed,
    row_of,
    span_of,
    terms_of,
    to_json,
    update_sql,
    usable_vector,
)

OWNER_BITS = 40
"""An item's number is its owner's number, shifted by so many bits, plus the owner's count."""

_READ_OWNER = f"select {', '.join(OWNER_COLUMNS)} from owners where name = :name"
_WRITE_OWNER = update_sql("owners", OWNER_COLUMNS, "number")
_NEW_OWNER = """
insert into owners (name, version, erasures, items, vectors, changes) values (:name, 0, 0, 0, 0, 0) returning number
"""
_INSERT_ITEM = insert_sql("items", ITEM_COLUMNS)
_UPDATE_ITEM = """
update items set since = :since, until = :until, length = :length, touched = :touched where item = :item
"""
_INSERT = {kind: insert_sql(TABLES[kind], COLUMNS[kind]) for kind in KINDS}
_UPDATE = {kind: update_sql(TABLES[kind], COLUMNS[kind], "item") for kind in KINDS}
_UPDATE_CHANGE = update_sql("changes", CHANGE_COLUMNS[2:], "id") + " and owner = :owner"
_INSERT_CHANGE = insert_sql("changes", CHANGE_COLUMNS)
_SAVE_VECTOR = insert_sql("vectors", ("number", "owner", "item", "model", "vector")).replace(
    "insert",
    "insert or replace",
    1,  # the newer vector of a record has the higher number, by which an index catches up
)
_SAVE_TOKENS = insert_sql("tokens", ("number", "owner", "item", "model", "packed")).replace(
    "insert", "insert or replace", 1
)
_DROP_TOKENS = "delete from tokens where owner = :owner and item = :item and model = :model"
_NEW_MODEL = "insert into models (name, dim) values (:name, :dim) returning number"
_INSERT_WORDS = "insert into words (rowid, terms) values (:item, :terms)"
_READ_WORDS = "select terms from words where rowid = :item"
_FIND_ITEM = "select item, kind, length from items where owner = :owner and id = :id"
_FIND_ITEMS = """
select id, item from items where owner = :owner and id in (select value from json_each(:ids))
"""


@dataclass
class Ledger:
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
    ledgers: dict[str, Ledger] = field(default_factory=dict)
    doomed: bool = False
    """Set when part of it failed: then nothing of it is kept, whatever the caller did with the error."""

    def ledger(self, owner: str) -> Ledger:
        """The owner's counters; an owner who has nothing yet gets a number."""
        if owner not in self.ledgers:
            row = self.connection.execute(_READ_OWNER, {"name": owner}).fetchone()
            if row is None:
                ledger = Ledger(owner, self.connection.execute(_NEW_OWNER, {"name": owner}).get)
            else:
                ledger = Ledger(owner, *row)
            ledger.version += 1
            self.ledgers[owner] = ledger
        return self.ledgers[owner]

    def finish(self) -> None:
        """Write the counters. An owner of whom nothing is left goes too, name and all."""
        for ledger in self.ledgers.values():
            if ledger.erased and not _has_anything(self.connection, ledger):
                self.connection.execute("delete from owners where number = :number", {"number": ledger.number})
            else:
                values = {column: getattr(ledger, column) for column in OWNER_COLUMNS}
                self.connection.execute(_WRITE_OWNER, values)
            self.list_unsettled(ledger)

    def list_unsettled(self, ledger: Ledger) -> None:
        """Write down the messages that are not settled yet. Late, since most are settled by the time."""
        for item in sorted(ledger.unsettled):
            self.connection.execute("insert into unsettled (item) values (:item)", {"item": item})
        ledger.unsettled.clear()


def _has_anything(connection: apsw.Connection, ledger: Ledger) -> bool:
    sql = """select exists(select 1 from items where item between :first and :last)
                 or exists(select 1 from changes where number between :first and :last)"""
    return bool(connection.execute(sql, span(ledger.number)).get)


def span(number: int) -> dict[str, int]:
    """The first and the last number that an owner's rows can have."""
    return {"first": number << OWNER_BITS, "last": ((number + 1) << OWNER_BITS) - 1}


def refuse_strangers(owner: str, records: Sequence[Message | Fact | Note | Change]) -> None:
    """No record is kept under an owner it does not name, and no id comes twice in one call."""
    for record in records:
        if record.owner != owner:
            raise InvalidInput(f"{record.id!r} belongs to {record.owner!r} and can't be kept for {owner!r}")
    if len({record.id for record in records}) < len(records):
        raise InvalidInput("two of these records have the same id")


def save_new(transaction: Transaction, owner: str, messages: Sequence[Message]) -> None:
    """Keep records that must be new."""
    rows = [row_of(message) for message in messages]
    ledger = transaction.ledger(owner)
    if taken := items_of(transaction.connection, ledger, [message.id for message in messages]):
        raise IdTaken(f"there is a record with the id {min(taken)!r} already: ids must be new")
    for message, row in zip(messages, rows, strict=True):
        _insert(transaction.connection, ledger, message, row)


def save_changed(transaction: Transaction, owner: str, records: Sequence[Fact | Note]) -> None:
    """Keep records, each in the place of the one with its id if there is one."""
    rows = [row_of(record) for record in records]
    ledger = transaction.ledger(owner)
    found = [_find(transaction.connection, ledger, record.id) for record in records]
    for record, known in zip(records, found, strict=True):
        if known and KINDS[known[1]] != kind_of(record):
            raise InvalidInput(f"{record.id!r} is the id of a {KINDS[known[1]]} and can't become a {kind_of(record)}")
    for record, row, known in zip(records, rows, found, strict=True):
        if known:
            _update(transaction.connection, ledger, record, row | {"item": known[0]})
        else:
            _insert(transaction.connection, ledger, record, row)
        if isinstance(record, Fact):
            _save_sources(transaction.connection, ledger, record, new=known is None)


def _find(connection: apsw.Connection, ledger: Ledger, record_id: str) -> tuple[int, int, int] | None:
    found: tuple[int, int, int] | None
    found = connection.execute(_FIND_ITEM, {"owner": ledger.number, "id": record_id}).fetchone()
    return found


def _insert(connection: apsw.Connection, ledger: Ledger, record: Message | Fact | Note, row: dict[str, object]) -> None:
    ledger.items += 1
    ledger.learned(learned_by(record))
    item = ledger.added[record.id] = ledger.base + ledger.items
    kind = kind_of(record)
    found_by = terms_of(record)
    since, until = span_of(record)
    key = {"item": item, "owner": ledger.number, "id": record.id}
    values = {"kind": KINDS.index(kind), "since": since, "until": until, "length": len(found_by), "touched": None}
    connection.execute(_INSERT_ITEM, key | values)
    connection.execute(_INSERT[kind], row | key)
    if kind == "message":
        ledger.unsettled.add(item)
    if found_by:
        connection.execute(_INSERT_WORDS, {"item": item, "terms": owned(ledger.number, found_by)})


def _update(connection: apsw.Connection, ledger: Ledger, record: Fact | Note, row: dict[str, object]) -> None:
    ledger.learned(learned_by(record))
    found_by = terms_of(record)
    since, until = span_of(record)
    key = {"item": row["item"]}
    length = {"length": len(found_by), "touched": ledger.version}
    connection.execute(_UPDATE_ITEM, key | {"since": since, "until": until} | length)
    connection.execute(_UPDATE[kind_of(record)], row | {"owner": ledger.number})
    new = owned(ledger.number, found_by)
    old = connection.execute(_READ_WORDS, key).get or ""
    if new != old:
        connection.execute("delete from words where rowid = :item", key)
        if new:
            connection.execute(_INSERT_WORDS, key | {"terms": new})
        for table in ("vectors", "tokens"):
            sql = f"delete from {table} where owner = :owner and item = :item"
            connection.execute(sql, key | {"owner": ledger.number})
        ledger.erasures += 1  # an index elsewhere must forget the old vector


def owned(owner: int, found_by: Sequence[str]) -> str:
    """Terms as the word index keeps them: each with its owner's number, so that no other owner's query meets it."""
    return " ".join(f"{owner}_{term}" for term in found_by)


def _save_sources(connection: apsw.Connection, ledger: Ledger, fact: Fact, *, new: bool) -> None:
    key = {"owner": ledger.number, "fact": fact.id}
    if not new:
        connection.execute("delete from sources where owner = :owner and fact = :fact", key)
    for message in {source.message for source in fact.sources}:
        sql = "insert into sources (owner, message, fact) values (:owner, :message, :fact)"
        connection.execute(sql, key | {"message": message})


def save_changes(transaction: Transaction, owner: str, changes: Sequence[Change]) -> None:
    """Append to the owner's log, or write over the entry with the same id."""
    rows = [change_row(change) for change in changes]
    connection, ledger = transaction.connection, transaction.ledger(owner)
    for change, row in zip(changes, rows, strict=True):
        ledger.learned(micros(change.at))
        key = {"number": ledger.base + ledger.changes + 1, "owner": ledger.number}
        try:
            connection.execute(_INSERT_CHANGE, row | key)
            ledger.changes += 1
        except apsw.ConstraintError:
            connection.execute(_UPDATE_CHANGE, row | key)


def settle(transaction: Transaction, owner: str, messages: Sequence[str]) -> None:
    """Take messages off the list of those from which facts are still to be derived."""
    ledger = transaction.ledger(owner)
    for item in items_of(transaction.connection, ledger, messages).values():
        if item in ledger.unsettled:
            ledger.unsettled.remove(item)
        else:
            transaction.connection.execute("delete from unsettled where item = :item", {"item": item})


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
    connection, ledger = transaction.connection, transaction.ledger(owner)
    number, dim = _model(connection, model) or (None, len(next(iter(usable.values()))))
    for name, vector in usable.items():
        if len(vector) != dim:
            raise InvalidInput(f"the vector of {name!r} has {len(vector)} numbers, those of {model!r} have {dim}")
    if number is None:
        number = connection.execute(_NEW_MODEL, {"name": model, "dim": dim}).get
    for name, item in items_of(connection, ledger, list(usable)).items():
        ledger.vectors += 1
        key = {"number": ledger.base + ledger.vectors, "owner": ledger.number, "item": item, "model": number}
        connection.execute(_SAVE_VECTOR, key | {"vector": packed(usable[name])})
        if tokens.get(name):
            connection.execute(_SAVE_TOKENS, key | {"packed": tokens[name]})
        else:
            connection.execute(_DROP_TOKENS, {one: key[one] for one in ("owner", "item", "model")})


def _model(connection: apsw.Connection, model: str) -> tuple[int, int] | None:
    found: tuple[int, int] | None
    found = connection.execute("select number, dim from models where name = :name", {"name": model}).fetchone()
    return found


def items_of(connection: apsw.Connection, ledger: Ledger, ids: Sequence[str]) -> dict[str, int]:
    """The numbers of these records, by id; unknown ids are left out."""
    found = {record_id: ledger.added[record_id] for record_id in ids if record_id in ledger.added}
    if others := [record_id for record_id in ids if record_id not in found]:
        rows = connection.execute(_FIND_ITEMS, {"owner": ledger.number, "ids": to_json(others)})
        found |= {str(record_id): int(item) for record_id, item in rows}
    return found
