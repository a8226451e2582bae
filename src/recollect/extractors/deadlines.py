"""When something is due or takes place, told by what was done: "we pushed the launch to Friday"."""

from __future__ import annotations

import re

from recollect._values import word_set
from recollect.attributes import attribute
from recollect.extractors.people import relation_of

_A_DATE = (
    r"(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b.*"
    r"|(?:next |this |the )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b.*|(?:the )?\d{1,2}(?:st|nd|rd|th)\b.*"
    r"|\d{1,2}(?::\d\d)? ?(?:[ap]m)\b.*|\d{1,2}:\d\d\b.*|noon\b.*|next (?:week|month|year)\b.*"
)
_PUT = r"(?:push|mov|postpon|reschedul|delay|shift)(?:ed|e)?|brought|bring|put|pulled"
RESCHEDULED = re.compile(
    rf"(?i)^(?:(?:i|we|they|he|she) (?:have |has |had to |just |will have to |will |need to |are going to )*(?:{_PUT}) "
    rf"(?P<a>(?:the|my|our) (?:[\w'-]+ ){{0,3}}?[\w'-]+)(?: back| forward| out| up| off)?|"
    rf"(?P<b>(?:the|my|our) (?:[\w'-]+ ){{0,3}}?[\w'-]+) (?:(?:has been|have been|was|were|got|is|has|"
    rf"are) (?:just |being )?)?(?:{_PUT}|slipped)(?: back| forward| out| up| off)?) (?:to|until|"
    rf"till|for) (?P<v>{_A_DATE})$"
)
_DUE = re.compile(
    rf"(?i)^(?P<what>(?:the|our|my) (?:[\w'-]+ ){{0,3}}?[\w'-]+) (?:is|are|will be) (?P<now>now )?due "
    rf"(?:on|by|at|in|before)? ?(?P<v>(?:{_A_DATE}|in .+|end of .+|the end of .+|tomorrow|tonight|eod))$"
)
_PROLONGED = re.compile(
    rf"(?i)^(?:i|we|they|he|she|(?-i:[A-Z])\w+|the \w+) (?:have |has |just |kindly )*(?:extended|prolonged) "
    rf"(?P<what>(?:the|our|my) (?:[\w'-]+ ){{0,3}}?[\w'-]+?)(?:'s)?(?: deadline)? (?:to|until|till) (?P<v>{_A_DATE})$"
)
_WAS_PROLONGED = re.compile(
    rf"(?i)^(?P<what>(?:the|our|my) (?:[\w'-]+ ){{0,3}}?[\w'-]+) (?:was|were|has been|have been|"
    rf"got) (?:just )?(?:extended|prolonged) "
    rf"(?:to|until|till) (?P<v>{_A_DATE})$"
)
_EXPECTED = re.compile(r"(?i)\b(?:baby|wife|sister|daughter|girlfriend|partner|friend|twins|kid|mum|mom)$")
"""Whose date is no deadline."""
_MOVED = re.compile(
    r"(?i)^(?:the|our) (?P<what>(?:[a-z][\w-]* )?(?:docs|documentation|wiki|runbooks?|tickets|code|repo|"
    r"repository|logs|metrics|"
    r"backups?|config|configuration|dashboards?|site|blog|files|photos|assets|images|secrets|data)) (?:has |have |"
    r"just |"
    r"were |was )*moved to (?P<v>[\w./:-]+(?: [A-Z][\w.-]*)?)$"
)
PUT_OFF = word_set(
    "pushed push moved move postponed postpone rescheduled reschedule delayed delay shifted shift brought bring put "
    "pulled slipped"
)
DEADLINES = word_set("due extended prolonged")
_ARTICLE = re.compile(r"(?i)^(?:the|my|our) ")


def when_due(text: str) -> str:
    """ "The report is due on 20 March", "they extended the tender to 3 April": the deadline of a thing."""
    match = _DUE.match(text) or _PROLONGED.match(text) or _WAS_PROLONGED.match(text)
    if match is None or _EXPECTED.search(match["what"]) or match["what"].endswith("deadline"):
        return ""
    now = "now " if match.re is not _DUE or match["now"] else ""
    return f"the deadline for the {_ARTICLE.sub('', match['what'])} is {now}{match['v']}"


def put_off(text: str) -> str:
    """ "We've pushed the wedding to 10 October", "the docs moved to Notion"."""
    if (match := RESCHEDULED.match(text)) and not relation_of((match["a"] or match["b"]).split()[-1]):
        thing = re.sub(r"(?i)^(?:the|my|our) ", "", match["a"] or match["b"])
        at = "at" if re.match(r"\d{1,2}(?::\d\d| ?[ap]m)", match["v"]) else "on"
        day = re.sub(r"(?i) (?:for|because|so|since|due|as|to|thanks) .*$", "", match["v"])
        known = attribute(thing)
        whose = (
            "the" if known.known and known.category == "project" else "our"
        )  # A release has a date beside its version.
        return f"{whose} {thing} is now {at} {day}"
    if match := _MOVED.match(text):
        return f"the {match['what']} now {'live' if match['what'].endswith('s') else 'lives'} in {match['v']}"
    return text
