"""What is given as a time, as a moment: a date, "2024-03", "last March"; and a moment as people read it. Pure."""

from __future__ import annotations

import math
import re
from datetime import date, datetime, timedelta, timezone

from recollect import _dates as dates
from recollect.errors import InvalidInput
from recollect.when import find

Time = datetime | date | str | int | float
"""A moment, a date, an ISO text such as "2024-03", a phrase such as "last March", or seconds since 1970."""

_ACCEPTED = (
    "a datetime, a date, seconds since 1970, an ISO date such as '2024-03-05', '2024-03' or '2024', "
    "or words such as 'last March'"
)


def moment(value: datetime | date | str | int | float, now: datetime) -> datetime:
    """The moment a value means, in UTC; for a period (a date, "2024-03", "last March") its last microsecond.

    So what was true "in 2024-03" is what was true when that month ended. A datetime without a zone is taken as UTC.
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


_ISO_PERIOD = r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?"
_ISO_MOMENT = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?"


def _told_period(value: str, now: datetime) -> tuple[datetime, datetime]:
    words = value.strip()
    zone = now.tzinfo or timezone.utc
    if match := re.fullmatch(_ISO_PERIOD, words, re.ASCII):
        year, month, number = (int(part) if part else None for part in match.groups())
        if month is None or year is None:
            return dates.in_utc(dates.years(year or 0), zone)
        first = date(year, month, number or 1)
        return dates.in_utc(dates.day(first) if number else dates.months(first.year, first.month), zone)
    if re.fullmatch(_ISO_MOMENT, words, re.ASCII | re.IGNORECASE):
        return dates.instant(datetime.fromisoformat(dates.plain_iso(words)))
    if words.lower() == "now":
        return dates.instant(now)
    found = find(words, now) or find(f"in {words}", now)
    if not found:
        raise InvalidInput(f"{value!r} is no time we understand; pass {_ACCEPTED}")
    return found[0].start, found[0].end


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
