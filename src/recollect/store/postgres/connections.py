"""Connections to a PostgreSQL store: lent from a pool, renewed after a fault or a fork, errors in our words."""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

import psycopg
from psycopg import Connection as AnyConnection
from psycopg import errors as pg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from recollect.errors import Interrupted, InvalidInput, StoreError
from recollect.store.retry import DamagedRow

Connection = AnyConnection[Any]

OUR_SETTINGS = {"schema": "recollect", "connections": "10", "prepared": "yes", "patience": "15"}
"""What a URL may say about the store itself, beside what libpq understands, and what holds where it does not."""

_ALIVE = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
"""After how long a server that does not answer is given up, where the URL says nothing else: within some ten seconds,
not the quarter of an hour that TCP takes."""

_TAKEN_BACK = (pg.DeadlockDetected, pg.SerializationFailure)
_LOST = (psycopg.OperationalError, psycopg.InterfaceError)
_BAD_INPUT = (psycopg.DataError, pg.ProgramLimitExceeded)


class Place:
    """A URL, taken apart: what libpq gets, what is ours, and a name without its password."""

    def __init__(self, url: str) -> None:
        place, _, query = url.partition("?")
        given = parse_qsl(query, keep_blank_values=True)
        ours = OUR_SETTINGS | {key: value for key, value in given if key in OUR_SETTINGS}
        theirs = urlencode([(key, value) for key, value in given if key not in OUR_SETTINGS], quote_via=quote)
        try:
            settings: dict[str, Any] = conninfo_to_dict(f"{place}?{theirs}" if theirs else place)
        except psycopg.ProgrammingError as error:
            raise InvalidInput(f"this is not the URL of a PostgreSQL database: {error}") from error
        if "," in str(settings.get("host", "")):  # of several servers the one that can be written
            settings.setdefault("target_session_attrs", "read-write")
        for name, value in _ALIVE.items():
            settings.setdefault(name, value)
        settings.setdefault("application_name", "recollect")
        self.conninfo = make_conninfo(**settings)
        self.schema = ours["schema"]
        self.connections = _number(ours, "connections", 1, 1000)
        self.patience = _number(ours, "patience", 0, 3600)
        self.prepared = ours["prepared"].lower() not in ("no", "off", "false", "0")
        host, port = settings.get("host", "localhost"), settings.get("port", "")
        database = settings.get("dbname", "")
        self.name = f"postgresql://{host}{f':{port}' if port else ''}/{database}?schema={self.schema}"


def _number(settings: dict[str, str], key: str, low: int, high: int) -> int:
    value = settings[key]
    if not value.isdigit() or not low <= int(value) <= high:
        raise InvalidInput(f"{key}={value!r} in the URL must be a whole number from {low} to {high}")
    return int(value)


class Connections:
    """Lends connections from a pool; a forked child has a pool of its own."""

    def __init__(self, place: Place, configure: Callable[[Connection], None]) -> None:
        self.place = place
        self._configure = configure
        self._closed = False
        self._open()

    def _open(self) -> None:
        self._process = os.getpid()
        self._pool: ConnectionPool[Connection] = ConnectionPool(
            self.place.conninfo,
            min_size=0,
            max_size=self.place.connections,
            kwargs={"autocommit": True, "prepare_threshold": 5 if self.place.prepared else None},
            configure=self._configure,
            max_idle=300,
            reconnect_timeout=self.place.patience or 1,
            open=True,
        )
        weakref.finalize(self, self._pool.close, 1)

    def lend(self) -> Connection:
        """A connection for this thread alone, until it is given back."""
        if self._closed:
            raise StoreError(f"{self.place.name!r} is closed: open the memory again to go on")
        if os.getpid() != self._process:
            _left_to_parent.append(self._pool)
            self._open()
        try:
            return self._pool.getconn(timeout=max(1, self.place.patience))
        except PoolClosed as error:
            raise StoreError(f"{self.place.name!r} is closed: open the memory again to go on") from error
        except PoolTimeout as error:
            raise self._without_connection() from error

    def _without_connection(self) -> StoreError:
        """Why there was none: the server can't be reached, or all are in use. Not `Interrupted`, after which a verb is
        done again: patience is at its end."""
        try:
            psycopg.connect(self.place.conninfo).close()
        except psycopg.Error as error:
            return StoreError(f"{self.place.name!r} can't be reached: start the server, or check the URL ({error})")
        return StoreError(
            f"all {self.place.connections} connections to {self.place.name!r} are in use for too long: "
            "try again, or allow more with ?connections= in the URL"
        )

    def give_back(self, connection: Connection) -> None:
        """Keep a connection for the next call; one that is broken is not used again."""
        if os.getpid() == self._process:
            self._pool.putconn(connection)

    def close(self) -> None:
        self._closed = True
        if os.getpid() == self._process:
            self._pool.close()


