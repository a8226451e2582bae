"""RealMem: is each labelled memory point's source found, and a fact made from it?"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timezone
from typing import Any

import data
from measure import Result, Tally, any_of
from truth_told import MINUTE, Telling, telling

NOTE = (
    "RealMem: all turns of {} of 5 personas, both roles, sessions in order, a minute a turn. *A fact from the "
    "source turn*: some fact's source is the turn that the point is labelled with, whatever the fact says. *Source "
    "found*: the point's text as the query; the turn, or a fact made from it, is among the first five hits."
)
PERSONAS = 5


def run(*, quick: bool) -> Result:
    """Some personas, each an owner."""
    paths = data.files("realmem", "*.json.gz")
    count = 1 if quick else PERSONAS
    tally, result = Tally(), Result(notes=[NOTE.format(count)])
    for path in paths[:count]:
        one_persona(data.one(path)["dialogues"][: 40 if quick else None], tally, result)
    result.rows = tally.rows("RealMem", {})
    return result


def one_persona(dialogues: list[dict[str, Any]], tally: Tally, result: Result) -> None:
    ours, plain = telling(), telling(plain=True)
    made = tell_dialogues(ours, dialogues)
    tell_dialogues(plain, dialogues)
    turns = {(name, text.strip()): item for item, name, text in spoken(dialogues)}
    for point in (point for dialogue in dialogues for point in dialogue["extracted_memory"]):
        item = turns.get((point["session_uuid"], point["source_content_snapshot"].strip()))
        if item is None:
            continue
        query, by_user = point["content"], point["source_role_snapshot"] == "User"
        tally.add("ours", "fact from the source turn", float(item in made))
        tally.add("ours", "fact from the source turn, the user's", *([float(item in made)] if by_user else []))
        tally.add("ours", "source found in 5", any_of(ours.ranking(query, limit=5), {item}))
        tally.add("relevance", "source found in 5", any_of(plain.baselines(query)[0], {item}))
        if by_user and item not in made:
            result.failures.append(f"RealMem {item}: no fact for {query!r}")


def spoken(dialogues: list[dict[str, Any]]) -> Iterator[tuple[str, str, str]]:
    """Every turn with its item and session; points name their turn by its words, their numbers are not all alike."""
    for dialogue in dialogues:
        for place, turn in enumerate(dialogue["dialogue_turns"]):
            yield f"{dialogue['session_uuid']}/{place}", dialogue["session_uuid"], turn["content"]


def tell_dialogues(told: Telling, dialogues: list[dict[str, Any]]) -> set[str]:
    """Tell everything in order; gives the turns from which a fact was made."""
    made: set[str] = set()
    at = datetime(2024, 1, 1, tzinfo=timezone.utc)
    for dialogue in dialogues:
        at = max(at, datetime.strptime(dialogue["current_time"][:10], "%Y-%m-%d").replace(tzinfo=timezone.utc))
        for place, turn in enumerate(dialogue["dialogue_turns"]):
            at += MINUTE
            if not turn["content"].strip():
                continue
            item = (f"{dialogue['session_uuid']}/{place}", turn["content"], at)
            added = told.tell([item], session=dialogue["session_uuid"], role=turn["speaker"].lower())
            made |= {item[0]} if added.facts else set()
    return made
