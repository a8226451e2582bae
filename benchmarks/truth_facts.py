"""FactConsolidation: numbered facts where later ones override earlier ones."""

from __future__ import annotations

import re
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import data
from measure import Ranking, Result, Tally, any_of, first, fresh_first, recall
from truth_told import MINUTE, START, Telling, closed, telling

SIZES = ("6k", "32k", "64k", "262k")
BATCH = 100

SENTENCES = """
The headquarters of {} is located in the city of {}
The name of the current head of state in {} is {}
The name of the current head of the {} government is {}
The univeristy where {} was educated is {}
The type of music that {} plays is {}
The origianl broadcaster of {} is {}
The original language of {} is {}
The official language of {} is {}
The company that produced {} is {}
The chief executive officer of {} is {}
The chairperson of {} is {}
The head coach of {} is {}
The director of {} is {}
The capital of {} is {}
The author of {} is {}
{} was written in the language of {}
{} is associated with the sport of {}
{} is affiliated with the religion of {}
{} is located in the continent of {}
{} was created in the country of {}
{} was founded in the city of {}
{} was born in the city of {}
{} plays the position of {}
{} works in the field of {}
{} speaks the language of {}
{} worked in the city of {}
{} died in the city of {}
{} was performed by {}
{} was developed by {}
{} is employed by {}
{} was founded by {}
{} was created by {}
{} is a citizen of {}
{} is married to {}
{} is famous for {}
{}'s child is {}
The {} is {}
"""
"""How this set words its relations. Only to judge ends; the library never sees them."""

NOTE = (
    "FactConsolidation: each fact is one message, in order, a minute apart, 100 a call of `add`; n questions that "
    "have a stale fact labelled, all four sizes together. *stale@5* counts a stale fact among the first five hits "
    "also when the hit is marked as history; *unmarked* counts only hits that do not say so. *False ends*: each "
    "fact is parsed by the sentence forms of the set into subject and relation (forms in "
    "`benchmarks/truth_facts.py`); a subject and relation with one value in the whole list is never contradicted; "
    "the figure is the share of those facts of which something was ended or retired by what was told later. *Kept "
    "as over from the start*: of the same facts, those of which something was read as past and holds no more. *A "
    "fact was made at all*: of the same facts, how many could have been ended; read false ends beside it. *Stale "
    "facts ended*: of the labelled stale facts."
)


def judge(tally: Tally, who: str, ranking: Ranking, current: set[str], stale: set[str]) -> None:
    tally.add(who, "fresh1st", fresh_first(ranking, current, stale))
    tally.add(who, "R@1", first(ranking, current))
    tally.add(who, "R@5", recall(ranking, current))
    tally.add(who, "stale@5", any_of(ranking, stale))


def run(*, quick: bool) -> Result:
    """All sizes, or the two small ones."""
    lists = data.one(data.find("factconsolidation", "facts.json.gz"))
    questions = [row for row in data.rows(data.find("factconsolidation", "questions.jsonl")) if row.get("stale_facts")]
    tally, result = Tally(), Result(notes=[NOTE])
    for size in SIZES[: 2 if quick else 4]:
        asked = [row for row in questions if row["size"] == size]
        one_size(lists[size], asked, tally, result)
    goals = {"R@1": "≥ 0.95", "stale@5": "≤ 0.03", "false ends": "≤ 0.005"}
    result.rows = tally.rows("FactConsolidation", goals)
    return result


def one_size(facts: Sequence[str], asked: Sequence[dict[str, Any]], tally: Tally, result: Result) -> None:
    ours, plain = telling(), telling(plain=True)
    told = tell_all(ours, facts)
    result.curve = max(result.curve, told.curve, key=len)
    tell_all(plain, facts)
    for row in asked:
        current, stale = {str(row["current_fact"])}, {str(one) for one in row["stale_facts"]}
        hits = ours.found(row["question"])
        ranking = [ours.shown(hit) for hit in hits]
        judge(tally, "ours", ranking, current, stale)
        tally.add("ours", "stale@5, unmarked", any_of(ours.unmarked(hits), stale))
        relevance, newest = plain.baselines(row["question"])
        judge(tally, "relevance", relevance, current, stale)
        judge(tally, "newest", newest, current, stale)
        if not first(ranking, current):
            shown = hits[0].text if hits else "nothing"
            result.failures.append(f"{row['question']} → {shown!r}, not {facts[row['current_fact']]!r}")
    holding = {fact.id for fact in ours.memory.facts()}
    judge_ends(told, holding, facts, asked, tally, result)


@dataclass
class Told:
    """What came of telling a list: CPU seconds after so many facts, facts made from each, facts ended on the way."""

    curve: list[tuple[int, float]] = field(default_factory=lambda: [(0, 0.0)])
    made: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    ended: set[str] = field(default_factory=set)


def tell_all(telling: Telling, facts: Sequence[str]) -> Told:
    """Tell all facts, a batch a call."""
    told, spent = Told(), 0.0
    for start in range(0, len(facts), BATCH):
        batch = [(str(start + i), text, START + (start + i) * MINUTE) for i, text in enumerate(facts[start:][:BATCH])]
        began = time.process_time()
        added = telling.tell(batch, session=f"batch {start // BATCH}")
        spent += time.process_time() - began
        told.curve.append((start + len(batch), spent))
        told.ended |= {fact.id for fact in closed(added)}
        for receipt in added.receipts:
            if receipt.fact and receipt.draft.source:
                told.made[telling.item_of[receipt.draft.source.message]].add(receipt.fact.id)
    return told


def judge_ends(
    told: Told, holding: set[str], facts: Sequence[str], asked: Sequence[dict[str, Any]], tally: Tally, result: Result
) -> None:
    """Which facts were ended, against those that nothing in the list contradicts."""
    for place in never_contradicted(facts):
        made = told.made.get(str(place), set())
        wrong = bool(made & told.ended)
        tally.add("ours", "false ends", float(wrong))
        tally.add("ours", "a fact was made at all", float(bool(made)))
        tally.add("ours", "kept as over from the start", float(bool(made - holding) and not wrong))
        if wrong:
            result.failures.append(f"ended without a contradiction: {facts[place]!r}")
    for row in asked:
        for stale in row["stale_facts"]:
            made = told.made.get(str(stale), set())
            tally.add("ours", "stale facts ended", float(bool(made) and not made & holding))


def never_contradicted(facts: Sequence[str]) -> list[int]:
    """Places of facts whose subject and relation have one value in the whole list; unread forms are left out."""
    values: dict[tuple[str, str], set[str]] = defaultdict(set)
    parsed = [parse(text) for text in facts]
    for one in parsed:
        if one:
            values[one[:2]].add(one[2])
    return [place for place, one in enumerate(parsed) if one and len(values[one[:2]]) == 1]


FORMS = [
    (form, re.compile("^" + re.escape(form).replace(r"\{\}", "(.+)", 1).replace(r"\{\}", "(.+)") + r"\.$"))
    for form in SENTENCES.strip().splitlines()
]


def parse(text: str) -> tuple[str, str, str] | None:
    """Relation, subject and value of a sentence of this set."""
    for form, pattern in FORMS:
        if match := pattern.match(text):
            return form, match[1], match[2]
    return None
