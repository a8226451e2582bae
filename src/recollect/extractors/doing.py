"""Statements about what someone does, did and will do: habits, plans, events, tools."""

from __future__ import annotations

import re
from dataclasses import replace

from recollect.extractors import values
from recollect.extractors.dates import Dated
from recollect.extractors.keywords import SCHOOLS
from recollect.extractors.patterns import Found, Groups, Make, first_found, rows_of, says, says_each
from recollect.extractors.verbs import FORMS, Predicate, ing_form, past_form, third_person
from recollect.text.values import word_set

row = rows_of(__name__)

OFTEN = word_set("usually always often normally typically regularly generally frequently rarely seldom never mostly")
_RECURRING = re.compile(
    r"(?i)\b(?:(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten) (?:\w+ )?(?:of \w+ )?(?:a|per|every|each) "
    r"(?:day|"
    r"week|month|year|night|morning)|every(?: other| single)? (?:\w+)|each (?:day|week|month|year|morning|evening|"
    r"night)|daily|weekly|"
    r"monthly|yearly|annually|(?:once|twice|\w+ times) (?:a|per|each|every) \w+|on (?:mon|tues|wednes|thurs|fri|"
    r"satur|sun)days|on weekends|on weekdays|in the (?:mornings?|evenings?|afternoons?)|at night|(?:mon|tues|wednes|"
    r"thurs|fri|satur|sun)days and|after work|before bed|after (?:noon|midnight|lunch|dinner|\d{1,2} ?[ap]m)|before "
    r"(?:noon|breakfast|lunch|dinner|work)|to (?:work|school|the office))\b"
)
_IDLE = word_set(
    "be have do think know feel want need mean say tell forget hope wish try see hear find get ask wonder guess "
    "believe look seem understand remember notice realize realized noticed mentioned asked wondered guessed "
    "believed looked seemed wanted needed tried happen let make help helped talked used thanked stated said put "
    "decided decide thought appreciate love like hate enjoy prefer mentioned discussed received worried struggled "
    "liked loved keep suggested"
)
"""Verbs of thinking and talking, which state nothing that is worth keeping as an event."""
_REGULARLY = frozenset(("get", "make", "put", "keep"))
"""Those of them that tell a habit with how often: "get a veg box every week"."""
_NOWADAYS = re.compile(r"(?i),? (?:now|these days|nowadays)(?=,|$)")
_NOW_THAT = re.compile(r"(?i) now that .*")
_REQUEST = re.compile(r"(?i)\b(?:you|your|this|that|it|something|anything|help)\b")
_EVENTS = (
    r"appointment|meeting|interview|exam|test|wedding|trip|flight|vacation|holiday|party|concert|surgery|graduation|"
    r"reservation|conference|presentation|checkup|check-up|game|race|marathon|deadline|lesson|class|call|date|"
    r"ceremony|performance|workshop|retreat|tournament|match|recital|session|dinner|lunch|reunion|baby shower|"
    r"webinar|audition|hearing"
)

_PLANNED = re.compile(
    rf"(?i)\b(?:{_EVENTS}|road trip|move|getaway|honeymoon|renovation|birthday|visit|hike|camping)s?\b"
)
_BIG_STEPS = word_set(
    "visit travel move go attend start learn run take retire launch marry fly study buy sell participate volunteer "
    "build host "
    "join switch adopt open complete compete train quit leave get"
)
"""What people plan that is worth remembering without a date."""
_AIMS = word_set("learn run become buy lose move travel visit retire save launch win write")
NOT_ABLE = word_set("stand eat drink tolerate digest have do")
"""What someone "cannot" is told of their tastes and their food, and is no missing skill."""
_SKILLS = word_set(
    "play speak swim cook drive sing ride draw paint code bake ski weld juggle knit sew surf dance type skate sail "
    "snowboard climb"
)
_PURPOSE = re.compile(
    r"(?i)\s+(?:for|as) (?P<what>(?!their|your|his|her|this|that|a\b|me|now|months|years|weeks|days)[\w-]+(?: "
    r"[\w-]+){0,2})$"
)
_NO_TOOL = re.compile(
    r"(?i)(?:it|this|that|them|one|these|those|up|you|of|for|to|in|on|his|her|their|your|services|ones|same|latest|"
    r"more|both|combination)\b"
)


