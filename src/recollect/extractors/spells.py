"""What is so for a spell and then over: on crutches, in therapy, with a permit, owing money, training for a race."""

from __future__ import annotations

import re

from recollect._values import is_plural, word_set
from recollect.extractors import values
from recollect.extractors.patterns import Found, Groups, Make, rows_of
from recollect.extractors.people import NAME, relation_pattern
from recollect.extractors.verbs import Predicate
from recollect.unsure import LOOSE

row = rows_of(__name__)

_SHORT = r"(?P<v>(?:(?:an?|the|my|our) )?(?:[\w'-]+ ){0,3}?"
_ON = (
    r"(?:crutches|dialysis|oxygen|chemo(?:therapy)?|probation|parole|bail|furlough|benefits|disability|jobseeker'?s "
    r"allowance|welfare|the dole|strike|standby|the pill|the wagon|hrt|a drip|steroids|painkillers|sleeping tablets|"
    r"blood thinners|bed rest|light duties|garden(?:ing)? leave|leave|sabbatical|gap year|diet|course|programme|"
    r"program|scheme|visa|tariff|contract|waiting list|waitlist|rota|mailing list|placement|secondment|work experience)"
)
_IN = (
    r"(?:therapy|physio(?:therapy)?|rehab|counsell?ing|quarantine|isolation|remission|recovery|hospital|care|"
    r"foster care|detention|prison|jail|an? (?:care|nursing|retirement) home|a hospice|"
    r"(?:an?|the) (?:[\w-]+ )?(?:sling|cast|brace|splint|wheelchair|neck collar|walking boot|"
    r"clinical trial|drug trial|bootcamp|training scheme|reserves|territorial army|coast guard))"
)
_WORN = r"(?:cast|brace|braces|sling|splint|boot|retainer|eye ?patch|patch|collar|bandage|monitor|corset|mouth ?guard)"
_HELD = (
    r"(?:permit|pass|badge|visa|card|account|po box|letterbox|policy|pension|overdraft|loan|mortgage|standing order|"
    r"direct debit|paper round|stall|pitch|plot|allotment|locker|season ticket|travelcard|railcard|licen[cs]e|contract|"
    r"tenancy|lease|sublet|scholarship|bursary|grant|stipend|fellowship|placement|weekend job|side job|evening job|"
    r"summer job|saturday job|part-time job|cleaning job|curfew|restraining order|storage space|mooring|berth|"
    r"blog|vlog|podcast|newsletter|youtube channel|tattoo|piercing|beard|moustache|goatee|"
    r"hire car|rental car|rental|parking space|subscription|membership)"
)
_AILING = (
    r"(?:cough|rash|infection|sprain|concussion|hernia|ulcer|cyst|stye|slipped disc|fracture|broken [a-z]+|sprained "
    r"[a-z]+|torn [a-z]+|twisted [a-z]+|fractured [a-z]+|shingles|tonsillitis|bronchitis|pneumonia|sinusitis|"
    r"tendonitis|conjunctivitis|vertigo|sciatica|whiplash|laryngitis|tennis elbow|frozen shoulder|trapped nerve|"
    r"stutter|stammer|lisp|limp|squint|nosebleeds|panic attacks|night sweats|cramps|headaches|migraines|nightmares|"
    r"hives|cold sores|palpitations)"
)
_WHEN = r"(?: (?:for|until|till|since|with|from|at|in|on|to|after|because|again|right now|at the moment)\b.*)?$"
_SUM = r"(?:[$€£] ?\d[\d.,]*k?|\d[\d.,]*k? ?(?:euros?|dollars?|pounds?|bucks|francs?|quid|kronor|[$€£]))"
_TO_WHOM = rf"(?:(?:my|our|the) (?:{relation_pattern()}|bank|landlord|council|garage|school|state)|{NAME})"


def lasts(relation: str) -> Make:
    """States what is so for a while, under these words."""

    def make(groups: Groups, predicate: Predicate) -> list[Found]:
        value = values.bare(groups["v"])
        told = predicate.tense in ("present", "formerly") and not predicate.can
        return [Found(relation, value, many=True, confidence=LOOSE)] if told and value else []

    return make


