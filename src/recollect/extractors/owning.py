"""Statements about what someone owns, gets and keeps: things, cars, where they lie."""

from __future__ import annotations

import re

from recollect.extractors import values
from recollect.extractors.patterns import Found, Groups, rows_of, says
from recollect.extractors.people import relation_of
from recollect.extractors.verbs import Predicate
from recollect.facts.attributes import attribute
from recollect.text.values import word_set

row = rows_of(__name__)

_OWNED = re.compile(
    r"(?i)^(?:an?|my own|two|three|four|my|our|\d+) (?:brand )?(?:new )?(?P<v>(?:(?!with|of|for|in|on|at |to|from|"
    r"issues?|problems?|trouble|new)[\w'.-]+ ){0,4}?(?:car|house|apartment|flat|condo|bike|bicycle|motorcycle|"
    r"motorbike|scooter|boat|truck|van|laptop|macbook|pc|computer|phone|iphone|ipad|tablet|camera|guitar|piano|"
    r"violin|keyboard|garden|pool|printer|telescope|drone|watch|smartwatch|fitbit|kindle|tv|television|console|"
    r"playstation|xbox|switch|headphones|bed|mattress|sofa|couch|desk|chair|oven|fridge|air fryer|grill|instant pot|"
    r"blender|coffee maker|espresso machine|treadmill|tent|kayak|surfboard|skis|snowboard|server|raspberry pi|cabin|"
    r"farm|business|company|shop|store|website|blog|podcast|youtube channel|tesla|toyota|honda|ford|bmw|audi|volvo|"
    r"vw|subaru|mazda|parking (?:spot|space)|garage|allotment|caravan|camper(?: ?van)?|motorhome|canoe|dinghy|yacht|"
    r"greenhouse|sauna|hot tub|sewing machine|record player|"
    r"projector|synth|cello|trumpet|saxophone|flute|ukulele|banjo|drum kit|accordion|food truck|holiday home|storage "
    r"unit|locker|season ticket|gym membership|"
    r"membership|"
    r"library card|subscription|bakery|restaurant|cafe|café|startup|salon|agency|hotel|"
    r"machine|cooker|heater|dryer|washer|dishwasher|freezer|hot tub|sauna|trampoline|trailer|caravan|motorhome|"
    r"campervan|tractor|mower|lawnmower|drill|saw|generator|projector|monitor|turntable|amplifier|drum kit|saxophone|"
    r"trumpet|cello|flute|ukulele|banjo|accordion|microscope|greenhouse|shed|fireplace|balcony|terrace|backyard|"
    r"wheelchair|hearing aid|pacemaker|licen[cs]e)s?)(?=$|[,.]|\s(?:for|from|at|"
    r"with|in|on|"
    r"and|that|which|to|so|but|as|by|back|during|because|too|any|called|named)\b)(?P<named> (?:called|named) "
    r"(?-i:[A-Z][\w']*(?: [A-Z][\w']*)*))?(?P<where> (?:on|at|in) (?-i:[A-Z][\w']*(?: "
    r"[A-Z][\w']*)*))?"
)
_APPOSED = re.compile(
    r"(?i)^(?:an?|my|our|the) (?:second |(?P<new>new )|other |third )?(?P<key>car|bike|dog|cat|phone|laptop|"
    r"computer|tablet|"
    r"camera|guitar|boat|watch|tv|bicycle|printer)"
    r"(?: too| as well)?, (?P<v>an? (?-i:[A-Z])[\w -]+)$"
)


