"""What someone or something is among several of its kind: in seat 14C, on the Plus tariff, a yellow belt, red."""

from __future__ import annotations

from recollect.attributes import attribute
from recollect.extractors import values
from recollect.extractors.patterns import Found, Groups, rows_of, says
from recollect.extractors.verbs import Predicate

row = rows_of(__name__)

_SPOTS = (
    "seat|desk|group|pitch|plot|bay|berth|bunk|cabin|locker|lane|row|block|wing|ward|unit|bed|zone|sector|section|"
    "suite|stall|booth|workstation|pod|dorm|hall|form|class|squad"
)
_CODE = r"(?:number |no\.? ?)?(?:[A-Z]{0,3}-?\d+[A-Za-z]?|(?-i:[A-Z]))"


def at_spot(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "I'm in seat 14C", "they've moved me to plot 22"."""
    if predicate.negated or predicate.can or predicate.tense == "formerly":
        return []
    key = groups["key"].lower()
    key = key if attribute(key).name == key else f"{key} number"  # Who sits in seat 14C may not like it.
    return [Found(key, f"{groups['key']} {groups['v']}", many=False, confidence=0.85)]


def on_tariff(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "I'm on the Plus tariff", "we're on the free plan of Figma"."""
    if predicate.negated or predicate.tense not in ("present", "formerly"):
        return []
    of = values.bare(groups["of"]).lower()
    key = f"{of} {groups['key']}" if of else "subscription plan" if groups["key"] == "plan" else groups["key"]
    return [Found(key, groups["v"], many=False, confidence=0.85)]


row("be sit", rf"(?:in|at|on) (?:the )?(?P<key>{_SPOTS}) (?P<v>{_CODE})$", at_spot)
row(
    "be get",
    rf"(?:moved|assigned|switched|transferred|put|given|allocated)(?: to| in| into)? (?P<key>{_SPOTS}) (?P<v>{_CODE})$",
    at_spot,
    change=True,
)
_SCHOOL = r"(?:School|Nursery|Academy|College|University|Primary|Kindergarten|Preschool|High|Grammar|Infants|Juniors)"
row(
    "change switch transfer go move",
    rf"(?:over |on )?to (?P<v>(?:the )?(?-i:[A-Z])[\w'.-]*(?: (?-i:[A-Z])[\w'.-]*)*? (?-i:{_SCHOOL}))$",
    lambda groups, p: [Found("school", groups["v"])] if p.verb != "go" and not (p.negated or p.can) else [],
    change=True,
)
row(
    "go",
    r"to (?P<v>(?:the )?(?-i:[A-Z])[\w'.& -]*? "
    r"(?:day ?care|nursery|preschool|pre-school|kindergarten|playgroup|primary))$",
    lambda groups, p: [Found("school", values.bare(groups["v"]))] if not (p.negated or p.can) else [],
)
row(
    "go",
    r"to (?:the )?(?P<v>(?-i:[A-Z])[\w']*(?:Gym|Fitness|Fit|Box)\b(?: (?-i:[A-Z])[\w']*)*)"
    r"(?: (?:near|by|in|on|behind|next to) .+)?$",
    lambda groups, p: [Found("gym", groups["v"])] if p.tense == "present" and not p.negated else [],
)
_TAKEN_ON = r"(?P<key>client|customer|sponsor|supplier|student|tenant|lodger|patient|apprentice|member|distributor)"
_NAMED = r"(?P<v>(?-i:[A-Z])[\w'-]*(?: (?:& )?(?-i:[A-Z])[\w'-]*){0,3})"
for verbs, shape in (
    ("land win sign gain get take", rf"(?:on |up )?{_NAMED} as an? (?:new )?{_TAKEN_ON}$"),
    (
        "land win sign gain get take find",
        rf"(?:on |up )?(?:an?|another) (?:new |second |third |fourth |fifth )?{_TAKEN_ON},? "
        rf"(?:called |named )?{_NAMED}$",
    ),
):
    row(
        verbs,
        shape,
        lambda groups, p: (
            [Found(attribute(groups["key"]).name, groups["v"], many=True)] if p.tense in ("past", "perfect") else []
        ),
        change=True,
    )
_GYM = r"(?:the )?(?P<v>(?-i:[A-Z])[\w'&-]*(?: (?-i:[A-Z])[\w'&-]*){0,2}) gym$"
row("go belong", rf"to {_GYM}", lambda groups, p: [Found("gym", groups["v"])] if p.tense == "present" else [])
row("be train exercise work", rf"(?:out )?at {_GYM}", says("gym"))
row(
    "be",
    r"on (?:the|an?) (?P<v>[\w+'-]+(?: [\w+'-]+)?) (?P<key>plan|tariff|package)(?: (?:of|for|at|with) "
    r"(?P<of>(?-i:[A-Z])[\w ]+))?$",
    on_tariff,
)
row("be", r"(?:an? )?size (?P<v>\d{1,2})$", says("size"))
row("move", r"into (?:[a-z'-]+ ){1,4}in (?P<v>(?-i:[A-Z])[\w'-]*(?: (?-i:[A-Z])[\w'-]*)?)$", says("home"), change=True)
row(
    "be",
    r"(?:an? |the )(?P<v>(?:white|yellow|orange|green|blue|purple|brown|red|black) belt)(?: in [a-z -]+)?$",
    says("belt"),
)
_COLORS = (
    r"(?:(?:light|dark|pale|bright|deep|navy|sky|mint|mustard|olive|forest|jet|hot|baby|royal) )?"
    r"(?:white|black|gr[ae]y|red|blue|green|"
    r"yellow|orange|purple|pink|brown|beige|blonde?|auburn|turquoise|teal|cream|silver|gold|lilac|violet|ginger|copper)"
)
row(
    "paint dye colour color stain repaint make turn",
    rf"(?:my|our|the) (?P<what>(?:[a-z][\w-]* ){{0,2}}?[a-z][\w-]*) (?P<v>{_COLORS})$",
    lambda groups, p: [Found(groups["what"], groups["v"], many=False)] if not (p.negated or p.can) else [],
    change=True,
)
