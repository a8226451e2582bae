"""What only tells how something is for the moment, and is no value: "gone", "really helpful", "through the roof"."""

from __future__ import annotations

import re

from recollect.extractors import values

_PASSING = re.compile(
    r"(?i)^(?:\w+ing\b|(?:so|very|really|pretty|quite|too|still|not|always|never|just|all|also|more|most|much|way|"
    r"super|kind of|a bit|a little|already|almost|how|what|that|this|it|there|here|to be|because|when|if|whether|"
    r"why|where|who|as|like|done|gone|over|ready|fine|good|great|bad|nice|ok|okay|broken|full|empty|late|early|sick|"
    r"ill|tired|busy|happy|sad|upset|angry|excited|worried|due|dead|killing|getting|going|about|amazing|awesome|"
    r"terrible|horrible|awful|perfect|wonderful|interesting|important|difficult|hard|easy|different|similar|same|"
    r"better|worse|valid|able|supposed|meant|expected|likely|unlikely|willing|up|down|out|off|on fire|in danger|the "
    r"(?:best|worst|same|one|only|reason|problem)|one of|part of|full of|a (?:mess|lot|disaster|nightmare|joke|"
    r"challenge|good|great|big|bit|little))\b)"
)
_BUSY = re.compile(
    r"(?i)^(?:\w+ing\b(?: \w|$)|\w{3,}ly \w|(?:not|very|so|really|too|always|already|often|still|quite|much) \w|gone\b|"
    r"there\b|"
    r"here\b|how\b|what\b|that\b|on the \w+$)"
)
_NO_DOING = re.compile(
    r"[A-Z]\w+ing\b|(?:spring|string|ring|king|wing|staging|billing|pricing|evening|morning|ceiling|pudding|wedding)\b"
)
"""What only ends like something that is being done."""
_ADJECTIVE = re.compile(
    r"^(?:\w+(?:y|ful|ous|ive|ic|able|ible|less)|\w{3,}ed|small|big|large|great|long|clear|key|worth it|crystal clear|"
    r"non-negotiable|efficient|short|active|fine|close|far|open|closed)$|^(?:through|under|on|in|at|off|from|based|"
    r"close|focused|fully|going) "
)
EXACT = re.compile(
    r"(?i)\d|^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty) [a-z]+|"
    r"\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|ground|top) floor\b"
)
COUNTED = re.compile(
    r"(?i)(?:(?:bi-?)?(?:weekly|daily|monthly|nightly|hourly|quarterly)$|every )|(?:two|three|four|five|six|seven|"
    r"eight|nine|ten|twelve|thirty) [a-z]+$"
)


def passing(value: str, *, known: bool) -> bool:
    """Whether a value only tells how something is for the moment: "gone", "really helpful", "through the roof"."""
    if _BUSY.match(value) and not _NO_DOING.match(value):
        return True
    if known or values.has_name(value) or EXACT.search(value) or COUNTED.match(value) or _NO_DOING.match(value):
        return False
    return _PASSING.match(value) is not None or _ADJECTIVE.match(value) is not None
