"""What it costs and brings to keep token vectors small: dimensions, bits, and which tokens.

    PYTHONPATH=src OPENBLAS_NUM_THREADS=1 python benchmarks/late.py

Late interaction alone ranks all memories of a set by the IDF-weighted best cosines (no words, no pooled vector, no
re-ranking), for LoCoMo turns (R@5, R@10) and PrefEval (R@5, R@10). Needs the public data (RECOLLECT_DATA) and minutes.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import data
import numpy as np
import numpy.typing as npt

from recollect.embed.minilm import PIECES, _marks
from recollect.embed.transformer import Transformer, Weights
from recollect.embed.wordpiece import read_vocabulary
from recollect.text.stop_words import STOP_WORDS

Floats = npt.NDArray[np.float32]


class Text(NamedTuple):
    pieces: list[int]
    states: Floats


class Store(NamedTuple):
    """Memories of one owner, the questions, and which memories answer each."""

    memories: list[Text]
    questions: list[Text]
    evidence: list[set[int]]


def read(model: Transformer, texts: Sequence[str]) -> list[Text]:
    """The pieces of each text, with the last layer's vector of each."""
    vocabulary = read_vocabulary()
    pieces = [vocabulary.encode_known(text, PIECES) for text in texts]
    found = [Text([], np.zeros((0, 384), np.float32))] * len(texts)
    for at, states in model.run([[vocabulary.first, *each, vocabulary.last] for each in pieces]):
        found[at] = Text(pieces[at], unit(states[1:-1]))
    return found


def unit(rows: Floats) -> Floats:
    return rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), np.float32(1e-9))


def locomo(model: Transformer) -> Iterator[Store]:
    for talk in data.one(data.find("locomo", "locomo.json")):
        sessions = [each for name, each in talk["conversation"].items() if re.fullmatch(r"session_\d+", name)]
        turns = [turn for session in sessions for turn in session]
        place = {turn["dia_id"]: at for at, turn in enumerate(turns)}
        asked = [(each["question"], evidence(each["evidence"], place)) for each in talk["qa"]]
        asked = [each for each in asked if each[1]]
        memories = read(model, [f"{turn['speaker']}: {turn['text']}" for turn in turns])
        yield Store(memories, read(model, [each[0] for each in asked]), [each[1] for each in asked])


def evidence(marks: Sequence[str], place: dict[str, int]) -> set[int]:
    named = {f"D{int(a)}:{int(b)}" for mark in marks for a, b in re.findall(r"D:?(\d+):(\d+)", mark)}
    return {place[name] for name in named if name in place}


def prefeval(model: Transformer) -> Iterator[Store]:
    rows = list(data.rows(data.find("prefeval", "prefeval_explicit.jsonl")))
    memories = read(model, ["user: " + row["preference"] for row in rows])
    yield Store(memories, read(model, [row["question"] for row in rows]), [{at} for at in range(len(rows))])


def rounded(rows: Floats, bits: int) -> Floats:
    """The rows as they are after being kept with so many bits a number."""
    most = 2 ** (bits - 1) - 1
    scale = np.abs(rows).max(1, keepdims=True) / most
    return unit(np.rint(rows / scale) * scale)


class Way(NamedTuple):
    """One way to keep token vectors: how they are cut down, bits a number, and which pieces are kept."""

    label: str
    cut: Callable[[Floats], Floats]
    bits: int
    kept: Callable[[int], bool]


def recall(stores: Sequence[Store], way: Way) -> list[float]:
    """Recall at 5 and at 10, and bytes a memory."""
    found: dict[int, list[float]] = {5: [], 10: []}
    size, count = 0, 0
    for store in stores:
        keep = [[at for at, piece in enumerate(m.pieces) if way.kept(piece)] or [0] for m in store.memories]
        states = np.concatenate([m.states[at] for m, at in zip(store.memories, keep, strict=True)])
        rows = rounded(way.cut(states), way.bits)
        starts = np.cumsum([0, *(len(at) for at in keep[:-1])])
        size, count = size + rows.size * way.bits // 8, count + len(keep)
        seen = Counter(piece for memory in store.memories for piece in set(memory.pieces))
        for question, right in zip(store.questions, store.evidence, strict=True):
            weights = [math.log(1 + len(keep) / (1 + seen[piece])) for piece in question.pieces]
            scores = np.maximum.reduceat(rows @ way.cut(question.states).T, starts, axis=0) @ np.array(weights)
            order = np.argsort(-scores, kind="stable")
            for k, values in found.items():
                values.append(len(right & set(order[:k].tolist())) / len(right))
    return [float(np.mean(found[5])), float(np.mean(found[10])), size / count]


def ways(weights: Weights) -> list[Way]:
    """What is compared: fewer dimensions are the first of those that ship, which come in order of their spread."""
    matrix, offset = weights["tokens.directions"].astype(np.float32), weights["tokens.offset"]
    marks = _marks()
    silent = marks | {read_vocabulary().ids.get(word, -1) for word in STOP_WORDS}

    def first(dim: int) -> Callable[[Floats], Floats]:
        return lambda rows: unit((rows @ matrix - offset)[:, :dim])

    def every(_: int) -> bool:
        return True

    return [
        Way("384, the model's own", unit, 8, every),
        *(Way(f"{dim}, {bits} bits", first(dim), bits, every) for bits in (8, 4) for dim in (64, 96, 128)),
        Way("128, 4 bits, no marks (ships)", first(128), 4, lambda piece: piece not in marks),
        Way("128, 4 bits, no marks, no stop words", first(128), 4, lambda piece: piece not in silent),
    ]


def main() -> None:
    weights = Weights()
    model = Transformer(weights)
    sets = {"LoCoMo": list(locomo(model)), "PrefEval": list(prefeval(model))}
    print("| kept | " + " | ".join(f"{name} R@5 | R@10 | bytes" for name in sets) + " |\n" + "|---" * 7 + "|")
    for way in ways(weights):
        cells = [recall(stores, way) for stores in sets.values()]
        print(f"| {way.label} | " + " | ".join(f"{a:.3f} | {b:.3f} | {c:,.0f}" for a, b, c in cells) + " |", flush=True)


if __name__ == "__main__":
    main()
