"""Two unrelated cases told to one memory: neither may disturb the other. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from truth_variations import Case, lowered, said_by_user, triples

from recollect.facts.attributes import attribute

POINTING = re.compile(
    r"(?i)\b(?:he|she|they|it|its|it's|that|that's|this|there|one|him|her|them|his|their|these|those|both|same|sorry|"
    r"meant?|actually|not|wrong|correction|no|typo|instead|again|former|other|job|new|now)\b"
)
"""Words by which a later turn may mean what was said just before."""
WHOLE = re.compile(r"(?i)^(?:i|i'm|i've|we|we're|we've|my|our|the [\w-]+ ?[\w-]*) ")
PLAIN_KINDS = ("update", "ending", "list", "past", "units", "ops", "negation", "hypothetical", "question", "quoted")


def stands_alone(case: Case) -> bool:
    """Whether each of its turns says by itself what it is about."""
    spoken = [turn for turn in case["said"] if said_by_user(turn)]
    later = [turn["text"] for turn in spoken[1:]]
    return (
        case["kind"] in PLAIN_KINDS
        and len(spoken) == len(case["said"])
        and all(WHOLE.match(turn["text"]) and "\n" not in turn["text"] for turn in spoken)
        and not any(POINTING.search(text) for text in later)
    )


def topics(case: Case) -> set[str]:
    """What a case speaks of: its attributes, its values, and who is not the user."""
    found = set[str]()
    for subject, names, values in triples(case):
        found |= {attribute(name).name for name in names.split("|")}
        found |= {part.lower() for part in (*values.split("|"), *subject.split("|")) if part != "user"}
    return found


def pairs(cases: Iterable[Case]) -> list[tuple[Case, Case]]:
    """Each case with the next one of the same days that speaks of something else; each is taken once."""
    waiting: dict[tuple[str, ...], list[Case]] = defaultdict(list)
    found = list[tuple[Case, Case]]()
    for case in (case for case in cases if stands_alone(case) and topics(case)):
        same_days = waiting[tuple(turn["at"] for turn in case["said"])]
        other = next((one for one in same_days if not related(one, case)), None)
        if other is None:
            same_days.append(case)
        else:
            same_days.remove(other)
            found.append((other, case))
    return found


def related(one: Case, two: Case) -> bool:
    """Whether they speak of the same, or one names what the other speaks of."""
    if topics(one) & topics(two):
        return True
    told = [" ".join(turn["text"] for turn in case["said"]).lower() for case in (one, two)]
    return any(topic in text for text, case in zip(told, (two, one), strict=True) for topic in topics(case))


def both(one: Case, two: Case) -> dict[str, Any]:
    """What is expected of both."""
    case = {key: [*one[key], *two[key]] for key in ("holds", "not")}
    for key in ("at", "known_at"):
        days = {**one.get(key, {}), **two.get(key, {})}
        case[key] = {day: merged(one.get(key, {}).get(day, {}), two.get(key, {}).get(day, {})) for day in days}
    return {"id": f"{one['id']}+{two['id']}", "kind": one["kind"], "lang": one["lang"], **case}


def merged(one: dict[str, Any], two: dict[str, Any]) -> dict[str, Any]:
    return {key: [*one.get(key, ()), *two.get(key, ())] for key in ("holds", "not")}


def interleaved(one: Case, two: Case) -> Case:
    """The turns of both in turn, each with its own receipts."""
    turns = [turn for pair in zip(one["said"], two["said"], strict=True) for turn in pair]
    receipts = [receipt for pair in zip(one["receipts"], two["receipts"], strict=True) for receipt in pair]
    return {**both(one, two), "said": turns, "receipts": receipts}


def in_one_message(one: Case, two: Case) -> Case:
    """Each turn of the one with that of the other behind it; the state decides."""
    pairs_of_turns = zip(one["said"], two["said"], strict=True)
    turns = [{**first, "text": sentences([first["text"], second["text"]])} for first, second in pairs_of_turns]
    return {**both(one, two), "said": turns, "receipts": [None] * len(turns)}


def in_one_sentence(one: Case, two: Case) -> Case:
    """The same, joined by "and" where both are one plain sentence."""
    case = in_one_message(one, two)
    for turn, first, second in zip(case["said"], one["said"], two["said"], strict=True):
        if all(re.fullmatch(r"(?:I|We|My|Our)\b[^.,;:?!]+[.]", told["text"]) for told in (first, second)):
            turn["text"] = f"{first['text'][:-1]} and {lowered(second['text'])}"
    return case


def sentences(texts: Sequence[str]) -> str:
    return " ".join(text if text[-1] in '.!?"”' else f"{text}." for text in texts)


def at_once(case: Case) -> Case | None:
    """Turns of one day in one message; what was believed between them is no longer asked."""
    said = case["said"]
    days = {turn["at"] for turn in said}
    if len(said) < 2 or len(days) > 1 or not all(said_by_user(turn) for turn in said):
        return None
    if any("?" in turn["text"] or "\n" in turn["text"] for turn in said):
        return None
    text = sentences([turn["text"] for turn in said])
    kept = {key: part for key, part in case.items() if key != "known_at"}
    return {**kept, "said": [{**said[0], "text": text}], "receipts": [None]}
