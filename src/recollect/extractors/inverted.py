"""Statements whose key comes last: "blue is my favorite color", "Tim is the CEO of Acme"."""

from __future__ import annotations

import re

from recollect._values import is_plural
from recollect.attributes import attribute
from recollect.extractors import nouns, values
from recollect.extractors.nouns import LOOSE, is_slot
from recollect.extractors.patterns import Found
from recollect.extractors.people import NAME, is_name, relation_of
from recollect.extractors.posts import is_one_post, is_post, is_role
from recollect.programs import kind_of_program
from recollect.records import USER, Kind

_TURNED = re.compile(
    r"^(?P<v>[\w'`./@& -]{1,60}?) (?P<be>is|are|was|became|has become) (?P<sure>(?:now |actually |really |in fact )*)"
    r"(?:my|our) (?P<new>new |current )?(?P<key>[\w' -]{2,40})$",
    re.IGNORECASE,
)


def turned(text: str) -> list[Found]:
    """ "Blue is my favorite color": the key comes last."""
    match = _TURNED.match(text)
    if match is None or re.match(
        r"(?i)(?:this|that|it|what|here|there|he|she|they|which|the(?! (?-i:[A-Z]))|these|those|i|we|my|our)\b",
        match["v"],
    ):
        return []
    key = values.without_tail(match["key"])
    tied = nouns.TIED.match(key)
    known = attribute(f"{tied['key']} {tied['at']} {tied['what']}" if tied else key)
    tool = re.search(r"(?i)\w (?:tool|software|system|provider|platform|app|vendor|supplier|carrier)$", known.name)
    someone = (
        is_one_post(known.name) or is_role(known.name) or (" " in known.name and relation_of(known.name.split()[-1]))
    )
    held = match["be"].lower() != "was" and " " in known.name and not is_plural(known.name)
    someone = someone or (held and is_post(tied["key"] if tied else known.name))
    someone = someone or (held and tied and tied["key"].split()[-1] in ("contact", "rep"))
    slot = is_slot(known.name) and kind_of_program(match["v"].strip())
    one = known.known or (tool and values.has_name(match["v"])) or (someone and is_name(match["v"].strip())) or slot
    changed = "now" in match["sure"].lower() or (match["new"] and known.holds == "one")
    kind: Kind | None = "update" if changed else None
    return [Found(known.name, match["v"].strip(), kind=kind, subject=USER, confidence=0.9)] if one else []


_HOLDER = re.compile(
    rf"^(?P<v>{NAME}) (?:is|are|was|became) (?P<now>now )?(?P<the>the )?(?:new )?(?P<key>(?:[a-z-]+ ){{0,2}}"
    rf"[A-Za-z-]+) of (?:the )?(?P<subject>(?:[\w'.-]+ ){{0,3}}?[\w'.-]+)(?P<late> now)?$"
)
_NO_POST = re.compile(
    r"(?i)\b(?:one|part|kind|type|result|cause|reason|end|rest|best|worst|most|first|last|only|king|name|\w+est)\b"
)


def holder(text: str) -> list[Found]:
    """ "Tim is the CEO of Acme", "Paris is the capital of France": said the other way round."""
    match = _HOLDER.match(text)
    if match is None or not is_name(match["v"]) or _NO_POST.search(match["key"]) or LOOSE.search(match["subject"]):
        return []
    if not (match["the"] or is_post(match["key"])):
        return []
    kind: Kind | None = "update" if match["now"] or match["late"] else None
    return [Found(attribute(match["key"]).name, match["v"], kind=kind, subject=match["subject"], confidence=0.6)]
