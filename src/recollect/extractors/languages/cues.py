"""The words without which a row cannot match, so that most rows are never compiled. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_UNSURE = re.compile(r"\\.|\[[^\]]*\]|\{[^}]*\}|[^()][?*]")
"""What stands for no certain letters: classes, slots, letters that may be missing."""
_HEAD = re.compile(r"\(\?(?:P<\w+>|<?[!=]|-?[a-z]*:)")
_WORD = re.compile(r"[^\W\d_]+")
_SHORT = 3
"""Letters of a word that is found in many others: it has to stand by itself."""


def spelled(text: str, space: str) -> str:
    """A text as cues are looked for in it: in small letters, its words set apart."""
    return f" {' '.join(_WORD.findall(text.lower()))} " if space else text.lower()


def of_forms(forms: Iterable[str]) -> tuple[str, ...]:
    """The cues of verbs, by their forms."""
    return tuple(dict.fromkeys(f" {form} " if len(form) <= _SHORT else f" {form}" for form in forms))


def cues(expression: str) -> tuple[str, ...]:
    """For each alternative the longest word that it cannot do without, or else all of its words; nothing where one of
    them has no words and may match anything."""
    found: list[str] = []
    for one in alternatives(_HEAD.sub("(", _UNSURE.sub(" ", expression)).lower()):
        sure = _WORD.findall(outside_groups(one))
        words = [max(sure, key=len)] if sure else _WORD.findall(one)
        if not words:
            return ()
        found += words
    return tuple(dict.fromkeys(found))


def outside_groups(expression: str) -> str:
    """What of an expression stands in no group."""
    while (shorter := re.sub(r"\([^()]*\)", " ", expression)) != expression:
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
