"""Writing to a SQLite store: the rows of many records at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from itertools import count, repeat

import apsw
import numpy as np
import numpy.typing as npt

from recollect.errors import InvalidInput
from recollect.records import Change, Fact, Message, Note
from recollect.stores import IdTaken, RecordKind
from recollect.stores.ledgers import Ledger, Transaction
from recollect.stores.packing import packed_all, usable_vectors
from recollect.stores.sql import (
    CHANGE_COLUMNS,
    COLUMNS,
    ITEM_COLUMNS,
    KINDS,
    SOURCE_COLUMNS,
    TABLES,
    TASK,
    TOKEN_COLUMNS,
    VALUES,
    VECTOR_COLUMNS,
    Values,
    change_values,
    insert_sql,
    kind_of,
    learned_by,
    length_of,
    micros,
    span_of,
    to_json,
    update_sql,
    wording_of,
)

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
_DELETE_SOURCES = """
delete from sources where owner = :owner and fact = :fact
and message in (select one.value ->> 0 from facts, json_each(facts.sources) as one where item = :item)
"""
_FIND_ITEM = "select item, kind from items where owner = ? and id = ?"
_FIND_ITEMS = "select id, item, kind from items where owner = ? and id in (select value from json_each(?))"
_FIND_CHANGES = "select id from changes where owner = ? and id in (select value from json_each(?))"
_WAS_NAMING = f"select named or category = '{TASK}' from facts where item = ?"


def refuse_strangers(owner: str, records: Sequence[Message | Fact | Note | Change]) -> None:
    """No record is kept under an owner it does not name, and no id comes twice in one call."""
    for record in records:
        if record.owner != owner:
            raise InvalidInput(f"{record.id!r} belongs to {record.owner!r} and can't be kept for {owner!r}")
    if len({record.id for record in records}) < len(records):
        raise InvalidInput("two of these records have the same id")


def save_new(transaction: Transaction, owner: str, messages: Sequence[Message]) -> None:
    """Keep records that must be new."""
    connection, ledger = transaction.connection, transaction.ledger(owner)
    taken = _insert_if_new(connection, ledger, "message", messages, _rows(ledger, "message", messages))
    if taken:
        raise IdTaken(f"there is a record with the id {min(taken)!r} already: ids must be new")


def save_changed(transaction: Transaction, owner: str, records: Sequence[Fact | Note]) -> None:
    """Keep records, each in the place of the one with its id if there is one."""
    connection, ledger, kind = transaction.connection, transaction.ledger(owner), kind_of(records[0])
    rows = _rows(ledger, kind, records)
    known = _insert_if_new(connection, ledger, kind, records, rows)
    if not known:
        return
    for record_id, (_, number) in known.items():
        if KINDS[number] != kind:
            raise InvalidInput(f"{record_id!r} is the id of a {KINDS[number]} and can't become a {kind}")
    for record, row in zip(records, rows, strict=True):
        if record.id in known:
            _update(connection, ledger, known[record.id][0], record, row)
    if new := [record for record in records if record.id not in known]:
        _insert(connection, ledger, kind, new, _rows(ledger, kind, new))


def _rows(ledger: Ledger, kind: RecordKind, records: Sequence[Message | Fact | Note]) -> list[Values]:
    """The rows that these records become if all are new. What can't be one is refused before anything is written."""
    values, owner, first = VALUES[kind], ledger.number, ledger.base + ledger.items + 1
    return [values(record, item, owner) for item, record in enumerate(records, first)]


Known = dict[str, tuple[int, int]]
"""Records that are there: number and kind, by id."""


def _insert_if_new(
    connection: apsw.Connection,
    ledger: Ledger,
    kind: RecordKind,
    records: Sequence[Message | Fact | Note],
    rows: Sequence[Values],
) -> Known:
    """Add records that are all new; gives those that are not, and then has written nothing. A single one need not be
    looked for first: its id is refused."""
    if len(records) > 1:
        known = _find(connection, ledger, [record.id for record in records])
        if not known:
            _insert(connection, ledger, kind, records, rows)
        return known
    try:
        _insert(connection, ledger, kind, records, rows)
    except apsw.ConstraintError:
        known = _find(connection, ledger, [records[0].id])
        if not known:
            raise
        return known
    return {}


