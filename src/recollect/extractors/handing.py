"""Who sees to something, and who has taken it over from whom: "Ines handles invoices", "Lena took over on-call"."""

from __future__ import annotations

import re

from recollect.extractors.naming import LINKS
from recollect.extractors.people import NAME, is_name, relation_of
from recollect.text.values import is_plural, word_set

_AREAS = (
    r"(?:(?:customer |tech |technical |user |inside )?(?:support|sales|marketing|finance|payroll|billing|procurement|"
    r"operations|logistics|recruiting|hiring|onboarding|accounting|purchasing|bookkeeping|training|maintenance))"
)
"""Kinds of work that a firm has one of, and that somebody runs."""
_HANDED = re.compile(
    r"(?i)^(?:the )?(?:ownership|responsibility|maintenance) (?:of|for) (?P<what>.+?) (?:has |was |is |just )*(?:went|"
    r"gone|passed|transferred|moved|handed|given)(?: over)? to (?P<v>.+?)(?: (?:this|last) \w+| today| now)?$"
)
_WENT_TO = re.compile(
    r"(?i)^(?:the|our) (?P<what>(?:[\w-]+ ){0,2}[\w-]+) (?:(?:has |just )*(?:went|gone|passed|moved)(?: over)? to "
    r"(?P<v>the (?:[\w-]+ ){1,2}team|(?-i:Team [A-Z])\w*)|(?:has been|was|got|is) (?:now |just "
    r")?(?:re)?(?:transferred|assigned|"
    rf"handed over) to (?P<who>{NAME}|the (?:[\w-]+ ){{1,2}}team))(?: (?:this|last) \w+| today| now)?$"
)
"""What has another owner now, by where it went."""
_TOOK_OVER = re.compile(
    r"^(?P<v>(?i:team )?[A-Z][\w-]*(?: [A-Z][\w-]*)*|(?i:the [\w-]+ team)) (?:has |have |just )*(?:took|taken|"
    r"takes) over "
    r"(?P<what>the [\w' -]+?|AREAS|(?!on-?call\b)[a-z-]+(?:ing|s))(?: from .+)?$".replace("AREAS", _AREAS)
)
_HANDED_ON = re.compile(
    r"(?i)\b(?:job|role|position|post|work|baton|keys?|money|book|letter|phone|gift|baby|"
    r"bonus|prize|award|trophy|title|medal|points?|win|game|match|call|credit|blame|vote|package|parcel)$"
)
"""What is given from hand to hand, and is nothing that has an owner."""
_ON_CALL = re.compile(rf"^(?P<v>{NAME}) (?:has |have |just )*(?:took|taken|takes) over (?:the )?on-?call(?: from .+)?$")
HANDS = re.compile(
    rf"^(?:{NAME}|I|We|we|[Tt]hey) (?:has |have |just )*(?:handed|passed|gave|"
    rf"transferred) (?P<what>the (?:[\w-]+ ){{0,2}}?[\w-]+?|{_AREAS}|(?!on-?call\b)[a-z-]+(?:ing|s)(?= over | "
    rf"off | on ))"
    rf"(?: over| off| on)? to (?P<v>{NAME}|the [\w-]+ team)$"
)


