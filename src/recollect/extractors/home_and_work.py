"""Statements about where someone lives, works and studies."""

from __future__ import annotations

import re
from dataclasses import replace

from recollect.extractors import values
from recollect.extractors.keywords import SCHOOLS, STREET
from recollect.extractors.patterns import Found, Groups, first_found, proper, rows_of, says, says_each
from recollect.extractors.programs import SOFTWARE
from recollect.extractors.value_kinds import kind_of_value
from recollect.extractors.verbs import Predicate, read_predicate
from recollect.facts.attributes import attribute
from recollect.text.values import word_set

row = rows_of(__name__)

_PLACE_END = (
    "with", "for", "near", "close to", "by", "alone", "again", "together", "next to", "right", "on", "to",
    "about", "as", "and", "before", "after", "from", "all my", "my whole", "at the", "during", "last", "next", "this",
    "teaching", "working", "studying", "doing", "running", "helping", "learning", "looking",
)  # fmt: skip
_FIRM_END = (
    "as", "in", "on", "for", "with", "from", "doing", "part", "full", "remotely", "and", "to", "last", "next", "this",
    "before", "after", "until", "when", "while",
)  # fmt: skip
_WAY = r"(?:back |over |here |down |up |out |in |away |permanently )*"
_HOUSING = re.compile(
    r"(?i)(?:an?|my own|our own|the) (?:[\w-]+ ){0,3}"
    r"(?:flat|apartment|house|condo|studio|loft|cottage|farm|townhouse|dorm|rv|van|villa|bungalow|"
    r"(?:care|nursing|retirement|mobile) home|hostel|houseboat|caravan|hall of residence|student halls?)\b"
)


_TOOL = re.compile(r"[a-z][A-Z]|\d|\w\.\w|^[A-Z]{2,5}$")
"""Names that are written as no town is."""
_WORKPLACE = (
    r"(?i)(?:the|an?) (?!moment|time|office|home|desk|same|night|weekend|minute|computer|least|rate|pace|lot|bit|"
    r"while|day|"
    r"few|very|kind|sort|long|new)(?:local |small |big |large |city |public |county )?(?:[\w-]+ )?[a-z-]{3,}"
)
"""Where someone works, when it has no name: "the shipyard"."""


_SEVERAL = re.compile(
    r"(?:(?:the )?[A-Z][\w'-]*(?: [A-Z][\w'-]*)*, ){0,9}(?:the )?[A-Z][\w'-]*(?: [A-Z][\w'-]*)*,? and "
    r"(?:the )?[A-Z][\w'-]*(?: [A-Z][\w'-]*)*"
)
"""More places than one can live in: "lived in Chile, Norway and Oman"."""


def place(groups: Groups, predicate: Predicate) -> list[Found]:
    """A home: a place by its name, or the kind of housing."""
    if not groups["v"][:1].isdigit() and (street := re.fullmatch(STREET, values.one(groups["v"]))):
        return [Found("address", street[0])]
    lived = predicate.verb in ("live", "reside") and predicate.tense in ("perfect", "past") and not predicate.negated
    if lived and (several := _SEVERAL.fullmatch(values.cut(groups["v"]))):
        return [Found("home", item, kind="past") for item in values.items(several[0])]
    value = values.cut(groups["v"], *_PLACE_END)
    inside = re.search(r"\b(?:in|of|outside) ((?:the )?[A-Z].*)$", value)
    if inside and re.match(r"(?i)(?:an?|my|our|the) ", value):
        value = inside[1]
    if housing := _HOUSING.match(value):
        return [Found("housing", housing[0])]
    if re.fullmatch(r"(?i)the (?:suburbs|countryside|city|coast|mountains|seaside|islands?)(?: again)?", value):
        return [Found("home", value.removesuffix(" again"))]
    value = town(value)
    if predicate.verb == "move" and re.search(rf"\b{SCHOOLS}$", value):
        return [Found("school", value)]
    if re.search(r"[a-z]\.[a-z]|[/_@]", value) or kind_of_value(value) == "date":
        return []  # An address of a machine, or a day.
    if value and value.split()[0].lower() in SOFTWARE and " " in value and value != value.title():
        return []  # "moved to Teams calls"
    named = (
        proper(value, replace(predicate, careless=predicate.careless and len(value.split()) <= 2)) if value else False
    )
    return [Found("home", value)] if named and len(value.split()) <= 6 else []


