"""Ways to say a change that come down to a plainer one: "I raised the limit to 50" is "the limit is now 50"."""

from __future__ import annotations

import re

from recollect._values import word_set
from recollect.attributes import attribute
from recollect.extractors.keywords import words_in
from recollect.extractors.people import NAME, relation_of
from recollect.extractors.verbs import FORMS

_SETTING = word_set(
    "raise lower increase decrease reduce cut bump change set update upgrade downgrade drop adjust extend shorten "
    "double "
    "triple halve push reset switch lift bring put move scale up slash trim hike"
)
"""What is done to a value that goes up or down or is set anew."""
_WEAKLY = word_set("put move bring lift push drop scale")
"""Those of them that are also done to things: they set a value only of what is known to have one."""
_SETTING_FORMS = frozenset(form for form, (base, _) in FORMS.items() if base in _SETTING)
_THING = r"(?:[\w'./-]+ ){0,4}?[\w'./-]+"
_SETS = re.compile(
    rf"^(?:(?i:i|we|they|he|she|you)|{NAME}|(?i:the|my|our) (?:[\w-]+ ){{0,2}}?[\w-]+) "
    r"(?P<aux>(?i:(?:have|has|had to|had|just|finally|recently|also|will|am|are|is|going to|now|be|even) )*)"
    rf"(?P<verb>[a-z]+) (?P<what>(?i:the|my|our) {_THING})(?: up| down| back| over| out)?"
    rf"(?: from (?P<old>[\w$€£.,%-]+(?: [\w%]+)?))? to (?P<new>.+)$"
)
_RISES = re.compile(
    rf"(?i)^(?P<what>(?:the|my|our) {_THING}) (?P<aux>(?:has |have |just |now |will |is |are |going to |be )*)"
    r"(?P<verb>[a-z]+) (?P<way>(?:back )?(?:up|down|over|"
    r"back) )?(?:from (?P<old>[\w$€£.,%-]+(?: [\w%]+)?) )?to (?P<new>.+)$"
)
_RISING = word_set("rise go climb jump grow fall shrink drop increase decrease change switch")
_RISING_FORMS = frozenset(form for form, (base, _) in FORMS.items() if base in _RISING) | word_set(
    "rises rose risen rising climbs climbed climbing jumps jumped jumping shrinks shrank shrunk shrinking decreases "
    "decreased decreasing"
)
_VERSION = re.compile(r"v?\d+(?:\.\d+)+\w*$|v\d+$")
_ROLLED = re.compile(
    r"(?i)^(?:i|we|they) (?:have |has |just |had to )*(?:rolled|upgraded|updated|bumped|moved|took|brought|"
    r"downgraded|deployed) "
    r"(?:the |our )?(?P<what>[a-z][\w-]*)(?: back| up| down)? (?:to|onto) (?P<new>(?:version )?v?\d+(?:\.\d+)+\w*|"
    r"v\d+)$"
)
_PLACE_OR_PERSON = re.compile(r"(?i)^(?:the |an? |my |our )?(?:bedroom|kitchen|garage|office|garden|attic|shelf)\b")


_HERE_IS = re.compile(
    r"(?i)^(?:(?:here|this) (?:is|are) (?P<whose>my|our)|(?P<own>my|our)) (?:new |"
    r"current )?(?P<key>[a-z][a-z -]{2,25}): (?P<v>[^:]+)$"
)
_THE_NEW = re.compile(
    r"(?i)^the (?:new|current|right|correct) (?P<key>[a-z][a-z -]{2,25}?) (?P<be>is|will be) (?P<v>.+)$"
)
_TELLS_TO = re.compile(
    r"(?i)^(?:please |can you |could you )*(?:switch|change|update|"
    r"set) my (?P<key>[a-z][a-z -]{2,25}?) to (?P<v>\S+(?: [\w.-]+){0,5}?)"
    r"(?: please)?$"
)
_ONES_OWN = frozenset(("contact", "finance", "identity", "home"))
_INNER_NO = re.compile(
    r"^(?P<head>.+? )(?P<link>in|at|for|on|from|to|is|as) (?P<old>[\w$€£.-]+(?: [A-Z][\w-]*)?),? (?:no|sorry|I mean|"
    r"I meant|"
    r"or rather|rather|er|wait|make that),? (?:in |at |for |on |from |to )?(?P<new>[\w$€£.-]+(?: [\w.-]+)?)$"
)
"""Someone who puts themself right in the midst of a sentence."""


