"""Whom a clause is about, and what it tells of who they are."""

from __future__ import annotations

import re

from recollect.extractors.languages.spoken import Stated
from recollect.extractors.languages.table import Language
from recollect.extractors.languages.wording import items, name_in
from recollect.extractors.people import Cast


class People:
    """Those of whom one message speaks."""

    def __init__(self, cast: Cast, table: Language, speaker: str) -> None:
        self.cast = cast
        self.table = table
        self.speaker = speaker

    def subject_of(self, match: re.Match[str]) -> tuple[str | None, list[Stated]]:
        """Whom a matched clause is about, with the name that it tells in passing."""
        groups = match.groupdict()
        if word := groups.get("relation"):
            relation = self.table.relations[word.lower()]
            name = name_in(groups.get("name") or "", self.table)
            subject = self.cast.subject(relation, name)
            self.cast.mention(subject, relation)
            return subject, [Stated(self.speaker, relation, name, "state")] if name else []
        if groups.get("he") or groups.get("she"):
            meant = self.cast.by_pronoun("he" if groups.get("he") else "she")
            return (meant[0] if meant else None), []
        if groups.get("named"):
            known = self.cast.by_name(groups["named"])
            if known and (relation := self.cast.relation_named(groups["named"])):
                self.cast.mention(known, relation)
            return known, []
        return self.speaker, []

    def relation_of(self, match: re.Match[str], subject: str) -> str:
        """The relation of whom a clause names: "my sister is called …", "she is called …"."""
        if word := match.groupdict().get("relation"):
            return self.table.relations[word.lower()]
        by_pronoun = match.groupdict().get("he") or match.groupdict().get("she")
        return next((relation for one, relation in self.cast.recent if by_pronoun and one == subject), "")

    def named(self, relation: str, said: str) -> list[Stated]:
        """ "my sister is called Anna"."""
        names = [name for name in (name_in(item, self.table) for item in items(said, self.table)) if name]
        for name in names:
            self.cast.mention(self.cast.subject(relation, name), relation)
        return [Stated(self.speaker, relation, name, "state") for name in names]

    def introduced(self, attribute: str, value: str) -> None:
        """ "I have a dog": whom a later "he" can mean."""
        relation = self.table.relations.get(value.lower().split()[-1]) if attribute in ("pet", "family") else None
        if relation:
            self.cast.mention(self.cast.subject(relation), relation)
