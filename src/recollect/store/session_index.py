"""Whole talks by their words: all that was said in a session counts as one text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from recollect.store.arrays import Ints, Numbers
from recollect.store.bm25 import rarity, share


class Talks:
    """The session of each message of an owner's index; read when first asked for, and then caught up with."""

    def __init__(self) -> None:
        self.newest = 0
        """The number of the newest message that was read."""
        self._numbers: dict[str, int] = {}
        self._of = np.empty(0, dtype=np.int32)
        """The number of a session by the place of a record; -1 for what is no message."""

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        return self._of.nbytes + 150 * len(self._numbers)

    def add(self, places: Ints, sessions: Iterable[str]) -> None:
        """Take in the sessions of messages at these places, which grow."""
        numbers = [self._numbers.setdefault(session, len(self._numbers)) for session in sessions]
        if numbers:
            more = np.full(int(places[-1]) + 1 - len(self._of), -1, dtype=np.int32)
            self._of = np.concatenate([self._of, more])
            self._of[places] = numbers

    def by_words(self, postings: Sequence[tuple[Ints, Ints]], lengths: Ints, limit: int) -> list[tuple[str, float]]:
        """The best sessions by BM25, given for each word the places that have it and how often; and the length of every
        record."""
        many = len(self._numbers)
        if not many:
            return []
        said = self._of >= 0
        spoken = np.bincount(self._of[said], lengths[: len(said)][said], many)
        scores = np.zeros(many)
        for places, times in postings:
            within = places < len(said)
            numbers = self._of[places[within]]
            heard = numbers >= 0
            counted = np.bincount(numbers[heard], times[within][heard], many)
            scores += self._gained(counted, spoken)
        best = sorted(zip(self._numbers, scores.tolist(), strict=True), key=lambda one: (-one[1], one[0]))
        return [(session, score) for session, score in best[:limit] if score > 0]

    def _gained(self, counted: Ints | Numbers, spoken: Ints | Numbers) -> Numbers:
        """What each session gains by a word that was said in it so often."""
        having = int(np.count_nonzero(counted))
        return rarity(having, len(counted)) * share(counted, spoken, max(1.0, float(spoken.mean())))
