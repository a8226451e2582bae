"""Records as plain dictionaries and back: what the change log, exports and JSON output are made of."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime, timezone
from functools import lru_cache
from operator import attrgetter, contains
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from recollect.errors import InvalidInput

Record = TypeVar("Record")

AS_IT_IS = frozenset((type(None), str, int, float, bool))
"""Types that are plain already."""
TEXT_OR_NONE = frozenset((type(None), str))


def to_plain(value: Any) -> Any:
    """The same data made of dictionaries, lists, strings and numbers only."""
    if value is None or isinstance(value, (str, int, float)):  # a union of types takes ten times as long
        return value
    if isinstance(value, datetime):
        return value.astimezone(timezone.utc).isoformat()
    if is_dataclass(value):
        names, parts = names_of(value.__class__), parts_of(value.__class__)(value)
        return {
            name: part if part.__class__ in AS_IT_IS else to_plain(part)
            for name, part in zip(names, parts, strict=True)
        }
    if isinstance(value, Mapping):
        return {str(key): part if part.__class__ in AS_IT_IS else to_plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple, frozenset, set)):
        return [to_plain(part) for part in value]
    return value


@lru_cache(maxsize=64)
def names_of(kind: Any) -> tuple[str, ...]:
    """The names of a record's fields; `fields` takes its time to find them."""
    return tuple(field.name for field in fields(kind))


@lru_cache(maxsize=64)
def parts_of(kind: Any) -> Callable[[Any], tuple[Any, ...]]:
    """What gives the values of a record's fields."""
    names = names_of(kind)
    return attrgetter(*names) if len(names) > 1 else lambda value: tuple(getattr(value, name) for name in names)


def from_plain(kind: type[Record], data: Mapping[str, Any]) -> Record:
    """The record that `to_plain` made this dictionary from; anything else is refused."""
    names, reading = readers(kind)  # type: ignore[arg-type]
    if not names >= data.keys():
        raise InvalidInput(
            f"a {kind.__name__.lower()} has no field {min(data.keys() - names)!r}; fields are {sorted(names)}"
        )
    try:
        return kind(**{**data, **{name: read(data[name]) for name, read in reading if name in data}})
    except (TypeError, ValueError, KeyError, AttributeError, OverflowError) as error:
        raise InvalidInput(f"not a {kind.__name__.lower()}: {error} in {str(dict(data))[:200]!r}") from error


def to_json(value: object) -> str:
    """JSON with letters kept as they are, so that a scan of the file sees them."""
    try:
        return _ENCODE(value)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"this can't be kept as JSON: {error}") from error


def _as_plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{value!r} is not JSON")


_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_as_plain).encode


@lru_cache(maxsize=64)
def plain_types(kind: Any) -> tuple[tuple[str, frozenset[type]], ...]:
    """The fields of a record that are plain already, each with the types that its value may have."""
    hints, (_, reading) = get_type_hints(kind), readers(kind)
    read = {name for name, _ in reading}
    return tuple((name, types_in(hints[name])) for name in names_of(kind) if name not in read)


def types_in(hint: Any) -> frozenset[type]:
    """The types that a value of this type has in its plain form."""
    if get_origin(hint) in (Union, UnionType):
        return frozenset[type]().union(*map(types_in, get_args(hint)))
    if get_origin(hint) is Literal:
        return frozenset(map(type, get_args(hint)))
    if hint is float:
        return frozenset((float, int))
    return frozenset((dict,)) if get_origin(hint) in (dict, Mapping) else frozenset((hint,))


@lru_cache(maxsize=64)
def plain_words(kind: Any) -> tuple[tuple[str, frozenset[str]], ...]:
    """The fields of a record that take one of a few words, each with these."""
    hints = get_type_hints(kind)
    return tuple((name, frozenset(get_args(hint))) for name, hint in hints.items() if get_origin(hint) is Literal)


def misfit(kind: Any, data: Mapping[str, Any]) -> str | None:
    """The first field of such a record whose value has a type that it can't have, or is none of its words."""
    given = [name for name in names_of(kind) if name in data]
    types, words = dict(plain_types(kind)), dict(plain_words(kind))
    return next((name for name in given if not fits(data[name], types.get(name), words.get(name))), None)


def fits(value: Any, types: frozenset[type] | None, words: frozenset[str] | None) -> bool:
    return (types is None or type(value) in types) and (words is None or value in words)


Reading = tuple[frozenset[str], tuple[tuple[str, Callable[[Any], Any]], ...]]


@lru_cache(maxsize=64)
def readers(kind: Any) -> Reading:
    """The fields of a record, and for each whose value is not plain already, what makes it from the plain form."""
    hints = get_type_hints(kind)
    reading = [(name, reader(hints[name])) for name in names_of(kind)]
    return frozenset(names_of(kind)), tuple([(name, read) for name, read in reading if read is not same])


def reader(hint: Any) -> Callable[[Any], Any]:
    """What makes a value of this type from its plain form."""
    options = [option for option in get_args(hint) if option is not type(None)]
    if hint is datetime:
        return read_time
    if isinstance(hint, type) and is_dataclass(hint):
        return reader_of_record(hint)
    if get_origin(hint) is tuple:
        one = reader(options[0])
        return lambda values: tuple([one(value) for value in values])
    if get_origin(hint) in (Union, UnionType):
        return reader_of_any(options)
    return same


def reader_of_record(kind: Any) -> Callable[[Any], Any]:
    """What reads a record inside another one; one whose fields are all plain already is quickly made."""
    names = None if readers(kind)[1] else names_of(kind)
    types = [allowed for _, allowed in plain_types(kind)]

    def read(data: Any) -> Any:
        if tuple(data) == names and all(map(contains, types, map(type, data.values()))):
            return kind(*data.values())
        if name := misfit(kind, data):
            raise TypeError(f"{name} can't be {data[name]!r}")
        return from_plain(kind, data)

    return read


def reader_of_any(options: list[Any]) -> Callable[[Any], Any]:
    """What reads a value of one of these types, or none: records are told apart by their fields."""
    if all(is_dataclass(option) for option in options):
        return lambda data: None if data is None else from_plain(fitting(options, data), data)
    one = reader(options[0]) if len(options) == 1 else same
    return one if one is same else lambda value: None if value is None else one(value)


def fitting(options: list[Any], data: Mapping[str, Any]) -> Any:
    """The first of these records that has all fields of the data."""
    return next((option for option in options if set(data) <= set(names_of(option))), options[0])


def same(value: Any) -> Any:
    """Texts, numbers and dictionaries are plain already."""
    return value


def read_time(value: str) -> datetime:
    """A moment from its ISO form; one without a zone is taken as UTC."""
    moment = datetime.fromisoformat(value.replace("Z", "+00:00"))
    if moment.tzinfo is timezone.utc:
        return moment
    return moment.replace(tzinfo=timezone.utc) if moment.tzinfo is None else moment.astimezone(timezone.utc)
