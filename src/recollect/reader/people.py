"""Who is meant: people and pets by relation, by name, by he and she; things by their words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from recollect.facts.people import KnownPeople, relation_of, relations
from recollect.reader.tables import NAME, tables
from recollect.reader.values import is_name
from recollect.records import USER, Fact


@lru_cache(maxsize=1)
def relative() -> re.Pattern[str]:
    """Someone of the speaker's: "my older sister Anna", "our dog"."""
    ranks = "|".join(sorted(tables().words["ranks"]))
    words = "|".join(re.escape(word) for word in sorted(relations(), key=len, reverse=True))
    return re.compile(
        rf"\b(?i:my|our) (?:(?i:{ranks}) ){{0,2}}(?P<relation>(?i:{words}))(?![\w-])(?: (?P<name>{NAME}))?"
    )


class People(KnownPeople):
    """Those that the known facts tell of, and those that a message names."""

    def __init__(self, known: Sequence[Fact], speaker: str, spoken_of: Sequence[str]) -> None:
        super().__init__(known, speaker)
        self.recent = list(spoken_of)

    def mention(self, subject: str) -> None:
        """Notes who was spoken of, for a later "she"."""
        if subject != USER:
            self.recent = [*(one for one in self.recent if one != subject), subject][-4:]

    def by_pronoun(self, pronoun: str) -> str | None:
        """The one person that he or she can mean, if there is only one."""
        words, several = tables().words, pronoun in ("they", "their")
        wrong = words["male"] if pronoun in ("she", "her") else words["female"] if pronoun in ("he", "his") else ()
        able = [one for one in self.recent if self.kind_of(one) not in wrong and is_several(one) == several]
        return able[0] if len(able) == 1 else None

    def kind_of(self, subject: str) -> str:
        """The relation of a subject, as far as it is known."""
        return self.relation.get(subject) or relation_of(subject) or relation_of(subject.split()[0]) or ""

    def someone(self, words: str) -> str | None:
        """The person that the words of a subject mean: "my sister Anna", "Anna"."""
        if match := relative().fullmatch(words):
            word, name = match["relation"].lower(), match["name"] or ""
            if name and not is_name(name):
                return None
            return word if not name and is_several(word) else self.subject(relations()[word], name)
        return self.named(words) if words[:1].isupper() else None


def is_several(subject: str) -> bool:
    """Whether a subject is more than one: "parents", "kids"."""
    relation = relation_of(subject)
    return relation is not None and relation != subject and subject.endswith(("s", "children")) and subject != "boss"
