"""Taking records out of a SQLite store for good: rows, words, vectors, log, and every byte of them in the files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import apsw

from recollect.serialize import to_json
from recollect.store import Counts
from recollect.store.files import IN_MEMORY
from recollect.store.idempotency import drop
from recollect.store.owner_counters import Ledger, Transaction
from recollect.store.scanning import PIECE, Needles, pieces_of, suspects
from recollect.store.sql import MOST_LETTERS, plain_term
from recollect.text.words import terms

_CHUNK = 2**20
_LISTED = "(select value from json_each(:ids))"
_DELETE_SOURCES = f"""
delete from sources where owner = :owner and (message, fact) in
    (select one.value ->> 0, facts.id from facts, json_each(facts.sources) as one where facts.item in
     (select item from items where owner = :owner and id in {_LISTED}))
"""
_BLOCKED = "another process is reading, so that its log could not be emptied: run erase again when it has ended"


def erase(transaction: Transaction, owner: str, ids: Sequence[str]) -> Counts:
    """Remove these records with all that was derived from them, and what remaining records say of them."""
    connection, ledger = transaction.connection, transaction.ledger(owner)
    values = {"owner": ledger.number, "ids": to_json(list(ids))}
    drop(connection, owner)
    _forget_quotes(connection, ledger, set(ids), values)
    items = f"(select item from items where owner = :owner and id in {_LISTED})"
    connection.execute(f"delete from words where rowid in {items}", values)
    vectors = _delete(connection, f"delete from vectors where owner = :owner and item in {items}", values)
    connection.execute(f"delete from unsettled where item in {items}", values)
    connection.execute(f"delete from sources where owner = :owner and message in {_LISTED}", values)
    for column in ("message", "fact"):
        connection.execute(f"delete from doubts where owner = :owner and {column} in {_LISTED}", values)
    connection.execute(_DELETE_SOURCES, values)
    counts = [
        _delete(connection, f"delete from {table} where item in {items}", values)
        for table in ("messages", "facts", "notes")
    ]
    connection.execute(f"delete from items where owner = :owner and id in {_LISTED}", values)
    changes = _delete(connection, f"delete from changes where owner = :owner and record_id in {_LISTED}", values)
    for column in ("replaces", "replaced_by", "disputes"):
        sql = f"update facts set {column} = null where owner = :owner and {column} in {_LISTED}"
        connection.execute(sql, values)
    ledger.erasures += 1
    ledger.erased = True
    for record_id in ids:
        ledger.unsettled.discard(ledger.added.pop(record_id, -1))
    messages, facts, notes = counts
    return Counts(messages, facts, notes, changes, vectors)


def _rows(connection: apsw.Connection, sql: str, values: dict[str, Any]) -> list[Any]:
    return connection.execute(sql, values).fetchall()


def _delete(connection: apsw.Connection, sql: str, values: dict[str, Any]) -> int:
    connection.execute(sql, values)
    return connection.changes()


def _forget_quotes(connection: apsw.Connection, ledger: Ledger, ids: set[str], values: dict[str, Any]) -> None:
    """Take quotes of erased messages out of the facts that remain, and out of what the log says of those facts."""
    quoting = f"""(select fact from sources where owner = :owner and message in {_LISTED}
                   union select fact from doubts where owner = :owner and message in {_LISTED})"""
    sql = f"""select item, sources, doubted_by from facts where item in
              (select item from items where owner = :owner and id in {quoting})"""
    for item, sources, doubt in _rows(connection, sql, values):
        row = (*without_quotes(sources, doubt, ids), item)
        connection.execute("update facts set sources = ?, doubted_by = ? where item = ?", row)
    sql = f"select number, before, after from changes where owner = :owner and record_id in {quoting}"
    for number, before, after in _rows(connection, sql, values):
        cleaned = (_unquoted(before, ids), _unquoted(after, ids), number)
        connection.execute("update changes set before = ?, after = ? where number = ?", cleaned)


def without_quotes(sources: str, doubt: str | None, ids: set[str]) -> tuple[str, str | None]:
    """What a fact comes from, and what was said against it, as columns without what these messages said."""
    kept = to_json([pair for pair in json.loads(sources) if pair[0] not in ids])
    return kept, doubt if doubt is None or json.loads(doubt)[0] not in ids else None


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


def scrub(connection: apsw.Connection, name: str, texts: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Empty the log, then look for the texts in the files. The -shm file holds page numbers and no content, and to
    open it would drop SQLite's locks: it is not read. A text that a record which was not erased has too is not looked
    for, and not spoken of: whose it is may be a secret."""
    if name == IN_MEMORY:
        return (), ()
    emptied = _clean_words(connection, _beginnings(texts)) and _empty_log(connection)
    found = _scan(connection, texts)
    if found:
        texts = _held_by_none(connection, texts, found)
        found = _scan(connection, texts)
    if found and emptied:
        emptied = _rewrite(connection) and _empty_log(connection)
        found = _scan(connection, texts)
    residue = () if emptied else (f"{name}-wal: {_BLOCKED}",)
    places = [f"{name}{ending}" for ending, pieces in found.items() if pieces]
    return files_of(name), residue + tuple(f"{each}: an erased text is left; run erase again" for each in places)


