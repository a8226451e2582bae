"""Reading from a store: what a query asks for as SQL, in SQLite's words, and rows as the records that they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, ClassVar, TypeVar, get_args

import numpy as np
import numpy.typing as npt

from recollect.errors import RecollectError
from recollect.records import Change, ChangeKind, Fact, Message, Note, Origin, Role, SessionInfo
from recollect.store import MOST_FAILURES, Counts, Erased, KeptAnswer, LogEntry, Query, text_of
from recollect.store.conditions import (
    AFTER,
    AROUND,
    HOLDING,
    LATEST,
    LISTED,
    OF_IDS,
    SINCE,
    Bound,
    at_most,
    change_conditions,
    fact_conditions,
    ids_json,
    message_conditions,
    micros,
    note_conditions,
    select_sql,
)
from recollect.store.retry import DamagedRow
from recollect.store.rows import (
    CHANGE_COLUMNS,
    COLUMNS,
    OWNER_BITS,
    TABLES,
    change_from,
    digest_of,
    fact_from,
    message_from,
    moment,
    note_from,
    terms_of,
)
from recollect.store.vectors import unpacked

Record = TypeVar("Record")

NO_SENSE = (ValueError, LookupError, TypeError, ArithmeticError, AttributeError)
"""What Python and numpy raise at bytes that are not what was written: bad UTF-8, bad JSON, numbers out of range."""

_INTEGERS = frozenset(
    ("at", "said", "learned", "since", "until", "retired", "version", "named", "pinned", "confirmations")
)
_OPTIONAL = frozenset(
    (
        *("name", "raw", "since", "until", "retired", "replaces", "replaced_by", "disputes", "doubted_by", "undoes"),
        *("before", "after"),
    )
)
_WORDS = {"origin": frozenset(get_args(Origin)), "role": frozenset(get_args(Role))}
_MOST_FORMS = 1_000

OWN_ITEMS, OWN_CHANGES = "item between :first and :last_number", "number between :first and :last_number"
_COUNTS = """
select (select count(*) from messages where item between :first and :last_number),
       (select count(*) from facts where item between :first and :last_number),
       (select count(*) from notes where item between :first and :last_number),
       (select count(*) from changes where number between :first and :last_number),
       (select count(distinct session) from messages where owner = :owner)
"""
_MODELS = """
select name, many from
    (select name, (select count(*) from vectors where owner = :owner and model = models.number) as many from models)
    as counted
where many > 0 order by name
"""
VECTORS = f"""
select items.id, vector from items join vectors using (owner, item)
where items.owner = :owner and items.id in {LISTED}
and vectors.model = (select number from models where name = :model)
"""
_WITHOUT_VECTORS = """
select id, kind from items where item between :first and :last_number and not exists (
    select 1 from vectors where vectors.owner = :owner and vectors.item = items.item
    and model = (select number from models where name = :model)
) order by item limit :limit
"""
DROP_VECTORS = """
delete from vectors where owner = :owner and model = (select number from models where name = :model)
"""
_SESSIONS = """
select session, count(*), min(at), max(at) from messages where owner = :owner
group by session order by max(at) desc, max(item) desc
"""
_ANSWERS = "select key, print, body, undo, at from answers where owner = :hashed and key in " + LISTED
_ERASED = f"select at, state, messages, facts, notes, changes, vectors from erasures where request in {LISTED}"
FINISHED, SCANNED, HELD = 1, 2, 3
"""States of an erase, after 0: its words are out of the files, a scan found none of them, other records had some."""


class Shape:
    """What the columns of a table may hold. To ask costs little: the types of sound rows are kept in mind."""

    def __init__(self, table: str, columns: Sequence[str]) -> None:
        self._table = table
        self._columns = tuple(columns[2:])  # number and owner come first, and become no part of a record
        words = _WORDS | ({"kind": frozenset(get_args(ChangeKind))} if table == "changes" else {})
        self._words = [(columns.index(name), name, words[name]) for name in words if name in columns]
        self._forms: set[tuple[type, ...]] = set()

    def check(self, row: Sequence[Any]) -> None:
        """DamagedRow where a column has a value that it can't have."""
        form = tuple(map(type, row[2:]))
        if form not in self._forms:
            self._refuse_wrong_types(form)
        for place, name, allowed in self._words:
            if row[place] not in allowed:
                raise DamagedRow(f"a row of {self._table!r} has {row[place]!r} as its {name}")

    def _refuse_wrong_types(self, form: tuple[type, ...]) -> None:
        for name, found in zip(self._columns, form, strict=True):
            if found not in self._types_of(name):
                raise DamagedRow(f"a row of {self._table!r} has a {found.__name__} as its {name}")
        if len(self._forms) < _MOST_FORMS:
            self._forms.add(form)

    def _types_of(self, name: str) -> tuple[type, ...]:
        wanted: type = int if name in _INTEGERS else float if name == "confidence" else str
        late = name == "learned" and self._table == "messages"  # messages of before it was kept have none
        return (wanted, type(None)) if late or name in _OPTIONAL else (wanted,)


