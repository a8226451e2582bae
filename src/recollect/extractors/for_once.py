"""What is so, or is over, only this once: for a day, while somebody is away, under a condition."""

from __future__ import annotations

import re

from recollect.extractors.patterns import Found
from recollect.extractors.value_kinds import kind_of
from recollect.facts.attributes import attribute
from recollect.records import Kind

PASTIMES = ("habit", "hobby", "plays")
"""What someone does, by the several ways to say so."""

_HOUR = (
    r"(?:noon|midnight|lunchtime|\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\.?)?|"
    r"(?:half past )?(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))"
)
_FOR_A_DAY = re.compile(
    r"(?i)\bfor (?:(?:an?|one|the) (?:day|night|weekend|week)|today|tonight|this (?:morning|afternoon|evening))$|"
    rf"\b(?:an?|\d+|two|three|few) (?:hours?|minutes?) ago\b|\b(?:at|around|by) {_HOUR}(?: o'clock)?$|"
    r"\b(?:is|are|was|were|been|got) (?:closed|shut|off|done|finished|cancell?ed) "
    r"(?:to(?:day|night|morrow)|on [a-z]+days?|this (?:week|\w+noon))\b|"
    r"^no more .*\bto(?:day|night)$"
)
"""With which something is only over until the next time."""
_STANDING_IN = re.compile(
    r"(?i)\b(?:while|until|till) (?:[\w.']+ ){1,3}(?:is|are|'s) (?:away|out|off|sick|ill|back|travelling|"
    r"traveling|gone|"
    r"on (?:holiday|vacation|leave|maternity|parental|sick|paternity|a trip))\b"
)
_THIS_ONCE = re.compile(
    r"(?i)\bmoved\b.*\b(?:this (?:week|time|once)|for (?:once|today)|just (?:today|tomorrow|this)|"
    r"(?<!of )today|tomorrow)\b"
)
_STOPS = re.compile(r"[.!?;](?:\s|$)")
_EXCEPT = re.compile(
    r"(?i)\b(?:if|when|whenever|while|unless|until|till|except|for (?:now|\d+ \w+|(?:an?|the) (?:\w+ )?"
    r"(?:while|moment|time|day|night|week|weekend|month|year|bit|break|rest|season|summer|winter|spring|autumn|"
    r"holiday)s?)|at \d|today|"
    r"tonight|this (?:weekend|week|month|year|morning|afternoon|evening|season|summer|winter|spring|autumn)|again|"
    r"temporarily|"
    r"(?:no longer|not|\w+n't) (?:just|only|merely|simply|solely)|in (?:winter|summer|spring|autumn|the \w+)|"
    r"at (?:night|noon|midnight|home|work)|(?:during|before|after) (?:the |my |our )?\w+|on \w+days)\b"
)
"""With which a doing that "stopped" goes on otherwise, or later."""


def is_for_once(found: Found, kind: Kind, clause: str, message: str) -> bool:
    """Whether something is told of one occasion and not as a rule: who stopped for a day goes on, who does something
    while another is away does it for that time, and what was moved to Friday this week is on Mondays else."""
    if kind in ("state", "update") and _STANDING_IN.search(message):
        return True
    if kind == "ending":
        return _FOR_A_DAY.search(clause) is not None or is_excepted(found, clause, message)
    moved = kind == "update" and _THIS_ONCE.search(clause) is not None
    return moved and (kind_of(found.value) != "" or " this " in found.value)


def is_excepted(found: Found, clause: str, message: str) -> bool:
    """Whether a doing is only said to rest, under some condition or for a time: "I no longer sail in winter"."""
    if not found.attribute or (attribute(found.attribute).known and found.attribute not in PASTIMES):
        return False
    at = message.find(clause)
    rest = message[at + len(clause) :] if at >= 0 else ""
    return _EXCEPT.search(f"{clause} {re.split(_STOPS, rest)[0]}") is not None
