"""Ways to say a change that come down to a plainer one: "I raised the limit to 50" is "the limit is now 50"."""

from __future__ import annotations

import re
from functools import lru_cache

from recollect.extractors.deadlines import DEADLINES, when_due
from recollect.extractors.fronted import FRONTED_WORDS, holds_one, of_others, unfronted
from recollect.extractors.handing import CARING, SERVING, cared_for, handed_over, served_by
from recollect.extractors.keywords import SUMS, words_in
from recollect.extractors.people import NAME, relation_of
from recollect.extractors.posts import is_post, is_role
from recollect.extractors.programs import SOFTWARE
from recollect.extractors.releases import (
    ANY_RISES,
    PARTS,
    STORING,
    THING,
    grown,
    is_told_to,
    of_release,
    set_anyhow,
    stored,
)
from recollect.extractors.verbs import FORMS
from recollect.facts.attributes import attribute
from recollect.text.values import word_set

_SETTING = word_set(
    "raise lower increase decrease reduce cut bump change set update upgrade downgrade drop adjust extend shorten "
    "double "
    "triple halve push reset switch lift bring put move scale up slash trim hike"
)
"""What is done to a value that goes up or down or is set anew."""
_WEAKLY = word_set("put move bring lift push drop scale")
"""Those of them that are also done to things: they set a value only of what is known to have one."""
_SETTING_FORMS = frozenset(form for form, (base, _) in FORMS.items() if base in _SETTING) | {"upped"}
_RISING = word_set("rise go climb jump grow fall shrink drop increase decrease change switch")
_RISING_FORMS = frozenset(form for form, (base, _) in FORMS.items() if base in _RISING) | word_set(
    "rises rose risen rising climbs climbed climbing jumps jumped jumping shrinks shrank shrunk shrinking decreases "
    "decreased decreasing"
)
_MOVING_FORMS = _RISING_FORMS | _SETTING_FORMS
_SETS_HOW = "|".join(sorted(_SETTING_FORMS, key=len, reverse=True))
_MOVES_HOW = "|".join(sorted(_MOVING_FORMS, key=len, reverse=True))
_SETS = re.compile(
    rf"^(?:(?i:i|we|they|he|she|you)|(?P<by>{NAME})|(?i:the|my|our) (?:[\w-]+ ){{0,2}}?[\w-]+) "
    r"(?P<aux>(?i:(?:have|has|had to|had|just|finally|recently|also|will|am|are|is|going to|now|be|even) )*)"
    rf"(?P<verb>{_SETS_HOW}) (?P<what>(?i:the|my|our) {THING}|(?!(?i:the|my|our|from|to|in|on|at|it|that|this|him|"
    rf"her|them|me|us|over|back|up|down|out|into|an?)\b)(?:[A-Za-z][\w-]* ){{1,3}}?[a-z][\w-]*)"
    r"(?: up| down| back| over| out)?"
    rf"(?: from (?P<old>[\w$€£.,%-]+(?: [\w%]+)?))? to (?P<new>.+)$"
)
_RISES = re.compile(
    rf"(?i)^(?P<what>(?:the|my|our) {THING}|(?!(?:i|we|he|she|they|it|you|this|that|who|there)\b)[\w./-]+(?: "
    rf"[a-z][\w./-]*){{0,3}}?) "
    r"(?P<aux>(?:has |have |had |just |now |will |is |are |was |were |been |being |got |gets |going to |be |"
    r"recently |finally )*)"
    rf"(?P<verb>{_MOVES_HOW}) (?P<way>(?:back )?(?:up|down|over|"
    r"back|out) )?(?:from (?P<old>[\w$€£.,%-]+(?: [\w%]+)?) )?to (?P<new>.+)$"
)
_EXACT = re.compile(r"(?i)(?:[$€£] ?)?v?\d|port \d|https?:|[\w.+-]+ v?\d[\d.]*$")
_VERSION = re.compile(r"v?\d+(?:\.\d+)+\w*$|v\d+$")
_PLACE_OR_PERSON = re.compile(r"(?i)^(?:the |an? |my |our )?(?:bedroom|kitchen|garage|office|garden|attic|shelf)\b")


