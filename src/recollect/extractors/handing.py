"""Who has taken something over from whom: "ownership of the API went to Team Rowan", "Lena took over on-call"."""

from __future__ import annotations

import re

from recollect._values import is_plural, word_set
from recollect.extractors.people import NAME, is_name, relation_of

_AREAS = (
    r"(?:(?:customer |tech |technical |user |inside )?(?:support|sales|marketing|finance|payroll|billing|procurement|"
    r"operations|logistics|recruiting|hiring|onboarding|accounting|purchasing|bookkeeping|training|maintenance))"
)
"""Kinds of work that a firm has one of, and that somebody runs."""
_HANDED = re.compile(
    r"(?i)^(?:the )?(?:ownership|responsibility|maintenance) (?:of|for) (?P<what>.+?) (?:has |was |is |just )*(?:went|"
    r"gone|passed|transferred|moved|handed|given)(?: over)? to (?P<v>.+?)(?: (?:this|last) \w+| today| now)?$"
)
_TOOK_OVER = re.compile(
    r"^(?P<v>(?i:team )?[A-Z][\w-]*(?: [A-Z][\w-]*)*|(?i:the [\w-]+ team)) (?:has |have |just )*(?:took|taken|"
    r"takes) over "
    r"(?P<what>the [\w' -]+?|AREAS)(?: from .+)?$".replace("AREAS", _AREAS)
)
_HANDED_ON = re.compile(r"(?i)\b(?:job|role|position|post|work|baton|keys?|money|book|letter|phone|gift|baby)$")
"""What is given from hand to hand, and is nothing that has an owner."""
_ON_CALL = re.compile(rf"^(?P<v>{NAME}) (?:has |have |just )*(?:took|taken|takes) over (?:the )?on-?call(?: from .+)?$")
HANDS = re.compile(
    rf"^(?:{NAME}|I|We|we|[Tt]hey) (?:has |have |just )*(?:handed|passed|gave|"
    rf"transferred) (?P<what>the (?:[\w-]+ ){{0,2}}?[\w-]+?)"
    rf"(?: over| off)? to (?P<v>{NAME}|the [\w-]+ team)$"
)


_CARES = re.compile(
    r"^(?P<v>(?i:team )?[A-Z][\w-]*(?: [A-Z][\w-]*)*|(?i:the [\w-]+ team)) (?P<now>now )?(?:(?:is|are) (?P<then>now )?"
    r"(?:looking after|taking care of|in charge of|responsible for|handling)|"
    r"looks? after|takes? care of|handles?|(?P<leads>runs|leads|heads|manages|does)) "
    r"(?P<what>(?:(?:the|our|all) )?[A-Za-z][\w-]*(?: [a-z][\w-]*){0,2}?)(?P<late> now| these days)?$"
)
"""Who sees to something: "Tobias is looking after the indexer now"."""
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
    rf"^(?P<v>{NAME}) is (?P<now>now )?on[- ]call(?: (?:this|for the|for this|for) \w+| now| today)*$"
)
SERVING = word_set(
    "hair taxes tax accounts books bookkeeping cleans garden lawn walks chairs heads leads coaches captains funds "
    "sponsors moderates conducts edits manages hosts supplies insures trains"
)
CARING = word_set("looking looks taking takes charge responsible handling handles call runs leads heads manages does")


def cared_for(text: str) -> str:
    """The clause as who owns something, or is on call; empty where nobody sees to anything."""
    if match := _ON_DUTY.match(text):
        return f"the on-call engineer is now {match['v']}"
    match = _CARES.match(text)
    area = match is not None and re.fullmatch(_AREAS, _ARTICLE.sub("", match["what"])) is not None
    area = area or (match is not None and match["leads"] in ("runs", "manages") and bool(_SITE.search(match["what"])))
    if (
        match is None
        or not (area or (_DUTY.match(match["what"]) and not match["leads"]))
        or match["what"].split()[-1] in _NOT_OWNED
    ):
        return ""
    if relation_of(match["what"].split()[-1]) or not is_name(match["v"]):
        return ""
    what = _ARTICLE.sub("", match["what"]).removeprefix("all ")
    now = " now" if match["now"] or match["then"] or match["late"] else ""
    return f"the {what} {'are' if is_plural(what.split()[-1]) else 'is'} owned by {match['v']}{now}"


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
    match = _HANDED.match(text) or _TOOK_OVER.match(text) or HANDS.match(text)
    if match is None or _HANDED_ON.search(match["what"]):
        return ""
    return f"the {_ARTICLE.sub('', match['what'])} is owned by {match['v']} now"
