"""A clause in plain words: left-out subjects filled in, asides taken out, "they fired me" turned into "I was fired"."""

from __future__ import annotations

import re
from functools import lru_cache

from recollect.extractors.articles import with_article
from recollect.extractors.asides import without_remark
from recollect.extractors.frames import plainer
from recollect.extractors.idioms import by_others, in_plain_words, spelled_out, to_be_done
from recollect.extractors.implied import implied
from recollect.extractors.keywords import has_any
from recollect.extractors.people import NAME, is_name, relation_of, relation_pattern
from recollect.facts.attributes import attribute
from recollect.text.values import word_set

_NOWADAYS = re.compile(
    r"(?i),?\s+(?:these days|nowadays|at the moment|right now|as of (?:now|today)|at present|from now on|going forward|"
    r"by now|for now|for the moment|lately|as of late|from today(?: on)?|starting today|effective immediately|for "
    r"the time being|"
    r"(?:over|during) the (?:weekend|summer|winter|spring|autumn|holidays|break|easter|christmas)|"
    r"for (?:various|several|many|some|obvious|personal|private|different|health|family|work) reasons|"
    r"since (?:forever|the \w+(?: (?:last|this) \w+)?)|this (?:semester|term)|after the \w+)(?=[\s,]|$)"
)
_ROUGHLY = re.compile(r"(?i)\blike (?=(?:\d|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)\b)")
_TAIL = re.compile(
    r"(?i)(?:[\s,]+(?:now|as well|too|though|by the way|btw|most days|most of the time|after all|haha|lol|again|anyway|"
    r"already|currently|at last|before|back then|in the end|for good|and all that|of course|you know|actually|"
    r"instead|please|yay|"
    r"either|that is|to be (?:exact|precise|honest|fair)|at this point)|"
    r",\s*(?:wow|my bad|sorry(?: about that)?|finally|woohoo|ugh|phew|hooray|thanks?(?: you)?|"
    r"believe it or not|long story(?: short)?|sadly|unfortunately|luckily|thankfully|thank god|for now|bless "
    r"(?:him|her|them)|"
    r"for what it's worth|just so you know|for the record|fyi|forgot to (?:tell|mention).*|"
    r"my mistake|can you believe it|isn't that \w+|if (?:that|it) (?:matters|helps|makes .*)))$"
)
_ASIDE = re.compile(
    r"(?i),?\s+(?:if|in case) (?:that|it|this|you) (?:matters|helps|counts|makes (?:a|any) difference|is relevant|"
    r"wondered|"
    r"were wondering|are wondering|need it|care)\b.*$"
)
_OPENING = re.compile(
    r"^(?:[Aa]t|[Aa]fter|[Ss]ince|[Bb]efore|[Ff]or|[Oo]ver|[Ww]ith|[Dd]uring|[Tt]hanks to|[Bb]ecause of|[Dd]ue to|"
    r"[Oo]n|"
    r"[Ii]n|[Ww]ithin|[Ff]ollowing|[Uu]nlike|[Bb]esides|[Aa]s of|[Aa]s for) (?:(?!that\b|if\b|when\b|while\b|I\b|we\b|"
    r"what\b|my knowledge\b|theory\b)[\w'’-]+[ ]){0,5}?(?!that\b|if\b)[\w'’-]+,? "
    r"(?=(?:I|we|my|our)\b)|^(?i:before that|after that|prior to that|one day|some ?day|eventually|originally|"
    r"initially|sooner or later|every now and then|from then on|afterwards|by (?:profession|trade|training|day|"
    r"nature)),? (?=(?:I|we|my|our)\b)"
)
_OBJECT_ME = re.compile(
    r"^(?P<who>[Tt]hey|[Ww]ork|HR|[Tt]he (?:\w+ ){0,2}\w+|[Mm]y (?:\w+ ){0,2}\w+|[Ww]e|[Hh]e|[Ss]he|[Mm]anagement|"
    r"[A-Z][\w&.-]*(?: [A-Z&][\w&.-]*)*)"
    r" (?P<have>has |have |just |finally |recently )*(?P<verb>[a-z]+ed|let|laid|put|made) (?:me|us)\b ?(?P<rest>.*)$"
)
_DONE_TO = frozenset(
    "diagnosed moved transferred promoted fired hired bumped reassigned demoted assigned relocated appointed "
    "elected laid "
    "let".split()
)
_COME_MONTH = re.compile(
    r"(?i)^come (?=(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|next|spring|summer|"
    r"autumn|fall|winter))"
)
_OUR_TEAM = re.compile(
    r"(?i)^(?:our|my|the) (?:team|company|office|department|startup|firm) (?=(?:has |have |just |recently "
    r")*(?:switched|migrated|"
    r"replaced|dropped|ditched|stopped|abandoned|moved from|moved to|moved over|no longer uses|uses|adopted|is "
    r"switching|is "
    r"migrating|is moving|will switch|will move|will migrate)\b)"
)
_STILL = re.compile(
    r"(?i)^still (?=(?:here in |an? |living |working |using |studying |learning |married|single|vegetarian|"
    r"vegan|in |on |at |with )\b)"
)
_STILL_HERE = re.compile(r"^(?:I am|[Ww]e are) still (?:right )?here in (?=[A-Z])")
_USED_TO_BE = re.compile(r"(?i)^((?:my|our|the) (?:[\w'-]+ ){1,5}?)used to be ")
_TOGETHER = re.compile(
    rf"^(?P<who>{NAME}|[Mm]y (?:[a-z]+ ){{0,2}}?{relation_pattern()}(?: {NAME})?) and I (?P<rest>.+)$"
)
_I_AND = re.compile(rf"^(?:I and|[Mm]e and) (?P<who>{NAME}|[Mm]y {relation_pattern()}(?: {NAME})?) (?P<rest>.+)$")
_PARTED = re.compile(
    r"(?i)\b(?:(?:no longer|not) (?:together|a couple|an item|dating|seeing each other)|(?:broke|broken|split|"
    r"splitted|breaking|splitting) up|divorced|separated|parted ways|(?:called|call) it (?:quits|off|a day)|have split|"
    r"broke things off|(?:broke|ended) (?:it|things)(?: off)?|went our separate ways|are (?:over|done|through|"
    r"history))\b"
)
_NOT_FRIENDS = re.compile(
    r"(?i)\b(?:are|am) (?:not|no longer) (?:really )?(?:friends|mates|best friends)\b|"
    r"\b(?:fell|have fallen|had a falling) out\b"
)
_COUPLE = re.compile(
    r"(?i)(?:are|am|is) (?:now |officially |finally )*(?:a thing|an item|a couple|together now|dating|"
    r"seeing each other)\b"
)
_JOINED = re.compile(r"(?i)\b(?:married|engaged)\b")
_OPENING_CLAUSE = re.compile(
    r"^(?!When (?:I|we) (?:was|were) )(?:Before|After|Until|While|When|Since|Once) (?:I|we|my \w+) "
    r"(?:\w+(?:ed|ent|ame|ot|ad|as|ere|et|ft)\b)[\w' ]*?,? (?=(?:I|we) )"
)


