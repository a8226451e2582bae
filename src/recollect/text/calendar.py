"""Calendar arithmetic for `when`: days, weeks, months, seasons and years as half-open spans of local time."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, datetime, time, timedelta, timezone, tzinfo

Span = tuple[datetime, datetime]
"""From the first moment inside to the first moment after; local time, without a zone."""

ONE_DAY = timedelta(days=1)


def day(moment: date) -> Span:
    """The whole day."""
    start = datetime.combine(moment, time())
    return start, start + ONE_DAY


def days(start: datetime, many: int) -> Span:
    """This many whole days."""
    first = day(start)[0]
    return first, first + many * ONE_DAY


def week(moment: datetime) -> Span:
    """The week, from Monday on."""
    return days(moment - moment.weekday() * ONE_DAY, 7)


def months(year: int, month: int, many: int = 1) -> Span:
    """This many whole months, from that one on; a month over twelve is one of the next years."""
    start = datetime(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)
    return start, add_months(start, many)


def years(year: int, many: int = 1) -> Span:
    """This many whole years."""
    return datetime(year, 1, 1), datetime(year + many, 1, 1)


def quarter(moment: datetime) -> Span:
    """The quarter of a year."""
    return months(moment.year, (moment.month - 1) // 3 * 3 + 1, 3)


def add_months(moment: datetime, many: int) -> datetime:
    """The same day so many months on, or the last of that month where it has no such day."""
    place = moment.year * 12 + moment.month - 1 + many
    year, month = place // 12, place % 12 + 1
    if not 1 <= year <= 9999:
        raise ValueError(f"year {year} is out of range")
    return moment.replace(year=year, month=month, day=min(moment.day, monthrange(year, month)[1]))


def third(span: Span, place: int) -> Span:
    """The early (0), middle (1) or late (2) part: whole months of a year or more, whole days of anything shorter."""
    start, end = span
    total = (end.year - start.year) * 12 + end.month - start.month
    if total >= 12:
        return add_months(start, total * place // 3), add_months(start, total * (place + 1) // 3)
    length = (end - start).days
    return start + length * place // 3 * ONE_DAY, start + length * (place + 1) // 3 * ONE_DAY


def beside(span: Span, side: int) -> Span:
    """The time of the same length right before (-1) or right after (1)."""
    start, end = span
    total = (end.year - start.year) * 12 + end.month - start.month
    if start.day == end.day == 1 and start.time() == end.time() == time():
        return add_months(start, side * total), add_months(end, side * total)
    return start + side * (end - start), end + side * (end - start)


def back(now: datetime, many: int, unit: str) -> Span:
    """The time so many units from now (negative: ago), as coarse as the unit lets one mean it.

    Days give that day, weeks that week, months that month; years give a month too, because the order of two
    events in neighbouring years must not depend on where in its year each is placed.
    """
    if unit in ("minute", "hour"):
        length = timedelta(minutes=1) if unit == "minute" else timedelta(hours=1)
        return now + many * length, now + (many + 1) * length
    if unit == "day":
        return day(now + many * ONE_DAY)
    if unit == "week":
        return week(now + 7 * many * ONE_DAY)
    if unit == "decade":
        return years(now.year + 10 * many)
    then = add_months(now, many * MONTHS[unit])
    return months(then.year, then.month)


def exactly_back(now: datetime, many: int, unit: str) -> datetime:
    """The moment so many units before now."""
    if unit in ("minute", "hour"):
        return now - many * (timedelta(minutes=1) if unit == "minute" else timedelta(hours=1))
    if unit in ("day", "week"):
        return day(now - many * (7 if unit == "week" else 1) * ONE_DAY)[0]
    return day(add_months(now, -many * MONTHS[unit]))[0]


MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
"""How many months these units have."""


def instant(value: datetime) -> tuple[datetime, datetime]:
    """A single moment as a range of one microsecond, in UTC."""
    at = value.replace(tzinfo=timezone.utc) if value.tzinfo is None else value.astimezone(timezone.utc)
    try:
        return at, at + timedelta(microseconds=1)
    except OverflowError:
        return at, at


def in_utc(span: Span, zone: tzinfo) -> tuple[datetime, datetime]:
    """The span of local time of a zone, in UTC."""
    return span[0].replace(tzinfo=zone).astimezone(timezone.utc), span[1].replace(tzinfo=zone).astimezone(timezone.utc)


def plain_iso(words: str) -> str:
    """The ISO moment in the one shape that Python 3.10 reads too."""
    words = re.sub("[zZ]$", "+00:00", words.replace(",", "."))
    words = re.sub(r"([+-]\d\d)(\d\d)$", r"\1:\2", words)
    return re.sub(r"\.(\d+)", lambda match: "." + match[1][:6].ljust(6, "0"), words)