def plainer(text: str) -> str:
    """The clause in its plainest form, or as it is."""
    words = words_in(text)
    if ":" in text and (match := _HERE_IS.match(text)) and holds_one(match["key"]):
        return f"{match['whose'] or match['own']} {match['key']} is {match['v']}"
    if text[:4].lower() == "the " and (match := _THE_NEW.match(text)) and is_ones_own(match["key"]):
        return f"my new {match['key']} {match['be']} {match['v']}"
    if (match := _TELLS_TO.match(text)) and is_ones_own(match["key"]):
        return f"my {match['key']} is now {match['v']}"
    if not _UNSURE.isdisjoint(words) and (match := _INNER_NO.match(text)):
        return f"{match['head']}{match['link']} {match['new']}, not {match['old']}"
    return of_change(text, words) if "to" in words else text


_UNSURE = word_set("no sorry mean meant rather er wait")


def holds_one(key: str) -> bool:
    """Whether a key is known, and holds one value that is nobody."""
    known = attribute("phone" if key.strip() == "number" else key)
    return known.known and known.holds == "one" and not known.relation


def is_ones_own(key: str) -> bool:
    """Whether a key is something of a person's, so that "the new one" is the speaker's."""
    return holds_one(key) and attribute("phone" if key.strip() == "number" else key).category in _ONES_OWN


def of_change(text: str, words: frozenset[str]) -> str:
    """What was raised, lowered or set to a value."""
    if (match := _ROLLED.match(text)) and not attribute(match["what"]).known:
        return f"the {match['what']} is on {match['new'].removeprefix('version ')}"
    if not _SETTING_FORMS.isdisjoint(words) and (match := _SETS.match(text)) and sets(match):
        return now_is(match)
    if not _RISING_FORMS.isdisjoint(words) and (match := _RISES.match(text)) and rises(match):
        return now_is(match)
    return text


def rises(match: re.Match[str]) -> bool:
    """Whether a value goes up or down, and nobody goes anywhere."""
    verb, what = match["verb"].lower(), match["what"].split()
    going = FORMS.get(verb, ("", ""))[0] != "go" or match["way"]
    if verb.startswith(("change", "changing", "switch")) and not is_exact(" ".join(what), match["new"]):
        return False
    return verb in _RISING_FORMS and bool(going) and not any(relation_of(word) for word in what)


def is_exact(what: str, new: str) -> bool:
    """Whether a thing is known to have a value, or is given a number or an address."""
    return attribute(what.split()[-1]).known or re.search(r"\d|://|@", new) is not None


def sets(match: re.Match[str]) -> bool:
    """Whether something is set to a value, and nobody is brought anywhere."""
    base = FORMS.get(match["verb"], ("", ""))[0]
    what = match["what"].split(" ", 1)[1]
    if base not in _SETTING or relation_of(what) or _PLACE_OR_PERSON.match(match["new"]):
        return False
    if base in ("change", "switch") and match["old"] and not is_exact(what, match["new"]):
        return False  # What a thing was changed from tells best what was changed.
    known = attribute(what) if attribute(what).known else attribute(what.split()[-1])
    if base == "move":
        return known.known and known.category in ("finance", "events")
    return (known.known and not known.relation) if base in _WEAKLY else True


def now_is(match: re.Match[str]) -> str:
    """ "the limit is now 50", with what it was before where that was said."""
    coming = re.search(r"(?i)\b(?:will|going to|am|are|is)\b", match["aux"]) is not None
    coming = coming or (match.re is _RISES and FORMS.get(match["verb"].lower(), ("", ""))[1] in ("third", "base"))
    be = "will be" if coming else "is now"
    old = f" instead of {match['old']}" if match["old"] else ""
    if _VERSION.match(match["new"]) and not attribute(match["what"].split()[-1]).known:
        return f"{match['what']} is on {match['new']}{old}"
    return f"{match['what']} {be} {match['new']}{old}"
