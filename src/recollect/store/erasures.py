"""What a SQLite store keeps of erases: a row of numbers for each, until its receipt can't be wanted any more."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import apsw

from recollect.store import Counts, Erased
from recollect.store.sql import micros, moment

KEPT = 7 * 86_400 * 1_000_000
"""For how long a receipt can be had again, in microseconds."""

UNFINISHED, FINISHED, SCANNED, HELD = range(4)

SAVE = """
insert or replace into erasures (request, at, state, messages, facts, notes, changes, vectors)
values (:request, :at, 0, :messages, :facts, :notes, :changes, :vectors)
"""
READ = "select at, state, messages, facts, notes, changes, vectors from erasures where request = :request"
EXPIRE = f"delete from erasures where state > 0 and at < :at - {KEPT}"


def values_of(request: str, at: datetime, counts: Counts) -> dict[str, object]:
    """The row of an erase, by column."""
    kinds = {name: getattr(counts, name) for name in ("messages", "facts", "notes", "changes", "vectors")}
    return {"request": request, "at": micros(at), **kinds}


def save(connection: apsw.Connection, request: str, at: datetime, counts: Counts) -> None:
    """Keep the numbers of an erase whose words may still stand in the files."""
    values = values_of(request, at, counts)
    connection.execute(SAVE, values)
    connection.execute(EXPIRE, {"at": values["at"]})


def read(connection: apsw.Connection, request: str, files: Sequence[str]) -> Erased | None:
    """What became of an erase; `files`: those that a scan looks through."""
    row = connection.execute(READ, {"request": request}).fetchone()
    return None if row is None else erased_from(row, files)


def erased_from(row: Sequence[int], files: Sequence[str]) -> Erased:
    at, state, *counts = row
    scanned = tuple(files) if state >= SCANNED else ()
    return Erased(Counts(*counts), moment(at), state != UNFINISHED, scanned, state == HELD)


def unfinished(connection: apsw.Connection) -> list[str]:
    """The requests of erases whose words may still stand in the files."""
    return [request for (request,) in connection.execute("select request from erasures where state = 0")]


def finish(connection: apsw.Connection, requests: Sequence[str], *, scanned: bool, held: bool = False) -> None:
    """Take note that the words of these erases are gone from the files, but where other records held them."""
    state = (HELD if held else SCANNED) if scanned else FINISHED
    sql = "update erasures set state = :state where request = :request and state < :state"
    connection.executemany(sql, [{"state": state, "request": request} for request in requests])
