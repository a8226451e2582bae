"""The minilm embedder: all-MiniLM-L6-v2, which ships with us, run by numpy or, when it is installed, by onnxruntime.

It sees word order and context, so that what is said in other words is found. Both ways to run it give the same vectors.
Besides one vector a text it gives one a word piece, for `token_similarity`: cut down to 128 directions by a matrix that
ships with the weights, four bits a number, and without punctuation: about a kilobyte and a half for a chat message.
Names, numbers and rare words are cut into pieces, signs that the vocabulary lacks are passed over; a text made of
nothing else has the zero vector and no tokens, and finding it is left to its words.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from importlib.util import find_spec
from itertools import compress
from threading import Lock
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from recollect.embed import TextCache
from recollect.embed.manner import read_manner, read_question
from recollect.embed.onnx import OnnxTransformer
from recollect.embed.transformer import WIDTH, Floats, Transformer, Weights, one_thread
from recollect.embed.wordpiece import DATA, read_vocabulary, split_words
from recollect.errors import InvalidInput

PIECES = 254
"""Only the first pieces of a long text count: with [CLS] and [SEP] it is as much as the model was made to read."""

CHARACTERS = 8_192
"""Only the first characters of a long text are read: enough for the pieces that count, and bounded for any input."""

CACHED = 16_000_000
"""Bytes of vectors that are kept of the texts that were embedded last: some thousand chat messages."""

FEW_TEXTS = 64
"""onnxruntime takes as long to load as numpy takes for about so many texts."""

Runtime = Literal["numpy", "onnxruntime"]


class Read(NamedTuple):
    """What the model made of one text: its vector, its pieces and their vectors, cut down and of length one."""

    vector: Floats
    pieces: list[int]
    tokens: Floats

    @property
    def size(self) -> int:
        return self.vector.nbytes + self.tokens.nbytes + 8 * len(self.pieces) + 500


class Model:
    """The weights, made ready to run on numpy or onnxruntime, and how token vectors are cut down.

    With no `runtime`, numpy runs it until so many texts were read that loading onnxruntime is worth while.
    """

    def __init__(self, runtime: Runtime | None) -> None:
        self._weights = weights = Weights()
        self._transformer = OnnxTransformer(weights) if runtime == "onnxruntime" else Transformer(weights)
        self._still_on_numpy = 0 if runtime else FEW_TEXTS
        self._lock = Lock()
        self._directions = weights["tokens.directions"].astype(np.float32)
        self._offset = np.array(weights["tokens.offset"])
        self._vocabulary = read_vocabulary()

    def read(self, texts: Sequence[str]) -> list[Read]:
        """What the model makes of these texts."""
        first, last = self._vocabulary.first, self._vocabulary.last
        pieces = [self._vocabulary.encode_known(text[:CHARACTERS], PIECES) for text in texts]
        full = [at for at, each in enumerate(pieces) if each]
        nothing = np.zeros((0, self._directions.shape[1]), np.float32)
        self._switch_runtime(len(full))
        found = [Read(np.zeros(WIDTH, np.float32), [], nothing)] * len(texts)
        with one_thread:
            for at, states in self._transformer.run([[first, *pieces[place], last] for place in full]):
                found[full[at]] = Read(_unit(states.mean(0)), pieces[full[at]], self._reduce(states[1:-1]))
        return found

    def _switch_runtime(self, texts: int) -> None:
        """Take onnxruntime when these texts make it worth while; by itself only where it is installed."""
        if not self._still_on_numpy:
            return
        with self._lock:
            self._still_on_numpy = max(0, self._still_on_numpy - texts)
            if not self._still_on_numpy and find_spec("onnxruntime"):
                self._transformer = OnnxTransformer(self._weights)

    def _reduce(self, states: Floats) -> Floats:
        return _unit(_unit(states) @ self._directions - self._offset)


_load, _loading = lru_cache(maxsize=3)(Model), Lock()


class MiniLMEmbedder:
    """Vectors by all-MiniLM-L6-v2; the model is loaded once in a process, when the first text comes."""

    def __init__(self, runtime: Runtime | None = None) -> None:
        """`runtime`: "numpy" or "onnxruntime"; by itself numpy for a few texts, then onnxruntime if it is installed."""
        if runtime not in ("numpy", "onnxruntime", None):
            raise InvalidInput(f"the runtime must be 'numpy' or 'onnxruntime', not {runtime!r}")
        self.runtime = runtime
        self._cache: TextCache[Read] = TextCache(CACHED, lambda read: read.size)

    @cached_property
    def name(self) -> str:
        """The model and the first signs of its weights' sha256."""
        about: dict[str, Any] = json.loads((DATA / "minilm.json").read_text("utf-8"))
        return f"minilm-3-{about['sha256'][:8]}"

    @property
    def dim(self) -> int:
        return WIDTH

    def embed(self, texts: Sequence[str]) -> Floats:
        """One row a text, of length one, or all zero where the text has no known piece."""
        return np.array([read.vector for read in self._read(texts)], np.float32).reshape(-1, WIDTH)

    def embed_tokens(self, texts: Sequence[str]) -> tuple[Floats, list[bytes]]:
        """What `embed` gives, and the packed vectors of the pieces that are no punctuation."""
        found = self._read(texts)
        vectors = np.array([read.vector for read in found], np.float32).reshape(-1, WIDTH)
        return vectors, [pack(read.tokens[_spoken(read.pieces)]) for read in found]

    def embed_question(self, text: str) -> tuple[Floats, bool]:
        """A question's vector without how it is put, and whether it is a request."""
        return read_question(self.embed([text])[0], read_manner(self.name))

    def token_similarity(
        self, question: str, packed: Sequence[bytes], rarity: Callable[[str], float] | None = None
    ) -> Floats:
        """How well each memory answers the question, word by word: 0 for one without words, up to 1."""
        read = self._read([question])[0]
        weights = _weights(question[:CHARACTERS], rarity)[: len(read.pieces)]
        with one_thread:
            return token_scores(read.tokens, np.array(weights, np.float32), packed)

    def _read(self, texts: Sequence[str]) -> list[Read]:
        with _loading:
            model = _load(self.runtime)
        return self._cache.get(texts, model.read)


def _weights(question: str, rarity: Callable[[str], float] | None) -> list[float]:
    """How much each piece of a question counts: as much as its word; punctuation counts nothing."""
    weights = []
    for word, pieces in _cut(question):
        counts = max(0.0, rarity(word) if rarity else 1.0) if word[0].isalnum() else 0.0
        weights += [counts] * pieces
    return weights


@lru_cache(maxsize=16)
def _cut(question: str) -> list[tuple[str, int]]:
    """The words of a question, each with how many pieces it has; one search compares several times with the same."""
    vocabulary = read_vocabulary()
    return [(word, len(vocabulary.cut_leniently(word))) for word in split_words(question)]


def _spoken(pieces: Sequence[int]) -> list[int]:
    """The places of pieces that are no punctuation, or all when there are only such."""
    names = read_vocabulary().pieces
    spoken = [at for at, piece in enumerate(pieces) if any(map(str.isalnum, names[piece]))]
    return spoken or list(range(len(pieces)))


def _unit(vectors: Floats) -> Floats:
    """Vectors of length one."""
    unit: Floats = vectors / np.sqrt((vectors * vectors).sum(-1, keepdims=True))
    return unit


# Token vectors are kept as four bits a number, two numbers a byte: the first half of the numbers in the low bits, the
# second half in the high ones. Their length is not kept: only their direction counts.

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
