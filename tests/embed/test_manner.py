"""How a question is put is no part of what it asks for."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_lowercase

import numpy as np
import numpy.typing as npt
import pytest

from recollect.embed import QuestionEmbedder, embed_question, open_embedder
from recollect.embed.manner import read_manner

BUILT_IN = ("minilm", "quick")

REQUESTS = (
    "Could you recommend a good campsite for next week?",
    "What would you suggest for a rainy Sunday?",
    "Can you help me plan a picnic?",
)
QUESTIONS = (
    "When did Ines sell the boat?",
    "How many stamps are in my collection?",
    "What did the plumber say about the pipes?",
    "the port of the staging database",
)


@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.parametrize(("texts", "request_"), [(REQUESTS, True), (QUESTIONS, False)])
def test_a_request_is_told_from_a_question(name: str, texts: tuple[str, ...], request_: bool) -> None:
    embedder = open_embedder(name)
    assert embedder is not None
    assert [embed_question(embedder, text)[1] for text in texts] == [request_] * len(texts)


@pytest.mark.parametrize("name", BUILT_IN)
def test_what_is_asked_for_is_left_when_the_manner_is_gone(name: str) -> None:
    embedder = open_embedder(name)
    assert isinstance(embedder, QuestionEmbedder)
    vector, _ = embedder.embed_question("Could you recommend some books about sailing?")
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)
    assert abs(float(vector @ read_manner(embedder.name).requested)) < 1e-4
    sailing, request = embedder.embed(["I love stories of sailing ships.", "Could you recommend a dentist?"])
    plain = embedder.embed(["Could you recommend some books about sailing?"])[0]
    assert vector @ sailing - vector @ request > plain @ sailing - plain @ request


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_question_without_words_stays_the_zero_vector(name: str) -> None:
    embedder = open_embedder(name)
    assert embedder is not None
    vector, request = embed_question(embedder, "")
    assert not vector.any()
    assert not request


def test_an_embedder_that_reads_questions_like_any_text_is_asked_as_before() -> None:
    class Letters:
        name, dim = "letters", 26

        def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
            return np.array([[text.count(letter) for letter in ascii_lowercase] for text in texts], np.float32)

    vector, request = embed_question(Letters(), "aab")
    assert (vector[:2].tolist(), request) == ([2, 1], False)
