"""The orders in which a clause can be read: what was said first for emphasis goes back to where the tables have it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from recollect.extractors.languages.table import Language

SEAM = "‖"
"""Where two parts of a clause meet that did not stand together: no value goes across it."""


@dataclass(frozen=True, slots=True)
class Ordered:
    """A clause in one order."""

    text: str
    seam: int = -1

    def holds(self, match: re.Match[str]) -> bool:
        """Whether the value that was found stood together: "sometimes tea" is none in "sometimes I like tea"."""
        if self.seam < 0 or match.groupdict().get("value") is None:
            return True
        return not match.start("value") < self.seam < match.end("value")


def ordered(text: str, table: Language) -> Iterator[Ordered]:
    """The clause as the tables word it; only the first order that fits it counts."""
    for pattern, ways in table.orders:
        if match := pattern.match(text):
            parts = {name: part or "" for name, part in match.groupdict().items()}
            parts["front"] = uncapitalised(parts.get("front", ""), table)
            for way in ways:
                yield joined(way.format(**parts))
            return
    yield Ordered(text)


def joined(text: str) -> Ordered:
    before, seam, after = (part.strip() for part in text.partition(SEAM))
    if not seam or not after or not before:
        return Ordered(re.sub(r"\s{2,}", " ", f"{before} {after}".strip()))
    return Ordered(f"{before} {after}", len(before))


def uncapitalised(front: str, table: Language) -> str:
    """The first word of a sentence as it is written inside one."""
    return f"{front[:1].lower()}{front[1:]}" if table.marks["small"].match(front) else front
