"""The vectors of each embedder that an owner's records have, in a SQLite store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import apsw
import numpy as np
import numpy.typing as npt

from recollect.serialize import to_json
from recollect.store.owner_counters import Transaction
from recollect.store.packing import unpacked

_COUNTED = """
select models.name, count(*) from vectors join models on models.number = vectors.model
where vectors.owner = (select number from owners where name = :owner) group by models.name order by models.name
"""
_READ = """
select items.id, vectors.vector from items join vectors on vectors.owner = items.owner and vectors.item = items.item
where items.owner = (select number from owners where name = :owner)
and items.id in (select value from json_each(:ids)) and vectors.model = (select number from models where name = :model)
"""


def counted(connection: apsw.Connection, owner: str) -> dict[str, int]:
    """How many vectors there are of each fingerprint."""
    rows: list[Any] = connection.execute(_COUNTED, {"owner": owner}).fetchall()
    return dict(rows)


def read(connection: apsw.Connection, owner: str, model: str, ids: Sequence[str]) -> dict[str, npt.NDArray[np.float32]]:
    """The vectors of these records that have one, of length one; all zero where the text had nothing to embed."""
    rows: list[Any] = connection.execute(_READ, {"owner": owner, "model": model, "ids": to_json(list(ids))}).fetchall()
    return {record_id: unpacked([content], len(content) - 4)[0] for record_id, content in rows}


def drop(transaction: Transaction, owner: str, model: str) -> int:
    """Forget all vectors of one fingerprint."""
    ledger = transaction.ledger(owner)
    sql = "delete from vectors where owner = :owner and model = (select number from models where name = :model)"
    transaction.connection.execute(sql, {"owner": ledger.number, "model": model})
    ledger.erasures += 1  # an index elsewhere must forget them too
    return transaction.connection.changes()
