"""Whether a PostgreSQL server answers, asked on a connection of its own: those of the pool may all be at work."""

from __future__ import annotations

import os
import threading
from contextlib import suppress

import psycopg

from recollect.errors import StoreError
from recollect.store.postgres.connections import Connection, Place

PATIENCE = 2
"""Seconds to wait for a connection; libpq knows no less."""


class Probe:
    """Asks a server whether it is there."""

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
