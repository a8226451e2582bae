"""Records as the rows of a store, and rows as records."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from math import isfinite
from operator import attrgetter
from typing import Any, TypeAlias, TypeVar

from recollect.errors import InvalidInput
from recollect.facts.attributes import attribute
from recollect.records import HEARD_AS, Change, Doubt, Fact, Message, Note, Source
from recollect.serialize import names_of, to_json
from recollect.store import IdTaken, RecordKind, spoken, titled
from recollect.store.conditions import EPOCH, QUOTED, micros, value_key
from recollect.text.words import terms

Fields: TypeAlias = Mapping[str, Sequence[Any]]
"""The values of many records, by field or by column."""
Record = TypeVar("Record")

KINDS: tuple[RecordKind, ...] = ("message", "fact", "note")
"""A kind is kept as its place in this list: never reorder it."""

OWNER_BITS = 40
"""In SQLite an item's number is its owner's number, shifted by so many bits, plus the owner's count."""

ALWAYS = 2**62
NEVER = -ALWAYS
"""Ends of time in `items`, far outside the years a date can have."""

MOST_TERMS = 20_000
MOST_LETTERS = 400_000
"""A record is found by so many of its first terms, looked for in so many of its first letters."""

MOST_WORDS = 200
"""A query is answered by so many of its different words."""
LONGEST_TERM = 120
SHORT, MOST_PIECES = 400, 32_768
"""Letters of a text whose pieces are worth to be kept in mind, and how many of these are."""
_BLANKS = dict.fromkeys((*range(0x21), 0x7F), "_") | {code: chr(code + 32) for code in range(65, 91)}
_DECODE = json.JSONDecoder().raw_decode
"""Reads JSON that begins with the first letter, as all does that a store has written: `decode` takes twice as long."""

OWNER_COLUMNS = ("number", "version", "erasures", "items", "vectors", "changes", "last_learned")
ITEM_COLUMNS = ("item", "owner", "id", "kind", "since", "until", "length", "touched")
MESSAGE_COLUMNS = ("item", "owner", "id", "session", "role", "at", "origin", "name", "learned", "content", "raw")
NAMING = frozenset({"nickname", "name", HEARD_AS})
"""Attributes whose values are names, beside the relations."""

FACT_COLUMNS = (
    *("item", "owner", "id", "subject", "subject_key", "attribute", "value", "value_key", "named", "category"),
    *("said", "learned", "since", "until", "retired", "origin", "confidence", "replaces", "replaced_by", "disputes"),
    *("pinned", "confirmations", "text", "why", "sources", "doubted_by"),
)
NOTE_COLUMNS = ("item", "owner", "id", "path", "version", "learned", "pinned", "retired", "origin", "text")
CHANGE_COLUMNS = (
    *("number", "owner", "id", "kind", "record", "record_id", "at", "origin", "undoes", "group_id", "why"),
    *("before", "after"),
)
SOURCE_COLUMNS = ("owner", "message", "fact")
"""Of the tables of what facts come from, and of what was said against them."""
VECTOR_COLUMNS = ("number", "owner", "model", "item", "vector")
TOKEN_COLUMNS = ("number", "packed")
TABLES: dict[RecordKind, str] = {"message": "messages", "fact": "facts", "note": "notes"}
COLUMNS: dict[RecordKind, tuple[str, ...]] = {"message": MESSAGE_COLUMNS, "fact": FACT_COLUMNS, "note": NOTE_COLUMNS}


def migrated_meanwhile(name: str, version: int, known: int) -> str:
    """What to say to a process that opened a store before a newer one migrated it."""
    return (
        f"{name!r} has schema {version} by now, this version knows {known}: run `pip install -U recollect` and restart"
    )


def maybe_micros(moment: datetime | None) -> int | None:
    return None if moment is None else micros(moment)


learned_micros = lru_cache(maxsize=1024)(maybe_micros)
"""The same, kept in mind: all that is written together is learned at one moment."""


def digest_of(owner: str) -> bytes:
    """A hash that stands for an owner."""
    return hashlib.blake2b(owner.encode("utf-8", "surrogatepass"), digest_size=16, person=b"recollect owner").digest()


def finite(value: float) -> float:
    """A number that any store can hold."""
    if not isfinite(number := float(value)):
        raise InvalidInput(f"{value!r} can't be kept: a confidence is a number from 0 to 1")
    return number


@lru_cache(maxsize=4096)
def is_name(attribute_name: str) -> int:
    """1 where the values of an attribute are names of someone or something, 0 elsewhere."""
    return int(attribute_name in NAMING or attribute(attribute_name).relation)


