"""The fact that a draft names by what was before: whatever "switched from A to B" had A as its value. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from recollect._values import is_plural
from recollect.attributes import attribute, canonical, sentence
from recollect.decisions import Desk, is_open, means
from recollect.later import later
from recollect.over import has_core, the_one_over
from recollect.parting import SUCCEEDED
from recollect.put_right import A_DAY, A_WEEK
from recollect.records import USER, Draft, Fact

NUMBER = later(r"\d[\d.,]*k?$")


def is_guessed_switch(draft: Draft) -> bool:
    """Whether a draft names what it takes the place of, and only guesses what that was: used, or a preference."""
    told = draft.kind in ("update", "plan") and draft.instead_of is not None and draft.subject == USER
    return told and (draft.attribute in ("uses", "habit") or draft.attribute.endswith(" preference"))


def as_what_it_was(draft: Draft, desk: Desk) -> Draft:
    """The draft under the attribute of the one fact that has the old value, where its own has none with that."""
    held = [fact for fact in desk.facts.values() if is_open(fact, draft.said) and fact.said <= draft.said]
    held = [
        fact for fact in held if fact.subject == draft.subject and fact.category not in ("events", "plans", "places")
    ]
    old = [fact for fact in held if means(draft.instead_of, without_place_word(fact))]
    if len(old) != 1 or old[0].attribute == draft.attribute:
        return draft
    told = replace(draft, attribute="", category=SUCCEEDED)
    return in_place_of_old(told, old)


def old_values(draft: Draft, held: Sequence[Fact]) -> list[Fact]:
    """The facts that a draft may name by their value, or by what they are."""
    able = [fact for fact in held if not is_namesake(draft, fact)]
    old = [fact for fact in able if means(draft.instead_of, fact)]
    old = old or [fact for fact in able if means(draft.instead_of, without_place_word(fact))]
    old = old or [fact for fact in held if hints_at(draft, fact)]
    if not old and draft.kind == "correction":
        old = [fact for fact in held if is_number_of(draft.instead_of, fact) and draft.said - fact.said < A_DAY]
    if draft.kind == "update":  # Who switched from Dutch to English still speaks both.
        old = [fact for fact in old if fact.attribute not in ("language", "knows", "visited", "hometown", "birthplace")]
    mine = [fact for fact in old if fact.subject.casefold() == draft.subject.casefold()]
    old = mine if mine or (draft.kind == "ending" and draft.subject != USER) else old  # What she sold is not mine.
    if draft.category == "home":  # "moved from A to B": whoever did not use A lived there.
        return mine
    if len(old) > 1 and draft.kind == "ending":  # "I go to X" and "my gym is X": the table knows what it is.
        return [fact for fact in old if attribute(fact.attribute).known] or old
    if old or draft.kind != "ending" or not draft.instead_of:
        return old
    what = attribute(draft.instead_of).name  # "my bike got stolen", and the bike is a Canyon
    keys = (what, f"{what} supplier", f"{what} provider")
    old = [fact for fact in held if fact.attribute in keys and fact.subject == draft.subject]
    old = [fact for fact in old if fact.said < draft.said and fact.category != "contact"]
    if old or (one := the_one_over(draft.instead_of, draft.subject, held, beside=draft.text)) is None:
        return old
    return [one]


def in_place_of_old(draft: Draft, old: Sequence[Fact]) -> Draft:
    """The draft as another value of the one fact that it names, or of what its words say where none is known."""
    moved = draft.category == "home"
    joined = draft.category == "work" and draft.kind == "update"  # "left A, joined B": a firm, unless A was no firm
    travels = joined and (is_on_the_way(draft) or any(fact.attribute == "home" for fact in old))
    if travels or is_for_once(draft) or (draft.category == SUCCEEDED and len(old) != 1):
        return draft
    if ((moved or joined) and len(old) != 1) or (not old and draft.kind in ("update", "plan")):
        # "switched from A to B", and A was never told: B is used.
        filed = {"home": "home", "work": "employer", "hosting": "runs on", "named": "name"}
        known = attribute(filed.get(draft.category, "uses"))
        text = sentence(draft.subject, known.name, draft.value)
        return replace(draft, attribute=known.name, category=known.category, text=text)
    if not old and draft.kind == "ending" and draft.category == "work":
        return replace(draft, attribute="employer", text=sentence(draft.subject, "employer", draft.value))
    if len(old) != 1:
        return draft
    [fact] = old
    value = fact.value if draft.kind == "ending" else placed_alike(draft.value, fact)
    text = sentence(fact.subject, fact.attribute, value)
    told = replace(draft, subject=fact.subject, attribute=fact.attribute, value=value, category=fact.category)
    return replace(told, text=text, instead_of=fact.value)


_PLACE_WORD = later(r"(?i)(?:on|in|at|with|from|by|to|under|behind|near) (?=\S)")
"""With which a value may begin that tells where something is, or with whom."""


def without_place_word(fact: Fact) -> Fact:
    """The fact with its value as others name it: "Zoom" for "on Zoom"."""
    match = _PLACE_WORD.match(fact.value)
    return replace(fact, value=fact.value[match.end() :]) if match else fact


def placed_alike(value: str, fact: Fact) -> str:
    """A new value with the word before it that the old one has: "on Teams" after "on Zoom"."""
    match = _PLACE_WORD.match(fact.value)
    return f"{match[0]}{value}" if match and not _PLACE_WORD.match(value) else value


_ON_THE_WAY = later(
    r"(?i)\b(?:this (?:morning|afternoon|evening)|today|tonight|yesterday|last night|at \d|early|late|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|an hour|for (?:a|the|an|my|our|work))\b"
)


_FOR_ONCE = later(
    r"(?i)\bfor (?:the|an?|one|this|that|my|our) (?:\w+ )?(?:weekend|day|night|week|trip|evening|afternoon|morning|"
    r"party|photo|photos|call|meeting|show|shoot|visit|appointment|journey|drive|wedding|interview|exam|test|demo)\b|"
    r"\b(?:in|during|at|halfway through) (?:the|a|my|our|that|today's) (?:meeting|call|lesson|class|interview|talk|"
    r"show|game|match|conversation|party)\b"
)


def is_for_once(draft: Draft) -> bool:
    """Whether one thing took another's place only on an occasion: "swapped the Golf for a van for the weekend"."""
    quote = draft.source.quote if draft.source and draft.kind == "update" else ""
    return _FOR_ONCE.search(quote) is not None


