"""What is given as a time, as a moment: a date, "2024-03", "last March"; and a moment as people read it. Pure."""

from __future__ import annotations

import math
import re
from datetime import date, datetime, timedelta, timezone

from recollect.errors import InvalidInput
from recollect.text import calendar as dates
from recollect.text.dates import When, find

Time = datetime | date | str | int | float
"""A moment, a date, an ISO text such as "2024-03" or "2024-Q1", words such as "last March", or seconds since 1970."""

_ACCEPTED = (
    "a datetime, a date, seconds since 1970, an ISO text such as '2024-03-05T10:00', '2024-03-05', '2024-W10', "
    "'2024-03', '2024-Q1', '2024-H1' or '2024', or English words such as 'last March', 'Q1 2024', "
    "'first half of 2024' or 'summer 2023'"
)


def moment(value: datetime | date | str | int | float, now: datetime) -> datetime:
    """The moment a value means, in UTC; for a period (a date, "2024-03", "2024-Q1") its last microsecond.

    So what was true "in 2024-Q1" is what was true when that quarter ended. A datetime without a zone is taken as UTC.
    """
    start, end = period(value, now)
    return start if end - start <= timedelta(microseconds=1) else end - timedelta(microseconds=1)


def period(value: datetime | date | str | int | float, now: datetime) -> tuple[datetime, datetime]:
    """The range a value means, in UTC, its end not included; a single moment is one microsecond long."""
    try:
        if isinstance(value, str):
            return _told_period(value, now)
        if isinstance(value, datetime):
            return dates.instant(value)
        if isinstance(value, date):
            return dates.in_utc(dates.day(value), now.tzinfo or timezone.utc)
        if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
            return dates.instant(datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=value))
    except (OverflowError, ValueError) as error:
        if isinstance(error, InvalidInput):
            raise
        raise InvalidInput(f"{value!r} is no time we can use ({error}); pass {_ACCEPTED}") from error
    raise InvalidInput(f"{value!r} is no time; pass {_ACCEPTED}")


_ISO_MOMENT = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?"


def _told_period(value: str, now: datetime) -> tuple[datetime, datetime]:
    words = value.strip()
    if re.fullmatch(_ISO_MOMENT, words, re.ASCII | re.IGNORECASE):
        return dates.instant(datetime.fromisoformat(dates.plain_iso(words)))
    if re.fullmatch(r"\d{4}-\d\d-\d\d", words, re.ASCII):  # of any year, also those that no talk names
        return dates.in_utc(dates.day(date.fromisoformat(words)), now.tzinfo or timezone.utc)
    if words.lower() == "now":
        return dates.instant(now)
    found = _whole(words, now) or _whole(f"in {words}", now)
    if found is None:
        raise InvalidInput(f"{value!r} is no time we understand; pass {_ACCEPTED}")
    return found.start, found.end


def _whole(words: str, now: datetime) -> When | None:
    """The one time that all of the words tell, with both its ends: of "March or so" nothing is guessed."""
    found = find(words, now)
    whole = len(found) == 1 and found[0].at == (0, len(words)) and found[0].relation not in ("until", "from")
    return found[0] if whole else None


def readable(moment: datetime, *, now: datetime | None = None) -> str:
    """The day for people, such as `3 May 2026`; with `now`, the days next to it by name."""
    if now is not None:
        away = (moment.astimezone(now.tzinfo).date() - now.date()).days
        if away in (-1, 0, 1):
            return ("yesterday", "today", "tomorrow")[away + 1]
    return f"{moment.day} {_MONTHS[moment.month - 1]} {moment.year}"


_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
