"""Reading from a SQLite store: rows of one owner, as records, in the order they were kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, TypeVar

import apsw

from recollect.records import Change, Fact, Message, Note, SessionInfo
from recollect.serialize import to_json
from recollect.store import Counts, Position, RecordKind, text_of
from recollect.store.damage import Shape, records_from
from recollect.store.owner_counters import OWNER_BITS, span
from recollect.store.sql import (
    BEGAN,
    CHANGE_COLUMNS,
    COLUMNS,
    HOLDING,
    KINDS,
    TABLES,
    UNCONFIRMED,
    change_from,
    fact_from,
    ids_json,
    message_from,
    micros,
    moment,
    note_from,
    select_sql,
    terms_of,
    value_key,
    waiting,
)

Record = TypeVar("Record")

_SHAPES: dict[Any, Shape] = {
    message_from: Shape("messages", COLUMNS["message"]),
    fact_from: Shape("facts", COLUMNS["fact"]),
    note_from: Shape("notes", COLUMNS["note"]),
    change_from: Shape("changes", CHANGE_COLUMNS),
}
"""What the rows of each kind of record may hold, by what makes records of them."""
_MOST = 2**62
_FEW = 4
_BY_ID = "item in (select item from items where owner = :owner and id in (select value from json_each(:ids)))"
_SESSIONS = """
select session, count(*), min(at), max(at) from messages where owner = :owner
group by session order by max(at) desc, max(item) desc
"""
_QUOTING = """
select message, fact from sources where owner = :owner and message in (select value from json_each(:messages))
"""
_QUOTING_OVER = """
select message, fact from sources where owner = :owner and message in (
    select message from sources join items on items.owner = sources.owner and items.id = sources.fact
    where sources.owner = :owner and until <= :over and message in (select value from json_each(:messages))
)
"""
_COUNTS = """
select (select count(*) from messages where item between :first and :last),
       (select count(*) from facts where item between :first and :last),
       (select count(*) from notes where item between :first and :last),
       (select count(*) from changes where number between :first and :last),
       (select count(*) from vectors where number between :first and :last),
       (select count(distinct session) from messages where owner = :owner)
"""
_BEFORE = """number < coalesce(
    (select number from changes where owner = :owner and id = :before_id),
    (select min(number) from changes where owner = :owner and at >= :before_at), 9000000000000000000)"""
_AFTER = "number > :base + :place"
_SINCE = """number > coalesce(
    (select max(number) from changes where owner = :owner and at < :place), :base)"""
_SAID_BEFORE = """item < coalesce(
    (select item from items where owner = :owner and id = :before_id),
    (select max(item) + 1 from messages where owner = :owner and at <= :before_at), 0)"""
"""Where that message was erased since, rather what was shown already than a gap: they need not be in order of time."""
_LATEST = "order by said desc, learned desc, id desc limit :limit"
_OF_ONE = """
select item from facts indexed by facts_in_time
where owner = :owner and subject_key = :subject and attribute = :attribute and retired is null
"""
_AROUND = f"""item in (
    select item from ({_OF_ONE} and coalesce(since, said) <= :moment
                      order by coalesce(since, said) desc, item desc limit :limit) as earlier
    union all
    select item from ({_OF_ONE} and coalesce(since, said) > :moment
                      order by coalesce(since, said), item limit :limit) as later
)"""
# A cross join, and the order of the word index: SQLite then stops at the last fact that is asked for.
_WITH_WORDS = """item in (
    select facts.item from words cross join facts on facts.item = words.rowid
    where words match :words order by words.rowid desc limit :last
)"""
_BESIDE = """
select id, (select id from messages before where before.owner = m.owner and before.session = m.session
            and before.item < m.item order by before.item desc limit 1),
           (select id from messages after where after.owner = m.owner and after.session = m.session
            and after.item > m.item order by after.item limit 1)
from messages m where item in
    (select item from items where owner = :owner and id in (select value from json_each(:ids)))
