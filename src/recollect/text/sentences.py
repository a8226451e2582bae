"""A text cut into sentences: at stops that belong to no abbreviation, number or initial, and at line ends."""

from __future__ import annotations

import re

ABBREVIATIONS = frozenset(
    """
    dr mr mrs ms mx prof st sr jr vs eg ie cf approx appr est ca dept fig no nr vol pp rev gen gov sen rep capt sgt col
    lt hon inc ltd co corp bzw usw str tel al jan feb mar apr jun jul aug sep sept oct nov dec e.g i.e z.b d.h u.a
    """.split()
)
MAY_END_A_SENTENCE = frozenset(
    "inc ltd co corp no fig usw al est st jr sr jan feb mar apr jun jul aug sep sept oct nov dec".split()
)
SENTENCE_STARTERS = frozenset(
    """
    i my we our he she it they you your the this that these but and so there his her their also now then what when
    where who how why which can could does do did is are was were any would should please thanks thank if let just
    """.split()
)


def sentences(text: str) -> list[str]:
    """The sentences of a text, each exactly as it stands there, without list marks and outer white space."""
    if not re.search(r"[.!?…。！？｡।؟\n]", text.rstrip().rstrip(".!?…")):  # most messages are one
        return [whole] if (whole := _bare(text)) else []
    found: list[str] = []
    start = 0
    for end in re.finditer(r"[.!?…]+[\"'”’»)\]*]*|[。！？｡।؟]+[」』”）]*|[ \t]*\n\s*", text):
        if end.start() >= start and _ends_sentence(text, start, end):
            found.append(_bare(text[start : end.end()]))
            start = end.end()
    found.append(_bare(text[start:]))
    return [sentence for sentence in found if sentence]


def _bare(sentence: str) -> str:
    mark = re.match(r"\s*(?:(?:[-*•‣◦–—>]|#{1,6}|\d{1,3}[.)]|[a-z]\))[ \t]+)*", sentence)
    return sentence[mark.end() if mark else 0 :].strip()


def _ends_sentence(text: str, start: int, end: re.Match[str]) -> bool:
    mark = end[0]
    if "\n" in mark:
        return _ends_line(text, start, end)
    if mark[0] not in ".!?…":
        return True
    if end.end() < len(text) and not text[end.end()].isspace():
        return False
    next_word = re.match(r"\s*[\"'“(]*(\w*)", text[end.end() : end.end() + 40])
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
    last = re.search(r"[^\s(\[\"'“]*\Z", before)
    word = last[0] if last else ""
    starts, capital = upcoming.lower() in SENTENCE_STARTERS, upcoming[:1].isupper()
    if not word or (word.isdigit() and len(word) < 4 and not before[: -len(word)].strip()):
        return not word and bool(before.strip())
    if len(word) == 1 and word.isalpha() and word != "I":
        return word.lower() in SENTENCE_STARTERS or not word.isupper() or starts
    if word.lower() in ABBREVIATIONS:
        return word.lower() in MAY_END_A_SENTENCE and starts and (capital or upcoming == "i")
    if "." in word and all(len(piece) <= 1 and not piece.isdigit() for piece in word.split(".")):
        return starts and capital
    return True