def records_from(
    shape: Shape, convert: Callable[[str, Sequence[Any]], Record], owner: str, rows: Sequence[Any]
) -> list[Record]:
    """Each row as the record that it stands for; DamagedRow where one can't stand for any."""
    try:
        for row in rows:
            shape.check(row)
        return [convert(owner, row) for row in rows]
    except RecollectError:
        raise
    except NO_SENSE as error:
        raise damaged(error) from error


def damaged(error: Exception) -> DamagedRow:
    """The error that Python raised at senseless bytes, as one of damage."""
    return DamagedRow(f"what was read makes no sense: {type(error).__name__}: {error}")


_SHAPES: dict[Any, Shape] = {
    message_from: Shape("messages", COLUMNS["message"]),
    fact_from: Shape("facts", COLUMNS["fact"]),
    note_from: Shape("notes", COLUMNS["note"]),
    change_from: Shape("changes", CHANGE_COLUMNS),
}
"""What the rows of each kind of record may hold, by what makes records of them."""


class Reader:
    """One owner's rows, through one connection. The statements are SQLite's; another engine translates them in `rows`
    and `changed`, and has its own where the tables differ."""

    # A cross join, and the order of the word index: SQLite then stops at the last fact that is asked for.
    WITH_WORDS: ClassVar[str] = """item in (
        select facts.item from words cross join facts on facts.item = words.rowid
        where words match :words order by words.rowid desc limit :limit
    )"""
    KEY: ClassVar[tuple[str, ...]] = ()
    """What stands before the columns of an erase: the owner, where a table of them belongs to owners."""
    DELETE_WORDS: ClassVar[str] = f"delete from words where rowid in ({OF_IDS})"
    DELETE_SOURCES: ClassVar[str] = f"""
    delete from sources where owner = :owner and (message, fact) in
        (select one.value ->> 0, facts.id from facts, json_each(facts.sources) as one where facts.item in ({OF_IDS}))
    """
    # A cross join, since SQLite would rather go through all vectors of an owner than look up a few by their records.
    TOKENS: ClassVar[str] = """
    select items.id, packed from json_each(:ids) cross join items cross join vectors cross join tokens
    where items.owner = :owner and items.id = json_each.value
    and vectors.owner = items.owner and vectors.item = items.item and tokens.number = vectors.number
    and model = (select number from models where name = :model)
    """

    def __init__(self, connection: Any, owner: str, number: Any, files: Sequence[str] = ()) -> None:
        self.connection, self.owner, self.number, self.files = connection, owner, number, files
        self.base = number << OWNER_BITS if isinstance(number, int) else 0
        """What the numbers of this owner's changes begin at."""
        self.bounds: Bound = {
            "owner": number,
            "first": self.base,
            "last_number": self.base + 2**OWNER_BITS - 1,
            "skip": 0,
            "base": self.base,
        }

    @property
    def hashed(self) -> Any:
        """By what the answers to an owner are found: of one who was erased not even the name is left."""
        return digest_of(self.owner)

    def rows(self, sql: str, values: Bound) -> list[Any]:
        rows: list[Any] = self.connection.execute(sql, values).fetchall()
        return rows

    def changed(self, sql: str, values: Bound) -> int:
        """How many rows a statement changed."""
        self.connection.execute(sql, values)
        many: int = self.connection.changes()
        return many

    def read(self, kind: type[Record], query: Query) -> list[Record]:
        """The records of one kind."""
        return _WAYS[kind](self, query)

    def messages(self, query: Query) -> list[Message]:
        conditions, bound = self._where(query.ids)
        conditions += message_conditions(query, bound)
        if query.waiting is not None:
            failures = f"failures {'<' if query.waiting else '>='} {MOST_FAILURES}"
            conditions.append(f"item in (select item from unsettled where {OWN_ITEMS} and {failures})")
        return self._kept("message", message_from, conditions, bound, query)

    def facts(self, query: Query) -> list[Fact]:
        if query.words is not None and not terms_of(query.words):
            return []
        conditions, bound = self._where(query.ids)
        if query.latest:
            conditions = ["owner = :owner"] if query.ids is None else conditions
        conditions += fact_conditions(query, bound)
        if query.around is not None:
            return self._around(query, bound)
        if query.words is not None:
            conditions.append(self.WITH_WORDS)
            bound |= {**self._asked(terms_of(query.words)), "limit": at_most(query.last)}
            return self._kept("fact", fact_from, conditions, bound, Query())
        table = self._table_of_facts(query)
        if query.latest:
            bound["last"] = at_most(query.last)
            sql = f"select {', '.join(COLUMNS['fact'])} from {table} where {' and '.join(conditions)} {LATEST}"
            return self._made(sql, bound, fact_from)
        return self._kept("fact", fact_from, conditions, bound, query, table)

    def _table_of_facts(self, query: Query) -> str:
        """The table, with an index that SQLite might not choose: that of an attribute is shared by many subjects."""
        if query.latest:
            if query.named and query.attributes is not None:
                return "facts indexed by facts_named_by_relation"
            return (
                "facts indexed by facts_by_said"
                if query.subjects is None and query.attributes is None
                else TABLES["fact"]
            )
        if query.ids is not None:
            return TABLES["fact"]
        if query.subjects is not None:
            return "facts indexed by facts_by_subject"
        return "facts indexed by facts_named_by_value" if query.named and query.values is not None else TABLES["fact"]

    def _around(self, query: Query, bound: Bound) -> list[Fact]:
        [subject], [attribute] = query.subjects or (), query.attributes or ()
        bound |= {"subject": subject.casefold(), "attribute": attribute, "moment": micros(query.around)}  # type: ignore[arg-type]
        conditions = [OWN_ITEMS, AROUND]
        return self._kept("fact", fact_from, conditions, bound | {"limit": at_most(query.last)}, Query())

    def _asked(self, terms: Sequence[str]) -> Bound:
        """What finds records that have all of these terms in the word index."""
        quoted = [f"{self.number}_{term}".replace('"', '""') for term in terms]
        return {"words": " ".join(f'"{term}"' for term in quoted)}

    def notes(self, query: Query) -> list[Note]:
        conditions, bound = self._where(query.ids)
        conditions += note_conditions(query, bound)
        by_path = (query.path or query.under) is not None and query.ids is None
        table = "notes indexed by notes_by_path" if by_path else TABLES["note"]
        return self._kept("note", note_from, conditions, bound, query, table)

    def changes(self, query: Query) -> list[Change]:
        conditions, bound = [OWN_CHANGES], dict(self.bounds)
        if query.ids is not None:
            conditions.append(f"owner = :owner and id in {LISTED}")
            bound["ids"] = ids_json(query.ids)
        conditions += change_conditions(query, bound)
        sql = select_sql("changes", CHANGE_COLUMNS, conditions, key="number", last=query.last is not None)
        return self._made(sql, bound | {"last": at_most(query.last)}, change_from)

    def log(self, query: Query) -> list[LogEntry]:
        since = query.position or 0
        place = micros(since) if isinstance(since, datetime) else max(0, min(since, 2**OWNER_BITS - 1))
        bound = {"place": place}
        conditions = [OWN_CHANGES, SINCE if isinstance(since, datetime) else AFTER]
        sql = select_sql("changes", CHANGE_COLUMNS, conditions, key="number") + " limit :limit"
        rows = self.rows(sql, self.bounds | bound | {"limit": at_most(query.first)})
        return [LogEntry(row[0] - self.base, change_from(self.owner, row)) for row in rows]

    def sessions(self, query: Query) -> list[SessionInfo]:
        rows = self.rows(_SESSIONS, self.bounds)
        return [SessionInfo(session, count, moment(first), moment(last)) for session, count, first, last in rows]

    def answers(self, query: Query) -> list[KeptAnswer]:
        rows = self.rows(_ANSWERS, self.bounds | {"hashed": self.hashed, "ids": ids_json(query.ids or ())})
        return [KeptAnswer(key, print_, body, undo, moment(at)) for key, print_, body, undo, at in rows]

    def erased(self, query: Query) -> list[Erased]:
        rows = self.rows(_ERASED, self.bounds | {"ids": ids_json(query.ids or ())})
        return [
            Erased(Counts(*counts), moment(at), state > 0, tuple(self.files) if state >= SCANNED else (), state == HELD)
            for at, state, *counts in rows
        ]

    def counts(self, holding: datetime | None) -> Counts:
        messages, facts, notes, changes, sessions = self.rows(_COUNTS, self.bounds)[0]
        models = dict(self.rows(_MODELS, self.bounds))
        hold = 0
        if holding is not None:
            sql = f"select count(*) from facts where {OWN_ITEMS} and {HOLDING}"
            hold = self.rows(sql, self.bounds | {"holding": micros(holding)})[0][0]
        return Counts(messages, facts, notes, changes, sum(models.values()), sessions, hold, models)

    def vectors(self, model: str, ids: Sequence[str]) -> dict[str, npt.NDArray[np.float32]]:
        rows = self.rows(VECTORS, self.bounds | {"model": model, "ids": ids_json(ids)})
        return {record_id: unpacked([content], len(content) - 4)[0] for record_id, content in rows}

    def tokens(self, model: str, ids: Sequence[str]) -> dict[str, bytes]:
        rows = self.rows(self.TOKENS, self.bounds | {"model": model, "ids": ids_json(ids)})
        return {str(one): bytes(packed) for one, packed in rows}

    def without_vectors(self, model: str, limit: int) -> list[tuple[str, str]]:
        rows = self.rows(_WITHOUT_VECTORS, self.bounds | {"model": model, "limit": at_most(limit)})
        texts: dict[str, str] = {}
        for number, kind in enumerate((self.messages, self.facts, self.notes)):
            if ids := [record_id for record_id, of_kind in rows if of_kind == number]:
                found: list[Any] = kind(Query(ids=ids))  # type: ignore[assignment]
                texts |= {one.id: text_of(one) for one in found}
        return [(record_id, texts[record_id]) for record_id, _ in rows if record_id in texts]

    def _where(self, ids: Sequence[str] | None) -> tuple[list[str], Bound]:
        """The condition that every read has: this owner, by number or by ids of theirs."""
        if ids is None:
            return [OWN_ITEMS], dict(self.bounds)
        return [f"item in ({OF_IDS})"], self.bounds | {"ids": ids_json(ids)}

    def _kept(
        self,
        kind: str,
        convert: Callable[[str, Sequence[Any]], Record],
        conditions: Sequence[str],
        bound: Bound,
        query: Query,
        table: str = "",
    ) -> list[Record]:
        """Records in the order they were kept: the newest or the oldest of them, where only so many are wanted."""
        sql = select_sql(table or TABLES[kind], COLUMNS[kind], conditions, key="item", last=query.last is not None)  # type: ignore[index]
        if query.last is not None:
            bound |= {"last": at_most(query.last), "skip": at_most(query.skip)}
        if query.first is not None:
            sql, bound = sql + " limit :limit", bound | {"limit": at_most(query.first)}
        return self._made(sql, bound, convert)

    def _made(self, sql: str, bound: Bound, convert: Callable[[str, Sequence[Any]], Record]) -> list[Record]:
        return records_from(_SHAPES[convert], convert, self.owner, self.rows(sql, bound))


_WAYS: dict[Any, Callable[[Reader, Query], list[Any]]] = {
    Message: Reader.messages,
    Fact: Reader.facts,
    Note: Reader.notes,
    Change: Reader.changes,
    LogEntry: Reader.log,
    SessionInfo: Reader.sessions,
    KeptAnswer: Reader.answers,
    Erased: Reader.erased,
}
