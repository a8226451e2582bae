"""WordPiece in plain Python: a text becomes the numbers of its word pieces, as BERT's uncased vocabulary has them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

DATA = Path(__file__).parent / "data"
"""Vocabulary and weights; a path, since `importlib.resources` takes longer to import than they take to read."""

LONGEST_WORD = 100
"""A longer word is not looked up: it is a key, a hash or noise, and the reference tokenizer gives up on it as well."""

_CACHED_WORDS = 50_000

_ASCII_WORD = re.compile(r"[a-z0-9]+|[^\sa-z0-9]")
_ASCII_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")

_IDEOGRAPHS = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)


def _is_ideograph(code: int) -> bool:
    return code >= 0x3400 and any(first <= code <= last for first, last in _IDEOGRAPHS)


def _is_punctuation(char: str) -> bool:
    # Every ASCII sign counts, also those that Unicode calls symbols ($ + < = > ^ ` | ~).
    if char.isascii():
        return char.isprintable() and not char.isalnum() and char != " "
    return unicodedata.category(char).startswith("P")


class _Clean(dict[int, str]):
    """For str.translate: spaces made plain, signs that nobody sees dropped, ideographs set apart; filled as met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if char in "\t\n\r" or unicodedata.category(char) == "Zs":
            clean = " "
        elif code == 0xFFFD or unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs"):
            clean = ""
        else:
            clean = f" {char} " if _is_ideograph(code) else char
        self[code] = clean
        return clean


class _Apart(dict[int, str]):
    """For str.translate, after accents were split off: accents dropped, punctuation set apart; filled as met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if unicodedata.category(char) == "Mn":
            apart = ""
        else:
            apart = f" {char} " if _is_punctuation(char) else char
        self[code] = apart
        return apart


_clean, _apart = _Clean(), _Apart()


def split_words(text: str) -> list[str]:
    """The words and punctuation marks of a text, in lower case and without accents."""
    if not text.isascii():
        return _split_any(text)
    if _ASCII_CONTROL.search(text):
        text = _ASCII_CONTROL.sub("", text)
    return _ASCII_WORD.findall(text.lower())


def _split_any(text: str) -> list[str]:
    decomposed = unicodedata.normalize("NFD", text.translate(_clean))
    # The reference lowers letter by letter, so a sigma at the end of a word stays a plain one.
    return decomposed.translate(_apart).replace("Σ", "σ").lower().split()


class WordPiece:
    """A vocabulary that cuts words into the longest pieces it knows; each word is cut once and kept."""

    def __init__(self, pieces: Sequence[str]) -> None:
        self.pieces = pieces
        self.ids = dict(zip(pieces, range(len(pieces)), strict=True))
        self.unknown = self.ids["[UNK]"]
        self.first = self.ids["[CLS]"]
        self.last = self.ids["[SEP]"]
        self._cut: dict[str, tuple[int, ...]] = {}

    def encode(self, text: str, limit: int = 510) -> list[int]:
        """The pieces of a text, at most `limit`; a word that can't be cut is one unknown piece. No [CLS] or [SEP]."""
        found: list[int] = []
        cut = self._cut
        for word in split_words(text):
            found += cut.get(word) or self.cut(word)
            if len(found) >= limit:
                return found[:limit]
        return found

    def encode_known(self, text: str, limit: int) -> list[int]:
        """The pieces of a text, at most `limit`, where an unknown sign does not take its whole word along, as in
        "great👍", and is passed over."""
        found = self.encode(text, limit)
        if self.unknown not in found:
            return found
        found = []
        for word in split_words(text):
            found += self.cut_leniently(word)
            if len(found) >= limit:
                break
        return found[:limit]

    def cut(self, word: str) -> tuple[int, ...]:
        """The pieces of one word, or the unknown piece alone."""
        pieces = self._longest_first(word) or (self.unknown,)
        if len(self._cut) < _CACHED_WORDS:
            self._cut[word] = pieces
        return pieces

    def cut_leniently(self, word: str) -> tuple[int, ...]:
        """The pieces of one word, passing over signs that no piece has; nothing of a word that is far too long."""
        pieces = self._cut.get(word) or self.cut(word)
        if self.unknown not in pieces or len(word) > LONGEST_WORD:
            return tuple(piece for piece in pieces if piece != self.unknown)
        found: list[int] = []
        start = 0
        while start < len(word):
            piece, end = self._piece_at(word, start)
            found += [] if piece is None else [piece]
            start = max(end, start + 1)
        return tuple(found)

    def _longest_first(self, word: str) -> tuple[int, ...]:
        if len(word) > LONGEST_WORD:
            return ()
        pieces: list[int] = []
        start = 0
        while start < len(word):
            piece, start = self._piece_at(word, start)
            if piece is None:
                return ()
            pieces.append(piece)
        return tuple(pieces)

    def _piece_at(self, word: str, start: int) -> tuple[int | None, int]:
        mark = "##" if start else ""
        for end in range(len(word), start, -1):
            piece = self.ids.get(mark + word[start:end])
            if piece is not None:
                return piece, end
        return None, start


@lru_cache(maxsize=1)
def read_vocabulary() -> WordPiece:
    """The vocabulary that ships with the package, read once in a process."""
    return WordPiece((DATA / "vocab.txt").read_text("utf-8").split("\n")[:-1])
