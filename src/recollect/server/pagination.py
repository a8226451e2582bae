"""Lists by pages. A cursor says where a list goes on, and for which list: it is worthless for any other."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from recollect import Fact, Memory
from recollect.errors import InvalidInput
from recollect.read import facts_page

Row = TypeVar("Row")
Place = Callable[[Row], Sequence[Any]]
"""Where a row stands in the order of its list."""


class Page(BaseModel, Generic[Row]):
    """Rows, and where the list goes on. What routes give is made by `model_construct`: our records need no checks."""

    items: list[Row]
    next: str | None = None


def whole_list(rows: Sequence[Row]) -> Page[Row]:
    """All rows on one page."""
    return Page.model_construct(items=list(rows), next=None)


def page(
    rows: Sequence[Row],
    limit: int,
    cursor: str | None,
    of: Sequence[object],
    place: Place[Row],
    *,
    rising: bool = False,
) -> Page[Row]:
    """The rows after the cursor. `of`: what the list is of; `place`: where a row stands in its order."""
    start = 0 if cursor is None else begin_after(open_cursor(cursor, of), [stood(place(row)) for row in rows], rising)
    return cut(rows[start : start + limit + 1], limit, of, place)


def begin_after(after: list[str], places: list[list[str]], rising: bool) -> int:
    """Where a list goes on: after the row of the cursor, or where it stood if it has gone since."""
    if after in places:
        return places.index(after) + 1
    beyond = (number for number, place in enumerate(places) if (place > after if rising else place < after))
    return next(beyond, len(places))


def facts_after(memory: Memory, limit: int, cursor: str | None, of: Sequence[object], **asked: Any) -> Page[Fact]:
    """A page of facts, latest said first, which the store cuts itself."""
    before = None if cursor is None else read_cursor(cursor, of, moment_in, moment_in, str)
    found = facts_page(memory, limit=limit + 1, before=before, **asked)
    return cut(found, limit, of, lambda fact: (fact.said, fact.learned, fact.id))


def cut(rows: Sequence[Row], limit: int, of: Sequence[object], place: Place[Row]) -> Page[Row]:
    """Rows, of which there is one too many where the list goes on."""
    found = list(rows[:limit])
    following = make_cursor(stood(place(found[-1])), of) if len(rows) > limit else None
    return Page.model_construct(items=found, next=following)


def stood(place: Sequence[Any]) -> list[str]:
    return [str(part) for part in place]


def make_cursor(after: list[str], of: Sequence[object]) -> str:
    return base64.urlsafe_b64encode(json.dumps([seal(of), *after]).encode()).decode().rstrip("=")


def read_cursor(cursor: str, of: Sequence[object], *kinds: Callable[[str], Any]) -> tuple[Any, ...]:
    """The place that a cursor tells, part by part."""
    parts = open_cursor(cursor, of)
    try:
        return tuple(kind(part) for kind, part in zip(kinds, parts, strict=True))
    except ValueError as error:
        raise InvalidInput(NO_CURSOR) from error


def open_cursor(cursor: str, of: Sequence[object]) -> list[str]:
    try:
        sealed, *after = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, TypeError, RecursionError) as error:
        raise InvalidInput(NO_CURSOR) from error
    if sealed != seal(of) or not all(isinstance(part, str) for part in after):
        raise InvalidInput("this cursor is of another list: use it with the same owner and filters, or begin anew")
    return list(after)


NO_CURSOR = "this is not a cursor: leave it out to begin anew"


def seal(of: Sequence[object]) -> str:
    """A mark of a list: its owner, its name and its filters."""
    return hashlib.sha256(json.dumps([str(part) for part in of]).encode()).hexdigest()[:16]


def moment_in(told: str) -> datetime:
    """A time with its zone, as a cursor tells it."""
    moment = datetime.fromisoformat(told)
    if moment.tzinfo is None:
        raise ValueError(told)
    return moment


def count_in(told: str) -> int:
    """A number, as a cursor tells it."""
    if not told.isdecimal() or len(told) > 15:
        raise ValueError(told)
    return int(told)