def holds(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "have a parking permit for zone B": with what it is for, where that is short."""
    value = values.bare(values.one(groups["v"] + groups["of"]))
    told = predicate.tense in ("present", "formerly") and (not predicate.negated or predicate.ended)
    return [Found("possession", value, confidence=LOOSE)] if told and not predicate.can else []


def owes(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "owe my brother 600 euros"."""
    who = re.sub(r"(?i)^(?:my|our|the) ", "", groups["who"])
    return [Found("owes", f"{groups['sum']} to {who}", many=True, confidence=LOOSE)]


def settles(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "paid my brother back": what was owed to him is owed no more."""
    who = re.sub(r"(?i)^(?:my|our|the) ", "", groups["who"])
    paid = predicate.tense in ("past", "perfect") and not (predicate.negated or predicate.can or predicate.ongoing)
    return [Found("owes", who, kind="ending")] if paid else []


_PROJECTS = word_set(
    "train study prepare mentor foster tutor coach renovate restore sublet borrow volunteer intern freelance fundraise "
    "campaign rehearse sponsor supervise serve homeschool revise apprentice"
)
"""What one "is doing" for weeks and months, whatever it is."""
_COURSE = (
    r"(?:an? |some )?(?:[a-z-]+ ){0,2}?(?:course|courses|class|classes|degree|phd|master'?s|mba|apprenticeship|"
    r"diploma|bootcamp|certificate|workshop)"
)
_LONG_WORK = {
    "write": re.compile(r"(?i).*\b(?:novel|book|thesis|dissertation|memoirs?|biography|screenplay|musical|cookbook|"
                        r"textbook|column|blog|newsletter|short stories)\b"),
    "build": re.compile(r"(?i).*\b(?:boat|house|cabin|tree ?house|kayak|shed|extension|sauna|guitar|model railway)\b"),
}  # fmt: skip
"""The same of verbs that may be done in an hour, by what is done."""
IN_CHARGE = word_set("lead chair captain head coach moderate conduct organise organize umpire curate co-host maintain")
"""Verbs of which a certain object tells enough: there is one platform team that I lead."""


def is_project(predicate: Predicate) -> bool:
    """Whether what someone is doing goes on for a good while: "training for the marathon", "writing a novel"."""
    if not predicate.ongoing or predicate.tense != "present" or not predicate.rest:
        return False
    work = _LONG_WORK.get(predicate.verb)
    return predicate.verb in _PROJECTS or (work is not None and work.match(predicate.rest) is not None)


row("be", rf"on {_SHORT}{_ON}){_WHEN}", lasts("is on"))
row("be", rf"in (?P<v>{_IN}){_WHEN}", lasts("is in"))
row("wear", rf"{_SHORT}{_WORN})(?: (?:on|for|around|until) .+)?$", lasts("wears"))
row(
    "have",
    rf"(?:got )?an? (?P<v>(?:[\w'-]+ ){{0,3}}?{_HELD})(?P<of> (?:for|in|at|on|with|to|from|about) [\w' -]{{2,30}})?$",
    holds,
)
_AILMENT = rf"(?:got )?(?:an? (?:bad |nasty |mild |persistent )?)?(?P<v>(?:[a-z]+ )?{_AILING})"
row("have", f"{_AILMENT}{_WHEN}", lasts("condition"))
row("get", f"{_AILMENT}(?: (?:a lot|quite often|sometimes|every .+|in the .+))?$", lasts("condition"))
row(
    "have",
    r"(?:got )?(?P<v>(?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+)? (?:Premium|Plus|Prime|Pro|Unlimited|Gold|Sports))$",
    lasts("subscribes to"),
)
row("owe", rf"(?P<who>{_TO_WHOM}) (?P<sum>{_SUM})(?: .+)?$", owes)
row("owe", rf"(?P<sum>{_SUM}) to (?P<who>{_TO_WHOM})$", owes)
row("pay", rf"(?P<who>{_TO_WHOM}) back\b.*$", settles, change=True)
row("pay", rf"back (?P<who>{_TO_WHOM})\b.*$", settles, change=True)
row("repay", rf"(?P<who>{_TO_WHOM})\b.*$", settles, change=True)
row("settle", rf"(?:up|(?:my|our|the) debts?) (?:with|to) (?P<who>{_TO_WHOM})\b.*$", settles, change=True)
row(
    "do",
    r"(?P<v>[a-z][a-z -]{3,40}?)(?P<where> (?:at|for|in|on) (?:the|my|our|(?-i:[A-Z])).+)?$",
    lambda groups, p: does(groups, p),
)


_NO_DOING = re.compile(
    r"(?i)(?:the|my|our|some|these|those|all|lots|many|things|errands|chores|dishes|drugs|favou?rs)\b"
)


def does(groups: Groups, predicate: Predicate) -> list[Found]:
    """What someone does as a rule, of which there are many: "do tarot readings at the market"."""
    rule = predicate.tense in ("present", "formerly") and not (predicate.ongoing or predicate.can)
    rule = rule and (not predicate.negated or predicate.ended) and is_plural(groups["v"].split()[-1])
    if not rule or _NO_DOING.match(groups["v"]):
        return []
    return [Found("habit", f"do {values.one(groups['v'] + groups['where'])}", confidence=LOOSE)]


row("help", r"(?P<v>out (?:at|in|with) (?:the|a|an|my|our) .+)$", lambda groups, p: keeps_doing(groups, p))
row(
    "go",
    r"(?P<v>to (?:church|mass|mosque|temple|synagogue|sunday school|night school|"
    r"(?:an?|the|my) (?:[\w-]+ )?(?:group|meetings)))"
    r"(?: (?:on|every) .+)?$",
    lambda groups, p: keeps_doing(groups, p),
)


def keeps_doing(groups: Groups, predicate: Predicate) -> list[Found]:
    """What someone goes to or helps with as a rule."""
    rule = predicate.tense in ("present", "formerly") and not (predicate.ongoing or predicate.can)
    doing = f"{predicate.verb} {values.one(groups['v'])}"
    return [Found("habit", doing, confidence=LOOSE)] if rule and (not predicate.negated or predicate.ended) else []


row("do take attend", rf"{_COURSE} (?:in|on) (?P<v>.+)$", lambda groups, p: takes_course(groups, p))
row(
    "be",
    rf"(?:enrolled|signed up|registered) (?:in|on|for) {_COURSE} (?:in|on) (?P<v>.+)$",
    lambda groups, p: takes_course(groups, p),
)
row(
    "be",
    rf"(?:enrolled|signed up|registered) (?:in|on|for) (?P<v>{_COURSE})$",
    lambda groups, p: takes_course(groups, p),
)


def takes_course(groups: Groups, predicate: Predicate) -> list[Found]:
    """What is taught in a course that someone takes for a while."""
    subject = values.bare(values.one(groups["v"], "at", "with", "every", "on", "for"))
    told = predicate.tense == "present" and (predicate.ongoing or predicate.verb == "be") and not predicate.negated
    return [Found("learning", subject, confidence=LOOSE)] if told and subject else []
