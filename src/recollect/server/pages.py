"""Lists by pages. A cursor says where a list goes on, and for which list: it is worthless for any other."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from recollect import InvalidInput

Row = TypeVar("Row")


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
    start = 0 if cursor is None else begin_after(read_cursor(cursor, of), [stood(place(row)) for row in rows], rising)
    found = rows[start : start + limit]
    more = start + limit < len(rows)
    return {"items": list(found), "next": make_cursor(stood(place(found[-1])), of) if more else None}


def begin_after(after: list[str], places: Sequence[list[str]], rising: bool) -> int:
    """Where a list goes on: after the row of the cursor, or where it stood if it has gone since."""
    if after in places:
        return places.index(after) + 1
    beyond = (number for number, place in enumerate(places) if (place > after if rising else place < after))
    return next(beyond, len(places))


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
        raise InvalidInput("this is not a cursor: leave it out to begin anew") from error
    if sealed != seal(of) or not all(isinstance(part, str) for part in after):
        raise InvalidInput("this cursor is of another list: use it with the same owner and filters, or begin anew")
    return list(after)


def seal(of: Sequence[object]) -> str:
    """A mark of a list: its owner, its name and its filters."""
    return hashlib.sha256(json.dumps([str(part) for part in of]).encode()).hexdigest()[:16]
