"""What is over, whatever says so: "the lease in Leeds ran out", "we pulled the plug on Kafka", "didn't renew it"."""

from __future__ import annotations

import re
from dataclasses import replace

from recollect._values import word_set
from recollect.attributes import attribute
from recollect.extractors import values
from recollect.extractors.patterns import Found, Groups, rows_of
from recollect.extractors.people import NAME, is_name, relation_of
from recollect.extractors.verbs import Predicate
from recollect.over import HAD

row = rows_of(__name__)

_ADVERBS = (
    r"(?:just|finally|now|all|sadly|already|officially|completely|long|eventually|recently|both|also|totally|entirely|"
    r"permanently|unfortunately|thankfully|well and truly|at last) "
)
_BE = rf"(?:(?:is|are|was|were|has|have|had|got|been|being|will|be|gets|about to) (?:{_ADVERBS})*)"
_STATES = (
    r"gone|over(?: and done with)?|done(?: with)?|history|no more|off(?: the table)?|up|dead|finished|sold|stolen|"
    r"nicked|scrapped|totall?ed|written off|a write-off|a goner|wrecked|beyond repair|toast|destroyed|cancell?ed|"
    r"called off|axed|discontinued|decommissioned|retired|removed|deleted|switched off|turned off|shut(?: down)?|"
    r"shelved|phased out|not happening|terminated|kaput|paid (?:off|back)|let go|revoked|withdrawn|dissolved|abolished|"
    r"demolished|torn down|knocked down|dismantled|taken (?:down|offline|away|off)|(?:handed|given|sent|taken) back|"
    r"given (?:away|up)|put down|put to sleep|rehomed|repossessed|healed|cured|cleared up|behind (?:me|us)|"
    r"a thing of the past|in the past|disconnected|confiscated"
)
"""How a thing is of which nothing goes on."""
_VERBS = (
    r"wrapped(?: up)?|concluded|fizzled out|petered out|finished up|came to a close|drew to a close|died a death|"
    r"no longer exists?|does not exist(?: any ?more)?|end(?:ed|s)?|expire[ds]?|finish(?:ed|es)|lapse[ds]?|"
    r"ran out|runs? out|broke up|broken up|split up|disbanded|folded|fell through|fallen through|came to an end|"
    r"comes to an end|come to an end|wound (?:up|down)|closed(?: down)?|shut down|shut its doors|packed it in|"
    r"packed up|bit the dust|went (?:bust|bankrupt|under|out of business)|came to nothing|turned out to be (?:nothing|"
    r"a (?:false alarm|misdiagnosis|mistake)|wrong)|had to go|gave up the ghost|conked out|broke down for good|"
    r"went to the (?:scrapyard|scrapheap|dump|tip)|went off to the scrapyard|did not (?:work out|happen|go through)|"
    r"(?:came|come|comes) (?:off|out|down)|cleared(?: up)?|healed(?: up)?|(?:went|gone) away|died|passed away|sank|"
    r"burn(?:ed|t) down|ran its course|run its course|stopped|went offline|fell apart|fell to (?:bits|pieces)|gave out"
)
"""What a thing does after which it is no more."""
_OVER = re.compile(
    rf"(?i) (?:{_BE}{{1,4}}(?:{_STATES})|(?:{_BE}|{_ADVERBS}){{0,4}}(?:{_VERBS}))"
    r"(?: (?:now|then|in the end|for good|too|again|already|by now|altogether|completely|for (?:me|us)))*$"
)
"""How something is said to have come to its end."""
OVER_WORDS = word_set(
    "gone over done history more off up dead finished sold stolen nicked scrapped totalled totaled written destroyed "
    "cancelled canceled called axed discontinued decommissioned retired removed deleted switched turned shut shelved "
    "phased happening terminated kaput end ended ends expire expired expires finishes lapse lapsed lapses ran run "
    "runs broke broken split disbanded wrapped concluded fizzled petered close goner wrecked repair toast write "
    "exist exists folded fell fallen turned came comes come wound closed packed bit went had not gave conked paid go "
    "revoked withdrawn dissolved abolished demolished torn knocked dismantled taken handed given sent put rehomed "
    "repossessed healed cured cleared behind past disconnected confiscated stopped died passed sank burned burnt"
)
"""A word of each of these ways: a clause that has none is not looked at further."""
_WHAT = re.compile(
    rf"^(?:(?P<own>(?i:my|our|the|that|this)) (?P<age>(?i:old|current|former|previous|trusty) )?(?P<thing>[\w'./&+-]+"
    rf"(?: [\w'./&+-]+){{0,6}})|(?P<name>{NAME}(?: & {NAME})?|[\w.+-]+@[\w.-]+|[A-Z][\w. ]+'s [a-z]+)|"
    rf"(?P<act>(?:[A-Za-z]+ )?[A-Za-z]{{3,}}ing))$"
)
_GONE_TOOL = re.compile(
    r"(?P<v>(?!(?i:that|this|it|everything|all|which|what|winter|summer|spring|autumn)\b)[a-z][\w.+-]{2,}) (?:is|are) "
    r"(?:now |"
    r"officially |finally )?(?:history|no more|gone for good|dead and buried|toast)$"
)
"""A tool by its name in small letters: "unittest is history"."""
_WORK = (
    r"(?:contract|job|internship|time|work|employment|traineeship|apprenticeship|stint|position|role|gig|engagement|"
    r"secondment|placement|fellowship|probation)"
)
_THEIR_WORK = re.compile(rf"^(?P<v>{NAME}|(?:Dr|Mr|Mrs|Ms)\. [A-Z]\w+)'s {_WORK}$")
"""Somebody's time with us, after which they are nothing to us."""
_DWELLING = (
    r"(?:lease|tenancy|rental|rent|sublet|flat|apartment|house|place|room|studio|condo|cottage|bungalow|villa|loft|"
    r"townhouse|digs|houseshare|flatshare)"
)
_JOB = re.compile(rf"(?i)^{_WORK}(?: as [\w -]+?)? (?:at|with|for) (?P<v>.+)$")
_HOME = re.compile(
    rf"^(?:[\w'-]+ ){{0,3}}?(?i:{_DWELLING})(?: (?:on|for|of|to) [\w' -]+?)? (?:in|at|near) (?P<v>{NAME})$"
)
_SCHEDULED = re.compile(
    r"(?i)^(?:move|trip|wedding|flight|party|holiday|vacation|visit|meeting|relocation|transfer|interview|surgery|"
    r"appointment|conference|concert|deal)\b"
)
"""What lies ahead and is called off rather than over; read elsewhere."""


