"""Statements about what begins and ends: quit, left, stopped, gave up, sold, switched from A to B."""

from __future__ import annotations

import re
from dataclasses import replace

from recollect.extractors import values
from recollect.extractors.open_verbs import STANCES, open_predicate
from recollect.extractors.patterns import BY_VERB, Found, Groups, first_found, proper, rows_of
from recollect.extractors.people import NAME, relation_of, relation_pattern
from recollect.extractors.plainly import kept_up
from recollect.extractors.subjects import Spoken
from recollect.extractors.tastes import kind_of_thing, without_head
from recollect.extractors.verbs import Predicate, base_and_form, read_predicate
from recollect.facts.attributes import attribute
from recollect.records import USER
from recollect.text.values import is_plural

row = rows_of(__name__)


_LIVING_IN = ("roommate", "tenant", "au pair")
"""Who is something to the speaker only for as long as they live there."""


def departed(spoken: Spoken, predicate: Predicate) -> list[Found]:
    """Someone of the speaker's who is gone: a pet that died, a flatmate who moved out."""
    if spoken.first or spoken.own or predicate.negated or predicate.tense in ("future", "formerly"):
        return []
    said = f"{predicate.verb} {predicate.rest}".lower()
    name = spoken.called or spoken.name
    if predicate.ended and re.match(r"be with us", said):
        said = "die"
    if re.match(
        r"die\b|not make it|be no longer with us|pass(?:ed)? away|be (?:dead|put (?:down|to sleep))|pass\b(?! \w)", said
    ):
        owner, _, theirs = spoken.subject.rpartition("'s ")
        if owner and attribute(relation_of(theirs) or "note").category == "pets":
            return [Found(relation_of(theirs) or "", "", kind="ending", subject=owner)]
        relation = spoken.relation or (spoken.subject.split()[0] if spoken.known else "")
        if attribute(relation or "note").category == "pets":
            return [Found(relation, name, kind="ending", subject=USER)]
        return [Found("status", "died", kind="update", subject=spoken.subject, text="has died")] if spoken.known else []
    if re.match(r"(?:move|moved) (?:out|away)$|(?:move|moved) out of (?:my|our|the) (?!way|picture|frame|room)", said):
        if spoken.relation in _LIVING_IN:
            return [Found(spoken.relation, name, kind="ending", subject=USER)]
        if attribute(spoken.relation or "note").category in ("people", "work"):
            # A neighbor who moves out never lived with us; a friend may have, if that is known.
            ended = Found("lives with", name, kind="ending", subject=USER, negated=True)
            return [ended] if name and spoken.relation == "friend" and "away" not in said else []
        return [Found("lives with", name or spoken.subject, kind="ending", subject=USER)]
    if spoken.relation in _LIVING_IN and re.match(r"(?:go|move) (?:back|home)\b|move to ", said):
        return [Found(spoken.relation, name, kind="ending", subject=USER)]
    return []


