"""What a thing of ours does, has, or where it is, in whatever words: "my desk faces the window"."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from recollect.extractors import nouns, values
from recollect.extractors.naming import ANYBODY, BE, ENVIRONMENTS, LINKS
from recollect.extractors.open_verbs import HELPING, STANCES, can_be, is_verb, open_predicate
from recollect.extractors.patterns import GUESSED, Found
from recollect.extractors.people import relation_of
from recollect.extractors.plainly import (
    COUNTED,
    OFTEN,
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
from recollect.text.values import is_plural, word_set

_BODY = word_set(
    "arm leg foot feet hand hands head heart mind life eye eyes back knee neck shoulder ankle wrist stomach career "
    "marriage mood focus priority relationship health"
)
"""What is nowhere but with its owner."""
_BOUND_UP = re.compile(r"in (?:an? )?(?P<v>(?:[a-z]+ )?(?:cast|plaster|sling|splint|brace|bandages?|boot|traction))$")
"""What an arm or a leg is in until it has healed."""
_PRONOUNS = word_set("i we you he she it they that which who whom whose this these those")
_WHERE = re.compile(
    r"(?:in|at|on|under|behind|inside|near|beside|with) (?P<v>(?:an?|the|my|our|(?-i:[A-Z])).*)$", re.IGNORECASE
)
_IN_PLACE = re.compile(
    r"(?:stands|hangs|lies|sits|leans|is (?:kept|stored|parked|moored)) (?!for$)|is (?:sharded|partitioned|sorted) "
)
_WITH_TOOL = re.compile(r"[a-z]+s (?:[a-z-]+ ){1,2}(?:with|via|through)")
"""What a thing does to others with something that has a name: "renders charts with Highcharts"."""
_STATE = re.compile(
    r"(?P<v>broken|fixed|repaired|mended|damaged|cracked|locked|unlocked|blocked|unblocked|frozen|suspended|reinstated|"
    r"sprained|fractured|healed|infected|swollen|full|empty|vacant|occupied|offline|online|out of order|working|"
    r"overdue|unpaid|paid off|approved|denied|valid|insured|uninsured|registered|unregistered|on hold|on sale|"
    r"back up|back online|delayed|leaking|flooded|missing|flat|dead|charged|encrypted|archived|read-only|public|"
    r"private|open source)"
    r"(?: again)?(?:,.*)?"
)
"""How a thing may be today and not tomorrow."""
_TOPIC = re.compile(r"about (?P<v>[a-zA-Z].+)")
_VERBAL = BE | HELPING
_NO_OBJECT = BE | STANCES
_NO_THINGS = ANYBODY | FORMS.keys() | HELPING
_SO_MUCH = re.compile(r"(?P<v>\d[\d.,]* ?[KMGTkmgt]i?[Bb]) of (?P<what>[A-Za-z]+(?: [a-z]+)?)(?: now)?")
"""How much of something a thing has: "16 GB of RAM"."""
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
    if words[0].lower() in ENVIRONMENTS:
        words = ["the", words[0].lower(), *words[1:]]
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
    if place := verb_of_several(words):
        return " ".join([words[0].lower(), *words[1:place]]), " ".join(words[place:])
    if len(words) > 4 and words[1].islower() and is_plural(words[1]) and words[0].lower() not in _NO_THINGS:
        named = [f"{words[0].lower()} {words[1]}", *words[2:]]  # "error budgets are reviewed"
        passive = named[1] in ("are", "get") and is_participle(named[2]) and named[3] != "by"
        if passive and words[0][1:].islower() and words[1] not in _NO_THINGS:
            return named[0], " ".join(named[1:])
    short = len(words) > 3 and words[0][:-1].isupper() and words[0].endswith("s")  # "PRs"
    if len(words) < 4 or not (short or is_plural(words[0].lower())) or words[0].lower() in _NO_THINGS:
        return None
    passive = words[1] in ("are", "get") and is_participle(words[2]) and words[3] != "by"
    name = words[0] if short else words[0].lower()
    return (name, " ".join(words[1:])) if passive and (words[0][1:].islower() or short) else None


_SETTLED = re.compile(
    r"(?:the )?(?:[A-Z#@/~`\d]|[a-z]+ [A-Z])|(?:two|three|four|five|six|seven|eight|nine|ten|twelve) "
)


def verb_of_several(words: Sequence[str]) -> int:
    """Where the verb of several things stands, whatever it is, if something exact follows: "unanswered alerts escalate
    to Nkechi"; 0 if nowhere."""
    for place in range(1, min(3, len(words) - 1)):
        noun, verb, rest = words[place - 1], words[place], words[place + 1 :]
        if not is_plural(noun.lower()) or not noun[1:].islower() or noun.lower() in _NO_THINGS:
            continue
        link = rest[0] in LINKS and rest[0] not in ("of", "as", "about")
        exact = rest[1:] if link else rest
        if verb in FORMS or not can_be(verb, "base") or not exact or words[0].lower() in _NO_THINGS:
            continue
        if (
            _SETTLED.match(" ".join(exact))
            and relation_of(noun) is None
            and not (place == 2 and words[0].endswith("ly"))
        ):
            return place
    return 0


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
    if not found and predicate.verb == "be" and not nouns.nothing(thing):
        placed = bound_up(predicate) if last in _BODY else somewhere(predicate)
        found = state_of(predicate) or (placed if ours else [])
    return [replace(item, subject=thing, text=f"{thing} {item.text}".strip()) for item in found]


