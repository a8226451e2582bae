"""What a query asks for as SQL, in the words of SQLite: conditions, and the values that they bind."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

from recollect.errors import InvalidInput
from recollect.serialize import to_json
from recollect.store.query import Query
from recollect.text.values import canonical_text

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_FIRST = (datetime.min.replace(tzinfo=timezone.utc) - EPOCH) // timedelta(microseconds=1)
_LAST = (datetime.max.replace(tzinfo=timezone.utc) - EPOCH) // timedelta(microseconds=1)
QUOTED = json.encoder.encode_basestring
UNCONFIRMED = "origin not in ('user', 'operator') and confirmations = 0 and disputes is null"
"""As the indexes `facts_unconfirmed` say it, which else could not serve."""

Bound = dict[str, Any]
"""The values of a statement, by name."""

BEGAN = "coalesce(since, said) >= :start and coalesce(since, said) < :end"
HOLDING = "retired is null and (since is null or since <= :holding) and (until is null or until > :holding)"
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
_OF_ONE = """
select item from facts indexed by facts_in_time
where owner = :owner and subject_key = :subject and attribute = :attribute and retired is null
"""
AROUND = f"""item in (
    select item from ({_OF_ONE} and coalesce(since, said) <= :moment
                      order by coalesce(since, said) desc, item desc limit :limit) as earlier
    union all
    select item from ({_OF_ONE} and coalesce(since, said) > :moment
                      order by coalesce(since, said), item limit :limit) as later
)"""
LATEST = "order by said desc, learned desc, id desc limit :last"
_LOGGED_BEFORE = """number < coalesce(
    (select number from changes where owner = :owner and id = :before_id),
    (select min(number) from changes where owner = :owner and at >= :before_at), 9000000000000000000)"""
AFTER = "number > :base + :place"
SINCE = """number > coalesce(
    (select max(number) from changes where owner = :owner and at < :place), :base)"""


def micros(moment: datetime) -> int:
    """A moment as microseconds since 1970."""
    if moment.tzinfo is None:
        raise InvalidInput(f"{moment!r} has no time zone: pass one with tzinfo, such as timezone.utc")
    since = moment - EPOCH
    number = (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
    if moment.tzinfo is not timezone.utc and not _FIRST <= number <= _LAST:
        raise InvalidInput(f"{moment!r} is outside the years 1 to 9999 in UTC")
    return number


def ids_json(ids: Iterable[str]) -> str:
    """A list of ids as JSON: written by hand, since every look-up needs one."""
    return f"[{','.join(map(QUOTED, ids))}]"


def value_key(value: str) -> str:
    """What values that mean the same share, short enough for an index; unlike ones may share it too."""
    return canonical_text(value)[:200]


def select_sql(table: str, columns: Sequence[str], conditions: Sequence[str], *, key: str, last: bool = False) -> str:
    """A statement that reads rows in the order they were kept; `last`: only the newest `:last`, but for the `:skip`
    newest of all. The first condition says whose they are."""
    found = " and ".join(conditions)
    if last:  # the keys alone are sorted: rows are wide, and many may be left out
        newest = f"select {key} from {table} where {found} order by {key} desc limit :last offset :skip"
        found = f"{conditions[0]} and {key} in ({newest})"
        table = table.split()[0]  # a hint is for the inner statement: here it would read the index of all owners
    return f"select {', '.join(columns)} from {table} where {found} order by {key}"


def message_conditions(query: Query, bound: Bound) -> list[str]:
    """The conditions on messages. The owner stands in those that have an index."""
    found = []
    if query.session is not None:
        found.append("owner = :owner and session = :session")
        bound["session"] = query.session
    if query.between is not None:
        found.append("at >= :start and at < :end")
        bound |= _range(query.between)
    if query.before is not None:
        found.append(_SAID_BEFORE)
        bound |= {"before_at": micros(query.before[0]), "before_id": query.before[1]}
    if query.beside is not None:
        found.append(_BESIDE)
        bound["ids"] = ids_json(query.beside)
    return found


def note_conditions(query: Query, bound: Bound) -> list[str]:
    """The conditions on notes."""
    found = []
    if query.current:
        found.append("owner = :owner and retired is null")
    if query.path is not None:
        found.append("owner = :owner and path = :path")
        bound["path"] = query.path
    if query.under is not None:
        found.append("owner = :owner and path > :under and path < :beyond")
        bound |= {"under": f"{query.under}/", "beyond": f"{query.under}0"}  # the character after a slash
    if query.pinned:
        found.append("owner = :owner and pinned = 1")
    return found


def change_conditions(query: Query, bound: Bound) -> list[str]:
    """The conditions on changes."""
    found = []
    if query.records is not None:
        found.append("owner = :owner and " + _among("record_id", query.records, bound))
    if query.group is not None:
        found.append("owner = :owner and group_id = :group_id")
        bound["group_id"] = query.group
    if query.after is not None:
        found.append("at > :after")
        bound["after"] = micros(query.after)
    if query.before is not None:
        found.append(_LOGGED_BEFORE)
        bound |= {"before_at": micros(query.before[0]), "before_id": query.before[1]}
    return found


def fact_conditions(query: Query, bound: Bound) -> list[str]:
    """The conditions on facts."""
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
        found.append(_QUOTING)
        bound["quoting"] = ids_json(query.quoting)
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


def at_most(limit: int | None) -> int:
    return _MOST if limit is None else min(max(limit, 0), _MOST)


def _range(between: tuple[datetime, datetime]) -> Bound:
    return {"start": micros(between[0]), "end": micros(between[1])}
