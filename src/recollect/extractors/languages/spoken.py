"""A clause as it was said, and without the words that only shade it: now, also, no longer, not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from recollect.extractors.dates import Dated
from recollect.extractors.languages.table import Language, Swap
from recollect.records import Kind

_SHADES = ("now", "also", "formerly", "gladly", "often", "passing", "empty")


@dataclass(frozen=True, slots=True)
class Spoken:
    """One clause, and how it was said."""

    text: str
    bare: str
    """Without its shades, written in full."""
    now: bool = False
    also: bool = False
    formerly: bool = False
    ended: bool = False
    denied: bool = False
    gladly: bool = False
    often: bool = False
    passing: bool = False
    """It is only so at the moment: "I am just eating pizza"."""
    fronted: bool = False
    """Something stood before the verb that is not its subject."""


@dataclass(frozen=True, slots=True)
class Stated:
    """One thing stated, before it is dated."""

    subject: str
    attribute: str
    value: str
    kind: Kind
    negated: bool = False
    many: bool | None = None
    instead_of: str | None = None
    text: str = ""
    """The sentence, where the clause as said has more values than this one."""


@dataclass(frozen=True, slots=True)
class Read:
    """What one clause states, and the words for whom it is about."""

    stated: tuple[Stated, ...]
    when: Dated
    text: str
    who: str = ""


def heard(clause: str, table: Language, *, fronted: bool = False) -> Spoken:
    """The clause with its shades taken out and noted; `fronted`: a word that stood before it was left out."""
    text = clause.strip(" ,，;；.。!！")
    bare = swapped(text.replace("’", "'"), table.swaps.get("full", ()))
    bare, ended = taken(bare, table.swaps["ended"])
    bare, denied = (bare, False) if ended else taken(bare, table.swaps["denied"])
    found: dict[str, bool] = {}
    for shade in _SHADES:
        if shade not in table.marks:
            continue
        fronted = fronted or table.marks[shade].match(bare) is not None
        bare, found[shade] = without(bare, table.marks[shade], table.space)
    return Spoken(
        text=text,
        bare=bare,
        now=found["now"],
        also=found["also"],
        formerly=found["formerly"],
        ended=ended,
        denied=denied,
        gladly=found.get("gladly", False),
        often=found.get("often", False) or found.get("gladly", False),
        passing=found.get("passing", False),
        fronted=fronted,
    )


def swapped(text: str, swaps: Sequence[Swap]) -> str:
    for pattern, written in swaps:
        text = pattern.sub(written, text)
    return text


def taken(text: str, swaps: Sequence[Swap]) -> tuple[str, bool]:
    """The text after the first of these that is found in it."""
    for pattern, left in swaps:
        shorter, count = pattern.subn(left, text, count=1)
        if count:
            return re.sub(r"\s{2,}", " ", shorter).strip(), True
    return text, False


def without(text: str, shade: re.Pattern[str], space: str) -> tuple[str, bool]:
    shorter, count = shade.subn(space, text)
    return (re.sub(r"\s{2,}", " ", shorter).strip(" ,，"), True) if count else (text, False)


def without_lead(sentence: str, table: Language) -> tuple[str, str]:
    """The words that only lead in, and the rest."""
    rest = sentence.strip(" ¡¿*_-–—…")
    start = 0
    for _ in range(6):
        match = table.marks["lead"].match(rest, start)
        if match is None or match.end() == start:
            break
        start = match.end()
    return rest[:start], rest[start:].strip().rstrip(" .!。！…")


def meets(needs: str, said: Spoken, when: Dated) -> bool:
    """Whether the clause was said as a row needs it; what ended needs no "often"."""
    if needs in ("ahead", "behind"):
        return when.ahead == (needs == "ahead")
    if needs == "lasting":
        return not said.passing and not (when.bounded and short(when))
    return not needs or (needs == "often" and said.ended) or bool(getattr(said, needs))


def short(when: Dated) -> bool:
    """Whether it is about one day: what someone eats today is no habit."""
    return when.since is not None and when.until is not None and when.until - when.since <= timedelta(days=1)


def over(read: Read | None) -> list[Stated]:
    """What a clause states, ended."""
    return [replace(item, kind="ending") for item in read.stated] if read else []


def newly(item: Stated) -> Stated:
    return replace(item, kind="update") if item.kind == "state" else item
