"""What goes on from one clause to the next: "it", "mine", "the new one", and what was just denied."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from recollect._values import is_plural, word_set
from recollect.attributes import attribute
from recollect.extractors import values
from recollect.extractors.dates import Dated
from recollect.extractors.keywords import has_any
from recollect.extractors.passing import passing
from recollect.extractors.patterns import Found
from recollect.extractors.people import Cast, relation_of
from recollect.extractors.subjects import Spoken
from recollect.extractors.verbs import Predicate
from recollect.records import Draft

_OPENS = re.compile(
    r"(?i)^(?:you (?:have|got) (?=my|our)(?:my|our) |(?:i|we|they|it|[a-z]+|my \w+|the \w+) (?:have |has |had to |"
    r"just |"
    r"finally |recently )*(?:(?:changed|updated|switched|replaced|swapped|got|have|lost|moved) (?:my|our|a new|my "
    r"new|an?)|"
    r"(?:raised|increased|upped|lowered|reduced|cut|put up|hiked) (?:my|our|the)) |(?:my|our|the) )(?:new "
    r")?(?P<key>[a-z][\w -]{2,30}?)"
    r"(?: (?:i|we) (?:gave|told|sent) you)?(?: wrong| has a typo| had a typo| (?:has |have )?(?:just )?(?:changed|"
    r"moved|is wrong|is outdated|is old|is different|was wrong|has been changed|"
    r"got changed|went up|went down|goes up|goes down|is going up|is going down|increased|is not right|"
    r"is not correct|has gone up|has gone down))?$"
)
_ONCE_WAS = re.compile(r"(?i)^(?:my|our) (?P<key>[a-z][\w -]{2,30}?) (?:was|were|used to be) \S")
"""What something was, for what it is: "my favorite movie was Heat, now it is Past Lives"."""
_RESUMED = re.compile(
    r"(?i)^(?:it|that|this|the (?:new|right|correct|current|real|actual) (?:one|number|address|value|name|\w+)) "
    r"(?:is|are|"
    r"should be|will be) (?:now |actually |really |called )?(?P<v>.+)$"
)
_SWITCHED = re.compile(
    r"(?i)^(?:i|we|(?:my|our) (?P<who>[a-z-]+)) (?:have |has |had to |just |finally |recently )*(?:switched|"
    r"changed|moved) (?:to a (?:new|different) )?"
    r"(?P<key>job|bank|doctor|dentist|therapist|gym|school|employer|editor|landlord|accountant|lawyer|coach|teacher|"
    r"team|office|"
    r"vet|hairdresser|insurer|insurance|phone provider|internet provider|(?:[a-z-]+ ){1,2}(?:supplier|provider|vendor|"
    r"carrier|courier|caterer|printer|agency)|babysitter|cleaner|gardener|nanny|tutor|mentor)s?$"
)
_CHANGED = {"job": "employer"}
_SEES = re.compile(
    r"(?i)^(?:i|we|he|she) (?:now )?(?:sees?|(?:am|are|is) (?:now )?seeing|go(?:es)? to|uses?|ha(?:ve|s)|banks? with|"
    r"(?:am|are|is) (?:now "
    r")?(?:with|at|in|on)|works? (?:at|for)) "
    r"(?P<v>(?-i:[A-Z]).+)$"
)
_MINE = re.compile(r"(?i)^(?:and |but )?(?:mine|ours) (?:is|are|would be) (?P<v>.+)$")
_OBJECT = re.compile(
    r"(?i)\b(?:doubled|tripled|halved|increased|reduced|adjusted|tweaked|tuned|extended|shortened|moved|renamed|resized|updated|changed|upgraded|bumped|scaled|migrated|rewrote|replaced|restarted|rolled|"
    r"turned|hid|put|sold|fixed|raised|lowered|rescheduled|postponed|gave) (?:the|our|my) "
    r"(?P<thing>(?:[a-z][\w-]* ){0,3}?"
    r"[a-z][\w-]*)(?= (?:up|down|back|on|off|to|from|in|under|with|again|over|more|another|an?)\b|[,.]|$)|"
    r"\b(?:upgraded|migrated|resized|scaled|redeployed|rebuilt|restarted|patched|bumped|"
    r"deployed) (?P<bare>[a-z][\w-]+)(?=[,.]|$)|\b(?:renewed|extended|swapped|patched|reset|repaired|rebooted|"
    r"cancelled|"
    r"booked|bought|got|redid|replaced|refactored|shipped|cleaned up|painted|serviced) (?:the|our) "
    r"(?P<any>(?:[\w-]+ ){0,2}?[\w-]+)(?=[,.]|$)"
)
_DONE_TO = word_set(
    "doubled tripled halved increased reduced adjusted tweaked tuned shortened moved renamed resized updated "
    "changed upgraded bumped scaled migrated rewrote replaced restarted rolled turned hid put sold fixed raised "
    "gave lowered rescheduled postponed redeployed rebuilt patched deployed renewed extended swapped reset repaired "
    "rebooted cancelled booked bought got redid refactored shipped cleaned painted serviced"
)
_IT = re.compile(
    r"^(?P<when>(?:From|In|On|Starting|As of|Next|After|Since|from|in|on) (?:[\w]+ ){1,4}?)?[Ii]t "
    r"(?=(?:is|was|runs|starts|ends|costs|will|has|had|lives|listens|deploys|opens|closes|now|"
    r"uses|expires|belongs|points|needs|takes|goes|sits)\b)"
)
_THEY = re.compile(
    r"^[Tt]hey (?=(?:now )?(?:are|were|have|run|start|end|cost|will|live|listen|deploy|open|close|use|expire|"
    r"belong|point|"
    r"need|take|go|sit|last|come)\b)"
)
_PLACES = ("employer", "school")
_PLACED = re.compile(
    r"^(?P<how>at|with|in) (?:(?:an?|this|the) (?:[\w-]+ ){0,3}?(?P<what>[\w-]+),? (?:called|named) )?"
    r"(?P<v>(?-i:[A-Z]).*)$"
)
_WORKPLACES = word_set(
    "company firm startup start-up business nonprofit non-profit charity agency organisation organization consultancy "
    "manufacturer publisher outfit"
)
"""What "a nonprofit called GreenRoots" is, that one who is at it works there."""
_FIRM = re.compile(
    r"\b(?:Inc|Ltd|LLC|GmbH|AG|Corp|Co|Group|Labs?|Systems|Logistics|Technologies|Tech|Software|Energy|Health|"
    r"Bank|Partners|"
    r"Holdings|Studios?|Media|Foods|Airlines|Industries|Consulting|Solutions|Freight|Robotics|Pharma|Motors|Analytics|"
    r"Insurance|Capital|Networks|Brothers|Sons|Shipping|Airways|Books|Press|Games|Design|Architects|Law|Legal|Clinic|"
    r"Hospital|Hotels?|Bakery|Brewery|Construction|Engineering|Electric|Marine|Security|Services|Trading|Ventures|"
    r"Works|"
    r"Publishing|Records|Films|Pictures|Diagnostics|Therapeutics|Biotech|Aerospace|Automotive|Packaging|Textiles|"
    r"Interiors|Outdoor|Mobility|Telecom|Utilities|Council|Ministry|Foundation|Institute)\b|&"
)
_FOR_YEARS = re.compile(r"(?i)\bfor (?:[\w-]+ ){0,3}(?:years|months|ages|decades)\b")
_STAY = re.compile(
    r"(?i)\b(?:for (?:about |over |nearly |almost |more than )?(?:[\w-]+ ){0,2}(?:years|decades|ages)|"
    r"since (?:19|20)\d\d)\b"
)


_AS_FIRM = re.compile(
    r"(?i), (?:the|an?) (?:[\w-]+ ){0,3}?(?:people|company|firm|start-?up|bank|agency|insurer|retailer|manufacturer|"
    r"consultancy|publisher|charity|nonprofit)$"
)
"""What a firm is, told after its name: "Brightwater, the insurance people"."""
_AT_WORK = re.compile(r"(?i)\b(?:my|first|last|old|previous) (?:[a-z]+ )?job\b|\bmy (?:career|employer)\b|\bi worked\b")
_THESE_DAYS = re.compile(r"(?i)\b(?:now|these days|nowadays|currently|today)\b")


def is_stay(said: str) -> bool:
    """Whether someone who "has been in Porto" for so long lives there."""
    return _STAY.search(said) is not None


_MOVING = re.compile(
    r"(?i)\b(?:mov(?:e|ed|ing)|relocat\w+|new (?:flat|city|place|apartment|house|home|town|country)|settled|unpack\w+|"
    r"boxes|born|raised|grew up|(?:been|live[sd]?|living) (?:here|there)|"
    r"(?:used to live|lived|not live|\w+n['’]t live|longer live) in)\b"
)
"""What a talk has in which "I'm in Porto" tells of a home and not of a trip."""
_TRAVELLING = re.compile(
    r"(?i)\b(?:go(?:ing)? to|holidays?|vacation|trip|flight|flew|honeymoon|getaway|hotel|tour|cruise|road trip)\b"
)
_ENDED_UP = re.compile(r"(?i)\b(?:ended|wound) up in\b")


def is_trip(text: str, said: str) -> bool:
    """Whether "ended up in Croatia" tells of a journey, by the talk around it."""
    return bool(_ENDED_UP.search(text) and _TRAVELLING.search(said) and not _MOVING.search(said))


_VAGUE = re.compile(
    r"(?i)^(?:an?(?! (?-i:[A-Z]))|not|very|so|really|too|good|great|bad|nice|fine|ok|okay|important|true|right|"
    r"wrong|because|what|"
    r"why|how|"
    r"like|just|hard|easy|time|all|been|going|about|more|much|pretty|quite|always|never|called|to|in|on|at|with)\b"
)


@dataclass(frozen=True, slots=True)
class Topic:
    """What the last clause spoke of without giving its value."""

    subject: str
    attribute: str
    denied: str | None = None
    """The value that was just denied."""


_DEVICES = word_set("laptop tablet camera printer computer watch tv bike")
"""Things of which one has one, so that "it" is the new one."""


@lru_cache(maxsize=16)
def opened(text: str, speaker: str) -> Topic | None:
    """What the clause says has changed, for the value that comes next: "I changed my number"."""
    if (" switched " in text or " changed " in text or " moved " in text) and (switched := _SWITCHED.match(text)):
        who = relation_of(switched["who"] or "") or speaker
        return Topic(who, attribute(_CHANGED.get(switched["key"].lower(), switched["key"])).name)
    if " renamed " in text and (renamed := _RENAMED.match(text)):
        return Topic(renamed["what"], "name")
    if " wrong" in text and (wrong := _WRONG_ABOUT.match(text)):
        return told_wrong(wrong["a"] or wrong["b"], speaker)
    match = _ONCE_WAS.match(text) or _OPENS.match(text)
    known = attribute(match["key"]) if match else None
    if match is None or known is None:
        return None
    if known.name == "number":
        return Topic(speaker, "phone")
    named = known.known or known.name in _DEVICES
    return Topic(speaker, known.name) if named and known.holds == "one" and not known.relation else None


_RENAMED = re.compile(
    r"(?i)^(?:i|we) (?:have |just )*renamed (?:the|our|my) (?P<what>(?:[a-z][\w-]* ){0,2}[a-z][\w-]*)$"
)
_WRONG_ABOUT = re.compile(
    r"(?i)^(?:i|we) (?:(?:was|were|am) (?:wrong|mistaken) about (?:the|my|our) (?P<a>[a-z][\w -]{2,30}?)|"
    r"(?:got|had|wrote|told you|gave you) (?:the|my|our) (?P<b>[a-z][\w -]{2,30}?) wrong)$"
)


def told_wrong(what: str, speaker: str) -> Topic | None:
    """What someone was wrong about: "the metrics port" is the port of the metrics."""
    words = what.split()
    for size in (2, 1):
        known = attribute(" ".join(words[-size:]))
        if known.known and known.holds == "one" and not known.relation and len(words) >= size:
            return Topic(" ".join(words[:-size]) or speaker, known.name)
    return None


_AWAY = re.compile(
    r"(?i)(?:on (?:[\w-]+ )?(?:leave|sabbatical)|away|off sick|gone|ill|no longer (?:there|practi[cs]ing))\b"
)
GONE = word_set("retire leave move quit die stop resign go")


def left_open(speaker: str, relation: str, predicate: Predicate | None) -> Topic | None:
    """Whose place is open when someone is gone: "Dr. Lind retired, so now I see Dr. Abara"."""
    away = predicate is not None and predicate.verb == "be" and _AWAY.match(predicate.rest) is not None
    if predicate is None or not (away or (predicate.verb in GONE and predicate.tense in ("past", "perfect"))):
        return None
    known = attribute(relation or "note")
    return Topic(speaker, known.name) if known.category == "people" and known.holds == "one" else None


_SOMEWHERE = ("office", "school", "gym", "bank", "runs on", "location", "stored in")
_WHERE = re.compile(r"^(?:on|in|at|with) (?=(?:the )?[A-Z]|[\w.-]+$)")


def resumed(text: str, topic: Topic | None) -> list[tuple[str, Found]]:
    """ "it's 555-0187 now", "the new one is …": the value of what was spoken of."""
    match = _RESUMED.match(text) or (_SEES.match(text) if topic.denied is None else None) if topic else None
    if match is None or topic is None:
        return []
    value = (
        values.cut(match["v"])
        if topic.attribute in ("email", "website", "address")
        else values.one(match["v"], "from", "since")
    )
    value = _WHERE.sub("", value) if topic.attribute in _SOMEWHERE else value
    if not value or len(value.split()) > 6 or (_VAGUE.match(value) and not re.search(r"\d", value)):
        return []
    if passing(value, known=False):
        return []
    kind = "correction" if topic.denied else "update"
    return [(topic.subject, Found(topic.attribute, value, kind=kind, instead_of=topic.denied))]  # type: ignore[arg-type]


def mine(text: str, before: Sequence[Draft], speaker: str) -> list[tuple[str, Found]]:
    """ "Mine is beige", after someone else's."""
    match = _MINE.match(text)
    told = [draft for draft in before if draft.subject != speaker and attribute(draft.attribute).holds == "one"]
    value = values.one(match["v"]) if match else ""
    if not told or not value or len(value.split()) > 6:
        return []
    return [(speaker, Found(told[-1].attribute, value))]