_WHO = r"(?P<v>(?i:team )?[A-Z][\w-]*(?: [A-Z][\w-]*)*|(?i:the [\w-]+ team))"
_WORK = r"(?P<what>(?:(?:all )?(?:the |our |all )?)[A-Za-z][\w-]*(?: [a-z][\w-]*){0,2}?)"
_LATE = (
    r"(?: (?:in|at|for|around|on) (?:our|the) (?:office|company|firm|team|shop|store|practice|clinic|studio|club|"
    r"department|branch|site|school)| for us| here| at work)?(?P<late> now| these days| from now on| instead)?$"
)
"""Where somebody works, which is no part of what they see to, and since when."""
_CARES = re.compile(
    rf"^{_WHO} (?P<now>now )?(?:(?:is|are) (?P<then>now )?"
    r"(?:looking after|taking care of|in charge of|responsible for|handling|dealing with|overseeing)|"
    r"looks? after|takes? care of|handles?|deals? with|sees? to|oversees?|supervises?|coordinates?|"
    rf"(?P<leads>runs|leads|heads|manages|does)) {_WORK}{_LATE}"
)
"""Who sees to something: "Tobias is looking after the indexer now"."""
_CARES_NO_MORE = re.compile(
    rf"^{_WHO} (?:(?:is|are|do|does) )?(?P<not>no longer|not) (?:looking after|taking care of|in charge of|"
    r"responsible for|handling|looks? after|takes? care of|handles?|deals? with|sees? to|oversees?|manages?|owns?|"
    r"maintains?|runs?|(?P<led>leads?|heads?)) "
    rf"{_WORK}(?P<more> any ?more| any longer)?$"
)
_DUTIES = {
    "approves": "approved", "processes": "processed", "moderates": "moderated", "triages": "triaged",
    "administers": "administered", "authorises": "authorised", "authorizes": "authorized",
    "reviews": "reviewed", "audits": "audited", "monitors": "monitored", "tests": "tested", "schedules": "scheduled",
    "restocks": "restocked", "cleans": "cleaned", "services": "serviced", "updates": "updated", "tags": "tagged",
    "proofreads": "proofread", "translates": "translated", "prints": "printed", "packs": "packed",
}  # fmt: skip
"""What one person does for all, with what is done then: who approves expenses is by whom they are approved."""
_OWNS = re.compile(
    rf"^{_WHO} (?P<now>now )?(?:owns|maintains) (?P<what>(?!an?\b|the\b|my\b|our\b|his\b|her\b|their\b|half\b|land\b|"
    r"property\b|it\b|stock\b|everything\b|nothing\b)[a-z][\w-]*)(?P<late> now| these days)?$"
)
"""Whose a part of a system is that goes without an article: "Devon owns search"."""
_TEAM_OWNS = re.compile(
    r"^(?P<v>(?i:the (?:[\w-]+ ){1,2}team)) (?P<now>now )?(?:owns?|maintains?) (?P<what>(?:the|our) (?:[\w-]+ "
    r"){0,2}?[\w-]+)"
    r"(?P<late> now)?$"
)
_DOES = re.compile(rf"^{_WHO} (?P<now>now )?(?P<does>{'|'.join(_DUTIES)}) {_WORK}{_LATE}")
_NOT_OWNED = word_set(
    "kids children baby dog dogs cat cats mother father parents grandparents stress criticism pressure it accident "
    "mess damage delay bug error outage failure success win problem issue incident mistake loss crash garden "
    "plants house dishes shopping"
)
_SITE = re.compile(
    r"^the (?:[\w-]+ ){1,2}(?:branch|shop|store|office|warehouse|kitchen|bakery|team|squad|department|site|"
    r"plant|factory|desk)$"
)
"""A part of a firm, which somebody runs."""
_DUTY = re.compile(r"(?:(?:the|our|all) |[a-z -]+(?:ing|s)$)")
"""What somebody is in charge of: a thing that is definite, or a kind of work."""
_ON_DUTY = re.compile(
    rf"^(?P<v>{NAME}) is (?P<now>now )?on[- ]call(?: for (?:the )?(?P<team>(?:[\w-]+ ){{0,2}}(?:team|squad|service|app|"
    r"platform|ward|practice|clinic)))?(?: (?:this|for the|for this|for) \w+| now| today)*$"
)
_CARRIED = re.compile(
    r"^(?:(?:I|[Ww]e) )?(?:have |has |just )*(?:[Gg]ave|[Gg]iven|[Hh]anded|[Pp]assed) (?:the|our) (?P<what>THINGS)"
    r"(?: over| on)? to (?P<v>NAME)(?: now)?$|^(?P<who>NAME) (?P<now>now )?(?:has|carries|holds|keeps) (?:the|our) "
    r"(?P<held>THINGS)(?P<late> now)?$|^[Tt]he (?P<with>THINGS) is (?P<anew>now )?with (?P<whom>NAME)(?P<since> "
    r"now)?$".replace(
        "THINGS",
        r"(?:on-?call|support|duty|emergency|company|office|shop|store|pool|work) (?:phone|pager|keys?|"
        r"card|laptop|van|car)|pager",
    ).replace("NAME", NAME)
)
"""What goes with a duty, and whose it is for as long."""
SERVING = word_set(
    "hair taxes tax accounts books bookkeeping cleans garden lawn walks chairs heads leads coaches captains funds "
    "sponsors moderates conducts edits manages hosts supplies insures trains"
)
CARING = (
    word_set(
        "looking looks taking takes charge responsible handling handles call runs leads heads manages does deals deal "
        "dealing sees see overseeing oversees oversee supervises coordinates look take handle manage given "
        "carries holds "
        "owns maintains own lead head run keeps phone pager key keys card laptop"
    )
    | _DUTIES.keys()
)


def cared_for(text: str) -> str:
    """The clause as who owns something, or is on call; empty where nobody sees to anything. Who did so before may be
    set against it: ", not Tom"."""
    said, against, other = text.partition(", not ")
    told = by_whom(said)
    return f"{told}{against}{other}" if told else ""


def by_whom(text: str) -> str:
    """The clause as what is seen to, by whom."""
    if match := _ON_DUTY.match(text):
        of = f" of the {match['team']}" if match["team"] else ""
        return f"the on-call engineer{of} is now {match['v']}"
    if match := _CARRIED.match(text):
        return carried(match)
    if match := _CARES_NO_MORE.match(text):
        over = match["more"] or match["not"] == "no longer"
        done = "led" if match["led"] else "owned"
        return owned(match, "is no longer", done) if over and is_duty(match, "") else ""
    if match := _TEAM_OWNS.match(text):
        return owned(match, "")
    if (match := _OWNS.match(text)) and is_name(match["v"]) and not is_plural(match["what"].split()[-1]):
        return owned(match, "")
    if match := _DOES.match(text):
        done = _DUTIES[match["does"]]
        return owned(match, "", done) if is_duty(match, "") and match["what"].split()[0] not in _DUTIES else ""
    match = _CARES.match(text)
    return owned(match, "") if match and is_duty(match, match["leads"] or "") else ""


