"""Cuts a message into sentences and clauses, each with its exact place in the text. Pure, linear, bounded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

MOST_LETTERS = 8_000
"""So much of a message is read for facts; what comes after is kept and found as words."""
MOST_SENTENCES = 200

_ABBREVIATED = r"(?<!\b[A-Z])(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bDr)(?<!\bSt)(?<!\bProf)(?<!\bvs)(?<!\be\.g)(?<!\bi\.e)"
_END = re.compile(rf"(?:{_ABBREVIATED}\.+|[!?…]+[.!?…]*)[\"”'’)\]*_]{{0,4}}(?=\s|$)|[^\S\n]*\n\s*")
_PERSON = r"(?:i|im|ive|we|you|he|she|they|it|my|our|his|her|their|there|the|this|that)(?:['’][a-z]{1,2})?"
_WORD = (
    r"(?:and|but|or|because|although|though|if|unless|when|whenever|where|who|which|whose|whereas|plus|whether|&)(?=\s)"
    rf"|(?:so|since|as|while|until|before|after|once)(?=\s+{_PERSON}\s)"
)
_CUT = re.compile(
    rf"(?P<mark>\s*(?:,(?!\s\d{{4}}\b)|[;:])(?=\s)|\s+[-–—]+\s+|\s*—\s*|\s*[()]+)\s*(?:(?P<after>{_WORD})\s*)?|\s+(?P<word>{_WORD})\s*",
    re.I,
)
_OPENING = re.compile(rf"[\s>*•·\-–\d.)]*?(?:(?P<word>{_WORD})\s*)?(?=[^\s>*•·\-–])", re.I)


@dataclass(frozen=True, slots=True)
class Clause:
    """The words between two marks or conjunctions."""

    text: str
    start: int
    end: int
    joined: str = ""
    """What stands before it in its sentence: a mark, a conjunction or both, such as ", and"."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """The clauses of one sentence or line."""

    clauses: tuple[Clause, ...]
    asked: bool
    """Whether it ends in a question mark."""


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a text, as far as they are read.

    >>> [[clause.text for clause in one.clauses] for one in sentences("I live in Porto, and my sister moved. Thanks!")]
    [['I live in Porto', 'my sister moved'], ['Thanks']]
    """
    text, start = text[:MOST_LETTERS], 0
    for count, end in enumerate(_END.finditer(text)):
        if count == MOST_SENTENCES:
            return
        yield from sentence(text, start, end.start(), asked="?" in end[0])
        start = end.end()
    if len(text) < MOST_LETTERS:
        yield from sentence(text, start, len(text), asked=False)


def is_cut(text: str) -> bool:
    """Whether something of a text is left unread."""
    return len(text) > MOST_LETTERS or next(islice(_END.finditer(text), MOST_SENTENCES, None), None) is not None


def sentence(text: str, start: int, end: int, *, asked: bool) -> Iterator[Sentence]:
    """The sentence between two places, if it has any words."""
    opening = _OPENING.match(text, start, end)
    if opening is None:
        return
    clauses, start, joined = list[Clause](), opening.end(), (opening["word"] or "").lower()
    for cut in _CUT.finditer(text, start, end):
        if cut.start() > start:
            clauses.append(Clause(text[start : cut.start()], start, cut.start(), joined))
        joined = f"{(cut['mark'] or '').strip()} {(cut['after'] or cut['word'] or '').lower()}".strip()
        start = cut.end()
    last = text[start:end].rstrip()
    if last:
        clauses.append(Clause(last, start, start + len(last), joined))
    if clauses:
        yield Sentence(tuple(clauses), asked)
