"""What a clause turns round by naming it: one thing given for another, a pet that is gone."""

from __future__ import annotations

import re

from recollect.extractors.languages.partings import PETS
from recollect.extractors.languages.spoken import Spoken, Stated
from recollect.extractors.languages.table import Language, Row
from recollect.extractors.languages.wording import one
from recollect.extractors.people import Cast

SWAP, GONE = "swap", "pet gone"
"""What such rows have in place of an attribute."""


def turned(row: Row, match: re.Match[str], subject: str, cast: Cast, speaker: str, table: Language) -> list[Stated]:
    """What such a row states; nothing where it names nothing that we know how to turn."""
    return exchanged(row, match, subject, table) if row.attribute == SWAP else gone(match, subject, cast, speaker)


def is_for_once(said: Spoken, table: Language) -> bool:
    """Whether something is denied for a day only: "today I don't play". In Chinese "no longer" is said of a day too."""
    negated = said.denied or (said.ended and not table.space)
    occasion = table.marks.get("occasion") if negated else None
    return occasion is not None and occasion.search(said.text) is not None


def exchanged(row: Row, match: re.Match[str], subject: str, table: Language) -> list[Stated]:
    """ "I swapped the iPhone for a Pixel": what it is about is whatever has the old value."""
    old, new = one(match["old"], table), one(match["value"], table)
    if not old or not new or {old.lower(), new.lower()} & table.nothing:
        return []
    return [Stated(subject, "", new, row.kind or "update", instead_of=old)]


def gone(match: re.Match[str], subject: str, cast: Cast, speaker: str) -> list[Stated]:
    """ "our dog died", "Rex died": the speaker has no such pet any more."""
    groups = match.groupdict()
    word = groups.get("named") or groups.get("name") or ""
    relation = cast.relation_named(word) if groups.get("named") else subject.split()[0]
    if relation not in PETS:
        return []
    over = [Stated(speaker, relation, word, "ending")]
    said = groups.get("relation")
    return [*over, Stated(speaker, "pet", said, "ending")] if said and not word else over