_HERE_IS = re.compile(
    r"(?i)^(?:(?:here|this) (?:is|are) (?P<whose>my|our)|(?P<own>my|our)) (?:new |"
    r"current )?(?P<key>[a-z][a-z -]{2,25}): (?P<v>[^:]+)$"
)
_LABEL = re.compile(
    r"^(?i:new |current |updated? |set |changed? |bump(?:ed)? )?(?P<key>(?!(?i:my|our|the|note|update|fyi|todo|ps|"
    r"re)\b)[A-Za-z][\w/-]*(?: [\w/-]+){0,3}?)"
    r"(?: (?P<old>[\w.:$€£%/-]*\d[\w.:$€£%/-]*))? ?(?:: |=|->|=>|→) ?(?P<v>[^:\s]\S*(?: \w+){0,2})$"
)
"""A key and its value as in a list or a log: "staging url: …", "timeout 30s -> 10s"."""
_THE_NEW = re.compile(
    r"(?i)^the (?:new|current|right|correct|best|main|only) (?P<key>[a-z][a-z -]{2,25}?)"
    r"(?: (?:for|to (?:reach|call|contact|email)) (?:me|us)(?: (?:on|at|under))?)? (?P<be>is|will be) (?P<v>.+)$"
)
_TELLS_TO = re.compile(
    r"(?i)^(?:please |can you |could you )*(?:switch|change|update|"
    r"set) my (?P<key>[a-z][a-z -]{2,25}?) to (?P<v>\S+(?: [\w.-]+){0,5}?)"
    r"(?: please)?$"
)
_ONES_OWN = frozenset(("contact", "finance", "identity", "home", "other", "people"))
_INNER_NO = re.compile(
    r"^(?P<head>.+? )(?P<link>in|at|for|on|from|to|is|as) (?P<old>[\w$€£.-]+(?: [A-Z][\w-]*)?),? (?:(?:no(?! more| "
    r"longer)|sorry|I mean|I meant|or rather|rather|er|wait|make that|scratch that|actually)[, ]+)+"
    r"(?:in |at |for |on |from |to )?(?P<new>[\w$€£.-]+(?: [\w.-]+)?)$"
)
"""Someone who puts themself right in the midst of a sentence."""


@lru_cache(maxsize=256)
def plainer(text: str) -> str:
    """The clause in its plainest form, or as it is."""
    words = words_in(text)
    if ":" in text and (match := _HERE_IS.match(text)) and holds_one(match["key"]):
        return f"{match['whose'] or match['own']} {match['key']} is {match['v']}"
    if _LABELS.intersection(text) and (match := _LABEL.match(text)) and labels(match) and text[:4].lower() != "new ":
        old = f" instead of {match['old']}" if match["old"] else ""
        whose = "my" if attribute(match["key"]).category in _BODILY else "the"
        return f"{whose} {match['key']} is {'now ' if old else ''}{match['v']}{old}"
    if text[:4].lower() == "the " and (match := _THE_NEW.match(text)) and is_ones_own(match["key"]):
        return f"my new {match['key']} {match['be']} {match['v']}"
    if (match := _TELLS_TO.match(text)) and is_ones_own(match["key"]):
        return f"my {match['key']} is now {match['v']}"
    if not _UNSURE.isdisjoint(words) and (match := _INNER_NO.match(text)):
        return f"{match['head']}{match['link']} {match['new']}, not {match['old']}"
    if told := grown(text, words):
        return told
    if not STORING.isdisjoint(words) and (told := stored(text)):
        return told
    if not _TURNED_WORDS.isdisjoint(words):
        text = turned(text, words)
        words = words_in(text)
    return of_change(text, words) if not _TO.isdisjoint(words) else text


_LABELS = frozenset(":=>→")
_BODILY = frozenset(("identity", "health"))
"""What only people have, so that the key alone tells whose it is: "weight: 90 kg"."""


def labels(match: re.Match[str]) -> bool:
    """Whether a key is one that things have, or its value an exact one."""
    known = attribute(match["key"].split()[-1])
    plain = known.known and known.holds == "one" and known.category in ("project", "finance", "contact")
    plain = plain or (known.category in _BODILY and " " not in match["key"] and re.match(r"\d", match["v"]) is not None)
    return plain or (match["old"] is not None and re.search(r"\d", match["v"]) is not None)


