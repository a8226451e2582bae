"""What any SQL store shares: records as rows, rows as records, and the statements that move them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from functools import lru_cache
from typing import Any, TypeAlias

from recollect._values import canonical_text
from recollect.attributes import attribute
from recollect.errors import InvalidInput
from recollect.records import HEARD_AS, Change, Fact, Message, Note, Source
from recollect.stores import RecordKind, text_of
from recollect.words import terms

Values: TypeAlias = tuple[Any, ...]

KINDS: tuple[RecordKind, ...] = ("message", "fact", "note")
"""A kind is kept as its place in this list: never reorder it."""

ALWAYS = 2**62
NEVER = -ALWAYS
"""Ends of time in `items`, far outside the years a date can have."""

MOST_TERMS = 20_000
MOST_LETTERS = 400_000
"""A record is found by so many of its first terms, looked for in so many of its first letters."""

LONGEST_TERM = 120
SHORT, MOST_PIECES = 400, 32_768
"""Letters of a text whose pieces are worth to be kept in mind, and how many of these are."""

_DECODE = json.JSONDecoder().decode
_QUOTED = json.encoder.encode_basestring
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_FIRST = (datetime.min.replace(tzinfo=timezone.utc) - _EPOCH) // timedelta(microseconds=1)
_LAST = (datetime.max.replace(tzinfo=timezone.utc) - _EPOCH) // timedelta(microseconds=1)
_BLANKS = dict.fromkeys((*range(0x21), 0x7F), "_") | {code: chr(code + 32) for code in range(65, 91)}

OWNER_COLUMNS = ("number", "version", "naming", "erasures", "items", "vectors", "changes", "last_learned")
ITEM_COLUMNS = ("item", "owner", "id", "kind", "since", "until", "length", "touched")
MESSAGE_COLUMNS = ("item", "owner", "id", "session", "role", "at", "origin", "name", "learned", "content", "raw")
NAMING = frozenset({"nickname", "name", HEARD_AS})
"""Attributes whose values are names, beside the relations."""

TASK = "request"
"""The category of what an agent was asked to do: its newest facts are wanted at every turn."""

FACT_COLUMNS = (
    *("item", "owner", "id", "subject", "subject_key", "attribute", "value", "value_key", "named", "category"),
    *("said", "learned", "since", "until", "retired", "origin", "confidence", "replaces", "replaced_by", "disputes"),
    *("pinned", "confirmations", "text", "why", "sources"),
)
NOTE_COLUMNS = ("item", "owner", "id", "path", "version", "learned", "pinned", "retired", "origin", "text")
CHANGE_COLUMNS = (
    *("number", "owner", "id", "kind", "record", "record_id", "at", "origin", "undoes", "group_id", "why"),
    *("before", "after"),
)
SOURCE_COLUMNS = ("owner", "message", "fact")
VECTOR_COLUMNS = ("number", "owner", "model", "item", "vector")
TOKEN_COLUMNS = ("number", "packed")
TABLES: dict[RecordKind, str] = {"message": "messages", "fact": "facts", "note": "notes"}
COLUMNS: dict[RecordKind, tuple[str, ...]] = {"message": MESSAGE_COLUMNS, "fact": FACT_COLUMNS, "note": NOTE_COLUMNS}


def insert_sql(table: str, columns: Sequence[str]) -> str:
    """A statement that adds one row, with values for all columns in the table's own order. It names none of them: apsw
    reads a statement's text anew for each row."""
    return f"insert into {table} values({','.join('?' * len(columns))})"


def update_sql(table: str, columns: Sequence[str], key: str) -> str:
    """A statement that writes these columns, bound in their order, of the row with the key that is bound last."""
    return f"update {table} set {', '.join(f'{column} = ?' for column in columns if column != key)} where {key} = ?"


def select_sql(table: str, columns: Sequence[str], conditions: Sequence[str], *, key: str, last: bool = False) -> str:
    """A statement that reads rows in the order they were kept; `last`: only the newest `:last`, but for the `:skip`
    newest of all. The first condition says whose they are."""
    found = " and ".join(conditions)
    if last:  # the keys alone are sorted: rows are wide, and many may be left out
        newest = f"select {key} from {table} where {found} order by {key} desc limit :last offset :skip"
        found = f"{conditions[0]} and {key} in ({newest})"
        table = table.split()[0]  # a hint is for the inner statement: here it would read the index of all owners
    return f"select {', '.join(columns)} from {table} where {found} order by {key}"


