"""Finding records in a SQLite store: the owner's index brought up to date, then words or a vector against it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import compress
from typing import Any

import apsw
import numpy as np

from recollect.store.index import MOST_ALIKE, NewItems, OwnerIndex, Posting, may_be_slip, slip_of
from recollect.store.rows import OWNER_BITS, terms_of
from recollect.store.vectors import Ints, Space

_STATE = "select number, version, erasures from owners where name = :name"
_NEW_ITEMS = """
select max(item), cast(group_concat(id, '') as blob), group_concat(item - :first), group_concat(kind),
group_concat(since), group_concat(until), group_concat(length), group_concat(length(cast(id as blob)))
from (select * from items where item > :newest and item <= :last order by item limit :batch)
"""
"""A column in one value: to read them row by row takes three times as long."""
_TOUCHED_ITEMS = """
select item, kind, since, until, length, id from items where owner = :owner and touched > :version and item <= :newest
"""
_NEW_VECTORS = """
select max(number), group_concat(item - :first), cast(group_concat(vector, '') as blob)
from (select number, item, vector from vectors where number > :newest and number <= :last and model = :model
order by number limit :batch)
"""
_COUNT_VECTORS = "select count(*) from vectors where owner = :owner and model = :model"
_NEW_WORDS = "select rowid, terms from words where rowid > :newest and rowid <= :last order by rowid"
_NEW_SESSIONS = """
select max(item), group_concat(item - :first), json_group_array(session)
from (select item, session from messages where item > :newest and item <= :last order by item limit :batch)
"""
_FEW = 200
"""So many new records are taken into the postings that are kept; of more, they are read again."""

_BATCH = 20_000

_ALIKE = "select term from vocabulary where term >= :low and term < :high limit :limit"
_POSTING = "select group_concat(doc - :base) from postings where term = :term"


def owner_state(connection: apsw.Connection, owner: str) -> tuple[int, int, int] | None:
    """The owner's number, and the counts that tell whether anything was written or erased."""
    state: tuple[int, int, int] | None = connection.execute(_STATE, {"name": owner}).fetchone()
    return state


def current_index(connection: apsw.Connection, held: list[OwnerIndex], owner: str) -> OwnerIndex | None:
    """The held index if it can still be used, else a new one in its place; up to date in either case. None for an owner
    who has nothing."""
    state = owner_state(connection, owner)
    if state is None:
        held.clear()
        return None
    if held and state == (held[0].owner, held[0].version, held[0].erasures):
        return held[0]
    if connection.in_transaction:
        return _renewed(connection, held, owner)
    connection.execute("begin")  # one moment for all that is read next
    try:
        return _renewed(connection, held, owner)
    finally:
        if connection.in_transaction:
            connection.execute("rollback")


def _renewed(connection: apsw.Connection, held: list[OwnerIndex], owner: str) -> OwnerIndex:
    number, version, erasures = owner_state(connection, owner) or (-1, 0, 0)
    if held and (held[0].owner, held[0].erasures) != (number, erasures):
        held.clear()
    if not held:
        held.append(OwnerIndex(number, erasures))
    index = held.pop()
    _catch_up(connection, index)  # an index that met an error on the way is not kept
    index.version = version
    held.append(index)
    return index


def _catch_up(connection: apsw.Connection, index: OwnerIndex) -> None:
    values = _range(index, index.newest) | {"owner": index.owner, "version": index.version}
    if index.count:
        index.change(_rows(connection, _TOUCHED_ITEMS, values))
    known = index.count
    for _, ids, *columns in _batches(connection, _NEW_ITEMS, values):
        items, kinds, since, until, lengths, id_lengths = map(numbers, columns)
        index.add(NewItems(items + values["first"], kinds, since, until, lengths, ids, id_lengths))
    if index.has_postings and index.count - known > _FEW:
        index.forget_postings()
    elif index.has_postings:
        for item, found_by in _rows(connection, _NEW_WORDS, values):
            index.add_words(item, found_by.split(" "))
    for model, space in index.spaces.items():
        _catch_up_vectors(connection, index, model, space)


