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
    r"hire car|rental car|rental|parking space|subscription|membership|timeshare)"
)
_WHAT_FOR = (
    r" (?:(?:for|at|on|with|from|about) |in (?!mind\b|hand\b|question\b)|to (?=the|my|our|(?-i:[A-Z])))[\w' -]{2,30}"
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
    "mentor foster tutor coach renovate sublet borrow volunteer intern freelance sponsor supervise homeschool "
    "apprentice"
)
"""What one "is doing" for weeks and months, whatever it is."""
_LONG_FOR = re.compile(r"(?i)(?:for|under|against|on) (?:an?|the|my|our|(?-i:[A-Z]))")
_COURSE = (
    r"(?:an? |some )?(?:[a-z-]+ ){0,2}?(?:course|courses|class|classes|degree|phd|master'?s|mba|apprenticeship|"
    r"diploma|bootcamp|certificate|workshop)"
)
_ENDS = r"(?=$|,| (?:about|on|for|with|in|set|called|out)\b)"
_LONG_WORK = {
    "write": re.compile(
        r"(?i)(?:[\w-]+ ){1,3}?(?:novel|book|thesis|dissertation|memoirs?|biography|screenplay|musical|cookbook|"
        rf"textbook|column|blog|newsletter|short stories){_ENDS}"
    ),
    "build": re.compile(
        r"(?i)(?:[\w-]+ ){1,3}?(?:boat|house|cabin|tree ?house|kayak|shed|extension|sauna|guitar|"
        rf"model railway){_ENDS}"
    ),
    "restore": re.compile(
        r"(?i)an? (?:old|vintage|antique|classic|\d{4}) .+|(?:[\w-]+ ){1,3}?(?:car|boat|house|barn|piano|motorbike|"
        rf"tractor|cottage|chapel|organ|violin){_ENDS}"
    ),
    **dict.fromkeys(("train", "study", "prepare", "revise", "campaign", "fundraise", "rehearse", "serve"), _LONG_FOR),
}
"""The same of verbs that may be done in an hour, by what is done."""
IN_CHARGE = word_set("lead chair captain head coach moderate conduct umpire curate co-host")
"""Verbs of which a certain object tells enough: there is one platform team that I lead."""


def is_project(predicate: Predicate) -> bool:
    """Whether what someone is doing goes on for a good while: "training for the marathon", "writing a novel"."""
    if not predicate.ongoing or predicate.tense != "present" or not predicate.rest:
        return False
    work = _LONG_WORK.get(predicate.verb)
    return predicate.verb in _PROJECTS or (work is not None and work.match(predicate.rest) is not None)


_NO_DOING = re.compile(
    r"(?i)(?:the|my|our|some|these|those|all|lots|many|things|errands|chores|dishes|drugs|favou?rs)\b"
)


def is_rule(predicate: Predicate) -> bool:
    """Whether something is told as what is done, or was, or is done no more, again and again."""
    rule = predicate.tense in ("present", "formerly") and not (predicate.ongoing or predicate.can)
    return rule and (not predicate.negated or predicate.ended)


def does(groups: Groups, predicate: Predicate) -> list[Found]:
    """What someone does as a rule, of which there are many: "do tarot readings at the market"."""
    told = is_plural(groups["v"].split()[-1]) and (" " in groups["v"] or groups["where"])
    if not is_rule(predicate) or not told or _NO_DOING.match(groups["v"]):
        return []
    return [Found("habit", f"do {values.one(groups['v'] + groups['where'])}", confidence=LOOSE)]


def keeps_doing(groups: Groups, predicate: Predicate) -> list[Found]:
    """What someone goes to or helps with as a rule."""
    doing = f"{predicate.verb} {values.one(groups['v'])}"
    return [Found("habit", doing, confidence=LOOSE)] if is_rule(predicate) else []


def takes_course(groups: Groups, predicate: Predicate) -> list[Found]:
    """What is taught in a course that someone takes for a while, or has left."""
    subject = values.bare(values.one(groups["v"], "at", "with", "every", "on", "for"))
    takes = predicate.tense == "present" and (predicate.ongoing or predicate.verb == "be")
    left = predicate.tense in ("past", "perfect") and predicate.verb in _LEAVING
    if predicate.negated or not subject or not (takes or left):
        return []
    return [Found("learning", subject, kind="ending" if left else None, confidence=LOOSE)]


_LEAVING = word_set("finish complete drop quit")
_ENROLLED = r"(?:enrolled|signed up|registered) (?:in|on|for)"
_AILMENT = rf"(?:got )?(?:an? (?:bad |nasty |mild |persistent )?)?(?P<v>(?:[a-z]+ )?{_AILING})"

row("be", rf"on {_SHORT}{_ON}){_WHEN}", lasts("is on"))
row("be", rf"in (?P<v>{_IN}){_WHEN}", lasts("is in"))
row("wear", rf"{_SHORT}{_WORN})(?: (?:on|for|around|until) .+)?$", lasts("wears"))
row("have", rf"(?:got )?an? (?P<v>(?:[\w'-]+ ){{0,3}}?{_HELD})(?P<of>{_WHAT_FOR})?$", holds)
row(
    "have",
    r"(?:got )?(?:an? )?(?P<v>(?:[\w-]+ ){0,2}?(?:braces?|retainer|cast|sling|splint|dentures|night guard|"
    r"hearing aids?))$",
    lasts("wears"),
)
row("have", f"{_AILMENT}{_WHEN}", lasts("condition"))
row("get", f"{_AILMENT}(?: (?:a lot|quite often|sometimes|every .+|in the .+))?$", lasts("condition"))
row(
    "have",
    r"(?:got )?(?P<v>(?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+)? (?:Premium|Plus|Prime|Pro|Unlimited|Gold|Sports))$",
    lasts("subscribes to"),
)
row("owe", rf"(?P<who>{_TO_WHOM}) (?P<sum>{_SUM})(?: .+)?$", owes)
row("owe", rf"(?P<sum>{_SUM}) to (?P<who>{_TO_WHOM})$", owes)
row("pay", rf"(?P<who>{_TO_WHOM}) back(?! in )\b.*$", settles, change=True)
row("pay", rf"back (?P<who>{_TO_WHOM})\b.*$", settles, change=True)
row("repay", rf"(?P<who>{_TO_WHOM})\b.*$", settles, change=True)
row("settle", rf"(?:up|(?:my|our|the) debts?) (?:with|to) (?P<who>{_TO_WHOM})\b.*$", settles, change=True)
row(
    "do",
    r"(?P<v>(?:(?!in|on|at|with|for|to)[a-z-]+ ){0,2}[a-z-]{4,})(?P<where> (?:at|for) (?:the|my|our|(?-i:[A-Z])).+)?$",
    does,
)
row("help", r"(?P<v>out (?:at|in|with) (?:the|a|an|my|our) .+)$", keeps_doing)
row(
    "go",
    r"(?P<v>to (?:church|mass|mosque|temple|synagogue|sunday school|night school|"
    r"(?:an?|the|my) (?:[\w-]+ )?(?:group|meetings)))(?: (?:on|every) .+)?$",
    keeps_doing,
)
row("do take attend", rf"{_COURSE} (?:in|on) (?P<v>.+)$", takes_course)
row(
    "finish complete drop quit", rf"(?:my|the|our) {_COURSE} (?:in|on) (?P<v>(?-i:[a-z]).+)$", takes_course, change=True
)
row("be", rf"{_ENROLLED} {_COURSE} (?:in|on) (?P<v>.+)$", takes_course)
row("be", rf"{_ENROLLED} (?P<v>{_COURSE})$", takes_course)
