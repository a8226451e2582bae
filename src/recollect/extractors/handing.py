"""Who has taken something over from whom: "ownership of the API went to Team Rowan", "Lena took over on-call"."""

from __future__ import annotations

import re

from recollect.extractors.people import NAME

_HANDED = re.compile(
    r"(?i)^(?:the )?(?:ownership|responsibility|maintenance) (?:of|for) (?P<what>.+?) (?:has |was |is |just )*(?:went|"
    r"gone|passed|transferred|moved|handed|given)(?: over)? to (?P<v>.+?)(?: (?:this|last) \w+| today| now)?$"
)
_TOOK_OVER = re.compile(
    r"^(?P<v>(?i:team )?[A-Z][\w-]*(?: [A-Z][\w-]*)*|(?i:the [\w-]+ team)) (?:has |have |just )*(?:took|taken|"
    r"takes) over "
    r"(?P<what>the [\w' -]+?)(?: from .+)?$"
)
_HANDED_ON = re.compile(r"(?i)\b(?:job|role|position|post|work|baton|keys?|money|book|letter|phone|gift|baby)$")
"""What is given from hand to hand, and is nothing that has an owner."""
_ON_CALL = re.compile(rf"^(?P<v>{NAME}) (?:has |have |just )*(?:took|taken|takes) over (?:the )?on-?call(?: from .+)?$")
HANDS = re.compile(
    rf"^(?:{NAME}|I|We|we|[Tt]hey) (?:has |have |just )*(?:handed|passed|gave|"
    rf"transferred) (?P<what>the (?:[\w-]+ ){{0,2}}?[\w-]+?)"
    rf"(?: over| off)? to (?P<v>{NAME}|the [\w-]+ team)$"
)


_ARTICLE = re.compile(r"(?i)^(?:the|my|our) ")


def handed_over(text: str) -> str:
    """The clause as what has an owner now; empty where nothing was handed over."""
    if match := _ON_CALL.match(text):
        return f"the on-call engineer is now {match['v']}"
    match = _HANDED.match(text) or _TOOK_OVER.match(text) or HANDS.match(text)
    if match is None or _HANDED_ON.search(match["what"]):
        return ""
    return f"the {_ARTICLE.sub('', match['what'])} is owned by {match['v']} now"