@lru_cache(maxsize=8192)
def moment(number: int) -> datetime:
    """The moment so many microseconds from 1970, in UTC. Kept in mind: an owner's last is often asked for, and those of
    records that many questions find."""
    return EPOCH + timedelta(0, 0, number)  # microseconds, but not by name: that takes twice as long


def maybe_moment(number: int | None) -> datetime | None:
    return None if number is None else moment(number)


def maybe_json(value: Mapping[str, Any] | None) -> str | None:
    return None if value is None else to_json(value if value.__class__ is dict else dict(value))


def from_json(text: str | None) -> dict[str, Any] | None:
    """The object that was kept as JSON; ValueError where it is none."""
    if text is None:
        return None
    found = _DECODE(text)[0]
    if found.__class__ is not dict:
        raise ValueError(f"{text[:40]!r} is no JSON object")
    return found


def message_from(owner: str, row: Sequence[Any]) -> Message:
    _, _, record_id, session, role, at, origin, name, learned, content, raw = row
    return Message(
        record_id, owner, session, role, content, moment(at), origin, name, maybe_moment(learned), from_json(raw)
    )


def sources_json(sources: Sequence[Source]) -> str:
    """Where a fact comes from, as JSON: written by hand, which takes a third of the time for a list so short."""
    if not sources:
        return "[]"
    try:
        return "[" + ",".join([f"[{QUOTED(one.message)},{QUOTED(one.quote)}]" for one in sources]) + "]"
    except TypeError:  # not a text
        return to_json([[one.message, one.quote] for one in sources])


def fact_from(owner: str, row: Sequence[Any]) -> Fact:
    # Positions, not names: this is the hottest line of a search.
    (_, _, record_id, subject, _, name, value, _, _, category, said, learned, since, until, retired) = row[:15]
    (origin, confidence, replaces, replaced_by, disputes, pinned, confirmations, text, why, sources, doubt) = row[15:]
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
        None if doubt is None else _doubt(doubt),
    )


def _sources(text: str) -> tuple[Source, ...]:
    """Where a fact comes from; TypeError where what was kept holds anything but texts."""
    if text == "[]":
        return ()
    pairs = _DECODE(text)[0]
    "".join(["".join(pair) for pair in pairs])
    return tuple([Source(message, quote) for message, quote in pairs])


def doubt_json(doubt: Doubt | None) -> str | None:
    """What was said against a fact, as JSON."""
    return None if doubt is None else to_json([doubt.message, doubt.quote, micros(doubt.said)])


def _doubt(text: str) -> Doubt:
    """What was said against a fact; TypeError where what was kept is anything else."""
    message, quote, said = _DECODE(text)[0]
    return Doubt(message + "", quote + "", moment(said))


def note_from(owner: str, row: Sequence[Any]) -> Note:
    _, _, record_id, path, version, learned, pinned, retired, origin, text = row
    return Note(record_id, owner, path, text, version, moment(learned), bool(pinned), maybe_moment(retired), origin)


def change_from(owner: str, row: Sequence[Any]) -> Change:
    _, _, record_id, kind, record, changed, at, origin, undoes, group, why, before, after = row
    return Change(
        *(record_id, owner, kind, record, changed, moment(at), origin, why, group),
        *(from_json(before), from_json(after), undoes),
    )


_MADE_OF: dict[str, tuple[str, Callable[[Any], Any] | None]] = {
    "at": ("at", micros),
    "said": ("said", micros),
    "learned": ("learned", learned_micros),
    **{name: (name, maybe_micros) for name in ("since", "until", "retired")},
    **{name: (name, maybe_json) for name in ("raw", "before", "after")},
    "sources": ("sources", sources_json),
    "doubted_by": ("doubted_by", doubt_json),
    "subject_key": ("subject", str.casefold),
    "value_key": ("value", value_key),
    "named": ("attribute", is_name),
    "confidence": ("confidence", finite),
    "pinned": ("pinned", int),
    "group_id": ("group", None),
}
"""Of which field a column is made, and how; any other is the field of its name as it is."""


def own_fields(owner: str, kind: type[Record], records: Sequence[Record]) -> Fields:
    """The fields of these records, column by column. No record is kept under an owner it does not name, and no id comes
    twice in one call."""
    fields = {name: list(map(attrgetter(name), records)) for name in names_of(kind)}  # type: ignore[arg-type]
    if {*fields["owner"]} != {owner}:
        record_id, other = next(one for one in zip(fields["id"], fields["owner"], strict=True) if one[1] != owner)
        raise InvalidInput(f"{record_id!r} belongs to {other!r} and can't be kept for {owner!r}")
    if len({*fields["id"]}) < len(records):
        raise InvalidInput("two of these records have the same id")
    return fields