UNCONFIRMED = "origin not in ('user', 'operator') and confirmations = 0 and disputes is null"
BEGAN = "coalesce(since, said) >= :start and coalesce(since, said) < :end"
HOLDING = "retired is null and (since is null or since <= :holding) and (until is null or until > :holding)"


def micros(moment: datetime) -> int:
    """A moment as microseconds since 1970."""
    if moment.tzinfo is None:
        raise InvalidInput(f"{moment!r} has no time zone: pass one with tzinfo, such as timezone.utc")
    since = moment - _EPOCH
    number = (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
    if moment.tzinfo is not timezone.utc and not _FIRST <= number <= _LAST:
        raise InvalidInput(f"{moment!r} is outside the years 1 to 9999 in UTC")
    return number


learned_micros = lru_cache(maxsize=1024)(micros)
"""The same, kept in mind: all that is written together is learned at one moment."""


def value_key(value: str) -> str:
    """What values that mean the same share, short enough for an index; unlike ones may share it too."""
    return canonical_text(value)[:200]


@lru_cache(maxsize=4096)
def is_name(attribute_name: str) -> bool:
    """Whether the values of an attribute are names of someone or something."""
    return attribute_name in NAMING or attribute(attribute_name).relation


def maybe_micros(moment: datetime | None) -> int | None:
    return None if moment is None else micros(moment)


@lru_cache(maxsize=1024)
def moment(number: int) -> datetime:
    """The moment so many microseconds from 1970, in UTC. Kept in mind: an owner's last is often asked for."""
    return _EPOCH + timedelta(0, 0, number)  # microseconds, but not by name: that takes twice as long


def maybe_moment(number: int | None) -> datetime | None:
    return None if number is None else moment(number)


def to_json(value: object) -> str:
    """JSON with letters kept as they are, so that a scan of the file sees them."""
    try:
        return _ENCODE(value)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"this can't be kept as JSON: {error}") from error


def ids_json(ids: Iterable[str]) -> str:
    """A list of ids as JSON: written by hand, since every look-up needs one."""
    return f"[{','.join(map(_QUOTED, ids))}]"


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{value!r} is not JSON")


_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_plain).encode


def maybe_json(value: Mapping[str, Any] | None) -> str | None:
    return None if value is None else to_json(value if value.__class__ is dict else dict(value))


def from_json(text: str | None) -> dict[str, Any] | None:
    return None if text is None else _DECODE(text)


def message_values(message: Message, item: int | None = None, owner: int | None = None) -> Values:
    """The message as a row, in the order of its columns."""
    return (
        item,
        owner,
        message.id,
        message.session,
        message.role,
        micros(message.at),
        message.origin,
        message.name,
        maybe_micros(message.learned),
        message.content,
        maybe_json(message.raw),
    )


def message_from(owner: str, row: Sequence[Any]) -> Message:
    _, _, record_id, session, role, at, origin, name, learned, content, raw = row
    return Message(
        record_id, owner, session, role, content, moment(at), origin, name, maybe_moment(learned), from_json(raw)
    )


def fact_values(fact: Fact, item: int | None = None, owner: int | None = None) -> Values:
    """The fact as a row, in the order of its columns."""
    return (
        item,
        owner,
        fact.id,
        fact.subject,
        fact.subject.casefold(),
        fact.attribute,
        fact.value,
        value_key(fact.value),
        is_name(fact.attribute),
        fact.category,
        micros(fact.said),
        learned_micros(fact.learned),
        None if fact.since is None else micros(fact.since),
        None if fact.until is None else micros(fact.until),
        None if fact.retired is None else micros(fact.retired),
        fact.origin,
        float(fact.confidence),
        fact.replaces,
        fact.replaced_by,
        fact.disputes,
        int(fact.pinned),
        fact.confirmations,
        fact.text,
        fact.why,
        sources_json(fact.sources) if fact.sources else "[]",
    )


def sources_json(sources: Sequence[Source]) -> str:
    """Where a fact comes from, as JSON: written by hand, which takes a third of the time for a list so short."""
    try:
        return "[" + ",".join([f"[{_QUOTED(one.message)},{_QUOTED(one.quote)}]" for one in sources]) + "]"
    except TypeError:  # not a text
        return to_json([[one.message, one.quote] for one in sources])


