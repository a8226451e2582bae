"""How much of a message the rules read for facts: what they cost stays small, however long it is. Pure."""

from __future__ import annotations

import re
from itertools import islice

MOST_LETTERS = 8_000
MOST_SENTENCES = 200
_BLANKS = re.compile(r"\s{9,}")
_END = re.compile(r"[.!?。！？\n]+")


def bounded(text: str) -> str:
    """The whole sentences that a text begins with, as far as they are read; long runs of blanks are shortened.

    >>> bounded("I live in Porto." + 200 * " " + "I like tea.")
    'I live in Porto. I like tea.'
    """
    if len(text) < MOST_SENTENCES:
        return text
    text = with_short_blanks(text)
    ends = list(islice(_END.finditer(text, 0, MOST_LETTERS), MOST_SENTENCES))
    if len(text) <= MOST_LETTERS and len(ends) < MOST_SENTENCES:
        return text
    return text[: ends[-1].end()] if ends else ""


def with_short_blanks(text: str) -> str:
    return _BLANKS.sub(shortened, text)


def shortened(blanks: re.Match[str]) -> str:
    return "\n\n" if "\n" in blanks.group() else " "


def is_bounded(text: str) -> bool:
    """Whether something of a text is left unread."""
    return len(text) >= MOST_SENTENCES and len(bounded(text)) < len(with_short_blanks(text))
