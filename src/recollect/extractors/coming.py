"""What is to be so from some time on, as what is so: "from May I'll train on Thursdays" as "I train on Thursdays". What
is only to happen then is left as it was said."""

from __future__ import annotations

import re

_FROM_THEN = re.compile(r"(?i)(?:from|starting|as of|beginning)\b")
_WILL = re.compile(r"^,? ?(?P<who>I|[Ww]e|[Tt]hey) (?:will|am going to|are going to) (?!be\b)(?=[a-z])")
_ONCE = re.compile(r"(?i)\b(?:fly|travel|depart|leave|sail|hear|visit|meet|collect|start|begin|stop|try|need|have)\b")
"""What begins but once."""


def as_present(timeless: str, phrase: str) -> str:
    """The clause without its time as what is so, where that time is one from which it will be so; empty where not."""
    match = _WILL.match(timeless) if _FROM_THEN.match(phrase) else None
    if match is None or _ONCE.search(timeless):
        return ""
    return f"{match['who']} {timeless[match.end() :]}"
