"""Statements about what things do: "the API key rotates on Mondays", "billing runs on Fly"."""

from __future__ import annotations

import re

from recollect._values import word_set
from recollect.attributes import sentence
from recollect.extractors import values
from recollect.extractors.patterns import Found
from recollect.extractors.people import is_name
from recollect.extractors.verbs import FORMS

_VERBS = {
    r"(?:listens|runs|is running|is) on port": "port",
    r"(?:runs|is running|is hosted|are hosted|run) on": "runs on",
    r"(?:uses|is using)": "uses",
    r"(?:lives?|is located|are located|sits|is found|resides?) (?:at|in|under|on)": "location",
    r"listens on": "port",
    r"depends? on": "depends on",
    r"(?:is|are) (?:built|written|implemented|made) (?:with|in|using|on)": "built with",
    r"(?:is|are) (?:(?:stored|saved) (?:in|at|on|under)|kept (?:in|on|under))": "stored in",
    r"(?:is|are) (?:owned|maintained|run) by": "owner",
    r"(?:is|are) (?:deployed) (?:with|to|on|via)": "deploys with",
    r"(?:connects|talks) to": "connects to",
    r"(?:requires|needs)": "requires",
    r"supports": "supports",
    r"costs": "costs",
    r"belongs? to": "belongs",
    r"(?:is|are) backed up": "backed up",
    r"rotates?": "rotates",
    r"expires?": "expires",
    r"(?:starts|begins)": "starts",
    r"(?:ends|finishes)": "ends",
    r"opens": "opens",
    r"closes": "closes",
    r"(?:happens|takes place|occurs)": "happens",
    r"runs": "runs",
}
_WITH_TIME = word_set("rotates expires starts ends opens closes happens runs backed up") | {"backed up"}
_TECHNICAL = frozenset(("runs on", "port", "deploys with", "depends on", "built with", "stored in", "connects to"))
_TIME_LED = re.compile(
    r"(?i)^(?:on|at|in|every|each|after|before|daily|weekly|monthly|nightly|hourly|yearly|twice|once|from|until|\d)\b"
)
_SUBJECT = (
    r"(?:(?P<the>[Tt]he|[Oo]ur|[Mm]y)\s+(?P<thing>(?:[\w'./`-]+\s+){1,4}?)|"
    r"(?P<named>[A-Z`][\w./`-]*(?:\s+[A-Z`\d][\w./`-]*){0,3}|[a-z]+[-_./][\w./-]+)\s+|(?P<plain>[a-z]{3,20})\s+)"
)
_SHAPE = re.compile(
    rf"^{_SUBJECT}(?P<adverb>now |always |only |currently |no longer |also |automatically "
    rf")?(?:{'|'.join(f'(?P<v{i}>{verb})' for i, verb in enumerate(_VERBS))})\s+(?P<v>.+)$"
)
_ATTRIBUTES = list(_VERBS.values())
_NOT_THINGS = re.compile(
    r"(?i)^(?:it|this|that|there|he|she|they|who|what|which|thing|one|world|sun|rest|reason|problem|point|way|fact|"
    r"people|person|man|woman)\b"
)


def doings(text: str) -> list[Found]:
    """What a thing is said to do, keyed by the verb."""
    match = _SHAPE.match(text)
    if match is None or len(text.split()) > 25:
        return []
    subject = (match["thing"] or match["named"] or match["plain"]).strip(" `")
    if re.search(r"(?i)\b(?:i|we|you|of|on|in|for|with|at|to|that|and|or|is|was|it)\b", subject):
        return []
    name = next(_ATTRIBUTES[i] for i in range(len(_ATTRIBUTES)) if match[f"v{i}"])
    value = (
        values.one(match["v"])
        if name in _WITH_TIME
        else values.one(match["v"], "for", "with", "to", "when", "by", "as")
    )
    if not value or _NOT_THINGS.match(subject) or (match["named"] and not is_name(subject)) or len(value.split()) > 8:
        return []
    if match["plain"] and (name not in _TECHNICAL or subject in FORMS):
        return []
    if name == "costs" and not re.search(r"\d", value):
        return []
    if name in _WITH_TIME and not _TIME_LED.match(value):
        return []
    kind = {"now ": "update", "no longer ": "ending"}.get((match["adverb"] or "").lower())
    found = [value] if name in _WITH_TIME or name in ("location", "port", "owner", "runs on") else values.items(value)
    return [
        Found(name, item, subject=subject, kind=kind, text=sentence(subject, name, item), confidence=0.6)  # type: ignore[arg-type]
        for item in (values.bare(item) if name != "location" else item for item in found)
        if item and not re.match(r"(?i)(?:it|them|this|that|you|me|us|him|her|to)\b", item)
    ]
