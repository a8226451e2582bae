"""Statements about what things do: "the API key rotates on Mondays", "billing runs on Fly"."""

from __future__ import annotations

import re

from recollect.extractors import values
from recollect.extractors.patterns import Found
from recollect.extractors.people import is_name, relation_of
from recollect.extractors.posts import is_post
from recollect.extractors.programs import SOFTWARE
from recollect.extractors.value_kinds import kind_of_value
from recollect.extractors.verbs import FORMS
from recollect.facts.attributes import sentence
from recollect.records import Kind
from recollect.text.values import is_plural, word_set

_A_DAY = r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|the \d|\d{1,2}\w* [A-Z]|[A-Z][a-z]+ \d)"
_VERBS = {
    r"(?:listens|runs|is running|is) on port": "port",
    r"(?:is|runs) on(?= \d{4,5}$)": "port",
    r"(?:is|are) (?:pinned|locked|stuck|fixed|still) (?:to|on|at)(?= [A-Z][\w.]* v?\d)": "runs on",
    r"(?:runs?|is running) on(?! (?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|week(?:days|ends)|the \d)\b)|"
    r"(?:is|are) hosted (?:on|at|by|with)": "runs on",
    r"run(?= [A-Z][\w.]* v?\d[\w.]*(?: now)?$)": "runs on",
    r"(?:is|are) running(?= (?:[A-Z][\w.]* )?v?\d[\w.]*(?: now)?$)": "runs on",
    rf"(?:is|are) on(?= (?:[A-Z][\w.]* v?\d|(?i:{'|'.join(sorted(SOFTWARE - {'monday'}))})\b))": "runs on",
    r"deploys? (?:with|to|on|via|using)": "deploys with",
    r"(?:uses?|is using)": "uses",
    r"(?:lives?|is located|are located|sits|is found|resides?) (?:at|in|under|on)": "location",
    r"listens? on": "port",
    r"(?:is|are|runs?) (?:on|in|set to)(?= (?:UTC|GMT|CE?S?T|[ECMP]S?T|[A-Z][a-z]+/[A-Z]\w+)(?: time)?(?: "
    r"now)?$)": "time zone",
    r"(?:is|are) (?:available |released |licensed )?under(?: the| an?)?(?= (?:MIT|Apache|A?GPL|LGPL|BSD|MPL|ISC|"
    r"CC)\b)": "license",
    r"depends? on": "depends on",
    r"(?:is|are|was|were|has been|have been) (?:re)?(?:built|written|implemented|made|coded) (?:with|in|using|"
    r"on)": "built with",
    r"(?:is|are) (?:(?:stored|saved) (?:in|at|on|under)|kept (?:in|on|under))": "stored in",
    r"(?:is|are|runs?|lives?) in(?= [a-z]{2}-[a-z]+-\d)": "region",
    r"(?:is|are) (?:owned|maintained|run) by": "owner",
    r"(?:is|are) (?:deployed) (?:with|to|on|via)": "deploys with",
    r"(?:connects?|talks?) to": "connects to",
    r"(?:talks?|speaks?)(?= (?:g?RPC|REST|SOAP|GraphQL|MQTT|AMQP|HTTP(?:/\d)?|HTTPS|SQL|gRPC|JSON|XML|Thrift|"
    r"Modbus|SMTP)\b)": "uses",
    r"(?:requires?|needs?)": "requires",
    r"supports?": "supports",
    r"costs?(?: us| me)?": "costs",
    r"holds?(?= \d)": "holds",
    r"weighs?(?= \d)": "weight",
    r"(?:leaves?|departs?)(?= at \d)": "leaves",
    r"takes?(?! place\b)": "takes",
    r"belongs? to": "belongs",
    r"(?:is|are) backed up": "backed up",
    r"(?:go(?:es)? out|comes? out|(?:is|are) (?:available|published|offered|sent out|translated)) in(?= "
    r"(?:English|German|"
    r"French|Spanish|Italian|Dutch|Portuguese|Polish|Danish|Swedish|Norwegian|Finnish|Czech|Turkish|Greek|Russian|Arabic|"
    r"Chinese|Japanese|Korean|Hindi|Welsh|Irish)\b)": "language",
    r"go(?:es)? out": "goes out",
    r"(?:go|goes|are sent|is sent) to(?= (?:(?:the|our) )?(?:[a-z]+ )?(?:[#@A-Z/`]|[\w.]+[-_/:]\w))": "goes to",
    r"(?:is|are) (?:now )?(?:at|in|under)(?= (?:~?/|`[~/]))": "location",
    r"(?:is|are) (?:now )?at(?= (?:https?:|[\w-]+\.[\w-]+\.?\w))": "location",
    r"(?:is|are)(?= at \d)": "starts",
    rf"(?:is|are)(?= on {_A_DAY})": "happens",
    r"(?:go|goes|runs?|(?:is|are) (?:routed|processed|handled|sent)) (?:through|via)"
    r"(?= (?:the |our )?[A-Z#`])": "goes through",
    r"points? (?:to|at)(?= \S*[/.:`]\S)": "points to",
    r"(?:is|are)(?= (?:in|on|at) (?:the )?(?:(?:room|building|rack|hall|bay|aisle|warehouse|gate|unit|lot) [A-Z\d]|"
    r"(?:first|second|third|fourth|fifth|sixth|ground|top|\d+\w\w) floor\b))": "location",
    r"rotates?": "rotates",
    r"expires?|(?:is|are) (?:valid|in force|guaranteed)(?= (?:until|till) )": "expires",
    r"(?:starts?|begins?)": "starts",
    r"(?:ends?|finish(?:es)?)": "ends",
    r"opens?": "opens",
    r"closes?": "closes",
    r"(?:happens?|takes? place|occurs?|(?:is|are) (?:scheduled|planned|set|slated|booked) for)": "happens",
    rf"(?:comes?|is coming|arrives|is arriving|visits)(?: round| over| by| in)?(?= (?:on {_A_DAY}|at \\d|every |"
    rf"twice |once "
    r"a |(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days))": "comes",
    r"meets? (?:at|in)(?= (?:the|my|our|[A-Z]))": "location",
    r"meets?(?= (?:on|every|daily|weekly|monthly|quarterly|twice|once)\b)": "happens",
    r"lasts?(?= (?:about |around |only )?(?:\d|half|an? (?:hour|week|month|day|year)|(?:one|two|three|four|five|"
    r"six|seven|"
    r"eight|nine|ten|twelve) ))": "length",
    r"(?:runs?|lasts?|goes on)": "runs",
    r"(?:comes?|is sourced|are sourced|is delivered|are delivered) (?:from|by)(?= (?:the )?[A-Z])": "comes from",
}
WITH_TIME = word_set("rotates expires starts ends opens closes happens runs leaves comes") | {"backed up", "goes out"}
_TECHNICAL = frozenset(
    ("runs on", "port", "deploys with", "depends on", "built with", "stored in", "connects to", "region")
)
_TIME_LED = re.compile(
    r"(?i)^(?:on|at|in|every|each|after|before|daily|weekly|monthly|nightly|hourly|yearly|twice|once|from|until|\d)\b"
)
_SUBJECT = (
    r"(?:(?P<the>[Tt]he|[Oo]ur|[Mm]y)\s+(?P<thing>(?:[\w'./`-]+\s+){1,4}?)|"
    r"(?P<named>[A-Z`][\w./`-]*(?:\s+[A-Z`\d][\w./`-]*){0,3}|[a-z]+[-_./][\w./-]+)\s+|(?P<plain>[a-z]{3,20}|"
    r"(?:[A-Za-z][a-z]+|[A-Z]{2,5})\s+[a-z]+s)\s+)"
)
_SHAPE = re.compile(
    rf"^{_SUBJECT}(?P<coming>will |is going to |are going to )?(?P<not>does not |do not )?(?P<adverb>now |always |"
    rf"only |currently |no longer |also |"
    rf"automatically |then |still )?(?:{'|'.join(f'(?P<v{i}>{verb})' for i, verb in enumerate(_VERBS))})\s+(?P<v>.+)$"
)
_INNER = re.compile(r"(?i)\b(is|are) (now|currently|no longer|also|still) (?=[a-z]+(?:ed|en|n|t)\b)")
"""What stands between "is" and its participle, and says when."""
_ATTRIBUTES = list(_VERBS.values())
_MEETINGS = re.compile(
    r"(?i)\b(?:standup|stand-up|meeting|call|sync|class|lesson|training|practice|rehearsal|review|retro|demo|show|"
    r"game|match|"
    r"course|session|seminar|lecture|service|train|bus|flight|kickoff|party|dinner|lunch)s?$"
)
_NOT_THINGS = re.compile(
    r"(?i)^(?:it|this|that|there|he|she|they|who|what|which|thing|one|world|sun|rest|reason|problem|point|way|fact|"
    r"people|person|man|woman)\b"
)