"""
# A cross join, since SQLite would rather go through all vectors of an owner than look up a few by their records.
_TOKENS = """
select items.id, packed from json_each(:ids) cross join items cross join vectors cross join tokens
where items.owner = :owner and items.id = json_each.value
and vectors.owner = items.owner and vectors.item = items.item and tokens.number = vectors.number
and model = (select number from models where name = :model)
"""
_WITHOUT_VECTORS = """
select id, kind from items where item between :first and :last and not exists (
    select 1 from vectors where vectors.owner = :owner and vectors.item = items.item
    and model = (select number from models where name = :model)
) order by item limit :limit
"""


@dataclass(frozen=True)
class Reader:
    """One owner's rows, through one connection."""

    FACTS_BY_SUBJECT: ClassVar[str] = "facts indexed by facts_by_subject"
    """SQLite might else take the index of the attribute, which many subjects share."""
    FACTS_BY_SAID: ClassVar[str] = "facts indexed by facts_by_said"
    NOTES_BY_PATH: ClassVar[str] = "notes indexed by notes_by_path"
    NAMES_BY_VALUE: ClassVar[str] = "facts indexed by facts_named_by_value"
    NAMES_BY_RELATION: ClassVar[str] = "facts indexed by facts_named_by_relation"

    connection: apsw.Connection
    owner: str
    number: int

    def messages(
        self,
        *,
        ids: Sequence[str] | None = None,
        session: str | None = None,
        between: tuple[datetime, datetime] | None = None,
        before: tuple[datetime, str] | None = None,
        last: int | None = None,
    ) -> list[Message]:
        conditions, values = self._where(ids)
        if session is not None:
            conditions.append("owner = :owner and session = :session")
            values["session"] = session
        if between is not None:
            conditions.append("at >= :start and at < :end")
            values |= _range(between)
        if before is not None:
            conditions.append(_SAID_BEFORE)
            values |= {"before_at": micros(before[0]), "before_id": before[1]}
        return self._records("message", message_from, conditions, values, last)

    def unsettled(self, limit: int, unread: bool) -> list[Message]:
        listed = f"select item from unsettled where item between :first and :last_number and {waiting(unread)}"
        conditions = [f"item in ({listed})"]
        sql = select_sql(TABLES["message"], COLUMNS["message"], conditions, key="item") + " limit :limit"
        return self._ordered(sql, self._bounds() | {"limit": _at_most(limit)}, message_from, None)

    def facts(
        self,
        *,
        ids: Sequence[str] | None = None,
        subjects: Sequence[str] | None = None,
        attributes: Sequence[str] | None = None,
        values: Sequence[str] | None = None,
        category: str | None = None,
        holding: datetime | None = None,
        between: tuple[datetime, datetime] | None = None,
        pinned: bool = False,
        named: bool = False,
        disputed: bool = False,
        unconfirmed: bool = False,
        last: int | None = None,
        skip: int = 0,
    ) -> list[Fact]:
        conditions, bound = self._where(ids)
        table = TABLES["fact"]
        if subjects is not None:
            table = self.FACTS_BY_SUBJECT if ids is None else table
            conditions.append(
                "owner = :owner and " + _among("subject_key", [one.casefold() for one in subjects], bound)
            )
        if attributes is not None:
            conditions.append("owner = :owner and " + _among("attribute", attributes, bound))
        if values is not None:
            table = self.NAMES_BY_VALUE if named and ids is None and subjects is None else table
            keys = list(dict.fromkeys(value_key(value) for value in values))
            conditions.append("owner = :owner and " + _among("value_key", keys, bound))
        if category is not None:
            conditions.append("category = :category")
            bound["category"] = category
        if holding is not None:
            conditions.append(HOLDING)
            bound["holding"] = micros(holding)
        if pinned:
            conditions.append("owner = :owner and pinned = 1")
        if named:
            conditions.append("owner = :owner and named = 1")
        if disputed:
            conditions.append("owner = :owner and disputes is not null")
        if unconfirmed:
            conditions.append(f"owner = :owner and {UNCONFIRMED}")
        if between is not None:
            conditions.append(BEGAN)
            bound |= _range(between)
        sql = select_sql(table, COLUMNS["fact"], conditions, key="item", last=last is not None)
        return self._ordered(sql, bound | {"skip": _at_most(skip)}, fact_from, last)

    def latest_facts(
        self,
        *,
        limit: int,
        before: Position | None = None,
        subjects: Sequence[str] | None = None,
        attributes: Sequence[str] | None = None,
        category: str | None = None,
        holding: datetime | None = None,
        learned_by: datetime | None = None,
        named: bool = False,
    ) -> list[Fact]:
        conditions, bound = ["owner = :owner"], self._bounds() | {"limit": _at_most(limit)}
        if before is not None:
            conditions.append("said <= :said and (said, learned, id) < (:said, :learned, :id)")
            bound |= {"said": micros(before[0]), "learned": micros(before[1]), "id": before[2]}
        if subjects is not None:
            conditions.append(_among("subject_key", [one.casefold() for one in subjects], bound))
        if attributes is not None:
            conditions.append(_among("attribute", attributes, bound))
        if category is not None:
            conditions.append("category = :category")
            bound["category"] = category
        if holding is not None:
            conditions.append(HOLDING)
            bound["holding"] = micros(holding)
        if learned_by is not None:
            conditions.append("learned <= :learned_by")
            bound["learned_by"] = micros(learned_by)
        if named:
            conditions.append("named = 1")
        table = self.FACTS_BY_SAID if subjects is None and attributes is None else TABLES["fact"]
        table = self.NAMES_BY_RELATION if named and attributes is not None else table
        sql = f"select {', '.join(COLUMNS['fact'])} from {table} where {' and '.join(conditions)} {_LATEST}"
        return self._ordered(sql, bound, fact_from, None)

    def facts_around(self, subject: str, attribute: str, moment: datetime, limit: int) -> list[Fact]:
        values = {"subject": subject.casefold(), "attribute": attribute, "moment": micros(moment)}
        conditions, bound = self._where(None)
        return self._records("fact", fact_from, [*conditions, _AROUND], bound | values | {"limit": _at_most(limit)})

    def facts_with(self, words: Sequence[str], last: int) -> list[Fact]:
        asked = terms_of(words)
        return self._with_words(asked, _at_most(last)) if asked else []

    def _with_words(self, terms: Sequence[str], last: int) -> list[Fact]:
        quoted = [f"{self.number}_{term}".replace('"', '""') for term in terms]
        found = {"words": " ".join(f'"{term}"' for term in quoted), "last": last}
        return self._records("fact", fact_from, [*self._where(None)[0], _WITH_WORDS], self._bounds() | found)

    def facts_from(self, messages: Sequence[str], *, over: datetime | None = None) -> dict[str, list[Fact]]:
        bound: dict[str, Any] = {"owner": self.number, "messages": ids_json(messages)}
        pairs = self._rows(_QUOTING if over is None else _QUOTING_OVER, bound | {"over": over and micros(over)})
        facts = self.facts(ids=list({fact for _, fact in pairs})) if pairs else []
        quoted: dict[str, set[str]] = {}
        for message, fact in pairs:
            quoted.setdefault(message, set()).add(fact)
        return {message: [fact for fact in facts if fact.id in quoted[message]] for message in quoted}

    def notes(
        self,
        *,
        ids: Sequence[str] | None = None,
        path: str | None = None,
        under: str | None = None,
        current: bool = False,
        pinned: bool = False,
    ) -> list[Note]:
        conditions, values = self._where(ids)
        if current:
            conditions.append("owner = :owner and retired is null")
        if path is not None:
            conditions.append("owner = :owner and path = :path")
            values["path"] = path
        if under is not None:
            conditions.append("owner = :owner and path > :under and path < :beyond")
            values |= {"under": f"{under}/", "beyond": f"{under}0"}  # the character after a slash
        if pinned:
            conditions.append("owner = :owner and pinned = 1")
        # SQLite might else go through all notes that are current, or all of the owner's.
        table = TABLES["note"] if (path or under) is None or ids is not None else self.NOTES_BY_PATH
        sql = select_sql(table, COLUMNS["note"], conditions, key="item")
        return self._ordered(sql, values, note_from, None)

    def changes(
        self,
        *,
        ids: Sequence[str] | None = None,
        record_id: str | None = None,
        records: Sequence[str] | None = None,
        group: str | None = None,
        after: datetime | None = None,
        before: tuple[datetime, str] | None = None,
        last: int | None = None,
    ) -> list[Change]:
        conditions = ["number between :first and :last_number"]
        values = self._bounds() | {"ids": to_json(list(ids or ())), "record_id": record_id, "group_id": group}
        if ids is not None:
            conditions.append("owner = :owner and id in (select value from json_each(:ids))")
        if record_id is not None:
            conditions.append("owner = :owner and record_id = :record_id")
        if records is not None:
            conditions.append("owner = :owner and record_id in (select value from json_each(:records))")
            values["records"] = to_json(list(records))
        if group is not None:
            conditions.append("owner = :owner and group_id = :group_id")
        if after is not None:
            conditions.append("at > :after")
            values["after"] = micros(after)
        if before is not None:
            conditions.append(_BEFORE)
            values |= {"before_at": micros(before[0]), "before_id": before[1]}
        sql = select_sql("changes", CHANGE_COLUMNS, conditions, key="number", last=last is not None)
        return self._ordered(sql, values, change_from, last)

    def log(self, after: int | datetime, limit: int) -> list[tuple[int, Change]]:
        conditions = ["number between :first and :last_number", _SINCE if isinstance(after, datetime) else _AFTER]
        place = micros(after) if isinstance(after, datetime) else max(0, min(after, 2**OWNER_BITS - 1))
        sql = select_sql("changes", CHANGE_COLUMNS, conditions, key="number") + " limit :limit"
        rows = self._rows(sql, self._bounds() | {"base": self._base, "place": place, "limit": _at_most(limit)})
        return [(row[0] - self._base, change_from(self.owner, row)) for row in rows]

    @property
    def _base(self) -> int:
        """What the numbers of this owner's changes begin at."""
        return self.number << OWNER_BITS

    def sessions(self) -> list[SessionInfo]:
        rows = self._rows(_SESSIONS, {"owner": self.number})
        return [SessionInfo(session, count, moment(first), moment(last)) for session, count, first, last in rows]

    def counts(self) -> Counts:
        return Counts(*self._rows(_COUNTS, {"owner": self.number, **span(self.number)})[0])

    def count_holding(self, moment: datetime) -> int:
        conditions, bound = self._where(None)
        sql = f"select count(*) from facts where {conditions[0]} and {HOLDING}"
        return int(self._rows(sql, bound | {"holding": micros(moment)})[0][0])

    def beside(self, messages: Sequence[str]) -> dict[str, tuple[str | None, str | None]]:
        values = {"owner": self.number, "ids": ids_json(messages)}
        return {one: (before, after) for one, before, after in self.connection.execute(_BESIDE, values)}

    def tokens(self, model: str, ids: Sequence[str]) -> dict[str, bytes]:
        values = {"owner": self.number, "ids": ids_json(ids), "model": model}
        return {str(one): bytes(packed) for one, packed in self.connection.execute(_TOKENS, values)}

    def without_vectors(self, model: str, limit: int) -> list[tuple[str, str]]:
        values = {"owner": self.number, "model": model, "limit": _at_most(limit)}
        rows = self._rows(_WITHOUT_VECTORS, values | span(self.number))
        texts: dict[str, str] = {}
        for number, kind in enumerate(KINDS):
            texts |= self._texts(kind, [record_id for record_id, of_kind in rows if of_kind == number])
        return [(record_id, texts[record_id]) for record_id, _ in rows if record_id in texts]

    def _texts(self, kind: RecordKind, ids: Sequence[str]) -> dict[str, str]:
        records: Sequence[Message | Fact | Note]
        if not ids:
            return {}
        if kind == "message":
            records = self.messages(ids=ids)
        else:
            records = self.facts(ids=ids) if kind == "fact" else self.notes(ids=ids)
        return {record.id: text_of(record) for record in records}

    def _bounds(self) -> dict[str, Any]:
        first, last = span(self.number).values()
        return {"owner": self.number, "first": first, "last_number": last}

    def _where(self, ids: Sequence[str] | None) -> tuple[list[str], dict[str, Any]]:
        """The condition that every read has: this owner, by number or by ids of theirs."""
        if ids is None:
            return ["item between :first and :last_number"], self._bounds()
        return [_BY_ID], self._bounds() | {"ids": ids_json(ids)}

    def _records(
        self,
        kind: RecordKind,
        convert: Callable[[str, Sequence[Any]], Record],
        conditions: Sequence[str],
        values: dict[str, Any],
        last: int | None = None,
    ) -> list[Record]:
        sql = select_sql(TABLES[kind], COLUMNS[kind], conditions, key="item", last=last is not None)
        return self._ordered(sql, values, convert, last)

    def _ordered(
        self, sql: str, values: dict[str, Any], convert: Callable[[str, Sequence[Any]], Record], last: int | None
    ) -> list[Record]:
        if last is not None:
            values = {"skip": 0} | values | {"last": _at_most(last)}
        return records_from(_SHAPES[convert], convert, self.owner, self._rows(sql, values))

    def _rows(self, sql: str, values: dict[str, Any]) -> list[Any]:
        return self.connection.execute(sql, values).fetchall()


def _among(column: str, wanted: Sequence[str], bound: dict[str, Any]) -> str:
    """The condition that a column has one of these values, which it binds; a few are spelt out, which is quicker."""
    if not wanted:
        return "1 = 0"
    if len(wanted) > _FEW:
        bound[column] = to_json(list(wanted))
        return f"{column} in (select value from json_each(:{column}))"
    names = [f"{column}_{place}" for place in range(len(wanted))]
    bound.update(zip(names, wanted, strict=True))
    return f"{column} in ({', '.join(':' + name for name in names)})"


def _at_most(limit: int) -> int:
    return min(max(limit, 0), _MOST)


def _range(between: tuple[datetime, datetime]) -> dict[str, int]:
    return {"start": micros(between[0]), "end": micros(between[1])}