_TO = word_set("to onto until till version") | PARTS
_NUMBER_WORDS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|sixty|ninety"
_IS_THE = re.compile(
    rf"^(?P<v>{NAME}) is (?P<now>now )?the (?P<new>new )?(?P<key>(?:[\w-]+ ){{0,3}}(?:lead|owner|manager|maintainer|"
    rf"captain|contact|chair|head|coordinator|engineer|reviewer|admin)|(?P<top>C[A-Z]O|head of \w+|[a-z]+ master|"
    rf"[a-z]+ advisor|treasurer|chairman|chairwoman))(?P<late> now)?$"
)
_POST_IS = re.compile(
    rf"^(?P<key>(?!The |My |Our |the |my |our )[A-Za-z][\w-]*(?: [\w-]+)? (?:lead|owner|manager|maintainer|captain|"
    rf"contact|engineer|"
    rf"reviewer|coordinator)|(?i:primary |secondary )?[Oo]n-?call)(?: (?:for )?(?:this|the|next) \w+)? is (?P<now>now "
    rf")?"
    rf"(?P<v>{NAME})(?P<late> now)?$"
)
_IT_IS = re.compile(
    r"(?i)^it (?:is|was) (?P<v>[\w' -]+?) (?:that |which |who )?(?P<s>i|we|he|she|my \w+|(?-i:[A-Z])[a-z]+) "
    r"(?P<rest>(?:am|are|is|have|"
    r"has|want|"
    r"like|prefer|use|need|live|work|hate|love)\b[\w' ]*?)(?P<tail>,? not .+)?$"
)
_YEAR_AT = re.compile(
    r"(?i)^(?P<s>(?:i|he|she|my \w+) (?:am|is)) (?:now |currently )?in (?:my|his|her) (?:first|second|third|"
    r"fourth|fifth|"
    r"final|last) year (?:at|of) (?=(?-i:[A-Z]))"
)
_PUT_ON = re.compile(
    r"(?i)^(?:(?:my|the) [\w' -]{2,25}?|they|work) (?:has |just |have )*(?:put|started) me on (?P<v>[\w -]+)$|"
    r"^i (?:was|got|have been) (?:just )?(?:put|started) on (?P<w>[\w -]+)$"
)
_SHIFT = re.compile(r"(?i)(?:^|\b)(?:nights|days|earlies|lates|(?:[a-z]+ )?shifts?|part[- ]time|full[- ]time)$")
_FLOOR = re.compile(r"(?i)^the [\w-]+ floor(?: now)?$")
_AGES = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split()
_AGED = re.compile(
    rf"(?i)^(?P<who>he|she|(?:my|our) (?:[\w-]+ ){{0,2}}?[\w-]+|(?-i:[A-Z][a-z]+)) is (?:now |only |just |already )?"
    rf"(?P<v>{'|'.join(_AGES)})(?: years old| now)?$"
)
_TAKEN_OFF = re.compile(
    r"(?i)^(?:(?:my|the|they) [\w' -]{2,25}?|[a-z]+) ?(?:has |just |have )*(?:took|taken) me off (?:the |my )?"
    r"(?P<v>[\w -]+)(?P<w>)$"
)
_STILL_MY = re.compile(r"(?i)\b(is|are) still (?=(?:my|our) )")
_PUT_AWAY = re.compile(
    r"(?i)^(?:i|we) (?:have |just )*(?:put|moved|left|hid|stored) (?:the|my|"
    r"our) (?P<what>(?:[\w-]+ ){0,3}(?:keys?|passports?|"
    r"charger|ladder|toolbox|drill|umbrella|suitcase|documents|papers|manual|remote|wallet|glasses|camera|tent|"
    r"batteries)) "
    r"(?P<v>(?:in|on|under|behind|inside|next to|above|below) (?:the|my|our) [\w' -]+?)(?: instead|"
    r" now)?(?:,? by the way|,? btw)?$"
)
_POSTS = word_set(
    "oncall call lead owner manager maintainer captain contact chair head coordinator engineer reviewer admin "
    "master advisor "
    "treasurer chairman chairwoman ceo cto cfo coo cmo cio cpo cro"
)
_GIVEN = word_set(
    "ownership responsibility maintenance took taken takes handed passed gave transferred went assigned "
    "reassigned given"
)
_TREATED = word_set("put started took taken")
_TURNING = DEADLINES | _GIVEN | _POSTS | CARING | SERVING
_TURNED_WORDS = _TURNING | _TREATED | FRONTED_WORDS | word_set("it year still made") | frozenset(_AGES)
_MADE = re.compile(
    r"(?i)^i (?:was|got|have been) (?:just |recently )?made (?!redundant\b)(?:an? |the )?(?P<v>[a-z][\w -]{2,40}?)"
    r"(?= in | at | last |$)"
)