def _catch_up_vectors(connection: apsw.Connection, index: OwnerIndex, model: int, space: Space) -> None:
    values = _range(index, space.newest) | {"model": model}
    for newest, items, vectors in _batches(connection, _NEW_VECTORS, values):
        index.add_vectors(space, numbers(items) + values["first"], vectors)
        space.newest = newest


def _range(index: OwnerIndex, newest: int) -> dict[str, int]:
    first = index.owner << OWNER_BITS
    return {"first": first, "newest": max(newest, first), "last": ((index.owner + 1) << OWNER_BITS) - 1}


def _rows(connection: apsw.Connection, sql: str, values: dict[str, int]) -> list[Any]:
    return connection.execute(sql, values).fetchall()


def _batches(connection: apsw.Connection, sql: str, values: dict[str, int]) -> Iterator[list[Any]]:
    """The number of the newest row and the columns of so many rows at a time: of a large owner, all at once would take
    more memory than the index."""
    newest = values["newest"]
    while newest is not None:
        ((newest, *columns),) = connection.execute(sql, {**values, "newest": newest, "batch": _BATCH})
        if newest is not None:
            yield [newest, *columns]


def numbers(joined: str) -> Ints:
    """The numbers of a column that was read as one text."""
    return np.fromstring(joined, dtype=np.int64, sep=",")


def with_space(connection: apsw.Connection, index: OwnerIndex, model: int, dim: int) -> None:
    """See to it that the index holds the vectors of this model."""
    if model not in index.spaces:
        space = Space(dim, _rows(connection, _COUNT_VECTORS, {"owner": index.owner, "model": model})[0][0])
        _catch_up_vectors(connection, index, model, space)
        index.spaces[model] = space


def with_sessions(connection: apsw.Connection, index: OwnerIndex) -> None:
    """See to it that the index knows the session of each of its messages."""
    values = _range(index, index.sessions.newest) | {"last": index.newest}
    for newest, items, sessions in _batches(connection, _NEW_SESSIONS, values):
        places, known = index.places(numbers(items) + values["first"])
        index.sessions.add(places, compress(json.loads(sessions), known))
        index.sessions.newest = newest


def find_model(connection: apsw.Connection, name: str) -> tuple[int, int] | None:
    """The number of a model and the length of its vectors."""
    sql = "select number, dim from models where name = :name"
    found: tuple[int, int] | None = connection.execute(sql, {"name": name}).fetchone()
    return found


def postings(connection: apsw.Connection, index: OwnerIndex, words: Sequence[str]) -> list[Posting]:
    """For each different word, this owner's records that have it; none for a word that nobody said."""
    return [_posting(connection, index, word) for word in terms_of(words)]


def _posting(connection: apsw.Connection, index: OwnerIndex, word: str) -> Posting:
    term = f"{index.owner}_{word}"
    if (known := index.posting(term)) is not None:
        return known
    items = _items_with(connection, index.owner, term)
    if not len(items) and (meant := _misspelt(connection, index.owner, word)):
        return index.keep_posting(meant, _items_with(connection, index.owner, meant))
    return index.keep_posting(term, items)


def _items_with(connection: apsw.Connection, owner: int, term: str) -> Ints:
    """The numbers of the records that have a term, ascending, one for each time."""
    base = owner << OWNER_BITS
    text = connection.execute(_POSTING, {"base": base, "term": term}).get
    return numbers(text or "") + base


def _misspelt(connection: apsw.Connection, owner: int, word: str) -> str | None:
    """The one term of this owner that a word which nobody said is a slip of, if there is one."""
    low = f"{owner}_{word[:2]}"
    bound = {"low": low, "high": low + chr(0x10FFFF), "limit": MOST_ALIKE}
    alike = connection.execute(_ALIKE, bound) if may_be_slip(word) else ()
    meant = slip_of(word, (term.partition("_")[2] for (term,) in alike))
    return meant and f"{owner}_{meant}"
