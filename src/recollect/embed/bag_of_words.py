"""What a text is about, all its words added up in any order: the vector of the quick table, kept in front of a memory's
words.

A model reads a sentence as a whole and may miss the one word that matters; a sum of words never does. Each finds what
the other does not, and the sum costs next to nothing. A byte a number; the length is not kept: only the direction
counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from recollect.embed.quick import QuickEmbedder

Floats = npt.NDArray[np.float32]

_MOST = 127  # a number is kept as -127 to 127

_QUICK = QuickEmbedder()


def pack_gists(texts: Sequence[str]) -> list[bytes]:
    """The gist of each text, so many bytes as `gist_size` says."""
    vectors = _QUICK.embed(texts)
    scale = np.abs(vectors).max(1, keepdims=True, initial=0) / _MOST
    scale[scale == 0] = 1
    return [row.tobytes() for row in np.rint(vectors / scale).astype(np.int8)]


def gist_size() -> int:
    return _QUICK.dim


def gist_scores(question: str, packed: Sequence[bytes]) -> Floats:
    """The cosine of a question's gist with that of each memory; 0 for a memory that has none."""
    scores, size = np.zeros(len(packed), np.float32), gist_size()
    full = [bool(each) for each in packed]
    kept = np.frombuffer(b"".join(each[:size] for each in packed), np.int8).reshape(-1, size).astype(np.float32)
    lengths = np.sqrt(np.maximum(np.einsum("ij,ij->i", kept, kept), 1))
    scores[full] = np.einsum("ij,j->i", kept, _asked(question)) / lengths
    return scores


@lru_cache(maxsize=16)
def _asked(question: str) -> Floats:
    """A question's vector without how it is put; one search compares several times with the same."""
    return _QUICK.embed_question(question)[0]
