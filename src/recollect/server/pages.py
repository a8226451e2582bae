"""Lists by pages. A cursor says where a list goes on, and for which list: it is worthless for any other."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from recollect import Memory
from recollect.errors import InvalidInput
from recollect.read import facts_page

Row = TypeVar("Row")

NO_CURSOR = "this is not a cursor: leave it out to begin anew"


class Page(BaseModel, Generic[Row]):
    """Rows, and where the list goes on."""

    items: list[Row]
    next: str | None = None


def page(
    rows: Sequence[Row],
    limit: int,
    cursor: str | None,
    of: Sequence[object],
    place: Callable[[Row], Sequence[Any]],
    *,
    rising: bool = False,
) -> dict[str, Any]:
    """The rows after the cursor. `of`: what the list is of; `place`: where a row stands in its order."""
    start = 0 if cursor is None else begin_after(read_cursor(cursor, of), rows, place, rising)
    found = rows[start : start + limit]
    end = start + limit
    more = end < len(rows)
    return {"items": list(found), "next": make_cursor([str(end), *stood(place(found[-1]))], of) if more else None}


def begin_after(cursor: list[str], rows: Sequence[Row], place: Callable[[Row], Sequence[Any]], rising: bool) -> int:
    """Where a list goes on: after the row of the cursor, or where it stood if it has gone since."""
    number, *after = cursor or [""]
    end = int(number) if number.isascii() and number.isdigit() and len(number) < 10 else 0
    if 0 < end <= len(rows) and stood(place(rows[end - 1])) == after:
        return end
    places = [stood(place(row)) for row in rows]
    if after in places:
        return places.index(after) + 1
    beyond = (number for number, place in enumerate(places) if (place > after if rising else place < after))
    return next(beyond, len(places))


def facts_after(memory: Memory, limit: int, cursor: str | None, of: Sequence[object], **asked: Any) -> dict[str, Any]:
    """A page of facts, latest said first, which the store cuts itself."""
    before = None if cursor is None else position_in(read_cursor(cursor, of))
    found = facts_page(memory, limit=limit + 1, before=before, **asked)
    return cut(found, limit, of, lambda fact: (fact.said, fact.learned, fact.id))


def cut(rows: Sequence[Row], limit: int, of: Sequence[object], place: Callable[[Row], Sequence[Any]]) -> dict[str, Any]:
    """Rows, of which there is one too many where the list goes on."""
    found = rows[:limit]
    return {"items": list(found), "next": make_cursor(stood(place(found[-1])), of) if len(rows) > limit else None}


def position_in(told: Sequence[str]) -> tuple[datetime, datetime, str]:
    """Where a fact stands, as a cursor tells it."""
    said, *rest = told or [""]
    learned, fact = moment_and_id(rest)
    return moment_in(said), learned, fact


def moment_and_id(told: Sequence[str]) -> tuple[datetime, str]:
    """When, and which record, as a cursor tells it."""
    if len(told) != 2:
        raise InvalidInput(NO_CURSOR)
    return moment_in(told[0]), told[1]


def moment_in(told: str) -> datetime:
    try:
        moment = datetime.fromisoformat(told)
    except ValueError as error:
        raise InvalidInput(NO_CURSOR) from error
    if moment.tzinfo is None:
        raise InvalidInput(NO_CURSOR)
    return moment


def count_in(told: Sequence[str]) -> int:
    """A number, as a cursor tells it."""
    if len(told) != 1 or not told[0].isdecimal() or len(told[0]) > 15:
        raise InvalidInput(NO_CURSOR)
    return int(told[0])


def whole_list(rows: Sequence[Row]) -> dict[str, Any]:
    """All rows on one page."""
    return {"items": list(rows), "next": None}


def stood(place: Sequence[Any]) -> list[str]:
    return [str(part) for part in place]


def make_cursor(after: list[str], of: Sequence[object]) -> str:
    return base64.urlsafe_b64encode(json.dumps([seal(of), *after]).encode()).decode().rstrip("=")


def read_cursor(cursor: str, of: Sequence[object]) -> list[str]:
    try:
        sealed, *after = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, TypeError, RecursionError, binascii.Error) as error:
        raise InvalidInput(NO_CURSOR) from error
    if sealed != seal(of) or not all(isinstance(part, str) for part in after):
        raise InvalidInput("this cursor is of another list: use it with the same owner and filters, or begin anew")
    return list(after)


def seal(of: Sequence[object]) -> str:
    """A mark of a list: its owner, its name and its filters."""
    return hashlib.sha256(json.dumps([str(part) for part in of]).encode()).hexdigest()[:16]
