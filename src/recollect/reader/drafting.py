"""The drafts of one message so far: dated, in words, and set against what the message denied before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from recollect.facts.attributes import attribute, sentence
from recollect.facts.people import relation_of
from recollect.reader.clauses import Clause
from recollect.reader.people import People
from recollect.reader.said import Said, window
from recollect.reader.tables import Row, tables
from recollect.records import USER, Draft, Kind, Message, Source

SURE, UNSURE = 0.95, 0.55


@dataclass(frozen=True)
class Told:
    """What was understood of a clause."""

    who: str
    attribute: str
    kind: Kind
    values: Sequence[str]
    row: Row | None = None
    old: str | None = None
    """The value that these take the place of."""
    negated: bool = False


class Drafting:
    """Makes drafts of what was understood."""

    def __init__(self, message: Message, people: People) -> None:
        self.message, self.people, self.drafts = message, people, list[Draft]()
        self.low = message.content == message.content.lower()
        """Whether the speaker writes no capitals."""

    def tell(self, said: Said, told: Told) -> Told:
        """One draft a value."""
        many = True if len(told.values) > 1 or tables().patterns["also"].search(f"{said.around} {said.text}") else None
        since, until = window(told.kind, said.whens, self.message.at)
        kind = told.kind
        if told.old and kind in ("state", "update"):
            kind = "update" if told.old in said.text else "correction"
        confidence = SURE if told.row is None or told.row.sure else UNSURE
        more = {"since": since, "until": until, "many": many, "negated": told.negated, "confidence": confidence}
        for value in told.values:
            self.add(told.who, told.attribute, value, kind, said.clause, instead_of=told.old, **more)
        self.people.mention(told.who)
        return told

    def add(self, who: str, name: str, value: str, kind: Kind, clause: Clause, **more: Any) -> None:
        """A draft in words, unless it was told already; what follows a denial of the same stands in its place."""
        if name == "name" and (relation := relation_of(who)):
            who, name = USER, relation
            self.people.subject(relation, value)
        known = attribute(name or "note")
        name = known.name if name else ""
        for told in [one for one in self.drafts if (one.subject, one.attribute) == (who, name) and name]:
            if told.value == value and kind in (told.kind, "state"):
                return
            if told.kind == "ending" and kind in ("state", "update") and told.value != value:
                self.drafts.remove(told)
                kind, more["instead_of"] = ("correction" if told.negated else "update"), told.value
        words = sentence(who, name, value) if name and value else value or f"{name}: none"
        source = Source(self.message.id, self.message.content[clause.start : clause.end])
        category = known.category if name else "other"
        draft = Draft(who, name, value, words, self.message.at, kind, category, confidence=SURE, source=source)
        self.drafts.append(replace(draft, origin=self.message.origin, **more))