def is_duty(match: re.Match[str], leads: str) -> bool:
    """Whether what somebody sees to is work of a firm's, and no child, no mood and no mishap."""
    what = match["what"]
    if " and " in what or " or " in what or what.split()[0] in LINKS:
        return False
    area = re.fullmatch(_AREAS, _ARTICLE.sub("", what)) is not None
    area = area or (leads in ("runs", "manages") and bool(_SITE.search(what)))
    if not (area or (_DUTY.match(what) and not leads)) or what.split()[-1] in _NOT_OWNED:
        return False
    return not relation_of(what.split()[-1]) and is_name(match["v"])


def owned(match: re.Match[str], be: str, done: str = "owned") -> str:
    """The same as what is done by somebody: "the refunds are owned by Grace"."""
    parts = match.groupdict()
    what = _ARTICLE.sub("", match["what"].removeprefix("all "))
    now = " now" if parts.get("now") or parts.get("then") or parts.get("late") else ""
    be = be or ("are" if is_plural(what.split()[-1]) else "is")
    return f"the {what} {be} {done} by {match['v']}{now}"


def carried(match: re.Match[str]) -> str:
    """ "Gave the on-call phone to Beatriz" as whose it is now."""
    who = match["v"] or match["who"] or match["whom"]
    now = "now " if match["v"] or match["now"] or match["late"] or match["anew"] or match["since"] else ""
    return f"our {match['what'] or match['held'] or match['with']} is {now}with {who}" if is_name(who) else ""


_SERVES = re.compile(
    rf"^(?P<v>{NAME}) (?P<now>now )?(?:(?P<hairdresser>(?:cuts|does|colou?rs|styles) (?:my|our) hair)|"
    r"(?P<accountant>does (?:my|our) (?:taxes|tax returns?|accounts))|(?P<bookkeeper>does (?:my|our) (?:books|"
    r"bookkeeping))|"
    r"(?P<cleaner>cleans (?:for us|our (?:house|flat|place|office)|my (?:house|flat|place)))|"
    r"(?P<gardener>does (?:my|our) garden|mows (?:my|our) lawn)|(?P<dog_walker>walks (?:my|our) dogs?))(?P<late> now)?$"
)
"""What somebody does for the speaker, by which one is known for what they are."""


_HEADS = {
    "chairs": "chairperson", "heads": "head", "leads": "lead", "coaches": "coach", "captains": "captain",
    "funds": "funder", "sponsors": "sponsor", "moderates": "moderator", "conducts": "conductor", "edits": "editor",
    "manages": "manager", "hosts": "host", "supplies": "supplier", "insures": "insurer", "trains": "trainer",
}  # fmt: skip
"""What somebody is to a thing of which there is one such person."""
_HEADED = re.compile(
    rf"^(?:[Tt]he )?(?P<v>{NAME}) (?P<now>now )?(?P<verb>{'|'.join(_HEADS)}) (?:my|our) "
    r"(?P<what>[a-z][\w'-]*(?: [\w'-]+){0,3}?)(?P<late> now| these days)?$"
)


def headed_by(text: str) -> str:
    """ "Morwenna chairs our parents' association" as its chairperson; empty where nobody heads a thing of ours."""
    match = _HEADED.match(text)
    if match is None or not is_name(match["v"]) or relation_of(match["what"].split()[-1]):
        return ""
    now = "now " if match["now"] or match["late"] else ""
    return f"the {_HEADS[match['verb']]} of the {match['what']} is {now}{match['v']}"


def served_by(text: str) -> str:
    """ "Gio cuts my hair" as "my hairdresser is Gio"; empty where nobody does such a thing."""
    match = _SERVES.match(text)
    if match is None or not is_name(match["v"]):
        return headed_by(text)
    role = next(name for name, done in match.groupdict().items() if done and name not in ("v", "now", "late"))
    return f"My {role.replace('_', ' ')} is {'now ' if match['now'] or match['late'] else ''}{match['v']}"


_ARTICLE = re.compile(r"(?i)^(?:the|my|our) ")


def handed_over(text: str) -> str:
    """The clause as what has an owner now; empty where nothing was handed over."""
    if match := _ON_CALL.match(text):
        return f"the on-call engineer is now {match['v']}"
    if (match := _WENT_TO.match(text)) and not _HANDED_ON.search(match["what"]) and not relation_of(match["what"]):
        return f"the {match['what']} is owned by {match['v'] or match['who']} now"
    match = _HANDED.match(text) or _TOOK_OVER.match(text) or HANDS.match(text)
    if match is None or _HANDED_ON.search(match["what"]) or match["what"].split()[-1] in _NOT_OWNED:
        return ""
    what = _ARTICLE.sub("", match["what"])
    return f"the {what} {'are' if is_plural(what.split()[-1]) else 'is'} owned by {match['v']} now"
