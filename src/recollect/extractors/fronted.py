"""Statements with their value or their owner put first: "celery is one thing I hate", "Mum has a new number: …"."""

from __future__ import annotations

import re

from recollect._values import word_set
from recollect.attributes import attribute
from recollect.extractors.people import NAME

_CLEFT = re.compile(
    r"(?i)^(?P<v>[\w' -]{2,40}?) (?:is|are) (?:still |also |now )?(?:something|(?:one|the one|the only|a|the|another) "
    r"thing|"
    r"what|one of the things) (?:that )?(?P<s>i|we|he|she|my \w+) (?P<rest>(?!(?:think|guess|mean|said|say|hear|want "
    r"to)\b)"
    r"[\w' ]+)$|^(?:what|(?:one|the one|the only|another) thing) (?:that )?(?P<s2>i|we|he|she|my \w+) "
    r"(?P<rest2>(?:am|are|is|have|has|want|like|prefer|use|need|hate|love|can not|do not|drink|eat|play|drive)\b[\w' "
    r"]*?) "
    r"(?:is|are) (?P<v2>[\w' -]{2,40})$"
)
_HAS_NEW = re.compile(
    rf"(?i)^(?P<who>(?:my|our) (?:[a-z-]+ )?[a-z-]+(?: {NAME})?|mum|mom|dad|(?-i:[A-Z])[a-z]+) (?:has |got |has got "
    rf")a new "
    r"(?P<key>[a-z][a-z -]{2,25}?)(?: now)?(?:: |, (?:it is |which is )?| - )(?P<v>[^:]+)$"
)
_TASTE = re.compile(
    r"(?i)^(?P<v>(?!(?:it|that|this|he|she|they|these|those|which|what|there|i|we|you|my|our|your|the|his|her)\b)"
    r"[\w'&-]+(?: [\w'&-]+){0,3}?) (?:is|are) (?P<no>not )?(?:really |totally |so |absolutely |definitely |just |"
    r"exactly )*"
    r"(?:my|our) (?:absolute |all-time |total )?(?:thing|jam|cup of tea|favou?rites?|fave|guilty pleasure|weakness|"
    r"bag)$"
)
_FORBIDDEN = re.compile(
    r"(?i)^(?P<v>(?!(?:it|that|this|he|she|they|these|those|which|what|there|i|we|you)\b)[\w'&-]+(?: [\w'&-]+){0,3}?) "
    r"(?:is|are) (?:a (?:total |complete |strict |definite )?(?:no-go|no-no)|(?:strictly |completely |totally "
    r")?(?:off limits|"
    r"off the menu|off the table|out of bounds))(?: for (?:me|us))$"
)
FRONTED_WORDS = word_set(
    "new thing something things what jam cup favorite favourite favorites favourites fave guilty weakness bag limits "
    "menu "
    "table bounds no"
)
"""Words of which such a clause has one."""


def holds_one(key: str) -> bool:
    """Whether a key is known, and holds one value that is nobody."""
    known = attribute("phone" if key.strip() == "number" else key)
    return known.known and known.holds == "one" and not known.relation


def unfronted(text: str) -> str:
    """The clause with its subject first, or nothing."""
    if (match := _HAS_NEW.match(text)) and holds_one(match["key"]):
        key = "phone" if match["key"] == "number" else match["key"]
        return f"{match['who']}'s {key} is now {match['v']}"
    if match := _TASTE.match(text):
        return f"I {'dislike' if match['no'] else 'love'} {match['v']}"
    if match := _FORBIDDEN.match(text):
        return f"I avoid {match['v']}"
    match = _CLEFT.match(text)
    return f"{match['s'] or match['s2']} {match['rest'] or match['rest2']} {match['v'] or match['v2']}" if match else ""
