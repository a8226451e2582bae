"""What a team or a firm does and has, told with "we": whom it buys from, what it ships with, when it opens, how many
it is."""

from __future__ import annotations

import re

from recollect._values import word_set
from recollect.attributes import attribute
from recollect.extractors import values
from recollect.extractors.patterns import Found
from recollect.extractors.people import relation_of
from recollect.extractors.verbs import third_person
from recollect.records import Kind

_WITH_VERBS = word_set(
    "ship print insure invoice bill advertise recruit track document monitor log test lint publish chat communicate "
    "build sync authenticate process deliver collect sell accept trade report store back"
)
"""What is done with a partner or a tool: the verb and its preposition tell which."""
_FROM_VERBS = word_set("buy order source purchase import get rent lease")
BUSINESS_VERBS = (
    _WITH_VERBS
    | _FROM_VERBS
    | word_set(
        "have employ down up back left stock open close charge restock audit pay bake stocktake "
        "release deploy host run keep do handle manage rely"
    )
)
"""Words of which such a clause has one."""
_WE = r"^(?:[Ww]e|I) (?P<how>(?:(?:now|also|currently|still|only|always|mostly|no longer|usually|all) )*)"
_LATE = r"(?P<late>(?:,? (?:now|these days|instead|at the moment|too|as well|any ?more|nowadays|again))*)"
_NAMED = r"[A-Z][\w.&'-]*(?: (?:(?:and|&|of|de|the) )?[A-Z\d][\w.&'-]*)*"
_WITH = re.compile(
    rf"{_WE}(?P<verb>{'|'.join(sorted(_WITH_VERBS))}) (?P<what>(?:(?:all |our |the |my )*[a-z-]+ (?:[a-z-]+ )?)??)"
    rf"(?P<link>with|via|through|using|in|on|at|by|to) (?P<v>{_NAMED}){_LATE}$"
)
_FROM = re.compile(
    rf"{_WE}(?P<verb>{'|'.join(sorted(_FROM_VERBS))}) (?P<own>(?:(?:all|most) (?:of )?)?(?:our|the|my) )?"
    rf"(?P<what>[a-z][a-z -]{{1,30}}?) from (?P<v>(?:the )?{_NAMED}(?: [a-z]+)?){_LATE}$"
)
COUNTED = word_set(
    "reports employees staff engineers developers devs designers contractors freelancers apprentices trainees "
    "customers "
    "clients users subscribers members patients tenants volunteers seats licences licenses stores shops branches "
    "offices warehouses locations salons servers nodes machines vans trucks vehicles rooms tables beds desks printers "
    "repos repositories services microservices environments"
)
"""What a firm has so many of, and where the number is worth knowing."""
_NUMBER = r"(?P<n>\d[\d.,]*k?|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty)"
_SO_MANY = re.compile(
    r"(?i)^(?:(?:we|i) (?P<how>(?:(?:now|currently|still|only) )*)(?P<have>have|employ|"
    r"are(?: now)? (?:back )?(?:down|up|"
    rf"back) to)|(?P<bare>there (?:are|is)|only)) (?:only |just |about |around |over |roughly |still )?{_NUMBER} "
    r"(?P<what>(?:[\w'-]+ ){0,4}?[a-z]+?s?)(?P<stock> (?:left )?in stock| on staff| left)?(?P<late> now| in total)*$"
)
_PACE = re.compile(
    rf"{_WE}(?P<verb>invoice|bill|release|deploy|publish|ship|restock|deliver|report|audit|pay|bake|"
    rf"stocktake) (?P<what>(?:our |the |"
    r"all )?[a-z]+ )??(?P<v>daily|weekly|fortnightly|monthly|quarterly|yearly|annually|hourly|nightly|"
    rf"(?:every|each|twice|once|on|within) [\w ]+?){_LATE}$"
)
"""How often something is done."""
_ONCE = re.compile(r"\b(?:this|next|last|tomorrow|today|an?) ")
_DESK_WORK = word_set(
    "payroll accounting ticketing bookkeeping invoicing billing planning reporting design designs tracking testing "
    "tests backups reviews management scheduling inventory rostering documentation docs support standups calls "
    "mailings "
    "newsletters quotes estimates budgeting forecasting onboarding recruiting hiring expenses taxes orders bookings "
    "reservations analytics monitoring deployments releases prototyping wireframes"
)
"""Work that is done with a program, so that its name tells which, and not where."""
_DESKS = "|".join(sorted(_DESK_WORK))
_ON_HOST = re.compile(
    rf"{_WE}(?:host|run|keep) (?P<all>all )?(?:the |our )(?P<what>(?:[a-z][\w-]* ){{0,2}}?[a-z][\w-]*) (?:on|in|"
    rf"with|at) "
    rf"(?P<v>{_NAMED}|[a-z]+[-_][\w-]+){_LATE}$"
)
"""Where something of ours runs."""
_FOR_WORK = re.compile(
    rf"{_WE}(?:(?:do|handle|manage|run) (?:all )?(?:our |the )?(?P<k>(?:[a-z]+ )?"
    rf"(?:{_DESKS})) (?:in|with|via|on|using|through) "
    rf"(?P<v>{_NAMED})|rely on (?P<w>{_NAMED}) for .+?){_LATE}$"
)
"""What a kind of work is done with."""
_HOURS = re.compile(
    r"^[Ww]e (?P<how>(?:(?:now|currently|still|only|always|usually) )*)(?P<verb>open|close) "
    r"(?P<v>(?:at|from|until|on|every|daily)\b.+?|\d.*?)(?P<late> now)?$"
)
_MONEY = r"[$€£]? ?\d[\d.,]*k?(?: ?(?:[$€£]|euros?|dollars?|pounds?|bucks|francs?|cents?))?(?: (?:an?|per) \w+)?"
_CHARGE = re.compile(
    rf"^(?:[Ww]e|I) (?P<how>(?:(?:now|currently|still|usually) )*)(?:charge (?P<v>{_MONEY}) for (?:an?|the|each|"
    rf"every)|pay (?P<p>{_MONEY}) for (?:the|our)) "
    r"(?P<what>[\w -]+?)(?P<late> now)?$"
)


