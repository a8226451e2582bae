"""The tense of the clause around a time, which tells whether "in July" looks back or ahead."""

from __future__ import annotations

import re

_PAST = (
    r"\b(?:was|were|been|had|did|didn't|went|met|saw|got|came|bought|made|left|took|gave|told|began|since|quit|sold|broke|split|"
    r"lost|flew|drove|ran|won|wrote|said|sent|paid|found|became|built|chose|fell|felt|heard|kept|spent|taught|thought|woke|"
    r"threw|tore|wound|brought|(?:i|we|they|he|she) (?:just |finally )?(?:shut|cut|put|set|hit|let)|"
    r"(?<!\bam )(?<!\bis )(?<!\bare )(?<!\bbe )(?<!['’]m )(?<!['’]re )[a-z]{2,}ed)\b"
)
_PRESENT = r"\b(?:am|is|are|do|does|has|have|i|we|he|she|they|it|you)\b|['’](?:m|re|s)\b"
_FUTURE = r"\b(?:will|won't|going to|gonna|planning to|plan to|about to)\b|\w['’]ll\b"


def clause_around(match: re.Match[str]) -> str:
    """The words around a phrase, up to the next comma, stop, `and` or `but`."""
    before = match.string[max(0, match.start() - 80) : match.start()].lower()
    after = match.string[match.end() : match.end() + 80].lower()
    breaks = r"[.,;!?\n]|\b(?:and|but)\b"
    return f"{re.split(breaks, before)[-1]} {re.split(breaks, after)[0]}"


def in_past_tense(text: str) -> bool:
    """Whether a verb in the past tense stands in a clause, which is in lower case."""
    return re.search(_PAST, text) is not None


def in_present_tense(text: str) -> bool:
    """Whether a verb or a subject of the present tense stands in a clause, and no verb in the past tense."""
    return re.search(_PRESENT, text) is not None and not in_past_tense(text)


def in_future_tense(text: str) -> bool:
    """Whether a verb that looks ahead stands in a clause."""
    return re.search(_FUTURE, text) is not None
