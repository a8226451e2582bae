"""FactConsolidation: numbered facts where later ones override earlier ones."""

from __future__ import annotations

import re
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import data
from measure import Ranking, Result, Row, any_of, first, fresh_first, mean, recall
from truth_told import MINUTE, START, Telling, telling

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
    "FactConsolidation: each fact is one message, in order, a minute apart, 100 a call of `add`; n questions that have "
    "a stale fact labelled, all four sizes together. *stale@5* counts a stale fact among the first five hits also when "
    "the hit is marked as history; *unmarked* counts only hits that do not say so. *False ends*: each fact is parsed "
    "by the sentence forms of the set into subject and relation (forms in `benchmarks/truth_facts.py`); a subject and "
    "relation with one value in the whole list is never contradicted; the figure is the share of those facts from "
    "which something was made that does not hold at the end. *Stale facts ended*: of the labelled stale facts."
)


@dataclass
class Tally:
    """Outcomes over all sizes, by measure and ranking."""

    outcomes: dict[str, dict[str, list[float]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(list)))

    def judge(self, who: str, ranking: Ranking, current: set[str], stale: set[str]) -> None:
        mine = self.outcomes[who]
        mine["fresh1st"].append(fresh_first(ranking, current, stale))
        mine["R@1"].append(first(ranking, current))
        mine["R@5"].append(recall(ranking, current))
        mine["stale@5"].append(any_of(ranking, stale))

    def row(self, measure: str, goal: str = "") -> Row:
        ours, relevance, newest = (mean(self.outcomes[who][measure]) for who in ("ours", "relevance", "newest"))
        return Row("FactConsolidation", measure, ours, relevance, newest, goal)


def run(*, quick: bool) -> Result:
    """All sizes, or the two small ones."""
    lists = data.one(data.find("factconsolidation", "facts.json.gz"))
    questions = [row for row in data.rows(data.find("factconsolidation", "questions.jsonl")) if row.get("stale_facts")]
    tally, result = Tally(), Result(notes=[NOTE])
    for size in SIZES[: 2 if quick else 4]:
        asked = [row for row in questions if row["size"] == size]
        one_size(lists[size], asked, tally, result)
    result.rows = [
        tally.row("fresh1st"),
        tally.row("R@1", "≥ 0.95"),
        tally.row("R@5"),
        tally.row("stale@5", "≤ 0.03"),
        tally.row("stale@5, unmarked"),
        tally.row("false ends", "≤ 0.005"),
        tally.row("stale facts ended"),
    ]
    return result


def one_size(facts: Sequence[str], asked: Sequence[dict[str, Any]], tally: Tally, result: Result) -> None:
    ours, plain = telling(), telling(plain=True)
    curve, made = tell_all(ours, facts)
    result.curve = curve if len(curve) > len(result.curve) else result.curve
    tell_all(plain, facts)
    for row in asked:
        current, stale = {str(row["current_fact"])}, {str(one) for one in row["stale_facts"]}
        hits = ours.found(row["question"])
        ranking = [ours.shown(hit) for hit in hits]
        tally.judge("ours", ranking, current, stale)
        unmarked = [ours.shown(hit) for hit in hits[:5] if hit.ended is None]
        tally.outcomes["ours"]["stale@5, unmarked"].append(any_of(unmarked, stale))
        relevance, newest = plain.baselines(row["question"])
        tally.judge("relevance", relevance, current, stale)
        tally.judge("newest", newest, current, stale)
        if not first(ranking, current):
            shown = hits[0].text if hits else "nothing"
            result.failures.append(f"{row['question']} → {shown!r}, not {facts[row['current_fact']]!r}")
    judge_ends(ours, facts, made, asked, tally, result)


def tell_all(telling: Telling, facts: Sequence[str]) -> tuple[list[tuple[int, float]], dict[str, set[str]]]:
    """Tell all facts; gives CPU seconds after so many facts, and the ids of the facts made from each."""
    curve, made, spent = [(0, 0.0)], defaultdict[str, set[str]](set), 0.0
    for start in range(0, len(facts), BATCH):
        batch = [(str(start + i), text, START + (start + i) * MINUTE) for i, text in enumerate(facts[start:][:BATCH])]
        began = time.process_time()
        added = telling.tell(batch, session=f"batch {start // BATCH}")
        spent += time.process_time() - began
        curve.append((start + len(batch), spent))
        for receipt in added.receipts:
            if receipt.fact and receipt.draft.source:
                made[telling.item_of[receipt.draft.source.message]].add(receipt.fact.id)
    return curve, made


def judge_ends(
    ours: Telling,
    facts: Sequence[str],
    made: dict[str, set[str]],
    asked: Sequence[dict[str, Any]],
    tally: Tally,
    result: Result,
) -> None:
    """Which facts no longer hold, against those that nothing in the list contradicts."""
    holding = {fact.id for fact in ours.memory.facts()}
    outcomes = tally.outcomes["ours"]
    for place in never_contradicted(facts):
        wrong = bool(made.get(str(place), set()) - holding)
        outcomes["false ends"].append(float(wrong))
        if wrong:
            result.failures.append(f"ended without a contradiction: {facts[place]!r}")
    for row in asked:
        for stale in row["stale_facts"]:
            ids = made.get(str(stale), set())
            outcomes["stale facts ended"].append(float(bool(ids) and not ids & holding))


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
