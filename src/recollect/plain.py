"""Records as plain dictionaries and back: what the change log, exports and JSON output are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime, timezone
from functools import lru_cache
from typing import Any, TypeVar

from recollect.errors import InvalidInput
from recollect.records import Change, Fact, Message, Note, Source

Record = TypeVar("Record", Message, Fact, Note, Change)

TIMES = frozenset({"at", "said", "learned", "since", "until", "retired"})


def to_plain(value: Any) -> Any:
    """The same data made of dictionaries, lists, strings and numbers only."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, datetime):
        return value.astimezone(timezone.utc).isoformat()
    if is_dataclass(value):
        return {name: to_plain(getattr(value, name)) for name in names_of(value.__class__)}
    if isinstance(value, Mapping):
        return {str(key): to_plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple | frozenset | set):
        return [to_plain(part) for part in value]
    return value


@lru_cache(maxsize=64)
def names_of(kind: Any) -> tuple[str, ...]:
    """The names of a record's fields; `fields` takes its time to find them."""
    return tuple(field.name for field in fields(kind))


def from_plain(kind: type[Record], data: Mapping[str, Any]) -> Record:
    """The record that `to_plain` made this dictionary from; anything else is refused."""
    known = {field.name for field in fields(kind)}
    if strange := sorted(set(data) - known):
        raise InvalidInput(f"a {kind.__name__.lower()} has no field {strange[0]!r}; fields are {sorted(known)}")
    try:
        return kind(**{name: read_field(name, value) for name, value in data.items()})
    except (TypeError, ValueError, KeyError) as error:
        raise InvalidInput(f"not a {kind.__name__.lower()}: {error} in {str(dict(data))[:200]!r}") from error


def read_field(name: str, value: Any) -> Any:
    """One field's value from its plain form."""
    if name in TIMES and value is not None:
        return read_time(value)
    if name == "sources":
        return tuple(Source(message=part["message"], quote=part["quote"]) for part in value)
    return value


def read_time(value: str) -> datetime:
    """A moment from its ISO form; one without a zone is taken as UTC."""
    moment = datetime.fromisoformat(value.replace("Z", "+00:00"))
    return moment.replace(tzinfo=timezone.utc) if moment.tzinfo is None else moment.astimezone(timezone.utc)
