"""The file of a SQLite store: where it is, whether it is ours, and a connection to it with the right settings."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path

import apsw
import platformdirs

from recollect.errors import InvalidInput, StoreError
from recollect.store.atomic import create_private
from recollect.store.retry import DamagedRow, DiskFault, retry
from recollect.store.sqlite.schema import APPLICATION, SCHEMA, migrate

IN_MEMORY = ":memory:"

_OLDEST_SQLITE = (3, 54, 0)
_MAGIC = b"SQLite format 3\x00"
_READ_WRITE = apsw.SQLITE_OPEN_READWRITE  # without URI, so that a name with ? # % is only a name
_SETTINGS = (
    (apsw.SQLITE_DBCONFIG_DEFENSIVE, 1),
    (apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
    (apsw.SQLITE_DBCONFIG_DQS_DML, 0),
    (apsw.SQLITE_DBCONFIG_DQS_DDL, 0),
    (apsw.SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
    (apsw.SQLITE_DBCONFIG_ENABLE_FKEY, 1),
    # Without it a statement is planned anew each time that a value is bound: ten times what most of ours take.
    (apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1),
)
_PRAGMAS = """
pragma synchronous = full; pragma secure_delete = on; pragma mmap_size = 0; pragma temp_store = memory;
pragma wal_autocheckpoint = 1000; pragma journal_size_limit = 8388608; pragma cache_size = -8000
"""


def default_path() -> Path:
    """The file in the user's data directory, or what RECOLLECT_DB names."""
    named = os.environ.get("RECOLLECT_DB", "")
    _refuse_url(named)
    path = Path(named).expanduser() if named else platformdirs.user_data_path("recollect") / "memory.db"
    make_directory(path.absolute().parent)
    return path


def check_sqlite(version: str) -> None:
    """Refuse an SQLite with known faults in what we rely on: the WAL race, FTS5 secure-delete."""
    if tuple(int(part) for part in version.split(".")[:3]) < _OLDEST_SQLITE:
        raise StoreError(f"SQLite {version} is too old to keep data safely: run `pip install -U 'apsw>=3.54.1'`")


def located(where: str | Path) -> str:
    """The place as one full name: ":memory:", or an absolute path with links followed."""
    if str(where) == IN_MEMORY:
        return IN_MEMORY
    name = os.fspath(where)
    _refuse_url(name)
    if not name or "\0" in name:
        raise InvalidInput(f"{name!r} is not a path: pass the name of a file, or ':memory:'")
    try:
        name.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput(f"{name!r} can't be used as a path: it is not valid Unicode") from error
    return os.path.realpath(os.path.expanduser(name))


def _refuse_url(name: str) -> None:
    """Refuse what is no path: it may hold a password, which must not become the name of a directory."""
    scheme, found, _ = name.partition("://")
    if found:
        raise InvalidInput(f"{scheme}:// is no store: pass a path, or a URL that begins with postgresql://")


def files_of(name: str) -> tuple[str, ...]:
    """The files of a store that hold content."""
    return () if name == IN_MEMORY else (name, f"{name}-wal")


def translation(
    name: str, error: BaseException, connection: apsw.Connection | None = None
) -> StoreError | InvalidInput | None:
    """Our error for one of SQLite's; None for any other. `connection`: where it was met, so that a disk that can't be
    read is told from a file that is damaged."""
    if isinstance(error, apsw.Error):
        return _explained(name, error, connection)
    if isinstance(error, DamagedRow):
        return DiskFault(f"{name!r} {_DAMAGED} ({error})")
    if isinstance(error, UnicodeEncodeError):
        return InvalidInput(f"a text holds half a character (a lone surrogate) and can't be kept: {error}")
    if isinstance(error, OverflowError):
        return InvalidInput(f"a number is too large to be kept: {error}")
    return None


def _explained(name: str, error: apsw.Error, connection: apsw.Connection | None) -> StoreError | InvalidInput:
    if isinstance(error, apsw.TooBigError):
        return InvalidInput(f"a text is too long to be kept in {name!r}: {error}")
    if isinstance(error, apsw.CorruptError | apsw.NotADBError):
        what = _UNREADABLE if connection is not None and cannot_be_read(connection) else _DAMAGED
        return DiskFault(f"{name!r} {what} (SQLite says: {error})")
    if isinstance(error, apsw.IOError):
        what = _UNREADABLE if getattr(error, "extendedresult", 0) in _READ_FAULTS else _UNWRITABLE
        return DiskFault(f"{name!r} {what} (SQLite says: {error})")
    for kinds, what in _EXPLANATIONS:
        if isinstance(error, kinds):
            return StoreError(f"{name!r} {what} (SQLite says: {error})")
    return StoreError(f"{name!r} could not be used: check it with `recollect doctor` (SQLite says: {error})")


def cannot_be_read(connection: apsw.Connection) -> bool:
    """Whether the disk fails to give the bytes of the file: SQLite calls that damage too. The connection reads, since
    to open the file a second time, and close it, would drop SQLite's locks."""
    offset, whole = 0, True
    try:
        while whole and offset < _MOST_LOOKED_AT:
            whole, _ = connection.read("main", 0, offset, _AT_ONCE)
            offset += _AT_ONCE
    except apsw.IOError:
        return True
    except apsw.Error:
        return False  # closed, or busy: what was said first stands
    return False


