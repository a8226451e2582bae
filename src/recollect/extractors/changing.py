"""Statements about what begins and ends: quit, left, stopped, gave up, sold, switched from A to B."""

from __future__ import annotations

import re
from dataclasses import replace

from recollect.attributes import attribute
from recollect.extractors import values
from recollect.extractors.patterns import BY_VERB, Found, Groups, proper, row
from recollect.extractors.people import NAME, relation_of, relation_pattern
from recollect.extractors.tastes import kind_of_thing, without_head
from recollect.extractors.verbs import FORMS, Predicate, read_predicate


def ends_job(groups: Groups, predicate: Predicate) -> list[Found]:
    """The end of a job, with the employer where it is named."""
    name = values.one(groups["v"], "in", "after", "to", "and", "as", "for", "last") if groups["v"] else ""
    return [Found("employer", name if name and proper(name, predicate) else "", kind="ending")]


def stops(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "stopped eating meat": what the verb would state, ended."""
    inner = read_predicate(groups["v"])
    if inner is None or FORMS.get(groups["v"].split()[0].lower(), ("", ""))[1] != "ing":
        return []
    inner = replace(inner, tense="present", ongoing=False, ended=True)
    for pattern in BY_VERB.get(inner.verb, []):
        if found := pattern.read(inner):
            return [piece if piece.kind else replace(piece, kind="ending") for piece in found]
    value = values.cut(f"{inner.verb} {inner.rest}")
    return [Found("habit", value, kind="ending", confidence=0.8)] if values.fits(value) else []


def gives_up(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "gave up coffee": whatever it was the value of ends."""
    if inner := stops(groups, predicate):
        return inner
    items = [values.bare(item) for item in values.items(groups["v"], "for")]
    return [
        Found("", item, kind="ending", instead_of=item) for item in items if len(item.split()) <= 3 and item != "it"
    ]


def parts_with(groups: Groups, predicate: Predicate) -> list[Found]:
    value = re.sub(r"(?i)^old ", "", values.bare(values.one(groups["v"], "for", "to", "on", "at", "in")))
    if not value or predicate.ongoing:
        return []
    return [
        Found(
            "car" if value.lower() in ("car", "truck") else "possession",
            "" if value.lower() == "car" else value,
            kind="ending",
        )
    ]


def separates(groups: Groups, predicate: Predicate) -> list[Found]:
    """The end of a relationship, with whom where that is told."""
    who = groups["v"]
    if match := re.match(rf"(?:my|our) (?P<rel>{relation_pattern()})", who):
        relation = relation_of(match["rel"]) or "partner"
        return [Found(relation, "", kind="ending"), Found("relationship", "single", kind="update")]
    if match := re.match(NAME, who):
        return [Found("", match[0], kind="ending", instead_of=match[0]), Found("relationship", "single", kind="update")]
    return [Found("relationship", "single", kind="update")]


def changes(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "changed my phone number to …"."""
    value, old = values.one(groups["v"], "for", "because"), values.one(groups["old"]) or None
    return [Found(attribute(groups["key"]).name, value, instead_of=old)] if value else []


def switches(groups: Groups, predicate: Predicate) -> list[Found]:
    """A change from one thing to another; when nothing tells what kind of thing, the old value does."""
    new = values.bare(values.one(groups["v"], "for", "at", "in", "on", "after", "last", "from"))
    old = values.bare(values.one(groups["old"], "for")) or None
    if not new or (re.match(r"(?i)(?:a|an|the|my|another) ", groups["v"]) and not old):
        return []
    kind = kind_of_thing(new, old or "")
    if kind:
        return [Found(attribute(f"{kind} preference").name, without_head(new, kind), kind="update", instead_of=old)]
    if old:
        return [Found("", new, kind="update", instead_of=old, confidence=0.9)]
    return [Found("uses", new, kind="update", confidence=0.8)] if values.has_name(new) else []


row("quit", r"(?:working (?:at|for) |my job at |(?:the|a) job at )?(?P<v>(?-i:[A-Z]).*)", ends_job, change=True)
row(
    "quit leave lose resign",
    r"(?:from )?(?:my|the|that|this) (?:old |current |previous |last )?(?:job|position|role|company)\b(?: (?:at|"
    r"with) (?P<v>.+))?",
    ends_job,
    change=True,
)
row("leave", r"(?P<v>(?-i:[A-Z]).*)", ends_job, change=True)
row("resign", r"(?:from )?(?P<v>.*)", ends_job, change=True)
row("be get", r"(?:fired|laid off|let go|made redundant)(?: (?:from|by|at) (?P<v>.+))?", ends_job, change=True)
row("stop quit", r"(?P<v>\w+ing\b.*)", stops, change=True)
row("give", r"up (?:on )?(?P<v>.+)", gives_up, change=True)
row("sell", r"(?P<v>(?:my|our) .+)", parts_with, change=True)
row("get", r"rid of (?P<v>(?:my|our) .+)", parts_with, change=True)
row("break split", r"up(?: with (?P<v>.+))?", separates, change=True)
row("change update", r"(?:my|our) (?P<key>[\w ]{2,40}?)(?: from (?P<old>.+?))? to (?P<v>.+)", changes, change=True)
row("switch change convert migrate", r"(?:over )?(?:from (?P<old>.+?) )to (?P<v>.+)", switches, change=True)
row("switch convert migrate", r"(?:over |back )?to (?P<v>.+?)(?: from (?P<old>.+))?$", switches, change=True)
