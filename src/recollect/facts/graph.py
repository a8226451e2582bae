"""Facts between subjects: a fact whose value is itself a subject is an edge. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.facts.attributes import attribute
from recollect.records import USER, Edge, Fact, Graph


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
