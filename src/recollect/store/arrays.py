"""Arrays that grow at their end, and texts in few bytes."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.integer[Any]]
Numbers = npt.NDArray[np.floating[Any]]
Array = TypeVar("Array", bound=npt.NDArray[Any])

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
