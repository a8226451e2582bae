"""The cache of embedders, and the single thread of numpy."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from threadpoolctl import threadpool_info, threadpool_limits  # type: ignore[import-untyped]

from recollect.embed import TextCache
from recollect.embed.transformer import one_thread


def sized(limit: int) -> TextCache[str]:
    return TextCache(limit, len)


def test_a_text_is_made_once() -> None:
    cache, asked = sized(100), list[str]()

    def make(texts: list[str]) -> list[str]:
        asked.extend(texts)
        return [text.upper() for text in texts]

    assert cache.get(["a", "b", "a"], make) == ["A", "B", "A"]
    assert cache.get(["b", "c"], make) == ["B", "C"]
    assert asked == ["a", "b", "c"]


def test_what_was_used_last_stays() -> None:
    cache, asked = sized(3), list[str]()

    def make(texts: list[str]) -> list[str]:
        asked.extend(texts)
        return texts

    for text in ("a", "b", "c", "a", "d", "a", "b"):
        cache.get([text], make)
    assert asked == ["a", "b", "c", "d", "b"]


def test_more_than_fits_is_given_all_the_same() -> None:
    texts = [f"text {number}" for number in range(50)]
    assert sized(20).get(texts, list) == texts


def test_a_failure_is_not_kept() -> None:
    cache = sized(100)
    for _ in range(2):
        try:
            cache.get(["a"], lambda texts: [texts[1]])
        except IndexError:
            continue
    assert cache.get(["a"], list) == ["a"]


def test_surrogates_can_be_asked_for() -> None:
    assert sized(100).get(["\ud800"], list) == ["\ud800"]


def test_threads_share_one_cache() -> None:
    cache = sized(1000)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda number: cache.get([str(number % 10)], list), range(200)))
    assert found == [[str(number % 10)] for number in range(200)]


def test_numpy_has_its_threads_back_afterwards() -> None:
    with threadpool_limits(2, user_api="blas"):
        before = blas_threads()
        with one_thread, one_thread:
            assert blas_threads() <= {1}
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(_inside, range(64)))
        assert blas_threads() == before


def blas_threads() -> set[int]:
    """How many threads each BLAS takes."""
    return {one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"}


def _inside(_: int) -> None:
    with one_thread:
        sum(range(1000))
