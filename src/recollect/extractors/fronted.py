"""Statements with their value, their owner or their news put first: "celery is one thing I hate", "rent went up: …"."""

from __future__ import annotations

import re

from recollect.extractors.keywords import has_any
from recollect.extractors.people import NAME, is_name
from recollect.extractors.posts import is_post
from recollect.extractors.verbs import FORMS, ing_form
from recollect.facts.attributes import attribute
from recollect.text.values import word_set

_CLEFT = re.compile(
    r"(?i)^(?P<v>[\w' -]{2,40}?) (?:is|are) (?:still |also |now )?(?:something|(?:one|the one|the only|a|the|another) "
    r"thing|"
    r"what|one of the things) (?:that )?(?P<s>i|we|he|she|my \w+) (?P<rest>(?!(?:think|guess|mean|said|say|hear|want "
    r"to)\b)"
    r"[\w' ]+)$|^(?:what|(?:one|the one|the only|another) thing) (?:that )?(?P<s2>i|we|he|she|my \w+) "
    r"(?P<rest2>(?:am|are|is|have|has|want|like|prefer|use|need|hate|love|can not|do not|drink|eat|play|drive)\b[\w' "
    r"]*?) "
    r"(?:is|are) (?P<v2>[\w' -]{2,40})$"
)
_WHO = rf"(?!(?:I|We|He|She|They|It|You|This|That)\b){NAME}|(?i:the|our) (?:[a-z-]+ ){{0,2}}[a-z-]+"
_DAY = r"(?: (?:now|yesterday|today|(?:last|this) \w+|on \w+day))?"
_HAS_NEW = re.compile(
    rf"^(?P<who>(?i:my|our) (?:[a-z-]+ )?[a-z-]+(?: {NAME})?|(?i:mum|mom|dad)|[a-z]+[-_][\w-]+|{_WHO}) "
    r"(?:(?:has|have|just|finally|recently) )*(?:has|have|got|elected|appointed|named|hired|chosen|chose|picked|"
    rf"announced|found) an? (?:new )?(?P<key>[A-Za-z][A-Za-z -]{{2,25}}?){_DAY}(?:: |, (?:it is |which is )?| - )"
    r"(?P<v>[^:]+)$"
)
_TASTE = re.compile(
    r"(?i)^(?P<v>(?!(?:it|that|this|he|she|they|these|those|which|what|there|i|we|you|my|our|your|the|his|her)\b)"
    r"[\w'&-]+(?: [\w'&-]+){0,3}?) (?:is|are) (?P<no>not )?(?:really |totally |so |absolutely |definitely |just |"
    r"exactly )*"
    r"(?:my|our) (?:absolute |all-time |total )?(?:thing|jam|cup of tea|favou?rites?|fave|guilty pleasure|weakness|"
    r"bag)$"
)
_FORBIDDEN = re.compile(
    r"(?i)^(?P<v>(?!(?:it|that|this|he|she|they|these|those|which|what|there|i|we|you)\b)[\w'&-]+(?: [\w'&-]+){0,3}?) "
    r"(?:is|are) (?:a (?:total |complete |strict |definite )?(?:no-go|no-no)|(?:strictly |completely |totally "
    r")?(?:off limits|"
    r"off the menu|off the table|out of bounds))(?: for (?:me|us))$"
)
_NAMED_AS = re.compile(
    rf"^(?P<who>{_WHO}) (?:has |have |just )*(?:named|appointed|elected|hired|picked|chose|promoted) (?P<v>{NAME}) "
    r"(?:as |to be |to )?(?:its |their |the |his |her |a )?(?:new )?(?P<key>[A-Za-z][A-Za-z -]{2,25})$"
)
"""Who got a post: "Nimbra named Ola Berg its new CEO"."""
_ITS = re.compile(
    rf"^(?P<who>{_WHO}) (?:has |have |just |recently |finally )*(?P<verb>[a-z]+ed|set|cut) (?:its|their) "
    r"(?P<key>(?:[a-z-]+ ){0,2}(?:[a-z-]+|[A-Z]{2,4}))(?: up| down| back| over)?(?: from (?P<old>[\w .,€$£-]+?))? to "
    r"(?P<v>[A-Z\d$€£].*)$"
)
"""What something changed of itself: "Velloran moved its headquarters to Antwerp"."""
_IN_MONTH = re.compile(r" in (?=[A-Z][a-z]+(?: \d{4})?$)")
_MIGRATED = re.compile(
    r"^(?:(?:[Tt]he|[Oo]ur) )?(?P<what>(?:[A-Za-z][\w-]* )?[A-Za-z][\w-]*) (?:was|were|has been|have been|got) "
    r"(?:just |finally |recently )?(?:migrated|ported) to (?P<v>[A-Z].*)$"
)
"""What is done to things only: "Analytics was migrated to Snowflake"."""
_HAS_CHANGED = re.compile(
    r"(?i)^(?P<whose>my |our |the )?(?P<what>[a-z][\w -]{2,30}?) (?:(?:has|have|had|was|is|got|just|been) )*"
    r"(?:(?:gone|went|going) (?:up|down)|changed|increased|dropped|risen|rose|raised|lowered|cut)(?: again| a bit| "
    r"slightly| once more)?(?:,|:| -| —) (?:(?:it|that) is |to |is )?(?:now )?"
    r"(?P<v>[$€£]?\d(?:[^,;]|,(?=\d))*?)(?: now)?$"
)
"""The news first, and then the value: "rent has gone up again, £1,225 now"."""
_CHANGED = word_set(
    "gone went going changed increased dropped risen rose raised lowered cut its their named appointed elected hired "
    "promoted chose picked new migrated ported"
)
_FREE_TIME = re.compile(
    r"(?i)^(?:in|during) my (?:free|spare) time,? i (?:mostly |usually |often |like to |love to )?"
    r"(?P<verbs>[a-z]+(?:(?:,|,? and) [a-z]+){0,4})$"
)
FRONTED_WORDS = _CHANGED | word_set(
    "free spare thing something things what jam cup favorite favourite favorites favourites fave guilty "
    "weakness bag limits menu "
    "table bounds no"
)
"""Words of which such a clause has one."""


