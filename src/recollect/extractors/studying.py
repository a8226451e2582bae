"""Statements about where and what someone studies."""

from __future__ import annotations

import re

from recollect.extractors import values
from recollect.extractors.dates import Dated
from recollect.extractors.keywords import SCHOOLS
from recollect.extractors.patterns import Found, Groups, proper, rows_of, says, says_each
from recollect.extractors.subjects import Spoken
from recollect.extractors.verbs import Predicate
from recollect.text.values import word_set

row = rows_of(__name__)

_CHILDREN = word_set("son daughter child grandchild nephew niece")
_GOES_TO = re.compile(r"to (?P<v>(?-i:[A-Z])[\w'-]*(?: (?-i:[A-Z])[\w'-]*)?)$")
_LASTINGLY = re.compile(r"(?i)(?:from|since|starting|as of|after)\b")


def sent_to(spoken: Spoken, predicate: Predicate, when: Dated) -> list[Found]:
    """Where a child goes from some time on, or now, is a school: "From September Leo goes to Hillcrest"."""
    match = _GOES_TO.match(predicate.rest) if predicate.verb == "go" and spoken.relation in _CHILDREN else None
    lasts = _LASTINGLY.match(when.phrase) is not None or spoken.rest.endswith(" now")
    if match is None or not lasts or predicate.negated or predicate.tense not in ("present", "future"):
        return []
    return [Found("school", match["v"], kind="plan" if when.ahead else "update", subject=spoken.subject)]


def transfers(groups: Groups, predicate: Predicate) -> list[Found]:
    """Another school or another team."""
    team = re.match(r"(?i)(?:the )?(?P<v>[\w &/-]+?) (?:team|department|squad)\b", groups["v"])
    if team:
        return [Found("team", team["v"])]
    value = values.one(groups["v"], "this", "last", "in", "for", "because", "at")
    old = values.one(groups["old"]) or None
    return [Found("school", value, instead_of=old)] if value and proper(value, predicate) else []


def studies_at(groups: Groups, predicate: Predicate) -> list[Found]:
    subject = [Found("studies", values.bare(values.one(groups["what"])))] if groups["what"] else []
    return [*subject, *says("school", "in", "and", "for", named=True)(groups, predicate)]


row(
    "do",
    r"(?:my|an?) (?:degree|phd|master'?s|bachelor'?s|mba|studies|undergrad)(?: in [\w ]+?)? at "
    r"(?P<v>(?-i:[A-Z]).+)",
    says("studied at", "in", "and", "from", named=True),
    always=True,
)
row(
    "be",
    rf"at (?P<v>(?:the )?(?-i:[A-Z])[\w'. -]*?\b{SCHOOLS}\b[\w ]*)",
    says("school", "in", "on", "for", "with", "now", named=True),
)
row(
    "go",
    r"to (?P<v>(?:the )?(?-i:[A-Z])[\w'. -]*?\b" + SCHOOLS + r"\b[\w ]*|(?-i:St\.? [A-Z])[\w'-]+|(?-i:MIT|ETH|"
    r"UCLA|NYU|Harvard|Yale|"
    r"Stanford|Oxford|"
    r"Cambridge|Princeton)\b.*)",
    says("school", "in", "on", "for", "with", "now", named=True),
)
row(
    "attend",
    rf"(?P<v>(?:the )?(?-i:[A-Z]).*\b{SCHOOLS}\b.*)",
    says("school", "in", "on", "for", "with", named=True),
)
row(
    "start begin enter",
    rf"(?:[\w' ]{{2,30}} )?at (?P<v>(?:the )?(?-i:[A-Z])[\w'. -]*?\b(?-i:{SCHOOLS})\b[\w ]*)",
    says("school", "in", "on", "for", "with", "this", "last", named=True),
    change=True,
)
row("transfer", r"(?:from (?P<old>.+?) )?to (?P<v>.+)", lambda groups, p: transfers(groups, p), change=True)
row("study", r"(?:(?P<what>(?!for\b|at\b)[^,]{2,40}?) )?at (?P<v>.+)", studies_at)
row(
    "study",
    r"(?P<v>(?!are |is |was |for |in |abroad|hard|with |the |at |this |every |all |(?:part|full)[- ]time|remotely|"
    r"online|now\b|prep\b|notes\b|together|alone|late\b|more\b|less\b|a lot|it\b|them\b|time\b|group)\w.+)",
    says_each("studies", "in", "for", "with", "at"),
)
row(
    "do study",
    r"(?:for )?(?:an?|my) (?:phd|doctorate|master'?s?|bachelor'?s?|mba|degree|masters|msc|bsc|ma|ba)(?: degree)? "
    r"(?:in|of) "
    r"(?P<v>[\w ]+?)(?: at (?P<what>.+))?$",
    lambda groups, p: says("studies", "at", "with", "for")(groups, p) if p.ongoing else [],
)
row(
    "be",
    r"(?:now )?in (?:my|his|her) (?:first|second|third|fourth|fifth|final|last) year of (?:an? |my |his |her "
    r")?(?P<what>[\w ]+?)"
    r"(?: degree| course| studies| phd)?(?: at (?P<v>(?-i:[A-Z]).+))?$",
    lambda groups, p: studies_at(groups, p) if groups["v"] else says("studies")({"v": groups["what"]}, p),
)
row("graduate", r"from (?P<v>.+)", says("studied at", "in", "with", "and", "last", named=True), always=True)
row(
    "graduate",
    r"(?:[\w ]{0,30})with (?:an? )?(?:[\w' ]{0,30})degree in (?P<v>.+)",
    says("degree", "from", "at"),
    always=True,
)
row(
    "have hold get earn complete",
    r"(?:an?|my) (?:bachelor'?s?|master'?s?|phd|ph\.d\.|doctorate|mba|degree)(?: degree)? in (?P<v>.+)",
    says("degree", "from", "at"),
    always=True,
)
