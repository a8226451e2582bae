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
from recollect.records import USER, Draft, Effect, Message, Source, Target

SURE, UNSURE = 0.95, 0.55


@dataclass(frozen=True)
class Told:
    """What was understood of a clause."""

    who: str
    attribute: str
    effect: Effect
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
        if told.effect == "ends" and said.is_for_a_while:
            return told  # it is so again afterwards
        many = True if len(told.values) > 1 or tables().patterns["also"].search(f"{said.around} {said.text}") else None
        effect, (since, until) = told.effect, window(told.effect, said.whens, self.message.at)
        if effect == "states" and since is not None and since > self.message.at and not said.is_for_a_while:
            effect = "plans"
        if effect == "states" and attribute(told.attribute).category == "identity":
            until = None  # whoever is 30 today is not 29 tomorrow
        if told.old and effect in ("states", "replaces"):
            effect = "replaces" if told.old in said.text else "corrects"
        confidence = SURE if told.row is None or told.row.sure else UNSURE
        more = {"since": since, "until": until, "many": many, "negated": told.negated, "confidence": confidence}
        for value in told.values:
            self.add(
                told.who,
                told.attribute,
                value,
                effect,
                said.clause,
                target=Target(told.old) if told.old else None,
                **more,
            )
        self.people.mention(told.who)
        return told

    def add(self, who: str, name: str, value: str, effect: Effect, clause: Clause, **more: Any) -> None:
        """A draft in words, unless it was told already; what follows a denial of the same stands in its place."""
        if name == "name" and (relation := relation_of(who)):
            who, name = USER, relation
            self.people.subject(relation, value)
        known = attribute(name or "note")
        name = known.name if name else ""
        for told in [one for one in self.drafts if (one.subject, one.attribute) == (who, name) and name]:
            if told.value == value and effect in (told.effect, "states"):
                return
            if told.effect == "ends" and effect in ("states", "replaces") and told.value != value:
                self.drafts.remove(told)
                effect, more["target"] = ("corrects" if told.negated else "replaces"), Target(told.value)
        words = sentence(who, name, value) if name and value else value or f"{name}: none"
        source = Source(self.message.id, self.message.content[clause.start : clause.end])
        category = known.category if name else "other"
        draft = Draft(who, name, value, words, self.message.at, effect, category, confidence=SURE, source=source)
        self.drafts.append(replace(draft, origin=self.message.origin, **more))
