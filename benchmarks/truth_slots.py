"""Schema-Guided Dialogue: values that a user changes in the course of a dialogue."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import data
from measure import Result, Row, mean
from truth_told import MINUTE, START, Telling, closed, sample, telling

from recollect import Fact

Slot = tuple[str, str]
"""A service and one of its slots."""

NOTE = (
    "Schema-Guided Dialogue: the memory is told the user's utterances only, one `add` a turn, a fresh owner a "
    "dialogue, all dialogues. A slot counts from the turn in which its value stands in the user's words (letters "
    "and digits compared, case folded); values that only the system said cannot be known and are left out. A value "
    "is held when it stands, as whole words, in the value of a fact that holds now, or such a fact's value (three "
    "letters or more) stands in it. *Value held*: over all turns and slots said so far. *Precision*: of the facts "
    "that hold after a turn, those whose value is one of a slot. *Last-said value held*: for each labelled update "
    "whose new value the user says in that turn, the new value is held and no old value is (an old value that is "
    "now another slot's is not asked for). *False ends*: of the values that a fact held and the user never changed, "
    "those whose fact was ended or retired. A slot is changed when its labelled values of two turns have none in "
    "common, also where the new one is labelled in other words than the user's (“three” for 3)."
)


def run(*, quick: bool) -> Result:
    """All dialogues, or some."""
    dialogues = list(data.rows(data.find("sgd", "sgd_dev.jsonl.gz")))
    outcomes: dict[str, list[float]] = defaultdict(list)
    result, shared = Result(notes=[NOTE]), telling()
    for number, dialogue in enumerate(sample(dialogues, 60) if quick else dialogues):
        one_dialogue(Telling(shared.memory.of(f"d{number}"), shared.clock), dialogue, outcomes, result)
    goals = {"last-said value held": "≥ 0.85", "false ends": "≤ 0.01"}
    names = ("last-said value held", "value held", "precision of values", "false ends")
    result.rows = [Row("SGD", name, mean(outcomes[name]), goal=goals.get(name, "")) for name in names]
    return result


@dataclass
class Slots:
    """What the user has said so far, and which facts ever held it."""

    said: dict[Slot, str] = field(default_factory=dict)
    ever: dict[Slot, set[str]] = field(default_factory=lambda: defaultdict(set))
    facts: dict[Slot, set[str]] = field(default_factory=lambda: defaultdict(set))
    labelled: dict[Slot, list[set[str]]] = field(default_factory=lambda: defaultdict(list))
    ended: set[str] = field(default_factory=set)


def one_dialogue(told: Telling, dialogue: dict[str, Any], outcomes: dict[str, list[float]], result: Result) -> None:
    """Tell it turn by turn, and look after each turn at what is held."""
    slots = Slots()
    updates: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for update in dialogue["updates"]:
        updates[update["turn"]].append(update)
    for place, turn in enumerate(dialogue["turns"]):
        if turn["speaker"] != "USER":
            continue
        added = told.tell([(str(place), turn["utterance"], START + place * MINUTE)], session="dialogue")
        slots.ended |= {fact.id for fact in closed(added)}
        facts = told.memory.facts()
        slots.said.update(spoken(turn))
        for slot, values in states(turn):
            slots.labelled[slot].append(values)
        judge_turn(slots, facts, outcomes)
        for update in updates[place]:
            judge_update(update, turn["utterance"], slots, facts, outcomes, result)
    for slot, ids in slots.facts.items():
        if ids and len(slots.ever[slot]) == 1 and not changed(slots.labelled[slot]):
            outcomes["false ends"].append(float(bool(ids & slots.ended)))


def judge_turn(slots: Slots, facts: Sequence[Fact], outcomes: dict[str, list[float]]) -> None:
    for slot, value in slots.said.items():
        holding = {fact.id for fact in facts if matches(fact, [value])}
        outcomes["value held"].append(float(bool(holding)))
        slots.facts[slot] |= holding
        slots.ever[slot].add(value)
    outcomes["precision of values"] += [float(matches(fact, slots.said.values())) for fact in facts]


def judge_update(
    update: dict[str, Any],
    utterance: str,
    slots: Slots,
    facts: Sequence[Fact],
    outcomes: dict[str, list[float]],
    result: Result,
) -> None:
    new = [value for value in update["new"] if within(plain(value), plain(utterance))]
    if not new:
        return
    elsewhere = {plain(value) for value in slots.said.values()}
    old = [value for value in update["old"] if plain(value) not in elsewhere]
    good = any(held(facts, value) for value in new) and not any(held(facts, value) for value in old)
    outcomes["last-said value held"].append(float(good))
    if not good:
        result.failures.append(f"SGD {update['slot']}: {update['old']} → {new}: {utterance!r}")


def states(turn: dict[str, Any]) -> Iterable[tuple[Slot, set[str]]]:
    """The labelled values of each slot after this turn."""
    for service, state in turn.get("state", {}).items():
        for slot, values in state["slots"].items():
            yield (service, slot), {plain(value) for value in values}


def changed(labels: Sequence[set[str]]) -> bool:
    """Whether two turns have no value in common."""
    return any(not (labels[0] & later) for later in labels[1:])


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
    return any(within(plain(value), mine) or (len(mine) > 2 and within(mine, plain(value))) for value in values)


def held(facts: Sequence[Fact], value: str) -> bool:
    return any(matches(fact, [value]) for fact in facts)
