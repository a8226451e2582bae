"""The words of a text as a set: most patterns are tried only where one of their words is there."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile("[a-z]+")

SCHOOLS = (
    r"(?:School|College|University|Uni|Primary|High|Academy|Elementary|Institute|Kindergarten|Nursery|Grammar|Middle|"
    r"Preschool|Polytechnic|Secondary)"
)
"""What the name of a school ends in."""

REPORTING = frozenset(
    "say says said claim claims claimed think thinks thought believe believes believed told tells asked asks wrote "
    "writes insist insists insisted assume assumes assumed joke jokes joked heard saying know wonder wonders wondered "
    "replied answered argue argues".split()
)
"""Verbs of what others say: without one of them nothing is reported."""

STREET = (
    r"(?-i:(?:\d+\w? )?(?:[A-Z\d][\w'.-]*,? ){1,3}?(?:Street|St|Road|Rd|Lane|Avenue|Ave|Drive|Close|Way|Square|"
    r"Court|Terrace|"
    r"Crescent|Gardens|Row|Hill|Boulevard|Place|Parade|Walk|Mews|Quay))\b"
)
"""A street by its name, with or without a number."""

SUMS = re.compile(
    r"(?i)\b(?:revenue|turnover|profit|income|salary|pay|wage|budget|balance|total|sum|amount|target|goal|debt|loss|savings|"
    r"deposit|bonus|margin|value|worth|estimate|limit|account|fund|grant|loan|mortgage|bill|spend|spending|sales|"
    r"contribution|allowance|investment|donation|expenses|nest egg|overdraft)s?$"
)
"""What a sum of money is, where anything else costs it."""


@lru_cache(maxsize=128)
def words_in(text: str) -> frozenset[str]:
    """The words of a text in lower case, cut at everything that is no letter: "i'd" has "i" and "d"."""
    return frozenset(_WORD.findall(text.lower()))


def has_any(text: str, keywords: frozenset[str]) -> bool:
    """Whether a text has one of these words."""
    return not keywords.isdisjoint(words_in(text))