_left_to_parent: list[object] = []
"""Pools of a parent process: to close them here would close the parent's connections."""


def connect(place: Place) -> Connection:
    """One connection outside the pool, tried again while the server may be starting."""
    deadline = time.monotonic() + place.patience
    while True:
        try:
            return psycopg.connect(place.conninfo, autocommit=True)
        except psycopg.OperationalError as error:
            if time.monotonic() > deadline or _hopeless(error):
                raise StoreError(
                    f"{place.name!r} can't be opened: start the server, or check the URL ({error})"
                ) from error
            time.sleep(0.2)


def _hopeless(error: psycopg.OperationalError) -> bool:
    """Whether trying again can't help: a wrong password, a database that is not there, a name without address."""
    told = str(error)
    return any(
        words in told for words in ("authentication failed", "does not exist", "could not translate", "no pg_hba")
    )


def lost(connection: Connection, error: BaseException) -> bool:
    """Whether an error means that the connection, or the server behind it, is of no more use for writing."""
    if isinstance(error, pg.ReadOnlySqlTransaction):
        connection.close()  # the primary has become a replica: the next connection goes to the new one
        return True
    return isinstance(error, _LOST) and (connection.closed or connection.broken)


@contextmanager
def translated(name: str, connection: Connection | None = None) -> Iterator[None]:
    """Turn what PostgreSQL raises into our errors, which say what happened to which store and what to do."""
    try:
        yield
    except psycopg.Error as error:
        raise _translation(name, connection, error) from error
    except DamagedRow as error:
        raise StoreError(f"{name!r} is damaged: restore a backup of the server ({error})") from error
    except UnicodeEncodeError as error:
        raise InvalidInput(f"a text holds half a character (a lone surrogate) and can't be kept: {error}") from error


def _translation(name: str, connection: Connection | None, error: psycopg.Error) -> StoreError | InvalidInput:
    if isinstance(error, _TAKEN_BACK):
        return Interrupted(f"{name!r} took a write back because of another one: try again ({error})")
    if connection is not None and lost(connection, error):
        return Interrupted(f"the connection to {name!r} was lost: nothing of this call was kept; try again ({error})")
    if isinstance(error, _BAD_INPUT):
        return InvalidInput(f"{name!r} can't keep this: {error}")
    for kinds, what in _EXPLANATIONS:
        if isinstance(error, kinds):
            return StoreError(f"{name!r} {what} (PostgreSQL says: {error})")
    return StoreError(f"{name!r} could not be used: {error}")


_EXPLANATIONS: tuple[tuple[tuple[type[psycopg.Error], ...], str], ...] = (
    ((pg.LockNotAvailable,), "is being written by another process for too long: wait for it to end and try again"),
    ((pg.DiskFull, pg.InsufficientResources), "can't grow: nothing of this write was kept; make room and try again"),
    ((pg.InsufficientPrivilege,), "may not be used that way: give this role the right to, or use another"),
    (
        (pg.InvalidSqlStatementName, pg.DuplicatePreparedStatement),
        "is behind a pooler that loses prepared statements: add prepared=no to the URL, or let it keep them "
        "(max_prepared_statements in pgbouncer 1.21 and newer)",
    ),
    ((pg.UndefinedTable, pg.InvalidSchemaName), "was removed while it was open: open it again"),
)


PATIENCE = 2
"""Seconds to wait for a connection; libpq knows no less."""


class Probe:
    """Asks a server whether it is there, on a connection of its own: those of the pool may all be at work."""

    def __init__(self, place: Place) -> None:
        self._place, self._lock = place, threading.Lock()
        self._connection: Connection | None = None
        self._process = os.getpid()

    def ask(self) -> None:
        """Raise StoreError unless the server answers; a connection that broke since the last time is made anew."""
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                with suppress(psycopg.Error):
                    self._connection.execute("select 1")
                    return
                self._connection.close()
            try:
                self._connection, self._process = self._connect(), os.getpid()
                self._connection.execute("select 1")
            except psycopg.Error as error:
                self._connection = None
                raise StoreError(f"{self._place.name!r} can't be reached: start the server ({error})") from error

    def _connect(self) -> Connection:
        return psycopg.connect(self._place.conninfo, autocommit=True, connect_timeout=PATIENCE)

    def close(self) -> None:
        if self._connection is not None and self._process == os.getpid():
            self._connection.close()