_WAYS = {
    kind: [(name, *_MADE_OF.get(name, (name, None))) for name in columns[2:]]
    for kind, columns in (*COLUMNS.items(), ("change", CHANGE_COLUMNS))
}


def in_columns(kind: str, fields: Fields) -> Fields:
    """What the table of a kind keeps of these fields, column by column in its order, but for number and owner."""
    return {name: list(map(make, fields[field])) if make else fields[field] for name, field, make in _WAYS[kind]}


@dataclass(frozen=True)
class Rows:
    """Records of one kind as a store keeps them, column by column."""

    kind: RecordKind
    fields: Fields
    columns: Fields
    """As `in_columns` gives them."""
    wordings: Sequence[str]
    """The terms each is found by."""

    @property
    def ids(self) -> Sequence[str]:
        return self.fields["id"]

    @property
    def spans(self) -> tuple[list[int], list[int]]:
        """From when and until when each counts as holding; nothing retired ever does."""
        many = len(self.ids)
        if self.kind == "message":
            return [NEVER] * many, [ALWAYS] * many
        since, until = self.columns.get("since", [None] * many), self.columns.get("until", [None] * many)
        return bounds(since, self.columns["retired"], NEVER), bounds(until, self.columns["retired"], ALWAYS)

    @property
    def newest(self) -> int | None:
        """The newest moment at which we came to know something, as these records tell."""
        told = [*self.columns["learned"], *self.columns.get("retired", ())]
        return max([one for one in told if one is not None], default=None)

    @property
    def quoting(self) -> list[tuple[str, str]]:
        """The messages that facts come from, each with the id of the fact."""
        told = zip(self.ids, self.fields["sources"], strict=True)
        return sorted({(source.message, fact) for fact, sources in told if sources for source in sources})

    @property
    def doubting(self) -> list[tuple[str, str]]:
        """The messages that cast a doubt on facts, each with the id of the fact."""
        told = zip(self.ids, self.fields["doubted_by"], strict=True)
        return sorted({(doubt.message, fact) for fact, doubt in told if doubt is not None})

    def refuse_taken(self, known: Mapping[str, int]) -> None:
        """Messages must be new, and any other record keeps its kind; given the kinds of those that are there, by id."""
        for record_id, number in known.items():
            if self.kind == "message":
                raise IdTaken(f"there is a record with the id {record_id!r} already: ids must be new")
            if KINDS[number] != self.kind:
                raise InvalidInput(f"{record_id!r} is the id of a {KINDS[number]} and can't become a {self.kind}")

    def at(self, places: Sequence[int]) -> Rows:
        """Those at these places only."""
        fields, columns = [
            {name: [column[place] for place in places] for name, column in table.items()}
            for table in (self.fields, self.columns)
        ]
        return Rows(self.kind, fields, columns, [self.wordings[place] for place in places])


def bounds(moments: Sequence[int | None], retired: Sequence[int | None], unknown: int) -> list[int]:
    """One end of the times for which records hold; that of a retired one is on the wrong side."""
    told = zip(moments, retired, strict=True)
    return [-unknown if gone is not None else unknown if one is None else one for one, gone in told]


def rows_of(kind: RecordKind, fields: Fields) -> Rows:
    """The rows that records of these fields become. What can't be one is refused before anything is written."""
    return Rows(kind, fields, in_columns(kind, fields), [*map(wording_of, texts_of(kind, fields))])


def texts_of(kind: RecordKind, fields: Fields) -> Iterable[str]:
    """The text that each of these records is found by."""
    if kind == "fact":
        return fields["text"]
    if kind == "message":
        return map(spoken, fields["name"], fields["content"])
    return map(titled, fields["path"], fields["text"])


def plain_term(term: str) -> str:
    """A term as the word index keeps it: no blanks, so that a blank parts two terms, and no capital ASCII letters."""
    return term[:LONGEST_TERM].translate(_BLANKS)


def terms_of(words: Sequence[str]) -> list[str]:
    """The different terms that a query asks for."""
    return list(dict.fromkeys(plain_term(word) for word in words if word))[:MOST_WORDS]


def wording_of(text: str) -> str:
    """The terms a text is found by, as the word index keeps them, with a blank between two."""
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
