"""Vectors on their way to and from a store: checked, and kept in a byte a number."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from recollect.errors import InvalidInput

_AT_ONCE = 128
"""Vectors that are packed together."""
_LARGEST, _TINY = np.float32(127), np.finfo(np.float32).tiny


def packed(vector: npt.NDArray[np.float32]) -> bytes:
    """A vector in one byte a number, after one scale for all of them."""
    return packed_all(vector[None, :])[0]


def packed_all(vectors: npt.NDArray[np.float32]) -> list[bytes]:
    """The same for each row of a matrix."""
    dim = vectors.shape[1]
    rows = np.empty((len(vectors), 4 + dim), dtype=np.int8)
    block = np.empty((min(_AT_ONCE, len(vectors)), dim), dtype=np.float32)  # one for all: new memory takes its time
    for start in range(0, len(vectors), _AT_ONCE):
        some, into = vectors[start : start + _AT_ONCE], rows[start : start + _AT_ONCE]
        numbers = block[: len(some)]
        scales = np.maximum.reduce(np.abs(some, out=numbers), axis=1, keepdims=True) / _LARGEST
        np.divide(some, np.maximum(scales, _TINY), out=numbers)
        into[:, :4] = scales.view(np.int8)
        into[:, 4:] = np.rint(numbers, out=numbers)
    packed: list[bytes] = rows.view(f"V{4 + dim}").ravel().tolist()
    return packed


def unpacked(blobs: Sequence[bytes], dim: int) -> npt.NDArray[np.float32]:
    """Vectors brought to length one, one a row; all zero where the kept one was."""
    numbers = np.frombuffer(b"".join(blobs), dtype=np.int8).reshape(len(blobs), dim + 4)
    matrix = numbers[:, 4:].astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix))
    lengths[lengths == 0] = 1
    matrix /= lengths[:, None]
    return matrix


def usable_vector(vector: npt.ArrayLike, name: str) -> npt.NDArray[np.float32]:
    """The vector as one row of finite numbers, or InvalidInput."""
    try:
        with np.errstate(over="ignore"):
            numbers = np.asarray(vector, dtype=np.float32)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidInput(f"the vector of {name!r} is not a list of numbers: {error}") from error
    if numbers.ndim != 1 or not len(numbers):
        raise InvalidInput(f"the vector of {name!r} has the shape {numbers.shape}: pass one row of numbers")
    if not np.isfinite(numbers).all():
        raise InvalidInput(f"the vector of {name!r} holds NaN or infinity: the embedder is broken")
    return numbers


def _alike(rows: Sequence[Any], dim: int | None) -> npt.NDArray[np.float32] | None:
    """The rows as a matrix, where they are finite numbers of that type and of one length already."""
    try:
        numbers, lengths = np.concatenate(rows), set(map(len, rows))
    except (TypeError, ValueError):
        return None
    plain = numbers.dtype == np.float32 and numbers.ndim == 1 and lengths == {dim or len(rows[0])} and len(numbers)
    return numbers.reshape(len(rows), -1) if plain and math.isfinite(numbers.dot(numbers)) else None


def usable_vectors(vectors: Mapping[str, npt.ArrayLike], model: str, dim: int | None) -> npt.NDArray[np.float32]:
    """The vectors as rows of one matrix, so many numbers each; InvalidInput names the first that can't be one."""
    if (matrix := _alike(list(vectors.values()), dim)) is not None:  # as an embedder gives them
        return matrix
    usable = {name: usable_vector(vector, name) for name, vector in vectors.items()}
    dim = dim or len(next(iter(usable.values())))
    for name, vector in usable.items():
        if len(vector) != dim:
            raise InvalidInput(f"the vector of {name!r} has {len(vector)} numbers, those of {model!r} have {dim}")
    return np.stack(list(usable.values()))