_STOPPED_BEING = re.compile(rf"^(?P<who>{NAME}) (?:has |just )*(?:stopped|quit|ceased) being (?=(?:my|our) )")


_ASIDE_WORDS = word_set(
    "days nowadays moment now today present forward lately late immediately being weekend since semester term after "
    "summer winter spring autumn holidays break easter christmas reasons because "
    "if like case"
)


_IN_BRACKETS = re.compile(r"(?<=\w) \([^()]*\)$")


_DEGREE = re.compile(
    r"(?i)\b((?:is|are|am|was|were|will be|costs?|takes?|weighs?)(?: now)?) (?:(?:only|just|about|around|roughly|"
    r"approximately|"
    r"basically|"
    r"literally|officially|exactly|nearly|almost|barely|merely|precisely|actually|really|in fact|at) )+"
    r"(?=(?:now )?[$€£]?\d)"
)
_DOWN_TO = re.compile(
    r"(?<!\bwe )(?<!\bWe )(?<!\bthey )(?<!\bThey )\b(is|are) (?:now )?(?:(?:back )?down|back|back up) (?:to|at) "
    r"(?=[$€£]?\d)"
)
_DEGREES = word_set(
    "only just about around roughly approximately basically literally officially exactly nearly almost barely merely "
    "precisely actually really fact"
)
"""How exactly a measure is told; it is the same one."""


_ENVIRONMENT = re.compile(
    r"(?i)^(?:prod|production|staging|dev|qa|preprod) (?=(?:has |was |just |is |now )*(?:moved|in )\b)"
)
"""Of which there is one each, so that nobody says "the"."""


