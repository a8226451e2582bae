"""WordPiece in plain Python: a text becomes the numbers of its word pieces, as BERT's uncased vocabulary has them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path

DATA = Path(__file__).parent / "data"
"""Vocabulary and weights; a path, since `importlib.resources` takes longer to import than they take to read."""

LONGEST_WORD = 100
"""A longer word is not looked up: it is a key, a hash or noise, and the reference tokenizer gives up on it as well."""

_CACHED_WORDS = 50_000

_ASCII_WORD = re.compile(r"[a-z0-9]+|[^\sa-z0-9]")
_ASCII_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


class Letters(dict[int, str]):
    """A table for str.translate that is filled as signs are met."""

    def __init__(self, made: Callable[[str], str]) -> None:
        self._made = made

    def __missing__(self, code: int) -> str:
        self[code] = made = self._made(chr(code))
        return made


def _clean(char: str) -> str:
    """Spaces made plain, signs that nobody sees dropped, ideographs set apart."""
    if char in "\t\n\r" or unicodedata.category(char) == "Zs":
        return " "
    if char == "\ufffd" or unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs"):
        return ""
    return f" {char} " if re.match(_IDEOGRAPH, char) else char


def _apart(char: str) -> str:
    """After accents were split off: accents dropped, punctuation set apart."""
    if unicodedata.category(char) == "Mn":
        return ""
    # Every ASCII sign counts, also those that Unicode calls symbols ($ + < = > ^ ` | ~).
    sign = char.isprintable() and not char.isalnum() and char != " "
    return f" {char} " if (sign if char.isascii() else unicodedata.category(char).startswith("P")) else char


_IDEOGRAPH = "[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002ceaf\U0002f800-\U0002fa1f]"
_CLEAN, _APART = Letters(_clean), Letters(_apart)


def split_words(text: str) -> list[str]:
    """The words and punctuation marks of a text, in lower case and without accents."""
    if text.isascii():
        return _ASCII_WORD.findall(_ASCII_CONTROL.sub("", text).lower())
    decomposed = unicodedata.normalize("NFD", text.translate(_CLEAN))
    # The reference lowers letter by letter, so a sigma at the end of a word stays a plain one.
    return decomposed.translate(_APART).replace("Σ", "σ").lower().split()


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
        known = self._cut
        for word in split_words(text):
            found += known.get(word) or self.cut(word)
            if len(found) >= limit:
                break
        return found[:limit]

    def encode_known(self, text: str, limit: int) -> list[int]:
        """The pieces of a text, at most `limit`, where an unknown sign does not take its whole word along, as in
        "great👍", and is passed over."""
        found = self.encode(text, limit)
        if self.unknown not in found:
            return found
        return list(islice(chain.from_iterable(map(self.cut_leniently, split_words(text))), limit))

    def cut(self, word: str) -> tuple[int, ...]:
        """The pieces of one word, or the unknown piece alone."""
        if known := self._cut.get(word):
            return known
        found = self._longest_first(word) if len(word) <= LONGEST_WORD else [self.unknown]
        pieces = (self.unknown,) if self.unknown in found else tuple(found)
        if len(self._cut) < _CACHED_WORDS:
            self._cut[word] = pieces
        return pieces

    def cut_leniently(self, word: str) -> tuple[int, ...]:
        """The pieces of one word, passing over signs that no piece has; nothing of a word that is far too long."""
        pieces = self.cut(word)
        if self.unknown not in pieces:
            return pieces
        known = self._longest_first(word) if len(word) <= LONGEST_WORD else []
        return tuple(piece for piece in known if piece != self.unknown)

    def _longest_first(self, word: str) -> list[int]:
        """The longest pieces from the beginning of a word on, an unknown one for each sign that no piece has."""
        pieces: list[int] = []
        start = 0
        while start < len(word):
            piece, end = self._piece_at(word, start)
            pieces.append(self.unknown if piece is None else piece)
            start = max(end, start + 1)
        return pieces

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
