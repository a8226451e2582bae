"""Statements that name what was and what took its place, so that the old value tells what has changed: "Dr. Moll has
taken over from Dr. Faber", "we left Telvo for Fibria", "lessons with Ann now instead of Ben"."""

from __future__ import annotations

import re

from recollect._values import word_set
from recollect.extractors import values
from recollect.extractors.patterns import Found
from recollect.extractors.people import NAME, is_name, relation_of
from recollect.parting import SUCCEEDED

SWITCHING = word_set(
    "over for from place seat spot shoes slot post job role way room reins baton aside down swapped traded exchanged "
    "changed succeeded"
)
"""Words of which such a clause has one."""
_LATELY = r"(?:has |have |had |just |now |finally |recently |since |also )*"
_BY_NAME = rf"(?:(?i:the|our|my) (?=[A-Z]))?{NAME}"
_TOOK_OVER = re.compile(
    rf"^(?P<new>{_BY_NAME}) {_LATELY}(?:(?:taken|took) over from|(?:taken|took) the (?:reins|baton) from|"
    rf"stepped into the shoes of|succeeded) (?P<old>{_BY_NAME})(?: (?:as|in|at|on) .+)?$"
)
_TOOK_PLACE = re.compile(
    rf"^(?P<new>{_BY_NAME}) {_LATELY}(?:taken|took|filled) (?P<old>{NAME})'s? "
    r"(?:place|seat|spot|shoes|slot|post|job|role)$"
)
_GAVE_WAY = re.compile(
    rf"^(?P<old>{_BY_NAME}) {_LATELY}(?:(?:given|gave|made) (?:way|room) (?:to|for)|"
    rf"(?:handed|passed) (?:over|the (?:reins|baton)(?: over| on)?) to|"
    rf"stepped (?:aside|down) (?:for|in favou?r of)) (?P<new>{_BY_NAME})$"
)
_SWAPPED = re.compile(
    rf"^(?i:the |our |my )?(?P<old>{NAME}|[a-z][\w-]*(?: [a-z][\w-]*)?) (?:has been|have been|was|were|got|is being) "
    r"(?:just |finally |recently |now )*(?:swapped|traded|exchanged|changed)(?: out| in| over)? for "
    rf"(?:an? |the |our |my )?(?P<new>{NAME}|[a-z][\w-]*(?: [a-z][\w-]*){{0,2}})$"
)
_LEFT_FOR = re.compile(
    rf"^(?:I|[Ww]e) {_LATELY}(?:left|deserted|ditched|dumped) (?:the )?(?P<old>{NAME}) (?:for|to join) "
    rf"(?:the )?(?P<new>{NAME})$"
)
_MONEY_MOVED = re.compile(
    r"^(?:I|[Ww]e) (?:have |just |finally |now |all )*(?:moved|switched|transferred|shifted|took|taken) "
    r"(?:all )?(?:of )?(?:my|our) (?:bank |current |main )?"
    r"(?:accounts?|money|banking|business|custom)(?: over| across)? "
    rf"from (?P<old>{NAME}) (?:over )?to (?P<new>{NAME})$"
)
_FROM_TO = re.compile(
    r"^(?:I|[Ww]e|[Tt]hey|(?:(?:[Tt]he|[Mm]y|[Oo]ur) [a-z]+ (?:had (?:me|us) )?)|[\w ]{2,30}\b(?:me|us) )"
    r"[a-z ]{0,20}?(?:switch|switched|change|changed|move|moved|take|took|taken|put|transition|transitioned) "
    rf"(?:me|us|(?:my|our|the) [a-z]+|{NAME})(?: over)? from (?:the )?(?P<old>{NAME}|[a-z][\w-]*(?: [a-z][\w-]*)?) "
    rf"(?:over |on )?to (?:the )?(?P<new>{NAME}|[a-z][\w-]*(?: [a-z][\w-]*){{0,2}})$"
)
"""What was changed for someone: "the vet had me switch Miso from Whiskas to Royal Canin"."""
_FROM_GROUP_TO = re.compile(
    rf"^(?:I|[Ww]e|[Mm]y [a-z]+) {_LATELY}(?:moved|switched|changed|transferred|gone|went) (?:over )?from the "
    r"(?P<old>[\w'-]+(?: [a-z][\w-]*){0,2}) (?:over )?to the (?P<new>[\w'-]+(?: [a-z][\w-]*){0,2})$"
)
_SHAPES = (_TOOK_OVER, _TOOK_PLACE, _GAVE_WAY, _SWAPPED, _MONEY_MOVED, _FROM_TO, _FROM_GROUP_TO)


def switched(text: str) -> list[Found]:
    """The new value in the place of the one that the clause names, whatever that is the value of."""
    match = next((match for shape in _SHAPES if (match := shape.match(text))), None)
    if match is None:
        return left_for(text)
    old, new = values.bare(match["old"]), values.bare(match["new"])
    if relation_of(old) or not all(is_name(one) for one in (old, new) if one[:1].isupper()):
        return []
    return [Found("", new, kind="update", instead_of=old, category=SUCCEEDED, confidence=0.9)]


def left_for(text: str) -> list[Found]:
    """ "We left Telvo for Fibria": another firm, unless Telvo was something else."""
    match = _LEFT_FOR.match(text)
    if match is None or not is_name(match["old"]) or not is_name(match["new"]):
        return []
    return [Found("", match["new"], kind="update", instead_of=match["old"], category="work", confidence=0.85)]


_LAST_NAMED = re.compile(
    rf"\b(?:with|at|to|by|from|on|in|for|of|is|are|using|see|have|take|get) (?:now )?(?P<v>(?:the |an? |my |our )?"
    rf"(?:{NAME}|[a-z][\w-]*(?: (?!now\b|these\b)[a-z][\w-]*)?))(?: now| these days| nowadays)*$"
)


def named_last(text: str) -> str:
    """What a clause ends with, where it says with "instead of" whose place that took."""
    match = _LAST_NAMED.search(text)
    return values.bare(match["v"]) if match else ""


_GOT = re.compile(
    r"^(?:(?:I|[Ww]e) )?(?:have |just )*(?:got|bought|joined|chose|ordered|signed up (?:for|with|to)|"
    r"went (?:with|for|to)|switched to|opted for|took out|subscribed to|am on|are on|am with|are with) "
    rf"(?:an? |the )?(?P<v>{NAME})(?: instead| now)*$"
)


def got_instead(text: str) -> str:
    """What someone got after they had given up something of its kind: "cancelled Netflix and got Disney Plus"."""
    match = _GOT.match(text)
    return match["v"] if match and is_name(match["v"]) else ""
