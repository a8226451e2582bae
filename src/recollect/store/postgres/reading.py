"""Reading from a PostgreSQL store: the statements of the SQLite store, in PostgreSQL's words."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from psycopg import Connection

from recollect.records import Fact, Message
from recollect.serialize import to_json
from recollect.store import Counts
from recollect.store.postgres.writing import given, held, held_text, key_of, number_of
from recollect.store.reading import Reader, _at_most
from recollect.store.sql import COLUMNS, KINDS, fact_from, message_from, select_sql, waiting

_LISTED = re.compile(r"in \(select value from json_each\(:(\w+)\)\)")
_NAMED = re.compile(r"(?<!:):(\w+)")
_SPAN = re.compile(r"\bnumber between :first and :last_number\b")
_HINT = re.compile(r" indexed by \w+")
_BY_ID = "item in (select item from items where owner = :owner and id in (select value from json_each(:ids)))"

_COUNTS = """
select (select count(*) from messages where owner = :owner), (select count(*) from facts where owner = :owner),
       (select count(*) from notes where owner = :owner), (select count(*) from changes where owner = :owner),
       (select count(*) from vectors where owner = :owner),
       (select count(distinct session) from messages where owner = :owner)
"""
_BESIDE = """
select id, (select id from messages b where b.owner = m.owner and b.session = m.session and b.item < m.item
            order by b.item desc limit 1),
           (select id from messages a where a.owner = m.owner and a.session = m.session and a.item > m.item
            order by a.item limit 1)
from messages m where m.owner = %(owner)s and m.id = any(%(ids)s)
"""
_WITH_WORDS = """item in (
    select item from words join facts using (owner, item)
    where owner = :owner and term in (select value from json_each(:terms))
    group by item having count(*) = :many order by item desc limit :last
)"""
_WITHOUT_VECTORS = """
select id, kind from items where owner = :owner and not exists (
    select 1 from vectors where vectors.owner = :owner and vectors.item = items.item and model = :model
) order by item limit :limit
"""


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

    FACTS_BY_SUBJECT = FACTS_BY_SAID = NAMES_BY_VALUE = NAMES_BY_RELATION = "facts"
    NOTES_BY_PATH = "notes"

    def __init__(self, connection: Connection[Any], owner: str) -> None:
        super().__init__(connection, owner, key_of(owner))  # type: ignore[arg-type]

    def unsettled(self, limit: int, unread: bool) -> list[Message]:
        listed = f"select item from unsettled where owner = :owner and {waiting(unread)}"
        conditions = ["owner = :owner", f"item in ({listed})"]
        sql = select_sql("messages", COLUMNS["message"], conditions, key="item") + " limit :limit"
        return self._ordered(sql, self._bounds() | {"limit": _at_most(limit)}, message_from, None)

    def _with_words(self, terms: Sequence[str], last: int) -> list[Fact]:
        found = {"terms": to_json(list(terms)), "many": len(terms), "last": last}
        return self._records("fact", fact_from, ["owner = :owner", _WITH_WORDS], self._bounds() | found)

    def counts(self) -> Counts:
        return Counts(*self._rows(_COUNTS, self._bounds())[0])

    def beside(self, messages: Sequence[str]) -> dict[str, tuple[str | None, str | None]]:
        connection: Connection[Any] = self.connection  # type: ignore[assignment]
        values = {"owner": self.number, "ids": [held_text(one) for one in messages]}
        rows = [given(row) for row in connection.execute(_BESIDE, values).fetchall()]
        return {one: (before, after) for one, before, after in rows}

    def without_vectors(self, model: str, limit: int) -> list[tuple[str, str]]:
        rows = self._rows(_WITHOUT_VECTORS, self._bounds() | {"model": number_of(model), "limit": _at_most(limit)})
        texts: dict[str, str] = {}
        for number, kind in enumerate(KINDS):
            texts |= self._texts(kind, [record_id for record_id, of_kind in rows if of_kind == number])
        return [(record_id, texts[record_id]) for record_id, _ in rows if record_id in texts]

    @property
    def _base(self) -> int:
        return 0

    def _bounds(self) -> dict[str, Any]:
        return {"owner": self.number}

    def _where(self, ids: Sequence[str] | None) -> tuple[list[str], dict[str, Any]]:
        """The condition that every read has: this owner, and some ids of theirs."""
        if ids is None:
            return ["owner = :owner"], self._bounds()
        return ["owner = :owner", _BY_ID], self._bounds() | {"ids": json.dumps(list(ids), ensure_ascii=False)}

    def _rows(self, sql: str, values: dict[str, Any]) -> list[Any]:
        statement, lists = adapted(sql)
        values = held(values | {name: [held_text(one) for one in json.loads(values[name])] for name in lists})
        connection: Connection[Any] = self.connection  # type: ignore[assignment]
        return [given(row) for row in connection.execute(statement, values).fetchall()]
