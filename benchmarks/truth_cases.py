"""Own cases: every kind of statement, with the receipts it must give and the state afterwards on both clocks."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import Any

import data
from measure import Result, Row, mean
from truth_told import MINUTE, Standing, closed, telling

from recollect import Fact, Memory
from recollect.facts.attributes import attribute
from recollect.records import Added, Receipt
from recollect.text.values import same_value

FILES = {
    "truth": "Own cases",
    "truth_heldout": "Own cases, held out",
    "truth_unread": "Own cases, unread",
    "truth_keeps": "Own cases, keeps",
}
UNSHOWN = ("truth_heldout", "truth_unread", "truth_keeps")
"""Their failures are counted, never shown: nobody can tune on what nobody has read."""

NOTE = (
    "Own cases: `benchmarks/cases/*.jsonl`; each turn is told with its date (`at=`), learned then too unless it "
    "comes late; now is a day after the last. A case is correct when every expected receipt came (outcome, subject, "
    "attribute, value, compared by `recollect.facts.attributes`), nothing came from turns that must give nothing, all "
    "that must and must not hold is so now, at the given times and as known at the given times. *Wrong ends*: of "
    "what must hold now, what was ended or retired. *Missed ends*: of what must not hold now, what does. *Not "
    "held*: of what must hold now, what does not, for whatever reason. They are an evaluation, not tuned on; "
    "*unread* are cases that nobody has read, *keeps* stories in which something looks like a "
    "change and nothing may end."
)

Triple = Sequence[str]
"""Subject, attribute, value; each may have alternatives between bars."""


@dataclass
class Outcomes:
    """Of one file: correct cases by kind, and single expectations."""

    correct: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    measures: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))


def run(*, quick: bool) -> Result:
    """All files that are there."""
    result = Result(notes=[NOTE])
    for file, name in FILES.items():
        path = data.CASES / f"{file}.jsonl"
        if not path.is_file():
            result.notes.append(f"{name}: not here: looked for {path}")
            continue
        outcomes, shown = Outcomes(), Result()
        for case in list(data.rows(path))[:: 4 if quick else 1]:
            one_case(case, outcomes, shown)
        if file not in UNSHOWN:
            result.failures += shown.failures
        result.rows += file_rows(name, outcomes)
    if not result.rows:
        raise data.Absent(f"own cases are not here: looked for {data.CASES}/*.jsonl")
    return result


def file_rows(name: str, outcomes: Outcomes) -> list[Row]:
    everything = [one for kind in outcomes.correct.values() for one in kind]
    rows = [Row(name, "correct", mean(everything))]
    names = ("wrong ends", "missed ends", "not held")
    rows += [Row(name, one, mean(outcomes.measures[one])) for one in names]
    return rows + [Row(name, f"correct: {kind}", mean(outcomes.correct[kind])) for kind in sorted(outcomes.correct)]


def one_case(case: dict[str, Any], outcomes: Outcomes, result: Result) -> None:
    told = telling(at=day(case["said"][0]["at"]))
    problems: list[str] = []
    ended: list[Fact] = []
    for place, (turn, expected) in enumerate(zip(case["said"], case["receipts"], strict=True)):
        added = say(told.memory, told.clock, turn, place)
        ended += closed(added)
        problems += wrong_receipts(added, expected)
    told.clock.at += timedelta(days=1)
    now = held(told.memory.facts())
    problems += wrong_state(now, case, "now")
    for date, state in case.get("at", {}).items():
        problems += wrong_state(held(told.memory.facts(at=date)), state, f"at {date}")
    for date, state in case.get("known_at", {}).items():
        problems += wrong_state(held(told.memory.facts(known_at=date)), state, f"known at {date}")
    count_ends(case, now, ended, outcomes.measures)
    kind = case["kind"] if case["lang"] == "en" else f"all kinds ({case['lang']})"
    outcomes.correct[kind].append(float(not problems))
    if problems:
        said = " / ".join(turn["text"] for turn in case["said"])
        result.failures.append(f"{case['id']} ({said}): {'; '.join(problems)}")


def held(facts: Iterable[Fact]) -> list[Fact]:
    """Those that hold; one that only disputes another does not."""
    return [fact for fact in facts if fact.disputes is None]


def day(date: str) -> datetime:
    return datetime.fromisoformat(date[:10]).replace(hour=12, tzinfo=timezone.utc)


def say(memory: Memory, clock: Standing, turn: dict[str, Any], place: int) -> Added:
    """Tell one turn at its date; a date before the last turn's is late news, learned when the clock stands."""
    said = day(turn["at"]) + place * MINUTE
    clock.at = max(clock.at, said)
    return memory.add(turn["text"], session="case", at=said, role=turn.get("role", "user"), origin=turn.get("origin"))


def wrong_receipts(added: Added, expected: Sequence[Sequence[str]] | None) -> list[str]:
    """Expected receipts that did not come; any at all where there must be none; None asks for nothing."""
    if expected is None:
        return []
    made = [receipt for receipt in added.receipts if receipt.outcome != "refused"]
    if not expected and made:
        return [f"no receipt wanted, got {described(made)}"]
    return [
        f"no receipt {one}, got {described(added.receipts)}"
        for one in expected
        if not any(receipt_is(receipt, one) for receipt in added.receipts)
    ]


def receipt_is(receipt: Receipt, expected: Sequence[str]) -> bool:
    """Whether the outcome fits, and the draft, its fact, or a fact it ended is the expected one."""
    outcome, *triple = expected
    draft = receipt.draft
    spoken = [(draft.subject, draft.attribute, draft.value)]
    spoken += [spelled(fact) for fact in (receipt.fact, *receipt.affected) if fact]
    return receipt.outcome in outcome.split("|") and any(same(one, triple) for one in spoken)


def described(receipts: Iterable[Receipt]) -> str:
    drafts = [(one.outcome, one.draft.subject, one.draft.attribute, one.draft.value) for one in receipts]
    return ", ".join(" | ".join(draft) for draft in drafts) or "nothing"


def wrong_state(facts: Sequence[Fact], state: dict[str, Any], when: str) -> list[str]:
    missing = [f"{when} lacks {one}" for one in state.get("holds", ()) if not holds(facts, one)]
    return missing + [f"{when} has {one}" for one in state.get("not", ()) if holds(facts, one)]


def count_ends(
    case: dict[str, Any], now: Sequence[Fact], ended: Sequence[Fact], measures: dict[str, list[float]]
) -> None:
    for one in case["holds"]:
        held = holds(now, one)
        measures["not held"].append(float(not held))
        measures["wrong ends"].append(float(not held and holds(ended, one)))
    measures["missed ends"] += [float(holds(now, one)) for one in case["not"]]


def holds(facts: Iterable[Fact], expected: Triple) -> bool:
    return any(same(spelled(fact), expected) for fact in facts)


def spelled(fact: Fact) -> tuple[str, str, str]:
    return fact.subject, fact.attribute, fact.value


def same(found: Triple, expected: Triple) -> bool:
    """Whether each part is one of the alternatives, as the library compares names and values."""
    subject, name, value = found
    return (
        any(bare(subject) == bare(one) for one in expected[0].split("|"))
        and any(attribute(name).name == attribute(one).name for one in expected[1].split("|"))
        and any(same_value(value, one) for one in expected[2].split("|"))
    )


def bare(subject: str) -> str:
    return re.sub(r"^(?:the|my|our|a|an)\s+", "", subject.casefold().strip())
