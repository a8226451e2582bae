"""What someone no longer does, known by its words however it was filed. Pure."""

from __future__ import annotations

from dataclasses import replace

from recollect.attributes import attribute
from recollect.decisions import Desk, is_open, means
from recollect.later import later
from recollect.records import Draft, Fact
from recollect.words import is_stop, split, stem

_GO = later(r"^(?:go|goes) (?=[a-z]+ing\b)")
"""Who goes running runs."""
PASTIMES = ("habit", "hobby", "plays")
"""What someone does, by the several ways to say so."""


def is_by_words(draft: Draft) -> bool:
    """Whether an ending tells what is over by its words, which may be filed in another way."""
    known = attribute(draft.attribute)
    return draft.kind == "ending" and bool(draft.value) and (not known.known or known.name in PASTIMES)


def by_its_words(draft: Draft, desk: Desk) -> Draft:
    """An ending as that of the one fact which says the same, whether it is filed as a habit or under its verb: "stopped
    refereeing" of "referee youth handball on Sundays". Whoever stopped fishing is still allergic to fish."""
    named = [fact for fact in desk.about(draft.subject, draft.attribute) if means(draft.value, fact)]
    if any(is_open(fact, draft.said) for fact in named):
        return draft
    verb, what = doing_of(draft.attribute, draft.value)
    held = [fact for fact in desk.facts.values() if is_open(fact, draft.said) and fact.said <= draft.said]
    held = [fact for fact in held if fact.subject.casefold() == draft.subject.casefold() and is_doing(fact)]
    same = [fact for fact in held if (told := doing_of(fact.attribute, fact.value))[0] == verb and what <= told[1]]
    if len(same) != 1:
        return draft
    [fact] = same
    return replace(draft, attribute=fact.attribute, value=fact.value, category=fact.category, text=fact.text)


def is_doing(fact: Fact) -> bool:
    """Whether a fact tells what someone does, as a habit or under a verb of its own; what was asked of an assistant is
    nothing that one does."""
    if fact.category in ("request", "instruction"):
        return False
    return fact.attribute in PASTIMES or not attribute(fact.attribute).known


def doing_of(name: str, value: str) -> tuple[str, frozenset[str]]:
    """The verb of what someone does, and its other words, in the forms that others share."""
    said = value if name in ("habit", "hobby") else f"{name} {value}"
    words = [stem(word) for word in _GO.sub("", " ".join(split(said))).split() if not is_stop(word)] or [""]
    return words[0], frozenset(words[1:])
