"""What is left out because it was just said: "I used to play the cello, nowadays only the guitar"."""

from __future__ import annotations

import re

from recollect.extractors.verbs import ADVERBS, FORMS, third_person
from recollect.text.values import word_set

NOW_WORDS = word_set("now nowadays days today lately")
_THEN_AND_NOW = re.compile(
    r"^(?P<then>(?:(?:As an? (?:kid|child|teen|teenager|student)|Back then|Years ago|Before),? )?"
    r"(?P<who>I|[Ww]e|[Hh]e|[Ss]he|[Mm]y [a-z]+) (?:always |mostly |only )?(?P<verb>used to [a-z]+|[a-z]+) "
    r"(?P<old>[^,;]+?))"
    r"(?:,|,? but|,? and|;) (?:now|nowadays|these days|today|lately),? (?:it is |it's )?"
    r"(?:only |just |mostly |mainly )?"
    r"(?P<new>(?:(?:the|an?|my|in|at|with|for|to) )?[\w'-]+(?: [\w'-]+){0,2})(?P<end>[.!]*)$"
)
_NO_OBJECT = word_set(
    "i we he she they it that this there not no never more less everything nothing all none you me him"
)


_LINK = re.compile(r"(?:in|at|with|for|to) ")


def then_and_now(sentence: str) -> str:
    """The sentence with the verb that its second half shares with the first, now in the present."""
    match = _THEN_AND_NOW.match(sentence)
    if match is None:
        return sentence
    told = match["verb"].removeprefix("used to ")
    base, form = FORMS.get(told, ("", ""))
    over = form == "past" or (told != match["verb"] and form == "base")
    words = match["new"].lower().split()
    if (
        not over
        or base in ("be", "have", "do")
        or any(
            "'" in word or word in _NO_OBJECT or word in ADVERBS or (word in FORMS and len(words) > 1) for word in words
        )
    ):
        return sentence
    link = _LINK.match(match["old"])
    new = f"{link[0]}{match['new']}" if link and match["new"][:1].isupper() else match["new"]
    who = match["who"] if match["who"] == "I" else match["who"].lower()
    verb = base if who in ("I", "we") else third_person(base)
    return f"{match['then']}; now {who} {verb} {new}{match['end']}"


_GAPPED = re.compile(
    r"^(?P<who>(?:[\w'./-]+ ){1,4}?)(?P<be>(?:was|were|is|am|are) )?(?P<verb>[a-z]+) "
    r"(?P<how>on port|on|in|at|for|with|to|from) (?P<first>[^,;]+?)(?:,? and|,(?= my [a-z]+ )) "
    r"(?P<other>(?:(?:[Tt]he|[Mm]y|[Oo]ur) )?[\w'.-]+(?: [\w'.-]+)?) (?P=how) (?P<second>[^,;]+)$"
)
_NOBODY = re.compile(
    r"(?i)(?:on|in|at|for|with|to|from|and|or|then|also|now|sometimes|usually|often|every|not|the|my|our|it|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b"
)


def ungapped(sentence: str) -> str:
    """ "Staging runs on port 3000 and prod on port 443", with its verb in both places."""
    match = _GAPPED.match(sentence)
    if match is None or not may_share(match):
        return sentence
    other = match["other"]
    if _NOBODY.match(re.sub("(?i)^(?:the|my|our) ", "", other)) or any(word in FORMS for word in other.split()):
        return sentence
    told = f"{match['who']}{match['be'] or ''}{match['verb']} {match['how']} {match['first']}"
    be = (match["be"] or "is ").replace("am", "is") if is_state(match) else ""
    return f"{told}; {other} {be}{match['verb']} {match['how']} {match['second']}"


def may_share(match: re.Match[str]) -> bool:
    """Whether the second half lacks only the verb: of a state, it must be somebody's."""
    if is_state(match):
        return re.match(r"(?:[Mm]y|[Oo]ur) [a-z]+(?: [A-Z]\w+)?$|[A-Z][a-z]+$", match["other"]) is not None
    return not match["be"] and FORMS.get(match["verb"], ("", ""))[1] in ("third", "past", "base")


def is_state(match: re.Match[str]) -> bool:
    """Whether it is told what someone is: "was born in Kiel", "'m allergic to nuts"."""
    be = match["be"] or match["who"].endswith(("'m ", "'s ", "'re "))
    told = match["verb"] in ("born", "allergic") or FORMS.get(match["verb"], ("", ""))[1] == "participle"
    return bool(be) and told
