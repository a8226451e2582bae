"""What a clause points back to: "there", "it will be", "from May it's 690", "he switches to Nordvik"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from recollect._values import word_set
from recollect.attributes import attribute
from recollect.extractors.patterns import Found
from recollect.extractors.people import NAME, Cast, is_name
from recollect.records import USER, Draft

_GOES_ON = re.compile(
    r"(?i)^(?P<when>(?:from|in|on|starting|as of|next|after|by) (?:[\w]+ ){1,4}?)?(?:it|that) (?P<be>will be|"
    r"is going to be|becomes|"
    r"goes up to|goes down to|rises to|drops to|is now|is) (?P<v>.*\d.*)$"
)
_WILL_BE = re.compile(
    rf"^(?P<when>(?i:from|in|on|starting|as of|next|after|by) (?:[\w]+ ){{1,4}}?)?(?i:it|that|this) "
    rf"(?i:will be|is going to be|becomes) (?P<v>(?:(?:Dr|Mr|Mrs|Ms)\. )?{NAME}(?: {NAME})?)(?P<late> .+)?$"
)
"""Whose turn it is then: "after the summer it will be Ms. Adeyemi"."""


def goes_on(text: str, before: Sequence[Draft]) -> str:
    """ "From May it'll be 690 a month", after what it is: the clause with what it stands for."""
    last = before[-1] if before else None
    if last and " be" in text and (named := _WILL_BE.match(text)) and is_held_by_one(last):
        return f"{named['when'] or ''}my {last.attribute} will be {named['v']}{named['late'] or ''}"
    match = _GOES_ON.match(text) if last else None
    if match is None or last is None or not re.search(r"\d", last.value) or last.subject != USER:
        return text
    known = attribute(last.attribute)
    if (
        known.holds != "one"
        or known.relation
        or last.category in ("events", "plans")
        or (match["be"] == "is" and not match["when"])
    ):
        return text
    be = "is now" if match["be"].startswith("is") and "going" not in match["be"] else "will be"
    return f"{match['when'] or ''}my {last.attribute} {be} {match['v']}"


def is_held_by_one(draft: Draft) -> bool:
    """Whether a draft names who is something of the speaker's, of which there is one: their boss, the piano teacher."""
    named = draft.value[:1].isupper() and draft.subject == USER and bool(draft.attribute)
    known = attribute(draft.attribute or "note")
    return named and draft.many is not True and known.holds == "one" and draft.category not in ("events", "plans")


_THERE = re.compile(
    r"(?i)^(?P<head>.*\b(?P<verb>start|begin|work|mov|liv|began)\w*) (?P<how>there|in)"
    r"(?=$| (?:on|in|next|this|last|from|as of|yesterday|today|tomorrow|before|after|by)\b)"
)
_DWELLING = re.compile(
    r"(?i)\b(?:house|flat|apartment|place|condo|cottage|studio|bungalow|townhouse|villa|room) (?:down |up |over )?in "
    rf"(?P<v>{NAME})"
)
_OFFER = re.compile(
    r"(?i)\b(?:signed|accepted|offer|contract|job|position|role|hired|traineeship|internship|apprenticeship)\b"
    rf"(?: [a-z']+){{0,3}}? (?:with|at|from|by) (?P<v>{NAME}(?: (?:&|of) {NAME})?)"
)


_FIRST_DAY = re.compile(
    r"(?i)^(?:(?:my|the) )?(?:first day|start(?:ing)? date)(?: there)? (?:is|will be)(?: on)? (?P<day>.+)$"
)
_STARTS = re.compile(
    r"(?i)^(?:i|we|he|she) (?:will |am going to |is going to |am |is )?(?:start(?:s|ing)?|begins?)(?= (?:on|in|"
    r"next|from)\b)"
)
"""When someone begins, and not where: "I've accepted an offer from Cobalt, I start on 2 May"."""
_TAKEN = re.compile(r"(?i)^(?!.*\bif\b).*\b(?:accepted|signed|hired|took|taken|landed|got)\b")
_GIVEN_UP = re.compile(
    r"(?i)\b(?:sold|sell(?:ing)?|left|leaving|moved out|gave up|giving up|rented out|turned down|declined)\b"
)


_DID_THERE = re.compile(
    r"(?i)^(?P<head>(?:my |our )?[\w' -]+? (?P<verb>work|live|stud)\w*) (?:over )?there\b"
    r"(?: (?:too|as well|before|once|myself))*(?P<tail>.*)$"
)
_DONE_AT = {"work": ("employer", "at"), "live": ("home", "in"), "stud": ("school", "at")}


def done_there(text: str, before: Sequence[Draft]) -> str:
    """ "He used to work there too", with where someone was just said to work."""
    match = _DID_THERE.match(text) if " there" in text and before else None
    if match is None:
        return text
    name, link = _DONE_AT[match["verb"].lower()]
    places = {draft.value for draft in before if draft.attribute == name and draft.value}
    return f"{match['head']} {link} {places.pop()}{match['tail']}" if len(places) == 1 else text


_NAMED_THEM = re.compile(
    rf"^(?:I|[Ww]e|[Tt]hey) (?:have |just |finally |ended up )*(?:named|called|naming|calling|christened) "
    rf"(?P<whom>her|him|it) (?P<v>{NAME})$"
)


def named_them(text: str, cast: Cast, speaker: str) -> list[tuple[str, Found]]:
    """ "We named her Runa", after a daughter was spoken of."""
    match = _NAMED_THEM.match(text)
    who = cast.by_pronoun(match["whom"]) if match else None
    told = match is not None and who is not None and bool(who[1]) and is_name(match["v"])
    return [(speaker, Found(who[1], match["v"], many=True))] if match and who and told else []


_SWITCHED = re.compile(r"(?i)\b(?:switch|chang)(?:es|ed|e|ing)?\b(?: over| back)? to ")
_SWITCHABLE = word_set("school bank gym doctor dentist")
"""What one changes for another of its kind, so that only a name need be told."""


def of_its_kind(item: Found, subject: str, text: str, before: Sequence[Draft]) -> Found:
    """ "She goes to Birkelund, in the fall she'll switch to Nordvik": another school, and nothing that she uses."""
    if item.attribute != "uses" or not _SWITCHED.search(text):
        return item
    told = [draft for draft in before if draft.subject == subject and draft.attribute in _SWITCHABLE]
    return replace(item, attribute=told[-1].attribute, text="") if told else item


def there(text: str, said: str) -> str:
    """ "We found a flat in Lodz and move in in May": the clause with the place that "in" or "there" stands for."""
    if (first := _FIRST_DAY.match(text)) and not _GIVEN_UP.search(said):
        firms = {one["v"] for one in _OFFER.finditer(said)}
        return f"I start at {firms.pop()} on {first['day']}" if len(firms) == 1 else text
    if (starts := _STARTS.match(text)) and _TAKEN.search(said) and not _GIVEN_UP.search(said):
        firms = {one["v"] for one in _OFFER.finditer(said)}
        return f"{starts[0]} at {firms.pop()}{text[starts.end() :]}" if len(firms) == 1 else text
    match = _THERE.match(text) if " there" in text or " in" in text else None
    if match is None or _GIVEN_UP.search(said):
        return text
    home = match["verb"].lower() in ("mov", "liv")
    if match["how"].lower() == "in" and match["verb"].lower() != "mov":
        return text
    places = [one["v"] for one in (_DWELLING if home else _OFFER).finditer(said)]
    link = "to" if match["verb"].lower() == "mov" else "in" if home else "at"
    return f"{match['head']} {link} {places[-1]}{text[match.end() :]}" if len(set(places)) == 1 else text
