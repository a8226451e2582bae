"""The vectors in memory: few are compared exactly, of many the nearest are found all the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from recollect.store.index import OwnerIndex
from recollect.store.rows import ALWAYS, NEVER
from recollect.store.vectors import LARGE, Space, Texts, ones_by_table

from .samples import new_items

DIM = 192
Floats = npt.NDArray[np.float32]


def spread(count: int, seed: int = 1) -> Floats:
    """Vectors around a few hundred centers, of length one."""
    chance = np.random.default_rng(seed)
    centers = chance.standard_normal((300, DIM), dtype=np.float32)
    vectors = centers[chance.integers(0, 300, count)] + 0.8 * chance.standard_normal((count, DIM), dtype=np.float32)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)


def packed_rows(vectors: Floats) -> list[bytes]:
    scales = np.abs(vectors).max(axis=1, keepdims=True) / 127
    return [bytes(4) + row.tobytes() for row in np.rint(vectors / scales).astype(np.int8)]


def filled(vectors: Floats, until: Sequence[int] | None = None) -> OwnerIndex:
    """An index of one record a vector, each holding up to its moment."""
    index, space = OwnerIndex(1), Space(DIM)
    ends = until or [ALWAYS] * len(vectors)
    index.add(new_items([(number + 1, 0, NEVER, ends[number], 1, f"m{number}") for number in range(len(vectors))]))
    rows = packed_rows(vectors)
    for start in range(0, len(rows), 7_000):
        some = rows[start : start + 7_000]
        index.add_vectors(space, np.arange(start + 1, start + 1 + len(some)), b"".join(some))
    index.spaces[1] = space
    return index


def nearest(vectors: Floats, asked: Floats, limit: int) -> list[str]:
    return [f"m{place}" for place in np.argsort(-(vectors @ asked))[:limit].tolist()]


def found(index: OwnerIndex, asked: Floats, limit: int, holding: int | None = None) -> list[str]:
    return [one.id for one in index.by_vector(1, asked, limit, holding)]


def every(index: OwnerIndex, asked: Floats, limit: int) -> set[str]:
    """The nearest, by comparing all."""
    scores = index.spaces[1].compare(asked / np.linalg.norm(asked))
    return {f"m{place}" for place in np.argsort(-scores)[:limit].tolist()}


@pytest.fixture(scope="module")
def many() -> Floats:
    return spread(LARGE + 10_000)


@pytest.fixture(scope="module")
def large(many: Floats) -> OwnerIndex:
    half = len(many) - 500
    return filled(many, [5] * half + [ALWAYS] * 500)


def test_few_vectors_are_ranked_exactly() -> None:
    vectors = spread(3_000)
    index = filled(vectors)
    for asked in spread(10, seed=2):
        expected = vectors @ asked
        for one in index.by_vector(1, asked, 50, None):
            assert one.score == pytest.approx(expected[int(one.id[1:])], abs=0.003)
        assert len(set(found(index, asked, 50)) & set(nearest(vectors, asked, 50))) >= 47


def test_of_many_vectors_nearly_all_of_the_nearest_are_found(many: Floats, large: OwnerIndex) -> None:
    assert large.spaces[1].enough(100) > 0
    shares = [len(set(found(large, asked, 100)) & set(nearest(many, asked, 100))) / 100 for asked in spread(20, seed=3)]
    assert np.mean(shares) >= 0.98


def test_of_many_vectors_in_which_few_numbers_say_most_the_nearest_are_found() -> None:
    uneven = spread(LARGE + 4_000) ** 3
    uneven /= np.linalg.norm(uneven, axis=1, keepdims=True)
    index = filled(uneven)
    shares = [len(set(found(index, asked, 100)) & every(index, asked, 100)) / 100 for asked in uneven[:20]]
    assert np.mean(shares) >= 0.98


def test_of_many_vectors_only_those_that_hold_are_found(many: Floats, large: OwnerIndex) -> None:
    asked = spread(1, seed=4)[0]
    expected = [f"m{int(one[1:]) + len(many) - 500}" for one in nearest(many[-500:], asked, 20)]
    assert len(set(found(large, asked, 20, holding=9)) & set(expected)) >= 19
    assert len(found(large, asked, 20, holding=4)) == 20


def test_a_vector_that_is_new_among_many_is_found(many: Floats) -> None:
    index = filled(many)
    asked = spread(1, seed=5)[0]
    found(index, asked, 5)
    index.add(new_items([(len(many) + 1, 0, NEVER, ALWAYS, 1, "new")]))
    index.add_vectors(index.spaces[1], np.array([len(many) + 1]), packed_rows(asked[None])[0])
    assert found(index, asked, 5)[0] == "new"
    index.add_vectors(index.spaces[1], np.array([len(many) + 1]), packed_rows(-asked[None])[0])
    assert "new" not in found(index, asked, 5)


def test_asking_for_nearly_all_compares_all(large: OwnerIndex) -> None:
    space = large.spaces[1]
    assert space.enough(space.count) == 0
    assert Space(8).enough(1) == 0


def test_a_record_takes_less_than_600_bytes(many: Floats) -> None:
    index = filled(many)
    found(index, many[0], 5)
    assert index.size / index.count < 600 - (384 - DIM) * 9 / 8


def test_bits_are_counted_the_same_by_a_table() -> None:
    words = np.random.default_rng(6).integers(0, 2**64, 1000, dtype=np.uint64)
    assert ones_by_table(words).tolist() == [bin(word).count("1") for word in words.tolist()]


def test_texts_come_back_as_they_were() -> None:
    texts, given = Texts(), ["m_1", "", "straße", "日本語", "x" * 300]
    for some in (given[:2], given[2:]):
        contents = [text.encode() for text in some]
        texts.extend(b"".join(contents), np.array([len(content) for content in contents]))
    assert texts.at(np.arange(5)) == given
