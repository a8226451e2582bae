"""The quick embedder: a text's vector is the sum of its word pieces' vectors, looked up in a table that ships with us.

The table (30,522 pieces, 256 numbers each, eight bits a number with a scale a row) was distilled from all-MiniLM-L6-v2
by tools/make_quick.py. How much a piece counts is in the length of its row, so adding is all there is to do: thousands
of texts a second on one core. What that costs: word order is not seen, and a name or a word of another language is only
as good as its pieces. Signs that the vocabulary lacks are passed over; a text made of nothing else has the zero vector,
and finding it is left to its words.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from recollect.embed import batches
from recollect.embed.manner import read_manner, read_question
from recollect.embed.wordpiece import DATA, WordPiece, read_vocabulary

Vectors = npt.NDArray[np.float32]

PIECES = 512
"""Only the first pieces of a long text count; with more, every text drifts towards the same mean."""

CHARACTERS = 8_192
"""Only the first characters of a long text are read: enough for the pieces that count, and bounded for any input."""

_AT_ONCE = 4_096  # pieces gathered in one step: 4 MB of float32, which stays in the cache of the processor


class QuickTable(NamedTuple):
    """The vectors of all pieces: row times scale, and how the table is called."""

    name: str
    rows: npt.NDArray[np.int8]
    scales: Vectors
    vocabulary: WordPiece


def read_table() -> QuickTable:
    """The table that ships with the package, read once in a process."""
    with _reading:
        return _read_table()


_reading = Lock()


@lru_cache(maxsize=1)
def _read_table() -> QuickTable:
    about: dict[str, Any] = json.loads((DATA / "quick.json").read_text("utf-8"))
    raw = (DATA / "quick.bin").read_bytes()
    count, dim = about["rows"], about["dim"]
    rows = np.frombuffer(raw, np.int8, count * dim).reshape(count, dim)
    scales = np.frombuffer(raw, "<f4", count, count * dim).astype(np.float32)
    return QuickTable(f"quick-1-{about['sha256'][:8]}", rows, scales, read_vocabulary())


class QuickEmbedder:
    """Vectors by looking up and adding: no model is run, and the memory it takes is the table's eight megabytes."""

    @property
    def name(self) -> str:
        """The kind of table and the first signs of its sha256."""
        return read_table().name

    @property
    def dim(self) -> int:
        return int(read_table().rows.shape[1])

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row a text, of length one, or all zero where the text has no known piece."""
        table = read_table()
        vectors = np.zeros((len(texts), table.rows.shape[1]), np.float32)
        pieces = (table.vocabulary.encode_known(text[:CHARACTERS], PIECES) for text in texts)
        known = ((at, found) for at, found in enumerate(pieces) if found)
        for batch in batches(known, lambda one: len(one[1]), _AT_ONCE):
            vectors[[at for at, _ in batch]] = _sums(table, [found for _, found in batch])
        return _unit(vectors)

    def embed_question(self, text: str) -> tuple[Vectors, bool]:
        """A question's vector without how it is put, and whether it is a request."""
        return read_question(self.embed([text])[0], read_manner(self.name))


def _sums(table: QuickTable, batch: list[list[int]]) -> Vectors:
    """One row a text: the sum of its pieces' vectors."""
    pieces = np.fromiter(chain.from_iterable(batch), np.intp)
    starts = np.zeros(len(batch), np.intp)
    np.cumsum([len(each) for each in batch[:-1]], out=starts[1:])
    vectors = table.rows[pieces] * table.scales[pieces, None]
    return np.add.reduceat(vectors, starts, axis=0)


def _unit(vectors: Vectors) -> Vectors:
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    lengths[lengths == 0] = 1
    vectors /= lengths[:, None]
    return vectors
