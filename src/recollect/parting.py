"""What is left behind: the program that another one of its kind took the place of, all that held of a thing that is no
more. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from recollect._values import canonical, word_set
from recollect.attributes import sentence
from recollect.decisions import is_open, means
from recollect.programs import kind_of_program
from recollect.records import USER, Draft, Fact

GONE = "gone"
"""The category of an ending after which nothing that was said of the thing holds: it was shut down, deleted."""
_OF_THINGS = frozenset(("project", "other", "finance", "possessions"))
"""Categories of facts that a thing has; a subject with any other is somebody, or a place."""
_GENERIC = word_set(
    "service server app application api repo repository project team job pipeline database db cluster flag"
)
"""What a thing is, which may be left out: "auth" is the auth service."""


def without_kind(subject: str) -> str:
    """The subject without what kind of thing it is, where something is left."""
    words = subject.casefold().split()
    return " ".join(words[:-1] if len(words) > 1 and words[-1] in _GENERIC else words)


def generic_names(core: str) -> list[str]:
    """A thing with each of the kinds that it may be."""
    return [f"{core} {kind}" for kind in sorted(_GENERIC)]


def is_switch(draft: Draft) -> bool:
    """Whether a draft tells of a program that took another's place, and not which one that was."""
    anew = draft.many is False and draft.kind in ("update", "plan") and not draft.instead_of
    return anew and draft.attribute in ("uses", "editor")


def in_place_of(draft: Draft, held: Iterable[Fact]) -> Draft:
    """Who switched to a program has left the one of the same kind, whatever that was filed under."""
    kind = kind_of_program(draft.value)
    told = replace(draft, many=None)
    left = [
        fact
        for fact in held
        if kind
        and fact.subject.casefold() == draft.subject.casefold()
        and kind_of_program(fact.value) == kind
        and not means(draft.value, fact)
    ]
    if len(left) != 1:
        return told
    [old] = left
    text = sentence(draft.subject, old.attribute, draft.value)
    return replace(told, attribute=old.attribute, category=old.category, text=text, instead_of=old.value)


def is_named(thing: str, subject: str) -> bool:
    """Whether a thing is what a subject names, with or without what it is: "the auth service" is auth."""
    return canonical(without_kind(thing)) == canonical(without_kind(subject))


def held_of_gone(draft: Draft, facts: Iterable[Fact]) -> list[Fact]:
    """All that holds of a thing which is no more; of a setting that was taken out, its value."""
    thing = draft.instead_of or draft.value
    held = [fact for fact in facts if is_open(fact, draft.said) and fact.said <= draft.said and fact.subject != USER]
    about = [fact for fact in held if is_named(thing, fact.subject)]
    if not about:
        return [fact for fact in held if canonical(f"{fact.subject} {fact.attribute}") == canonical(thing)]
    return about if are_of_a_thing(about) else []


def are_of_a_thing(facts: Sequence[Fact]) -> bool:
    return all(fact.category in _OF_THINGS for fact in facts) and len({fact.subject.casefold() for fact in facts}) == 1
