"""Who is meant: people and pets by relation, by name, by he and she; things by their words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from recollect.facts.attributes import attribute, table
from recollect.reader.tables import NAME, tables
from recollect.reader.values import is_name
from recollect.records import HEARD_AS, USER, Fact
from recollect.text.words import fold

NOT_PEOPLE = frozenset(("employer", "school", "studied at", "fish", "bird", "client", "emergency contact", "pet"))


@lru_cache(maxsize=1)
def relations() -> dict[str, str]:
    """Each word for a person or a pet that someone has, with its attribute: "mom" is "mother"."""
    shipped = table()
    names = {name for name, known in shipped.attributes.items() if known.relation and name not in NOT_PEOPLE}
    words = {word: name for word, name in shipped.synonyms.items() if name in names}
    hyphened = {word.replace(" in law", "-in-law").replace("ex ", "ex-"): name for word, name in words.items()}
    british = {word.replace("neighbor", "neighbour"): name for word, name in words.items() if "neighbor" in word}
    return words | hyphened | british


@lru_cache(maxsize=1)
def relative() -> re.Pattern[str]:
    """Someone of the speaker's: "my older sister Anna", "our dog"."""
    ranks = "|".join(sorted(tables().words["ranks"]))
    words = "|".join(re.escape(word) for word in sorted(relations(), key=len, reverse=True))
    return re.compile(
        rf"\b(?i:my|our) (?:(?i:{ranks}) ){{0,2}}(?P<relation>(?i:{words}))(?![\w-])(?: (?P<name>{NAME}))?"
    )


def relation_of(words: str) -> str | None:
    """The relation that words name: "mom" and "mothers"."""
    return relations().get(" ".join(words.lower().split()))


class People:
    """Those that the known facts tell of, and those that a message names."""

    def __init__(self, known: Sequence[Fact], speaker: str, spoken_of: Sequence[str]) -> None:
        self.names: dict[str, str] = {}
        self.first: dict[str, str] = {}
        """By relation the name of the one who is just "sister"."""
        self.relation: dict[str, str] = {}
        """By subject."""
        self.recent = list(spoken_of)
        for fact in sorted(known, key=lambda fact: fact.said):
            if fact.attribute == HEARD_AS or (fact.attribute in ("name", "nickname") and fact.subject != speaker):
                self.names[fold(fact.value)] = fact.subject
            elif fact.subject == speaker and fact.value and (relation := relation_of(fact.attribute)):
                self.subject(relation, fact.value)
            elif fact.subject != speaker:
                self.names.setdefault(fold(fact.subject), fact.subject)

    def subject(self, relation: str, name: str = "") -> str:
        """What facts about this person are filed under: "sister", or "sister Beth" for a second one."""
        label = relation
        if name:
            label = self.names.get(fold(name), "")
            if label != relation and not label.startswith(f"{relation} "):
                first = self.first.setdefault(relation, fold(name))
                alone = first == fold(name) or attribute(relation).holds == "one"
                label = relation if alone else f"{relation} {name}"
            self.names[fold(name)] = label
        self.relation[label] = relation
        return label

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

    def is_someone(self, subject: str) -> bool:
        """Whether a subject is a person or a pet that is known."""
        return bool(self.kind_of(subject)) or subject in self.names.values()

    def someone(self, words: str) -> str | None:
        """The person that the words of a subject mean: "my sister Anna", "Anna"."""
        if match := relative().fullmatch(words):
            word, name = match["relation"].lower(), match["name"] or ""
            if name and not is_name(name):
                return None
            return word if not name and is_several(word) else self.subject(relations()[word], name)
        return self.names.get(fold(words)) if words[:1].isupper() else None


def is_several(subject: str) -> bool:
    """Whether a subject is more than one: "parents", "kids"."""
    relation = relation_of(subject)
    return relation is not None and relation != subject and subject.endswith(("s", "children")) and subject != "boss"
