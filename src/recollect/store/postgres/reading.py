"""Reading from a PostgreSQL store: the statements of the SQLite store, in PostgreSQL's words."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from recollect.store.conditions import LISTED, OF_IDS, Bound, ids_json
from recollect.store.postgres.vectors import from_binary
from recollect.store.postgres.writing import dim_of, given, held, held_text, key_of
from recollect.store.reading import VECTORS, Reader

_LISTED = re.compile(r"in \(select value from json_each\(:(\w+)\)\)")
_NAMED = re.compile(r"(?<!:):(\w+)")
_SPAN = re.compile(r"\b(item|number) between :first and :last_number\b")
_HINT = re.compile(r" indexed by \w+")


@lru_cache(maxsize=1000)
def adapted(sql: str) -> tuple[str, tuple[str, ...]]:
    """A statement as PostgreSQL takes it, and which of its values are lists. Numbers of items are an owner's own here,
    so that every statement must ask for the owner."""
    lists = tuple(_LISTED.findall(sql))
    sql = _HINT.sub("", sql).replace(" where ", " where owner = :owner and ", 1).replace("in ()", "in (null)")
    sql = _SPAN.sub("owner = :owner", sql)
    sql = _LISTED.sub(r"= any(%(\1)s)", sql)
    return _NAMED.sub(r"%(\1)s", sql), lists


class PostgresReader(Reader):
    """One owner's rows, through one connection."""

    KEY = ("owner",)
    DELETE_WORDS = f"delete from words where item in ({OF_IDS})"
    DELETE_SOURCES = f"delete from sources where fact in {LISTED}"
    WITH_WORDS = """item in (
        select item from words join facts using (owner, item)
        where owner = :owner and term in (select value from json_each(:terms))
        group by item having count(*) = :many order by item desc limit :limit
    )"""
    TOKENS = f"""
    select items.id, tokens from items join vectors using (owner, item)
    where model = (select number from models where name = :model) and tokens is not null and items.id in {LISTED}
    """

    def __init__(self, connection: Any, owner: str) -> None:
        super().__init__(connection, owner, key_of(owner))

    @property
    def hashed(self) -> Any:
        return self.number

    def _asked(self, terms: Sequence[str]) -> Bound:
        return {"terms": ids_json(terms), "many": len(terms)}

    def _run(self, sql: str, values: Bound, *, binary: bool = False) -> Any:
        statement, lists = adapted(sql)
        values = held(values | {name: [held_text(one) for one in json.loads(values[name])] for name in lists})
        return self.connection.execute(statement, values, binary=binary)

    def rows(self, sql: str, values: Bound) -> list[Any]:
        return [given(row) for row in self._run(sql, values).fetchall()]

    def changed(self, sql: str, values: Bound) -> int:
        many: int = self._run(sql, values).rowcount
        return many

    def tokens(self, model: str, ids: Sequence[str]) -> dict[str, bytes]:
        rows = self._run(self.TOKENS, self.bounds | {"model": model, "ids": ids_json(ids)}, binary=True).fetchall()
        return {record_id: bytes(packed) for record_id, packed in map(given, rows)}

    def vectors(self, model: str, ids: Sequence[str]) -> dict[str, npt.NDArray[np.float32]]:
        rows = self._run(VECTORS, self.bounds | {"model": model, "ids": ids_json(ids)}, binary=True).fetchall()
        blank: npt.NDArray[np.float32] = np.zeros(dim_of(self.connection, model) or 1, dtype=np.float32)
        return {one: blank if content is None else from_binary(content) for one, content in map(given, rows)}
