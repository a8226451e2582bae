"""A text cut into sentences: at stops that belong to no abbreviation, number or initial, and at line ends."""

from __future__ import annotations

import re

ABBREVIATIONS = """
dr mr mrs ms mx prof st sr jr vs eg ie cf approx appr est ca dept fig no nr vol pp rev gen gov sen rep capt sgt col
lt hon inc ltd co corp bzw usw str tel al jan feb mar apr jun jul aug sep sept oct nov dec e.g i.e z.b d.h u.a
"""
MAY_END_A_SENTENCE = """
inc ltd co corp no fig usw al est st jr sr jan feb mar apr jun jul aug sep sept oct nov dec
"""
SENTENCE_STARTERS = """
i my we our he she it they you your the this that these but and so there his her their also now then what when where
who how why which can could does do did is are was were any would should please thanks thank if let just
"""

_END = r"[.!?…]+[\"'”’»)\]*]*|[。！？｡।؟]+[」』”）]*|[ \t]*\n\s*"
_ANY_END = r"[.!?…。！？｡।؟\n]"
_BULLET = r"\s*(?:(?:[-*•‣◦–—>]|#{1,6}|\d{1,3}[.)]|[a-z]\))[ \t]+)*"
_ABBREVIATIONS = frozenset(ABBREVIATIONS.split())
_END_AT_TIMES = frozenset(MAY_END_A_SENTENCE.split())
_STARTERS = frozenset(SENTENCE_STARTERS.split())
_LAST_WORD = r"[^\s(\[\"'“]*\Z"
_NEXT_WORD = r"\s*[\"'“(]*(\w*)"


def sentences(text: str) -> list[str]:
    """The sentences of a text, each exactly as it stands there, without list marks and outer white space."""
    if not re.search(_ANY_END, text.rstrip().rstrip(".!?…")):  # most messages are one
        return [whole] if (whole := _bare(text)) else []
    found: list[str] = []
    start = 0
    for end in re.finditer(_END, text):
        if end.start() >= start and _ends_sentence(text, start, end):
            found.append(_bare(text[start : end.end()]))
            start = end.end()
    found.append(_bare(text[start:]))
    return [sentence for sentence in found if sentence]


def _bare(sentence: str) -> str:
    mark = re.match(_BULLET, sentence)
    return sentence[mark.end() if mark else 0 :].strip()


def _ends_sentence(text: str, start: int, end: re.Match[str]) -> bool:
    mark = end[0]
    if "\n" in mark:
        return _ends_line(text, start, end)
    if mark[0] not in ".!?…":
        return True
    if end.end() < len(text) and not text[end.end()].isspace():
        return False
    following = text[end.end() : end.end() + 40]
    next_word = re.match(_NEXT_WORD, following)
    upcoming = next_word[1] if next_word else ""
    if mark[0] in "!?":
        return mark[-1] in "!?" or not upcoming[:1].islower()
    if mark.startswith(("..", "…")):
        return not upcoming[:1].islower()
    return _full_stop(text[max(start, end.start() - 24) : end.start()], upcoming)


def _ends_line(text: str, start: int, end: re.Match[str]) -> bool:
    """A line ends a sentence unless it is long and the next goes on in lower case: then it was only wrapped."""
    if end[0].count("\n") > 1 or end.end() >= len(text):
        return True
    line_start = max(start, text.rfind("\n", max(start, end.start() - 400), end.start()) + 1)
    return not (end.start() - line_start >= 50 and text[end.end()].islower() and text[end.start() - 1] not in ".!?:;…")


def _full_stop(before: str, upcoming: str) -> bool:
    """Whether a single dot after these words ends a sentence, and is not part of an abbreviation."""
    last = re.search(_LAST_WORD, before)
    word = last[0] if last else ""
    lower = word.lower()
    if not word or (word.isdigit() and len(word) < 4 and not before[: -len(word)].strip()):
        return not word and bool(before.strip())
    if len(word) == 1 and word.isalpha() and word != "I":
        return lower in _STARTERS or not word.isupper() or upcoming.lower() in _STARTERS
    if lower in _ABBREVIATIONS:
        return lower in _END_AT_TIMES and upcoming.lower() in _STARTERS and (upcoming[0].isupper() or upcoming == "i")
    if "." in word and all(len(piece) <= 1 and not piece.isdigit() for piece in word.split(".")):
        return upcoming.lower() in _STARTERS and upcoming[:1].isupper()
    return True
