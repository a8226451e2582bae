"""The time that a statement about anything tells at its beginning or its end."""

from __future__ import annotations

import re
from datetime import datetime

from recollect.extractors.dates import Dated, bounds, tells_of_what_comes
from recollect.text.dates import When, find, may_tell

_TIMES = re.compile(
    r"(?i)\d{3,4}|\b(?:since|until|till|yesterday|today|tomorrow|last|ago|next|this|january|february|march|april|may|"
    r"june|july|august|september|october|november|december)\b"
)
_YEARS = re.compile(r"(?i)\s(?:from|between) (?P<a>\d{3}) (?:to|until|and) (?P<b>\d{3})$|\s(?:in|since) (?P<in>\d{3})$")


def timed(text: str, said: datetime) -> Dated:
    """The words of time at either end; a year in the midst belongs to a name."""
    if not may_tell(text) or not _TIMES.search(text):
        return Dated(text)
    if match := _YEARS.search(text):
        return early(text, match, said)
    rest, told = text, list[When]()
    for when in reversed(find(text, said, future=tells_of_what_comes(text), present=True)):
        last = not rest[when.at[1] :].strip(" ,") and when.text.split()[0].islower()
        if last:
            rest = rest[: when.at[0]].rstrip(" ,")
            told.append(when)
    for when in find(rest, said, present=True)[:1]:
        if when.at[0] == 0 and rest[when.at[1] :].startswith(","):
            rest = rest[when.at[1] :].lstrip(" ,")
            told.append(when)
    if not told:
        return Dated(text)
    since, until = bounds(told)
    return Dated(
        text=rest,
        phrase=" ".join(when.text for when in told),
        since=since,
        until=until,
        ahead=min(when.start for when in told) > said,
        bounded=all(when.relation == "during" for when in told),
    )


def early(text: str, match: re.Match[str], said: datetime) -> Dated:
    """Years before 1000, which are years only where nothing else can be meant."""
    first, last = int(match["a"] or match["in"]), match["b"] and int(match["b"])
    since = said.replace(year=first, month=1, day=1, hour=0, minute=0, second=0, microsecond=0)
    open_end = "since" in match[0].lower()
    until = None if open_end else since.replace(year=(last or first) + 1)
    return Dated(text[: match.start()], match[0].strip(), since, until, bounded=not open_end)