LONGEST_TURNED = 300


def is_turned(text: str) -> bool:
    """Whether a message tells of a thing from another side, which only makes sense in its plainer form."""
    words = words_in(text)
    if not _INSTEAD.isdisjoint(words) and (" instead of " in text or "instead" not in words):
        return True
    if len(text) > LONGEST_TURNED:
        return False
    if not _MOVING_FORMS.isdisjoint(words) and "to" in words and is_set(text):
        return True
    if not PARTS.isdisjoint(words) and of_release(text.rstrip(" .!")):
        return True
    if of_others(text.rstrip(" .!")):
        return True
    told = not _TURNING.isdisjoint(words)
    if told and (cared_for(text.rstrip(" .!")) or when_due(text.rstrip(" .!"))):
        return True
    return told and any(handed_over(part) or _IS_THE.match(part) for part in text.rstrip(" .!").split(", "))


_INSTEAD = word_set("instead replaced renamed superseded")


def is_set(text: str) -> bool:
    """Whether one of its sentences tells what something was set to."""
    found = (_RISES.match(part) for part in text.rstrip(" .!").split(". "))
    return any(match is not None and rises(match) for match in found)


def turned(text: str, words: frozenset[str]) -> str:
    """What is said of a thing from another side: who it went to, when it was put off to, who put me on it."""
    if not _GIVEN.isdisjoint(words) and (told := handed_over(text)):
        return told
    if not SERVING.isdisjoint(words) and (told := served_by(text)):
        return told
    if not CARING.isdisjoint(words) and (told := cared_for(text)):
        return told
    if not DEADLINES.isdisjoint(words) and (told := when_due(text)):
        return told
    if not _POSTS.isdisjoint(words) and (match := _POST_IS.match(text)):
        key = f"{match['key'][0].lower()}{match['key'][1:]}{' engineer' * match['key'].lower().endswith('call')}"
        return f"the {key} is {'now ' if match['now'] or match['late'] else ''}{match['v']}"
    if not _POSTS.isdisjoint(words) and (match := _IS_THE.match(text)):
        anew = match["now"] or match["late"] or match["new"]
        if match["top"] and not anew:
            return text  # Whose chief someone is may be any firm's, unless it is news.
        return f"{'our' if match['top'] else 'the'} {match['key']} is {'now ' if anew else ''}{match['v']}"
    if "put" in words and (match := _PUT_AWAY.match(text)):
        return f"the {match['what']} {'are' if match['what'].endswith('s') else 'is'} now {match['v']}"
    if not _TREATED.isdisjoint(words) and (match := _PUT_ON.match(text) or _TAKEN_OFF.match(text)):
        if match.re is _PUT_ON and _SHIFT.search(match["v"] or match["w"]):
            return f"I now work {match['v'] or match['w']}"
        if match.re is _PUT_ON and _FLOOR.search(match["v"] or match["w"]):
            return f"I now sit on {match['v'] or match['w']}"
        return f"I {'take' if match.re is _PUT_ON else 'stopped taking'} {match['v'] or match['w']}"
    return about_people(text, words)