_TIME_ON = re.compile(
    r"(?i)^(?:term|time|stint|membership|spell|days|stay|run|seat|role|place|tenure|subscription|involvement|"
    r"season) (?:on|of|to|"
    r"in|with|as|at) (?:the |a |an )(?=[a-z])"
)


def is_over(text: str) -> list[Found]:
    """What the subject of the clause was the value of: a job, a home, a membership, a thing, a plan."""
    match = _OVER.search(text)
    if match and (gone := _GONE_TOOL.match(text)):
        return [Found("", gone["v"], kind="ending", instead_of=gone["v"], confidence=0.85)]
    what = _WHAT.match(text[: match.start()]) if match else None
    if what is None or (what["name"] and not is_name(what["name"]) and "'s " not in what["name"]):
        return []
    thing = what["thing"] or what["name"] or what["act"]
    if _SCHEDULED.match(thing) or values.OCCASION.search(thing):
        return []
    thing = _TIME_ON.sub("", thing)
    coming = match is not None and _TO_COME.search(match[0]) is not None
    if what["own"] and (other := _OF_SOMEONE.match(thing)) and (who := relation_of(other["who"])):
        had = ended(other["v"]) or [Found("", other["v"], kind="ending", instead_of=other["v"])]
        return [] if coming else [replace(item, subject=who) for item in had]
    if theirs := _THEIR_WORK.match(thing):
        return ended(theirs["v"])
    if coming and thing.lower().startswith("contract with ") and what["own"].lower() == "the":
        return []  # A supplier's, of which the end is told as a date.
    if job := _JOB.match(thing):
        firm = values.one(job["v"], "as", "in")
        if thing.lower().startswith("contract"):  # It may be another contract: for a phone, with an insurer.
            return [Found("", firm, kind="ending", instead_of=firm, category="work")]
        return [Found("employer", firm, kind="ending")]
    if home := _HOME.match(thing):
        return [Found("home", home["v"], kind="ending")]
    if what["act"]:
        return [Found("", thing, kind="ending", instead_of=thing, confidence=0.85)]
    return [] if match and _TO_COME.search(match[0]) else ended_or_gone(match, what["age"] or "", thing)


_OF_SOMEONE = re.compile(r"(?P<who>[\w-]+(?: [\w-]+)?)'s (?P<v>.+)$")
"""What somebody else had: "brother's Golf"."""
_TO_COME = re.compile(r"(?i) (?:ends?|expires?|finish(?:es)?|lapses?|runs? out|comes to an end)(?: \w+)?$")
"""When it will be over is something of the thing itself: the certificate expires in March."""