_AT_ONCE, _MOST_LOOKED_AT = 2**20, 2**28
_READ_FAULTS = frozenset(
    (apsw.SQLITE_IOERR_READ, apsw.SQLITE_IOERR_SHORT_READ, apsw.SQLITE_IOERR_CORRUPTFS, apsw.SQLITE_IOERR_FSTAT)
)
_UNREADABLE = "could not be read from the disk: nothing was changed; check the disk and its cables, and try again"
_UNWRITABLE = "could not be read or written: nothing of this write was kept; check the disk and try again"
_DAMAGED = "is damaged: leave it as it is, work on a copy, and restore the last backup (`recollect backup` makes them)"
_EXPLANATIONS: tuple[tuple[tuple[type[apsw.Error], ...], str], ...] = (
    (
        (apsw.BusyError, apsw.LockedError),
        "is being written by another process for too long: wait for it to end, or stop it, and try again",
    ),
    ((apsw.FullError,), "can't grow, the disk is full: nothing of this write was kept; make room and try again"),
    ((apsw.ReadOnlyError, apsw.PermissionsError), "can only be read: make the file and its directory writable"),
    (
        (apsw.CantOpenError,),
        "can't be opened: SQLite must be able to write in its directory, even to read; copy it to one that is writable",
    ),
)


def make_directory(directory: Path) -> None:
    """Create a directory, and those above it that are missing, for this user alone."""
    missing = [each for each in (directory, *directory.parents) if not each.exists()]
    for each in reversed(missing):
        try:
            each.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise StoreError(f"the directory {str(each)!r} can't be created: {error.strerror}") from error


def open_file(path: str, busy: float) -> apsw.Connection:
    """A connection to the store at this path, which is created where there is none. What is not ours is left alone."""
    if not os.path.lexists(path):
        _create_empty(path)
    return retry(lambda: _opened(path, busy))


def _opened(path: str, busy: float) -> apsw.Connection:
    status = _refuse_odd_files(path)
    connection = None
    try:
        connection = apsw.Connection(path, flags=_READ_WRITE)
        connection.set_busy_timeout(round(busy * 1000))
        _refuse_foreign(connection, path, status.st_size)
        _prepare(connection, busy)
    except BaseException as error:
        ours = translation(path, error, connection)
        if connection is not None:
            connection.close()
        if ours is not None:
            raise ours from error
        raise
    return connection


def open_memory() -> apsw.Connection:
    """A connection to a store that lives as long as it."""
    connection = apsw.Connection(IN_MEMORY)
    _settle(connection)
    migrate(connection)
    return connection


def _create_empty(path: str) -> None:
    make_directory(Path(path).parent)
    try:
        create_private(path)
    except FileExistsError:
        pass  # another process was quicker; the file is looked at next like any other
    except OSError as error:
        raise StoreError(f"{path!r} can't be created: {error.strerror}") from error


def _refuse_odd_files(path: str) -> os.stat_result:
    try:
        status = os.stat(path)
    except OSError as error:
        raise StoreError(f"{path!r} can't be opened: {error.strerror}") from error
    if stat.S_ISDIR(status.st_mode):
        raise StoreError(f"{path!r} is a directory: pass the name of a file in it, such as 'memory.db'")
    if not stat.S_ISREG(status.st_mode):
        raise StoreError(f"{path!r} is not a regular file: pass the name of one")
    if status.st_nlink > 1:
        raise StoreError(
            f"{path!r} has {status.st_nlink} names (hard links), which breaks SQLite's locks: copy it to one of its own"
        )
    return status


def _refuse_foreign(connection: apsw.Connection, path: str, size: int) -> None:
    """Look at the first bytes, through the connection: opening the file a second time would drop SQLite's locks."""
    if size == 0:
        if _size(path + "-wal"):
            raise StoreError(f"{path!r} is empty but {path + '-wal'!r} is not: the file was cut; restore a backup")
        return
    header = _header(connection)
    if not header.startswith(_MAGIC):
        raise StoreError(f"{path!r} is not a memory store: it was left as it is; pass the name of another file")
    if int.from_bytes(header[68:72], "big") != APPLICATION:
        raise StoreError(
            f"{path!r} is a database of another application: it was left as it is; pass the name of another file"
        )
    version = int.from_bytes(header[60:64], "big")
    if version > SCHEMA:
        raise StoreError(
            f"{path!r} has schema {version}, this version knows {SCHEMA}: run `pip install -U recollect` to open it"
        )
    # Twice, since between the header and the size another process may have made the file larger, or smaller.
    if _is_cut(_header(connection), path) and _is_cut(_header(connection), path):
        raise StoreError(f"{path!r} was cut short: it was left as it is; restore the last backup")


def _header(connection: apsw.Connection) -> bytes:
    header: bytes = connection.read("main", 0, 0, 100)[1]
    return header


def _is_cut(header: bytes, path: str) -> bool:
    """Whether a file is shorter than its header says, which must have been read before: what another process writes is
    in its log until the file has grown."""
    if _size(path + "-wal") or _size(path + "-journal"):
        return False  # the rest may be there; SQLite puts it together, or finds out
    page = int.from_bytes(header[16:18], "big") or 1
    page = 65536 if page == 1 else page
    return _size(path) < int.from_bytes(header[28:32], "big") * page


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _settle(connection: apsw.Connection) -> None:
    for setting, value in _SETTINGS:
        connection.config(setting, value)
    connection.execute(_PRAGMAS).fetchall()  # some answer with a row, and the next waits until it was read


def _prepare(connection: apsw.Connection, busy: float) -> None:
    _settle(connection)
    if connection.execute("pragma user_version").get < SCHEMA:
        migrate(connection)
    if not connection.readonly("main") and connection.execute("pragma journal_mode").get != "wal":
        _use_log(connection, time.monotonic() + busy)


def _use_log(connection: apsw.Connection, deadline: float) -> None:
    """Switch to WAL. Two processes that create a store together may get in each other's way here without waiting."""
    while True:
        try:
            connection.execute("pragma journal_mode = wal")
            return
        except apsw.BusyError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)
