"""What both stores do alike: they read through a `Reader`, write in a transaction of their own making, and take out
for good what is erased; of that a row of numbers is kept, until its receipt can't be wanted any more."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from recollect.errors import InvalidInput
from recollect.records import Change, Fact, Message, Note
from recollect.serialize import to_json
from recollect.store import ANSWERS_KEPT, EVERYTHING, Counts, KeptAnswer, Query, RecordKind
from recollect.store.conditions import LISTED, OF_IDS, Bound, ids_json, micros
from recollect.store.reading import DROP_VECTORS, Reader
from recollect.store.rows import own_fields, rows_of

Record = TypeVar("Record")
R = TypeVar("R")


KEPT = 7 * 86_400 * 1_000_000
"""For how long the receipt of an erase can be had again, in microseconds."""

UNFINISHED = (
    "erases were broken off, so that their words may still stand in the files: end other processes that read, and open "
    "the store again"
)
_NOT_ITEMS = (
    "select count(*) as many from {0} t left join items i on i.owner = t.owner and i.item = t.item where i.item is null"
)
_NO_FACT = "select count(*) from {0} t left join items i on i.owner = t.owner and i.id = t.fact where i.item is null"
FAULTS = {
    UNFINISHED: "select count(*) from erasures where state = 0",
    "records are not in the index of items": "select sum(many) from ("
    + " union all ".join(_NOT_ITEMS.format(table) for table in ("messages", "facts", "notes"))
    + ") as lost",
    "items have no record": """
        select count(*) from items i left join messages m on m.owner = i.owner and m.item = i.item
        left join facts f on f.owner = i.owner and f.item = i.item
        left join notes n on n.owner = i.owner and n.item = i.item
        where m.item is null and f.item is null and n.item is null""",
    "quotes are of no fact": _NO_FACT.format("sources"),
    "doubts are of no fact": _NO_FACT.format("doubts"),
    "vectors have no record": _NOT_ITEMS.format("vectors"),
}
"""What `check` says, with so many before it, and what counts them: neither store may have any of these."""


RECORDS: dict[type, RecordKind] = {Message: "message", Fact: "fact", Note: "note"}


class SQLStore:
    """A store whose engine speaks SQL."""

    _writing: Any
    """The module that writes to it: `save`, `save_changes`, `settle`, `save_vectors` and `forget`."""

    def _read(self, owner: str, work: Callable[[Reader], R]) -> R:
        """What is read of an owner."""
        raise NotImplementedError

    def _save(self, owner: str, work: Callable[[Any], R]) -> R:
        """What is done in the open transaction, or in one of its own."""
        raise NotImplementedError

    def _keep(self, owner: str, work: Callable[[Reader], None]) -> None:
        """The same for what is no record of the owner."""
        raise NotImplementedError

    def _inside(self, transaction: Any, owner: str) -> Reader:
        """The owner's rows inside a transaction."""
        raise NotImplementedError

    def save(self, owner: str, records: Sequence[Any]) -> None:
        if not records:
            return
        if (kind := kind_of(records)) is KeptAnswer:
            for answer in records:
                self._keep(owner, partial(save_answer, answer=answer))
            return
        fields = own_fields(owner, kind, records)
        if kind is Change:
            self._save(owner, lambda inside: self._writing.save_changes(inside, owner, fields))
        else:
            self._save(owner, lambda inside: self._writing.save(inside, owner, rows_of(RECORDS[kind], fields)))

    def settle(self, owner: str, messages: Sequence[str], failed: Sequence[str] = ()) -> None:
        if messages or failed:
            self._save(owner, lambda transaction: self._writing.settle(transaction, owner, messages, failed))

    def read(self, owner: str, kind: type[Record], query: Query = EVERYTHING) -> list[Record]:
        return self._read(owner, lambda own: own.read(kind, query))

    def save_vectors(
        self,
        owner: str,
        model: str,
        vectors: Mapping[str, npt.NDArray[np.float32]],
        tokens: Mapping[str, bytes] | None = None,
    ) -> None:
        if vectors:
            rows = vectors, tokens or {}
            self._save(owner, lambda transaction: self._writing.save_vectors(transaction, owner, model, *rows))

    def vectors(self, owner: str, model: str, ids: Sequence[str]) -> dict[str, npt.NDArray[np.float32]]:
        return self._read(owner, lambda own: own.vectors(model, ids))

    def tokens(self, owner: str, model: str, ids: Sequence[str]) -> dict[str, bytes]:
        return self._read(owner, lambda own: own.tokens(model, ids))

    def without_vectors(self, owner: str, model: str, *, limit: int) -> list[tuple[str, str]]:
        return self._read(owner, lambda own: own.without_vectors(model, limit))

    def counts(self, owner: str, *, holding: datetime | None = None) -> Counts:
        return self._read(owner, lambda own: own.counts(holding))

    def erase(
        self, owner: str, ids: Sequence[str], *, request: str = "", at: datetime | None = None, model: str = ""
    ) -> Counts:
        def work(transaction: Any) -> Counts:
            own, counts = self._inside(transaction, owner), Counts()
            self._writing.forget(transaction, owner, ids)
            if ids:
                counts = erase_records(own, ids)
            if model:
                dropped = own.changed(DROP_VECTORS, own.bounds | {"model": model})
                counts = replace(counts, vectors=counts.vectors + dropped)
            if request and at is not None:
                save_erasure(own, request, at, counts)
            return counts

        return self._save(owner, work) if ids or model else Counts()


