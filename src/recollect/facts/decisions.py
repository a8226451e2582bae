"""What a decision about a draft is made of: edits of facts, new facts, and the reason in the speaker's words. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from recollect.facts.timeline import OCCURRENCES
from recollect.records import USER, ChangeKind, Draft, Fact, Outcome
from recollect.text.dates import readable
from recollect.text.values import same_value


class Edit(NamedTuple):
    """One fact before (None: it is new) and after."""

    before: Fact | None
    after: Fact
    kind: ChangeKind
    why: str


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of one draft, with the edits that carry it out."""

    draft: Draft
    outcome: Outcome
    why: str
    fact: Fact | None = None
    edits: tuple[Edit, ...] = ()


def no_similarity(_draft: Draft, _fact: Fact) -> float:
    """Where no embedder tells how near two texts are."""
    return 0.0


@dataclass
class KnownFacts:
    """The facts that drafts may touch, as the decisions so far leave them, and what a new fact needs."""

    owner: str
    now: datetime
    new_id: Callable[[], str]
    facts: dict[str, Fact] = field(default_factory=dict)
    similarity: Callable[[Draft, Fact], float] = no_similarity
    """How near a draft and a fact are in meaning, from 0 to 1, as far as an embedder tells."""

    def about(self, subject: str, name: str) -> list[Fact]:
        """Believed facts of that subject and attribute, in the order they were said."""
        found = [
            fact
            for fact in self.facts.values()
            if fact.retired is None and fact.attribute == name and fact.subject.casefold() == subject.casefold()
        ]
        return sorted(found, key=lambda fact: (fact.said, fact.id))

    def apply(self, edits: Iterable[Edit]) -> None:
        for edit in edits:
            self.facts[edit.after.id] = edit.after


def means(value: str | None, fact: Fact) -> bool:
    return value is not None and same_value(value, fact.value)


def stored(draft: Draft, fact: Fact, edits: Sequence[Edit]) -> Decision:
    plan, why = is_plan(draft), fact.why
    return Decision(draft, "planned" if plan else "stored", why, fact, (Edit(None, fact, "stored", why), *edits))


def is_plan(draft: Draft) -> bool:
    return draft.since is not None and draft.since > draft.said


def replaced(draft: Draft, fact: Fact, edits: Sequence[Edit], old: Fact) -> Decision:
    begins = fact.since or draft.said
    plan = begins > draft.said
    verb = "will end" if plan else "ended"
    why = f"{verb} “{old.text}” on {readable(begins)}: {you_said(draft)}"
    fact = replace(fact, why=why)
    return Decision(draft, "planned" if plan else "replaced", why, fact, (Edit(None, fact, "stored", why), *edits))


def new_fact(draft: Draft, known: KnownFacts, *, since: datetime | None, until: datetime | None = None) -> Fact:
    """The fact that a draft becomes when it is simply stored."""
    if since is not None and until is not None and until < since:
        since = None
    occurrence = draft.category in OCCURRENCES
    if occurrence and since is not None and since > draft.said:
        since = None  # It is already true that it is planned; its date stands in the text.
    return Fact(
        id=known.new_id(),
        owner=known.owner,
        subject=draft.subject,
        attribute=draft.attribute,
        value=draft.value,
        text=dated(draft) if occurrence else draft.text,
        category=draft.category,
        said=draft.said,
        learned=known.now,
        since=since,
        until=until or (None if occurrence or draft.effect == "past" else draft.until),
        origin=draft.origin,
        confidence=draft.confidence,
        sources=(draft.source,) if draft.source else (),
        pinned=draft.pinned,
        why=f"holds from {readable(draft.since)}: {you_said(draft)}"
        if draft.since and is_plan(draft)
        else you_said(draft),
    )


def dated(draft: Draft) -> str:
    """The text with its date, since "tomorrow" means nothing to a later reader."""
    date = about_when(draft)
    return (
        draft.text
        if date in draft.text or str(draft.since and draft.since.year) in draft.text
        else f"{draft.text} ({date})"
    )


def about_when(draft: Draft) -> str:
    """The day, or the week, month or year in words no more exact than what was said."""
    if draft.since is None:
        return ""
    days = (draft.until - draft.since).days if draft.until else 1
    if days <= 1:
        return readable(draft.since)
    if days <= 10:
        return f"around {readable(draft.since + timedelta(days=days // 2))}"
    return f"{draft.since:%B %Y}" if days <= 31 else f"{draft.since:%Y}"


def you_said(draft: Draft) -> str:
    """The reason in the speaker's own words."""
    words = draft.source.quote if draft.source else draft.text
    who = draft.speaker or ("you" if draft.origin == "user" else f"the {draft.origin}")
    return f"{who} said “{words}” on {readable(draft.said)}"


def closed_to(draft: Draft, fact: Fact) -> str:
    whose = "you" if draft.subject == USER and fact.origin == "user" else f"the {fact.origin}"
    return f"contradicts “{fact.text}”, which {whose} said and the {draft.origin} cannot change"


def dispute(draft: Draft, rival: Fact, known: KnownFacts) -> Decision:
    """Keeps both: what is less trusted may contradict, never close."""
    fact = new_fact(draft, known, since=draft.since)
    why = closed_to(draft, rival)
    fact = replace(fact, disputes=rival.id, confidence=min(fact.confidence, 0.5), why=why)
    return Decision(draft, "disputed", why, fact, (Edit(None, fact, "disputed", why),))
