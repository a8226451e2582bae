"""Records as plain dictionaries and back: what the change log, exports and JSON output are made of."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import datetime, timezone
from functools import lru_cache
from operator import attrgetter, contains
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from recollect.errors import InvalidInput

Record = TypeVar("Record")

AS_IT_IS = frozenset((type(None), str, int, float, bool))
"""Types that are plain already."""


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
    shape = shape_of(kind)  # type: ignore[arg-type]
    if not shape.names >= data.keys():
        unknown, known = min(data.keys() - shape.names), sorted(shape.names)
        raise InvalidInput(f"a {kind.__name__.lower()} has no field {unknown!r}; fields are {known}")
    try:
        return kind(**{**data, **{name: read(data[name]) for name, read in shape.reading if name in data}})
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


@dataclass(frozen=True)
class Shape:
    """What the plain form of a record is like."""

    names: frozenset[str]
    reading: tuple[tuple[str, Callable[[Any], Any]], ...]
    """The fields whose values are not plain already, each with what makes it from the plain form."""
    types: Mapping[str, frozenset[type]]
    """The other fields, each with the types that its value may have."""
    words: Mapping[str, frozenset[str]]
    """The fields that take one of a few words, each with these."""


@lru_cache(maxsize=64)
def shape_of(kind: Any) -> Shape:
    hints = get_type_hints(kind)
    readers = {name: reader(hints[name]) for name in names_of(kind)}
    return Shape(
        names=frozenset(readers),
        reading=tuple((name, read) for name, read in readers.items() if read is not same),
        types={name: types_in(hints[name]) for name, read in readers.items() if read is same},
        words={name: frozenset(get_args(hint)) for name, hint in hints.items() if get_origin(hint) is Literal},
    )


def types_in(hint: Any) -> frozenset[type]:
    """The types that a value of this type has in its plain form."""
    if get_origin(hint) in (Union, UnionType):
        return frozenset[type]().union(*map(types_in, get_args(hint)))
    if get_origin(hint) is Literal:
        return frozenset(map(type, get_args(hint)))
    if hint is float:
        return frozenset((float, int))
    return frozenset((dict,)) if get_origin(hint) in (dict, Mapping) else frozenset((hint,))


def misfit(kind: Any, data: Mapping[str, Any]) -> str | None:
    """The first field of such a record whose value has a type that it can't have, or is none of its words."""
    shape = shape_of(kind)
    for name in names_of(kind):
        types, words = shape.types.get(name), shape.words.get(name)
        if name in data and types is not None and type(data[name]) not in types:
            return name
        if name in data and words is not None and data[name] not in words:
            return name
    return None


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
    if get_origin(hint) not in (Union, UnionType):
        return same
    if all(is_dataclass(option) for option in options):  # told apart by their fields
        return lambda data: None if data is None else from_plain(fitting(options, data), data)
    one = reader(options[0]) if len(options) == 1 else same
    return one if one is same else lambda value: None if value is None else one(value)


def reader_of_record(kind: Any) -> Callable[[Any], Any]:
    """What reads a record inside another one; one whose fields are all plain already is quickly made."""
    shape = shape_of(kind)
    names, types = None if shape.reading else names_of(kind), list(shape.types.values())

    def read(data: Any) -> Any:
        if tuple(data) == names and all(map(contains, types, map(type, data.values()))):
            return kind(*data.values())
        if name := misfit(kind, data):
            raise TypeError(f"{name} can't be {data[name]!r}")
        return from_plain(kind, data)

    return read


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
