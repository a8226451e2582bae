"""The words of a text as a set: most patterns are tried only where one of their words is there."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile("[a-z]+")


@lru_cache(maxsize=128)
def words_in(text: str) -> frozenset[str]:
    """The words of a text in lower case, cut at everything that is no letter: "i'd" has "i" and "d"."""
    return frozenset(_WORD.findall(text.lower()))


def has_any(text: str, keywords: frozenset[str]) -> bool:
    """Whether a text has one of these words."""
    return not keywords.isdisjoint(words_in(text))
