"""Things that a text speaks of as known: what "the boiler" is, whoever was told of the boiler knows."""

from __future__ import annotations

import re
from collections.abc import Iterable

_THE = re.compile(r"(?i)\b(?:the|our|my) (?P<what>[\w-]+(?: [\w-]+){0,2})")
MOST_THINGS = 12


def spoken_of_as_known(texts: Iterable[str]) -> list[str]:
    """The names that such things may have: "boiler", "boiler runs", since nobody knows yet where a name ends."""
    found: dict[str, None] = {}
    for text in texts:
        for match in _THE.finditer(text):
            words = match["what"].split()
            found |= dict.fromkeys(" ".join(words[:length]) for length in range(1, len(words) + 1))
    return list(found)[: 3 * MOST_THINGS]
