"""What is said of something of ours as of any thing: "our SLA promises 99.5% uptime"."""

from __future__ import annotations

import re
from datetime import datetime

from recollect.extractors import statements, values
from recollect.extractors.open_verbs import STANCES
from recollect.extractors.patterns import Found
from recollect.extractors.people import NAME, is_name, relation_of
from recollect.extractors.verbs import base_and_form, third_person
from recollect.records import Kind
from recollect.unsure import LOOSE

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


_FOR_US = re.compile(
    rf"(?P<who>{NAME}) (?P<not>does not |no longer |now )?(?P<verb>[a-z]{{4,}}) (?P<whose>my|our|the) "
    r"(?P<v>[a-z][\w' -]{2,40}?)(?P<more> any ?more| any longer)?$"
)


def does_for_us(text: str) -> list[Found]:
    """What somebody by their name does for us as a rule, or no longer does: "Lorcan babysits our twins"."""
    match = _FOR_US.match(text)
    if match is None or not is_name(match["who"]):
        return []
    base, form = base_and_form(match["verb"])
    ended = match["not"] == "no longer " or (match["not"] == "does not " and match["more"] is not None)
    plain = match["not"] != "does not " and match["whose"] != "the"
    if base in STANCES or form != ("base" if match["not"] == "does not " else "third") or not (ended or plain):
        return []
    kind: Kind | None = "ending" if ended else None
    return [
        Found(
            third_person(base), values.bare(values.one(match["v"])), kind=kind, subject=match["who"], confidence=LOOSE
        )
    ]