def activity(predicate: Predicate, when: Dated) -> list[Found]:
    """A plan or an event that no pattern has a name for; it needs a date."""
    words = values.cut(predicate.rest)
    if not worth_keeping(predicate, words) or predicate.ended or predicate.negated or not when.found:
        return []
    coming = predicate.tense == "future" or (predicate.tense == "present" and predicate.ongoing)
    if coming and when.ahead:
        text = words if predicate.verb == "be" else f"{ing_form(predicate.verb)} {words}"
        return [Found("plan", f"{predicate.verb} {words}", kind="plan", text=text, confidence=0.85)]
    if predicate.tense in ("past", "perfect") and not predicate.ongoing and not when.ahead:
        done = past_form(predicate.verb)
        return [Found("event", f"{done} {words}", kind="past", text=f"{done} {words}", confidence=0.8)]
    return []


def worth_keeping(predicate: Predicate, words: str) -> bool:
    """Whether it is something one does, and not something one thinks, says or asks for."""
    there = predicate.verb == "be" and predicate.tense == "future" and re.match(r"(?:in|at) ", predicate.rest)
    having = predicate.verb == "have" and predicate.ongoing and predicate.tense == "present"
    doing = (
        predicate.verb == "do"
        and re.match(r"(?!it\b|that\b|this\b|so\b|not\b|my best)[a-z]", predicate.rest) is not None
    )
    regular = predicate.verb in _REGULARLY and _RECURRING.search(predicate.rest) is not None
    if (
        (predicate.verb in _IDLE and not (there or having or doing or regular))
        or predicate.can
        or _REQUEST.search(_NOW_THAT.sub("", predicate.rest))
    ):
        return False
    return 0 < len(words.split()) <= values.MOST_WORDS


_MEASURED = re.compile(r"(?i)\d[\d.,]* ?(?:km|k|miles?|m|lengths|laps|pages|hours|minutes)\b")


def habit(predicate: Predicate) -> list[Found]:
    """What is done again and again; the words of time belong to it."""
    said = _NOWADAYS.sub("", values.cut(predicate.rest))
    said = first if _RECURRING.search(first := said.partition(",")[0]) else said
    often = predicate.adverbs & OFTEN
    if not worth_keeping(predicate, said) or predicate.tense != "present" or predicate.ongoing:
        return []
    anew = "now" in predicate.adverbs and _MEASURED.match(said)  # "I run 8 km now"
    if not (often or anew or _RECURRING.search(said)):
        return []
    verb, how = predicate.verb, min(often, default="")
    if predicate.ended:
        return [Found("habit", f"{verb} {said}", kind="ending", confidence=0.85)]
    if predicate.negated:
        value = f"no {said}" if verb in ("drink", "eat") else f"not {verb} {said}"
        return [Found("habit", value, kind="state", text=f"does not {verb} {said}", confidence=0.9)]
    value = f"{how} {verb} {said}" if how in ("never", "rarely", "seldom") else f"{verb} {said}"
    return [Found("habit", value, text=f"{how} {third_person(verb)} {said}".strip(), confidence=0.9)]


