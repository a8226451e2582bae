"""When a thing takes place as a rule, told in the order in which it is read: "band practice got moved to Fridays" as
"the band practice moved to Fridays", "… on Wednesdays from May" as "from May … on Wednesdays"."""

from __future__ import annotations

import re

from recollect.extractors.keywords import has_any
from recollect.text.values import word_set

_EVENT = (
    r"(?:[A-Za-z][a-z'-]+ ){0,2}(?i:class|classes|practice|training|rehearsals?|lessons?|choir|yoga|pilates|karate|"
    r"judo|swimming|football|ballet|zumba|book club|quiz|bingo|stand-?up|retro|sprint planning|office hours|story time|"
    r"bin day|market day|surgery|bible study|playgroup|youth club|game night|movie night|date night)"
)
_EVENT_WORDS = word_set(
    "class classes practice training rehearsal rehearsals lesson lessons choir yoga pilates karate judo swimming "
    "football ballet zumba club quiz bingo standup stand-up retro planning hours time day surgery study playgroup night"
)
_START = r"(?:^|(?<=[.!?;:,] ))"
_BARE = re.compile(
    rf"{_START}(?P<led>(?:(?:[Ff]rom|[Ss]tarting|[Aa]s of) (?:(?:next|this) )?(?:\d{{1,2}} )?\w+,? )?)"
    rf"(?!(?:[Tt]he|[Mm]y|[Oo]ur|[Tt]his|[Hh]is|[Hh]er|[Tt]heir|[Aa]n?|[Ee]very|[Nn]o) )(?P<what>{_EVENT}) "
    r"(?=(?:will be|will|is moving|has been|have been|was|were|got|moves|moved|has moved|has|is now|are now) )"
)
_PASSIVE = re.compile(
    r"\b(?:(?:has|have) (?:been |just been )?|was |were |got |has got )(?:moved|shifted|rescheduled|switched|changed|"
    r"pushed|brought|put)(?: back| forward| up| out)? to (?=(?:on )?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b|\d|"
    r"half past|quarter|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon)\b)"
)
_DAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?"
_MONTH = r"(?:Jan|Feb|March|April|May|June|July|Aug|Sept|Oct|Nov|Dec)[a-z]*"
_FROM_THEN = re.compile(
    rf"{_START}(?P<said>(?:[Tt]he|[Mm]y|[Oo]ur|[Ww]e|I) [^.!?;,]*?\b(?:on {_DAY}(?: and {_DAY})?|"
    r"at \d[\d:]*(?: ?[ap]m)?|at (?:half past |quarter (?:to|past) )?"
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon)))"
    rf",? (?P<then>(?:from|starting(?: in| on| from)?|as of|beginning) "
    rf"(?:next \w+|(?:\d{{1,2}}(?:st|nd|rd|th)? )?{_MONTH}"
    r"(?: \d{1,2}(?:st|nd|rd|th)?)?))(?: on| onwards?)?(?=[.!]|$)"
)
_TIME_WORDS = word_set("from starting of beginning")


def in_order(text: str) -> str:
    """The text with its timetables told plainly."""
    text = _PASSIVE.sub("moved to ", text) if " to " in text else text
    if has_any(text.lower(), _EVENT_WORDS):
        text = _BARE.sub(lambda match: f"{match['led']}the {match['what'][0].lower()}{match['what'][1:]} ", text)
    if has_any(text, _TIME_WORDS):
        text = _FROM_THEN.sub(from_then, text)
    return text[:1].upper() + text[1:] if text.startswith("the ") else text


def from_then(match: re.Match[str]) -> str:
    """The clause with the time from which it holds before it."""
    then, said = match["then"], match["said"]
    return f"{then[0].upper()}{then[1:]} {said if said.startswith('I ') else said[0].lower() + said[1:]}"
