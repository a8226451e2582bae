"""Looking for many texts in the bytes of a file at once, in bounded memory."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

SHORTEST = 6
"""Texts of fewer bytes are not looked for: they stand in any file by chance."""

PIECE = 48
_MOST_PIECES = 64
_BITS = 20


def pieces_of(text: str) -> Iterator[bytes]:
    """What to look for: the text as it is and as JSON has it; of a long one pieces, since a page may end anywhere."""
    for form in {text, json.dumps(text, ensure_ascii=False)[1:-1]}:
        content = form.encode(errors="surrogatepass")
        if len(content) < SHORTEST:
            continue
        step = max(PIECE, len(content) // _MOST_PIECES)
        for start in range(0, max(1, len(content) - PIECE + 1), step):
            yield content[start : start + PIECE]


class Needles:
    """Pieces of bytes to look for. What each costs is little: a table tells where any of them might begin."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._by_start: dict[bytes, list[bytes]] = {}
        for piece in set(pieces):
            self._by_start.setdefault(piece[:SHORTEST], []).append(piece)
        self._table = np.zeros(2**_BITS, dtype=np.bool_)
        for start in self._by_start:
            self._table[_marks(start[:4])] = True

    def within(self, chunk: bytes) -> set[bytes]:
        """Those that stand in the chunk as a whole."""
        if len(chunk) < SHORTEST or not self._by_start:
            return set()
        found = set()
        for place in np.flatnonzero(self._table[_marks(chunk)]).tolist():
            for piece in self._by_start.get(chunk[place : place + SHORTEST], ()):
                if chunk.startswith(piece, place):
                    found.add(piece)
        return found


def _marks(chunk: bytes) -> npt.NDArray[np.uint32]:
    """A small number for each four bytes in a row, the same wherever they stand."""
    numbers = np.frombuffer(chunk, dtype=np.uint8).astype(np.uint32)
    words = numbers[:-3] | numbers[1:-2] << 8 | numbers[2:-1] << 16 | numbers[3:] << 24
    marks: npt.NDArray[np.uint32] = (words * np.uint32(2654435761)) >> np.uint32(32 - _BITS)
    return marks


def suspects(texts: Sequence[str], found: set[bytes]) -> list[str]:
    """Those of the texts of which a piece was found."""
    return [text for text in texts if not found.isdisjoint(pieces_of(text))]
