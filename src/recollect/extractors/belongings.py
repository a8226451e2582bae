"""What a thing of ours does, has, or where it is, in whatever words: "my desk faces the window"."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from recollect._values import is_plural, word_set
from recollect.extractors import nouns, values
from recollect.extractors.naming import ANYBODY, BE, LINKS
from recollect.extractors.open_verbs import HELPING, STANCES, can_be, is_verb, open_predicate
from recollect.extractors.patterns import Found
from recollect.extractors.people import relation_of
from recollect.extractors.plainly import (
    COUNTED,
    SURE_OF_THINGS,
    WHILE,
    done_with,
    is_object,
    kept_up,
    opens_object,
)
from recollect.extractors.verb_groups import is_participle
from recollect.extractors.verbs import FORMS, Predicate
from recollect.records import Kind
from recollect.unsure import GUESSED

_BODY = word_set(
    "arm leg foot feet hand hands head heart mind life eye eyes back knee neck shoulder ankle wrist stomach career "
    "marriage mood focus priority relationship health"
)
"""What is nowhere but with its owner."""
_PRONOUNS = word_set("i we you he she it they that which who whom whose this these those")
_WHERE = re.compile(
    r"(?:in|at|on|under|behind|inside|near|beside|with) (?P<v>(?:an?|the|my|our|(?-i:[A-Z])).*)$", re.IGNORECASE
)
_IN_PLACE = re.compile(
    r"(?:stands|hangs|lies|sits|leans|is (?:kept|stored|parked|moored)) (?!for$)|is (?:sharded|partitioned|sorted) "
)
_STATE = re.compile(
    r"(?P<v>broken|fixed|repaired|mended|damaged|cracked|locked|unlocked|blocked|unblocked|frozen|suspended|reinstated|"
    r"sprained|fractured|healed|infected|swollen|full|empty|vacant|occupied|offline|online|out of order|working|"
    r"overdue|unpaid|paid off|approved|denied|valid|insured|uninsured|registered|unregistered|on hold|on sale|"
    r"delayed|leaking|flooded|missing|flat|dead|charged|encrypted|archived|read-only|public|private|open source)"
    r"(?: again)?(?:,.*)?"
)
"""How a thing may be today and not tomorrow."""
_TOPIC = re.compile(r"about (?P<v>[a-zA-Z].+)")
_VERBAL = BE | HELPING
_NO_OBJECT = BE | STANCES
_NO_THINGS = ANYBODY | FORMS.keys() | HELPING
_SOME = re.compile(
    r"(?i)(?:an? |another |two |three |four |five |six |\d|its own |(?-i:[A-Z])|(?:[a-z-]+ )?(?!problems|issues|"
    r"troubles|errors|bugs|questions|plans|feelings|things|people|friends|kids|children|benefits|effects|advantages)"
    r"(?<=[a-z] )[a-z-]{3,}s$)"
)


def thing_and_verb(text: str) -> tuple[str, str] | None:
    """A thing of ours, or one that is known, and what it does: "my desk" and "faces the window"."""
    words = text.split()
    if len(words) < 3:
        return None
    if words[0].lower() not in ("my", "our", "the"):
        return several_things(words)
    for place in range(2, min(6, len(words) - 1)):
        before, word, after = words[place - 1], words[place], words[place + 1]
        if before in LINKS or not before[-1].isalnum():
            return None
        if word in _VERBAL:
            return " ".join(words[1:place]), " ".join(words[place:])
        several = is_plural(before) and can_be(word, "base") and opens_object(after)
        if several or (not is_plural(before) and can_be(word, "third") and may_follow(after)):
            return " ".join(words[1:place]), " ".join(words[place:])
    return None


def may_follow(word: str) -> bool:
    """Whether a word may stand after a verb: not where the verb is a noun, and another one follows."""
    return word not in _NO_OBJECT and not is_verb([word], "base")


def several_things(words: Sequence[str]) -> tuple[str, str] | None:
    """Things without an article, of which there are several: "payloads" and "are compressed with gzip"."""
    if len(words) < 4 or not is_plural(words[0].lower()) or words[0].lower() in _NO_THINGS:
        return None
    passive = words[1] in ("are", "get") and is_participle(words[2]) and words[3] != "by"
    return (words[0].lower(), " ".join(words[1:])) if passive and words[0][1:].islower() else None


def of_thing(text: str, *, anew: bool = False, known: Collection[str] = ()) -> list[Found]:
    """What a thing does as a rule, or has; `known`: things of which something is known already."""
    parted = thing_and_verb(text)
    if parted is None:
        return []
    thing, rest = parted
    last, ours = thing.split()[-1], text[:3].lower() in ("my ", "our")
    if not _PRONOUNS.isdisjoint(thing.lower().split()) or (not ours and "," in text):
        return []  # "the email I gave you", "the house hums, they say"
    if relation_of(thing) or relation_of(last) or (not ours and last.lower() in ANYBODY and last == thing):
        return []  # Somebody, or nobody in particular.
    predicate = open_predicate(rest)
    if predicate is None or nouns.nothing(thing):
        return []
    ours = ours or thing.casefold() in known
    found = has_parts(predicate, anew=anew) if predicate.verb == "have" else kept_up(predicate, anew=anew, person=False)
    if text[:4].lower() == "the " and not (ours or anew or is_settled(thing, found)):
        return []
    if not found and predicate.verb == "be":
        found = state_of(predicate) or (somewhere(predicate) if ours and last not in _BODY else [])
    return [replace(item, subject=thing, text=f"{thing} {item.text}".strip()) for item in found]


def is_settled(thing: str, found: Sequence[Found]) -> bool:
    """Whether what is said of "the" thing is of one that is known here, and not of the world at large: it has a
    measure, or a name, or its place."""
    compound = (len(thing.split()) > 1 and ANYBODY.isdisjoint(thing.lower().split())) or not thing.islower()
    return all(
        COUNTED.search(item.value) or (compound and values.has_name(item.value)) or _IN_PLACE.match(item.attribute)
        for item in found
    )


def has_parts(predicate: Predicate, *, anew: bool = False) -> list[Found]:
    """What a thing has: "a lathe and a bandsaw"."""
    told = predicate.tense == "present" and (not predicate.negated or predicate.ended)
    if not told or not _SOME.match(predicate.rest):
        return []
    kind: Kind | None = "ending" if predicate.ended else None
    parts = done_with(predicate, values.cut(predicate.rest), kind, anew=False, person=False)
    return [replace(part, many=None, confidence=GUESSED) for part in parts] if anew else parts


def state_of(predicate: Predicate) -> list[Found]:
    """How a thing is for the time being, or what it is about: "locked", "broken", "about river pollution"."""
    over: Kind | None = "ending" if predicate.negated or predicate.ended else None
    if predicate.tense != "present" or predicate.can:
        return []
    if topic := _TOPIC.fullmatch(predicate.rest):
        value = values.one(topic["v"])
        return [Found("is about", value, kind=over, confidence=SURE_OF_THINGS)] if is_object(value) else []
    state = _STATE.fullmatch(predicate.rest)
    return [Found("status", state["v"], kind=over, many=False, confidence=SURE_OF_THINGS)] if state else []


def somewhere(predicate: Predicate) -> list[Found]:
    """Where a thing is: "my keys are in the drawer"."""
    match = _WHERE.match(values.cut(predicate.rest, *WHILE))
    if match is None or predicate.tense != "present" or predicate.negated:
        return []
    value = values.bare(values.one(match["v"]))
    told = Found("location", value, many=False, confidence=SURE_OF_THINGS, text=f"is {match[0]}")
    return [told] if is_object(value) else []
