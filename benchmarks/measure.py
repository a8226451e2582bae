"""Measures that all sets share: figures with intervals, rows of the table, and rankings judged against labels. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np

RESAMPLES = 1000
SEED = 7

Ranking = Sequence[Collection[str]]
"""Hits, best first; each is the items (messages, sessions, facts of the list) that it shows."""


@dataclass(frozen=True)
class Figure:
    """A mean over questions with its bootstrap 95 % interval, or a plain number when there are no questions."""

    value: float
    low: float | None = None
    high: float | None = None
    n: int = 0


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    set: str
    measure: str
    ours: Figure | None
    relevance: Figure | None = None
    newest: Figure | None = None
    goal: str = ""
    unit: str = ""


@dataclass
class Result:
    """What one set gives: lines of the table, how they were computed, examples of failures, points of a curve."""

    rows: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    curve: list[tuple[int, float]] = field(default_factory=list)


@dataclass
class Tally:
    """Outcomes by who ranks ("ours", "relevance", "newest") and by measure."""

    outcomes: dict[str, dict[str, list[float]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(list)))

    def add(self, who: str, measure: str, *outcomes: float) -> None:
        self.outcomes[who][measure] += outcomes

    def row(self, name: str, measure: str, goal: str = "") -> Row:
        """The line of one measure, for all who were judged by it."""
        ours, relevance, newest = (mean(self.outcomes[who][measure]) for who in ("ours", "relevance", "newest"))
        return Row(name, measure, ours, relevance, newest, goal)

    def rows(self, name: str, goals: dict[str, str]) -> list[Row]:
        """A line for each measure that we were judged by."""
        return [self.row(name, measure, goals.get(measure, "")) for measure in list(self.outcomes["ours"])]


def mean(outcomes: Sequence[float]) -> Figure | None:
    """The mean with its interval by the percentile bootstrap; None when there is nothing to average."""
    if not outcomes:
        return None
    values = np.asarray(outcomes, dtype=np.float64)
    random = np.random.default_rng(SEED)
    means = [values[random.integers(0, len(values), len(values))].mean() for _ in range(RESAMPLES)]
    low, high = np.percentile(means, [2.5, 97.5])
    return Figure(float(values.mean()), float(low), float(high), len(values))


def ratio(part: int, whole: int) -> Figure | None:
    """A share of counted things, with its interval."""
    return mean([1.0] * part + [0.0] * (whole - part)) if whole else None


def shows(hit: Collection[str], wanted: Collection[str]) -> bool:
    return any(item in wanted for item in hit)


def fresh_first(ranking: Ranking, current: Collection[str], stale: Collection[str]) -> float:
    """1 when the first hit that shows either shows the current value; 0 when it is stale or neither is found."""
    for hit in ranking:
        if shows(hit, current):
            return 1.0
        if shows(hit, stale):
            return 0.0
    return 0.0


def first(ranking: Ranking, wanted: Collection[str]) -> float:
    """1 when the very first hit is wanted."""
    return float(bool(ranking) and shows(ranking[0], wanted))


def any_of(ranking: Ranking, wanted: Collection[str], k: int = 5) -> float:
    """1 when something wanted is among the first k hits."""
    return float(any(shows(hit, wanted) for hit in ranking[:k]))


def recall(ranking: Ranking, gold: Collection[str], k: int = 5) -> float:
    """The share of the gold items that are among the first k hits."""
    found = {item for hit in ranking[:k] for item in hit}
    return len(found & set(gold)) / len(set(gold))


def newest_first(ranked: Sequence[tuple[str, float]], said: dict[str, int], band: float = 0.2) -> list[str]:
    """The cheap trick: what scores within the band of the best comes first, newest first; the rest as it was."""
    if not ranked:
        return []
    best = ranked[0][1]
    near = [item for item, score in ranked if score >= (1 - band) * best]
    rest = [item for item, score in ranked if score < (1 - band) * best]
    return [*sorted(near, key=lambda item: -said[item]), *rest]


def precision_recall(found: Collection[str], expected: Collection[str]) -> tuple[float | None, float | None]:
    """Precision and recall of a set, None where they are not defined, as PrecisionMemBench counts them."""
    hits = len(set(found) & set(expected))
    precision = (None if not expected else 0.0) if not found else hits / len(set(found))
    return precision, hits / len(set(expected)) if expected else None
