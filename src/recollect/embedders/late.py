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
    scores[full] = best @ (weights / total)
    return scores


def _cosines(question: Floats, packed: bytes) -> Floats:
    """The cosine of every kept token (rows) with every token of the question (columns)."""
    half = question.shape[1] // 2
    both = np.frombuffer(packed, np.uint8).reshape(-1, half)
    low, high = (both & 15).astype(np.float32), (both >> 4).astype(np.float32)
    low -= _ZERO
    high -= _ZERO
    lengths = np.sqrt(np.einsum("ij,ij->i", low, low) + np.einsum("ij,ij->i", high, high))
    cosines: Floats = low @ question[:, :half].T
    cosines += high @ question[:, half:].T
    cosines /= np.maximum(lengths, 1)[:, None]
    return cosines