def about_people(text: str, words: frozenset[str]) -> str:
    """ "It's hazelnuts that I'm allergic to", "she is four", "I was made head nurse"."""
    if text[:3].lower() == "it " and (match := _IT_IS.match(text)):
        return f"{match['s']} {match['rest']} {match['v']}{match['tail'] or ''}"
    if not FRONTED_WORDS.isdisjoint(words) and (told := unfronted(text)):
        return told
    if "is" in words and (match := _AGED.match(text)):
        return f"{match['who']} is {_AGES.index(match['v'].lower()) + 1}"
    if "made" in words and (match := _MADE.match(text)):
        return f"I am now a {match['v']}{text[match.end() :]}"
    if "year" in words:
        return _YEAR_AT.sub(r"\g<s> studying at ", text)
    return _STILL_MY.sub(r"\1 ", text) if "still" in words else text


_UNSURE = word_set("no sorry mean meant rather er wait")


def is_ones_own(key: str) -> bool:
    """Whether a key is something of a person's, so that "the new one" is the speaker's."""
    known = attribute("phone" if key.strip() == "number" else key)
    if is_role(key.strip()):
        return True
    return known.known and known.holds == "one" and known.category in _ONES_OWN


def of_change(text: str, words: frozenset[str]) -> str:
    """What was raised, lowered or set to a value."""
    if released := of_release(text):
        return released
    if not _SETTING_FORMS.isdisjoint(words) and (match := _SETS.match(text)) and sets(match):
        return now_is(match)
    if not _MOVING_FORMS.isdisjoint(words) and (match := _RISES.match(text)) and rises(match):
        return now_is(match)
    match = set_anyhow(text)
    return now_is(match) if match else text


_FILLED = word_set(
    "gateway provider balancer registry linter formatter framework database broker cdn orm processor vendor supplier "
    "bundler "
    "editor shell host proxy"
)
"""What a name fills, so that it is the name that changes: "the payment gateway switched to Stripe"."""
_GROUPS = word_set("team department squad office branch school club practice lab clinic crew")
_REGION = re.compile(r"[a-z]{2}-[a-z]+-\d")
"""Where something runs, which is no value that it has."""


def rises(match: re.Match[str]) -> bool:
    """Whether a value goes up or down or is set, and nobody goes anywhere."""
    verb, what = match["verb"].lower(), match["what"].split()
    base, form = FORMS.get(verb, ("", ""))
    if base in ("switch", "change", "move", "migrate") and what[-1].lower() in _GROUPS and match["new"][:1].isupper():
        return False  # Those who switch to a program are not replaced by it.
    if FORMS.get(what[0].lower(), ("", ""))[1] in ("past", "participle"):
        return False  # "got bumped to 63k" is said of the speaker.
    if what[0].lower() not in ("the", "my", "our") and not (
        _EXACT.match(match["new"])
        and (match["what"].islower() or attribute(what[-1]).known or match["what"].lower() in SOFTWARE)
    ):
        return False  # Without an article, only an exact value makes sure that one was set.
    if base in _SETTING and base not in _RISING:
        if form not in ("past", "participle", "base") or any(relation_of(word) for word in what):
            return False
        somewhere = base == "move" and _REGION.match(match["new"]) is not None
        return base not in _WEAKLY or (is_exact(" ".join(what), match["new"]) and not somewhere)
    going = FORMS.get(verb, ("", ""))[0] != "go" or match["way"] or match["old"]
    filled = what[-1].lower() in _FILLED and match["new"][:1].isupper()
    if verb.startswith(("change", "changing", "switch")) and not (filled or is_exact(" ".join(what), match["new"])):
        return False
    return verb in _RISING_FORMS and bool(going) and not any(relation_of(word) for word in what)


def is_exact(what: str, new: str) -> bool:
    """Whether a thing is known to have a value, or is given a number or an address."""
    return attribute(what.split()[-1]).known or re.search(r"\d|://|@", new) is not None


_ARTICLE = re.compile(r"(?i)^(?:the|my|our) ")


