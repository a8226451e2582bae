"""Which of the common words of a text are written as names: "the ER", "what does Will like". Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

_CLITIC = r"'(?:s|ll|ve|re|d|m)$"
_BEFORE_A_START = r"[.!?:;…\n\"“”«»(]"


def written_as_names(text: str, words: Sequence[str], common: Collection[str]) -> frozenset[int]:
    """The places, among the words of a text, of common ones that are written as names. Capitals tell nothing in a text
    that is all capitals, nor do first letters where a sentence begins or most words have a large one."""
    bare = {place: re.sub(_CLITIC, "", word, flags=re.IGNORECASE) for place, word in _capitalised(words)}
    able = [place for place, word in bare.items() if len(word) > 1 and word.casefold() in common]
    if not able or text.isupper():
        return frozenset()
    starts = _sentence_starts(text, words)
    small = sum(word[0].islower() for word in words)
    large = sum(word[1:].islower() for place, word in bare.items() if place not in starts)
    return frozenset(place for place in able if bare[place].isupper() or (place not in starts and large <= small))


def _capitalised(words: Sequence[str]) -> list[tuple[int, str]]:
    return [(place, word) for place, word in enumerate(words) if word[0].isupper()]


def _sentence_starts(text: str, words: Sequence[str]) -> frozenset[int]:
    """The places of the words with which sentences, lines and quotations begin."""
    starts, end = set[int](), 0
    for place, word in enumerate(words):
        at = text.find(word, end)
        if place == 0 or at < 0 or re.search(_BEFORE_A_START, text[end:at]):
            starts.add(place)
        end = max(end, at + len(word))
    return frozenset(starts)