_ALL_DONE = re.compile(
    r"(?i)^all (?=[a-z-]+s (?:were|have been|got|are now|now) |(?:[a-z-]+ ){0,2}[a-z-]+s (?:are (?:on|hosted|"
    r"stored|kept)|"
    r"run|use) (?-i:[A-Z]))"
)
_ALL_OUR = re.compile(r"(?i)^all (?:of )?(?=(?:our|my|the) [\w-]*s\b)")
_PUT_DOWN_FOR = re.compile(
    r"(?i)^(?:please )?put me down for (?:an? |the )?(?P<v>(?:window|aisle) seats?)(?:,? please)?$"
)
_RENAMED_PET = re.compile(
    rf"^(?:[Ii]|[Ww]e) (?:(?:have |just )*renamed (?:the|our|my) (?P<a>[a-z]+)(?: to)? (?P<v>{NAME})(?: now)?|"
    rf"(?:now call (?:the|our|my) (?P<b>[a-z]+) (?P<w>{NAME})(?: now)?|call (?:the|our|my) (?P<c>[a-z]+) "
    rf"(?P<x>{NAME}) now))$"
)


def renamed_pet(text: str) -> str:
    """ "We call the dog Pancake now" as "my dog is called Pancake now"."""
    match = _RENAMED_PET.match(text)
    what = (match["a"] or match["b"] or match["c"]) if match else ""
    kind = relation_of(what) if what else None
    if match is None or kind is None or attribute(kind).category != "pets":
        return text
    return f"my {what} is called {match['v'] or match['w'] or match['x']} now"


_FROM_NOW_ON = re.compile(
    r"(?i)^(?:from now on|from today(?: on)?|as of (?:now|today)|starting today|effective immediately|going forward|"
    r"these days|nowadays|currently|at the moment|right now),? (?=(?:i|we|the|our|my)\b|(?-i:[A-Z]))"
)


_THE_ONE_I = re.compile(
    r"^[Tt]he (?P<key>[a-z-]+(?: [a-z-]+)?) (?:that |which )?(?:I|we) (?:(?:now|currently|usually|mostly|always) "
    r")?(?:drive|have|"
    r"use|own|take|play|rent|wear|ride|see|pay|bank with|work with|go to) (?P<be>is|are) (?=[A-Zad\d€$£])"
)
"""What one has by what one does with it: "the car I drive is a Volvo"."""
_DONE_WITH = re.compile(r"^(?:Done|Finished|Through|done|finished) with (?=(?:the|my|our) |[A-Z])")


_MOSTLY_BECAUSE = re.compile(r"(?i),? (?:mostly|mainly|partly|largely|purely|simply|just) because of [^,;]+$")
_HAVE_GOT = re.compile(r"^(?P<who>I|[Ww]e|[Tt]hey|[Hh]e|[Ss]he) (?:have|has) got (?=rid of|laid off|let go|[a-z]+ed\b)")
"""What was done: "we have got rid of it"."""
_LATELY = re.compile(r"^(?P<who>I|[Ww]e|[Tt]hey|[Hh]e|[Ss]he) (?P<have>have |has )?(?:recently|lately) (?=[a-z]+ )")


_NOT_LATELY = re.compile(
    r"(?i)^(?P<said>(?:i|we) (?:do not|am not|are not) (?!really\b)"
    r"(?!.*\b(?:much|well|enough|a lot|often|that|so)\b).+?),? (?:these days|nowadays)$"
)
_NEED_NO_MORE = re.compile(
    r"^(?P<who>I|[Ww]e) (?:no longer (?:have|need)|(?:am|are) no longer (?:allowed|able|permitted)|"
    r"(?:do not (?:have|need)|(?:am|are) not (?:allowed|able|permitted)|can not)(?=.* any ?(?:more|longer)\b)) "
    r"(?:(?<=can not )|to )(?=[a-z])"
)
"""Who need not do it any more does it no more."""
_LINK_AGAIN = re.compile(
    r"\b((?P<link>at|for|of|with) )((?:the |my |our )?[\w'&-]+(?: [\w'&-]+)?),? and (?P=link) "
    r"(?=(?:the |my |our )?[\w'&-]+(?: [\w'&-]+){0,2}$)"
)
"""A list that says its preposition again: "for the Echo and for the Argus"."""
_TO_GO_WITH = re.compile(r"(?i),? to go with (?:it|them|the|my|our)\b.*$")