def fact_from(owner: str, row: Sequence[Any]) -> Fact:
    # Positions, not names: this is the hottest line of a search.
    (_, _, record_id, subject, _, name, value, _, _, category, said, learned, since, until, retired) = row[:15]
    (origin, confidence, replaces, replaced_by, disputes, pinned, confirmations, text, why, sources) = row[15:]
    return Fact(
        record_id,
        owner,
        subject,
        name,
        value,
        text,
        category,
        moment(said),
        moment(learned),
        None if since is None else moment(since),
        None if until is None else moment(until),
        None if retired is None else moment(retired),
        origin,
        confidence,
        _sources(sources),
        replaces,
        replaced_by,
        disputes,
        why,
        bool(pinned),
        confirmations,
    )


def _sources(text: str) -> tuple[Source, ...]:
    return tuple([Source(message, quote) for message, quote in _DECODE(text)]) if text != "[]" else ()


def note_values(note: Note, item: int | None = None, owner: int | None = None) -> Values:
    """The note as a row, in the order of its columns."""
    return (
        item,
        owner,
        note.id,
        note.path,
        note.version,
        micros(note.learned),
        int(note.pinned),
        maybe_micros(note.retired),
        note.origin,
        note.text,
    )


def note_from(owner: str, row: Sequence[Any]) -> Note:
    _, _, record_id, path, version, learned, pinned, retired, origin, text = row
    return Note(record_id, owner, path, text, version, moment(learned), bool(pinned), maybe_moment(retired), origin)


def change_values(change: Change) -> Values:
    return (
        change.id,
        change.kind,
        change.record,
        change.record_id,
        learned_micros(change.at),
        change.origin,
        change.undoes,
        change.group,
        change.why,
        maybe_json(change.before),
        maybe_json(change.after),
    )


def change_from(owner: str, row: Sequence[Any]) -> Change:
    _, _, record_id, kind, record, changed, at, origin, undoes, group, why, before, after = row
    return Change(
        *(record_id, owner, kind, record, changed, moment(at), origin, why, group),
        *(from_json(before), from_json(after), undoes),
    )


VALUES: dict[RecordKind, Callable[..., Values]] = {
    "message": message_values,
    "fact": fact_values,
    "note": note_values,
}
"""What makes a row of a record, given its number and its owner's."""


def kind_of(record: Message | Fact | Note) -> RecordKind:
    if isinstance(record, Message):
        return "message"
    return "fact" if isinstance(record, Fact) else "note"


def span_of(record: Message | Fact | Note) -> tuple[int, int]:
    """From when to when a record counts as holding; nothing retired ever does."""
    if isinstance(record, Message):
        return NEVER, ALWAYS
    if record.retired is not None:
        return ALWAYS, NEVER
    since, until = (record.since, record.until) if isinstance(record, Fact) else (None, None)
    return NEVER if since is None else micros(since), ALWAYS if until is None else micros(until)


def learned_by(records: Iterable[Message | Fact | Note]) -> int | None:
    """The newest moment at which we came to know something, as these records tell."""
    moments = {moment for record in records for moment in _moments(record) if moment is not None}
    return micros(max(moments)) if moments else None


def _moments(record: Message | Fact | Note) -> tuple[datetime | None, ...]:
    return (record.learned,) if isinstance(record, Message) else (record.learned, record.retired)


def plain_term(term: str) -> str:
    """A term as the word index keeps it: no blanks, so that a blank parts two terms, and no capital ASCII letters."""
    return term[:LONGEST_TERM].translate(_BLANKS)


def wording_of(record: Message | Fact | Note) -> str:
    """The terms a record is found by, as the word index keeps them, with a blank between two."""
    text = text_of(record)
    if len(text) <= SHORT and text.isascii():  # such terms never go beyond a blank, and most pieces are known
        return " ".join(filter(None, map(_WORDINGS.__getitem__, text.split())))
    return " ".join([plain_term(term) for term in terms(text[:MOST_LETTERS])[:MOST_TERMS] if term])


def length_of(wording: str) -> int:
    """How many terms these are."""
    return wording.count(" ") + 1 if wording else 0


class Wordings(dict[str, str]):
    """The terms in pieces of text, kept in mind; but for whole numbers, which seldom come again."""

    def __missing__(self, piece: str) -> str:
        if (number := piece.rstrip(".,;:!?")).isdecimal():
            return number[:LONGEST_TERM]
        if len(self) >= MOST_PIECES:
            self.clear()
        self[piece] = found = " ".join([plain_term(term) for term in terms(piece) if term])
        return found


_WORDINGS = Wordings()
