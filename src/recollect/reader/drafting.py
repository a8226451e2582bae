"""The drafts of one message so far: of whom, dated, in words, and set against what the message denied before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from recollect.facts.attributes import attribute, sentence
from recollect.facts.subjects import KnownPeople, relation_of, relation_words
from recollect.reader.clauses import Clause, Statement, Verb
from recollect.reader.tables import NAME, VerbRow, tables
from recollect.reader.values import is_name
from recollect.records import USER, Draft, Effect, Fact, Message, Source, Target
from recollect.text.dates import When

# Who is meant: people and pets by relation, by name, by he and she; things by their words


@lru_cache(maxsize=1)
def relative() -> re.Pattern[str]:
    """Someone of the speaker's: "my older sister Anna", "our dog"."""
    ranks = "|".join(sorted(tables().words["ranks"]))
    words = "|".join(re.escape(word) for word in sorted(relation_words(), key=len, reverse=True))
    return re.compile(
        rf"\b(?i:my|our) (?:(?i:{ranks}) ){{0,2}}(?P<relation>(?i:{words}))(?![\w-])(?: (?P<name>{NAME}))?"
    )


class People(KnownPeople):
    """Those that the known facts tell of, and those that a message names."""

    def __init__(self, known: Sequence[Fact], speaker: str, spoken_of: Sequence[str]) -> None:
        super().__init__(known, speaker)
        self.recent = list(spoken_of)

    def mention(self, subject: str) -> None:
        """Notes who was spoken of, for a later "she"."""
        if subject != USER:
            self.recent = [*(one for one in self.recent if one != subject), subject][-4:]

    def by_pronoun(self, pronoun: str) -> str | None:
        """The one person that he or she can mean, if there is only one."""
        words, several = tables().words, pronoun in ("they", "their")
        wrong = words["male"] if pronoun in ("she", "her") else words["female"] if pronoun in ("he", "his") else ()
        able = [one for one in self.recent if self.kind_of(one) not in wrong and is_several(one) == several]
        return able[0] if len(able) == 1 else None

    def kind_of(self, subject: str) -> str:
        """The relation of a subject, as far as it is known."""
        return self.relation.get(subject) or relation_of(subject) or relation_of(subject.split()[0]) or ""

    def someone(self, words: str) -> str | None:
        """The person that the words of a subject mean: "my sister Anna", "Anna"."""
        if match := relative().fullmatch(words):
            word, name = match["relation"].lower(), match["name"] or ""
            if name and not is_name(name):
                return None
            return word if not name and is_several(word) else self.subject(relation_words()[word], name)
        return self.named(words) if words[:1].isupper() else None


def is_several(subject: str) -> bool:
    """Whether a subject is more than one: "parents", "kids"."""
    relation = relation_of(subject)
    return relation is not None and relation != subject and subject.endswith(("s", "children")) and subject != "boss"


# What a verb does: states, changes, ends, plans


def is_denial(verb: Verb, said: Statement) -> bool:
    """Whether something is only denied, and not said to be over."""
    return "not" in verb.said and "no longer" not in verb.said and not said.is_over


def effect_of(row: VerbRow, verb: Verb, said: Statement) -> tuple[Effect | None, str]:
    """How a row is told by a verb: the kind of draft and the attribute; no effect where it tells nothing."""
    tense, name, dated = verb.tense, row.attribute, bool(said.whens)
    over = "no longer" in verb.said or said.is_over
    if over or tense == "ended" or "not" in verb.said:
        if row.role != "is" or tense not in ("present", "doing", "ended"):
            return None, name
        if row.denied and not over and tense == "present":
            return "states", row.denied
        return "ends", name
    if "never" in verb.said or (row.dated and not dated):
        return None, name
    if row.role == "becomes":
        come = tense in ("past", "done", "begun")
        return ("replaces" if come else "plans" if tense in ("doing", "future") or dated else None), name
    if row.role == "ends":
        return ("ends" if tense in ("past", "done") or (dated and tense in ("doing", "future")) else None), name
    return is_so(row, verb, said), name