row(
    "host",
    r"(?:everything |it all |it |(?:all )?our (?:\w+ )?\w+ )?(?:in|on|at|with) "
    r"(?P<v>(?-i:[A-Z])[\w.-]*(?: (?-i:[A-Z])[\w.-]*)*)$",
    says("runs on"),
)


_DEPARTMENT = (
    r"(?:the )?(?:payments?|search|billing|sales|marketing|finance|support|platform|infra(?:structure)?|product|design|"
    r"legal|hr|it|ops|operations|security|data|growth|mobile|logistics|procurement|accounting|engineering|management)"
    r"(?: team)?(?: now)?"
)


def moves(groups: Groups, predicate: Predicate) -> list[Found]:
    """A new home, and the one before it where that is told. What we moved from may also be a tool."""
    old = values.one(groups["old"]) if values.has_name(groups["old"]) else None
    if re.fullmatch(_DEPARTMENT, groups["v"].strip()):
        return []  # To another team, and not to another town.
    found = [replace(one, instead_of=old if one.attribute == "home" else None) for one in place(groups, predicate)]
    names = [old, *(one.value for one in found)] if old else []
    tool = any(name.split()[0].lower() in SOFTWARE or _TOOL.search(name) for name in names)
    return [replace(one, attribute="") if tool else one for one in found]


def town(value: str) -> str:
    """A town with its state or country after a comma stays whole; anything else ends at the comma."""
    head, comma, tail = value.partition(",")
    whole = comma and tail.strip() and all(word[:1].isupper() for word in tail.split())
    return values.without_tail(value if whole else head)


def origin_place(groups: Groups, predicate: Predicate) -> list[Found]:
    value = town(values.cut(groups["v"], *_PLACE_END))
    return [Found("hometown", value)] if values.has_name(value) and len(value.split()) <= 5 else []


_NOW_AT = re.compile(r"(?i),? (?:and|but|then) (?:now|currently|most recently) (?:at |for )?(?P<v>(?-i:[A-Z]).*)$")
"""The last of several firms, where one is now: "worked at Shell, BP and now Equinor"."""
_WITHIN = re.compile(
    r"(?i)(?P<part>(?:the |our |an? )?(?:[\w&/-]+ ){0,3}?[\w&/-]+?)(?P<team> team| squad| department| group)? "
    r"(?:at|within) (?P<firm>(?-i:[A-Z]).*)$"
)


def within_firm(said: str) -> tuple[list[Found], str]:
    """The team, where one is told, and the firm: "the payments squad at Monzo", "8 years of experience at Monzo"."""
    match = _WITHIN.match(said)
    if match is None or match["part"][:1].isupper():
        return [], said
    return [Found("team", values.bare(match["part"]))] if match["team"] else [], match["firm"]


def firm(groups: Groups, predicate: Predicate) -> list[Found]:
    """An employer by name; a gym or a club that one joins is none."""
    if now := _NOW_AT.search(groups["v"]):
        before = firm({**groups, "v": groups["v"][: now.start()]}, predicate)
        return [*before, Found("employer", values.one(now["v"], *_FIRM_END), kind="update")]
    team, where = within_firm(groups["v"])
    if where != groups["v"]:
        return [*firm({**groups, "v": where}, predicate), *team]
    value = values.one(groups["v"], *_FIRM_END)
    if predicate.verb == "join" and (group := _GROUP_NAMED.match(value)):
        of_kind = attribute(group["kind"] or group["named"])
        name = group["v"] or (value if group["named"] else "" if of_kind.known else values.bare(value))
        return [Found(of_kind.name if of_kind.known else "member of", name)] if name else []
    if described := _CALLED.match(groups["v"]):
        kind = attribute(described["head"])
        if predicate.verb == "join" and described["head"].lower() in _JOINED:
            return [Found("member of", values.one(groups["v"][described.end() :], *_FIRM_END))]
        if kind.known and kind.category != "work":
            return [Found(kind.name, values.one(groups["v"][described.end() :], *_FIRM_END))]
        value = values.one(groups["v"][described.end() :], *_FIRM_END)
    if value[:1].isdigit() or (predicate.verb in ("start", "begin") and "with" in predicate.rest.split()[:2]):
        value = value if values.has_name(value) else ""  # "for 9 years", "start with the base case"
    if predicate.verb in ("start", "begin") and re.search(rf"\b{SCHOOLS}\b", value):
        return [Found("school", value)]
    if predicate.verb in ("work", "start", "begin", "get", "have") and re.fullmatch(_WORKPLACE, value):
        return workplace(groups["v"], value)
    known = proper(value, predicate) if predicate.verb == "work" and value else values.has_name(value)
    if not known or re.match(r"(?i)(?:an?|my|our|this|that|these|his|her|their)\b", value):
        return []
    return [Found("employer", re.sub(r"(?i)^the (?=.* (?:team|crew)$)", "", value))]


