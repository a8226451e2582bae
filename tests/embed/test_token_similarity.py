"""Comparing word by word, and the packed form of token vectors."""

from __future__ import annotations

import numpy as np
import pytest

from recollect.embed.minilm import pack, token_scores

CHANCE = np.random.default_rng(0)


def units(count: int, dim: int = 128) -> np.ndarray:
    vectors = CHANCE.normal(size=(count, dim)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_scores_are_the_weighted_best_cosines() -> None:
    question, weights = units(5), np.array([1, 2, 0, 4, 1], np.float32)
    memories = [units(count) for count in (1, 7, 30)]
    exact = [(question @ memory.T).max(1) @ weights / weights.sum() for memory in memories]
    scores = token_scores(question, weights, [pack(memory) for memory in memories])
    np.testing.assert_allclose(scores, exact, atol=0.02)


def test_a_memory_that_holds_the_question_scores_nearly_one() -> None:
    question = units(6)
    packed = pack(np.concatenate([units(10), question]))
    assert token_scores(question, np.ones(6, np.float32), [packed])[0] == pytest.approx(1, abs=0.02)


def test_memories_without_words_have_nothing_and_leave_the_others_alone() -> None:
    question, weights = units(4), np.ones(4, np.float32)
    one, other = pack(units(3)), pack(units(9))
    alone = token_scores(question, weights, [one, other])
    np.testing.assert_array_equal(
        token_scores(question, weights, [b"", one, b"", other, b""]), [0, alone[0], 0, alone[1], 0]
    )


@pytest.mark.parametrize("packed", [[], [b""], [b"", b""]])
def test_nothing_to_compare_gives_zeros(packed: list[bytes]) -> None:
    np.testing.assert_array_equal(token_scores(units(2), np.ones(2, np.float32), packed), np.zeros(len(packed)))


def test_a_question_in_which_nothing_counts_gives_zeros() -> None:
    assert token_scores(units(2), np.zeros(2, np.float32), [pack(units(3))]).tolist() == [0]
    assert token_scores(units(0), np.zeros(0, np.float32), [pack(units(3))]).tolist() == [0]


def test_a_token_takes_half_a_byte_a_number() -> None:
    assert len(pack(units(10))) == 640
    assert pack(units(0)) == b""


def test_a_token_that_says_nothing_is_harmless() -> None:
    packed = pack(np.zeros((1, 128), np.float32))
    assert token_scores(units(2), np.ones(2, np.float32), [packed])[0] == pytest.approx(0, abs=1e-5)
