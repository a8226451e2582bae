"""Who is meant where nobody is named: "Moved to Porto", "big fan of rooibos", "favourite band is Low now"."""

from __future__ import annotations

import re

from recollect.extractors.clauses import is_diary
from recollect.extractors.people import NAME, relation_pattern
from recollect.extractors.verbs import FORMS, PARTICIPLES

_SKIPPED = re.compile(
    r"^(?P<adverb>(?:(?i:just|finally|recently|also|now|still|currently|already|officially|actually|never|no "
    r"longer) )*)"
    r"(?P<verb>[A-Za-z]+)\b(?P<rest>.*)$"
)
_NEVER_FIRST = frozenset(
    "set put cut read let left used said called named based born written made done given thought meant updated "
    "attached needed required related compared provided related supposed fixed noted agreed understood".split()
)
"""Forms that begin commands, labels and descriptions as often as they tell what the speaker did."""
_BEING = frozenset(("allergic", "lactose", "diabetic", "gluten"))
"""What a note says of its writer: "allergic to peanuts"."""
_STATUS = re.compile(
    r"(?i)(?:happily |newly |officially |still )?(?:single|married|divorced|engaged|vegan|vegetarian|retired|pregnant|"
    r"widowed|"
    r"unemployed|off (?:the|my) [a-z]+)(?: for (?:about |over |nearly |almost )?[\w-]+ years)?"
    r"(?: now| again| these days| at last| already)*$"
)
_BASED = re.compile(
    r"(?i)(?:currently |now )?(?:based|originally from|born and raised) (?:(?:in|near) )?(?=(?-i:[A-Z]))"
)
_CAN_NOT = re.compile(
    r"(?i)(?:just |finally )?made (?=(?-i:[A-Z])[\w.+-]* (?:my|our) )|can not (?=(?:stand|bear|abide|eat|have|drink|"
    r"tolerate|digest)\b)"
)
_FAN = re.compile(
    r"(?i)(?:also )?(?P<no>not )?(?:an? )?(?P<size>(?:big|huge|massive|great|lifelong|real|proper) )?"
    r"(?P<kind>fan|lover) of (?=\w)"
)
_KEEN = re.compile(
    r"(?i)(?:also )?(?:not )?(?:(?:so|really|very|totally|too|that) )*"
    r"(?:keen on|fond of|partial to|obsessed with) (?=\w)"
)
"""What one is fond of, with nobody who is: "big fan of rooibos", "not keen on kale"."""
_BARE_KEY = re.compile(
    rf"^(?i:(?:new|current) )?(?:(?i:fav(?:ou?rite)?) [a-z]+(?: [a-z]+)?|{relation_pattern()}) (?:is|'s) "
    rf"(?:(?i:now|called|named) )*(?:{NAME}|[a-z]+ now$)"
)
"""What only the speaker can have, told without "my": "favourite band is Low now", "new boss is Ines"."""
_FELT = frozenset(("love", "hate", "prefer"))
"""What one does not tell others to do: "Love pho"."""
_POINTER = re.compile(r"(?i)(?:it|that|this|them|these|those|you|your|the (?:idea|way|look|sound)|how|what|to)\b")
_NOW_DOING = frozenset(("live", "work", "study", "move", "use", "drive", "learn", "read"))
_FINITE = re.compile(
    r"(?i)\b(?:is|are|was|were|has been|can be|would|will|makes|means|takes|requires|seems|sounds|"
    r"feels)\b"
)


def implied(text: str) -> str:
    """A clause that begins with its verb, as in a diary: "Moved to Porto", "Just sold the car", "Living in Rome"."""
    if _STATUS.match(text) or _BASED.match(text):
        return f"I am {text[0].lower()}{text[1:]}"
    if fan := _FAN.match(text):
        return f"I am {fan['no'] or ''}a {fan['size'] or ''}{fan['kind']} of {text[fan.end() :]}"
    if _BARE_KEY.match(text):
        return f"my {text[0].lower()}{text[1:]}"
    if _KEEN.match(text):
        return f"I am {text[0].lower()}{text[1:]}"
    if _CAN_NOT.match(text):
        return f"I {text[0].lower()}{text[1:]}"
    match = _SKIPPED.match(text)
    if match is None:
        return text
    verb, adverb = match["verb"].lower(), match["adverb"]
    base, form = FORMS.get(verb, ("", ""))
    if text.startswith(("Have not ", "Did not ", "have not ", "did not ")):
        return f"I {text[0].lower()}{text[1:]}"
    if verb in _BEING and not _FINITE.search(match["rest"]):
        return f"I am {adverb.lower()}{verb}{match['rest']}"
    named = (verb == "left" and match["rest"][1:2].isupper()) or (verb == "given" and match["rest"].startswith(" up "))
    if (verb in _NEVER_FIRST and not named) or not match["rest"].strip():
        return text
    if (
        is_diary(text)
        or form == "past"
        or verb in ("quit", "split")  # Their past looks like their base form.
        or (form == "participle" and verb in PARTICIPLES)
        or adverb.lower() == "no longer "
    ):
        return f"I {adverb.lower()}{verb}{match['rest']}"
    if form == "ing" and base in _NOW_DOING and not _FINITE.search(match["rest"]):
        return f"I am {adverb.lower()}{verb}{match['rest']}"
    if form == "base" and base in _FELT and not _POINTER.match(match["rest"].strip()):
        return f"I {adverb.lower()}{verb}{match['rest']}"
    if adverb.lower().strip() == "still" and re.match(r"(?:at|in|with|on)$", verb):
        return f"I am still {verb}{match['rest']}"
    return text
