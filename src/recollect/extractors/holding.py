"""What someone has for longer, whatever it is: an account, keys to the chapel, a mortgage with a bank, a beard."""

from __future__ import annotations

import re

from recollect._values import singular, word_set
from recollect.extractors import values
from recollect.extractors.owning import CARS, NOT_YET
from recollect.extractors.patterns import Found, Groups, rows_of
from recollect.extractors.people import NAME, relation_of
from recollect.extractors.posts import is_role
from recollect.extractors.verbs import Predicate
from recollect.unsure import LOOSE

row = rows_of(__name__)

_KEPT = word_set(
    "account acre antenna aquarium archive attic badge barbecue barn basement bathtub beehive bicycle boiler bookcase "
    "bookshop brewery bungalow cabinet canal-boat card cargo-bike carport cellar certificate chainsaw "
    "chalet chateau chest chicken clarinet clinic clock collection condo conservatory cottage cupboard darkroom degree "
    "diploma domain donkey double-bass dovecote easel estate field fishpond foal fob forge furnace gallery generator "
    "gramophone greenhouse hammock harmonica harp helmet hen herd hive homepage horse houseboat jukebox "
    "kennel kiln kiosk koi lathe lawn library licence loft loom mailbox mandolin meadow mill mooring moped narrowboat "
    "newsletter nursery oboe office orchard organ outhouse paddleboard paddock pass passport patent permit piano "
    "plot pond pony porch postbox practice property quad-bike rack racket ranch recorder residency rifle "
    "roadster robot rooftop rowboat sailboat scholarship scooter seat sheepdog shelf sidecar smallholding "
    "smokehouse snowmobile stable stall stand stove studio summerhouse synthesizer tandem telephone "
    "terrarium timeshare toolbox tortoise townhouse treehouse trike truck tuba turbine typewriter unicycle van "
    "vault veranda villa vineyard visa wardrobe warehouse watermill windmill wok woodland workbench workshop yurt"
)
"""Things that one has for years and that have no pattern of their own."""
_BROKEN = word_set("broken leaking faulty flat dead cracked stuck burst cold tight spare missing sample test dummy")
"""Of what is so told, its state is the news."""
_WORN = word_set(
    "afro beard bob brace crown denture dreadlock fringe goatee implant mohawk moustache mustache parting perm "
    "piercing ponytail prosthesis scar sideburn splint stammer stent stutter tattoo undercut wig"
)
"""What one has on oneself for longer."""
_ANCHORED = word_set("card contract plan policy membership subscription slot spot stake share pitch deal router")
"""What one has for longer where it is told with whom."""
_OWED = (
    r"(?:mortgage|loan|pension|overdraft|contract|sim(?: card)?|current account|savings account|credit card|debit card)"
)
_WITH_FIRM = re.compile(
    rf"(?i)^an? (?P<key>(?:[a-z]+ )?{_OWED}) (?:with|at|from|through) (?:the )?(?P<v>(?-i:{NAME}))$"
)
_WORD = r"(?!(?:for|from|to|at|with|in|on|near|behind|outside|about|of|who|that|which|and|or|as|by)\b)[\w'-]+"
_THING = re.compile(
    r"(?i)^(?:an?|another|(?:my|our) own|(?P<some>two|three|four|five|six)) (?:new |little |small |big |old )?"
    rf"(?P<what>(?:{_WORD} ){{0,3}}{_WORD})"
    r"(?P<more> (?:for|from|to|at|with|in|on|near|behind|outside) (?:the |an? |my |our )?(?:[\w'-]+ ){0,2}[\w'-]+)?$"
)
_KEYS = re.compile(r"(?i)^(?P<what>keys?)(?P<more> (?:to|for) (?:the|my|our|his|her|their|(?-i:[A-Z])).+)$")
_BY_NAME = re.compile(r" (?:from|with|at|for|to) (?:the )?(?-i:[A-Z])")
"""Whose it is, or what for, by a name: nobody has a headache with Norbank."""


def holds(groups: Groups, predicate: Predicate) -> list[Found]:
    """One thing that someone has, with what tells which one it is."""
    if predicate.tense not in ("present", "formerly") or predicate.can or predicate.negated or predicate.ended:
        return []
    said = values.without_tail(groups["v"])
    if firm := _WITH_FIRM.match(said):
        return [Found(firm["key"].lower(), firm["v"], confidence=0.85)]
    keys = [item if item.lower().startswith("key") else f"keys to {item}" for item in values.items(said)]
    if _KEYS.match(said):
        return [Found("possession", item, many=len(keys) > 1 or None, confidence=LOOSE) for item in keys]
    return has_one(said) if said == values.cut(groups["v"]) else []


def has_one(said: str) -> list[Found]:
    """ "a beard", "a Netflix account", "a studio in the old brewery"."""
    match = _THING.match(said)
    words = match["what"].lower().split() if match else [""]
    head = singular(words[-1])
    if match is None or relation_of(head) or NOT_YET.search(said) or not _BROKEN.isdisjoint(words):
        return []
    if not (head in _KEPT | _WORN | CARS or (head in _ANCHORED and _BY_NAME.match(match["more"] or ""))):
        return []
    name = "has" if head in _WORN or is_role(match["what"]) else "car" if head in CARS else "possession"
    value = " ".join(part.strip() for part in (match["some"], match["what"], match["more"]) if part)
    return [Found(name, value, confidence=LOOSE)]


_MEAL = r"(?P<key>breakfast|brunch|lunch|dinner|supper)"
row(
    "have eat",
    rf"(?P<v>(?!an? |the |my |our |it\b|this|that|what)[a-z][\w -]*?) for {_MEAL}"
    r"(?: every (?:day|morning)| most days| as a rule)?$",
    lambda groups, p: (
        [Found(groups["key"], values.fits(values.cut(groups["v"])), many=False, confidence=0.8)]
        if p.tense == "present" and not (p.ongoing or p.negated or p.can)
        else []
    ),
)
row("have", r"(?:got )?(?P<v>.+)", holds)
