"""What was found in a message as drafts: dated, in words, and set against what was said before it."""

from __future__ import annotations

import re
from dataclasses import replace

from recollect.extractors import corrections, values
from recollect.extractors.clauses import Clause
from recollect.extractors.dates import Dated
from recollect.extractors.exact import more_exact
from recollect.extractors.for_once import is_for_once
from recollect.extractors.initials import plain_initials
from recollect.extractors.patterns import Found
from recollect.extractors.people import NAME, Cast, is_name, key_of, relation_of
from recollect.extractors.subjects import Spoken, introduced, mentioned
from recollect.extractors.telling import nationality
from recollect.extractors.verbs import Predicate
from recollect.facts.attributes import attribute, sentence
from recollect.records import USER, Draft, Kind, Message, Source

_ALSO = re.compile(
    r"(?i)\b(?:also|another|too|as well|in addition|additionally|besides|alongside|on top of|"
    r"along with)\b"
)
_BESIDE = re.compile(r"(?i)\b(?:i|we|he|she|they|my \w+)(?:'m|'s|'re| am| is| are)? also\b")
_NOW = re.compile(r"(?i)\b(?:now|these days|nowadays|from now on|as of|instead|as of today)\b")
_ON_VERSION = re.compile(r"(?i)\bwe(?:'re| are) on (?-i:[A-Z])\w* v?\d")
_SINCE = re.compile(r"(?i)^(?!.*\b(?:have|has|had|been)\b).*\bsince (?:the|my|our|we|i|last)\b")
"""What is so since something happened, told in the present, was otherwise before."""
_OTHERWISE = re.compile(r"(?i)\bchanged (?:my|our|his|her|their) minds?\b")
_ONLY = re.compile(r"(?i)\b(?:only|nothing but|exclusively|solely)\b")
_MOOD = re.compile(
    r"(?i)(?:excited|tired|happy|fine|ok|good|great|bored|ready|sad|hungry|done|back|home|new|glad|sure|in|on|so)\b"
)
_AS_IT_WERE = frozenset(("basically", "literally", "totally", "practically", "obviously"))
"""Adverbs with which one only compares oneself."""
LONGEST_QUOTE = 300
_HABITUAL = frozenset(("plan", "event"))


_THE_FAMILY = re.compile(r"\bthe (?=[A-Z])")
Stated = tuple[str, Found, Kind]
"""Of whom, what, and how."""


def how_many(name: str, found: Found, kind: Kind, clause: Clause) -> bool | None:
    """Whether a value stands beside others, as far as the words tell: "I'm also a DJ", "I drive a Kia now"."""
    known = attribute(name or "note")
    several = known.holds == "many" or not known.known or known.category == "contact"
    if several and _ALSO.search(f"{clause.lead} {clause.text}"):
        return True
    beside = kind == "state" and found.many is None and _BESIDE.search(clause.text) is not None
    return True if beside else found.many


