"""PrecisionMemBench: which beliefs come back for a query, and which must not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import data
from measure import Figure, Result, Row, mean, precision_recall
from truth_told import START, Telling, telling

from recollect import Fact, Memory

UNIVERSAL = "user:universal"
QUESTION = "open_question"
NOTE = (
    "PrecisionMemBench: a user and a scope are an owner; a belief is told by `remember(key, value)` in the order of "
    "the dates: the key is its canonical name, the value its aliases and its content, the category its type, pinned "
    "as it says. A belief that replaces another is told under the same key, as a user would who sets a key anew; a "
    "question that was resolved is ended by `forget`. For a case the owners of its scopes are searched (limit 20); "
    "as in the maker's own runner, pinned beliefs, open questions and the universal scope have their own lists and "
    "are not counted as retrieved, a relation brings its participants, and a budget cuts what is left. A case "
    "passes when all its expectations hold. The seed was written by the maker of one of the systems ranked: a "
    "regression test, no claim. Relevance only: BM25 over the same texts, superseded ones too."
)


@dataclass
class Seed:
    """Beliefs as told: which fact or message is which belief."""

    beliefs: dict[str, dict[str, Any]]
    told: Telling
    plain: bool = False
    """The baseline: beliefs are messages, found by BM25; what is pinned is read from the seed."""
    belief_of: dict[str, str] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)

    def owners(self, user: str, scopes: Sequence[str]) -> Memory:
        names = [f"{user}/{scope}" for scope in scopes]
        return self.told.memory.of(names[0], also=names[1:])


def run(*, quick: bool) -> Result:
    """All cases; they are few."""
    rows = data.one(data.find("precisionmembench", "beliefs.seed.json"))
    cases = data.one(data.find("precisionmembench", "retrieval.cases.json"))
    sessions = data.one(data.find("precisionmembench", "session-retrieval.cases.json"))
    result = Result(notes=[NOTE])
    ours = judged(seeded(rows), cases, sessions, result)
    theirs = judged(seeded(rows, plain=True), cases, sessions, Result())
    goals = {"cases passed": "≥ 36 of 40", "precision": "≥ 0.85"}
    for name in ("cases passed", "precision", "recall"):
        row = Row("PrecisionMemBench", name, mean(ours[name]), mean(theirs[name]), goal=goals.get(name, ""))
        result.rows.append(as_count(row) if name == "cases passed" else row)
    return result


def as_count(row: Row) -> Row:
    def count(figure: Figure | None) -> Figure | None:
        return figure and Figure(round(figure.value * figure.n), n=figure.n)

    return Row(row.set, row.measure, count(row.ours), count(row.relevance), goal=row.goal, unit="count")


def seeded(rows: Sequence[dict[str, Any]], *, plain: bool = False) -> Seed:
    """Tell every belief, oldest first."""
    seed = Seed({row["_id"]: row for row in rows}, telling(plain=plain, at=START), plain)
    for row in sorted(rows, key=lambda row: row["created_at"]):
        tell(seed, row)
    seed.told.clock.at = datetime.fromisoformat("2026-11-01T00:00:00+00:00")
    return seed


def tell(seed: Seed, row: dict[str, Any]) -> None:
    if seed.plain:
        return tell_plainly(seed, row)
    seed.told.clock.at = date(row["created_at"])
    memory = seed.told.memory.of(f"{row['user_id']}/{row['scope'][0]}")
    key = key_of(seed, row)
    fact = memory.remember(key, value_of(row), category=row["type"], pinned=row["pinned"])
    seed.belief_of[fact.id] = row["_id"]
    if row.get("resolved_at"):
        seed.told.clock.at = date(row["resolved_at"])
        memory.forget(fact)
    return None


def tell_plainly(seed: Seed, row: dict[str, Any]) -> None:
    memory = seed.told.memory.of(f"{row['user_id']}/{row['scope'][0]}")
    added = memory.add(f"{spelled(row['canonical_name'])}: {value_of(row)}", session="seed", at=date(row["created_at"]))
    seed.belief_of[added.messages[0].id] = row["_id"]


def key_of(seed: Seed, row: dict[str, Any]) -> str:
    """The key of the belief that stands at the end of its chain."""
    while row.get("superseded_by"):
        row = seed.beliefs[row["superseded_by"]]
    return spelled(row["canonical_name"])


def spelled(name: str) -> str:
    return name.replace("_", " ")


def value_of(row: dict[str, Any]) -> str:
    aliases = ", ".join(row["aliases"])
    return f"{aliases}. {row['content']}" if aliases else row["content"]


def date(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def judged(
    seed: Seed, cases: Sequence[dict[str, Any]], sessions: Sequence[dict[str, Any]], result: Result
) -> dict[str, list[float]]:
    """Passed, precision and recall of each case; a session passes when all its turns do."""
    outcomes: dict[str, list[float]] = {"cases passed": [], "precision": [], "recall": []}
    for case in cases:
        outcomes["cases passed"].append(float(judge(seed, case, outcomes, result)))
    for session in sessions:
        passed = [judge_turn(seed, session, turn, outcomes, result) for turn in session["turns"]]
        outcomes["cases passed"].append(float(all(passed)))
    return outcomes


def judge_turn(
    seed: Seed, session: dict[str, Any], turn: dict[str, Any], outcomes: dict[str, list[float]], result: Result
) -> bool:
    """One turn of a session; a belief that the set makes or enriches in this turn is told."""
    case = {"caseId": f"{session['caseId']} turn {turn['turnIndex']}", "query": turn["userMessage"], **turn}
    passed = judge(seed, case, outcomes, result)
    if new := turn.get("createBeliefAtTurn"):
        seed.beliefs[new["_id"]] = new
        tell(seed, new)
    if update := turn.get("updateBeliefAtTurn"):
        row = seed.beliefs[update["beliefId"]]
        row = {**row, "aliases": [*row["aliases"], *update["addAliases"]], "created_at": "2026-10-31T00:00:00Z"}
        tell(seed, row)
    return passed


def judge(seed: Seed, case: dict[str, Any], outcomes: dict[str, list[float]], result: Result) -> bool:
    user, scopes, expect = case.get("userId", "test-user"), case["scope"], case["expect"]
    pinned, questions = standing(seed, user, scopes)
    limit = case.get("budget", {}).get("maxBeliefs", 20)
    found = retrieved(seed, user, scopes, case["query"])
    relevant = [one for one in found if one not in pinned and one not in questions][: max(0, limit - len(pinned))]
    wanted = expect.get("relevantBeliefs", {}).get("shouldOnlyInclude")
    if wanted is not None:
        for name, figure in zip(("precision", "recall"), precision_recall(relevant, wanted), strict=True):
            outcomes[name] += [] if figure is None else [figure]
    wrong = [
        *problems(expect.get("relevantBeliefs", {}), [*relevant, *pinned], "relevant"),
        *problems(expect.get("pinnedFacts", {}), pinned, "pinned"),
        *problems(expect.get("openQuestions", {}), questions, "question"),
        *(unequal(relevant, wanted) if wanted is not None else ()),
        *prelude_problems(seed, user, expect.get("personaPrelude", {})),
    ]
    if wrong:
        result.failures.append(f"{case['caseId']}: {'; '.join(wrong)}")
    return not wrong


def standing(seed: Seed, user: str, scopes: Sequence[str]) -> tuple[list[str], list[str]]:
    """Pinned beliefs and open questions that hold, as the library lists them."""
    names = [(fact.category, seed.belief_of[fact.id]) for fact in seed.owners(user, scopes).facts() if fact.pinned]
    if seed.plain:
        names = [(row["type"], name) for name, row in seed.beliefs.items() if pinned(row, user, scopes)]
    facts = [name for category, name in names if category != QUESTION]
    return facts, [name for category, name in names if category == QUESTION]


def pinned(row: dict[str, Any], user: str, scopes: Sequence[str]) -> bool:
    over = row.get("superseded_by") or row.get("resolved_at")
    return row["pinned"] and not over and row["user_id"] == user and bool(set(row["scope"]) & set(scopes))


def retrieved(seed: Seed, user: str, scopes: Sequence[str], query: str) -> list[str]:
    """Beliefs that a search finds, each once, with the participants of relations; universal ones are in the prelude."""
    hits = seed.owners(user, scopes).search(query, limit=20)
    names = list(dict.fromkeys(seed.belief_of[hit.id] for hit in hits))
    for name in list(names):
        names += [one for one in participants(seed, name, scopes) if one not in names]
    return [name for name in names if UNIVERSAL not in seed.beliefs[name]["scope"]]


def participants(seed: Seed, name: str, scopes: Sequence[str]) -> Iterable[str]:
    for one in seed.beliefs[name].get("participants") or ():
        row = seed.beliefs[one]
        if row["type"] != QUESTION and set(row["scope"]) & set(scopes):
            yield one


def problems(expect: dict[str, Any], names: Sequence[str], what: str) -> list[str]:
    missing = [f"{what} misses {one}" for one in expect.get("mustInclude", ()) if one not in names]
    return missing + [f"{what} has {one}" for one in expect.get("mustExclude", ()) if one in names]


def unequal(relevant: Sequence[str], wanted: Sequence[str]) -> list[str]:
    return [
        *(f"extra {one}" for one in relevant if one not in wanted),
        *(f"missing {one}" for one in wanted if one not in relevant),
    ]


def prelude_problems(seed: Seed, user: str, expect: dict[str, Any]) -> list[str]:
    """The prelude is what holds in the user's universal scope."""
    facts: list[Fact] = seed.owners(user, [UNIVERSAL]).facts()
    text = " ".join(fact.text for fact in facts)
    if seed.plain:
        return []
    wrong = ["prelude is empty"] if expect.get("nonEmpty") and not text else []
    wrong += ["prelude is not empty"] if expect.get("isNull") and text else []
    return wrong + [f"prelude lacks {word!r}" for word in expect.get("contains", ()) if word not in text]
