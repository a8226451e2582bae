"""The verb group of a clause: which verb, in which tense, denied or not. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from recollect.reader.tables import tables

_SHORT = r"n['’]t\b|['’](?:m|re|ve|ll|d|s)\b"
_TOKEN = re.compile(rf"{_SHORT}|(?:(?!{_SHORT})\S)+", re.I)
_FULL = {"'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "n't": "not", "ca": "can", "wo": "will", "'d": "would",
         "im": "i am", "ive": "i have", "dont": "do not", "doesnt": "does not", "isnt": "is not", "cant": "can not",
         "cannot": "can not"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Token:
    """A word in lower case and where it stands."""

    word: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Verb:
    """What the words from a place on may say."""

    base: str
    tense: str
    rest: int
    """The first word after it."""
    said: frozenset[str]
    """The adverbs in it, and "not"."""


def tokens(text: str) -> list[Token]:
    """The words of a clause, contractions apart and in full."""
    found = list[Token]()
    for match in _TOKEN.finditer(text):
        word = match[0].lower().replace("’", "'").rstrip(".!")
        found += [Token(part, match.start(), match.end()) for part in _FULL.get(word, word).split()]
    return found


def verb_groups(words: Sequence[str], place: int) -> Iterator[Verb]:
    """The ways to read the words from a place on as a verb group: "has always lived" is "live", done.

    >>> [(verb.base, verb.tense) for verb in verb_groups(["i", "no", "longer", "live", "in", "rome"], 1)]
    [('live', 'present')]
    """
    place, first = after_adverbs(words, place)
    for auxiliaries, form, tense in tables().groups:
        at, said = place, set(first)
        for one in auxiliaries:
            if at >= len(words) or words[at] not in one:
                break
            at, more = after_adverbs(words, at + 1)
            said |= more
        else:
            if form == "be":
                yield Verb(form, tense, at, frozenset(said))
            elif at < len(words):
                for base in (base for base, other in tables().forms.get(words[at], ()) if other == form):
                    rest, more = after_adverbs(words, at + 1)
                    yield Verb(base, tense, rest, frozenset(said | more))


def after_adverbs(words: Sequence[str], place: int) -> tuple[int, set[str]]:
    """The place after the adverbs that stand at a place, and these."""
    known, said = tables().words["adverbs"], set[str]()
    while place < len(words):
        word = words[place]
        if word == "no" and place + 1 < len(words) and words[place + 1] == "longer":
            said.add("no longer")
            place += 2
        elif word in known or (word.endswith("ly") and place + 1 < len(words)):
            said.add(word)
            place += 1
        else:
            break
    return place, said


def is_verb(word: str) -> bool:
    """Whether a word may begin the verb group of a clause."""
    return word in tables().words["auxiliaries"] or word in tables().forms