def appointment(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "have a dentist appointment": an event, dated by the words around it."""
    if predicate.negated or predicate.ended:
        return []
    return [
        Found(
            "event",
            re.sub(r"(?i)^(?:an?|the|my|our|another) ", "", groups["v"]),
            text=f"{groups['v']} {values.cut(groups['more'])}".strip(),
        )
    ]


def tool(groups: Groups, predicate: Predicate) -> list[Found]:
    """Each tool that is used; what for stays in the sentence."""
    past = predicate.tense == "past" and not predicate.ongoing and " before " not in groups["v"]
    vague = predicate.tense == "future" and not (predicate.ongoing and values.has_name(groups["v"]))
    if past or vague or (predicate.negated and not predicate.ended):
        return []
    several = re.split(r"(?i),? and (?=[\w.+-]+ (?:for|to|as) \w)", groups["v"])
    if len(several) > 1 and all(re.match(r"(?i)[\w.+ -]{2,30} (?:for|to|as) \w", part) for part in several):
        return [found for part in several for found in tool({"v": part}, predicate)]
    purpose = _PURPOSE.search(values.cut(groups["v"]))
    ends = (
        "for",
        "to",
        "as",
        "in",
        "on",
        "with",
        "at",
        "from",
        "when",
        "during",
        "by",
        "before",
        "every",
        "each",
        "daily",
        "since",
    )
    found = [values.bare(item) for item in values.items(groups["v"], *ends)]
    found = [item for item in found if len(item.split()) <= 4 and not _NO_TOOL.match(item)]
    what = f" for {purpose['what']}" if purpose else ""
    return [
        Found("uses", item, text=f"uses {item}{what}", many=len(found) > 1 or None, confidence=0.85) for item in found
    ]


def can_do(predicate: Predicate) -> list[Found]:
    """A skill: "can play the piano"; only what people call one. What someone can eat again, they do."""
    if predicate.verb == "eat" and "again" in predicate.adverbs:
        return first_found(replace(predicate, can=False))
    if predicate.verb == "speak" and not predicate.negated and values.has_name(predicate.rest):
        return first_found(replace(predicate, can=False))
    value = values.one(f"{predicate.verb} {predicate.rest}", "with", "for", "at", "to", "when", "from")
    if predicate.negated or predicate.verb not in _SKILLS or len(value.split()) > 6 or _REQUEST.search(value):
        return []
    return [Found("skill", value)]


def goal(groups: Groups, predicate: Predicate) -> list[Found]:
    """What someone wants to reach; most of what people "want to" is only a request."""
    verb, value = base_form(groups["v"]), values.fits(values.cut(groups["v"]))
    if verb not in _AIMS or predicate.negated or predicate.tense == "past" or not value or _REQUEST.search(value):
        return []
    both = _AND_TO.split(value, maxsplit=1)
    each = both if len(both) > 1 and base_form(both[1]) == both[1].split()[0] else [value]
    return [Found("goal", one, text=f"wants to {one}", confidence=0.75) for one in each]


_AND_TO = re.compile(r"(?i),? and (?:to )?(?=[a-z]+ \w)")


def planning(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "planning a trip to Japan", "plan to move": what is worth keeping even without a date."""
    value = values.bare(values.cut(groups["v"]))
    telling = base_form(value) in _BIG_STEPS if groups["to"] else _PLANNED.search(value) is not None
    if (
        not telling
        or predicate.negated
        or predicate.tense == "past"
        or len(value.split()) > 9
        or _REQUEST.search(value)
    ):
        return []
    return [Found("plan", value, kind="plan", text=f"plans {'to ' if groups['to'] else ''}{value}", confidence=0.75)]


def base_form(text: str) -> str:
    return FORMS.get(text.split(" ")[0].lower(), ("", ""))[0]


def visited(groups: Groups, predicate: Predicate) -> list[Found]:
    """Places that someone has been to; a trip to come is a plan."""
    if predicate.tense not in ("past", "perfect") or predicate.negated or predicate.ended or predicate.ongoing:
        return []
    often = r"(?i),? (?:once|twice|\w+ times|before|already)(?: (?!and )[\w ]+?)?(?=$|,| and )"
    groups = {**groups, "v": re.sub(r",? and to (?=(?:the )?[A-Z])", " and ", re.sub(often, "", groups["v"]))}
    if re.search(rf"\b{SCHOOLS}\b", groups["v"]):
        return []  # Who went to a college studied there.
    places = says_each("visited", "with", "for", "to", "in", "on", "at", "by", bare=False)(groups, predicate)
    return [place for place in places if re.match(r"(?:the )?[A-Z]", place.value)]


def back_from(groups: Groups, predicate: Predicate) -> list[Found]:
    """Who came back from a place has been there; who comes from it was born there."""
    returned = predicate.verb == "return" or predicate.rest.startswith("back ")
    returned = returned and not re.search(r"['’]s?\b", groups["v"])  # "Joe's shop" is no place to tell of.
    return visited(groups, predicate) if returned else []


def in_training(groups: Groups, predicate: Predicate) -> list[Found]:
    value = values.one(groups["v"])
    return [Found("goal", values.bare(value), text=f"is training for {value}")] if predicate.ongoing and value else []


def at_hour(attribute: str) -> Make:
    """The hour at which someone does something as a rule."""
    hour = says(attribute, "on", "every", "and", "to")
    return lambda groups, predicate: (
        hour(groups, predicate)
        if (predicate.tense == "present" or (predicate.tense == "perfect" and predicate.ongoing))
        and not predicate.negated
        else []
    )


row("use", r"(?P<v>.+)", tool)
row(
    "upgrade update bump",
    r"(?:over |up )?to (?P<v>(?-i:[A-Z])[\w.+-]* v?\d[\d.]*)(?=$|,| (?:on|in|last|yesterday|today|this)\b)",
    lambda groups, p: [Found("uses", groups["v"], many=False)] if not p.negated else [],
    change=True,
)
row(
    "deploy",
    r"(?:\w+ ){0,3}?(?:with|to|on|via|using|through) (?P<v>(?!(?:an? |the )?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|"
    r"Sun)day).+)",
    says("deploys with", "for", "every", "from", "in"),
)
row("deploy release ship", r"from (?:the )?(?P<v>[\w./-]+(?: branch)?)$", says("deploys from"))
row("run host", r"(?:everything |it |our \w+ )?on (?P<v>(?-i:[A-Z][\w.-]*(?: [A-Z][\w.-]*)*))$", says("runs on"))
row(
    "visit",
    r"(?P<v>(?:the )?(?-i:[A-Z]).*)",
    visited,
    always=True,
)
row("travel fly go", r"to (?P<v>(?:the )?(?-i:[A-Z]).*)", visited, always=True)
row("be", r"to (?P<v>(?:the )?(?-i:[A-Z]).*)", visited, always=True)
row(
    "come get return",
    r"(?:back )?from (?:a (?:trip|week|holiday) (?:to|in) )?(?P<v>(?-i:[A-Z]).*)",
    back_from,
    always=True,
)
row(
    "have",
    rf"(?:got )?(?P<v>(?:an?|the|my|our|another) (?:(?!in|of|with|for|few)[\w'-]+ ){{0,4}}?(?:{_EVENTS}))"
    rf"(?=$|\s+(?:on|at|with|in|for|to|and|by|about)\b)(?P<more>.*)",
    appointment,
)
row(
    "book schedule arrange make",
    rf"(?P<v>(?:an?|the|my|our|another) (?:(?!in|of|with|for|few)[\w'-]+ ){{0,4}}?(?:{_EVENTS}))"
    rf"(?=$|\s+(?:on|at|with|in|for|to|and|by|about)\b)(?P<more>.*)",
    lambda groups, p: [
        replace(found, kind="plan") for found in appointment(groups, p) if p.tense in ("past", "perfect")
    ],
)
row(
    "commute",
    r"(?:for )?(?:about |around )?(?P<v>(?:an?|half an|\d+|[a-z]+)(?: and a half)? (?:hours?|minutes|mins|miles|km)"
    r"(?: each way| (?:a|per) day)?)$",
    lambda groups, p: [Found("commute", groups["v"])] if p.tense == "present" and not p.negated else [],
)
row("want hope aim intend", r"to (?P<v>\w+ .+)", goal)
row(
    "want hope dream",
    r"(?:to (?:be|become)|of being|of becoming) (?P<v>an? (?!bit\b|little\b|part\b)[a-z][\w -]{2,30})$",
    lambda groups, p: (
        [Found("goal", f"be {groups['v']}", text=f"wants to be {groups['v']}", confidence=0.75)]
        if p.tense == "present" and not p.negated
        else []
    ),
)
row("plan", r"(?:(?P<to>to )|on |for )?(?P<v>.+)", planning)
row("train", r"for (?P<v>an? .+)", in_training)
row(
    "train study",
    r"(?:to (?:be|become)|as) (?P<v>an? .+)",
    lambda groups, p: (
        [Found("goal", f"be {value}", text=f"is training to be {value}")]
        if (value := values.one(groups["v"], "at", "with", "in")) and p.ongoing and p.tense == "present"
        else []
    ),
)
row(
    "read",
    r"(?P<v>(?-i:[A-Z])[\w' -]*?)(?: (?:by|for|again|at|in) .+)?$",
    lambda groups, p: (
        [Found("reading", title) for title in re.split(r",\s+| and (?=(?:The|A) )", groups["v"])]
        if p.ongoing and p.tense == "present" and not p.negated
        else []
    ),
)
_HOUR = (
    r"(?P<v>\d[\w:. ]*|noon|midnight|(?:half past |quarter (?:to|past) )?(?:one|two|three|four|five|six|seven|eight|"
    r"nine|ten|eleven|"
    r"twelve)(?: thirty| fifteen| forty-five)?(?: ?[ap]m)?)"
)
row("wake get", rf"up (?:at|around|by) {_HOUR}", at_hour("wake up time"))
row("go", rf"to (?:bed|sleep) (?:at|around|by) {_HOUR}", at_hour("bed time"))
row("be", rf"(?:usually |always )?(?:in bed|asleep) (?:at|around|by|before) {_HOUR}", at_hour("bed time"))
row("have need", rf"to (?:be|get|wake) up (?:at|around|by|before) {_HOUR}", at_hour("wake up time"))
row("be", rf"(?:usually |always )?(?:up|awake|out of bed) (?:at|around|by|before) {_HOUR}", at_hour("wake up time"))
row(
    "run use",
    r"(?P<v>(?-i:[A-Z])[\w.+-]*(?: (?-i:[A-Z\d])[\w.]*)*) (?:on|as) (?:my|our) (?:\w+ )?(?:laptop|"
    r"desktop|phone|server|servers|pc|"
    r"computer|machine|machines|tablet|nas|os|shell|editor|browser)$",
    tool,
)
_GYM = (
    r"(?P<v>(?-i:[A-Z])[\w'-]*(?: (?-i:[A-Z])[\w'-]*)?)(?<!Academy)(?<!School)(?<!University)(?<!College)(?<!Hospital)$"
)
row(
    "train work",
    r"(?:out )?at (?:the )?(?P<v>(?-i:[A-Z])[\w' .-]*?(?:Fit|Gym|Box|CrossFit|Fitness)[\w ]*)$",
    says("gym"),
)
row("train", rf"at (?:the )?{_GYM}", says("gym"))
row("work", rf"out at {_GYM}", says("gym"))
row(
    "be",
    r"on (?:an? )?(?P<v>(?-i:(?!Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|"
    r"May|June|July|August|"
    r"September|October|November|December|I\b|Team|Zoom|TV|PTO|LinkedIn\b)(?:[A-Z]|i[A-Z])[\w.+-]*(?: "
    r"[A-Z\d][\w.]*)*))$",
    lambda groups, p: [Found("uses", groups["v"], confidence=0.7)] if p.tense == "present" and not p.ongoing else [],
)
row(
    "work",
    r"(?P<v>\d[\d.,]* ?(?:hours|h) (?:a|per) (?:week|day|month))$",
    lambda groups, p: [Found("hours", groups["v"], text=f"works {groups['v']}", many=False)],
)


def standing(groups: Groups, predicate: Predicate) -> list[Found]:
    """What one does as a matter of course, with no word of how often: "I volunteer at the shelter"."""
    done = predicate.tense in ("present", "formerly") or predicate.ended
    value = values.one(groups["v"], "because", "since", "so", "when", "just")
    if not done or predicate.ongoing or (predicate.negated and not predicate.ended) or not 0 < len(value.split()) <= 6:
        return []
    return [Found("habit", f"{predicate.verb} {value}", confidence=0.85)]


row("commute", r"(?P<v>(?:to \w+ )?(?:by|on) .+)", standing)
row("volunteer fundraise", r"(?P<v>(?:at|for|with|in) .+)", standing)
row("coach foster mentor referee tutor", r"(?P<v>(?!him|her|them|it|me|us|you)[\w'-]+(?: [\w'-]+)*)$", standing)
row(
    "sing play dance act",
    r"in (?:an?|the|my|our) (?:[\w'-]+ ){0,2}?(?:band|choir|orchestra|ensemble|quartet|trio|troupe)"
    r",? (?:called|named) (?P<v>(?-i:[A-Z])[\w' ]+)$",
    says("member of"),
)
row(
    "sing play dance act",
    r"in (?P<v>(?:an?|the|my|our) (?:[\w'-]+ ){0,2}?(?:band|choir|orchestra|ensemble|quartet|trio|troupe))$",
    says("member of", bare=True),
)