def plain(text: str) -> str:
    """The clause without asides, and with the speaker as its subject where it is about them."""
    text = _DONE_WITH.sub("I am done with ", _FROM_NOW_ON.sub("", text))
    text = _NEED_NO_MORE.sub(r"\g<who> no longer ", text) if " to " in text else text
    text = _NOT_LATELY.sub(r"\g<said> any more", text) if " not " in text else text
    if text[:4].lower() == "the ":
        text = _THE_ONE_I.sub(r"my \g<key> \g<be> ", text)
    if text.endswith(")"):
        text = _IN_BRACKETS.sub("", text)
    text = without_remark(text)
    if has_any(text, _ASIDE_WORDS):
        text = _ROUGHLY.sub("", _ASIDE.sub("", _NOWADAYS.sub("", _MOSTLY_BECAUSE.sub("", text))))
    text = _LATELY.sub(r"\g<who> \g<have>just ", text) if "ly " in text else text
    text = _HAVE_GOT.sub(r"\g<who> got ", text) if " got " in text else text
    text = _DEGREE.sub(r"\1 ", text) if has_any(text, _DEGREES) else text
    text = _DOWN_TO.sub(r"\1 now ", text) if " down " in text or " back " in text else text
    if " and to " in text and ("allergic to" in text or "subscribe" in text):
        text = text.replace(" and to ", " and ")
    text = _LINK_AGAIN.sub(r"\1\3 and ", text) if " and " in text else text
    text = _TO_GO_WITH.sub("", text) if " to go with " in text else text
    if text[:4].lower() == "all ":
        text = _ALL_DONE.sub("the ", _ALL_OUR.sub("", text))
    text = renamed_pet(text) if " call " in text or " renamed " in text else text
    text = in_plain_words(text)
    text = _PUT_DOWN_FOR.sub(r"I prefer \g<v> from now on", text) if "me down" in text else text
    text = by_others(text)
    text = spelled_out(text)
    text = _ENVIRONMENT.sub(lambda match: f"the {match[0].lower()}", text)
    text = with_article(text)
    if text.startswith(("my ", "our ", "the ", "My ", "Our ", "The ")):
        text = _THE_OFFICE.sub("our ", text)
        text = our_team(_USED_TO_BE.sub(r"\1was ", text))
    text = _STILL_HERE.sub("I still live in ", _STILL.sub("I am still ", _COME_MONTH.sub("In ", text)))
    text = plainer(text)
    bare = implied(without_opening(text))
    if bare != text and (simple := plainer(bare)) != bare:
        text = simple
    text = _OPENING_CLAUSE.sub("", together(text))
    if " being " in text:
        text = _STOPPED_BEING.sub(r"\g<who> is no longer ", text)
    return done_to_me(implied(text))


_THE_OFFICE = re.compile(r"^[Tt]he (?=(?:office|headquarters|warehouse) (?:is|are) (?:now )?(?:in|on|at) [A-Z])")
"""Of which there is one that everybody means."""


def is_ours(text: str) -> bool:
    """Whether a message tells what our team or company does, and so what we do."""
    return text[:4].lower() in ("our ", "the ") and _OUR_TEAM.match(text) is not None


def our_team(text: str) -> str:
    """What "our team" does is what we do; when a team moves to a tool, it switches."""
    if not _OUR_TEAM.match(text):
        return text
    return re.sub(r"^We ((?:has |have |just )*)moved (?=from|to|over)", r"We \1switched ", _OUR_TEAM.sub("We ", text))


_TAIL_ENDS = word_set(
    "now well too though way btw days time all haha lol again anyway already currently last before then end good that "
    "course know actually instead please yay either is exact precise honest fair point"
)
"""Last words of what trails after a clause without a comma."""


def without_tail(rest: str) -> str:
    """What follows a verb without words that only trail after it: "now", "as well", ", wow"."""
    for _ in range(3):
        if "," not in rest and rest[rest.rfind(" ") + 1 :].lower() not in _TAIL_ENDS:
            break
        shorter = _TAIL.sub("", rest)
        if shorter == rest or not shorter.strip():
            break
        rest = shorter
    return rest


@lru_cache(maxsize=256)
def without_opening(text: str) -> str:
    """The clause without the circumstances that stand before "I": "After the wedding I …"."""
    match = _OPENING.match(text)
    return text[match.end() :] if match else text


