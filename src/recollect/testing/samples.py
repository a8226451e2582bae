"""Records to test with, and the words of the checks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from recollect import Fact, Message, Note
from recollect.records import Change
from recollect.store import Query, Store
from recollect.text.words import terms

T0 = datetime(2026, 5, 4, 10, 0, 0, 123456, tzinfo=timezone.utc)
Check = Callable[[Store], None]
CHECKS: dict[str, Check] = {}
"""Every check by its name, which is a sentence that is true of a store."""


def check(*values: object) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a function one of the checks, or as many as there are values, each for a store that is new and empty."""

    def register(function: Callable[..., None]) -> Callable[..., None]:
        if not values:
            CHECKS[function.__name__] = function
        for number, value in enumerate(values):
            CHECKS[f"{function.__name__}-{number}"] = partial(lambda value, store: function(store, value), value)
        return function

    return register


@contextmanager
def refused(kind: type[Exception], match: str = "") -> Iterator[None]:
    """What is done inside must raise this error, with these words."""
    try:
        yield
    except kind as error:
        if not re.search(match, str(error)):
            raise AssertionError(f"{str(error)!r} does not say {match!r}") from error
    else:
        raise AssertionError(f"{kind.__name__} was not raised")


def keep(store: Store, *saved: Any) -> None:
    """Save each of these, a record or a list of records, for its owner."""
    for one in saved:
        records = one if isinstance(one, list) else [one]
        store.save(records[0].owner, records)


def found(store: Store, text: str, **more: Any) -> list[str]:
    """The ids of what these words find for ana."""
    return [match.id for match in store.match_words("ana", terms(text), limit=10, **more)]


def ids(store: Store, kind: type[Any], **conditions: Any) -> list[str]:
    """The ids of ana's records of a kind that meet these conditions."""
    return [record.id for record in store.read("ana", kind, Query(**conditions))]


def vector(*numbers: float) -> npt.NDArray[np.float32]:
    return np.array(numbers, dtype=np.float32)


def day(number: float) -> datetime:
    return T0 + timedelta(days=number)


def message(record_id: str, content: str = "I like window seats.", *, owner: str = "ana", **more: Any) -> Message:
    values: dict[str, Any] = {"session": "monday", "role": "user", "at": T0, "learned": T0} | more
    return Message(id=record_id, owner=owner, content=content, **values)


def fact(record_id: str, text: str = "Likes window seats.", *, owner: str = "ana", **more: Any) -> Fact:
    values: dict[str, Any] = {"subject": "user", "attribute": "seat", "value": "window", "category": "travel"} | more
    times: dict[str, Any] = {"said": T0, "learned": T0}
    return Fact(id=record_id, owner=owner, text=text, **(times | values))


def note(record_id: str, text: str = "Be brief.", *, owner: str = "ana", **more: Any) -> Note:
    values: dict[str, Any] = {"path": "/memories/persona.md", "version": 1, "learned": T0} | more
    return Note(id=record_id, owner=owner, text=text, **values)


def change(record_id: str, about: str = "f1", *, owner: str = "ana", **more: Any) -> Change:
    values: dict[str, Any] = {"kind": "stored", "record": "fact", "at": T0, "origin": "user", "group": "g1"} | more
    return Change(id=record_id, owner=owner, record_id=about, **({"why": "said so"} | values))
