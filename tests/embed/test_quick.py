"""The quick embedder and its tokenizer, on the table that ships."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files

import numpy as np
import pytest

from recollect.embed.quick import PIECES, QuickEmbedder, read_table

DATA = files("recollect.embed") / "data"
ABOUT = json.loads((DATA / "quick.json").read_text("utf-8"))
SENTENCES = [
    "I moved to Porto in May.",
    "My sister Anna lives in Berlin!",
    "He's allergic to peanuts (and dust).",
    "Ünïcode, naïve café — 日本語, привет 👍",
    "x = 3.14; print(x)",
    "one " * 700,
]

# Taken from the model's own tokenizer.json, run by the `tokenizers` package.
REFERENCE = {
    "Hello, world!": [7592, 1010, 2088, 999],
    "I moved to Porto in May.": [1045, 2333, 2000, 13809, 1999, 2089, 1012],
    "unbelievably tokenizable": [4895, 8671, 2666, 3567, 6321, 19204, 21335, 3468],
    "don't pay $5.00 to a@b.com": [2123, 1005, 1056, 3477, 1002, 1019, 1012, 4002, 2000, 1037, 1030, 1038, 1012, 4012],
    "CAFÉ naïve Zürich": [7668, 15743, 10204],
    "日本語 text": [1864, 1876, 1950, 3793],
    "ΟΔΥΣΣΕΥΣ İstanbul straße": [1169, 29722, 29735, 29733, 29733, 29723, 29735, 29733, 9960, 2358, 27807],
    "a\x00b\tc\u200bd": [11113, 3729],
    "great👍": [100],
    "x" * 101 + " y": [100, 1061],
    "snake_case-and/paths.py": [7488, 1035, 2553, 1011, 1998, 1013, 10425, 1012, 1052, 2100],
    "": [],
}


@pytest.fixture(scope="module")
def quick() -> QuickEmbedder:
    return QuickEmbedder()


def closeness(quick: QuickEmbedder, one: str, other: str) -> float:
    a, b = quick.embed([one, other])
    return float(a @ b)


def test_every_vector_has_length_one(quick: QuickEmbedder) -> None:
    vectors = quick.embed(SENTENCES)
    assert vectors.shape == (len(SENTENCES), quick.dim)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_the_dimension_is_256_and_the_name_tells_the_table(quick: QuickEmbedder) -> None:
    assert quick.dim == 256
    assert quick.name == "quick-1-" + ABOUT["sha256"][:8]


def test_one_by_one_gives_the_same_as_all_at_once(quick: QuickEmbedder) -> None:
    many = SENTENCES * 50
    together = quick.embed(many)
    assert all(np.array_equal(quick.embed([text])[0], row) for text, row in zip(many, together, strict=True))


def test_another_process_gives_the_same_vectors(quick: QuickEmbedder) -> None:
    code = (
        "import sys; from recollect.embed.quick import QuickEmbedder as Q;"
        "sys.stdout.buffer.write(Q().embed(['I moved to Porto in May.']).tobytes())"
    )
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout
    assert other == quick.embed(["I moved to Porto in May."]).tobytes()


def test_many_threads_read_the_table_once(quick: QuickEmbedder) -> None:
    with ThreadPoolExecutor(8) as pool:
        tables = list(pool.map(lambda _: read_table(), range(16)))
        vectors = list(pool.map(lambda _: quick.embed(SENTENCES), range(16)))
    assert all(table is tables[0] for table in tables)
    assert all(np.array_equal(each, vectors[0]) for each in vectors)


@pytest.mark.parametrize(
    ("said", "near", "far"),
    [
        ("I love my dog", "puppies are great pets", "the stock market fell today"),
        ("Can you suggest a restaurant?", "I enjoy Italian food", "My car broke down on the highway"),
        ("Which seat do I like on a plane?", "I prefer the window when flying", "My daughter plays the violin"),
        ("Where do I live?", "I moved to an apartment in Lisbon", "I hate mushrooms"),
        ("What should I cook for dinner?", "I don't eat meat, I'm vegetarian", "I work as a nurse"),
        ("I need a new computer", "My laptop is too slow", "We went hiking in the mountains"),
        ("The physician treated the patient", "A doctor cared for a sick man", "The band played a loud song"),
    ],
)
def test_what_means_alike_is_closer(quick: QuickEmbedder, said: str, near: str, far: str) -> None:
    assert closeness(quick, said, near) > closeness(quick, said, far)


def test_case_and_accents_do_not_matter(quick: QuickEmbedder) -> None:
    assert closeness(quick, "CAFÉ in Zürich", "cafe in zurich") == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("text", ["", "   \t\n", "\0", "\ud800", "\u200b\ufeff", "🫠", "x" * 10_000_000])
def test_nothing_known_is_the_zero_vector(quick: QuickEmbedder, text: str) -> None:
    assert not quick.embed([text, "hello"])[0].any()


def test_no_texts_give_no_rows(quick: QuickEmbedder) -> None:
    assert quick.embed([]).shape == (0, 256)


@pytest.mark.parametrize("text", ["a\0b", "bad \udcff byte", "é" * 10_000_000, "a b " * 2_500_000, "\n" * 10_000_000])
def test_no_text_is_too_strange_or_too_long(quick: QuickEmbedder, text: str) -> None:
    assert np.isfinite(quick.embed([text])).all()


def test_only_the_first_pieces_of_a_long_text_count(quick: QuickEmbedder) -> None:
    start = "garden " * PIECES
    assert np.array_equal(*quick.embed([start, start + "engine " * 100]))


def test_a_sign_nobody_knows_leaves_its_word_alone(quick: QuickEmbedder) -> None:
    assert closeness(quick, "that was great🫠", "that was great") == pytest.approx(1, abs=1e-5)


def test_word_pieces_are_those_of_the_reference_tokenizer() -> None:
    for text, pieces in REFERENCE.items():
        assert read_table().vocabulary.encode(text) == pieces, text


def test_the_data_is_what_was_recorded() -> None:
    for name, key in (("quick.bin", "sha256"), ("vocab.txt", "vocab_sha256")):
        assert hashlib.sha256((DATA / name).read_bytes()).hexdigest() == ABOUT[key]
    assert ABOUT["source_sha256"] == "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def test_the_data_stays_small_and_carries_its_licence() -> None:
    assert sum(len((DATA / name).read_bytes()) for name in ("quick.bin", "vocab.txt", "quick.json")) < 9_000_000
    assert "Apache License" in (DATA / "LICENSE").read_text("utf-8")
    assert "all-MiniLM-L6-v2" in (DATA / "NOTICE").read_text("utf-8")
