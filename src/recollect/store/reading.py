"""Reading from a store: what a query asks for as SQL, in SQLite's words, and rows as the records that they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, ClassVar, TypeVar

from recollect.records import Change, Fact, Message, Note, SessionInfo
from recollect.serialize import to_json
from recollect.store import MOST_FAILURES, Counts, Erased, KeptAnswer, LogEntry, Query, text_of
from recollect.store.damage import Shape, records_from
from recollect.store.sql import (
    BEGAN,
    CHANGE_COLUMNS,
    COLUMNS,
    HOLDING,
    TABLES,
    UNCONFIRMED,
    change_from,
    digest_of,
    fact_from,
    ids_json,
    message_from,
    micros,
    moment,
    note_from,
    select_sql,
    terms_of,
    value_key,
)

Record = TypeVar("Record")
Bound = dict[str, Any]

OWNER_BITS = 40
"""In SQLite an item's number is its owner's number, shifted by so many bits, plus the owner's count."""

_SHAPES: dict[Any, Shape] = {
    message_from: Shape("messages", COLUMNS["message"]),
    fact_from: Shape("facts", COLUMNS["fact"]),
    note_from: Shape("notes", COLUMNS["note"]),
    change_from: Shape("changes", CHANGE_COLUMNS),
}
"""What the rows of each kind of record may hold, by what makes records of them."""
_MOST = 2**62
_FEW = 4

LISTED = "(select value from json_each(:ids))"
OF_IDS = f"select item from items where owner = :owner and id in {LISTED}"
_SAID_BEFORE = """item < coalesce(
    (select item from items where owner = :owner and id = :before_id),
    (select max(item) + 1 from messages where owner = :owner and at <= :before_at), 0)"""
"""Where that message was erased since, rather what was shown already than a gap: they need not be in order of time."""
# A cross join, since SQLite would rather go through all messages of the owner than look up a few.
_NEXT_TO = f"""
    select (select {{}}(item) from messages b where b.owner = m.owner and b.session = m.session and b.item {{}} m.item)
    from items cross join messages m
    where items.owner = :owner and items.id in {LISTED} and m.item = items.item and m.owner = items.owner"""
_BESIDE = f"""item in ({OF_IDS} union all {_NEXT_TO.format("max", "<")} union all {_NEXT_TO.format("min", ">")})"""
_QUOTING = """item in (select item from items where owner = :owner and id in (
    select fact from sources where owner = :owner and message in (select value from json_each(:quoting))))"""
_QUOTING_OVER = """item in (select item from items where owner = :owner and id in (
    select fact from sources where owner = :owner and message in (
        select message from sources join items on items.owner = sources.owner and items.id = sources.fact
        where sources.owner = :owner and until <= :over and message in (select value from json_each(:quoting)))))"""
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
_LATEST = "order by said desc, learned desc, id desc limit :last"
_LOGGED_BEFORE = """number < coalesce(
    (select number from changes where owner = :owner and id = :before_id),
    (select min(number) from changes where owner = :owner and at >= :before_at), 9000000000000000000)"""
_AFTER = "number > :base + :place"
_SINCE = """number > coalesce(
    (select max(number) from changes where owner = :owner and at < :place), :base)"""
_SESSIONS = """
select session, count(*), min(at), max(at) from messages where owner = :owner
group by session order by max(at) desc, max(item) desc
"""
_ANSWERS = "select key, print, body, undo, at from answers where owner = :hashed and key in " + LISTED
_ERASED = f"select at, state, messages, facts, notes, changes, vectors from erasures where request in {LISTED}"
FINISHED, SCANNED, HELD = 1, 2, 3
"""States of an erase, after 0: its words are out of the files, a scan found none of them, other records had some."""


