"""What others do, for comparison in the same run: BM25, the embedder alone, both fused by rank, and hashed words."""

from __future__ import annotations

import zlib
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from recollect.text.words import query_terms, terms

Floats = npt.NDArray[np.float64]

K1, B = 1.2, 0.75
FUSED = 60
"""The constant of reciprocal rank fusion, as everyone has it."""
SLOTS = 256


class Words:
    """BM25 over texts, question words dropped, words as stems."""

    def __init__(self, texts: Sequence[str]) -> None:
        found: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self.lengths = np.zeros(max(1, len(texts)))
        for place, text in enumerate(texts):
            counted = Counter(terms(text))
            self.lengths[place] = counted.total()
            for term, times in counted.items():
                found[term].append((place, times))
        self.postings = {term: np.array(pairs).T for term, pairs in found.items()}
        self.count = len(texts)
        self.damping = K1 * (1 - B + B * self.lengths / max(1.0, float(self.lengths.mean())))

    def scores(self, question: str) -> Floats:
        """BM25 of each text."""
        scores = np.zeros(self.count)
        for term in query_terms(question):
            if term in self.postings:
                places, times = self.postings[term]
                rarity = np.log1p((self.count - len(places) + 0.5) / (len(places) + 0.5))
                scores[places] += rarity * times * (K1 + 1) / (times + self.damping[places])
        return scores


class Hashed:
    """The toy of the tutorials: words hashed into 256 slots, compared by cosine."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.rows = np.array([hashed(text) for text in texts]) if texts else np.zeros((0, SLOTS))

    def scores(self, question: str) -> Floats:
        """The cosine with each text."""
        found: Floats = self.rows @ hashed(question)
        return found


def hashed(text: str) -> Floats:
    vector = np.zeros(SLOTS)
    for word in text.lower().split():
        vector[zlib.crc32(word.encode()) % SLOTS] += 1
    length = float(np.linalg.norm(vector))
    return vector / length if length else vector


def ordered(scores: Floats, *, above: float | None = None) -> list[int]:
    """Places, best first, earlier ones first in a tie; without those that score no more than `above`."""
    order = np.argsort(-scores, kind="stable")
    return [int(place) for place in order if above is None or scores[place] > above]


def fused(*rankings: Sequence[int]) -> list[int]:
    """Reciprocal rank fusion with equal weights."""
    scores: dict[int, float] = defaultdict(float)
    for ranking in rankings:
        for rank, place in enumerate(ranking, 1):
            scores[place] += 1 / (FUSED + rank)
    return sorted(scores, key=lambda place: -scores[place])
