"""The terms that a text is found by, as a word index keeps them."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.text.words import terms

MOST_TERMS = 20_000
MOST_LETTERS = 400_000
"""A record is found by so many of its first terms, looked for in so many of its first letters."""

MOST_WORDS = 200
"""A query is answered by so many of its different words."""
LONGEST_TERM = 120
SHORT, MOST_PIECES = 400, 32_768
"""Letters of a text whose pieces are worth to be kept in mind, and how many of these are."""
_BLANKS = dict.fromkeys((*range(0x21), 0x7F), "_") | {code: chr(code + 32) for code in range(65, 91)}


def plain_term(term: str) -> str:
    """A term as the word index keeps it: no blanks, so that a blank parts two terms, and no capital ASCII letters."""
    return term[:LONGEST_TERM].translate(_BLANKS)


def terms_of(words: Sequence[str]) -> list[str]:
    """The different terms that a query asks for."""
    return list(dict.fromkeys(plain_term(word) for word in words if word))[:MOST_WORDS]


def wording_of(text: str) -> str:
    """The terms a text is found by, as the word index keeps them, with a blank between two."""
    if len(text) <= SHORT and text.isascii():  # such terms never go beyond a blank, and most pieces are known
        return " ".join(filter(None, map(_WORDINGS.__getitem__, text.split())))
    return " ".join([plain_term(term) for term in terms(text[:MOST_LETTERS])[:MOST_TERMS] if term])


def length_of(wording: str) -> int:
    """How many terms these are."""
    return wording.count(" ") + 1 if wording else 0


class Wordings(dict[str, str]):
    """The terms in pieces of text, kept in mind; but for whole numbers, which seldom come again."""

    def __missing__(self, piece: str) -> str:
        if (number := piece.rstrip(".,;:!?")).isdecimal():
            return number[:LONGEST_TERM]
        if len(self) >= MOST_PIECES:
            self.clear()
        self[piece] = found = " ".join([plain_term(term) for term in terms(piece) if term])
        return found


_WORDINGS = Wordings()
