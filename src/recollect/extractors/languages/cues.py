"""The words without which a row cannot match, so that most rows are neither compiled nor tried. Pure.

A word is known by its first letters, and in a script without spaces by its first sign.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

Cues = frozenset[str]

_UNSURE = re.compile(r"\\.|\[[^\]]*\]|\{[^}]*\}|[^()][?*]")
"""What stands for no certain letters: classes, slots, letters that may be missing."""
_HEAD = re.compile(r"\(\?(?:P<\w+>|<?[!=]|-?[a-z]*:)")
_WORD = re.compile(r"(?<!\0)[^\W\d_]+\0?")
_LETTERS = 4


def found_in(text: str, space: str) -> Cues:
    """The cues that a text has."""
    return of_words(re.findall(r"[^\W\d_]+", text.lower())) if space else frozenset(text.lower())


def of_words(words: Iterable[str]) -> Cues:
    return frozenset(word[:_LETTERS] for word in words)


def cues(expression: str, space: str) -> Cues:
    """For each alternative the longest word that it cannot do without, or else all of its words; nothing where one of
    them has no certain word and may match anything."""
    found: list[str] = []
    for one in alternatives(_HEAD.sub("(", _UNSURE.sub("\0" if space else " ", expression)).lower()):
        sure = _WORD.findall(outside_groups(one, "\0" if space else " "))
        words = [max(sure, key=len)] if sure else _WORD.findall(one)
        if not words or any(word.endswith("\0") and len(word) <= _LETTERS for word in words):
            return frozenset()
        found += words
    return of_words(word.rstrip("\0") for word in found) if space else frozenset(word[0] for word in found)


def outside_groups(expression: str, left: str) -> str:
    """What of an expression stands in no group."""
    while (shorter := re.sub(r"\([^()]*\)", left, expression)) != expression:
        expression = shorter
    return expression


def alternatives(expression: str) -> Iterator[str]:
    """The parts between the bars that stand in no group."""
    depth, start = 0, 0
    for place, letter in enumerate(expression):
        depth += (letter == "(") - (letter == ")")
        if letter == "|" and depth == 0:
            yield expression[start:place]
            start = place + 1
    yield expression[start:]
