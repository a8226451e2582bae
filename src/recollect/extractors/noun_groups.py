"""The noun of a statement that stands for its relation: "the author of", "the school where … was educated"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from recollect.extractors.naming import ARTICLES, BE, LINKS
from recollect.extractors.verb_groups import RELATIVE, verb_form


def noun_phrase(words: Sequence[str]) -> int:
    """Where the noun ends that stands for the relation: before the "of" or the "that" of its subject; 0 if nowhere."""
    for i in range(2, min(7, len(words) - 2)):
        word = words[i]
        if word in RELATIVE:
            return i - 1 if all(one.islower() for one in words[1:i]) else 0
        if word in ("of", "for", "in", "at", "on"):
            bare = word == "of" and words[i + 1].islower() and words[i + 1] not in ARTICLES
            if bare and i + 2 < len(words) and words[i + 2] in ("of", "in", "for", "at", "that", "which", "where"):
                continue  # "the head of state in Chile", "the type of music that she plays"
            return i - 1
        if word in BE or not re.fullmatch(r"[\w'./&-]+", word):
            return 0
    return 0


def main_be(words: Sequence[str], start: int, *, relative: bool) -> int | None:
    """The "is" between subject and value: the last one before anything else begins."""
    places = [i for i in range(start, len(words) - 1) if words[i] in BE and i > start]
    if relative:
        places = [i for i in places if i > start + 1]
        return places[-1] if places else None
    kept: list[int] = []
    for i in places:
        if kept and any(word in RELATIVE or word in LINKS or word.endswith(",") for word in words[kept[-1] + 1 : i]):
            break
        kept.append(i)
    return kept[-1] if kept else None


def relative(key: str, words: Sequence[str]) -> tuple[str, list[str]]:
    """The relation and the subject of "where S was educated", "that produced S"."""
    inner = list(words[1:])
    if inner and verb_form(inner[0]) in ("past", "third"):  # "that produced S"
        size = 2 if inner[1:2] and inner[1] in LINKS else 1
        return f"{key} that {' '.join(inner[:size])}", inner[size:]
    for i in range(len(inner) - 1, 0, -1):
        if (inner[i] in BE or verb_form(inner[i]) in ("past", "third")) and inner[i - 1] not in BE:
            verb = " ".join(word for word in inner[i:] if word not in BE)
            return f"{key} {words[0]} {verb}".strip(), inner[:i]
    return key, []
