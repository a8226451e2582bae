"""Vectors checked and packed, a byte a number; those of one model in memory, and the ways to find the nearest of them.

Few are compared one and all. Of many, the signs of their numbers, once these are mixed, are kept besides, 64 to a word:
they tell which few are likely the nearest, at a tenth of the cost, and those are compared exactly.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from recollect.errors import InvalidInput

Ints = npt.NDArray[np.integer[Any]]
Numbers = npt.NDArray[np.floating[Any]]
Array = TypeVar("Array", bound=npt.NDArray[Any])
Floats = npt.NDArray[np.float32]
Words = npt.NDArray[np.uint64]

LARGE = 16_000
"""From so many vectors on, the signs choose which to compare."""

_FINE = 192
"""Vectors with fewer numbers have too few signs to choose by, and are quick to compare."""

_MANY, _MOST, _LEAST, _EACH = 8192, 5, 64, 8
"""So many are compared exactly, unless that is more than one in `_MOST` or less than one in `_LEAST` of all, or less
than so many for each that is wanted."""

_FIRM = 0.95
"""Numbers of the question that are larger than this share of them all count alike."""

_BLOCK = 2**19
_RUN = 2**16
"""How many numbers, and how many signs' words, are worked on at once: what the processor's cache holds."""


_AT_ONCE = 128
"""Vectors that are packed together."""
_LARGEST, _TINY = np.float32(127), np.finfo(np.float32).tiny


def packed_all(vectors: npt.NDArray[np.float32]) -> list[bytes]:
    """Each row of a matrix in one byte a number, after one scale for all of them."""
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


_FEW = 128


def grown(array: Array, count: int, needed: int) -> Array:
    """The array with room for so many rows: a sixteenth more than it had, so that adding one by one stays cheap and
    little memory lies idle."""
    if needed <= len(array):
        return array
    room = max(needed, len(array) + max(len(array) // 16, min(len(array), _FEW)))
    larger = np.empty((room, *array.shape[1:]), dtype=array.dtype)
    larger[:count] = array[:count]
    return larger  # type: ignore[return-value]


def extended(array: Array, count: int, values: npt.ArrayLike) -> Array:
    """The array with these values behind its first `count`."""
    new = np.asarray(values, dtype=array.dtype)
    array = grown(array, count, count + len(new))
    array[count : count + len(new)] = new
    return array


class Texts:
    """Texts by their place, as one run of bytes: a third of what a list of them takes."""

    def __init__(self) -> None:
        self._count = 0
        self._bytes = np.empty(0, dtype=np.uint8)
        self._ends = np.zeros(1, dtype=np.int64)
        self._width = 0
        """How many bytes each text has, as ids mostly do; 0 where they differ."""

    @property
    def size(self) -> int:
        """How many bytes it takes."""
        return self._bytes.nbytes + self._ends.nbytes

    def extend(self, joined: bytes, lengths: Ints) -> None:
        """Take in texts, one behind the other, with the number of bytes of each."""
        filled = int(self._ends[self._count])
        width = self._width if self._count else int(lengths[0])
        self._width = width if (lengths == width).all() else 0
        self._bytes = extended(self._bytes, filled, np.frombuffer(joined, dtype=np.uint8))
        self._ends = extended(self._ends, self._count + 1, filled + np.cumsum(lengths))
        self._count += len(lengths)

    def at(self, places: Ints) -> list[str]:
        """The texts at these places."""
        if self._width:
            rows = self._bytes[: self._count * self._width].view(f"V{self._width}")
            return list(map(bytes.decode, rows[places].tolist()))
        held, starts, ends = self._bytes.data, self._ends[places], self._ends[places + 1]
        return [str(held[start:end], "utf-8") for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


class Space:
    """The vectors of one model, in a matrix that grows."""

    def __init__(self, dim: int, room: int = 0) -> None:
        self.dim = dim
        self.count = 0
        self.newest = 0
        """The number of the newest vector that was read."""
        self._numbers = np.empty((room, dim), dtype=np.int8)
        self._inverses = np.empty(room, dtype=np.float32)
        """One over the length of each."""
        self._places = np.empty(room, dtype=np.int32)
        self._last_place = -1
        self._signs = [np.empty(0, dtype=np.uint64) for _ in range(-(-dim // 64))]
        self._signed = 0

    @property
    def size(self) -> int:
        """How many bytes it takes."""
        signs = sum(word.nbytes for word in self._signs)
        return self._numbers.nbytes + self._inverses.nbytes + self._places.nbytes + signs

    @property
    def places(self) -> Ints:
        """The place of each vector's record; -1 for a vector that is forgotten or says nothing."""
        return self._places[: self.count]

    def add(self, places: Ints, packed: npt.NDArray[np.int8]) -> None:
        """Take in packed vectors, one a row, each with the place of its record; a record's former vector is forgotten.
        The four bytes before the numbers of each tell how long it was, which does not count here."""
        if places.min() <= self._last_place:
            self.places[np.isin(self.places, places)] = -1
        self._last_place = max(self._last_place, int(places.max()))
        numbers = packed[:, 4:]
        squares = np.einsum("ij,ij->i", numbers, numbers, dtype=np.int32)
        inverses = 1 / np.sqrt(np.maximum(squares, 1))
        self._numbers = extended(self._numbers, self.count, numbers)
        self._inverses = extended(self._inverses, self.count, inverses)
        self._places = extended(self._places, self.count, np.where(squares > 0, places, -1))
        self.count += len(packed)

    def compare(self, unit: Floats, rows: Ints | None = None) -> Numbers:
        """The cosine of each vector with this one, or of those in these rows."""
        count = self.count if rows is None else len(rows)
        step = max(1, _BLOCK // self.dim)
        scores, block = np.empty((count, 1, 1), dtype=np.float32), np.empty((min(step, count), 1, self.dim), np.float32)
        for start in range(0, count, step):
            end = min(start + step, count)
            here = self._numbers[start:end] if rows is None else self._numbers.take(rows[start:end], axis=0)
            block[: end - start, 0] = here
            # One product a row: a product with a whole matrix may start threads that cost several times the CPU.
            np.matmul(block[: end - start], unit[:, None], out=scores[start:end])
        cosines = scores.reshape(-1)
        cosines *= self._inverses[: self.count] if rows is None else self._inverses[rows]
        # Equal vectors may differ in the last bits, by where they stand: rounded, ties are ties.
        return cosines.round(6, out=cosines)

    def enough(self, limit: int) -> int:
        """How many likely vectors to compare in order to find so many; 0 where all should be compared."""
        many = max(min(_MANY, self.count // _MOST), self.count // _LEAST, _EACH * limit)
        return many if self.count >= LARGE and self.dim >= _FINE and many < self.count // 4 else 0

    def likely(self, unit: Floats, many: int, rows: Ints | None = None) -> Ints:
        """About so many rows that are likely the nearest: of all, or of these."""
        if rows is not None and len(rows) <= many:
            return rows
        distances = self._distances(unit)
        if rows is not None:
            distances = distances[rows]
        within = np.cumsum(np.bincount(distances))
        chosen = np.flatnonzero(distances <= np.searchsorted(within, many))
        return chosen if rows is None else rows[chosen]

    def _distances(self, unit: Floats) -> npt.NDArray[np.uint16]:
        """How much each vector's signs differ from this one's, a sign weighing up to 3 by the size of its number."""
        self._catch_up()
        mixed = _mixed(unit[None])
        asked, (once, twice) = _signs(mixed)[0], _weights(mixed)
        distances = np.zeros(self.count, dtype=np.uint16)
        differing, weighed = np.empty((2, min(_RUN, self.count)), dtype=np.uint64)
        for start in range(0, self.count, _RUN):
            here = distances[start : start + _RUN]
            other, some = differing[: len(here)], weighed[: len(here)]
            for word, signs in enumerate(self._signs):
                np.bitwise_xor(signs[start : start + len(here)], asked[word], out=other)
                counts = _ones(np.bitwise_and(other, twice[word], out=some))
                counts += counts
                counts += _ones(np.bitwise_and(other, once[word], out=some))
                here += counts
        return distances

    def _catch_up(self) -> None:
        """Read the signs of the vectors that are new."""
        step = max(1, _BLOCK // self.dim)
        self._signs = [grown(signs, self._signed, self.count) for signs in self._signs]
        for start in range(self._signed, self.count, step):
            end = min(start + step, self.count)
            for signs, new in zip(self._signs, _signs(_mixed(self._numbers[start:end])).T, strict=True):
                signs[start:end] = new
        self._signed = self.count


def _mixed(vectors: npt.NDArray[np.generic]) -> Floats:
    """The vectors turned in space, which changes no angle between them: each number becomes a mixture of 64 that stood
    far apart, one row of 64 a word. As embedders make them, a few numbers may say most; mixed, all say as much."""
    words = -(-vectors.shape[1] // 64)
    apart = np.zeros((len(vectors), words, 64), dtype=np.float32)
    for word in range(words):
        numbers = vectors[:, word::words]
        apart[:, word, : numbers.shape[1]] = numbers
    mixed: Floats = (apart.reshape(-1, 64) @ _turn()).reshape(apart.shape)
    return mixed


@lru_cache(maxsize=1)
def _turn() -> Floats:
    """A turn of 64 dimensions, at random but always the same."""
    turn: Floats = np.linalg.qr(np.random.default_rng(64).standard_normal((64, 64)))[0].astype(np.float32)
    return turn


def _signs(mixed: npt.NDArray[np.generic]) -> Words:
    """Which numbers are above zero: a bit each, 64 to a word, one row a vector."""
    signs: Words = np.packbits(mixed > 0, axis=2).view(np.uint64)[:, :, 0]  # type: ignore[operator]
    return signs


def _weights(mixed: Floats) -> Words:
    """How much each sign of a vector weighs, as two bits: those that count once, and those that count twice besides."""
    sizes = np.abs(mixed)
    firm = np.partition(sizes, place := int(_FIRM * (sizes.size - 1)), axis=None)[place] or sizes.max()
    weights = np.rint(np.minimum(sizes / firm, 1) * 3).astype(np.int8)
    return _signs(np.concatenate([weights & 1, weights & 2]))


def _ones(words: Words) -> npt.NDArray[np.uint8]:
    """How many bits of each word are set."""
    ones: npt.NDArray[np.uint8]
    ones = np.bitwise_count(words) if hasattr(np, "bitwise_count") else ones_by_table(words)
    return ones


def ones_by_table(words: Words) -> npt.NDArray[np.uint8]:
    """The same for a numpy older than 2, which can't count bits."""
    ones: npt.NDArray[np.uint8]
    ones = _table()[words.view(np.uint16)].reshape(-1, 4).sum(axis=1, dtype=np.uint8)
    return ones


@lru_cache(maxsize=1)
def _table() -> npt.NDArray[np.uint8]:
    numbers = np.arange(2**16, dtype=np.uint16).view(np.uint8).reshape(-1, 2)
    ones: npt.NDArray[np.uint8] = np.unpackbits(numbers, axis=1).sum(axis=1, dtype=np.uint8)
    return ones