class Reader:
    """One owner's rows, through one connection. The statements are SQLite's; another engine translates them in `rows`
    and `changed`, and has its own where the tables differ."""

    # SQLite might else take the index of the attribute, which many subjects share, or go through all current notes.
    FACTS_BY_SUBJECT: ClassVar[str] = "facts indexed by facts_by_subject"
    FACTS_BY_SAID: ClassVar[str] = "facts indexed by facts_by_said"
    NOTES_BY_PATH: ClassVar[str] = "notes indexed by notes_by_path"
    NAMES_BY_VALUE: ClassVar[str] = "facts indexed by facts_named_by_value"
    NAMES_BY_RELATION: ClassVar[str] = "facts indexed by facts_named_by_relation"
    OWN_ITEMS: ClassVar[str] = "item between :first and :last_number"
    OWN_CHANGES: ClassVar[str] = "number between :first and :last_number"
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
    UNSETTLED: ClassVar[str] = "select item from unsettled where item between :first and :last_number"
    COUNTS: ClassVar[str] = """
    select (select count(*) from messages where item between :first and :last_number),
           (select count(*) from facts where item between :first and :last_number),
           (select count(*) from notes where item between :first and :last_number),
           (select count(*) from changes where number between :first and :last_number),
           (select count(distinct session) from messages where owner = :owner)
    """
    MODELS: ClassVar[str] = """
    select models.name, count(*) from vectors join models on models.number = vectors.model
    where vectors.owner = :owner group by models.name order by models.name
    """
    # A cross join, since SQLite would rather go through all vectors of an owner than look up a few by their records.
    TOKENS: ClassVar[str] = """
    select items.id, packed from json_each(:ids) cross join items cross join vectors cross join tokens
    where items.owner = :owner and items.id = json_each.value
    and vectors.owner = items.owner and vectors.item = items.item and tokens.number = vectors.number
    and model = (select number from models where name = :model)
    """
    VECTORS: ClassVar[str] = f"""
    select items.id, vectors.vector from items
    join vectors on vectors.owner = items.owner and vectors.item = items.item
    where items.owner = :owner and items.id in {LISTED}
    and vectors.model = (select number from models where name = :model)
    """
    WITHOUT_VECTORS: ClassVar[str] = """
    select id, kind from items where item between :first and :last_number and not exists (
        select 1 from vectors where vectors.owner = :owner and vectors.item = items.item
        and model = (select number from models where name = :model)
    ) order by item limit :limit
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
        if query.session is not None:
            conditions.append("owner = :owner and session = :session")
            bound["session"] = query.session
        if query.between is not None:
            conditions.append("at >= :start and at < :end")
            bound |= _range(query.between)
        if query.before is not None:
            conditions.append(_SAID_BEFORE)
            bound |= {"before_at": micros(query.before[0]), "before_id": query.before[1]}
        if query.waiting is not None:
            failures = f"failures {'<' if query.waiting else '>='} {MOST_FAILURES}"
            conditions.append(f"item in ({self.UNSETTLED} and {failures})")
        if query.beside is not None:
            conditions.append(_BESIDE)
            bound["ids"] = ids_json(query.beside)
        return self._kept("message", message_from, conditions, bound, query)

    def facts(self, query: Query) -> list[Fact]:
        if query.words is not None and not terms_of(query.words):
            return []
        conditions, bound = self._where(query.ids)
        if query.latest:
            conditions = ["owner = :owner"] if query.ids is None else conditions
        conditions += _fact_conditions(query, bound)
        if query.around is not None:
            return self._around(query, bound)
        if query.words is not None:
            conditions.append(self.WITH_WORDS)
            bound |= {**self._asked(terms_of(query.words)), "limit": _at_most(query.last)}
            return self._records("fact", fact_from, conditions, bound)
        table = self._table_of_facts(query)
        if query.latest:
            bound["last"] = _at_most(query.last)
            sql = f"select {', '.join(COLUMNS['fact'])} from {table} where {' and '.join(conditions)} {_LATEST}"
            return self._made(sql, bound, fact_from)
        return self._kept("fact", fact_from, conditions, bound, query, table)

    def _table_of_facts(self, query: Query) -> str:
        """The table, with the index that SQLite might not choose by itself."""
        if query.latest:
            if query.named and query.attributes is not None:
                return self.NAMES_BY_RELATION
            return self.FACTS_BY_SAID if query.subjects is None and query.attributes is None else TABLES["fact"]
        if query.ids is not None:
            return TABLES["fact"]
        if query.subjects is not None:
            return self.FACTS_BY_SUBJECT
        return self.NAMES_BY_VALUE if query.named and query.values is not None else TABLES["fact"]

    def _around(self, query: Query, bound: Bound) -> list[Fact]:
        [subject], [attribute] = query.subjects or (), query.attributes or ()
        bound |= {"subject": subject.casefold(), "attribute": attribute, "moment": micros(query.around)}  # type: ignore[arg-type]
        conditions = [self.OWN_ITEMS, _AROUND]
        return self._records("fact", fact_from, conditions, bound | {"limit": _at_most(query.last)})

    def _asked(self, terms: Sequence[str]) -> Bound:
        """What finds records that have all of these terms in the word index."""
        quoted = [f"{self.number}_{term}".replace('"', '""') for term in terms]
        return {"words": " ".join(f'"{term}"' for term in quoted)}

    def notes(self, query: Query) -> list[Note]:
        conditions, bound = self._where(query.ids)
        if query.current:
            conditions.append("owner = :owner and retired is null")
        if query.path is not None:
            conditions.append("owner = :owner and path = :path")
            bound["path"] = query.path
        if query.under is not None:
            conditions.append("owner = :owner and path > :under and path < :beyond")
            bound |= {"under": f"{query.under}/", "beyond": f"{query.under}0"}  # the character after a slash
        if query.pinned:
            conditions.append("owner = :owner and pinned = 1")
        by_path = (query.path or query.under) is not None and query.ids is None
        table = self.NOTES_BY_PATH if by_path else TABLES["note"]
        return self._kept("note", note_from, conditions, bound, query, table)

    def changes(self, query: Query) -> list[Change]:
        conditions, bound = [self.OWN_CHANGES], dict(self.bounds)
        if query.ids is not None:
            conditions.append(f"owner = :owner and id in {LISTED}")
            bound["ids"] = ids_json(query.ids)
        if query.records is not None:
            conditions.append("owner = :owner and " + _among("record_id", query.records, bound))
        if query.group is not None:
            conditions.append("owner = :owner and group_id = :group_id")
            bound["group_id"] = query.group
        if query.after is not None:
            conditions.append("at > :after")
            bound["after"] = micros(query.after)
        if query.before is not None:
            conditions.append(_LOGGED_BEFORE)
            bound |= {"before_at": micros(query.before[0]), "before_id": query.before[1]}
        sql = select_sql("changes", CHANGE_COLUMNS, conditions, key="number", last=query.last is not None)
        return self._made(sql, bound | {"last": _at_most(query.last)}, change_from)

    def log(self, query: Query) -> list[LogEntry]:
        since = query.position or 0
        place = micros(since) if isinstance(since, datetime) else max(0, min(since, 2**OWNER_BITS - 1))
        bound = {"place": place}
        conditions = [self.OWN_CHANGES, _SINCE if isinstance(since, datetime) else _AFTER]
        sql = select_sql("changes", CHANGE_COLUMNS, conditions, key="number") + " limit :limit"
        rows = self.rows(sql, self.bounds | bound | {"limit": _at_most(query.first)})
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
        messages, facts, notes, changes, sessions = self.rows(self.COUNTS, self.bounds)[0]
        models = dict(self.rows(self.MODELS, self.bounds))
        hold = 0
        if holding is not None:
            sql = f"select count(*) from facts where {self.OWN_ITEMS} and {HOLDING}"
            hold = self.rows(sql, self.bounds | {"holding": micros(holding)})[0][0]
        return Counts(messages, facts, notes, changes, sum(models.values()), sessions, hold, models)

    def vectors(self, model: str, ids: Sequence[str]) -> list[Any]:
        """The ids of those of these records that have a vector, each with it as it is kept."""
        return self.rows(self.VECTORS, self.bounds | {"model": model, "ids": ids_json(ids)})

    def tokens(self, model: str, ids: Sequence[str]) -> dict[str, bytes]:
        rows = self.rows(self.TOKENS, self.bounds | {"model": model, "ids": ids_json(ids)})
        return {str(one): bytes(packed) for one, packed in rows}

    def without_vectors(self, model: str, limit: int) -> list[tuple[str, str]]:
        rows = self.rows(self.WITHOUT_VECTORS, self.bounds | {"model": model, "limit": _at_most(limit)})
        texts: dict[str, str] = {}
        for number, kind in enumerate((self.messages, self.facts, self.notes)):
            if ids := [record_id for record_id, of_kind in rows if of_kind == number]:
                found: list[Any] = kind(Query(ids=ids))  # type: ignore[assignment]
                texts |= {one.id: text_of(one) for one in found}
        return [(record_id, texts[record_id]) for record_id, _ in rows if record_id in texts]

    def _where(self, ids: Sequence[str] | None) -> tuple[list[str], Bound]:
        """The condition that every read has: this owner, by number or by ids of theirs."""
        if ids is None:
            return [self.OWN_ITEMS], dict(self.bounds)
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
            bound |= {"last": _at_most(query.last), "skip": _at_most(query.skip)}
        if query.first is not None:
            sql, bound = sql + " limit :limit", bound | {"limit": _at_most(query.first)}
        return self._made(sql, bound, convert)

    def _records(
        self, kind: str, convert: Callable[[str, Sequence[Any]], Record], conditions: Sequence[str], bound: Bound
    ) -> list[Record]:
        return self._kept(kind, convert, conditions, bound, Query())

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


def _fact_conditions(query: Query, bound: Bound) -> list[str]:
    """The conditions on facts, with what they bind. The owner stands in those that have an index."""
    found = []
    if query.subjects is not None:
        found.append("owner = :owner and " + _among("subject_key", [one.casefold() for one in query.subjects], bound))
    if query.attributes is not None:
        found.append("owner = :owner and " + _among("attribute", query.attributes, bound))
    if query.values is not None:
        keys = list(dict.fromkeys(map(value_key, query.values)))
        found.append("owner = :owner and " + _among("value_key", keys, bound))
    if query.category is not None:
        found.append("category = :category")
        bound["category"] = query.category
    if query.holding is not None:
        found.append(HOLDING)
        bound["holding"] = micros(query.holding)
    if query.learned_by is not None:
        found.append("learned <= :learned_by")
        bound["learned_by"] = micros(query.learned_by)
    if query.between is not None:
        found.append(BEGAN)
        bound |= _range(query.between)
    if query.before is not None and query.latest:
        said, learned, record_id = query.before  # type: ignore[misc]
        found.append("said <= :said and (said, learned, id) < (:said, :learned, :id)")
        bound |= {"said": micros(said), "learned": micros(learned), "id": record_id}
    if query.quoting is not None:
        found.append(_QUOTING if query.over is None else _QUOTING_OVER)
        bound |= {"quoting": ids_json(query.quoting), "over": query.over and micros(query.over)}
    flags = {"pinned = 1": query.pinned, "named = 1": query.named, "disputes is not null": query.disputed}
    flags[UNCONFIRMED] = query.unconfirmed
    return found + [f"owner = :owner and {condition}" for condition, wanted in flags.items() if wanted]


def _among(column: str, wanted: Sequence[str], bound: Bound) -> str:
    """The condition that a column has one of these values, which it binds; a few are spelt out, which is quicker."""
    if not wanted:
        return "1 = 0"
    if len(wanted) > _FEW:
        bound[column] = to_json(list(wanted))
        return f"{column} in (select value from json_each(:{column}))"
    names = [f"{column}_{place}" for place in range(len(wanted))]
    bound.update(zip(names, wanted, strict=True))
    return f"{column} in ({', '.join(':' + name for name in names)})"


def _at_most(limit: int | None) -> int:
    return _MOST if limit is None else min(max(limit, 0), _MOST)


def _range(between: tuple[datetime, datetime]) -> Bound:
    return {"start": micros(between[0]), "end": micros(between[1])}