def owned(groups: Groups, predicate: Predicate) -> list[Found]:
    groups = {**groups, "v": re.sub(r"(?i)^the ", "my ", groups["v"]) if predicate.ended else groups["v"]}
    if apposed := _APPOSED.match(groups["v"]):
        groups = {**groups, "v": apposed["v"]}
        named, key = values.bare(values.one(groups["v"])), apposed["key"].lower()
        if apposed["new"] and key not in ("car", "dog", "cat", "bike"):
            return [Found(key, named, kind="update")]
        return [Found("car" if key == "car" else "possession", named)]
    match = _OWNED.match(groups["v"]) if not NOT_YET.search(groups["v"]) else None
    if match is None or (predicate.negated and not predicate.ended and " " in match["v"]):
        return []
    if predicate.verb == "get" and re.match(r"(?i)(?:my|our) (?!new|own)", groups["v"]):  # "got my bike serviced"
        return []
    value = (
        match["v"]
        + (match["named"] or "")
        + (match["where"] or "" if match["v"].lower().startswith(("parking", "allot", "garage", "stor")) else "")
    )
    return [
        Found(
            "car"
            if re.search(r"(?i)\bcar$|\b(?:tesla|toyota|honda|bmw|audi|volvo)\b", value) and value.lower() != "car"
            else "possession",
            value,
        )
    ]


NOT_YET = re.compile(r"(?i)\b(?:on order|in mind|on (?:my|our|the) wish ?list|on loan|on hold)\b")
"""What one has only in a manner of speaking."""


_FOR_A_LIVING = word_set("tram bus coach train lorry ambulance forklift taxi cab subway")


def drives(groups: Groups, predicate: Predicate) -> list[Found]:
    value = values.bare(values.one(groups["v"], "to", "from", "for", "with", "around"))
    if value.lower().split()[-1:] and value.lower().split()[-1] in _FOR_A_LIVING:
        return [Found("occupation", f"{value.lower()} driver")] if predicate.tense == "present" else []
    return [Found("car", value)] if value and len(value.split()) <= 6 else []


row("have own lease rent", r"(?:got )?(?P<v>.+)", owned)
row("run", r"(?P<v>(?:an?|my|our) .+)", owned)
_ACQUIRED = r"(?:up |to |for |on |in |myself to |ourselves to |with )?(?:myself |ourselves )?"
"""What stands between a verb of getting and its object: "picked up a bike", "treated myself to a Vespa"."""
row("buy purchase get acquire inherit", r"(?:myself )?(?P<v>.+)", owned, change=True)
row("pick", r"up (?P<v>an? .+)", owned, change=True)
row("upgrade switch", r"(?:up )?to (?P<v>an? .+)", owned, change=True)
row("treat", r"(?:myself|ourselves) to (?P<v>an? .+)", owned, change=True)
row(
    "own",
    r"(?:an?|two|three|my own|some) (?P<v>(?:[a-z-]+ ){0,2}[a-z-]+)(?: (?:near|in|at|on|by|outside|with|from|of) .+)?$",
    lambda groups, p: [Found(kind_of(groups["v"]), groups["v"], confidence=0.85)] if not p.negated or p.ended else [],
)
row(
    "have lease",
    r"(?:got )?an? (?:(?:old|new|used|second-hand|vintage|little|white|black|red|blue|green|silver|gr[ae]y) "
    r")?(?P<v>(?-i:[A-Z])[\w-]*(?: (?-i:[A-Z\d])[\w-]*){0,2})$",
    lambda groups, p: named_thing(groups, p),
)
row(
    "buy purchase get acquire inherit pick upgrade treat trade",
    rf"{_ACQUIRED}(?:it in for )?an? (?:new |used |second-hand |brand new )*(?P<v>(?-i:[A-Z])[\w-]*(?: "
    rf"(?-i:[A-Z\d])[\w-]*){{0,3}})"
    r"(?: (?:from|for|at|last|this|in) .+)?$",
    lambda groups, p: named_thing(groups, p),
    change=True,
)
row(
    "buy purchase order",
    r"(?:myself |ourselves )?(?:an?|two|three|some) (?:new |used |second-hand )?(?P<v>(?:[a-z-]+ ){0,1}[a-z-]{4,})$",
    lambda groups, p: bought(groups, p),
    change=True,
)
row(
    "keep store hide",
    r"(?:the|my|our) (?P<what>(?:[\w-]+ ){0,2}[\w-]+) (?P<v>(?:in|on|under|behind|inside|next to|above|below|at) "
    r"(?:the|my|our|an?) [\w' -]+)$",
    lambda groups, p: (
        [Found("location", values.one(groups["v"]), subject=groups["what"])]
        if p.tense == "present" and not p.negated and not p.ongoing
        else []
    ),
)
row("own", r"an? (?P<v>(?-i:[A-Z])[\w.-]*(?: (?-i:[A-Z\d])[\w.-]*){0,3})$", lambda groups, p: named_thing(groups, p))
row("drive", r"(?P<v>(?:an?|my) (?!lot|bit).+)", drives)
row(
    "have get buy own",
    r"(?:myself )?an? (?:new )?(?P<v>(?-i:i[A-Z]\w+|[A-Z]\w+)(?: (?-i:[A-Z\d])[\w-]*)* "
    r"?\d\w*(?: (?-i:[A-Z])\w+)?)$",
    "possession",
)
row(
    "ride",
    r"(?P<v>an? (?-i:[A-Z])[\w -]+)$",
    lambda groups, p: [Found("possession", values.bare(values.one(groups["v"])))] if p.tense == "present" else [],
)


