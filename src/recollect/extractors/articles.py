"""The article that notes leave out: "vendor call moved to Thursday" as "the vendor call moved to Thursday"."""

from __future__ import annotations

import re

from recollect.extractors.keywords import has_any
from recollect.extractors.verbs import ADVERBS, FORMS, HEDGES
from recollect.text.values import word_set

_DEVICES = (
    "service services server api app database db cluster cache queue pipeline job worker gateway backend "
    "frontend cron dashboard repo bucket cli bot website site proxy balancer registry scheduler broker "
    "topic build branch endpoint webhook sandbox monorepo container image runner vm firewall vpn intranet "
    "standup stand-up retro demo planning all-hands sync kickoff crawler scraper importer exporter "
    "policy mode strategy rotation linter formatter framework retention cadence schedule encoding locale tier"
)
"""What is run or kept by people who say no "the" before it."""
_DEVICE_WORDS = word_set(_DEVICES.replace("-", " "))
_A_DEVICE = rf"\b(?:{'|'.join(_DEVICES.split())})\b"
_BARE_DEVICE = re.compile(
    rf"^(?!(?i:the|my|our|a|an|this|that|i|we|your|his|her|their|its|any|no|every|each|some|which|what)\b)"
    rf"(?:[A-Za-z][\w-]* ){{0,2}}?(?i:{_A_DEVICE})(?= (?:is|are|was|has|will|now|no longer|"
    rf"runs|"
    r"uses|listens|talks|lives|sits|deploys|moved|switched|changed|migrated|upgraded|became|went|got|needs|requires|"
    r"depends|supports|costs|takes|connects|points|goes)\b)"
)


_THIS = re.compile(
    rf"(?i)(?:^|(?<=moved )|(?<=migrated )|(?<=switched ))(?:this|that) (?=(?:[a-z-]+ "
    rf")?(?i:{_A_DEVICE}))"
)


_MEETING_WORDS = word_set("standup stand retro retrospective planning hands sync backlog")
_BARE_MEETING = re.compile(
    r"(?i)\b((?:moved|pushed|shifted|rescheduled|postponed|cut|put) )(?=(?:daily |weekly |sprint )?(?:stand-?up|retro|"
    r"retrospective|planning|all-hands|sync|backlog refinement)\b)"
)
"""Meetings of which a team has one each."""
_IDENTIFIER = re.compile(
    r"^(?!(?:self|co|ex|part|full|well|long|short|high|low|non|pre|re|step|mother|father|sister|brother)-)"
    r"(?=[a-z])[a-z\d]+(?:[-_][a-z\d]+)+ (?=(?:has been |has |is |was |just |got |now )*(?:shut|moved|migrated|"
    r"switched|upgraded|decommissioned|deleted|removed|retired|gone|scaled|owned|replaced|deprecated|killed)\b)"
)
"""A thing by the name that its makers gave it, of which something was done: "checkout-svc was shut down"."""


_NOTED = re.compile(
    r"^(?P<np>(?P<first>[A-Za-z][a-z]+)(?P<rest>(?: [a-z][\w-]*){1,2}?)) "
    r"(?=(?:(?:has|have|was|were|got|just|now|is|are) )*(?:moved|changed|went|pushed|postponed|shifted|"
    r"rescheduled|starts?|"
    r"slipped|ends?|costs?|expires?|opens?|closes?|runs?|goes|go|lives?|switched|migrated|increased|dropped|"
    r"rose|raised|lowered|extended|due|down to|up to|(?:is|are) now|"
    r"(?:is|are) (?:on|at|in) (?:the )?(?:\d|[A-Z#])|(?:is|are) (?:an? )?[A-Z\d$€£]))"
)
"""Two or three words that can only be the subject, of which something exact is said."""
_NO_SUBJECT = word_set(
    "i we you he she they it this that these those there here who what which where when why how my our your his her "
    "their its the a an some any no every each all both many most more much few several another other such one two "
    "three four five and but or so if because since after before until while although though as than then also not "
    "in on at for with by from to of about over under up down out off into onto through during between against "
    "yes ok okay please thanks thank hi hello hey dear sorry well oh today tomorrow yesterday tonight someone everyone "
    "anyone nobody people everything something nothing anything let lets next last good great nice new old still "
    "unfortunately luckily sadly favourite favorite"
)
"""With which no such subject begins, and which none has in it."""


_ON_A_DAY = re.compile(
    r"^(?P<first>[A-Za-z][a-z]{3,})(?P<rest>) (?=(?:(?:has|was|got|just|now|been) )*(?:moved|pushed|postponed|"
    r"shifted|slipped|"
    r"rescheduled|is|is now|scheduled)(?: back| forward)? (?:to|on|for|until) (?:(?:the )?\d{1,2}(?:st|nd|rd|"
    r"th)?(?: of)? [A-Z]|"
    r"[A-Z][a-z]+ \d|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b))"
)
"""One word that is on a day, and so no name: "audit moved to 27 May"."""


_NOW_ONLY = re.compile(
    r"^(?:[Tt]he |[Oo]ur )?(?P<np>[A-Za-z][a-z]+(?: [a-z]+){0,2}) now (?P<v>[$€£]?\d\S*(?: [a-z%]+){0,3})$"
)
"""A note with no verb at all: "request timeout now 60 seconds"."""


def is_noun(word: str) -> bool:
    """Whether a word can be part of such a subject: no small word, no adverb, no form that only verbs have."""
    plain = word not in _NO_SUBJECT and word not in ADVERBS and word not in HEDGES and not word.endswith("ly")
    return plain and FORMS.get(word, ("", "base"))[1] == "base"


def noted(text: str) -> str:
    """The clause with an article before a subject that has none; a name keeps to itself."""
    if (match := _NOW_ONLY.match(text)) and all(is_noun(word) for word in match["np"].lower().split()):
        return f"the {match['np'].lower()} is now {match['v']}"
    match = _NOTED.match(text) or _ON_A_DAY.match(text)
    if match is None:
        return text
    if not all(is_noun(word) for word in (match["first"].lower(), *match["rest"].split())):
        return text
    return f"the {text if text[:2].isupper() else text[:1].lower() + text[1:]}"


def with_article(text: str) -> str:
    """ "Orders service is on Postgres" as "the orders service is on Postgres"."""
    if "-" in text or "_" in text:
        text = _IDENTIFIER.sub(lambda match: f"the {match[0]}", text)
    text = _BARE_MEETING.sub(r"\1the ", text) if has_any(text, _MEETING_WORDS) else text
    if not has_any(text, _DEVICE_WORDS):
        return noted(text)
    match = _BARE_DEVICE.match(text)
    text = _THIS.sub("the ", text) if match is None else text
    if match is None:
        return noted(text)
    return f"the {text if text[:2].isupper() else text[:1].lower() + text[1:]}"