def is_so(row: VerbRow, verb: Verb, said: Statement) -> Effect | None:
    """How something is told that is so, was so or will be so."""
    told = {when.relation for when in said.whens}
    lasting = verb.tense in ("done", "doing") and (row.doing or "since" in told or "always" in verb.said)
    present = verb.tense == "present" and (not told & {"during", "until"} or said.is_for_a_while)
    if lasting or verb.tense == "begun" or present:
        return "replaces" if said.is_news and attribute(row.attribute).holds == "one" else "states"
    if verb.tense == "past":
        return "states" if row.was else "past" if told else None
    return "past" if verb.tense == "used" else "plans" if verb.tense == "future" and told else None


def time_window(effect: Effect, whens: Sequence[When], said: datetime) -> tuple[datetime | None, datetime | None]:
    """Since when and until when something holds that is told so."""
    since = next((when.start for when in whens if when.relation != "until"), None)
    during = next((when.end for when in whens if when.relation == "during"), None)
    last = next((when for when in whens if when.relation == "until"), None)
    until = None
    if last:  # "until Friday" takes the day in; "until 2019" ends when that year came
        until = last.end if last.end - last.start <= timedelta(days=1, hours=2) else last.start
    if effect == "ends":
        return None, since or until
    if effect == "plans" and since is not None and since <= said and during is not None and during > said:
        since = during  # "in June", told in June: it will have begun by the end of it
    lasts = effect == "past" or (effect == "states" and during is not None and during > said)
    return since, until or (during if lasts else None)


# Drafts

SURE, UNSURE = 0.95, 0.55


@dataclass(frozen=True)
class Understood:
    """What was understood of a clause."""

    who: str
    attribute: str
    effect: Effect
    values: Sequence[str]
    row: VerbRow | None = None
    old: str | None = None
    """The value that these take the place of."""
    negated: bool = False


class Drafting:
    """Makes drafts of what was understood."""

    def __init__(self, message: Message, people: People) -> None:
        self.message, self.people, self.drafts = message, people, list[Draft]()
        self.low = message.content == message.content.lower()
        """Whether the speaker writes no capitals."""

    def tell(self, said: Statement, told: Understood) -> Understood:
        """One draft a value."""
        if told.effect == "ends" and said.is_for_a_while:
            return told  # it is so again afterwards
        many = True if len(told.values) > 1 or tables().patterns["also"].search(f"{said.around} {said.text}") else None
        effect, (since, until) = told.effect, time_window(told.effect, said.whens, self.message.at)
        if effect == "states" and since is not None and since > self.message.at and not said.is_for_a_while:
            effect = "plans"
        if effect == "states" and attribute(told.attribute).category == "identity":
            until = None  # whoever is 30 today is not 29 tomorrow
        if told.old and effect in ("states", "replaces"):
            effect = "replaces" if told.old in said.text else "corrects"
        more: dict[str, Any] = {"since": since, "until": until, "many": many, "negated": told.negated}
        more["confidence"] = SURE if told.row is None or told.row.sure else UNSURE
        for value in told.values:
            target = Target(told.old) if told.old else None
            self.add(told.who, told.attribute, value, effect, said.clause, target=target, **more)
        self.people.mention(told.who)
        return told

    def add(self, who: str, name: str, value: str, effect: Effect, clause: Clause, **more: Any) -> None:
        """A draft in words, unless it was told already; what follows a denial of the same stands in its place."""
        if name == "name" and (relation := relation_of(who)):
            who, name = USER, relation
            self.people.subject(relation, value)
        known = attribute(name or "note")
        name = known.name if name else ""
        for told in [one for one in self.drafts if (one.subject, one.attribute) == (who, name) and name]:
            if told.value == value and effect in (told.effect, "states"):
                return
            if told.effect == "ends" and effect in ("states", "replaces") and told.value != value:
                self.drafts.remove(told)
                effect, more["target"] = ("corrects" if told.negated else "replaces"), Target(told.value)
        words = sentence(who, name, value) if name and value else value or f"{name}: none"
        source = Source(self.message.id, self.message.content[clause.start : clause.end])
        category = known.category if name else "other"
        draft = Draft(who, name, value, words, self.message.at, effect, category, confidence=SURE, source=source)
        self.drafts.append(replace(draft, origin=self.message.origin, **more))