_ANY_FIRM = re.compile(
    r"(?i)(?:company|firm|startup|start-up|business|place|corporation|employer|agency|organi[sz]ation|nonprofit|"
    r"client)$"
)


def workplace(said: str, value: str) -> list[Found]:
    """A workplace without a name: the shipyard, a bank; that it is "a company" says something only by where."""
    rest = said[len(value) :] if said.startswith(value) else ""
    where = re.match(r" (?:based )?in [A-Z][\w-]+", rest)
    if _ANY_FIRM.search(value) and not where:
        return []
    text = f"{value}{where[0]}" if where else value
    return [Found("employer", values.bare(text), text=f"works at {text}" if value.startswith("a") else "")]


_GROUP_NAMED = re.compile(
    r"(?i)(?:(?:the|an?|my|our) (?:[\w-]+ ){0,2}?(?P<kind>gym|choir|band|orchestra|league|church|union|club|society|"
    r"association|committee|council|board|group|troupe|troop|brigade|squad|circle)"
    r"(?: (?P<v>(?-i:[A-Z])[\w' -]*))?|(?:the )?(?-i:[A-Z])[\w' -]* "
    r"(?P<named>gym|choir|orchestra|church|club|meetup|circle|guild|society))$"
)
"""What one joins without working there."""
_JOINED = word_set(
    "group club community meetup forum server channel challenge league circle society association choir band network "
    "guild committee program programme class course"
)
"""What one is a member of, and not employed by, when it is told what it is."""
_CALLED = re.compile(r"(?i)^(?:an?|this|the) (?:[\w-]+ ){0,3}?(?P<head>[\w-]+),? (?:called|named) ")


def project(groups: Groups, predicate: Predicate) -> list[Found]:
    """What someone works on, when it has a name or a description."""
    items = values.items(groups["v"], "with", "for", "at", "to", "in")
    if len(items) > 1 and all(re.match(r"(?i)(?:the|my|our|an?) |(?-i:[A-Z])", item) for item in items):
        return [found for item in items for found in project({"v": item}, predicate)]
    value = values.one(groups["v"], "with", "for", "at", "and", "to", "in")
    vague = re.fullmatch(
        r"(?i)(?:an?|the|my|our|this|that|some|it|them)?(?: \w+)?(?: ?(?:project|it|them|things?|stuff))?", value
    )
    if (
        not value
        or predicate.tense == "future"
        or re.match(r"(?i)(?:for|with|at|in|it)\b|(?:the )?[\w-]+ floor$", value)
        or (vague and not values.has_name(value))
    ):
        return []
    return [Found("works on", value, confidence=0.8)]


def works(groups: Groups, predicate: Predicate) -> list[Found]:
    """An employer, an occupation, or both."""
    role = (
        says("occupation", "in", "with", "on", "from", "by", "and", bare=True)({"v": groups["role"]}, predicate)
        if groups["role"]
        else []
    )
    return [*(firm(groups, predicate) if groups["v"] else []), *role]


