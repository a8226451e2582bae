"""Looking after a SQLite store: pushing what was erased out of its files and looking for it there, what is wrong with
it, and a copy of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import apsw
import numpy as np
import numpy.typing as npt

from recollect.errors import StoreError
from recollect.store.atomic import new_file
from recollect.store.reading import FINISHED, HELD, SCANNED
from recollect.store.rows import MOST_LETTERS, OWNER_BITS, plain_term
from recollect.store.sql_store import FAULTS
from recollect.store.sqlite.files import IN_MEMORY, cannot_be_read, files_of
from recollect.text.words import terms

_CHUNK = 2**20
_BLOCKED = "another process is reading, so that its log could not be emptied: run erase again when it has ended"

SHORTEST = 6
"""Texts of fewer bytes are not looked for: they stand in any file by chance."""

PIECE, _MOST_PIECES = 48, 64
_BITS = 20


def pieces_of(text: str) -> Iterator[bytes]:
    """What to look for: the text as it is and as JSON has it; of a long one pieces, since a page may end anywhere."""
    for form in {text, json.dumps(text, ensure_ascii=False)[1:-1]}:
        content = form.encode(errors="surrogatepass")
        if len(content) < SHORTEST:
            continue
        step = max(PIECE, len(content) // _MOST_PIECES)
        for start in range(0, max(1, len(content) - PIECE + 1), step):
            yield content[start : start + PIECE]


class Needles:
    """Pieces of bytes to look for. What each costs is little: a table tells where any of them might begin."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._by_start: dict[bytes, list[bytes]] = {}
        for piece in set(pieces):
            self._by_start.setdefault(piece[:SHORTEST], []).append(piece)
        self._table = np.zeros(2**_BITS, dtype=np.bool_)
        for start in self._by_start:
            self._table[_marks(start[:4])] = True

    def within(self, chunk: bytes) -> set[bytes]:
        """Those that stand in the chunk as a whole."""
        if len(chunk) < SHORTEST or not self._by_start:
            return set()
        found = set()
        for place in np.flatnonzero(self._table[_marks(chunk)]).tolist():
            for piece in self._by_start.get(chunk[place : place + SHORTEST], ()):
                if chunk.startswith(piece, place):
                    found.add(piece)
        return found


def _marks(chunk: bytes) -> npt.NDArray[np.uint32]:
    """A small number for each four bytes in a row, the same wherever they stand."""
    numbers = np.frombuffer(chunk, dtype=np.uint8).astype(np.uint32)
    words = numbers[:-3] | numbers[1:-2] << 8 | numbers[2:-1] << 16 | numbers[3:] << 24
    marks: npt.NDArray[np.uint32] = (words * np.uint32(2654435761)) >> np.uint32(32 - _BITS)
    return marks


def suspects(texts: Sequence[str], found: set[bytes]) -> list[str]:
    """Those of the texts of which a piece was found."""
    return [text for text in texts if not found.isdisjoint(pieces_of(text))]


def unfinished(connection: apsw.Connection) -> list[str]:
    """The requests of erases whose words may still stand in the files."""
    return [request for (request,) in connection.execute("select request from erasures where state = 0")]


def finish(connection: apsw.Connection, requests: Sequence[str], *, scanned: bool, held: bool = False) -> None:
    """Take note that the words of these erases are gone from the files, but where other records held them."""
    state = (HELD if held else SCANNED) if scanned else FINISHED
    sql = "update erasures set state = :state where request = :request and state < :state"
    connection.executemany(sql, [{"state": state, "request": request} for request in requests])


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
    keys = [bytes(key) for (key,) in connection.execute("select term from words_idx where term is not null")]
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


_FAULTS = FAULTS | {
    "records can't be found by words": (
        "select count(*) from items where length and item not in (select rowid from words)"
    ),
    "words have no record": "select count(*) from words where rowid not in (select item from items)",
    "tokens have no vector": "select count(*) from tokens where number not in (select number from vectors)",
    "records have a number outside their owner's": f"""
        select (select count(*) from items where item >> {OWNER_BITS} <> owner)
             + (select count(*) from changes where number >> {OWNER_BITS} <> owner)
             + (select count(*) from vectors where number >> {OWNER_BITS} <> owner)""",
    "owners have counters that are behind their records": f"""
        select count(*) from owners where number << {OWNER_BITS} | items <
           (select max(item) from items where owner = owners.number)
        or number << {OWNER_BITS} | changes < (select max(number) from changes c where c.owner = owners.number)
        or number << {OWNER_BITS} | vectors < (select max(number) from vectors v where v.owner = owners.number)
        or version < (select max(touched) from items where owner = owners.number)""",
}


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
    for what, sql in _FAULTS.items():
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