def doings(text: str) -> list[Found]:
    """What a thing is said to do, keyed by the verb."""
    match = _SHAPE.match(_INNER.sub(r"\2 \1 ", text, count=1)) if len(text.split()) <= 25 else None
    if match is None:
        return []
    subject = (match["thing"] or match["named"] or match["plain"]).strip(" `")
    name = next(_ATTRIBUTES[i] for i in range(len(_ATTRIBUTES)) if match[f"v{i}"])
    ends = () if name in WITH_TIME else ("for", "with", "to", "when", "by", "as", "from", "starting", "since", "as of")
    value = values.one(match["v"], *ends, *(("and",) if name == "costs" else ()))
    value = value if name in WITH_TIME else _CALLED.sub("", value)
    value = value if name in WITH_TIME else _LATELY.sub("", _ONLY.sub("", value))
    if not (is_thing(subject, match) and does(subject, name, match) and fits(name, value)):
        return []
    over = _ANY_MORE.search(value)
    value = value[: over.start()] if over else value
    again = _ANEW.search(text) is not None
    found = [value] if name in WITH_TIME or name in ("location", "port", "owner", "runs on") else values.items(value)
    return [
        Found(
            name,
            item,
            subject=subject,
            kind="update" if again and not match["coming"] else kind_said(match),
            text=sentence(subject, name, item),
            many=False if again or kind_of_value(item) else None,
            negated=bool(match["not"]) and not over,
            confidence=0.6,
        )
        for item in (values.bare(item) if name != "location" else item for item in found)
        if item and not _POINTER.match(item)
    ]


