"""What a clause takes from those before it in its sentence: the time ahead, and of whom they speak."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from recollect.extractors.dates import Dated
from recollect.extractors.languages.spoken import Read, Stated
from recollect.extractors.languages.table import Language
from recollect.extractors.languages.times import dated


@dataclass
class Carried:
    """Of one sentence, as its clauses are read."""

    said: datetime
    table: Language
    coming: Dated | None = None
    """The time ahead of which it speaks, until it names another: "from July on I am no intern, I will be …"."""
    of_another: bool = False
    """It speaks of someone whom we do not know, so that a clause without a subject is not the speaker's."""

    def hear(self, clause: str) -> None:
        when = dated(clause, self.said, self.table.code)
        if when.found and when.ahead:
            self.coming = when

    def miss(self, clause: str) -> None:
        """Notes a clause that could not be read; without a verb's ending nothing else tells whose the next one is."""
        speaks = dated(clause, self.said, self.table.code).text != ""
        self.of_another = self.of_another or (not self.table.space and speaks and not self.is_own(clause))

    def is_own(self, clause: str) -> bool:
        """Whether a clause names the speaker."""
        return self.table.marks["own"].search(clause) is not None

    def is_of_another(self, clause: str, who: str) -> bool:
        """Whether a clause goes on about someone whom we do not know."""
        return self.of_another and not who and not self.is_own(clause)

    def placed(self, item: Stated, clause: str, read: Read) -> tuple[Stated, Dated]:
        """A statement and its time; a verb without tense is of the time ahead that was named before it."""
        if read.when.found:
            return item, read.when
        tensed = self.table.marks.get("tensed")
        if self.coming and item.kind == "update" and tensed and not tensed.search(clause):
            item = replace(item, kind="plan")
        return item, self.coming if self.coming and item.kind in ("plan", "ending") else Dated(clause)
