"""The vectors of each embedder that an owner's records have, in a PostgreSQL store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from psycopg import Connection

from recollect.store.postgres.vectors import from_binary
from recollect.store.postgres.writing import Transaction, dim_of, key_of, number_of


def counted(connection: Connection[Any], owner: str) -> dict[str, int]:
    """How many vectors there are of each fingerprint."""
    sql = """select models.name, count(*) from vectors join models on models.number = vectors.model
             where vectors.owner = %s group by models.name order by models.name"""
    return dict(connection.execute(sql, [key_of(owner)]).fetchall())


def read(connection: Connection[Any], owner: str, model: str, ids: Sequence[str]) -> dict[str, npt.NDArray[np.float32]]:
    """The vectors of these records that have one; all zero where the text had nothing to embed."""
    sql = """select items.id, vector from items join vectors using (owner, item)
             where owner = %s and model = %s and items.id = any(%s)"""
    rows = connection.execute(sql, [key_of(owner), number_of(model), list(ids)], binary=True).fetchall()
    blank = np.zeros(dim_of(connection, model) or 1, dtype=np.float32)
    return {record_id: blank if content is None else from_binary(content) for record_id, content in rows}


def tokens(connection: Connection[Any], owner: str, model: str, ids: Sequence[str]) -> dict[str, bytes]:
    """What was kept beside the vectors of these records."""
    sql = """select items.id, tokens from items join vectors using (owner, item)
             where owner = %s and model = %s and items.id = any(%s) and tokens is not null"""
    rows = connection.execute(sql, [key_of(owner), number_of(model), list(ids)], binary=True).fetchall()
    return {record_id: bytes(packed) for record_id, packed in rows}


def drop(transaction: Transaction, owner: str, model: str) -> int:
    """Forget all vectors of one fingerprint."""
    ledger = transaction.ledger(owner)
    ledger.touched = True
    sql = "delete from vectors where owner = %s and model = %s"
    return transaction.connection.execute(sql, [ledger.key, number_of(model)]).rowcount
