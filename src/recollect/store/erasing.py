"""What both stores take out for good, and what they keep of it: a row of numbers, until its receipt can't be wanted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

from recollect.serialize import to_json
from recollect.store import ANSWERS_KEPT, Counts, KeptAnswer
from recollect.store.reading import LISTED, OF_IDS, Bound, Reader
from recollect.store.sql import ids_json, micros

KEPT = 7 * 86_400 * 1_000_000
"""For how long the receipt of an erase can be had again, in microseconds."""

UNFINISHED = (
    "erases were broken off, so that their words may still stand in the files: end other processes that read, and open "
    "the store again"
)


def erase(own: Reader, ids: Sequence[str]) -> Counts:
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
