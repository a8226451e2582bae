"""Which known fact a draft means: by evidence, or else the one that is clearly likeliest. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from recollect.facts.attributes import attribute, relations, sentence
from recollect.facts.decisions import KnownFacts, means
from recollect.facts.timeline import OCCURRENCES, is_open
from recollect.facts.trust import may_close
from recollect.records import Draft, Fact
from recollect.text.words import query_terms

LIKELY, CLEAR = 0.5, 0.15
"""A fact is meant whose score is as high, and as much higher than that of any other."""
SAME_VALUE, SAME_WORDS, SAME_ATTRIBUTE, SAME_SHAPE, SAME_MEANING, NEWEST = 0.5, 0.3, 0.3, 0.1, 0.3, 0.05
"""What speaks for a fact of the draft's subject; each counts as far as it is so."""


def resolve(draft: Draft, known: KnownFacts) -> Draft:
    """The draft under its canonical attribute. One without any that names an old value ("from Jest to Vitest") takes
    the attribute of the one fact of its subject that holds exactly this value; an ending never does."""
    name = attribute(draft.attribute).name if draft.attribute else ""
    draft = draft if draft.attribute == name else replace(draft, attribute=name)
    if draft.effect == "plans" and name and not draft.value:
        return with_planned_value(draft, known)
    if draft.old_value is None or draft.effect in ("ends", "past"):
        return draft
    old = [fact for fact in known.facts.values() if is_old_value(fact, draft)]
    if name:
        return replace(draft, attribute="") if is_of_another(draft, old, known) else draft
    old = [fact for fact in old if draft.effect == "corrects" or attribute(fact.attribute).holds == "one"]
    if len(old) != 1:
        return draft
    [fact] = old
    text = sentence(fact.subject, fact.attribute, draft.value)
    return replace(draft, attribute=fact.attribute, category=fact.category, text=text)


def likely(draft: Draft, known: KnownFacts) -> Fact | None:
    """The fact that a draft probably speaks of the end of, where its words are no evidence for it; None where none is
    clearly likelier than the others, or the speaker may not end it."""
    subjects = names_of_subject(draft.subject, known)
    held = [fact for fact in known.facts.values() if fact.subject.casefold() in subjects and is_open(fact, draft.said)]
    held = [fact for fact in held if fact.said <= draft.said and fact.category not in OCCURRENCES]
    newest = max((fact.said for fact in held), default=None)
    scored = sorted(((likelihood(draft, fact, known, newest=fact.said == newest), fact) for fact in held), key=first)
    if not scored or scored[-1][0] < LIKELY or not may_close(draft.origin, scored[-1][1]):
        return None
    clear = len(scored) == 1 or scored[-1][0] - scored[-2][0] >= CLEAR
    return scored[-1][1] if clear else None


def first(pair: tuple[float, Fact]) -> float:
    return pair[0]


def likelihood(draft: Draft, fact: Fact, known: KnownFacts, *, newest: bool) -> float:
    """How much speaks for it that a draft is about this fact of its subject, from 0 to about 1.5."""
    points = NEWEST * newest + SAME_MEANING * known.similarity(draft, fact)
    if draft.attribute and draft.attribute == fact.attribute:
        points += SAME_ATTRIBUTE
    named = draft.old_value or draft.value
    if not named or means(named, fact):
        return points + SAME_VALUE * bool(named)
    words = set(query_terms(named))
    if not words or not words <= set(query_terms(fact.value)):
        return 0.0  # it speaks of another value
    return points + SAME_WORDS + SAME_SHAPE * (shape_of(named) == shape_of(fact.value))


def shape_of(value: str) -> str:
    """What a value looks like: of "8080" it is "0", of "3 May" it is "0 a"."""
    return re.sub(r"\d+", "0", re.sub(r"[^\W\d_]+", "a", value))


def names_of_subject(subject: str, known: KnownFacts) -> frozenset[str]:
    """The subject, with the names and relations by which the same person is known: "sister" is "Anna" too."""
    own, related = subject.casefold(), set(relations())
    pairs = [(fact.attribute.casefold(), fact.value.casefold()) for fact in known.facts.values()]
    aliases = {other for name, value in pairs if name in related for other in (name, value) if own in (name, value)}
    return frozenset((own, *aliases))


def with_planned_value(draft: Draft, known: KnownFacts) -> Draft:
    """A plan that tells only its time ("the move will be in January") with the one value that is still to begin."""
    to_come = [
        fact
        for fact in known.about(draft.subject, draft.attribute)
        if is_open(fact, draft.said) and fact.since is not None and fact.since > draft.said
    ]
    if len(to_come) != 1:
        return draft
    [fact] = to_come
    return replace(draft, value=fact.value, text=sentence(fact.subject, fact.attribute, fact.value))


def is_of_another(draft: Draft, old: Sequence[Fact], known: KnownFacts) -> bool:
    """Whether the old value is held, but not where the draft would end another one: who "moved from Monzo to Starling"
    and banks with Monzo has not moved out of Leeds."""
    held = [fact for fact in known.about(draft.subject, draft.attribute) if is_open(fact, draft.said)]
    ends = bool(held) and not draft.many and attribute(draft.attribute).holds == "one"
    return ends and bool(old) and all(fact.attribute != draft.attribute for fact in old)


def is_old_value(fact: Fact, draft: Draft) -> bool:
    """Whether a fact holds, of the draft's subject, the value that the draft takes the place of."""
    same = fact.subject.casefold() == draft.subject.casefold() and means(draft.old_value, fact)
    same = same and (draft.target is None or draft.target.attribute in ("", fact.attribute))
    known = is_open(fact, draft.said) and fact.said <= draft.said and fact.disputes is None
    return same and known and fact.category not in OCCURRENCES
