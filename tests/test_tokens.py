"""How many tokens a text costs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.text.tokens import count, counter, estimate, trim

PROSE = (
    "My sister Anna moved to Berlin last spring and works as a nurse there now. She likes the city, but the winters are"
    " long, and she misses the sea. In June we will visit her for a week; the flights cost about 240 euros each. "
)


@pytest.mark.parametrize(
    ("model", "label", "exact"),
    [
        ("o200k", "o200k, exact", True),
        ("o200k_base", "o200k, exact", True),
        ("gpt-4o-mini", "o200k, exact", True),
        ("gpt-4.1", "o200k, exact", True),
        ("gpt-5-nano", "o200k, exact", True),
        ("gpt-5.2", "o200k, exact", True),
        ("o3-mini", "o200k, exact", True),
        ("openai/gpt-4o", "o200k, exact", True),
        ("gpt-4", "cl100k, exact", True),
        ("gpt-4-turbo", "cl100k, exact", True),
        ("gpt-3.5-turbo", "cl100k, exact", True),
        ("claude", "claude: estimated with o200k", False),
        ("gemini-3-pro", "gemini-3-pro: estimated with o200k", False),
        ("o10-unheard-of", "o10-unheard-of: estimated with o200k", False),
    ],
)
def test_a_counter_says_how_it_counts(model: str, label: str, exact: bool) -> None:
    assert (counter(model).label, counter(model).exact) == (label, exact)


def test_counts_are_those_of_the_encodings() -> None:
    assert [count("hello world", model) for model in ("o200k", "cl100k")] == [2, 2]
    assert count("") == 0
    assert count("<|endoftext|>") > 1


def test_an_estimate_is_never_below_the_count_it_rests_on() -> None:
    assert count(PROSE, "claude-sonnet-4") > count(PROSE)


def test_the_cheap_estimate_is_close_on_english_prose() -> None:
    assert estimate(PROSE) == pytest.approx(count(PROSE), rel=0.15)


def test_a_large_text_is_counted_from_samples() -> None:
    assert count(PROSE * 2000) == pytest.approx(2000 * count(PROSE), rel=0.05)


@pytest.mark.parametrize("text", ["\0", "\ud800", "a\udfffb", "x" * 100_000, " " * 100_000, "東" * 5000])
def test_strange_texts_are_counted(text: str) -> None:
    assert count(text) > 0


def test_a_text_that_fits_is_not_trimmed() -> None:
    assert trim("hello world", 2) == "hello world"


def test_a_text_is_cut_at_a_word_within_the_budget() -> None:
    short = trim(PROSE, 10)
    assert short.endswith("…")
    assert PROSE.startswith(short[:-1] + " ")
    assert 6 <= count(short) <= 10


def test_a_text_without_spaces_is_cut_at_a_letter() -> None:
    short = trim("東京に住んでいます" * 100, 10)
    assert 1 < len(short) < 30
    assert count(short) <= 10


@settings(max_examples=100, deadline=None)
@given(
    text=st.text(st.characters(), max_size=60), budget=st.integers(-2, 20), model=st.sampled_from(["o200k", "claude"])
)
def test_trimmed_text_keeps_the_budget(text: str, budget: int, model: str) -> None:
    assert count(trim(text, budget, model), model) <= max(budget, 0)