def sets(match: re.Match[str]) -> bool:
    """Whether something is set to a value, and nobody is brought anywhere."""
    base = FORMS.get(match["verb"], ("", ""))[0] or ("up" if match["verb"] == "upped" else "")
    what = _ARTICLE.sub("", match["what"])
    if is_told_to(match):
        return False
    if what == match["what"] and not re.match(rf"(?i)[\d$€£]|(?:{_NUMBER_WORDS})\b", match["new"]):
        return False  # Without an article, only a number makes sure that a value was set.
    if base not in _SETTING or relation_of(what) or _PLACE_OR_PERSON.match(match["new"]):
        return False
    if (
        base in ("change", "switch")
        and (match["old"] or (base == "switch" and match["new"][:1].isupper()))
        and not is_exact(what, match["new"])
    ):
        return (
            base == "switch" and not match["old"] and (what.split()[-1].lower() in _FILLED or is_post(what))
        )  # What a thing was changed from tells best what was changed.
    known = attribute(what) if attribute(what).known else attribute(what.split()[-1])
    if base == "move":
        return known.known and known.category in ("finance", "events")
    return (known.known and not known.relation) if base in _WEAKLY else True


_PURPOSE = re.compile(
    r"(?i),? (?:to|so that|so) (?:save|avoid|stop|prevent|make|keep|get|be|fit|match|reduce|it|we)\b.*$"
)


_ON_DAY = re.compile(r"(?i) on (?=(?:mon|tues|wednes|thurs|fri|satur|sun)day\b)")
_PASSIVE = re.compile(r"(?i)\b(?:was|were|been|got|has|have|had)\b")
"""After which a verb whose past looks like its base form is past: "was set to"."""


_SO_MUCH = re.compile(r"\d[\d.,]* ?[KMGTP]i?B of [A-Za-z]+$")
_DOSE = re.compile(r"(?i)\d[\d.,]* ?(?:mg|mcg|µg|iu)$")
_MONEY = re.compile(r"(?i)[$€£] ?\d|\d[\d.,]* ?(?:[$€£]|(?:dollars?|euros?|pounds?|usd|eur|gbp)\b)")
_PAID = ("finance", "project", "work")
"""What a sum of money is the value of; anything else costs it."""


_RELEASING = word_set("bump upgrade downgrade update move set take bring put push switch change")
"""What is done to a thing that has versions; what rises or falls is a measure."""


def now_is(match: re.Match[str]) -> str:
    """ "the limit is now 50", with what it was before where that was said."""
    form = FORMS.get(match["verb"].lower(), ("", "past"))[1]
    done = (
        re.search(r"(?i)\bhad to\b", match["aux"]) is not None
        or form in ("past", "participle")
        or (match.re is _RISES and match["verb"].lower() in ("set", "cut", "put", "up"))
    )
    done = done and re.search(r"(?i)\bwill\b", match["aux"]) is None
    coming = re.search(r"(?i)\b(?:will|going to|am|are|is)\b", match["aux"]) is not None
    coming = coming or (
        match.re in (_RISES, ANY_RISES) and form in ("third", "base") and not _PASSIVE.search(match["aux"])
    )
    coming = coming and not done
    be = "will be" if coming else "is now"
    new = _PURPOSE.sub("", match["new"])
    new = _ON_DAY.sub(" last ", new) if done else new
    old = f" instead of {match['old']}" if match["old"] else ""
    what = match["what"] if _ARTICLE.match(match["what"]) else f"the {match['what']}"
    if attribute(_ARTICLE.sub("", what).partition(" of ")[0]).category in _PAID and " of " in what:
        return f"{what} {be} {new}{old}"
    if new.startswith(("/", "~/")) and FORMS.get(match["verb"].lower(), ("", ""))[0] == "move":
        return f"{what} {be} at {new}{old}"
    if new.startswith("port ") and not coming:
        return f"{what} now listens on {new}{old}"
    if _SO_MUCH.match(new) and not coming:
        return f"{what} has now {new}"
    if _DOSE.match(new) and not coming:
        return f"I now take {new} of {_ARTICLE.sub('', what).removesuffix(' dose').removesuffix(' dosage')}"
    new = re.sub(r" (?:between|over|during|within|across) .*$", "", new) if _MONEY.match(new) else new
    if _MONEY.match(new) and attribute(what.split()[-1]).category not in _PAID and not SUMS.search(what):
        return f"{what} {'will cost' if coming else 'now costs'} {new}{old}"
    released = FORMS.get(match["verb"].lower(), ("", ""))[0] in _RELEASING
    if _VERSION.match(new) and released and not attribute(match["what"].split()[-1]).known:
        return f"{what} is on {new}{old}"
    return f"{what} {be} {new}{old}"