def _find(connection: apsw.Connection, ledger: Ledger, ids: Sequence[str]) -> Known:
    if ledger.items == len(ledger.added) and ledger.added.keys().isdisjoint(ids):
        return {}  # all that the owner has was added by this transaction
    if len(ids) == 1:
        row = connection.execute(_FIND_ITEM, (ledger.number, ids[0])).fetchone()
        return {ids[0]: row} if row else {}
    rows = connection.execute(_FIND_ITEMS, (ledger.number, to_json(ids)))
    return {record_id: (item, kind) for record_id, item, kind in rows}


def _insert(
    connection: apsw.Connection,
    ledger: Ledger,
    kind: RecordKind,
    records: Sequence[Message | Fact | Note],
    rows: Sequence[Values],
) -> None:
    """Add the rows of new records, one statement for each table."""
    number, first, code = ledger.number, ledger.base + ledger.items + 1, KINDS.index(kind)
    wordings = [*map(wording_of, records)]
    items = [
        (item, number, record.id, code, since, until, length_of(found_by), None)
        for item, record, (since, until), found_by in zip(
            count(first), records, map(span_of, records), wordings, strict=False
        )
    ]
    connection.executemany(_INSERT_ITEM, items)
    connection.executemany(_INSERT[kind], rows)
    words = [(item, owned(number, found_by)) for item, found_by in enumerate(wordings, first) if found_by]
    connection.executemany(_INSERT_WORDS, words)
    ledger.items += len(records)
    ledger.added.update(zip([record.id for record in records], count(first), strict=False))
    _note(connection, ledger, kind, records, rows)


def _note(
    connection: apsw.Connection,
    ledger: Ledger,
    kind: RecordKind,
    records: Sequence[Message | Fact | Note],
    rows: Sequence[Values],
) -> None:
    """What follows from new rows: moments, what is unsettled, sources, names."""
    learned = [row[place] for place in _LEARNED[kind] for row in rows if row[place] is not None]
    ledger.learned(max(learned, default=None))
    if kind == "message":
        ledger.unsettled.update(ledger.added[record.id] for record in records)
    if kind == "fact":
        _save_sources(connection, ledger, records)
        if any(row[_NAMED] or row[_CATEGORY] == TASK for row in rows):
            ledger.naming = ledger.version


_LEARNED = {
    kind: [place for place, column in enumerate(COLUMNS[kind]) if column in ("learned", "retired")] for kind in KINDS
}
"""Where a row tells when we came to know something."""
_NAMED, _CATEGORY = COLUMNS["fact"].index("named"), COLUMNS["fact"].index("category")


def _update(connection: apsw.Connection, ledger: Ledger, item: int, record: Fact | Note, row: Values) -> None:
    ledger.learned(learned_by([record]))
    found_by = wording_of(record)
    if isinstance(record, Fact):
        if row[_NAMED] or row[_CATEGORY] == TASK or connection.execute(_WAS_NAMING, (item,)).get:
            ledger.naming = ledger.version
        connection.execute(_DELETE_SOURCES, {"owner": ledger.number, "fact": record.id, "item": item})
        _save_sources(connection, ledger, [record])
    connection.execute(_UPDATE_ITEM, (*span_of(record), length_of(found_by), ledger.version, item))
    connection.execute(_UPDATE[kind_of(record)], (*row[2:], item))
    new = owned(ledger.number, found_by) if found_by else ""
    if new != (connection.execute("select terms from words where rowid = ?", (item,)).get or ""):
        _reword(connection, ledger, item, new)


def _reword(connection: apsw.Connection, ledger: Ledger, item: int, terms: str) -> None:
    """Other words, and no vector until one is made of them."""
    connection.execute("delete from words where rowid = ?", (item,))
    if terms:
        connection.execute(_INSERT_WORDS, (item, terms))
    connection.execute("delete from vectors where owner = ? and item = ?", (ledger.number, item))
    ledger.erasures += 1  # an index elsewhere must forget the old vector


def owned(owner: int, found_by: str) -> str:
    """Terms as the word index keeps them: each with its owner's number, so that no other owner's query meets it."""
    return (mark := f" {owner}_")[1:] + found_by.replace(" ", mark)


