"""BM25, the measure of words: what a word says by how few have it, and how much of it a text has."""

from __future__ import annotations

import math

from recollect.store.arrays import Ints, Numbers

_K1 = 1.2
_B = 0.75


def rarity(having: int, of: int) -> float:
    """How much a word says that so many of all have."""
    return math.log1p((of - having + 0.5) / (having + 0.5))


def share(times: Ints | Numbers, lengths: Ints | Numbers, average: float) -> Numbers:
    """What texts of these lengths have of a word that they say so many times: about 1 for once in a usual one."""
    shares: Numbers = (_K1 + 1) * times / (times + _K1 * (1 - _B + _B / average * lengths))
    return shares