_THEIRS_IS = re.compile(r"(?i)^(?:and |but )?(?:my|our) (?P<rel>[a-z-]+(?: [a-z]+)?)'s (?:is|are) (?:now )?(?P<v>.+)$")


def theirs(text: str, before: Sequence[Draft], speaker: str) -> list[tuple[str, Found]]:
    """ "My number is 555 01 and my husband's is 555 02": the same of someone else."""
    match = _THEIRS_IS.match(text)
    told = [draft for draft in before[-1:] if draft.subject == speaker and attribute(draft.attribute).holds == "one"]
    relation = relation_of(match["rel"]) if match else None
    value = values.one(match["v"]) if match else ""
    if not told or not relation or not value or len(value.split()) > 6:
        return []
    return [(relation, Found(told[0].attribute, value))]


def thing_in(text: str) -> str:
    """The thing that something was done to: "I moved the spare key"."""
    match = _OBJECT.search(text) if has_any(text, _DONE_TO) else None
    if match is None and has_any(text, _DEVICE_WORDS) and (device := _DEVICE.search(text)):
        return device["thing"] or device["env"]
    return (match["thing"] or match["bare"] or match["any"]) if match else ""


_DEVICE = re.compile(
    r"(?i)\b(?:the|our) (?P<thing>(?:(?!(?:the|our|of|in|on|and)\b)[a-z][\w-]* ){0,2}?(?:service|server|api|app|"
    r"database|db|cluster|cache|queue|"
    r"pipeline|worker|gateway|backend|frontend|dashboard|repo|bucket|cli|bot|website|scraper|crawler|importer|exporter|"
    r"parser|scheduler|monorepo|script))\b|^(?:the )?(?P<env>prod|production|staging|dev|qa|preprod)(?= (?:has|was|is|"
    r"got)\b)"
)
_DEVICE_WORDS = word_set(
    "service server api app database db cluster cache queue pipeline worker gateway backend frontend dashboard repo "
    "bucket "
    "cli bot website scraper crawler importer exporter parser scheduler monorepo script prod production staging dev "
    "qa preprod"
)
_HIM = re.compile(
    r"(?i)\b(rewrote|ported|moved|migrated|upgraded|renamed|switched|rebuilt|set|raised|lowered|bumped|changed|put|"
    r"scaled|"
    r"downgraded|rolled) it (?=(?:in|to|from|on|up|down|back|over|with)\b)"
)


