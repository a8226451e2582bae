"""Comparing a question with a memory word by word, and keeping a memory's words small.

A token vector is kept as four bits a number, two numbers a byte: the first half of its numbers in the low bits, the
second half in the high ones. Its length is not kept: only its direction counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

_MOST = 7  # a number is kept as -7 to 7
_ZERO = 8  # and written as 1 to 15, so that zero is eight
_AT_ONCE = 512  # tokens compared in one step, which stays in the cache of the processor


def pack(vectors: Floats) -> bytes:
    """Token vectors, one a row, in half a byte a number."""
    scale = np.abs(vectors).max(1, keepdims=True, initial=0) / _MOST
    scale[scale == 0] = 1
    whole = (np.rint(vectors / scale) + _ZERO).astype(np.uint8)
    half = vectors.shape[1] // 2
    packed: bytes = (whole[:, :half] | whole[:, half:] << 4).tobytes()
    return packed


def late_scores(question: Floats, weights: Floats, packed: Sequence[bytes]) -> Floats:
    """For each memory: over the question's tokens, the best cosine among the memory's, weighted and averaged.

    `question` has one unit vector a token, `weights` says how much each counts. A memory without tokens has 0.
    """
    scores = np.zeros(len(packed), np.float32)
    total = float(weights.sum())
    full = [bool(each) for each in packed]
    if not any(full) or total <= 0:
        return scores
    half = question.shape[1] // 2
    counts = np.array([len(each) // half for each in compress(packed, full)])
    best = np.maximum.reduceat(_cosines(question, b"".join(packed)), np.cumsum(counts) - counts, axis=0)
    # No product by BLAS: on few and odd rows it has been seen to warn of invalid values where there are none.
    scores[full] = np.einsum("ij,j->i", best, weights / total)
    return scores


def _cosines(question: Floats, packed: bytes) -> Floats:
    """The cosine of every kept token (rows) with every token of the question (columns)."""
    half = question.shape[1] // 2
    both = np.frombuffer(packed, np.uint8).reshape(-1, half)
    cosines = np.empty((len(both), len(question)), np.float32)
    ones = np.ones((1, half), np.float32)
    low, high = (np.concatenate((part, ones)).T for part in (question[:, :half], question[:, half:]))
    for start in range(0, len(both), _AT_ONCE):
        block = both[start : start + _AT_ONCE]
        cosines[start : start + _AT_ONCE] = _block_cosines(low, high, block)
    return cosines


def _block_cosines(low: Floats, high: Floats, both: npt.NDArray[np.uint8]) -> Floats:
    """The same for some tokens, from both halves of the question's vectors, a token a column, and ones as the last
    column. Numbers stay as written, zero being eight: what that adds is taken off the few sums instead."""
    lower, upper = (both & 15).astype(np.float32), (both >> 4).astype(np.float32)
    products = lower @ low + upper @ high
    sums, squares = products[:, -1], np.einsum("ij,ij->i", lower, lower) + np.einsum("ij,ij->i", upper, upper)
    lengths = np.sqrt(squares - 2 * _ZERO * sums + _ZERO * _ZERO * 2 * both.shape[1])
    cosines: Floats = products[:, :-1] - _ZERO * (low[:, :-1].sum(0) + high[:, :-1].sum(0))
    cosines /= np.maximum(lengths, 1)[:, None]
    return cosines
