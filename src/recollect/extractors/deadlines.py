"""When something is due: "the report is due on 20 March", "they extended the tender to 3 April"."""

from __future__ import annotations

import re

from recollect.text.values import word_set

A_DATE = (
    r"(?:(?:early|mid|late)[ -])?(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|"
    r"oct|nov|dec)[a-z]*\b.*"
    r"|(?:next |this |the )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b.*|(?:the )?\d{1,2}(?:st|nd|rd|th)\b.*"
    r"|\d{1,2}(?::\d\d)? ?(?:[ap]m)\b.*|\d{1,2}:\d\d\b.*|noon\b.*|next (?:week|month|year|spring|summer|autumn|fall|"
    r"winter)\b.*|(?:the )?(?:spring|summer|autumn|fall|winter|new year|20\d\d)\b.*"
)
_DUE = re.compile(
    rf"(?i)^(?P<what>(?:the|our|my) (?:[\w'-]+ ){{0,3}}?[\w'-]+) (?:is|are|will be) (?P<now>now )?due "
    rf"(?:on|by|at|in|before)? ?(?P<v>(?:{A_DATE}|in .+|end of .+|the end of .+|tomorrow|tonight|eod))$"
)
_PROLONGED = re.compile(
    rf"(?i)^(?:i|we|they|he|she|(?-i:[A-Z])\w+|the \w+) (?:have |has |just |kindly )*(?:extended|prolonged) "
    rf"(?P<what>(?:the|our|my) (?:[\w'-]+ ){{0,3}}?[\w'-]+?)(?:'s)?(?: deadline)? (?:to|until|till) (?P<v>{A_DATE})$"
)
_WAS_PROLONGED = re.compile(
    rf"(?i)^(?P<what>(?:the|our|my) (?:[\w'-]+ ){{0,3}}?[\w'-]+) (?:was|were|has been|have been|"
    rf"got) (?:just )?(?:extended|prolonged) "
    rf"(?:to|until|till) (?P<v>{A_DATE})$"
)
_EXPECTED = re.compile(r"(?i)\b(?:baby|wife|sister|daughter|girlfriend|partner|friend|twins|kid|mum|mom)$")
"""Whose date is no deadline."""
DEADLINES = word_set("due extended prolonged")
_ARTICLE = re.compile(r"(?i)^(?:the|my|our) ")


def when_due(text: str) -> str:
    """ "The report is due on 20 March", "they extended the tender to 3 April": the deadline of a thing."""
    match = _DUE.match(text) or _PROLONGED.match(text) or _WAS_PROLONGED.match(text)
    if match is None or _EXPECTED.search(match["what"]) or match["what"].endswith("deadline"):
        return ""
    now = "now " if match.re is not _DUE or match["now"] else ""
    return f"the deadline for the {_ARTICLE.sub('', match['what'])} is {now}{match['v']}"