_MOVED_THEM = re.compile(
    rf"(?i)^(?:i|we) (?:have |had to |just |finally |recently )*(?:moved|relocated|transferred) "
    rf"(?P<who>(?:my|our|the(?= (?:kids|children|boys|girls|twins))) (?:[a-z-]+ )?{relation_pattern()}(?: {NAME})?|mum|"
    rf"mom|dad|nan|gran|grandma|grandpa|grandad) (?:over )?(?=(?:in)?to )"
)


_COUPLE_PARTED = re.compile(
    rf"^(?P<one>[Mm]y {relation_pattern()}(?: {NAME})?|{NAME}) and (?!I\b)(?P<other>{NAME}) "
    r"(?:have |just |recently |finally )*(?:broke(?:n)? up|split(?: up)?|(?:got|are|been|were) (?:divorced|separated)|"
    r"separated|parted(?: ways)?|(?:broke|called) (?:it )?off(?: (?:the|their) engagement)?|"
    r"are no longer (?:together|married|a couple|engaged))(?=$| )"
)
_TO_ANOTHER = re.compile(r"\bto (?:another|a new|a different) (?:[a-z]+ ){1,3}?[a-z]+, (?=[A-Z])")
"""A place by what it is and then by its name: "to another care home, Elm Court"."""


def together(text: str) -> str:
    """ "Tom and I live in Rome" tells where I live; "Tom and I split up" tells of both."""
    text = _MOVED_THEM.sub(r"\g<who> moved ", text) if " to " in text else text
    text = _COUPLE_PARTED.sub(r"\g<one> broke up with \g<other>", text) if " and " in text else text
    text = _TO_ANOTHER.sub("to ", text) if " to a" in text else text
    match = (_TOGETHER.match(text) or _I_AND.match(text)) if " and " in text else None
    if match is None:
        return text
    who, rest = re.sub("^My ", "my ", match["who"]), match["rest"]
    if parted := _PARTED.search(rest):
        legally = re.search(r"(?i)divorced|separated", rest)
        return f"I {rest} with {who}" if legally else f"I broke up with {who}{rest[parted.end() :]}"
    if _NOT_FRIENDS.search(rest):
        return f"{who} is no longer my friend"
    if _COUPLE.match(rest):
        return f"I am now in a relationship with {who}"
    if knot := re.search(r"(?i)\b(?:tied the knot|got hitched|eloped)\b", rest):
        return f"I got married to {who}{rest[knot.end() :]}"
    return f"I {rest} to {who}" if _JOINED.search(rest) else f"I {rest}"


_ME = word_set("me us")
_GIVEN_ME = re.compile(
    r"^(?:[Mm]y|[Oo]ur|[Tt]he)? ?(?:[\w'-]+ ){1,3}(?:just |has |have |recently )*(?:gave|given|bought|got|lent|sent|"
    r"handed|issued) "
    r"(?:me|us) (?P<what>(?:an?|my|our|two|three) .+)$"
)
_FIRED = re.compile(r"(?:fired|laid off|let go)(?: (?:today|yesterday|this \w+|last \w+|on \w+|in \w+))?$")
_NEW_ROLE = re.compile(
    r"(?i)(?:an? |the )?(?:[a-z-]+ ){0,2}?(?:head|director|lead|leader|manager|captain|chair|partner|"
    r"principal|vp|ceo|"
    r"cto|coo|cfo|cio|cmo|svp|president|treasurer|secretary|foreman|engineer|developer|nurse|teacher|chief|"
    r"supervisor|editor|coach|deputy)\b"
)


def done_to_me(text: str) -> str:
    """ "They moved me to sales" as "I was moved to sales"."""
    if has_any(text, _ME) and (coming := to_be_done(text)):
        return coming
    match = _OBJECT_ME.match(text) if has_any(text, _ME) else None
    if match and match["verb"] == "made" and _NEW_ROLE.match(match["rest"]):
        article = "" if re.match(r"(?i)(?:an?|the|head|chief|vp|ceo|cto) ", match["rest"]) else "a "
        return f"I am now {article}{match['rest']}"
    given = _GIVEN_ME.match(text) if match is None and has_any(text, _ME) else None
    if given:
        return f"I got {given['what']}"
    if match is None or match["verb"] not in _DONE_TO or (match["verb"] == "hired" and not match["rest"]):
        return text
    by = (
        f" by {match['who']}"
        if _FIRED.match(f"{match['verb']} {match['rest']}".strip()) and is_name(match["who"])
        else ""
    )
    return f"I was {match['verb']} {match['rest']}".rstrip() + by
