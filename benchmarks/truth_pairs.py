"""Sentence pairs that contradict, follow or are merely alike: only a contradiction may end anything."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import data
from measure import Result, Row, mean
from truth_told import MINUTE, START, Telling, closed, sample, telling

SAMPLE = 5000
NOTE = (
    "NLI pairs: each pair is told as two messages to a fresh owner, premise first; counted is how often the second "
    "ended or retired a fact of the first (at most {} pairs a label). Pairs describe scenes, mostly of nobody "
    "known, so a memory need not keep them at all: the stress is on what must not end. *Facts of both*: pairs where "
    "both sentences gave a fact."
)


def run(*, quick: bool) -> Result:
    """So many pairs of each label."""
    pairs = list(data.rows(data.find("nli", "nli.jsonl.gz")))
    count = 100 if quick else SAMPLE
    outcomes: dict[str, list[float]] = defaultdict(list)
    result, shared = Result(notes=[NOTE.format(count)]), telling()
    for label in ("neutral", "entailment", "contradiction"):
        for pair in sample([one for one in pairs if one["label"] == label], count):
            owner = f"{label} {pair['source']} {pair['id']}"
            one_pair(Telling(shared.memory.of(owner), shared.clock), pair, outcomes, result)
    goals = {"neutral: ended": "0", "entailment: ended": "0"}
    names = ("neutral: ended", "entailment: ended", "contradiction: ended", "contradiction: disputed", "facts of both")
    result.rows = [Row("NLI pairs", name, mean(outcomes[name]), goal=goals.get(name, "")) for name in names]
    return result


def one_pair(told: Telling, pair: dict[str, Any], outcomes: dict[str, list[float]], result: Result) -> None:
    label = pair["label"]
    before = told.tell([("premise", pair["premise"], START)], session="pair")
    after = told.tell([("hypothesis", pair["hypothesis"], START + MINUTE)], session="pair")
    ended = bool({fact.id for fact in closed(after)} & {fact.id for fact in before.facts})
    outcomes[f"{label}: ended"].append(float(ended))
    outcomes[f"{label}: disputed"].append(float(any(one.outcome == "disputed" for one in after.receipts)))
    outcomes["facts of both"].append(float(bool(before.facts and after.facts)))
    if ended and label != "contradiction":
        which = f"NLI {pair['source']} {pair['id']} ({label})"
        # SICK is for evaluation only: its sentences are not printed.
        said = "" if pair["source"] == "sick" else f": {pair['premise']!r} then {pair['hypothesis']!r}"
        result.failures.append(which + said)
