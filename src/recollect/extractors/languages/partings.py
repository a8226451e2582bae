"""Who died, who parted, and what was given up for something else: endings that name whom or what they end."""

from __future__ import annotations

import re

from recollect.extractors.languages.spoken import Stated
from recollect.extractors.languages.table import Language
from recollect.extractors.languages.wording import name_in, one
from recollect.extractors.people import Cast

PETS = frozenset(("dog", "cat", "rabbit", "hamster", "bird", "parrot", "horse", "fish", "turtle", "guinea pig", "pet"))
_PARTNERS = frozenset(("wife", "husband", "partner", "girlfriend", "boyfriend", "fiance", "fiancee"))


def died(match: re.Match[str], dead: str, table: Language, cast: Cast, *, speaker: str) -> list[Stated]:
    """ "our cat Felix died" ends a pet; of a person it is news."""
    groups = match.groupdict()
    word, name = groups.get("relation"), groups.get("name") or groups.get("named") or ""
    relation = table.relations[word.lower()] if word else cast.relation_named(name)
    name = name_in(name, table) if name else ""
    if not relation:
        return []
    if relation in PETS:
        kind = word or next(word for word, filed in table.relations.items() if filed == relation)
        return [Stated(speaker, relation, name, "ending"), Stated(speaker, "pet", kind, "ending")]
    return [Stated(cast.subject(relation, name), "status", dead, "update")]


def parted(match: re.Match[str], single: str, table: Language, cast: Cast, *, speaker: str) -> list[Stated]:
    """ "Tobias and I broke up", "I left my husband"."""
    groups = match.groupdict()
    now = Stated(speaker, "relationship", single, "update")
    if word := groups.get("relation"):
        relation = table.relations[word.lower()]
        return [Stated(speaker, relation, "", "ending"), now] if relation in _PARTNERS else []
    # Whom one parted from may be a firm, unless the name is known to be a person's.
    name = name_in(groups.get("named") or groups.get("left") or "", table)
    return [now] if name and not (groups.get("left") and cast.by_name(name) is None) else []


def switched(match: re.Match[str], table: Language, speaker: str) -> list[Stated]:
    """ "I went from Deezer to Spotify": whatever has the old value."""
    old, new = one(match["old"], table, links=True), one(match["value"], table, links=True)
    return [Stated(speaker, "", new, "update", instead_of=old)] if old and new else []