_CALLED_SO = re.compile(
    r"(?i)(?<=\w) (?:membership|subscription|account|thing|business|experiment|team|squad|role|position|post|duties|"
    r"one|allergy|intolerance)$"
)
"""What follows the name of something and is no part of it."""
_BONDS = {"engagement": "engaged", "marriage": "married", "relationship": "in a relationship"}


def ended_or_gone(how: re.Match[str] | None, age: str, thing: str) -> list[Found]:
    """What is over, or is no more; "the old portal" is the name of a thing that was shut down."""
    how_said = how[0] if how else ""
    relation = relation_of(thing)
    if _DIED.search(how_said):
        pet = relation is not None and attribute(relation).category == "pets"
        return [Found(relation or "", "", kind="ending")] if pet else []
    gone = is_gone(how_said)
    found = ended(f"{age}{thing}" if gone else thing, gone=gone)
    return [replace(one, category=HAD) for one in found] if _HANDED_ON.search(how_said) else found


_DIED = re.compile(r"(?i)\b(?:died|passed away|put (?:down|to sleep)|rehomed)\b")
_HANDED_ON = re.compile(r"(?i)\b(?:sold|stolen|nicked|scrapped|totall?ed|wrecked|given away|repossessed|destroyed)\b")
"""What happens to a thing that one has, and to no doing: whoever teaches the piano may sell one."""


_GONE = re.compile(
    r"(?i)\b(?:shut ?down|decommissioned|discontinued|scrapped|axed|removed|deleted|retired|terminated|phased out|"
    r"wound down|no more|gone|history|(?:off|down|closed) (?:for good|permanently)|"
    r"no longer exists?|does not exist)\b"
)
"""After which there is no such thing any more; what is off, closed or cancelled may be there again tomorrow."""


def is_gone(how: str) -> bool:
    return _GONE.search(how) is not None


def ended(thing: str, *, gone: bool = False) -> list[Found]:
    """The end of whatever this was the value of, by a name for it or a part of one."""
    value = values.bare(values.one(thing, "because", "after", "last", "this", "as an?", "as our"))
    value = value if gone else re.sub(r"(?i)^(?:old|current|former|previous|whole) ", "", value)
    value = _BOUND.sub("", value)
    value = _CALLED_SO.sub("", value)
    value = re.sub(r"(?i) (?:completely|altogether|entirely|totally|permanently|forever|recently)$", "", value)
    if value.lower() in _BONDS:
        return [Found("relationship", _BONDS[value.lower()], kind="ending")]
    if (relation := relation_of(value)) and attribute(relation).category == "people":
        return [Found(relation, "", kind="ending")]  # A lawyer, a coach: there is one, and their time is over.
    if not value or len(value.split()) > 5 or relation or _POINTERS.match(value) or _SO_MANY.match(value):
        return []
    return [Found("", value, kind="ending", instead_of=value, confidence=0.85, category="gone" if gone else "")]


_SO_MANY = re.compile(r"\d+ [a-z]+(?: [a-z]+)*s$")
"""Who sold 20 plants may sell plants for a living."""
_POINTERS = re.compile(
    r"(?i)(?:it|that|this|them|him|her|you|me|us|one|all|up|off|out|in|on|to|there|here|so|what|more|everything|by|"
    r"work|home|early|town|time|control|track|sight|interest|hope|weight|touch|things?|stuff)$|(?:\w+ing)$"
)
RENEWING = word_set("renew extend prolong")
"""Verbs that end a thing when they were not done."""
_BINDING = "contract|lease|subscription|membership|rental|agreement|deal"
_BOUND = re.compile(rf"(?i)^(?:{_BINDING}) (?:on|for|to|of|with) (?:(?:the|my|our) )?")
"""What one has with somebody, whose name tells what is over."""
_OBJECT = (
    r"(?:(?:all|both)(?: of)? (?=(?:my|our|the|[a-z-]+s)\b))?"
    rf"(?P<v>(?:(?:my|our|the|that|this) )?(?:{_BINDING}) (?:on|for|to|of|with) "
    rf"(?:[\w'.&+/-]+ ){{0,3}}?[\w'.&+/-]+|(?:(?:my|our|the|that) )?(?:[\w'.&+/-]+ ){{0,4}}?[\w'.&+/-]+|{NAME})"
)
_SINCE = (
    r"(?: (?:last|this|with|effective|in|on|because|after|for good|for|due|since|at the|over|a (?:week|month|"
    r"year)|to (?!the))\b.*)?$"
)


