"""The schema of a SQLite store, its version, and the way from one version to the next."""

from __future__ import annotations

from pathlib import Path

import apsw

from recollect.errors import StoreError
from recollect.store.steps import steps_of

APPLICATION = 0x5265636C
"""Marks a SQLite file as ours ("Recl")."""

SCHEMA = 8
"""The present version: how many steps there are."""

STEPS = Path(__file__).with_name("schema.sql")


def migrate(connection: apsw.Connection) -> None:
    """Bring an empty or older store to the present schema, all or nothing."""
    connection.execute("begin immediate")
    try:
        version = connection.execute("pragma user_version").get
        if version == 1:
            _refuse_draft(connection)
        for step in steps_of(STEPS)[version:]:
            connection.execute(step)
        connection.execute(f"pragma application_id = {APPLICATION}; pragma user_version = {SCHEMA}")
        connection.execute("commit")
    except BaseException:
        if connection.in_transaction:
            connection.execute("rollback")
        raise


def _refuse_draft(connection: apsw.Connection) -> None:
    """Stores of the first days of version 1 had other columns, and no release ever wrote one."""
    if not connection.execute("select 1 from pragma_table_info('owners') where name = 'naming'").fetchone():
        raise StoreError(
            f"{connection.filename!r} was made before 0.1.0 was released, and can't be read by it: it was left as it "
            "is; export each owner with the version that made it, and import that"
        )