def kind_of(records: Sequence[Any]) -> Any:
    """The type of all of these records; InvalidInput where they are of several, or of one that no store keeps."""
    kinds = {*map(type, records)}
    kind = kinds.pop()
    if kinds or kind not in (*RECORDS, Change, KeptAnswer):
        raise InvalidInput("a store keeps messages, facts, notes, changes or answers, and those of one kind at a time")
    return kind


def erase_records(own: Reader, ids: Sequence[str]) -> Counts:
    """Remove these records with all that was derived from them, and what remaining records say of them."""
    values = own.bounds | {"ids": ids_json(ids), "hashed": own.hashed}
    own.changed("delete from answers where owner = :hashed", values)  # they could still tell what was erased
    _forget_quotes(own, set(ids), values)
    own.changed(own.DELETE_WORDS, values)
    vectors = own.changed(f"delete from vectors where owner = :owner and item in ({OF_IDS})", values)
    own.changed(f"delete from unsettled where item in ({OF_IDS})", values)
    own.changed(f"delete from sources where owner = :owner and message in {LISTED}", values)
    own.changed(own.DELETE_SOURCES, values)
    for column in ("message", "fact"):
        own.changed(f"delete from doubts where owner = :owner and {column} in {LISTED}", values)
    messages, facts, notes = [
        own.changed(f"delete from {table} where item in ({OF_IDS})", values) for table in ("messages", "facts", "notes")
    ]
    own.changed(f"delete from items where owner = :owner and id in {LISTED}", values)
    changes = own.changed(f"delete from changes where owner = :owner and record_id in {LISTED}", values)
    for column in ("replaces", "replaced_by", "disputes"):
        own.changed(f"update facts set {column} = null where owner = :owner and {column} in {LISTED}", values)
    return Counts(messages, facts, notes, changes, vectors)


def _forget_quotes(own: Reader, ids: set[str], values: Bound) -> None:
    """Take quotes of erased messages out of the facts that remain, and out of what the log says of those facts."""
    quoting = f"""(select fact from sources where owner = :owner and message in {LISTED}
                   union select fact from doubts where owner = :owner and message in {LISTED})"""
    sql = f"""select item, sources, doubted_by from facts where item in
              (select item from items where owner = :owner and id in {quoting})"""
    update = "update facts set sources = :sources, doubted_by = :doubt where owner = :owner and item = :item"
    for item, sources, doubt in own.rows(sql, values):
        kept = to_json([pair for pair in json.loads(sources) if pair[0] not in ids])
        left = None if doubt is None or json.loads(doubt)[0] in ids else doubt
        own.changed(update, own.bounds | {"sources": kept, "doubt": left, "item": item})
    sql = f"select number, before, after from changes where owner = :owner and record_id in {quoting}"
    update = "update changes set before = :before, after = :after where owner = :owner and number = :number"
    for number, before, after in own.rows(sql, values):
        cleaned = {"before": _unquoted(before, ids), "after": _unquoted(after, ids), "number": number}
        own.changed(update, own.bounds | cleaned)


def _unquoted(text: str | None, ids: set[str]) -> str | None:
    record = None if text is None else json.loads(text)
    if not isinstance(record, dict):
        return text
    if isinstance(record.get("sources"), list):
        record["sources"] = [source for source in record["sources"] if _quoted(source) not in ids]
    if _quoted(record.get("doubted_by")) in ids:
        record["doubted_by"] = None
    return to_json(record)


def _quoted(source: object) -> object:
    if isinstance(source, dict):
        return source.get("message")
    return source[0] if isinstance(source, list) and source else None


def save_erasure(own: Reader, request: str, at: datetime, counts: Counts) -> None:
    """Keep the numbers of an erase whose words may still stand in the files."""
    kinds = {name: getattr(counts, name) for name in ("messages", "facts", "notes", "changes", "vectors")}
    row = {"request": request, "at": micros(at), "state": 0, **kinds}
    own.changed("delete from erasures where request = :request", own.bounds | row)
    _insert(own, "erasures", (*own.KEY, *row), own.bounds | row)
    own.changed(f"delete from erasures where state > 0 and at < :at - {KEPT}", own.bounds | row)


def save_answer(own: Reader, answer: KeptAnswer) -> None:
    """Keep an answer in the place of the one with its key; those that are too old go."""
    row = {"key": answer.key, "print": answer.print, "at": micros(answer.at), "undo": answer.undo, "body": answer.body}
    bound = own.bounds | row | {"hashed": own.hashed, "expired": micros(answer.at - ANSWERS_KEPT)}
    own.changed("delete from answers where at < :expired", bound)
    own.changed("delete from answers where owner = :hashed and key = :key", bound)
    _insert(own, "answers", ("owner", *row), bound | {"owner": own.hashed})


def _insert(own: Reader, table: str, columns: Sequence[str], bound: Bound) -> None:
    values = ", ".join(f":{column}" for column in columns)
    own.changed(f"insert into {table} ({', '.join(columns)}) values ({values})", bound)
