"""How much or how many of something a thing has, and what a variable is set to."""

from __future__ import annotations

import re

from recollect._values import word_set
from recollect.attributes import attribute
from recollect.extractors.business import COUNTED
from recollect.extractors.patterns import Found
from recollect.records import Kind

NOT_ME = word_set("customer user owner speaker human")
"""Words that stand for the speaker by themselves; "the customer database" is a thing, "each user" is anybody."""
_ENV = re.compile(r"^`?(?P<np>[A-Z][A-Z\d_]{2,})`? is (?:now )?(?:set to )?`?(?P<v>[\w./:-]+)`?(?P<now> now)?$")
"""What a variable is set to, whose name is written in capitals."""
_HAS_COUNT = re.compile(
    r"^(?:[Tt]he |[Oo]ur |(?=(?i:prod|production|staging|dev|ci)\b))(?P<np>(?:[\w-]+ ){0,2}[\w-]+) has (?P<now>now "
    r")?(?P<v>\d[\d,.]*|two|three|four|five|six|"
    r"seven|eight|"
    r"nine|ten|twelve) (?P<key>[A-Za-z]+s)(?P<late> now)?(?: since .+)?$"
)
"""How many of something a thing has: "the orders topic has 12 partitions"."""
_HAS_OF = re.compile(
    r"^(?:[Tt]he|[Oo]ur|[Mm]y) (?P<np>(?:[\w-]+ ){0,2}?[\w-]+) ha(?:s|ve) (?P<now>now )?an? "
    r"(?P<key>(?:[a-z-]+ ){0,2}[a-z-]+) of (?P<v>[$€£]?\d[\w.,%]*(?: [A-Za-z%]+){0,2}?)(?P<late> now)?$"
)
"""What a thing has so much of: "the pods have a memory limit of 512 MB"."""
_EACH_GETS = re.compile(
    r"(?i)^(?:each|every) (?P<np>[a-z][\w-]*(?: [a-z][\w-]*)?) (?:gets|has) (?P<v>\d[\d.,]* ?[KMGT]i?B) of "
    r"(?P<key>[a-z]+)(?: now)?$"
)


_UP_TO = re.compile(
    r"^(?:[Tt]he |[Oo]ur )?(?P<np>(?!(?i:i|we|he|she|they|it|that|this|there|you)\b)(?:[\w-]+ ){0,2}?[\w-]+) "
    r"(?:is|are) "
    r"(?:now )?(?:back )?(?:up|down) (?:to|at) (?P<v>\d[\d,.]*|two|three|four|five|six|seven|eight|nine|ten|twelve) "
    rf"(?P<key>{'|'.join(sorted(COUNTED))}|people|replicas|instances|workers|brokers|pods)(?: now)?$"
)
"""How many a team or a site has come to: "Hamburg is up to 15 employees"."""


def so_much(text: str) -> list[Found]:
    """ "The pods have a memory limit of 512 MB", "each worker gets 1 GB of memory", "LOG_LEVEL is set to debug"."""
    if (" up " in text or " down " in text) and (match := _UP_TO.match(text)):
        return [Found(f"number of {match['key']}", match["v"], kind="update", subject=match["np"], many=False)]
    match = _ENV.match(text)
    if match and ("_" in match["np"] or "set to" in text):
        return [Found("value", match["v"], kind=as_told(match), subject=match["np"], many=False)]
    if " of " in text and (match := _EACH_GETS.match(text)):
        about = f"each {match['np']}" if match["np"].lower() in NOT_ME else match["np"]
        return [Found(match["key"], match["v"], subject=about, many=False, confidence=0.8)]
    if " of " in text and (match := _HAS_OF.match(text)):
        name = attribute(match["key"]).name
        return [Found(name, match["v"], kind=as_told(match), subject=match["np"], confidence=0.8)]
    match = _HAS_COUNT.match(text) if " has " in text else None
    if match is None:
        return []
    key = match["key"].lower()
    return [Found(key, match["v"], kind=as_told(match), subject=match["np"], many=False, confidence=0.8)]


_STANDS_AT = re.compile(
    r"^(?:[Tt]he |[Oo]ur |[Mm]y )?(?P<np>(?!(?i:i|we|he|she|they|it|that|this|there|you|what|time)\b)"
    r"[\w-]+(?: [\w-]+){0,2}?) (?:(?:is|are) now|(?:has |have |just )*(?:went|gone|dropped|come|came|crept)(?: "
    r"back)? (?:up|down) to) "
    r"(?P<v>(?:[$€£] ?)?\d[\d.,]*k? ?(?:[a-z€$£]+)?(?: (?:an?|per) [a-z]+)?)$"
)
"""What a thing has come to, of whatever measure it has: "CI is down to 14 minutes"."""


def stands_at(text: str) -> tuple[str, str] | None:
    """A thing and its measure; of which one that is, only what is known of it can tell."""
    match = _STANDS_AT.match(text)
    return (match["np"], match["v"]) if match and " " in match["v"] else None


def as_told(match: re.Match[str]) -> Kind | None:
    """What is told with "now" is new."""
    return "update" if match["now"] or match.groupdict().get("late") else None