def with_thing(text: str, thing: str) -> str:
    """The clause with "it" replaced by what it stands for."""
    if thing and is_plural(thing.split()[-1]):
        return _THEY.sub(f"The {thing} ", text)
    if thing and " it " in text:
        text = _HIM.sub(rf"\1 the {thing} ", text, count=1)
    return (
        _IT.sub(lambda match: f"{match['when'] or ''}{'the' if match['when'] else 'The'} {thing} ", text)
        if thing
        else text
    )


_STUDENT = re.compile(r"(?i)\b(?:stud(?:y|ying)|semester|university|uni|my degree|bachelor'?s|master'?s|phd)\b")


def placed(
    predicate: Predicate, spoken: Spoken, before: Sequence[Draft], cast: Cast, when: Dated, said: str
) -> list[Found]:
    """ "I'm at Skylark now", when the talk was of where someone works or studies, or that is known; "I'm in Porto now",
    when it was of moving."""
    match = _PLACED.match(predicate.rest)
    if match and match["how"] == "in":
        value = values.one(match["v"], "with", "for", "since", "now")
        lives = _MOVING.search(said) is not None and predicate.tense == "present" and not predicate.negated
        lives = lives or (
            predicate.tense == "perfect" and is_stay(said) and not value.isupper() and not predicate.negated
        )
        return [Found("home", value)] if lives and len(value.split()) <= 3 and not when.ahead else []
    told = [draft.attribute for draft in before if draft.subject == spoken.subject and draft.attribute in _PLACES]
    if (
        spoken.first
        and cast.place
        and (predicate.tense == "future" or predicate.adverbs & {"now", "currently", "still"})
    ):
        told = told or [cast.place]
    if not told and _STUDENT.search(said) and predicate.adverbs & {"now", "currently", "still"}:
        told = ["school"]
    if match and ((match["what"] or "").lower() in _WORKPLACES or _AS_FIRM.search(match["v"])):
        told = ["employer"]
    if not told and _AT_WORK.search(said) and _THESE_DAYS.search(said):
        told = ["employer"]
    if not told and (when.lasting or (match and (_FIRM.search(match["v"]) or _FOR_YEARS.search(said)))):
        told = ["employer"]
    value = values.one(match["v"], "as", "for", "since", "in", "on") if match else ""
    return [Found(told[-1], value)] if told and value and len(value.split()) <= 4 else []