def is_settled(thing: str, found: Sequence[Found]) -> bool:
    """Whether what is said of "the" thing is of one that is known here, and not of the world at large: it has a
    measure, or a name, or its place."""
    compound = (len(thing.split()) > 1 and ANYBODY.isdisjoint(thing.lower().split())) or not thing.islower()
    return all(
        COUNTED.search(item.value)
        or OFTEN.fullmatch(item.value)
        or item.value[0] in "#@/~`"
        or (values.has_name(item.value) and (compound or _WITH_TOOL.fullmatch(item.attribute)))
        or _IN_PLACE.match(item.attribute)
        for item in found
    )


_WORKS_AGAIN = re.compile(
    r"(?:[Tt]he|[Oo]ur|[Mm]y) (?P<np>(?:[\w-]+ ){0,3}?[\w-]+) (?:works|is working|is running|runs|is fixed|is "
    r"back up|is back "
    r"online)(?: fine)?(?: again)(?: now)?"
)


def works_again(text: str) -> list[Found]:
    """ "The lift works again": how a thing is that was out of order."""
    match = _WORKS_AGAIN.fullmatch(text)
    if match is None or relation_of(match["np"].split()[-1]) or match["np"].lower() in ANYBODY:
        return []
    return [Found("status", "working", kind="update", subject=match["np"], many=False, confidence=SURE_OF_THINGS)]


def has_parts(predicate: Predicate, *, anew: bool = False) -> list[Found]:
    """What a thing has: "a lathe and a bandsaw"."""
    told = predicate.tense == "present" and (not predicate.negated or predicate.ended)
    if not told or not _SOME.match(predicate.rest):
        return []
    over: Kind | None = "ending" if predicate.ended else None
    if much := _SO_MUCH.fullmatch(values.cut(predicate.rest, *WHILE)):
        return [Found(much["what"].lower(), much["v"], kind=over, many=False, confidence=SURE_OF_THINGS)]
    parts = done_with(predicate, values.cut(predicate.rest), over, anew=False, person=False)
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


def bound_up(predicate: Predicate) -> list[Found]:
    """What a limb is in for a while: "my arm is in a cast"."""
    match = _BOUND_UP.match(values.cut(predicate.rest, *WHILE))
    told = match is not None and predicate.tense == "present" and not predicate.negated
    return [Found("is in", match["v"], many=False, confidence=SURE_OF_THINGS)] if match and told else []


def somewhere(predicate: Predicate) -> list[Found]:
    """Where a thing is: "my keys are in the drawer"."""
    match = _WHERE.match(values.cut(predicate.rest, *WHILE))
    if match is None or predicate.tense != "present" or predicate.negated:
        return []
    value = values.bare(values.one(match["v"]))
    told = Found("location", value, many=False, confidence=SURE_OF_THINGS, text=f"is {match[0]}")
    return [told] if is_object(value) else []