_NO_BRANDS = re.compile(r"(?i)(?:mon|tues|wednes|thurs|fri|satur|sun)day|zoom|phd|mba|ba\b|bsc|msc|ma\b")
_USED_UP = word_set(
    "coffee tea beer drink drinks ticket tickets gift gifts present presents bottle meal snack pizza cake sandwich "
    "lunch "
    "dinner breakfast coffees round pack packet lottery bunch couple copy flowers cards stuff things bread milk "
    "groceries"
)
"""What one buys and does not keep."""


def named_thing(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "have a Vespa"; "don't have a Vespa" takes it back."""
    vain = predicate.negated and not predicate.ended and (predicate.tense != "present" or predicate.can)
    if vain or _NO_BRANDS.match(groups["v"]) or predicate.tense == "future":
        return []
    return [Found(kind_of(groups["v"]), groups["v"], confidence=0.7)]


def kind_of(thing: str) -> str:
    """A car by its make, or else whatever one has."""
    return "car" if thing.split()[0].lower() in CARS else "possession"


CARS = word_set(
    "alfa audi bmw byd chevrolet chevy citroen citroën cupra dacia fiat ford honda hyundai jaguar jeep kia lexus mazda "
    "mercedes mini mitsubishi nissan opel peugeot polestar porsche renault rivian saab seat skoda škoda smart subaru "
    "suzuki tesla toyota vauxhall volkswagen volvo vw"
)
"""Makes of cars: who gets one of these has a car."""


def bought(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "bought a paddleboard": what one keeps."""
    words = groups["v"].lower().split()
    if predicate.negated or predicate.ongoing or _USED_UP & set(words) or relation_of(groups["v"]):
        return []
    return [Found("possession", groups["v"], confidence=0.7)]


def makes(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "made Firefox my default browser"."""
    known = attribute(groups["key"])
    plain = (known.known and known.holds == "one") or " " in groups["key"]
    return [Found(known.name, groups["v"])] if plain and not predicate.negated else []


row(
    "move switch transfer shift take",
    r"(?:all )?(?:of )?(?:my|our) (?:bank )?(?:accounts?|money|savings|banking)(?: over| across)? to "
    r"(?P<v>(?-i:[A-Z]).+)",
    says("bank", "because", "last", "in", "since", "for", named=True),
    change=True,
)
row(
    "make",
    r"(?P<v>(?-i:[A-Z])[\w.+-]*(?: (?-i:[A-Z])[\w.+-]*)*) (?:my|our) (?:new )?(?P<key>(?:default|main|primary|go-to|"
    r"daily|first|"
    r"official) [a-z]+(?: [a-z]+)?|[a-z]+)$",
    makes,
    change=True,
)