_FOR_A_WHILE = re.compile(
    r"(?i)\b(?:for (?:an?|the|this|\d+|two|three|a few|some|several) (?:\w+ )?(?:minutes?|hours?|days?|nights?|"
    r"weeks?|weekend|"
    r"while|moment|holidays?|summer|winter|break)|for (?:now|maintenance|repairs?)|temporarily|briefly|"
    r"overnight|until|till)\b"
)
"""What is only off for a time is not over."""


def lets_go(groups: Groups, predicate: Predicate) -> list[Found]:
    """What someone has done with, as the end of whatever it was the value of."""
    coming = predicate.tense == "future" or (predicate.ongoing and predicate.tense == "present")
    gone = predicate.verb in _GONE_VERBS or _GONE_HOW.match(f"{predicate.verb} {predicate.rest}") is not None
    noticed = predicate.verb in _NOTICE_GIVEN or (predicate.verb in _PARTED_FROM and names_it(groups["v"]))
    if coming and not (noticed or (gone and re.match(r"(?i)(?:the|our) ", groups["v"]))):
        return []
    if predicate.negated != (predicate.verb in RENEWING) or predicate.can:
        return []
    if "never" in predicate.adverbs or _FOR_A_WHILE.search(predicate.rest):
        return []
    if predicate.verb in ("be", "finish", "stop") and values.OCCASION.search(groups["v"]):
        return []  # "I'm done with my run": until the next one.
    as_a_rule = predicate.tense == "present" and not predicate.ongoing and predicate.verb == "sell"
    if as_a_rule and not re.match(r"(?i)(?:my|our|the) ", groups["v"]):
        return []  # "We sell hammocks": it is what they do.
    if predicate.verb in ("leave", "drop") and (
        values.LEFT_SOMEWHERE.match(predicate.rest) or values.PUT_SOMEWHERE.match(predicate.rest)
    ):
        return []
    owned = re.match(r"(?i)(?:my|our|the|that) ", groups["v"]) or values.has_name(groups["v"])
    home = _HOME.match(values.bare(groups["v"]))
    if home:
        return [Found("home", home["v"], kind="ending")]
    plain = predicate.careless and re.fullmatch(r"[a-z]{4,}", groups["v"]) is not None  # "deleted instagram"
    gone = gone or "for good" in predicate.adverbs
    return ended(groups["v"], gone=gone) if owned or plain or predicate.verb not in _LOOSE else []


_GONE_VERBS = word_set(
    "terminate discontinue decommission uninstall remove delete retire scrap axe sunset kill bin abolish eliminate "
    "disband dissolve"
)
_GONE_HOW = re.compile(r"(?i)(?:shut|wind|take|tear) down |phase out |get rid of |pull the plug on ")
"""What is done to a thing of which nothing is left then."""


_NOTICE_GIVEN = word_set("cancel terminate discontinue quit")
"""What is as good as done once its date is told; a sale is not."""
_PARTED_FROM = word_set("leave drop end")
"""The same, where a name is told: one leaves the car at the garage, and not for good."""


def names_it(value: str) -> bool:
    """Whether a value is nothing but a name."""
    return re.fullmatch(rf"(?:[Tt]he )?{NAME}", value) is not None


_LOOSE = word_set(
    "end leave return close remove delete finish lose say turn switch give hand throw go come call cut let"
)
"""Verbs that take any object: only a definite one is something that was had."""


def no_more(predicate: Predicate) -> list[Found]:
    """ "I don't do the food bank anymore": whatever that was a value of."""
    rest = re.sub(r"(?i)^(?:to|at|with|in|on|for|from|by|no|any) ", "", predicate.rest)
    match = re.match(_OBJECT + _SINCE, rest) if rest else None
    if match and (someone := re.search(rf" (?:with|from|by) (?P<v>{NAME})$", rest)):
        return ended(someone["v"])  # "lessons with Pilar"
    return ended(match["v"], gone=predicate.verb == "have") if match else []