def holds_one(key: str) -> bool:
    """Whether a key is known, and holds one value that is nobody."""
    known = attribute("phone" if key.strip() == "number" else key)
    return known.known and known.holds == "one" and not known.relation


def unfronted(text: str) -> str:
    """The clause with its subject first, or nothing."""
    if told := of_others(text):
        return told
    if (match := _HAS_NEW.match(text)) and (holds_one(match["key"]) or re.search(r"\d", match["v"])):
        key = "phone" if match["key"] == "number" else match["key"]
        return f"{match['who']}'s {key} is now {match['v']}"
    if match := _FREE_TIME.match(text):
        verbs = [one.strip() for one in re.split(r",| and ", match["verbs"]) if one.strip()]
        known = all(FORMS.get(one.lower(), ("", ""))[1] == "base" for one in verbs)
        return f"my hobbies are {' and '.join(map(ing_form, verbs))}" if known else ""
    if match := _TASTE.match(text):
        return f"I {'dislike' if match['no'] else 'love'} {match['v']}"
    if match := _FORBIDDEN.match(text):
        return f"I avoid {match['v']}"
    if (match := _HAS_CHANGED.match(text)) and (match["whose"] or holds_one(match["what"])):
        return f"{match['whose'] or 'my '}{match['what']} is now {match['v']}"
    match = _CLEFT.match(text)
    return f"{match['s'] or match['s2']} {match['rest'] or match['rest2']} {match['v'] or match['v2']}" if match else ""


def of_others(text: str) -> str:
    """Who got a post, and what something changed of itself; nothing where no such thing is told."""
    if not has_any(text, _CHANGED):
        return ""
    match = _HAS_NEW.match(text) or _NAMED_AS.match(text)
    if match and is_post(match["key"]) and is_name(match["v"]):
        return f"{match['who']}'s {match['key']} is now {match['v']}"
    if match := _MIGRATED.match(text):
        return f"the {match['what'][0].lower()}{match['what'][1:]} now runs on {_IN_MONTH.sub(' since ', match['v'])}"
    match = _ITS.match(text)
    old = f" instead of {match['old']}" if match and match["old"] else ""
    return f"{match['who']}'s {match['key']} is now {match['v']}{old}" if match else ""
