"""What is left behind: the program that another one of its kind took the place of, all that held of a thing that is no
more. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from recollect._values import canonical, word_set
from recollect.attributes import sentence
from recollect.decisions import is_open, means
from recollect.later import later
from recollect.programs import kind_of_program, of_the_same_kind
from recollect.records import USER, Draft, Fact

GONE = "gone"
"""The category of an ending after which nothing that was said of the thing holds: it was shut down, deleted."""
SUCCEEDED = "succeeded"
"""The category of a new value that says nothing where the old one is not known: whoever follows Dr. Faber may be a
doctor, a tenant, anybody."""
_OF_THINGS = frozenset(("project", "other", "finance", "possessions"))
"""Categories of facts that a thing has; a subject with any other is somebody, or a place."""
_GENERIC = word_set(
    "service server app application api repo repository project team job pipeline database db cluster flag "
    "branch office "
    "shop store site warehouse plant clinic"
)
"""What a thing is, which may be left out: "auth" is the auth service."""
_KINDS = _GENERIC | {"feature"}
"""The same, wherever it stands: "the fast_path flag" is the feature flag fast_path."""


def without_kind(subject: str) -> str:
    """The subject without what kind of thing it is, where something is left."""
    words = subject.casefold().split()
    return " ".join(words[:-1] if len(words) > 1 and words[-1] in _GENERIC else words)


def generic_names(core: str) -> list[str]:
    """A thing with each of the kinds that it may be."""
    return [f"{core} {kind}" for kind in sorted(_GENERIC)]


_BESIDE = ("language", "cloud", "containers", "")
"""Kinds of which one uses several: a second language is no other language."""


def is_switch(draft: Draft) -> bool:
    """Whether a draft tells of a program that took another's place, and not which one that was."""
    told = (
        draft.many is None and draft.kind == "update" and draft.subject != USER
    )  # "the catalog service uses Postgres now"
    now = told and kind_of_program(draft.value) not in _BESIDE
    anew = (draft.many is False or now) and draft.kind in ("update", "plan") and not draft.instead_of
    return anew and draft.attribute in ("uses", "editor")


_FOR = (
    later(
        r"(?i)\bfor (?:all )?(?:our |the |my )?(?P<k>[a-z][a-z -]{2,24}?)"
        r"(?= (?:now|we|i|these|instead|since|at|from|as)\b|[.,;!]|$)"
    ),
    later(
        r"(?i)\b(?:do|handle|manage|run) (?:all )?(?:our |the |my )?(?P<k>[a-z][a-z -]{2,24}?) "
        r"(?:in|with|via|on|using|through) (?-i:[A-Z])"
    ),
)
_TOOL = later(r"(?i)(?P<k>[a-z][a-z -]{2,24}) (?:tool|software|system|platform|app|provider)$")
TOOLS = ("tool", "software", "system", "platform", "app", "provider")


def purpose(words: str) -> str:
    """What something is used for, as far as the words say: "we use Xero for accounting"."""
    return next((match["k"].casefold() for shape in _FOR if (match := shape.search(words))), "")


def purpose_of(draft: Draft) -> str:
    """What a program is for that is told as new: by its key, or by the words."""
    if draft.kind != "update" or draft.instead_of or draft.subject != USER:
        return ""
    if match := _TOOL.match(draft.attribute):
        return match["k"].casefold()
    return purpose(draft.source.quote) if draft.attribute == "uses" and draft.source else ""


def purpose_keys(what: str) -> list[str]:
    """The attributes under which a program for this may be filed."""
    return ["uses", what, *(f"{what} {one}" for one in TOOLS)]


def instead_for(draft: Draft, held: Iterable[Fact]) -> Draft:
    """Who uses a program for something now has left the one that was used for it."""
    what = purpose_of(draft)
    keys = purpose_keys(what)
    left = [
        fact
        for fact in held
        if fact.subject == draft.subject
        and fact.attribute in keys
        and (fact.attribute != "uses" or any(purpose(source.quote) == what for source in fact.sources))
        and not means(draft.value, fact)
    ]
    if len(left) != 1:
        return draft
    [old] = left
    text = sentence(draft.subject, old.attribute, draft.value)
    return replace(draft, attribute=old.attribute, category=old.category, text=text, instead_of=old.value, many=None)


def in_place_of(draft: Draft, held: Iterable[Fact]) -> Draft:
    """Who switched to a program has left the one of the same kind, whatever that was filed under."""
    kind = kind_of_program(draft.value)
    told = replace(draft, many=None)
    left = [
        fact
        for fact in held
        if kind
        and fact.subject.casefold() == draft.subject.casefold()
        and (kind_of_program(fact.value) == kind or fact.attribute == kind)
        and not means(draft.value, fact)
    ]
    if len(left) != 1:
        return told
    [old] = left
    text = sentence(draft.subject, old.attribute, draft.value)
    return replace(told, attribute=old.attribute, category=old.category, text=text, instead_of=old.value)


Kept = tuple[list[str], list[str] | None, list[str] | None]
"""Where facts are kept: their subjects, attributes and values, as far as these are known."""


def may_leave(draft: Draft) -> list[Kept]:
    """Where the facts are that a draft may leave behind, beside those of its own key."""
    kept: list[Kept] = []
    if is_switch(draft) and (programs := of_the_same_kind(draft.value)):
        kept.append(([draft.subject], None, programs))
    if draft.kind == "ending" and draft.attribute == "possession":
        kept.append(([draft.value], None, None))
    if what := purpose_of(draft):
        kept.append(([draft.subject], purpose_keys(what), None))
    return kept


def is_named(thing: str, subject: str) -> bool:
    """Whether a thing is what a subject names, with or without what it is: "the auth service" is auth."""
    if canonical(without_kind(thing)) == canonical(without_kind(subject)):
        return True
    ours, theirs = (frozenset(canonical(one)) - _KINDS for one in (thing, subject))
    return ours == theirs != frozenset()


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
