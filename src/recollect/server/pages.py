"""Lists by pages. A cursor says where a list goes on, and for which list: it is worthless for any other."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import threading
from collections import OrderedDict
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


class Lists:
    """The newest lists, so that their next pages need not be read from the store again while nothing is written."""

    def __init__(self, most: int = 8) -> None:
        self.most = most
        self.kept: OrderedDict[str, tuple[object, Sequence[Any]]] = OrderedDict()
        self.lock = threading.Lock()

    def rows(
        self, of: Sequence[object], stamp: object, read: Callable[[], Sequence[Row]], *, first: bool
    ) -> Sequence[Row]:
        """The rows of a list; for a page after the first, those it had then, if its stamp is still the same."""
        name = seal(of)
        with self.lock:
            held = self.kept.get(name)
        if not first and held is not None and held[0] == stamp:
            return held[1]
        found = read()
        with self.lock:
            self.kept[name] = (stamp, found)
            self.kept.move_to_end(name)
            while len(self.kept) > self.most:
                self.kept.popitem(last=False)
        return found

    def forget(self) -> None:
        """After an erase nothing that was listed is kept."""
        with self.lock:
            self.kept.clear()


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
