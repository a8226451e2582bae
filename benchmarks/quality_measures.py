"""What a ranking is worth: recall at several depths, order, tokens, and whether nothing came back. Pure."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from measure import Figure, Ranking, mean, recall

DEPTHS = (1, 3, 5, 10, 20)
CURVE = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50)
"""The depths at which recall is set against tokens."""


@dataclass(frozen=True)
class Task:
    """One table: which set, whether hits are messages or sessions, and what we want to reach, by measure."""

    title: str
    set: str
    sessions: bool = False
    goals: Mapping[str, float] = field(default_factory=dict)
    quick_goals: Mapping[str, float] = field(default_factory=dict)


TASKS = (
    Task("LoCoMo, turns", "locomo", False, {"R@5": 0.66, "R@10": 0.75}, {"R@5": 0.60, "R@10": 0.68}),
    Task("LoCoMo, sessions", "locomo", True, {"R@5": 0.92}),
    Task("LongMemEval s500, sessions", "s500", True, {"all@5": 0.89}),
    Task("LongMemEval pool50, turns", "pool50", False, {"R@5": 0.87, "R@10": 0.93}),
    Task("LongMemEval pool50, sessions", "pool50", True),
    Task("LongMemEval pool, turns", "pool", False, {"R@5": 0.68}),
    Task("RealMem, sessions", "realmem", True, {"R@5": 0.64}),
    Task("PrefEval", "prefeval", False, {"R@5": 0.42}, {"R@5": 0.30}),
    Task("BEAM 100K, messages", "beam", False, {"R@5": 0.48}),
)
ABSTAIN_GOAL = (0.50, 0.03)
"""The share of unanswerable questions that return nothing, and of answerable ones that may lose their evidence."""


class Silence(NamedTuple):
    """Whether a question has an answer, whether nothing came back, and whether evidence was kept back by that."""

    answerable: bool
    empty: bool
    lost: bool


@dataclass
class Judged:
    """Every question's measures, by task and ranker, with its kind; whether lists were empty; time of our searches."""

    rows: dict[tuple[str, str], list[tuple[str, dict[str, float]]]] = field(default_factory=lambda: defaultdict(list))
    empty: dict[tuple[str, str], list[Silence]] = field(default_factory=lambda: defaultdict(list))
    """By set and ranker: whether the question had an answer, and whether nothing came back."""
    strange: dict[tuple[str, str], list[float]] = field(default_factory=lambda: defaultdict(list))
    """By set and ranker: whether nothing came back for a question of other people's lives."""
    seconds: dict[tuple[str, str], list[float]] = field(default_factory=lambda: defaultdict(list))

    def add(self, task: Task, who: str, kind: str, measures: dict[str, float]) -> None:
        self.rows[task.title, who].append((kind, measures))

    def rankers(self, task: Task) -> list[str]:
        """Who was judged, ours first."""
        found = [who for title, who in self.rows if title == task.title]
        return sorted(found, key=lambda who: not who.startswith("Recollect"))

    def figure(self, task: Task, who: str, measure: str, kind: str | None = None) -> Figure | None:
        rows = self.rows[task.title, who]
        return mean([measures[measure] for one, measures in rows if kind is None or one == kind])

    def kinds(self, task: Task) -> list[str]:
        """The types of questions, where there are a few."""
        found = sorted({kind for who in self.rankers(task) for kind, _ in self.rows[task.title, who]})
        return found if 1 < len(found) <= 12 else []


def measured(ranking: Ranking, gold: Collection[str], tokens: Collection[int]) -> dict[str, float]:
    """All measures of one question."""
    costs = list(tokens)
    found = {f"R@{k}": recall(ranking, gold, k) for k in sorted({*DEPTHS, *CURVE})}
    found |= {f"tok@{k}": float(sum(costs[:k])) for k in sorted({5, 10, *CURVE})}
    found["all@5"] = float(found["R@5"] == 1)
    found["NDCG@10"] = ndcg(ranking, gold, 10)
    found["MRR"] = reciprocal(ranking, gold)
    return found


def ndcg(ranking: Ranking, gold: Collection[str], k: int) -> float:
    """Discounted gain of the first k hits over the best there could be; an item counts once, where it first comes."""
    seen: set[str] = set()
    gain = 0.0
    for place, hit in enumerate(ranking[:k]):
        fresh = (set(hit) & set(gold)) - seen
        gain += len(fresh) / math.log2(place + 2)
        seen |= fresh
    return min(1.0, gain / sum(1 / math.log2(place + 2) for place in range(min(k, len(set(gold))))))


def reciprocal(ranking: Ranking, gold: Collection[str]) -> float:
    """One over the place of the first hit that shows a gold item."""
    return next((1 / place for place, hit in enumerate(ranking, 1) if not set(gold).isdisjoint(hit)), 0.0)


def abstained(asked: Collection[Silence]) -> tuple[Figure | None, ...]:
    """How often nothing came back for questions without an answer and for those with one, how often these lost their
    evidence by it, and how often nothing was right when nothing came back."""
    without = [float(one.empty) for one in asked if not one.answerable]
    having = [float(one.empty) for one in asked if one.answerable]
    lost = [float(one.lost) for one in asked if one.answerable]
    right = [float(not one.answerable) for one in asked if one.empty]
    return mean(without), mean(having), mean(lost), mean(right)
