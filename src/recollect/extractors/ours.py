"""What is said of something of ours as of any thing: "our SLA promises 99.5% uptime"."""

from __future__ import annotations

import re
from datetime import datetime

from recollect.extractors import statements
from recollect.extractors.patterns import Found
from recollect.extractors.people import relation_of

_OURS = re.compile(
    r"[Oo]ur (?:new )?(?P<what>(?:[\w-]+ ){0,2}?[\w-]+) (?!(?:is|are|was|were|has|have|had)\b)[a-z]+s\b"
    r"(?!.* (?:are|were|has|have|had|will)\b)"
)
"""Something of ours that does something."""

_DONE_BY = re.compile(
    r"[Oo]ur (?P<what>(?:[\w-]+ ){0,2}?[\w-]+) (?:is|are) (?:now )?(?:[a-z]+ed|run|led|made) by (?=[A-Z])"
)
"""Something of ours that somebody does something to."""


def of_ours(text: str, said: datetime) -> list[Found]:
    """What a clause states of something that is ours and nobody."""
    match = _OURS.match(text) or _DONE_BY.match(text)
    if match is None or relation_of(match["what"]) or relation_of(match["what"].split()[-1]):
        return []
    told = statements.stated(f"The {text[4:]}", said)
    return list(told.found) if told else []
