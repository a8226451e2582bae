"""What was put off or brought forward: "we've pushed the wedding to 10 October", "the Oslo move slips to January"."""

from __future__ import annotations

import re

from recollect.attributes import attribute
from recollect.extractors import values
from recollect.extractors.patterns import Found
from recollect.extractors.people import NAME, relation_of
from recollect.records import USER

A_DATE = (
    r"(?:(?:early|mid|late)[ -])?(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|"
    r"oct|nov|dec)[a-z]*\b.*"
    r"|(?:next |this |the )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b.*|(?:the )?\d{1,2}(?:st|nd|rd|th)\b.*"
    r"|\d{1,2}(?::\d\d)? ?(?:[ap]m)\b.*|\d{1,2}:\d\d\b.*|noon\b.*|next (?:week|month|year|spring|summer|autumn|fall|"
    r"winter)\b.*|(?:the )?(?:spring|summer|autumn|fall|winter|new year|20\d\d)\b.*"
)
_PUT = r"(?:push|mov|postpon|reschedul|delay|shift|slipp|defer)(?:ed|e|r?red)?|brought|bring|put|pulled"
_WAY = r"(?: back| forward| out| up| off| ahead)?"
_THING = r"(?:the|my|our) (?:[\w'-]+ ){0,3}?[\w'-]+"
_RESCHEDULED = re.compile(
    rf"(?i)^(?:(?:i|we|they|he|she|{NAME}|the [a-z]+) (?:have |has |had to |just |will have to |will |need to |"
    rf"are going to )*(?:{_PUT}) "
    rf"(?P<a>{_THING}){_WAY}|"
    rf"(?P<b>{_THING}) (?:(?:(?:has been|have been|was|were|got|is|has|are) (?:just |being |now )?)?(?:{_PUT})|slips|"
    rf"slides|slid|slipped){_WAY}) (?:to|until|till|for) (?P<v>{A_DATE})$"
)
_BECAUSE = re.compile(r"(?i)(?:,| (?:for|because|so|since|due|as|to|thanks)) .*$")
PUT_OFF = frozenset(
    "pushed push moved move postponed postpone rescheduled reschedule delayed delay shifted shift brought bring put "
    "pulled slips slides slid slipped deferred defer".split()
)
_PLANNED = re.compile(
    rf"^(?:(?P<place>{NAME}) )?(?P<what>move|relocation|start date|first day|start|first week)"
    rf"(?: (?:to|in|at|with) (?P<where>{NAME}(?: & {NAME})?))?$"
)
"""What was planned, by a noun for it: a home to move to, a job to begin."""
_MOVES = ("move", "relocation")
_WILL_BE = re.compile(r"^our (?P<thing>.+?) will be (?:on|in|at) .+$")


def put_off(text: str) -> str:
    """The clause with what was put off and its new time: "our wedding is now on 10 October"."""
    match = _RESCHEDULED.match(text)
    if match is None or relation_of((match["a"] or match["b"]).split()[-1]):
        return text
    thing = re.sub(r"(?i)^(?:the|my|our) ", "", match["a"] or match["b"])
    day = _BECAUSE.sub("", match["v"])
    planned = _PLANNED.match(thing)
    if planned and (planned["what"] in _MOVES or not (match["a"] or match["b"]).lower().startswith("the ")):
        return f"our {thing} will be {'on' if re.match(r'(?i)(?:the )?[0-9]|.*day', day) else 'in'} {day}"
    at = "at" if re.match(r"\d{1,2}(?::\d\d| ?[ap]m)", match["v"]) else "on"
    whose = "the" if attribute(thing).name == "version" else "our"  # A release has a date beside its version.
    return f"{whose} {thing} is now {at} {day}"


def is_put_off(text: str) -> bool:
    return _RESCHEDULED.match(text) is not None


def planned_anew(text: str) -> list[Found]:
    """A home or a job that was planned and will begin at another time; which one, the facts may tell."""
    match = _WILL_BE.match(text)
    planned = _PLANNED.match(match["thing"]) if match else None
    if planned is None:
        return []
    name = "home" if planned["what"] in _MOVES else "employer"
    where = values.one(planned["where"] or planned["place"] or "")
    return [Found(name, where, kind="plan", subject=USER)]
