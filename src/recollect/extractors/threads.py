"""What goes on from one clause to the next: "it", "mine", "the new one", and what was just denied."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from recollect.attributes import attribute
from recollect.extractors import values
from recollect.extractors.dates import Dated
from recollect.extractors.patterns import Found
from recollect.extractors.people import Cast
from recollect.extractors.subjects import Spoken
from recollect.extractors.verbs import Predicate
from recollect.records import Draft

_OPENS = re.compile(
    r"(?i)^(?:you (?:have|got) (?=my|our)(?:my|our) |(?:i|we) (?:have |had to |just |finally |recently )*(?:changed|"
    r"updated|switched|replaced|got|have|lost|moved) "
    r"(?:my|our|a new|my new|an?) |(?:my|our|the) )(?:new )?(?P<key>[a-z][\w -]{2,30}?)"
    r"(?: (?:i|we) (?:gave|told|sent) you)?(?: wrong| has a typo| had a typo| (?:has |have )?(?:just )?(?:changed|"
    r"moved|is wrong|is outdated|is old|is different|was wrong|has been changed|"
    r"got changed|went up|went down|increased|is not right|is not correct|has gone up|has gone down))?$"
)
_RESUMED = re.compile(
    r"(?i)^(?:it|that|this|the (?:new|right|correct|current|real|actual) (?:one|number|address|value|name|\w+)) "
    r"(?:is|are|"
    r"should be|will be) (?:now |actually |really |called )?(?P<v>.+)$"
)
_MINE = re.compile(r"(?i)^(?:and |but )?(?:mine|ours) (?:is|are|would be) (?P<v>.+)$")
_HIS = re.compile(r"(?i)^(?:his|hers|theirs|yours) (?:is|are) ")
_OBJECT = re.compile(
    r"(?i)\b(?:moved|renamed|resized|updated|changed|upgraded|bumped|scaled|migrated|rewrote|replaced|restarted|rolled|"
    r"turned|hid|put|sold|fixed|raised|lowered|rescheduled|postponed) (?:the|our|my) (?P<thing>(?:[a-z][\w-]* ){0,3}?"
    r"[a-z][\w-]*)(?= (?:up|down|back|on|off|to|from|in|under|with|again|over)\b|[,.]|$)"
)
_IT = re.compile(
    r"^(?P<when>(?:From|In|On|Starting|As of|Next|After|Since|from|in|on) (?:[\w]+ ){1,4}?)?[Ii]t "
    r"(?=(?:is|was|runs|starts|ends|costs|will|has|had|lives|listens|deploys|opens|closes|now|uses)\b)"
)
_PLACES = ("employer", "school")
_PLACED = re.compile(r"^(?:at|with) (?P<v>(?-i:[A-Z]).*)$")
_VAGUE = re.compile(
    r"(?i)^(?:not|very|so|really|too|a|an|good|great|bad|nice|fine|ok|okay|important|true|right|wrong|because|what|"
    r"why|how|"
    r"like|just|hard|easy|time|all|been|going|about|more|much|pretty|quite|always|never|called|to|in|on|at|with)\b"
)


@dataclass
class Topic:
    """What the last clause spoke of without giving its value."""

    subject: str
    attribute: str
    denied: str | None = None
    """The value that was just denied."""


def opened(text: str, speaker: str) -> Topic | None:
    """What the clause says has changed, for the value that comes next: "I changed my number"."""
    match = _OPENS.match(text)
    known = attribute(match["key"]) if match else None
    if match is None or known is None:
        return None
    if known.name == "number":
        return Topic(speaker, "phone")
    return Topic(speaker, known.name) if known.known and known.holds == "one" and not known.relation else None


def resumed(text: str, topic: Topic | None) -> list[tuple[str, Found]]:
    """ "it's 555-0187 now", "the new one is …": the value of what was spoken of."""
    match = _RESUMED.match(text) if topic else None
    if match is None or topic is None:
        return []
    value = (
        values.cut(match["v"]) if topic.attribute in ("email", "website", "address") else values.one(match["v"], "from")
    )
    if not value or len(value.split()) > 6 or (_VAGUE.match(value) and not re.search(r"\d", value)):
        return []
    kind = "correction" if topic.denied else "update"
    return [(topic.subject, Found(topic.attribute, value, kind=kind, instead_of=topic.denied))]  # type: ignore[arg-type]


def mine(text: str, before: Sequence[Draft], speaker: str) -> list[tuple[str, Found]]:
    """ "Mine is beige", after someone else's."""
    match = _MINE.match(text)
    told = [draft for draft in before if draft.subject != speaker and attribute(draft.attribute).holds == "one"]
    value = values.one(match["v"]) if match else ""
    if not told or not value or len(value.split()) > 6:
        return []
    return [(speaker, Found(told[-1].attribute, value))]


def thing_in(text: str) -> str:
    """The thing that something was done to: "I moved the spare key"."""
    match = _OBJECT.search(text)
    return match["thing"] if match else ""


def with_thing(text: str, thing: str) -> str:
    """The clause with "it" replaced by what it stands for."""
    return (
        _IT.sub(lambda match: f"{match['when'] or ''}{'the' if match['when'] else 'The'} {thing} ", text)
        if thing
        else text
    )


def placed(predicate: Predicate, spoken: Spoken, before: Sequence[Draft], cast: Cast, when: Dated) -> list[Found]:
    """ "I'm at Skylark now", when the talk was of where someone works or studies, or that is known."""
    match = _PLACED.match(predicate.rest)
    told = [draft.attribute for draft in before if draft.subject == spoken.subject and draft.attribute in _PLACES]
    if spoken.first and cast.place and (predicate.tense == "future" or predicate.adverbs & {"now", "currently"}):
        told = told or [cast.place]
    if not told and when.lasting:
        told = ["employer"]
    value = values.one(match["v"], "as", "for", "since", "in", "on") if match else ""
    return [Found(told[-1], value)] if told and value and len(value.split()) <= 4 else []


_WAS = re.compile(r"(?i)^(?:it|that|this) (?:used to be|was) (?P<v>.+?)(?: before| until .*| back then)?$")


def was_before(text: str, before: Sequence[Draft]) -> list[tuple[str, Found]]:
    """ "it used to be Pulp", after what it is now."""
    match = _WAS.match(text)
    told = [
        draft for draft in before if attribute(draft.attribute).holds == "one" and draft.kind in ("state", "update")
    ]
    value = values.one(match["v"]) if match and ("used to" in text or " before" in text) else ""
    if not told or not value or len(value.split()) > 5 or _VAGUE.match(value):
        return []
    return [(told[-1].subject, Found(told[-1].attribute, value, kind="past"))]
