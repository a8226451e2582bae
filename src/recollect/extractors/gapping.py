"""What is left out because it was just said: "I used to play the cello, nowadays only the guitar"."""

from __future__ import annotations

import re

from recollect._values import word_set
from recollect.extractors.verbs import ADVERBS, FORMS, third_person

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