def told(match: re.Match[str]) -> Kind | None:
    """Whether it is told as new, or as over."""
    if "no longer" in match["how"] or "more" in (match["late"] or ""):
        return "ending"
    return "update" if "now" in match["how"] or re.search(r"now|these days|instead", match["late"] or "") else None


def of_business(text: str) -> list[Found]:
    """What one clause states of the speaker's team or firm."""
    shapes = (on_host, for_work, does_with, buys_from, has_so_many, opens, paced, charges)
    return next((found for shape in shapes if (found := shape(text))), [])


def on_host(text: str) -> list[Found]:
    """ "we run the wiki on Notion": where the wiki is."""
    match = _ON_HOST.match(text)
    if match is None or relation_of(match["what"].split()[-1]):
        return []
    return [Found("runs on", match["v"], subject=match["what"], kind=told(match), confidence=0.8)]


def for_work(text: str) -> list[Found]:
    """ "we do payroll in Lohnix", "we rely on Xero for accounting": what is used for it; the words keep what for."""
    match = _FOR_WORK.match(text)
    if match is None or (match["k"] and relation_of(match["k"].split()[-1])):
        return []
    return [Found("uses", match["v"] or match["w"], kind=told(match), confidence=0.8)]


def does_with(text: str) -> list[Found]:
    """ "we ship with DHL", "we invoice through Lexwerk"."""
    match = _WITH.match(text)
    if match is None:
        return []
    what = re.sub(r"^(?:all )?(?:our|the|my) ", "", (match["what"] or "").strip())
    if what and (relation_of(what.split()[-1]) or what.split()[-1] == "all"):
        return []
    key = " ".join(part for part in (third_person(match["verb"]), what, match["link"]) if part)
    return [Found(key, item, kind=told(match), confidence=0.8) for item in values.items(match["v"])]


def buys_from(text: str) -> list[Found]:
    """ "we buy flour from Kornhof": who supplies what."""
    match = _FROM.match(text)
    if match is None or relation_of(match["what"]) or len(match["what"].split()) > 3:
        return []
    if match["verb"] == "get" and not (match["own"] or match["how"]):
        return []  # "I get headaches from MSG"
    what = re.sub(rf"^(?:an?|{_NUMBER.replace('?P<n>', '?:')}) ", "", match["what"])
    return [Found(f"{what} supplier", values.bare(match["v"]), kind=told(match), confidence=0.8)]


def has_so_many(text: str) -> list[Found]:
    """ "we have 12 employees", "we're down to 18 Figma seats", "only 40 lamps left in stock"."""
    match = _SO_MANY.match(text)
    what = re.sub(r"^(?:units|pieces|boxes) of (?:the |our )?", "", match["what"]) if match else ""
    if match is None or relation_of(what) or (match["bare"] and "stock" not in (match["stock"] or "")):
        return []
    if not match["stock"] and what.split()[-1].lower() not in COUNTED:
        return []
    moved = " to" in (match["have"] or "") or "left" in (match["stock"] or "") or match["bare"]
    name = f"{what} in stock" if "stock" in (match["stock"] or "") else f"number of {what}"
    kind: Kind | None = "update" if moved or match["late"] or "now" in (match["how"] or "") else None
    return [Found(name, match["n"], kind=kind, many=False, confidence=0.8)]


def opens(text: str) -> list[Found]:
    """ "we open at 8", "we close at 7 on weekdays"."""
    match = _HOURS.match(text)
    if match is None or re.search(r"\b(?:today|tomorrow|tonight)\b", match["v"]):
        return []
    hours = values.one(match["v"])
    kind: Kind | None = "update" if re.search(r" now\b", match["v"]) else told(match)
    return [Found(third_person(match["verb"]), hours, kind=kind, many=False, confidence=0.8)] if hours else []


def paced(text: str) -> list[Found]:
    """ "we invoice monthly", "we pay suppliers every two weeks"."""
    match = _PACE.match(text)
    if match is None or (match["v"].startswith("on ") and "day" not in match["v"]) or _ONCE.search(match["v"]):
        return []
    what = re.sub(r"^(?:our|the|all) ", "", (match["what"] or "").strip())
    name = f"{third_person(match['verb'])} {what}".strip()
    if attribute(name).name != name:  # "Releases" are also versions.
        name = f"{match['verb']} schedule"
    return [Found(name, match["v"], kind=told(match), many=False, confidence=0.8)]


def charges(text: str) -> list[Found]:
    """ "we charge 40 euros for a repair": what that costs."""
    match = _CHARGE.match(text)
    return (
        [Found("costs", match["v"] or match["p"], subject=match["what"], kind=told(match), many=False)] if match else []
    )