_PAYS = re.compile(r"(?i)^(?:i|we) (?:now )?pay (?P<v>\S*\d\S*(?: [a-z]+)? (?:a|per) (?:month|year|week))(?: now)?$")
_ROSE = re.compile(
    r"(?i)\b(?:went|gone|goes|put|going) (?:up|down)\b|\b(?:raised|increased|dropped|lowered|pricier|cheaper|hiked)\b"
)


def paid_anew(text: str, said: str) -> str:
    """ "we pay 19 euros a month now", where a price has risen: a value without what it is of."""
    match = _PAYS.match(text) if _ROSE.search(said) else None
    return f"it is now {match['v']}" if match else text


_WAS = re.compile(r"(?i)^(?:it|that|this) (?:used to be|was) (?P<v>.+?)(?: before| until .*| back then)?$")


def was_before(text: str, before: Sequence[Draft]) -> list[tuple[str, Found]]:
    """ "it used to be Pulp", after what it is now."""
    match = _WAS.match(text)
    told = [
        draft for draft in before if attribute(draft.attribute).holds == "one" and draft.kind in ("state", "update")
    ]
    value = values.one(match["v"]) if match and ("used to" in text or " before" in text) else ""
    if not told or not value or len(value.split()) > 5 or _VAGUE.match(value):
        return []
    return [(told[-1].subject, Found(told[-1].attribute, value, kind="past"))]


_TOOL_LEFT = re.compile(r"(?i)\b(?:(?:stop|stopped|quit|no longer) (?:us(?:e|ing))|ditch(?:ed)?|dropp(?:ed|ing))\b")
_TOOL_TAKEN = re.compile(
    r"(?i)^(?P<who>i|we) (?:have |has |just )*(?:moved|gone|went|changed)(?: over)? to (?=[\w.+/-]+$)"
)


def tool_taken(text: str, said: str) -> str:
    """ "Stop using moment.js, we've moved to date-fns": where a tool is given up, another one is moved to."""
    if " to " not in text or not _TOOL_LEFT.search(said):
        return text
    return _TOOL_TAKEN.sub(r"\g<who> switched to ", text)
