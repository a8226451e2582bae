"""Schema-Guided Dialogue: values that a user changes in the course of a dialogue."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import data
from measure import Result, Row, mean
from truth_told import MINUTE, START, Telling, closed, sample, telling

from recollect import Fact

SAMPLE = 500
NOTE = (
    "Schema-Guided Dialogue: the memory is told the user's utterances only, one `add` a turn, a fresh owner a "
    f"dialogue ({SAMPLE} of 1,049 dialogues, fixed seed, all with an update first). A slot counts from the turn in "
    "which its value stands in the user's words (letters and digits compared, case folded); values that only the "
    "system said cannot be known and are left out. A value is held when it stands, as whole words, in the value of a "
    "fact that holds now, or such a fact's value (three letters or more) stands in it. *Value held*: over all turns and "
    "slots said so far. *Precision*: of the facts that hold after a turn, those whose value is one of a slot. "
    "*Last-said value held*: for each change in the user's own words, the new value is held and the old one is not. "
    "*False ends*: of the values that a fact held and the user never changed, those whose fact was ended or retired."
)


def run(*, quick: bool) -> Result:
    """Dialogues with a change of mind, and as many without as the sample has room for."""
    dialogues = list(data.rows(data.find("sgd", "sgd_dev.jsonl.gz")))
    changed = [one for one in dialogues if one["updates"]]
    rest = [one for one in dialogues if not one["updates"]]
    count = 60 if quick else SAMPLE
    chosen = [*sample(changed, count * 4 // 5), *sample(rest, count // 5)]
    outcomes: dict[str, list[float]] = defaultdict(list)
    result = Result(notes=[NOTE])
    shared = telling()
    for number, dialogue in enumerate(chosen):
        told = Telling(shared.memory.of(f"d{number}"), shared.clock)
        one_dialogue(told, dialogue, outcomes, result)
    goals = {"last-said value held": "≥ 0.85", "false ends": "≤ 0.01"}
    names = ("last-said value held", "value held", "precision of values", "false ends")
    result.rows = [Row("Schema-Guided Dialogue", name, mean(outcomes[name]), goal=goals.get(name, "")) for name in names]
    return result


def one_dialogue(
    told: Telling, dialogue: dict[str, Any], outcomes: dict[str, list[float]], result: Result
) -> None:
    """Tell it turn by turn, and look after each turn at what is held."""
    said: dict[tuple[str, str], str] = {}
    ever: dict[tuple[str, str], set[str]] = defaultdict(set)
    held_by: dict[tuple[str, str], set[str]] = defaultdict(set)
    ended: set[str] = set()
    for place, turn in enumerate(dialogue["turns"]):
        if turn["speaker"] != "USER":
            continue
        added = told.tell([(str(place), turn["utterance"], START + place * MINUTE)], session="dialogue")
        ended |= {fact.id for fact in closed(added)}
        facts = told.memory.facts()
        before = dict(said)
        said.update(spoken(turn))
        for slot, value in said.items():
            holding = {fact.id for fact in facts if matches(fact, [value])}
            outcomes["value held"].append(float(bool(holding)))
            held_by[slot] |= holding
            ever[slot].add(value)
        outcomes["precision of values"] += [float(matches(fact, said.values())) for fact in facts]
        for slot in said:
            if slot in before and not alike(before[slot], said[slot]):
                good = held(facts, said[slot]) and not held(facts, before[slot])
                outcomes["last-said value held"].append(float(good))
                if not good:
                    result.failures.append(f"SGD {slot[1]}: {before[slot]!r} → {said[slot]!r}: {turn['utterance']!r}")
    for slot, ids in held_by.items():
        if ids and len(ever[slot]) == 1:
            outcomes["false ends"].append(float(bool(ids & ended)))


def spoken(turn: dict[str, Any]) -> dict[tuple[str, str], str]:
    """The slots whose value the user says in this very turn."""
    words = plain(turn["utterance"])
    return {
        (service, slot): value
        for service, state in turn.get("state", {}).items()
        for slot, values in state["slots"].items()
        for value in values
        if within(plain(value), words) and plain(value)
    }


def plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def within(part: str, whole: str) -> bool:
    return f" {part} " in f" {whole} "


def alike(one: str, other: str) -> bool:
    return within(plain(one), plain(other)) or within(plain(other), plain(one))


def matches(fact: Fact, values: Iterable[str]) -> bool:
    """Whether the fact's value is one of these, or one says the other in more words."""
    mine = plain(fact.value)
    return any(
        within(plain(value), mine) or (len(mine) > 2 and within(mine, plain(value))) for value in values
    )


def held(facts: Sequence[Fact], value: str) -> bool:
    return any(matches(fact, [value]) for fact in facts)