_CALLED = re.compile(r"(?i)^(?:an? |the )?(?:[\w-]+ ){1,3}(?:called|named) (?=\S+$)")
"""What a thing is, before its name: "a GPU box called atlas"."""
_LATELY = re.compile(r"(?i)(?<=\w) (?:(?:last|this|next) (?:week|month|year|night|morning|\w+day)|yesterday|today)$")
_ONLY = re.compile(r"(?i)^(?:only|just) (?=(?:one|two|three|four|five|six|\d+)\b)")
_ANY_MORE = re.compile(r"(?i) any ?(?:more|longer)$")
_ANEW = re.compile(r"\bre(?:built|written|implemented|coded)\b")
_POINTER = re.compile(r"(?i)(?:it|them|this|that|you|me|us|him|her|to)(?![\w-])")
_MORE_THAN_THING = re.compile(
    r"(?i)\b(?:i|we|you|of|on|in|for|with|at|to|that|and|or|is|was|it|not|does|do|will|can)\b"
)


def kind_said(match: re.Match[str]) -> Kind | None:
    """How it was said: to come, denied, new or over."""
    if match["coming"]:
        return "plan"
    adverb = (match["adverb"] or "").lower()
    return "ending" if match["not"] or adverb == "no longer " else "update" if adverb == "now " else None


def is_thing(subject: str, match: re.Match[str]) -> bool:
    """Whether the words before the verb name a thing, and are not the beginning of something else."""
    if _MORE_THAN_THING.search(subject) or _NOT_THINGS.match(subject):
        return False
    return not match["named"] or is_name(subject)


_PEOPLE = word_set("kids children parents friends students people teams players members guests")


def does(subject: str, name: str, match: re.Match[str]) -> bool:
    """Whether such a thing can be said to do this."""
    several = bool(match["plain"]) and " " in subject and is_plural(subject.split()[-1])
    if (
        match["plain"]
        and name not in ("goes to", "goes through", "comes")
        and not (name == "belongs" and match["v"][:1].isupper())
        and ((name not in _TECHNICAL and not several) or subject in FORMS)
    ):
        return False
    if name == "goes to":
        return is_plural(subject.split()[-1]) and not relation_of(subject.split()[-1]) and subject not in _PEOPLE
    timed = name in ("starts", "happens") and re.search(r" (?:is|are) at \d", match[0])
    met = not timed or _MEETINGS.search(subject)
    if name == "comes from" and (not match["the"] or is_post(subject) or relation_of(subject.split()[-1])):
        return False  # Somebody, who is from there.
    lives = name == "location" and match["named"] and match["v"][:1].isupper()
    return bool(met) and not (lives and re.search(r" (?:lives?|resides?) ", match[0]))


def fits(name: str, value: str) -> bool:
    """Whether the value is one of that kind: a time, a number, something short."""
    if not value or len(value.split()) > 8:
        return False
    if name in ("costs", "takes"):
        return re.search(r"(?i)\d|\b(?:hours?|minutes|seconds|days|weeks|months)\b", value) is not None
    return (
        name not in WITH_TIME
        or _TIME_LED.match(value) is not None
        or (name == "happens" and kind_of_value(value) == "date")
    )


_KEPT_THINGS = re.compile(
    r"(?i)^(?:[a-z]+ ){0,3}?(?:keys?|"
    r"passports?|chargers?|"
    r"router|modem|ladder|toolbox|drill|umbrella|suitcase|documents?|papers|contract|manual|remote|kit|box|safe|"
    r"wallet|glasses|"
    r"camera|pager|badge|key ?card|tent|scissors|batteries|hose|stamps|receipts?|certificate|pump|lawnmower|"
    r"decorations)$"
)
_WHERE_KEPT = re.compile(
    r"(?i)^(?:in|under|on|behind|with|at|inside|beside|above|below|next to|on top of) (?:(?:the|my|our|a|an|\w+'s)\b|"
    r"(?-i:[A-Z]))"
)
"""Where something lies."""


def is_kept(thing: str, where: str) -> bool:
    """Whether it is told where something lies that one looks for later."""
    return _KEPT_THINGS.match(thing.strip()) is not None and _WHERE_KEPT.match(where) is not None


def where_kept(thing: str, where: str, be: str, adverb: str | None) -> list[Found]:
    """ "the spare key is under the flowerpot"."""
    kind: Kind | None = "update" if adverb and "now" in adverb else None
    value = values.one(where)
    if not value or re.search(r"(?i)n't|\bnot\b", be):
        return []
    past = be.lower() in ("was", "were")
    return [Found("location", value, kind="past" if past else kind, subject=thing.strip(), confidence=0.8)]
