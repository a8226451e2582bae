"""Calendar arithmetic: days, weeks, months, quarters and years as half-open spans of local time."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, datetime, time, timedelta

Span = tuple[datetime, datetime]
"""From the first moment inside to the first moment after; local time, without a zone."""

DAY = timedelta(days=1)
LENGTHS = {"minute": timedelta(minutes=1), "hour": timedelta(hours=1), "day": DAY, "week": 7 * DAY, "weekend": 7 * DAY}
MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
"""How many months these units have."""


def days(first: date, many: int = 1) -> Span:
    """This many whole days."""
    start = datetime.combine(first, time())
    return start, start + many * DAY


def months(year: int, month: int, many: int = 1) -> Span:
    """This many whole months, from that one on; a month over twelve is one of the next years."""
    start = datetime(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)
    return start, add_months(start, many)


def unit_around(moment: datetime, unit: str) -> Span:
    """The unit of the calendar that a moment is in: weeks begin on Monday; a minute or an hour begins with it."""
    if unit in ("minute", "hour"):
        return moment, moment + LENGTHS[unit]
    if unit == "day":
        return days(moment)
    if unit in ("week", "weekend"):
        monday = moment - moment.weekday() * DAY
        return days(monday, 7) if unit == "week" else days(monday + 5 * DAY, 2)
    many = MONTHS[unit]
    first = (moment.year * 12 + moment.month - 1) // many * many
    return months(first // 12, first % 12 + 1, many)


def add_months(moment: datetime, many: int) -> datetime:
    """The same day so many months on, or the last of that month where it has no such day."""
    year, month = divmod(moment.year * 12 + moment.month - 1 + many, 12)
    if not 1 <= year <= 9999:
        raise ValueError(f"year {year} is out of range")
    return moment.replace(year=year, month=month + 1, day=min(moment.day, monthrange(year, month + 1)[1]))


def shifted(moment: datetime, many: int, unit: str) -> datetime:
    """The moment so many units later, or earlier where that is negative."""
    return add_months(moment, many * MONTHS[unit]) if unit in MONTHS else moment + many * LENGTHS[unit]


def whole_months(span: Span) -> int:
    """How many months lie between the two ends, as the calendar counts."""
    return (span[1].year - span[0].year) * 12 + span[1].month - span[0].month


def third(span: Span, place: int) -> Span:
    """The early (0), middle (1) or late (2) part: whole months of a year or more, whole days of anything shorter."""
    start, end = span
    if (total := whole_months(span)) >= 12:
        return add_months(start, total * place // 3), add_months(start, total * (place + 1) // 3)
    length = (end - start).days
    return start + length * place // 3 * DAY, start + length * (place + 1) // 3 * DAY


def neighbour(span: Span, side: int) -> Span:
    """The time of the same length right before (-1) or right after (1)."""
    start, end = span
    if start.day == end.day == 1 and start.time() == end.time() == time():
        many = side * whole_months(span)
        return add_months(start, many), add_months(end, many)
    return start + side * (end - start), end + side * (end - start)