def is_on_the_way(draft: Draft) -> bool:
    """Whether what was left is told with the hour or the day of a trip."""
    return draft.source is not None and _ON_THE_WAY.search(draft.source.quote) is not None


def hints_at(draft: Draft, fact: Fact) -> bool:
    """Whether the old value is named by a part of it that is a name: "the Mazda" for "red Mazda 3"."""
    short, whole = canonical(draft.instead_of or ""), canonical(fact.value)
    proper = any(letter.isupper() or letter.isdigit() for letter in draft.instead_of or "")
    fixed = draft.kind == "correction" and proper and draft.said - fact.said < A_WEEK
    theirs = fact.subject != draft.subject and not fixed
    if theirs or len(short) >= len(whole):
        return False
    if proper:
        return set(short) <= set(whole)
    if draft.kind == "correction":  # "platform engineer, not backend", where it was a backend engineer
        return set(short) <= set(whole) and not set(whole).difference(short).isdisjoint(canonical(draft.value))
    told = len(short) > 1 or fact.category == "habits"
    if draft.kind != "ending" or is_part_of_name(draft.instead_of or "", fact.value):
        return False
    if fact.category == "possessions" and not has_core(draft.instead_of or "", fact.value):
        return False  # "The headache is gone", of who has a headache tablet.
    return begins_or_ends(whole, short) or (told and is_inside(whole, short))


def is_namesake(draft: Draft, fact: Fact) -> bool:
    """Whether things are spoken of that only share the name of somebody: "the biscuits are gone", of a hamster."""
    several = is_plural((draft.instead_of or "").split()[-1]) and not is_plural(fact.value.split()[-1])
    return draft.kind == "ending" and several and fact.category in ("pets", "family", "people")


def is_part_of_name(word: str, value: str) -> bool:
    """Whether a common word only happens to stand in a name: "the bank is shut", of Halden Bank."""
    return word.islower() and word.title() in value.split()


def is_inside(whole: tuple[str, ...], short: tuple[str, ...]) -> bool:
    """Whether words stand together in a value: "food bank" in "volunteer at the food bank on Saturdays"."""
    return any(whole[i : i + len(short)] == short for i in range(len(whole) - len(short) + 1))


def is_number_of(number: str | None, fact: Fact) -> bool:
    """Whether a bare number is that of the value: "40" for "40 kilos"."""
    return number is not None and NUMBER.match(number) is not None and canonical(fact.value)[:1] == canonical(number)


def begins_or_ends(whole: tuple[str, ...], short: tuple[str, ...]) -> bool:
    """Whether a thing is named in short: "cabin" for "cabin near Røros", "bike" for "road bike"."""
    return whole[: len(short)] == short or whole[-len(short) :] == short