def lost(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "we lost our dog Rex"."""
    relation = relation_of(groups["rel"]) or ""
    pet = attribute(relation or "note").category == "pets"
    return [Found(relation, groups["name"], kind="ending")] if pet and predicate.tense in ("past", "perfect") else []


def replaces(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "we replaced Jenkins with Buildkite": the new one in the place of whatever has the old one's name."""
    if predicate.ongoing or predicate.tense == "future" or predicate.negated:
        return []
    stop = ("because", "after", "last", "as", "in the", "in our", "on the")
    new = values.bare(values.one(groups["new"], *stop))
    old = values.bare(values.one(groups["v"], "for", "from", "because", "in", "at", "to", "on"))
    named = new and old and len(old.split()) <= 5
    return [Found("", new, kind="update", instead_of=old, confidence=0.9)] if named else []


def retires(groups: Groups, predicate: Predicate) -> list[Found]:
    """The end of work; the work itself is over."""
    if predicate.negated or predicate.tense == "formerly":
        return []
    return [Found("occupation", "retired", kind="update", text="is retired")]


def ends_job(groups: Groups, predicate: Predicate) -> list[Found]:
    """The end of a job, with the employer where it is named. What one "left" may be no firm: it ends the employer of
    that name, and states none."""
    leaves = predicate.verb == "leave" and bool(groups["v"])
    if leaves and values.LEFT_SOMEWHERE.match(groups["v"]):
        return []
    said = values.one(groups["v"], "in", "after", "to", "and", "as", "for", "last", "with") if groups["v"] else ""
    if said and not proper(said, predicate):
        return []
    return [Found("employer", said, kind="ending", confidence=_ONLY_ENDS if leaves else 0.95)]


_ONLY_ENDS = 0.55
"""So sure is an ending that ends what it names if that is known, and states nothing otherwise."""


def stops(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "stopped eating meat": what the verb would state, ended."""
    inner = open_predicate(groups["v"])
    if inner is None or base_and_form(groups["v"].split()[0].lower())[1] != "ing":
        return []
    inner = replace(inner, tense="present", ongoing=False, ended=True)
    for pattern in BY_VERB.get(inner.verb, []):
        if found := pattern.read(inner):
            return [piece if piece.kind else replace(piece, kind="ending") for piece in found]
    if found := kept_up(inner):
        return found
    value = values.one(f"{inner.verb} {inner.rest}")
    return [Found("habit", value, kind="ending", confidence=0.8)] if values.fits(value) else []


def starts(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "started learning Arabic": what the verb would state, begun."""
    inner = open_predicate(groups["v"])
    if inner is None or inner.verb in ("work",) or base_and_form(groups["v"].split()[0].lower())[1] != "ing":
        return []
    adverbs = inner.adverbs | predicate.adverbs
    found = first_found(replace(inner, tense="present", ongoing=True, adverbs=adverbs))
    found = found or kept_up(replace(inner, tense="present", ongoing=False, adverbs=adverbs))
    begun = [item for item in found if not item.kind and item.attribute not in ("event", "plan", "goal")]
    begun = [item if attribute(item.attribute).known else replace(item, many=True) for item in begun]
    return [*begun, *(item for item in found if item.kind == "ending" and "again" in adverbs)]


def switches_to_doing(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "switched to working out in the morning": another habit in place of the old one."""
    inner = read_predicate(groups["v"])
    if inner is None or predicate.tense not in ("past", "perfect"):
        return []
    value = values.fits(values.cut(f"{inner.verb} {inner.rest}"))
    return starts(groups, predicate) or ([Found("habit", value, kind="update", confidence=0.8)] if value else [])


def parts_with(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "sold my piano": the thing of exactly that name is no possession any more."""
    value = values.bare(values.one(groups["v"], "for", "to", "on", "at", "in"))
    if not value or predicate.ongoing or relation_of(value):
        return []
    return [Found("possession", value, kind="ending", confidence=_ONLY_ENDS)]


def separates(groups: Groups, predicate: Predicate) -> list[Found]:
    """The end of a relationship, with whom where that is told."""
    who = groups["v"]
    if match := re.match(rf"(?:my|our) (?P<rel>{relation_pattern()})", who):
        relation = relation_of(match["rel"]) or "partner"
        return [Found(relation, "", kind="ending"), Found("relationship", "single", kind="update")]
    return [Found("relationship", "single", kind="update")]


def changes(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "changed my phone number to …"."""
    value, old = values.one(groups["v"], "for", "because"), values.one(groups["old"]) or None
    if predicate.verb not in ("change", "update") and not attribute(groups["key"]).known:
        return []
    several = is_plural(groups["key"].split()[-1]) or attribute(groups["key"]).name == "habit"
    one = None if several else False  # "my major": there is one of it.
    return [Found(attribute(groups["key"]).name, value, instead_of=old, many=one)] if value else []


def is_diet(value: str) -> bool:
    return (
        re.fullmatch(r"(?i)(?:an? )?(?:vegetarian|vegan|pescatarian|keto|paleo|omnivore)(?: diet)?", value) is not None
    )


def leaves_home(groups: Groups, predicate: Predicate) -> list[Found]:
    value = values.one(groups["v"], "for", "to", "because", "last", "in")
    return [Found("home", value, kind="ending")] if value and predicate.tense in ("past", "perfect") else []


def rewrites(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "rewrote the parser in Rust": what it is built with."""
    what = values.bare(values.one(groups["v"]))
    new = values.bare(values.one(groups["new"], "last", "over", "because"))
    old = values.one(groups.get("old", "")) or None
    if (
        not what
        or not values.has_name(new)
        or len(what.split()) > 4
        or what.lower() in ("it", "that", "this", "everything")
    ):
        return []
    return [Found("built with", new, kind="update", subject=what, instead_of=old, many=False)]


def switches(groups: Groups, predicate: Predicate) -> list[Found]:
    """A change from one thing to another; when nothing tells what kind of thing, the old value does."""
    new = values.bare(
        values.one(groups["v"], "for", "at", "in", "on", "after", "last", "from", "over", "this", "because")
    )
    old = values.bare(values.one(groups["old"], "for")) or None
    if not new or (re.match(r"(?i)(?:a|an|the|my|another) ", groups["v"]) and not old):
        return []
    if is_diet(new):
        return [Found("diet", new, kind="update", instead_of=old)]
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
row("be get", r"(?:fired|laid off|let go|made redundant)(?: (?:from|by|at) (?P<v>.+))?", ends_job, change=True)
row("stop quit", r"(?P<v>\w+ing\b.*)", stops, change=True)
row(
    "be",
    r"(?:done|finished|through)(?: with)? (?P<v>\w+ing\b.*)",
    lambda groups, p: [] if base_and_form(groups["v"].split()[0].lower())[0] in STANCES else stops(groups, p),
    change=True,
)
row("give", r"up (?P<v>\w+ing\b.*)", stops, change=True)
row("sell dump return close rehome", r"(?:down |off )?(?P<v>(?:my|our|the) .+)", parts_with, change=True)
row("retire", r"(?P<v>)(?!(?:the|my|our|that|it)\b)", retires)
row(
    "lose bury cremate",
    rf"(?:my|our) (?:[a-z]+ )?(?P<rel>{relation_pattern()})(?:,? (?P<name>{NAME}))?$",
    lost,
    change=True,
)
row(
    "drop ditch abandon scrap axe",
    r"(?P<v>(?:my|our|the )?.+?) (?:for (?=(?-i:[A-Z]))|in favou?r of )(?P<new>[\w.+-].*)",
    replaces,
    change=True,
)
row(
    "replace",
    r"(?:in |out )?(?P<v>(?!(?:phone )?numbers\b|e-?mails\b|contact|gifts\b|vows\b|ideas\b|messages\b|words\b).+?) "
    r"(?:with|for|by) (?P<new>.+)",
    replaces,
    change=True,
)
row(
    "move",
    rf"out of (?P<v>(?:my|our|his|her|their) {relation_pattern()})(?:'s|s'|')?(?: (?:place|house|flat|apartment|"
    rf"home|basement))?$",
    lambda groups, p: [Found("lives with", groups["v"], kind="ending")] if p.tense in ("past", "perfect") else [],
    change=True,
)
row("move", r"(?:out of|away from) (?P<v>(?-i:[A-Z]).*)", lambda groups, p: leaves_home(groups, p), change=True)
row(
    "give",
    r"(?:away (?P<v>(?:my|our|the) .+)|(?P<w>(?:my|our|the) .+?) away)$",
    lambda groups, p: parts_with({"v": groups["v"] or groups["w"]}, p),
    change=True,
)
row("donate toss", r"(?:out )?(?P<v>(?:my|our) .+?)(?: to .+)?$", parts_with, change=True)
row("throw", r"(?:out|away) (?P<v>(?:my|our) .+)$", parts_with, change=True)
row(
    "be",
    r"(?:together|a couple|an item)(?: with (?P<v>.+))?$",
    lambda groups, p: separates(groups, p) if p.ended or p.negated else [],
)
row("be", rf"with (?P<v>{NAME})$", lambda groups, p: separates(groups, p) if p.ended else [])
row(
    "rewrite port",
    r"(?P<v>.+?) (?:from (?P<old>.+?) )?(?:in|to) (?P<new>.+)",
    lambda groups, p: rewrites(groups, p),
    change=True,
)
row("get", r"rid of (?P<v>(?:my|our|the) .+|(?-i:[A-Z]).*)", parts_with, change=True)
row(
    "break split",  # no fight, and nothing into its parts
    r"up(?! (?:my|our|some|into|the (?!other\b)|an? (?!while\b|few\b|(?:\w+ )?\w+ ago\b)))(?: with (?P<v>.+))?",
    separates,
    change=True,
)
row("split", r"(?:with (?P<v>.+))?$", separates, change=True)
row("call", r"it quits(?: with (?P<v>.+))?$", separates, change=True)
row(
    "call break end",
    r"(?:off )?(?:the|my|our|his|her|their) engagement(?: off)?(?: (?:with|to) (?P<v>.+))?$",
    separates,
    change=True,
)
row(
    "drive",
    r"(?P<v>(?:the|that|my|our) (?-i:[A-Z]).*)",
    lambda groups, p: (
        [Found("car", values.bare(values.one(groups["v"])), kind="ending" if p.ended else None)]
        if p.ended or "still" in p.adverbs
        else []
    ),
)
row(
    "go",
    r"(?P<v>(?:to|out|swimming|running|climbing|dancing|cycling|hiking)\b.*)",
    lambda groups, p: (
        [Found("habit", f"go {values.one(groups['v'])}", kind="ending", confidence=0.8)] if p.ended else []
    ),
)
row(
    "switch change move go",
    r"(?:over |back )?to (?P<v>\w+ing\b.*)",
    lambda groups, p: switches_to_doing(groups, p),
    change=True,
)
row("start begin", r"(?P<v>\w+ing\b.*)", lambda groups, p: starts(groups, p), change=True)
row(
    "change update switch move upgrade set raise lower increase reduce cut",
    r"(?:my|our) (?P<key>[\w ]{2,40}?)(?: "
    r"from (?P<old>.+?))? to (?P<v>.+)",
    changes,
    change=True,
)
row(
    "switch change",
    r"(?P<key>banks?|jobs?|schools?|universit(?:y|ies)|colleges?|doctors?|dentists?|gyms?|phones?|editors?|cars?|"
    r"employers?|teams?|therapists?|coach(?:es)?)(?: from (?P<old>.+?))?(?: to (?P<v>.+))$",
    lambda groups, p: switches_kind(groups, p),
    change=True,
)
row(
    "switch change convert migrate upgrade downgrade swap",
    r"(?:over )?(?:from (?P<old>.+?) )to (?P<v>.+)",
    switches,
    change=True,
)
row("switch convert migrate", r"(?:over |back )?to (?P<v>.+?)(?: from (?P<old>.+))?$", switches, change=True)


def switches_kind(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "switched banks from A to B": the noun tells what kind of value it is."""
    key = {"job": "employer", "jobs": "employer"}.get(groups["key"].lower(), groups["key"])
    new = values.bare(values.one(groups["v"], "because", "last", "this", "in", "for"))
    old = values.bare(values.one(groups["old"])) or None
    return [Found(attribute(key).name, new, kind="update", instead_of=old)] if new else []