class Drafting:
    """The drafts of one message so far, and what they tell of the people and things that are spoken of."""

    def __init__(self, message: Message, cast: Cast, said: str = "") -> None:
        self.message = message
        self.said = said or message.content
        self.cast = cast
        self.drafts: list[Draft] = []
        self.speaker = message.name or USER

    def put_right_by_value(self, text: str, old: str | None) -> list[Stated]:
        """A value set against an old one without what it is the value of: whatever has the old one."""
        new = corrections.value_in(text) if old else ""
        return [(self.speaker, Found("", new, instead_of=old), "correction")] if new else []

    def not_mine(self, found: list[Stated]) -> list[Stated]:
        """What is said of someone else, as what is not so of the speaker: "my dad is diabetic, not me"."""
        theirs = [item for subject, item, kind in found if subject != self.speaker and kind in ("state", "update")]
        denied = [Found(item.attribute, item.value, kind="ending", negated=True) for item in theirs]
        return [(self.speaker, item, "ending") for item in denied]

    def notice(self, subject: str, name: str, value: str) -> None:
        """Whom a draft tells of, for a later "she" or "who"."""
        relation = relation_of(name)
        if subject == self.speaker and relation and relation != "pet":
            self.cast.mention(self.cast.subject(relation, value), relation)
        elif name in ("family", "pet") and (relation := relation_of(value.split()[-1])):
            self.cast.mention(relation, relation)

    def mention(self, text: str) -> None:
        """Those who are spoken of without being told about: "I bought a present for my mom"."""
        for relation in mentioned(text):
            if not any(seen == relation for _, seen in self.cast.recent):
                self.cast.mention(relation, relation)

    def meet(self, text: str, clause: Clause) -> None:
        """People who are named in passing become known, and those who are known may be meant by "she"."""
        for name in self.cast.within(text):
            self.cast.mention(self.cast.named[name], self.cast.relation_named(name))
        for relation, name in introduced(text):
            self.cast.mention(self.cast.subject(relation, name), relation)
            self.draft(self.speaker, Found(relation, name), "state", clause, Dated(text))

    def names(self, relation: str, said: str) -> list[Stated]:
        """Names that are told of someone by their relation."""
        found: list[Stated] = []
        for name in values.items(re.sub(r"(?i)^(?:spelled|spelt|actually|called) |,? now$", "", said)):
            name = name if values.has_name(name) else name.title()
            short = len(name.split()) <= 3 or (len(name.split()) <= 5 and re.fullmatch(NAME, name))
            if short and is_name(name):
                subject = self.cast.subject(relation, name)
                self.cast.mention(subject, relation)
                known = self.cast.relations.get(relation, set()) - {key_of(name)}
                again = len(known) == 1 and re.search(r"(?i)\bnow$", said) is not None  # "my dog is called Waffle now"
                found.append((self.speaker, Found(relation, name, many=False if again else None), "state"))
        return found

    def own_name(self, spoken: Spoken, predicate: Predicate) -> list[Stated]:
        """ "I'm Dana"."""
        told = spoken.first and predicate.verb == "be" and predicate.tense == "present" and not predicate.negated
        told = told and not predicate.adverbs & _AS_IT_WERE
        if (
            not told
            or not re.fullmatch(NAME, predicate.rest)
            or not is_name(predicate.rest)
            or _MOOD.match(predicate.rest)
        ):
            return []
        return [(spoken.subject, Found("name", predicate.rest, confidence=0.8), "state")]

    def name_told(self, spoken: Spoken, predicate: Predicate) -> list[Stated]:
        """ "my wife is called Maria", "my boss is Tom"."""
        said = _THE_FAMILY.sub("", predicate.rest) if spoken.relation == "neighbor" else predicate.rest
        match = re.match(rf"(?:(?i:called|named)\s+(?P<called>.+)|(?P<name>{NAME}(?:(?:, | and ){NAME})*))$", said)
        if match is None or predicate.negated:
            return []
        if match["name"] and spoken.pronoun and self.cast.is_renamed(spoken.relation, match["name"]):
            return [(self.speaker, Found(spoken.relation, match["name"]), "update")]
        if match["name"] and (spoken.pronoun or not is_name(match["name"].split(" and ")[0]) or nationality(predicate)):
            return []
        anew = " now" if match["called"] and re.search(r"(?i)\bnow$", spoken.rest) else ""
        told = self.names(spoken.relation, (match["called"] or match["name"]) + anew)
        told = [(who, replace(item, attribute=spoken.role or item.attribute), kind) for who, item, kind in told]
        return [(who, item, "past" if predicate.tense == "past" else kind) for who, item, kind in told]

    def shaded(self, kind: Kind, clause: Clause, item: Found) -> Kind:
        """A plain state that is said as news is an update."""
        if kind == "state" and item.attribute == "uses" and _ON_VERSION.search(clause.text):
            return "update"  # Who is on a version is on no other.
        if (
            kind == "state"
            and (
                re.search(r"\bactually\b", clause.lead)
                or _NOW.search(f"{clause.lead} {clause.text}")
                or _SINCE.match(clause.text)
                or (item.attribute == "goal" and _OTHERWISE.search(self.message.content[:400]))
            )
            and item.attribute not in _HABITUAL
        ):
            return "update"
        return kind

    def draft(self, subject: str, found: Found, kind: Kind, clause: Clause, when: Dated) -> None:
        """Adds a draft, dated and in words, unless it was told already or is so only this once."""
        if is_for_once(found, kind, clause.text, self.message.content):
            return
        name, found = self.filed(subject, found)
        told = list(self.drafts)
        kind, found = self.instead_of_denied(subject, name, found, kind)
        kept = {id(one) for one in self.drafts}
        parted = next((one.until for one in told if one.kind == "ending" and id(one) not in kept), None)
        same = [one for one in self.drafts if (one.subject, one.attribute, one.value) == (subject, name, found.value)]
        if kind == "ending" and found.value:
            self.drafts = [one for one in self.drafts if one not in same or one.kind == "ending"]
        elif same and not self.outdone(same, kind, when):
            return
        former = self.cast.relation_named(found.value) if found.value and relation_of(name) else ""
        self.notice(subject, name, found.value)
        someone = relation_of(found.value.split()[-1]) if name == "family" and found.value else None
        if someone and attribute(someone).category == "people":
            if kind != "ending":
                return  # A new hairdresser is no family; her name may follow.
            name, found = someone, replace(found, attribute=someone, value="")
        made = self.made(subject, name, found, kind, clause, when)
        self.drafts.append(replace(made, since=made.since or (parted if kind == "update" else None)))
        if kind in ("state", "correction") and subject == self.speaker:
            self.after_all(former, name, found, clause, when)

    def filed(self, subject: str, found: Found) -> tuple[str, Found]:
        """The attribute of what was found, as its words and its value tell."""
        name = attribute(found.attribute).name if found.attribute else self.cast.relation_named(found.instead_of or "")
        return more_exact(name, found)

    def made(self, subject: str, name: str, found: Found, kind: Kind, clause: Clause, when: Dated) -> Draft:
        known = attribute(name or "note")
        since, until = when.window(kind, name)
        return Draft(
            subject=subject,
            attribute=name,
            value=found.value,
            text=self.words(subject, name, found, when),
            said=self.message.at,
            kind=kind,
            category=known.category if name else "other",
            since=since,
            until=until,
            instead_of=found.instead_of,
            many=how_many(name, found, kind, clause),
            negated=found.negated,
            origin=self.message.origin,
            confidence=found.confidence,
            source=Source(self.message.id, self.quoted(clause)),
        )

    def outdone(self, same: list[Draft], kind: Kind, when: Dated) -> bool:
        """Whether what was told of the same gives way: an offer taken to when it begins, a plan to what is so."""
        coming = kind == "plan" and when.ahead and all(one.kind == "update" and one.since is None for one in same)
        come = kind in ("state", "update") and all(one.kind == "plan" for one in same)
        if coming or come:
            self.drafts = [one for one in self.drafts if one not in same]
        return coming or come

    def quoted(self, clause: Clause) -> str:
        """The words as they were said."""
        at = plain_initials(self.said, {}).casefold().replace("’", "'").find(clause.text.casefold())
        return self.said[at : at + len(clause.text)] if at >= 0 else self.said[:LONGEST_QUOTE]

    def instead_of_denied(self, subject: str, name: str, found: Found, kind: Kind) -> tuple[Kind, Found]:
        """What is said after a denial stands in its place: "I never lived in Salem. I live in Selma"."""
        if kind not in ("state", "update", "correction") or not name:
            return kind, found
        for denial in self.drafts:
            same = (denial.subject, denial.attribute) == (subject, name) and denial.kind == "ending" and denial.value
            if same and (denial.negated or kind != "correction") and denial.value != found.value:
                self.drafts.remove(denial)
                return "correction" if denial.negated else "update", replace(found, instead_of=denial.value)
            if (denial.subject, denial.attribute, denial.kind, denial.value) == (subject, name, "ending", ""):
                self.drafts.remove(denial)  # "I eat fish again, so I'm pescatarian now": one takes the other's place.
                return "update", found
        return kind, found

    def after_all(self, before: str, name: str, found: Found, clause: Clause, when: Dated) -> None:
        """Who is "actually my cousin" is not the sister that we took her for."""
        if before and before != name and re.search(r"(?i)\bis (?:actually|really|in fact) (?:my|our)\b", clause.text):
            self.draft(self.speaker, Found(before, found.value, negated=True), "ending", clause, when)

    def words(self, subject: str, name: str, found: Found, when: Dated) -> str:
        """The sentence a person would read; what is dated keeps its date."""
        if not found.value and name:
            return f"{attribute(name).name}: none"
        text = found.text or (sentence(subject, name, found.value) if name else found.value)
        if name in ("event", "plan") and when.phrase:
            text = f"{text} {when.phrase}" + (f" ({when.day})" if when.day else "")
        if found.text and subject != USER and subject.casefold() not in found.text.casefold():
            text = f"{subject} {text}"
        return text