def _save_sources(connection: apsw.Connection, ledger: Ledger, records: Iterable[Message | Fact | Note]) -> None:
    facts = [one for one in records if isinstance(one, Fact) and one.sources]
    pairs = {(ledger.number, source.message, fact.id) for fact in facts for source in fact.sources}
    if pairs:
        connection.executemany(_INSERT_SOURCE, sorted(pairs))


def save_changes(transaction: Transaction, owner: str, changes: Sequence[Change]) -> None:
    """Append to the owner's log, or write over the entry with the same id."""
    rows = [change_values(change) for change in changes]
    connection, ledger = transaction.connection, transaction.ledger(owner)
    ledger.learned(micros(max(change.at for change in changes)))
    try:
        _log(connection, ledger, rows)
    except apsw.ConstraintError:
        there = {
            one for (one,) in connection.execute(_FIND_CHANGES, (ledger.number, to_json([row[0] for row in rows])))
        }
        known = [(*row[1:], row[0], ledger.number) for row in rows if row[0] in there]
        connection.executemany(_UPDATE_CHANGE, known)
        _log(connection, ledger, [row for row in rows if row[0] not in there])


def _log(connection: apsw.Connection, ledger: Ledger, rows: Sequence[Values]) -> None:
    """Append rows; when one is there already, none of them is."""
    first = ledger.base + ledger.changes + 1
    numbered = [(number, ledger.number, *row) for number, row in enumerate(rows, first)]
    with connection if len(rows) > 1 else nullcontext():  # a savepoint, which a single statement does not need
        connection.executemany(_INSERT_CHANGE, numbered)
    ledger.changes += len(rows)


def settle(transaction: Transaction, owner: str, messages: Sequence[str]) -> None:
    """Take messages off the list of those from which facts are still to be derived."""
    ledger = transaction.ledger(owner)
    items = set(items_of(transaction.connection, ledger, messages).values())
    earlier = items - ledger.unsettled
    ledger.unsettled -= items
    if earlier:
        transaction.connection.executemany("delete from unsettled where item = ?", [(item,) for item in earlier])


def save_vectors(
    transaction: Transaction,
    owner: str,
    model: str,
    vectors: Mapping[str, npt.NDArray[np.float32]],
    tokens: Mapping[str, bytes],
) -> None:
    """Keep vectors, each with its tokens where it has any; all vectors of one model have one length. A record that was
    erased while it was embedded is left out."""
    connection, ledger = transaction.connection, transaction.ledger(owner)
    number, dim = _model(transaction, model) or (None, None)
    matrix = usable_vectors(vectors, model, dim)
    if number is None:
        number = connection.execute(_NEW_MODEL, (model, matrix.shape[1])).get
        transaction.new_models = True
    items, first = items_of(connection, ledger, list(vectors)), ledger.base + ledger.vectors + 1
    known, packed = list(vectors), packed_all(matrix)
    if len(items) < len(known):
        packed = [one for name, one in zip(known, packed, strict=True) if name in items]
        known = [name for name in known if name in items]
    new = items.keys() <= ledger.added.keys() and ledger.embedded.isdisjoint(items.values())
    connection.executemany(
        _NEW_VECTOR if new else _SAVE_VECTOR,  # to replace takes longer, also where there is nothing to replace
        zip(count(first), repeat(ledger.number), repeat(number), [items[name] for name in known], packed, strict=False),
    )
    if tokens:
        by_number = [(place, tokens[name]) for place, name in enumerate(known, first) if tokens.get(name)]
        connection.executemany(_SAVE_TOKENS, by_number)
    ledger.embedded.update(items.values())
    ledger.vectors += len(known)


def _model(transaction: Transaction, model: str) -> tuple[int, int] | None:
    found = transaction.models.get(model)
    if found is None:
        found = transaction.connection.execute("select number, dim from models where name = ?", (model,)).fetchone()
        if found is not None and not transaction.new_models:
            transaction.models[model] = found
    return found


def items_of(connection: apsw.Connection, ledger: Ledger, ids: Sequence[str]) -> dict[str, int]:
    """The numbers of these records, by id; unknown ids are left out."""
    found = {record_id: ledger.added[record_id] for record_id in ids if record_id in ledger.added}
    if len(found) < len(ids):
        others = _find(connection, ledger, [record_id for record_id in ids if record_id not in found])
        found |= {record_id: item for record_id, (item, _) in others.items()}
    return found
