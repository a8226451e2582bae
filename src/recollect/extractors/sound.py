"""What a statement is worth keeping: not one whose value only points at something, or breaks off."""

from __future__ import annotations

import re

from recollect.facts.attributes import attribute
from recollect.records import USER, Draft

_POINTING = re.compile(
    r"(?:it|them|that|this|these|those|so|him|her|us|you|(?:.* )?(?<!phase )(?<!chapter )(?<!level )(?<!grade )"
    r"(?<!tier )(?<!number )(?<!part )(?<!year )(?<!no )(?<!\bany)(?<!\bsome)ones?|"
    r"(?:an? |the )?(?:same|similar|following|other) (?:code|setup|things?|stuff|way))"
    r"(?: (?:from|at|in|on|for|of|by|last|too|with)\b.*)?"
)
"""Values that say nothing without what was said before: "a new one from Ikea"."""
_BROKEN_OFF = re.compile(r".* (?:called|named|titled|about|the|an?|my|our|your|their|and|or|not \w+ing)")
_STRAY = re.compile(
    r"(?:nothing (?:too|much|special|else|fancy|new)|none|been|then|to (?:an?|the|my|our)|for an?|that|which|who|and|"
    r"or|but) .*"
)
"""What is left of a clause that tells something else."""
_NO_TRADE = re.compile(
    r"(?i)(?:(?:more|less|too|so|very|quite|rather|pretty|still|not|really) .*|(?:.* )?(?:lurker|newbie|beginner|"
    r"participant|subscriber|follower|listener|viewer|supporter|believer|customer|fan|user|lover|sucker|mess|wreck|"
    r"disaster|human|adult|survivor|winner|loser))"
)
"""What someone is, and does not work as."""
_MOMENTS = frozenset(("yesterday", "today", "tomorrow", "tonight", "later", "earlier"))


def is_sound(draft: Draft) -> bool:
    """Whether a draft says something of somebody, as far as its words show."""
    if draft.subject.casefold() in _MOMENTS:
        return False
    if tells_of_part(draft):
        return False
    if draft.attribute == "occupation" and draft.kind != "ending" and _NO_TRADE.fullmatch(draft.value):
        return False
    measured = any(map(str.isdigit, draft.value))  # "a 32 inch one" says how large it is
    shapes = (_BROKEN_OFF, _STRAY) if measured else (_POINTING, _BROKEN_OFF, _STRAY)
    return not any(shape.fullmatch(draft.value) for shape in shapes)


_OPENING = re.compile(r"(?i)(?:in|on|at|for|under|within) (?:(?:the|an?|our|my) )?(?P<where>[\w-]+)")


def tells_of_part(draft: Draft) -> bool:
    """Whether it says of a thing as a whole what was said of it in one place: "in staging the api is on 8080" is no
    news of the port that it has elsewhere."""
    opening = _OPENING.match(draft.source.quote) if draft.source and draft.subject != USER else None
    if opening is None or draft.kind not in ("state", "update") or attribute(draft.attribute or "note").holds != "one":
        return False
    return draft.since is None and opening["where"].casefold() not in f"{draft.subject} {draft.text}".casefold()