def ended_up(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "ended up moving to Slough": what the inner verb states, done."""
    inner = read_predicate(groups["v"])
    if inner is None or predicate.tense not in ("past", "perfect"):
        return []
    return first_found(replace(inner, tense="past", ongoing=False))


_WHOSE = re.compile(r"^(?:my|our) (?:[a-z-]+ ){1,2}(?=[A-Z])")
"""What someone is, before their name: "my friend Tom" is known as Tom."""


def lives_with(groups: Groups, predicate: Predicate) -> list[Found]:
    """Whom someone lives with, and where."""
    home = place({"v": groups["place"]}, predicate) if groups["place"] else []
    several = re.sub(r"(?i),? and (?=(?:my|our) )", ", ", groups["v"])
    found = says_each("lives with", "at", bare=False)({"v": several}, predicate)
    found = [replace(item, value=_WHOSE.sub("", item.value)) for item in found]
    return [*(item for item in found if item.value.lower() not in ("us", "me", "them", "him", "her", "it")), *home]


_KIN = r"(?:the |my |our )(?:whole |entire )?(?:family|household|kids|life|lives|tribe|gang)"
_NEW_PLACE = (
    r"(?:(?:an?|our|my|the|his|her|their|own|new|first|small|little|tiny|big|lovely|nice|shared|[\w-]+-bed(?:room)?) )*"
    r"(?:place|flat|apartment|house|room|studio|home|condo|cottage|loft|townhouse|bungalow|houseshare|flatshare)"
    r"(?: (?:down|up|over|out))? (?:in|near|outside|just outside) (?P<v>(?-i:[A-Z]).+)"
)
"""Where someone lives, by the dwelling: "a small flat in Porto"."""
_ANY_DWELLING = (
    r"(?:an?|our|my|the|his|her|their|some) (?:[\w'-]+ ){1,4}(?:in|near|outside|just outside) (?P<v>(?-i:[A-Z]).+)"
)
row("rent lease sublet share", _NEW_PLACE, place)
row("rent", r"in (?P<v>(?-i:[A-Z]).+)", place)
row("have", rf"(?:got )?(?=(?:my|our|his|her|their) (?:own|first) ){_NEW_PLACE}", place)
row("get collect receive pick", rf"(?:up )?(?:the |our |my )?keys (?:to|for|of) {_NEW_PLACE}", place, change=True)
row("move settle", rf"(?:in ?to|in) {_NEW_PLACE}", place, change=True)
row("move", rf"in ?to {_ANY_DWELLING}", place, change=True)
row("live", rf"in {_ANY_DWELLING}", place)
row(
    "live",
    r"(?:alone|(?:on|by) (?:my|his|her|their) own|by myself|on (?:the|an?) [\w' -]{2,40}?|above [\w' -]{2,30}?|next "
    r"(?:door )?to [\w' -]{2,30}?|round the corner[\w' -]{0,30}?) (?:in|near) (?P<v>(?-i:[A-Z]).+)",
    place,
)
row(
    "be work sit",
    r"(?:in|from|out of|at) (?:the |our )(?P<v>(?-i:[A-Z])[\w-]+(?: (?-i:[A-Z])[\w-]+)*) (?:office|branch|site|hub)\b",
    "office",
)
row(
    "transfer move relocate get be",
    r"(?:transferred |moved |relocated |sent )?(?:over )?to (?:the |our )(?P<v>(?-i:[A-Z])[\w-]+(?: "
    r"(?-i:[A-Z])[\w-]+)*) "
    r"(?:office|branch|site|hub)\b",
    "office",
    change=True,
)
row("shift", rf"{_WAY}(?:from [\w ]+? )?to (?P<v>(?-i:[A-Z]).+)", place, change=True)
row(
    "move relocate",
    rf"(?:{_KIN}|(?:(?:the |my |our )[\w ]{{2,20}} and )?(?:myself|ourselves|everyone)) (?:over |back )?to (?P<v>.+)",
    place,
    change=True,
)
row(
    "live reside",
    r"(?:(?:here|there|over|up|down|out|back|right|still) )*(?:in|at|near|just outside|outside|around|"
    rf"on(?= {STREET})) (?P<v>.+)",
    place,
)
row("live", r"with (?P<v>.+?)(?: in (?P<place>(?-i:[A-Z]).+))?$", lives_with)
row("move relocate", rf"{_WAY}(?:from (?P<old>[\w ]+?) )?{_WAY}to (?P<v>.+)", moves, change=True)
row("move relocate", rf"{_WAY}to (?P<v>.+?) from (?P<old>[\w ]+)", moves, change=True)
row("move", r"in with (?P<v>.+?) (?:in|near) (?P<place>(?-i:[A-Z]).+)$", lives_with, change=True)
row("move", r"in with (?P<v>.+)", says("lives with", "in", "at"), change=True)
row("grow", r"up in (?P<v>.+)", origin_place, always=True)
row("come", r"from (?P<v>.+)", origin_place, always=True)

row("work", r"(?P<v>freelance)$", "works")
row("freelance", r"(?P<v>)$", lambda groups, p: [Found("works", "freelance")])
row(
    "spend",
    r"(?:[\w' -]{1,30}?) (?:years|twenties|thirties|forties|childhood|youth|life|decade|months) in "
    r"(?P<v>(?-i:[A-Z]).+)",
    place,
)
row("spend", r"in (?P<v>(?-i:[A-Z]).+)", lambda groups, p: place(groups, p) if p.tense in ("past", "perfect") else [])
row(
    "be",
    r"on (?P<v>(?:about |around )?[$€£] ?\d[\d.,]*k?(?: (?:a|per) (?:month|year|week|hour)| pcm| pa)?|\d+k|"
    r"\d[\d.,]* (?:(?:euros|dollars|pounds|quid) )?(?:a|per) (?:month|year))$",
    "income",
)
row("teach", r"(?:[\w ]{2,30} )?at (?P<v>(?-i:[A-Z]).+)", says("employer", "in", "and", "since", named=True))
row("work", r"(?:(?!at\b|for\b|with\b)\w+ ){0,2}?as (?P<role>.+?)(?: (?:at|for|with) (?P<v>.+))?$", works)
row("work", r"(?:(?!on\b|as\b|with\b)[\w-]+ ){0,4}?(?:at|for) (?P<v>.+?)(?: as (?P<role>.+))?$", works)
row(
    "work",
    r"(?P<v>remotely|remote|from home|from the office|in the office|on-?site|on site|hybrid|night shifts|day shifts|"
    r"early shifts|late shifts|nights|days(?= now\b|$|,)|mornings|afternoons|evenings|weekends|earlies|lates|"
    r"part[- ]time|"
    r"full[- ]time|freelance)\b",
    "works",
)
row(
    "work",
    r"(?P<v>from (?-i:(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|[A-Z][a-z]{2,8} \d)[A-Z][\w'-]+(?: [A-Z][\w'-]+)?))"
    r"(?! to\b| until\b)(?=[ ,]|$)",
    lambda groups, p: [] if p.ongoing else [Found("works", groups["v"])],  # "I'm working from Rome": for now?
)
row(
    "be",
    r"back (?P<v>in the office|on-?site|at the office|to working from home)(?: full[- ]time| every day| \w+ days a "
    r"week)?$",
    lambda groups, p: [Found("works", groups["v"].removeprefix("to working "), kind="update")] if not p.negated else [],
)
row("change switch", r"(?:to )?(?:the )?(?P<v>(?:[\w&/-]+ ){0,2}[\w&/-]+) team$", "team", change=True)
row(
    "be work move switch",
    r"(?:(?:now )?(?:on|moved to|switched to|put on|to) )?(?:the )?(?P<v>day|night|early|late|morning|evening|"
    r"afternoon) shift\b",
    "shift",
    change=True,
)
row(
    "move switch",
    r"(?:over |across |back )?to the (?P<v>(?:[\w&/-]+ ){0,2}[\w&/-]+) (?:team|squad)\b",
    "team",
    change=True,
)
row("join", r"(?:the )(?P<v>(?:[\w&/-]+ ){0,2}[\w&/-]+) (?:team|squad|department)\b", "team", change=True)
row("be", r"insured (?:with|by|through) (?P<v>(?-i:[A-Z]).*)", says("insurance", "for", "since", named=True))
row(
    "open get",
    r"(?:an?|one|my|our|another)(?: new)?(?: (?:bank |current |savings |checking |joint )?account)? (?:with|at) "
    r"(?P<v>(?-i:[A-Z]).*)",
    says("bank", "since", "for", "and", named=True),
    change=True,
)
row("bank", r"with (?P<v>(?-i:[A-Z]).*)", says("bank", "since", "for", "and", named=True))
row("report", r"to (?P<v>(?-i:[A-Z])[\w' .-]*)", says("boss", "now", "at", "in", "for", named=True))
row("work", r"on (?P<v>.+)", project)
row("start begin", r"as (?P<role>.+?)(?: (?:at|for|with) (?P<v>.+))?$", works, change=True)
row(
    "be become",
    r"(?:the )?(?:new |now )?(?P<role>(?:head|director|vp|vice president|chief|manager|lead) of [\w &]+?)(?: (?:at|"
    r"for|with) (?P<v>(?-i:[A-Z]).+))?$",
    works,
)
row(
    "do handle manage",
    r"(?:the )?(?P<field>payroll|accounts|accounting|bookkeeping|marketing|sales|it|hr|qa|admin|customer (?:service|"
    r"support)|tech(?:nical)? support|support|reception|logistics|communications|comms|pr|legal|data entry|research|"
    r"design|security|procurement|maintenance|events|(?:front|back)[- ]?end|devops) (?:at|for) (?P<v>(?-i:[A-Z]).+)",
    lambda groups, p: [*firm(groups, p), Found("field", groups["field"], text=f"works in {groups['field']}")],
)
row(
    "do have",
    r"(?:got )?(?:an?|my) (?:[\w-]+ )?(?:apprenticeship|internship|traineeship|placement|residency|fellowship|"
    r"postdoc|job|"
    r"position) (?:at|with) (?P<v>(?-i:[A-Z]).+)",
    lambda groups, p: firm(groups, p) if not p.negated or p.ended else [],
)
row("settle", r"(?:down )?in (?P<v>(?-i:[A-Z]).+)", place, change=True)
row("end wind", r"up (?P<v>\w+ing\b.+)", lambda groups, p: ended_up(groups, p), change=True)
row("join", r"(?P<v>.+)", firm, change=True)
row(
    "start begin",
    r"(?:(?:working|a (?:new )?job|work|my (?:new )?job|a (?:new )?(?:position|role)|my new (?:position|role)) )?"
    r"(?:at|with|for) (?P<v>.+)",
    firm,
    change=True,
)
row(
    "get land accept take find have",
    r"(?:got )?(?:an? |the |my )?(?:new |great |dream |part-time |full-time |summer |permanent |temporary |temp "
    r"|proper |"
    r"better )*(?:job|position|role|offer|gig|work|"
    r"something|traineeship|internship|apprenticeship) (?:offer )?(?:at|with|from) (?P<v>.+)",
    firm,
    change=True,
)
row(
    "get start land accept take find begin",
    r"(?:an? |the |my )?(?:new )?(?:job|position|role) as (?P<v>.+)",
    says("occupation", "at", "for", "in", "with", bare=True),
    change=True,
)
row("get", r"(?:a )?promot(?:ed|ion) to (?P<v>.+)", says("occupation", "at", "in", "with", bare=True), change=True)
row(
    "get be",
    r"paid (?:about |around |roughly )?(?P<v>[$€£]? ?\d[\d,.]*k?(?: [a-z]+)? (?:a|per|an) (?:month|year|week|hour))$",
    "income",
)
row(
    "make",
    r"(?:about |around |roughly |over |almost )?(?P<v>[$€£]? ?\d[\d,.]*k?(?: (?:thousand|million|grand|quid|"
    r"bucks|euros?|"
    r"dollars?|pounds?|francs?|kroner|kronor|zloty|yen|rupees|[A-Z]{3}))?(?: (?:a|per|an) \w+)?)(?: (?:before|after) "
    r"tax(?:es)?| gross| net| pre-tax)?$",
    "income",
)
row(
    "earn",
    r"(?:about |around |roughly |over |almost )?(?P<v>[$€£]? ?\d[\d,.]*k?(?: (?!a |per |an |before |after )\w+)?(?: "
    r"(?:a|"
    r"per|an) \w+)?)(?: (?:before|after) tax(?:es)?| gross| net| pre-tax)?$",
    "income",
)
