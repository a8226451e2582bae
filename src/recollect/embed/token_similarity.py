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
_AT_ONCE = 1024  # tokens compared in one step, which stays in the cache of the processor


def pack(vectors: Floats) -> bytes:
    """Token vectors, one a row, in half a byte a number."""
    scale = np.abs(vectors).max(1, keepdims=True, initial=0) / _MOST
    scale[scale == 0] = 1
    whole = (np.rint(vectors / scale) + _ZERO).astype(np.uint8)
    half = vectors.shape[1] // 2
    packed: bytes = (whole[:, :half] | whole[:, half:] << 4).tobytes()
    return packed


def token_scores(question: Floats, weights: Floats, packed: Sequence[bytes]) -> Floats:
    """For each memory: over the question's tokens, the best cosine among the memory's, weighted and averaged.

    `question` has one unit vector a token, `weights` says how much each counts. A memory without tokens has 0.
    """
    scores = np.zeros(len(packed), np.float32)
    full, counted = [bool(each) for each in packed], weights > 0
    if not any(full) or not counted.any():
        return scores
    weights = weights[counted]
    counts = np.array([2 * len(each) // question.shape[1] for each in compress(packed, full)])
    cosines = _cosines(question[counted], b"".join(packed))
    best = np.maximum.reduceat(cosines, np.cumsum(counts) - counts, axis=1)
    # No product by BLAS: on few and odd rows it has been seen to warn of invalid values where there are none.
    scores[full] = np.einsum("ij,i->j", best, weights / weights.sum())
    return scores


def _cosines(question: Floats, packed: bytes) -> Floats:
    """The cosine of every token of the question (rows) with every kept token (columns)."""
    both = np.frombuffer(packed, np.uint8).reshape(-1, question.shape[1] // 2)
    cosines = np.empty((len(question), len(both)), np.float32)
    room = np.empty((min(_AT_ONCE, len(both)), question.shape[1]), np.float32)
    for start in range(0, len(both), _AT_ONCE):
        block = cosines[:, start : start + _AT_ONCE]
        tokens = _unpacked(both[start : start + _AT_ONCE], room)
        np.matmul(question, tokens.T, out=block)
        block /= np.sqrt(np.maximum(np.einsum("ij,ij->i", tokens, tokens), 1))
    return cosines


def _unpacked(both: npt.NDArray[np.uint8], room: Floats) -> Floats:
    """Some kept tokens, one a row, as the numbers from -7 to 7 that they were; they lie in `room`."""
    tokens, half = room[: len(both)], both.shape[1]
    tokens[:, :half] = both & 15
    tokens[:, half:] = both >> 4
    tokens -= _ZERO
    return tokens