def files_of(name: str) -> tuple[str, ...]:
    """The files of a store that hold content."""
    return () if name == IN_MEMORY else (name, f"{name}-wal")


def push_out(connection: apsw.Connection) -> bool:
    """Whether all that erases have left could be pushed out of the files, without knowing what it was: whatever the
    word index still shows of no record, and the whole log."""
    return _clean_words(connection, None) and _empty_log(connection)


def _empty_log(connection: apsw.Connection) -> bool:
    """Whether all of the log could be moved into the file and cut off."""
    try:
        busy, _, _ = connection.execute("pragma wal_checkpoint(truncate)").fetchone() or (1, 0, 0)
    except apsw.BusyError:
        return False
    return not busy


def _rewrite(connection: apsw.Connection) -> bool:
    """Write the whole file anew, through a file on disk: it may be larger than memory."""
    connection.execute("pragma temp_store = file")
    try:
        connection.execute("vacuum")
    except apsw.BusyError:
        return False
    finally:
        connection.execute("pragma temp_store = memory")
    return True


def _beginnings(texts: Sequence[str]) -> set[str]:
    """What an upper level of the word index may show of the terms of these texts."""
    erased = {plain_term(term) for text in texts for term in terms(text[:MOST_LETTERS])}
    return {term[:length] for term in erased for length in range(3, len(term) + 1)}


def _clean_words(connection: apsw.Connection, beginnings: set[str] | None) -> bool:
    """Write the word index anew where its upper level still shows the beginning of a term that no record has; None:
    of any term. Secure-delete cleans the leaves; the keys that part one leaf from the next stay as they were."""
    keys = [bytes(key) for (key,) in _rows(connection, "select term from words_idx where term is not null", {})]
    separators = {key[1:].decode(errors="ignore") for key in keys}
    left = [each for each in separators if beginnings is None or each.partition("_")[2] in beginnings]
    try:
        if any(not _begins_a_term(connection, each) for each in left):
            # "optimize" would do nothing where all terms stand in one segment already.
            connection.execute("insert into words (words) values ('rebuild')")
    except apsw.BusyError:
        return False
    return True


def _begins_a_term(connection: apsw.Connection, beginning: str) -> bool:
    sql = "select 1 from postings where term >= :low and term < :high limit 1"
    return connection.execute(sql, {"low": beginning, "high": beginning + chr(0x10FFFF)}).fetchone() is not None


def _scan(connection: apsw.Connection, texts: Sequence[str]) -> dict[str, set[bytes]]:
    """What of the texts stands in the file and in its log. Read through the connection: to open the files a second
    time, and close them, would drop SQLite's locks."""
    needles = Needles(piece for text in texts for piece in pieces_of(text))
    connection.execute("select 1 from owners limit 1").fetchall()  # the log is open once it was read
    found = {
        ending: {piece for chunk in _chunks(connection, which) for piece in needles.within(chunk)}
        for which, ending in ((0, ""), (1, "-wal"))
    }
    return {ending: pieces for ending, pieces in found.items() if pieces}


def _chunks(connection: apsw.Connection, which: int) -> Iterator[bytes]:
    offset = 0
    while True:
        whole, chunk = connection.read("main", which, offset, _CHUNK + PIECE)
        yield chunk if whole else chunk.rstrip(b"\0")
        if not whole:
            return
        offset += _CHUNK


_KEPT = """
select exists (select 1 from messages where instr(content, :text) or instr(raw, :json))
    or exists (select 1 from facts where instr(text, :text) or instr(value, :text) or instr(subject, :text)
               or instr(why, :text) or instr(sources, :json) or instr(doubted_by, :json))
    or exists (select 1 from notes where instr(text, :text) or instr(path, :text))
    or exists (select 1 from changes where instr(before, :json) or instr(after, :json) or instr(why, :text))
    or exists (select 1 from owners where instr(name, :text))
    or exists (select 1 from words where instr(terms, :text))
"""


def _held_by_none(connection: apsw.Connection, texts: Sequence[str], found: dict[str, set[bytes]]) -> list[str]:
    """The texts without those that were found and that a record which was not erased has too."""
    held = set()
    for text in suspects(texts, set().union(*found.values())):
        values = {"text": text, "json": json.dumps(text, ensure_ascii=False)[1:-1]}
        if connection.execute(_KEPT, values).get:
            held.add(text)
    return [text for text in texts if text not in held]
