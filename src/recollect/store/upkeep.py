"""Looking after a SQLite store: what is wrong with it, and a copy of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from recollect.errors import InvalidInput, StoreError
from recollect.store.atomic import atomic_file
from recollect.store.files import cannot_be_read
from recollect.store.owner_counters import OWNER_BITS

UNFINISHED = (
    "erases were broken off, so that their words may still stand in the files: end other processes that read, and open "
    "the store again"
)
_FAULTS = (
    (UNFINISHED, "select count(*) from erasures where state = 0"),
    (
        "records are not in the index of items",
        """select (select count(*) from messages where item not in (select item from items))
                + (select count(*) from facts where item not in (select item from items))
                + (select count(*) from notes where item not in (select item from items))""",
    ),
    (
        "items have no record",
        """select count(*) from items where item not in (select item from messages)
           and item not in (select item from facts) and item not in (select item from notes)""",
    ),
    (
        "records can't be found by words",
        "select count(*) from items where length and item not in (select rowid from words)",
    ),
    ("words have no record", "select count(*) from words where rowid not in (select item from items)"),
    (
        "quotes are of no fact",
        """select count(*) from sources where not exists
           (select 1 from items where items.owner = sources.owner and items.id = sources.fact)""",
    ),
    ("vectors have no record", "select count(*) from vectors where item not in (select item from items)"),
    ("tokens have no vector", "select count(*) from tokens where number not in (select number from vectors)"),
    (
        "records have a number outside their owner's",
        f"""select (select count(*) from items where item >> {OWNER_BITS} <> owner)
                 + (select count(*) from changes where number >> {OWNER_BITS} <> owner)
                 + (select count(*) from vectors where number >> {OWNER_BITS} <> owner)""",
    ),
    (
        "owners have counters that are behind their records",
        f"""select count(*) from owners where number << {OWNER_BITS} | items <
              (select max(item) from items where owner = owners.number)
           or number << {OWNER_BITS} | changes < (select max(number) from changes c where c.owner = owners.number)
           or number << {OWNER_BITS} | vectors < (select max(number) from vectors v where v.owner = owners.number)
           or version < (select max(touched) from items where owner = owners.number)""",
    ),
)


def check(connection: apsw.Connection) -> list[str]:
    """What is wrong, in words. What is wrong at the first look only was a bad read."""
    if not _look_over(connection) or not (problems := _look_over(connection)):
        return []
    if cannot_be_read(connection):
        return ["the file could not be read from the disk: check the disk and its cables"]
    return problems


def _look_over(connection: apsw.Connection) -> list[str]:
    try:
        return _faults(connection)
    except apsw.CorruptError as error:
        return [f"the file is damaged: {error}"]
    except UnicodeDecodeError as error:
        return [f"the file is damaged: a text in it is none ({error})"]


def _faults(connection: apsw.Connection) -> list[str]:
    problems = [f"the file is damaged: {line}" for (line,) in connection.execute("pragma quick_check") if line != "ok"]
    if problems:
        return problems
    lost = connection.execute("pragma foreign_key_check").fetchall()
    problems += [f"a row refers to nothing: table {table}" for table, *_ in lost]
    for what, sql in _FAULTS:
        count = connection.execute(sql).get
        if count:
            problems.append(f"{count} {what}")
    return problems + _word_faults(connection)


def _word_faults(connection: apsw.Connection) -> list[str]:
    if connection.readonly("main"):
        return []  # the check of the word index is a statement that writes nothing but needs the right to
    try:
        connection.execute("insert into words (words) values ('integrity-check')")
    except apsw.CorruptError as error:
        return [f"the word index is damaged: {error}"]
    return []


@contextmanager
def new_file(path: Path) -> Iterator[str]:
    """Where to write what is to stand at this path, which must be free."""
    target = os.path.abspath(path)
    if os.path.lexists(target):
        raise InvalidInput(f"{target!r} is there already: pass the name of a new file")
    try:
        with atomic_file(target) as part:
            yield part
    except OSError as error:
        raise StoreError(f"{target!r} can't be written: {error.strerror or error}") from error


def backup(connection: apsw.Connection, path: Path) -> None:
    """Copy the whole store to a new file and look the copy over."""
    with new_file(path) as part:
        _copy(connection, part)


def _copy(connection: apsw.Connection, target: str) -> None:
    copy = apsw.Connection(target, flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        copy.execute("pragma synchronous = full")
        with copy.backup("main", connection, "main") as work:
            while not work.done:
                work.step(-1)
        faults = check(copy)
        if faults:
            raise StoreError(f"the copy is not sound and was removed: {faults[0]}")
    finally:
        copy.close()
