"""all-MiniLM-L6-v2 in numpy: from the pieces of texts to one vector a piece.

The weights ship as int8, one scale an output. Those of the layers are made float32 (42 MB) when the model is used for
more than a few texts; before that, one layer after the other in the same room. The table of pieces stays int8, and only
the rows that a text needs are made float32. Texts are never padded: the linear parts see the pieces of all texts of a
batch as one matrix, and attention takes texts of one length together.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt
import threadpoolctl  # type: ignore[import-untyped]

from recollect.embed import batches
from recollect.embed.wordpiece import DATA

Floats = npt.NDArray[np.float32]

LAYERS, WIDTH, HEADS, INNER = 6, 384, 12, 1536
HEAD = WIDTH // HEADS
EPSILON = np.float32(1e-12)

LAYER = 4 * WIDTH * WIDTH + 2 * WIDTH * INNER
"""How many weights a layer has, but for its few biases and norms: qkv, out, up and down."""

_ENDS = (3 * WIDTH * WIDTH, 4 * WIDTH * WIDTH, 4 * WIDTH * WIDTH + WIDTH * INNER)

AT_ONCE = 256
"""Pieces in one matrix: enough for the matrix product to run at full speed, few enough to stay in the cache."""

FEW_RUNS = 3
"""So often a layer's weights are made float32 when it is its turn: a process that embeds little, such as a hook, does
not wait for all of them at once. After so many, it is cheaper to keep them."""

# GELU by the tanh formula is x/2 (1 + tanh(a x + b x^3)). With x = k y and b k^3 = 1 the inner part is y (a k + y^2):
# k goes into the weights before and k/2 into those after, and what is left are six passes over the matrix.
_A = math.sqrt(2 / math.pi)
_K = (_A * 0.044715) ** (-1 / 3)


@dataclass(frozen=True)
class Linear:
    """x times weight plus bias."""

    weight: Floats
    bias: Floats

    def __call__(self, x: Floats) -> Floats:
        y = x @ self.weight
        y += self.bias
        return y

    def scaled(self, before: float, after: float) -> Linear:
        """Itself, changed in place, with its input, or its output, multiplied by a number."""
        np.multiply(self.weight, np.float32(before * after), out=self.weight)
        np.multiply(self.bias, np.float32(after), out=self.bias)
        return self


@dataclass(frozen=True)
class Norm:
    """Each row brought to mean zero and deviation one, then stretched and moved."""

    weight: Floats
    bias: Floats

    def __call__(self, x: Floats) -> Floats:
        """The rows of x, changed in place."""
        x -= x.mean(-1, keepdims=True)
        size = np.einsum("ij,ij->i", x, x)
        size /= WIDTH
        size += EPSILON
        x /= np.sqrt(size)[:, None]
        x *= self.weight
        x += self.bias
        return x


def gelu(y: Floats) -> Floats:
    """2/k times GELU of k y, where the weights around it make up for the factor."""
    inner = y * y
    inner += np.float32(_A * _K)
    inner *= y
    np.tanh(inner, out=inner)
    inner += np.float32(1)
    inner *= y
    return inner


@dataclass(frozen=True)
class Layer:
    """One transformer block."""

    qkv: Linear
    out: Linear
    out_norm: Norm
    up: Linear
    down: Linear
    norm: Norm

    def __call__(self, x: Floats, lengths: Sequence[int]) -> Floats:
        """The next state of each piece; x holds the pieces of texts of these lengths, one after the other."""
        y = self.out(attention(self.qkv(x), lengths))
        y += x
        x = self.out_norm(y)
        y = self.down(gelu(self.up(x)))
        y += x
        return self.norm(y)


def attention(qkv: Floats, lengths: Sequence[int]) -> Floats:
    """What each piece takes from the pieces of its own text."""
    mixed = np.empty((len(qkv), WIDTH), np.float32)
    start = 0
    for length, group in groupby(lengths):
        count = len(list(group))
        end = start + count * length
        parts = qkv[start:end].reshape(count, length, 3, HEADS, HEAD)
        # Copies that lie together in memory: a product of strided matrices is many times slower.
        query, value = (np.ascontiguousarray(parts[:, :, at].transpose(0, 2, 1, 3)) for at in (0, 2))
        weight = query @ np.ascontiguousarray(parts[:, :, 1].transpose(0, 2, 3, 1))
        weight -= weight.max(-1, keepdims=True)
        np.exp(weight, out=weight)
        weight /= weight.sum(-1, keepdims=True)
        mixed[start:end].reshape(count, length, HEADS, HEAD)[:] = (weight @ value).transpose(0, 2, 1, 3)
        start = end
    return mixed


class Weights:
    """The tensors of minilm.bin by name; nothing is read before it is asked for."""

    def __init__(self) -> None:
        self.about: dict[str, Any] = json.loads((DATA / "minilm.json").read_text("utf-8"))
        self._raw = np.asarray(np.memmap(DATA / "minilm.bin", np.uint8, "r"))

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        """A tensor as it is kept."""
        kind, shape, start = self.about["tensors"][name]
        count = math.prod(shape) * np.dtype(kind).itemsize
        tensor: npt.NDArray[Any] = self._raw[start : start + count].view(kind).reshape(shape)
        return tensor

    def linear(self, name: str, room: Floats | None = None) -> Linear:
        """A linear part, its weights made float32: in this room, or in new memory."""
        kept = self[name + ".weight"]
        weight = np.empty(kept.shape, np.float32) if room is None else room[: kept.size].reshape(kept.shape)
        np.copyto(weight, kept)  # two passes, each of which the processor does many numbers at a time
        weight *= self[name + ".scale"]
        return Linear(weight, np.array(self[name + ".bias"]))

    def norm(self, name: str) -> Norm:
        return Norm(np.array(self[name + ".weight"]), np.array(self[name + ".bias"]))

    def layer(self, number: int, room: Floats) -> Layer:
        """One block, with the factors of GELU in the weights around it; they lie in `room`, of `LAYER` numbers."""
        name = f"layer.{number}."
        qkv, out, up, down = np.split(room, _ENDS)
        return Layer(
            qkv=self.linear(name + "qkv", qkv),
            out=self.linear(name + "out", out),
            out_norm=self.norm(name + "out_norm"),
            up=self.linear(name + "up", up).scaled(1, 1 / _K),
            down=self.linear(name + "down", down).scaled(_K / 2, 1),
            norm=self.norm(name + "norm"),
        )


class First:
    """What goes into the first layer: the vector of each piece and of its place."""

    def __init__(self, weights: Weights) -> None:
        self._words, self._scales = weights["words"], weights["words.scale"]
        self._places = weights["places"].astype(np.float32)
        self._norm = weights.norm("first")

    def __call__(self, texts: Sequence[Sequence[int]]) -> Floats:
        pieces = np.concatenate([np.asarray(text, np.intp) for text in texts])
        places = np.concatenate([np.arange(len(text)) for text in texts])
        x: Floats = self._words[pieces] * self._scales[pieces, None]
        x += self._places[places]
        return self._norm(x)


class Transformer:
    """Runs the model with numpy."""

    def __init__(self, weights: Weights) -> None:
        self._weights, self._first = weights, First(weights)
        self._layers: list[Layer] = []
        self._runs = 0

    def _ready(self) -> Iterable[Layer]:
        """The layers, to be used one after the other."""
        if self._layers:
            return self._layers
        self._runs += 1
        if self._runs <= FEW_RUNS:
            room = np.empty(LAYER, np.float32)
            return (self._weights.layer(number, room) for number in range(LAYERS))
        self._layers = [self._weights.layer(number, np.empty(LAYER, np.float32)) for number in range(LAYERS)]
        return self._layers

    def run(self, texts: Sequence[Sequence[int]]) -> Iterator[tuple[int, Floats]]:
        """The place of each text and the last layer's vectors of its pieces; short texts come first."""
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        for batch in batches(order, lambda at: len(texts[at]), AT_ONCE):
            lengths = [len(texts[at]) for at in batch]
            x = self._first([texts[at] for at in batch])
            for layer in self._ready():
                x = layer(x, lengths)
            yield from zip(batch, np.split(x, np.cumsum(lengths[:-1])), strict=True)


@lru_cache(maxsize=1)
def _libraries() -> Any:
    # To find them takes milliseconds. numpy is loaded before anyone asks, and its BLAS is the one that counts.
    return threadpoolctl.ThreadpoolController()


class OneThread:
    """Inside `with one_thread:` a product of numpy takes one thread in the whole process, since ours are small and a
    second one mostly waits, at full cost of its core; afterwards as many as before, once the last caller has left."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._inside = 0
        self._limit: Any = None

    def __enter__(self) -> None:
        with self._lock:
            self._inside += 1
            if self._inside == 1:
                self._limit = _libraries().limit(limits=1, user_api="blas")

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._limit.restore_original_limits()


one_thread = OneThread()
