"""Signals to a ranking with reasons: each signal is independent evidence that a record is what was asked for. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from recollect.guard import TRUST
from recollect.records import Fact, Message, Note, Reason

WEIGHTS: Mapping[str, float] = {
    "words": 0.75,
    "meaning": 0.75,
    "attribute": 0.7,
    "subject": 0.35,
    "topic": 0.35,
    "time": 0.35,
    "recency": 0.02,
    "newest": 0.25,
}
"""How much a signal at full strength counts as evidence, from 0 to 1."""

ORDERING = ("recency", "newest")
"""Signals that put one of several answers before another and are no evidence of their own."""

ENOUGH = 0.3
"""Evidence below this returns nothing."""

HISTORY = 0.4
"""What is no longer so counts this much of what it would."""

FAR = 0.3
"""How much the words of a record lose when others have many more of them."""

STRAY = 0.7
"""A single reason must give this share of the best evidence to count beside it."""

CLOSE = 0.8
"""A fact stands for its message when it scores at least this share of it."""

UNRELATED = 0.25
"""The cosine that texts with nothing in common reach; only what lies above it counts."""


@dataclass
class Candidate:
    """A record that some signal found, with how strongly each one did."""

    record: Fact | Message | Note
    strengths: dict[str, float] = field(default_factory=dict)
    details: dict[str, str] = field(default_factory=dict)
    ended: Fact | None = None
    known_evidence: float | None = None

    def strengthen(self, signal: str, strength: float, detail: str = "") -> None:
        if strength > self.strengths.get(signal, 0.0):
            self.strengths[signal] = min(1.0, strength)
            self.details[signal] = detail
            self.known_evidence = None


def words_strength(score: float, share: float, best: float) -> float:
    """From BM25 in units of one rare word: one gives 0.63, two 0.86, less for what is far from the best. A record that
    has all that was asked for counts even when all its words are common."""
    absolute = max(1 - math.exp(-max(0.0, score)), 0.6 * share**2)
    return absolute * (1 - FAR + FAR * score / best) if best > 0 else 0.0


def meaning_strength(cosine: float) -> float:
    """From a cosine: nothing up to what unrelated texts reach, then in proportion."""
    return max(0.0, (cosine - UNRELATED) / (1 - UNRELATED))


def reasons(candidate: Candidate) -> tuple[Reason, ...]:
    """The parts of a candidate's score, strongest first."""
    parts = [
        Reason(signal, round(strength, 4), WEIGHTS[signal], candidate.details.get(signal, ""))
        for signal, strength in candidate.strengths.items()
        if strength > 0
    ]
    return tuple(sorted(parts, key=lambda reason: (-reason.points, reason.signal)))


def evidence(candidate: Candidate) -> float:
    """How sure all signals together are, from 0 to 1: what is left after each has had its chance to be wrong."""
    if candidate.known_evidence is None:
        candidate.known_evidence = rough(candidate.strengths)
    return candidate.known_evidence


def score(candidate: Candidate) -> float:
    """What candidates are ordered by: evidence, less for what has ended or is little trusted, newest first in a tie."""
    total = evidence(candidate) + sum(WEIGHTS[signal] * candidate.strengths.get(signal, 0.0) for signal in ORDERING)
    if candidate.ended is not None:
        total *= HISTORY
    if TRUST[candidate.record.origin] < TRUST["user"]:
        total *= 0.9
    if isinstance(candidate.record, Fact):
        total *= 0.75 + 0.25 * candidate.record.confidence
    return total


def rough(strengths: Mapping[str, float]) -> float:
    """The same from the bare strengths, for a record that is not loaded yet. Being recent is no evidence."""
    doubt = 1.0
    for signal, strength in strengths.items():
        if signal not in ORDERING:
            doubt *= 1 - strength * WEIGHTS[signal]
    return 1 - doubt


def ranked(candidates: Iterable[Candidate], *, first: str) -> list[Candidate]:
    """Those with enough evidence, best first, a fact and its message as one, the first owner's first in a tie; none
    when nothing is relevant."""
    enough = [candidate for candidate in candidates if evidence(candidate) >= ENOUGH]
    best = max((evidence(candidate) for candidate in enough), default=0.0)
    kept = fold([candidate for candidate in enough if not stray(candidate, best)])
    return sorted(kept, key=lambda one: (-score(one), one.record.owner != first, one.record.id))


def stray(candidate: Candidate, best: float) -> bool:
    """Whether a candidate has little beside the best one and only one reason for it: a word in common, by chance. What
    has ended is known to speak of the same thing."""
    if candidate.ended is not None:
        return False
    speaking = [
        strength for signal, strength in candidate.strengths.items() if signal not in ORDERING and strength > 0.1
    ]
    return len(speaking) < 2 and evidence(candidate) < STRAY * best


def fold(candidates: Sequence[Candidate]) -> list[Candidate]:
    """One candidate for a fact and the message it comes from: the fact, unless the message has clearly more to say."""
    derived: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        for source in sources_of(candidate.record):
            derived.setdefault(source, []).append(candidate)
    gone: set[str] = set()
    for message in candidates:
        facts = derived.get(message.record.id)
        if not facts:
            continue
        best = max(facts, key=score)
        if score(best) >= CLOSE * score(message):
            gone.add(message.record.id)
            for signal, strength in message.strengths.items():
                best.strengthen(signal, strength, message.details.get(signal, ""))
        elif message.ended is None:
            gone.update(fact.record.id for fact in facts)
    return [candidate for candidate in candidates if candidate.record.id not in gone]


def sources_of(record: Fact | Message | Note) -> tuple[str, ...]:
    return tuple(source.message for source in record.sources) if isinstance(record, Fact) else ()
