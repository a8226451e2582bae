"""Subjects: which one a name or a relation stands for by the known facts, and the graph between them. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from recollect.facts.attributes import attribute, table
from recollect.records import HEARD_AS, USER, Edge, Fact, Graph
from recollect.text.words import fold

NOT_PEOPLE = frozenset(("employer", "school", "studied at", "fish", "bird", "client", "emergency contact", "pet"))


@lru_cache(maxsize=1)
def relation_words() -> dict[str, str]:
    """Each word for a person or a pet that someone has, with its attribute: "mom" is "mother"."""
    shipped = table()
    names = {name for name, known in shipped.attributes.items() if known.relation and name not in NOT_PEOPLE}
    words = {word: name for word, name in shipped.synonyms.items() if name in names}
    hyphened = {word.replace(" in law", "-in-law").replace("ex ", "ex-"): name for word, name in words.items()}
    british = {word.replace("neighbor", "neighbour"): name for word, name in words.items() if "neighbor" in word}
    return words | hyphened | british


def relation_of(words: str) -> str | None:
    """The relation that words name: "mom" and "mothers"."""
    return relation_words().get(" ".join(words.lower().split()))


class KnownPeople:
    """The people and pets that facts tell of: what facts about each are filed under."""

    def __init__(self, known: Sequence[Fact], speaker: str = USER) -> None:
        self.names: dict[str, str] = {}
        """By folded name the subject."""
        self.relation: dict[str, str] = {}
        """By subject."""
        self._heard: set[str] = set()
        """Folded names under which others speak themselves."""
        self._someone: set[str] = set()
        """Subjects that are people or pets though no relation is known."""
        self._first: dict[str, str] = {}
        """By relation the name of the one who is just "sister"."""
        for fact in sorted(known, key=lambda fact: fact.said):
            if fact.attribute == HEARD_AS or (fact.attribute in ("name", "nickname") and fact.subject != speaker):
                self.names[fold(fact.value)] = fact.subject
                self._someone.add(fact.subject)
                self._heard |= {fold(fact.value)} if fact.attribute == HEARD_AS else set()
            elif fact.subject == speaker and fact.value and (relation := relation_of(fact.attribute)):
                self.subject(relation, fact.value)
            elif fact.subject != speaker:
                self.names.setdefault(fold(fact.subject), fact.subject)
                if fact.subject[:1].isupper() and attribute(fact.attribute).category != "project":
                    self._someone.add(fact.subject)

    def subject(self, relation: str, name: str = "") -> str:
        """What facts about this person are filed under: "sister", or "sister Beth" for a second one."""
        label = relation
        if name:
            label = self.names.get(fold(name), "")
            if fold(name) not in self._heard and label != relation and not label.startswith(f"{relation} "):
                first = self._first.setdefault(relation, fold(name))
                alone = first == fold(name) or attribute(relation).holds == "one"
                label = relation if alone else f"{relation} {name}"
            self.names[fold(name)] = label
        self.relation[label] = relation
        return label

    def is_someone(self, subject: str) -> bool:
        """Whether a subject is a person or a pet that is known."""
        known = self.relation.get(subject) or relation_of(subject) or relation_of(subject.split()[0])
        return known is not None or subject in self._someone

    def named(self, name: str) -> str | None:
        """The subject that is called so."""
        return self.names.get(fold(name))


def graph(facts: Sequence[Fact]) -> Graph:
    """The subjects of these facts, and the edges between them."""
    subjects = {fact.subject.casefold(): fact.subject for fact in facts}
    edges: list[Edge] = []
    for fact in facts:
        target = object_of(fact, subjects)
        if target is not None:
            subjects.setdefault(target.casefold(), target)
            edges.append(Edge(fact.subject, fact.attribute, target, fact))
    named = sorted(subjects.values(), key=lambda name: (name != USER, name.casefold()))
    return Graph(tuple(named), tuple(edges), tuple(facts))


def object_of(fact: Fact, subjects: dict[str, str]) -> str | None:
    """The subject that a fact's value names: by its own name, or as "sister" for the user's sister Anna."""
    value = fact.value.casefold()
    if value in subjects:
        return subjects[value]
    if not attribute(fact.attribute).relation:
        return None
    both = f"{fact.attribute} {fact.value}".casefold()
    return subjects.get(both) or subjects.get(fact.attribute.casefold()) or fact.value
