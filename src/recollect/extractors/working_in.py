"""What someone works in: a field, a town, or a kind of place."""

from __future__ import annotations

import re

from recollect._values import word_set
from recollect.extractors import values
from recollect.extractors.home_and_work import workplace
from recollect.extractors.patterns import Found, Groups, rows_of
from recollect.extractors.verbs import Predicate
from recollect.programs import SOFTWARE

row = rows_of(__name__)

_NO_FIELD = word_set("field industry sector office morning evening afternoon")
_AT_WORK = re.compile(
    r"(?i)(?:an?|the) (?:[\w-]+ ){0,2}(?:hospital|clinic|school|bank|hotel|restaurant|kitchen|caf[eé]|bar|pub|bakery|"
    r"brewery|shop|store|supermarket|bookshop|pharmacy|salon|studio|library|museum|theat(?:re|er)|factory|plant|mill|"
    r"mine|shipyard|warehouse|workshop|garage|lab|laboratory|call cent(?:re|er)|nursery|kindergarten|daycare|prison|"
    r"court|embassy|post office|law firm|agency|startup|start-up|company|firm|farm|vineyard|greenhouse|airport|"
    r"care home|nursing home|garden cent(?:re|er)|university|college)(?= in [A-Z]|$)"
)
"""A place where people work, by what it is."""
_FIELDS = word_set(
    "sales marketing finance accounting engineering support product design legal tech retail education healthcare "
    "hospitality construction insurance banking publishing advertising consulting research operations logistics "
    "procurement compliance security recruiting payroll manufacturing agriculture media journalism politics"
)
"""Fields that are also written with a capital."""


_SERVICES = frozenset(
    ("army", "navy", "air force", "military", "police", "government", "civil service", "public service", "arts")
)
"""Fields that have an article, and need not be called one."""


def works_in(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "work in finance", "work in Lisbon", "work in a bakery": three things that one does at a time."""
    said = values.cut(groups["v"], "at", "for", "as", "with")
    if place := _AT_WORK.match(said):
        return workplace(said, place[0])
    value = re.sub(r"(?i)^the ", "", values.one(said))
    article = re.match(r"(?i)(?:an?|the) ", said)
    known = groups["kind"] or value.lower() in _SERVICES or not article or is_town(value)
    if not value or not known or {value.lower()} & (_NO_FIELD | SOFTWARE) or len(value.split()) > 4:
        return []
    return [Found("work location" if is_town(value) else "field", value)]


def is_town(value: str) -> bool:
    """Whether it is written as towns are: neither HR nor Sales."""
    return value[0].isupper() and not value.isupper() and not _FIELDS & {*value.lower().split()}


row(
    "work",
    r"in (?:the (?:field|area|domain) of )?(?P<v>(?:the )?[\w &-]{2,40}?)"
    r"(?: (?P<kind>industry|sector|field|department|business))?$",
    works_in,
)
