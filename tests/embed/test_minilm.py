"""The minilm embedder on the weights that ship, run by numpy and by onnxruntime."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files

import numpy as np
import pytest

from recollect import Memory
from recollect.embed import TokenEmbedder, open_embedder
from recollect.embed.minilm import PIECES, MiniLMEmbedder
from recollect.embed.onnx import together
from recollect.embed.quick import QuickEmbedder
from recollect.embed.transformer import FEW_RUNS, Transformer, Weights
from recollect.embed.wordpiece import read_vocabulary
from recollect.errors import InvalidInput

DATA = files("recollect.embed") / "data"
ABOUT = json.loads((DATA / "minilm.json").read_text("utf-8"))
SENTENCES = [
    "I moved to Porto in May.",
    "My sister Anna lives in Berlin!",
    "He's allergic to peanuts (and dust).",
    "Where do I live now?",
    "x = 3.14; print(x)",
]

# The cosines of these sentences by the original model in fp32, with the exact GELU.
REFERENCE = [
    [1.000, 0.225, -0.027, 0.408, -0.065],
    [0.225, 1.000, 0.058, 0.325, 0.028],
    [-0.027, 0.058, 1.000, 0.053, 0.009],
    [0.408, 0.325, 0.053, 1.000, 0.129],
    [-0.065, 0.028, 0.009, 0.129, 1.000],
]
START = [0.1277, -0.0751, 0.0681, 0.0483, 0.0519, 0.0182, -0.0513, -0.0144]
"""The first numbers of the first sentence's vector by the original model."""

MEMORIES = [
    "Caroline: I went to a support group yesterday and it was so powerful.",
    "Melanie: I painted that lake sunrise last year!",
    "Caroline: I moved here from Sweden four years ago.",
    "Melanie: My kids love the pottery class.",
]


@pytest.fixture(scope="module", params=["numpy", "onnxruntime"])
def minilm(request: pytest.FixtureRequest) -> MiniLMEmbedder:
    return MiniLMEmbedder(request.param)


def closeness(minilm: MiniLMEmbedder, one: str, other: str) -> float:
    a, b = minilm.embed([one, other])
    return float(a @ b)


def test_vectors_are_those_of_the_original_model(minilm: MiniLMEmbedder) -> None:
    vectors = minilm.embed(SENTENCES)
    np.testing.assert_allclose(vectors @ vectors.T, REFERENCE, atol=0.015)
    np.testing.assert_allclose(vectors[0, :8], START, atol=0.01)


def test_numpy_and_onnxruntime_give_the_same() -> None:
    one, other = MiniLMEmbedder("numpy"), MiniLMEmbedder("onnxruntime")
    texts = [*SENTENCES, *MEMORIES, "word " * 400, "日本語 and привет 👍"]
    (a, tokens), (b, others) = one.embed_tokens(texts), other.embed_tokens(texts)
    assert one.name == other.name
    assert (a * b).sum(1).min() > 0.9999
    np.testing.assert_allclose(
        one.token_similarity("Where is she from?", others),
        other.token_similarity("Where is she from?", tokens),
        atol=0.01,
    )


def test_onnxruntime_runs_texts_together_where_padding_costs_less_than_another_run() -> None:
    assert [*together([])] == []
    assert [*together([14, 11])] == [[1, 0]]
    assert [*together([9, 60, 9, 10])] == [[0, 2, 3], [1]]
    assert [len(batch) for batch in together([100] * 7)] == [3, 3, 1]


def test_every_vector_has_length_one(minilm: MiniLMEmbedder) -> None:
    vectors = minilm.embed(SENTENCES)
    assert vectors.shape == (len(SENTENCES), minilm.dim)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_one_by_one_gives_the_same_as_all_at_once(minilm: MiniLMEmbedder) -> None:
    texts = [f"{sentence} And that {number} times." for number, sentence in enumerate(SENTENCES * 4)]
    together = minilm.embed(texts)
    alone = np.concatenate([MiniLMEmbedder(minilm.runtime).embed([text]) for text in texts])
    np.testing.assert_allclose(alone, together, atol=1e-5)


def test_many_threads_get_what_one_gets(minilm: MiniLMEmbedder) -> None:
    with ThreadPoolExecutor(4) as pool:
        vectors = list(pool.map(lambda _: MiniLMEmbedder(minilm.runtime).embed(SENTENCES), range(8)))
    assert all(np.allclose(each, minilm.embed(SENTENCES), atol=1e-5) for each in vectors)


@pytest.mark.parametrize(
    ("said", "near", "far"),
    [
        ("Can you suggest a restaurant?", "I enjoy Italian food", "My car broke down on the highway"),
        ("Which seat do I like on a plane?", "I prefer the window when flying", "I like my chair at home"),
        ("What should I cook for dinner?", "I don't eat meat, I'm vegetarian", "I work as a nurse"),
        ("The dog bit the man", "A man was bitten by a dog", "A man fed his dog"),
    ],
)
def test_what_means_alike_is_closer(minilm: MiniLMEmbedder, said: str, near: str, far: str) -> None:
    assert closeness(minilm, said, near) > closeness(minilm, said, far)


@pytest.mark.parametrize(
    ("said", "near", "far"),
    [
        ("my locker code is 4471", "what is the locker code?", "what is the wifi password?"),
        ("Xanthippe Obuya called", "who is Xanthippe Obuya?", "who is Marguerite Vance?"),
        ("we use frobnitz-3.2 at work", "which version of frobnitz?", "which version of python?"),
    ],
)
def test_names_numbers_and_made_up_words_are_told_apart(minilm: MiniLMEmbedder, said: str, near: str, far: str) -> None:
    assert closeness(minilm, said, near) > closeness(minilm, said, far)


