"""Stop words, and which of them are written as names in a text and so are none: "the ER", "what does Will like"."""

from __future__ import annotations

import re
from collections.abc import Sequence

STOP_WORDS = frozenset(
    """
    a about after again against all also am an and any are as at be because been before being between both but by can
    cannot could did do does doing done down during each either else ever every few for from further get gets got had
    has have having he her here hers herself him himself his i if in into is it its itself just let lets like many me
    might more most much must my myself no nor not now of off on one only onto or other our ours ourselves out over own
    please quite rather really same shall she should so some still such tell than that the their theirs them themselves
    then there these they this those though through to too under until up upon us very was we were will with within
    without would yes yet you your yours yourself what when where which who whom whose why how dont doesnt didnt isnt
    arent wasnt werent cant couldnt wont wouldnt shouldnt hasnt havent hadnt aint im ive id youre youve thats whats
    remind remember know
    """.split()
)
"""English words that say nothing about what is sought: articles, pronouns, auxiliaries, question words."""

COURTESIES = frozenset(
    """
    hi hiya hello hey heya yo howdy greetings bye goodbye cheers thanks thank thx ty ok okay cool good great nice lovely
    perfect awesome wow excellent amazing wonderful brilliant helpful fine sure yeah yep yup nope nah lol haha hahaha
    hehe oh ah hm hmm right alright exactly absolutely definitely agreed understood welcome sorry np
    """.split()
)
"""Words that greet, thank or agree."""

_CLITIC = r"(?i)'(?:s|ll|ve|re|d|m)$"
_BEFORE_A_START = r"[.!?:;…\n\"“”«»(]"


def is_stop_word(word: str) -> bool:
    """Whether a normalised word is too common to say what is sought."""
    return word in STOP_WORDS


def names_among(text: str, words: Sequence[str]) -> frozenset[int]:
    """The places of the words of a text that are spelled like stop words and written as names.

    Capitals say nothing in a text that is all capitals, nor first letters where a sentence begins or where most words
    begin with a capital.

    >>> names_among("What did Will say in the ER?", ["What", "did", "Will", "say", "in", "the", "ER"])
    frozenset({2, 6})
    """
    bare = {place: re.sub(_CLITIC, "", word) for place, word in enumerate(words) if word[0].isupper()}
    common = [place for place, word in bare.items() if len(word) > 1 and word.casefold() in STOP_WORDS]
    if not common or text.isupper():
        return frozenset()
    starts = _sentence_starts(text, words)
    small = sum(word[0].islower() for word in words)
    capitalised = sum(word[1:].islower() for place, word in bare.items() if place not in starts)
    return frozenset(
        place for place in common if bare[place].isupper() or (place not in starts and capitalised <= small)
    )


def _sentence_starts(text: str, words: Sequence[str]) -> frozenset[int]:
    """The places of the words with which sentences, lines and quotations begin."""
    starts, end = set[int](), 0
    for place, word in enumerate(words):
        at = text.find(word, end)
        if place == 0 or at < 0 or re.search(_BEFORE_A_START, text[end:at]):
            starts.add(place)
        end = max(end, at + len(word))
    return frozenset(starts)