row(
    "lose give",
    r"(?:up )?(?:my|our) (?:seat|place|spot|position|role) (?:on|in|at|with) "
    r"(?P<v>(?:the|our) [\w' -]+|(?-i:[A-Z])[\w' -]+)$",
    lets_go,
    change=True,
)
for verbs, particle in (
    ("drop ditch dump cancel terminate discontinue decommission uninstall shelve quit end leave sell return remove "
     "delete retire close lose abandon scrap axe sunset kill bin bench offload abolish eliminate disband dissolve", ""),
    ("get", rf"(?:rid of|out of|off(?! (?:the |my )?{values.NOT_OFF}\b)|shot of) "),
    ("pay", r"off (?=(?:my|our|the) )"),
    ("finish stop", r"(?:up )?(?:working )?at (?=(?-i:[A-Z]))"),
    ("part", r"(?:ways )?with "),
    ("say", r"(?:goodbye|farewell|bye) to "),
    ("pull", r"(?:out of|the plug on) "),
    ("back opt drop bow", r"out of "),
    ("step walk move stay", r"(?:down|back|away) from "),
    ("come go wean", r"(?:myself )?(?:off|off of) "),
    ("phase give hand throw cut sign", r"(?:out|up|away|back|in|off|over) "),
    ("turn switch shut wind", r"(?:off|down|up) "),
    ("take", r"down "),
    ("call break", r"off "),
    ("swear lay knock", r"off (?:of )?(?:the )?"),
    ("fire sack dismiss", ""),
    ("let", r"go of "),
    ("take", r"(?:my name|myself|me) off "),
    ("withdraw remove", r"(?:my name|myself) from "),
    ("be get", r"(?:taken off|(?:removed|dropped|expelled|released|discharged|excluded|signed off) from|"
               r"(?:kicked|thrown|let) out of|voted off|struck off) "),
    ("grow", r"out of (?=my|the)"),
    ("recover", r"from (?=my|the)"),
    ("be", r"(?:done|finished|through|over) with |(?:rid|shot) of |out of (?=(?:the|my|our) (?:[\w-]+ ){0,2}(?:cast|"
           r"brace|sling|band|team|squad|choir|club|course|race|programme|program|contract|lease|relationship|army|navy|"
           r"scheme|trial|group|league)\b)"),
    ("stop finish", r"with "),
    ("stop", r"(?=(?:the |my )?(?:[a-z]+(?<!ing) (?=[a-z]+ing$))?[a-z-]+$)"),
    ("renew extend prolong", ""),
):  # fmt: skip
    row(verbs, f"(?:{particle}){_OBJECT}{_SINCE}", lets_go, change=True)
row(
    "finish",
    r"(?P<v>(?:the|my|our) (?:course of )?(?:antibiotics|tablets|pills|medication|medicine|treatment|therapy|"
    r"chemo(?:therapy)?|physio(?:therapy)?|steroids|painkillers))" + _SINCE,
    lets_go,
    change=True,
)
row("shut turn switch close wind tear", rf"{_OBJECT} (?:down|off|out){_SINCE}", lets_go, change=True)
row("let", rf"{_OBJECT} go{_SINCE}", lets_go, change=True)
row("take", rf"{_OBJECT} (?:down|offline){_SINCE}", lets_go, change=True)
row(
    "have",
    rf"{_OBJECT} (?:removed|taken (?:off|out|down|away)|disconnected|cancell?ed|put down|demolished|scrapped){_SINCE}",
    lambda groups, p: lets_go(groups, p) if p.tense in ("past", "perfect") else [],
    change=True,
)
row("give hand send throw", rf"{_OBJECT} (?:back|away|up|in|out){_SINCE}", lets_go, change=True)
row("bring take", rf"{_OBJECT} (?:back|away){_SINCE}", lets_go, change=True)
row("let", rf"{_OBJECT} (?:lapse|expire|run out){_SINCE}", lets_go, change=True)
row("get", rf"{_OBJECT} (?:off|removed|taken (?:off|out)){_SINCE}", lets_go, change=True)
row(
    "give sell hand donate pass",
    rf"{_OBJECT} (?:on )?to (?:my|our|an?|the|some|his|her|their|(?-i:[A-Z]))\b.*$",
    lambda groups, p: lets_go(groups, p) if re.match(r"(?i)(?:my|our|the) ", groups["v"]) else [],
    change=True,
)
row(
    "step stand resign quit bow",
    r"(?:(?:down|aside|back|out) )?as (?:the |our |an? |its )?(?P<v>[\w -]+?)"
    r"(?:(?P<of> (?:of|for) .+)| (?:at|in) .+)?$",
    lambda groups, p: no_role(groups, p),
    change=True,
)


def no_role(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "stepped down as treasurer of the club"; as whose, where several know the role."""
    coming = predicate.tense == "future" or predicate.ongoing or predicate.negated or predicate.can
    whole = values.one(groups["v"] + groups["of"], "last", "this", "because", "after") if groups["of"] else None
    return [] if coming else [Found("occupation", groups["v"], kind="ending", instead_of=whole)]


def is_retired(groups: Groups, predicate: Predicate) -> list[Found]:
    """Who is retired works for nobody."""
    told = [Found("occupation", "retired", text="is retired")]
    plain = not predicate.negated and predicate.tense == "present"
    return [*told, Found("employer", "", kind="ending")] if plain else told


row("be", r"retired\b(?! (?:[a-z]+)$)(?P<v>)", is_retired)