@pytest.mark.parametrize("text", ["", "   \t\n", "\0", "\ud800", "\u200b\ufeff", "🫠", "x" * 1_000_000])
def test_nothing_known_is_the_zero_vector_without_words(minilm: MiniLMEmbedder, text: str) -> None:
    vectors, packed = minilm.embed_tokens([text, "hello"])
    assert not vectors[0].any()
    assert packed[0] == b""
    assert minilm.token_similarity("hello", packed)[0] == 0
    assert not minilm.token_similarity(text, packed).any()


@pytest.mark.parametrize("text", ["a\0b", "bad \udcff byte", "é" * 1_000_000, "a b " * 250_000, "?!?", "the of and"])
def test_no_text_is_too_strange_or_too_long(minilm: MiniLMEmbedder, text: str) -> None:
    vectors, packed = minilm.embed_tokens([text])
    assert np.isfinite(vectors).all()
    assert np.isfinite(minilm.token_similarity(text, packed)).all()


def test_no_texts_give_no_rows(minilm: MiniLMEmbedder) -> None:
    assert minilm.embed([]).shape == (0, 384)
    assert minilm.embed_tokens([])[1] == []
    assert minilm.token_similarity("hello", []).shape == (0,)


def test_only_the_first_pieces_of_a_long_text_count(minilm: MiniLMEmbedder) -> None:
    start = "garden " * PIECES
    assert np.array_equal(*minilm.embed([start, start + "engine " * 100]))


def test_a_sign_nobody_knows_leaves_its_word_alone(minilm: MiniLMEmbedder) -> None:
    assert closeness(minilm, "that was great🫠", "that was great") == pytest.approx(1, abs=1e-5)


def test_the_memory_that_answers_comes_first_word_by_word(minilm: MiniLMEmbedder) -> None:
    packed = minilm.embed_tokens(MEMORIES)[1]
    assert minilm.token_similarity("Which country did Caroline come from?", packed).argmax() == 2
    assert minilm.token_similarity("Who is into art?", packed).argmax() in (1, 3)
    assert (minilm.token_similarity("anything at all", packed) <= 1).all()


def test_a_word_that_counts_more_moves_the_score(minilm: MiniLMEmbedder) -> None:
    packed = minilm.embed_tokens(MEMORIES)[1]
    question = "pottery or sunrise?"
    assert minilm.token_similarity(question, packed, lambda word: 9.0 if word == "pottery" else 0.1).argmax() == 3
    assert minilm.token_similarity(question, packed, lambda word: 9.0 if word == "sunrise" else 0.1).argmax() == 1


def test_marks_are_not_kept_beside_words(minilm: MiniLMEmbedder) -> None:
    packed = minilm.embed_tokens(["in Sweden", "(in) Sweden!", "?!"])[1]
    assert [len(each) for each in packed] == [128, 128, 128]


def test_a_memory_with_minilm_finds_what_was_said_in_other_words() -> None:
    with Memory(":memory:", embedder="minilm") as memory:
        memory.add("Our spaniel is overweight.")
        memory.add("The train to Ghent leaves at nine.")
        hits = memory.search("is the dog too fat?")
    assert "spaniel" in hits[0].text


def test_the_name_picks_the_embedder() -> None:
    minilm = open_embedder("minilm")
    assert isinstance(minilm, MiniLMEmbedder)
    assert minilm.name == "minilm-3-" + ABOUT["sha256"][:8]
    assert isinstance(minilm, TokenEmbedder)
    assert not isinstance(QuickEmbedder(), TokenEmbedder)


def test_an_unknown_runtime_is_refused() -> None:
    with pytest.raises(InvalidInput, match="'torch'"):
        MiniLMEmbedder("torch")  # type: ignore[arg-type]


def test_without_onnxruntime_numpy_is_used_and_asking_for_it_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['onnxruntime'] = None\n"
        "from recollect.embed.minilm import MiniLMEmbedder as M\n"
        "print(M().embed([f'hello {number}' for number in range(80)]).shape)\n"
        "try: M('onnxruntime').embed(['hello'])\n"
        "except ImportError as error: print(type(error).__name__, error)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.splitlines()[0] == "(80, 384)"
    assert "MissingDependency" in said
    assert "recollect[fast]" in said


def test_onnxruntime_is_loaded_only_when_many_texts_make_it_worth_while() -> None:
    code = (
        "import sys\n"
        "from recollect.embed.minilm import MiniLMEmbedder as M\n"
        "for many in (1, 80):\n"
        "    M().embed([f'hello {number}' for number in range(many)])\n"
        "    print('onnxruntime' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.split() == ["False", "True"]


def test_the_first_runs_give_what_later_ones_give() -> None:
    texts = [f"{sentence} And that {number} times." for number, sentence in enumerate(SENTENCES * 2)]
    model = Transformer(Weights())
    pieces = [read_vocabulary().encode(text) for text in texts]
    runs = [np.concatenate([states for _, states in model.run(pieces)]) for _ in range(FEW_RUNS + 2)]
    assert all(np.array_equal(run, runs[0]) for run in runs)


def test_the_data_is_what_was_recorded() -> None:
    assert hashlib.sha256((DATA / "minilm.bin").read_bytes()).hexdigest() == ABOUT["sha256"]
    assert ABOUT["source_sha256"] == "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def test_the_data_stays_small_and_its_notice_names_it() -> None:
    assert len((DATA / "minilm.bin").read_bytes()) < 24_000_000
    assert "minilm.bin" in (DATA / "NOTICE").read_text("utf-8")
