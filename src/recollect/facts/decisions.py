"""What decisions are made of: new facts, edits, confirmations, and reasons in the speaker's words. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from recollect.facts.timeline import OCCURRENCES, is_open
from recollect.facts.trust import TRUST, may_close
from recollect.records import USER, ChangeKind, Draft, Fact, Origin, Outcome, Source
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


def close(old: Fact, moment: datetime, by: Fact, draft: Draft, known: KnownFacts) -> list[Edit]:
    """Ends a fact where another begins; when that leaves it no time at all, it was never so."""
    if old.since is not None and old.since >= moment:
        why = f"leaves no time for “{old.text}”: {you_said(draft)}"
        return [Edit(old, replace(old, retired=known.now, replaced_by=by.id, why=why), "retired", why)]
    why = f"ended on {readable(moment)}: {you_said(draft)}"
    return [Edit(old, replace(old, until=moment, replaced_by=by.id, why=why), "ended", why)]


# What becomes of a fact that is said again: how sure it is, whose it is, when it begins

MOST_CONFIDENCE = 0.99


def fallen_through(draft: Draft, believed: Sequence[Fact], known: KnownFacts) -> Decision | None:
    """What a plan was to end goes on, where it is told as what is so and nobody said that the plan came true: "I still
    work at Acme", a month after one was to begin at Globex."""
    if draft.effect != "states":
        return None
    replaced = {fact.replaced_by: fact for fact in believed if fact.replaced_by and means(draft.value, fact)}
    for plan in reversed(believed) if replaced else ():
        former = replaced.get(plan.id)
        if former is None or former.until != plan.since or not plan.planned or not may_close(draft.origin, plan):
            continue
        if plan.since is None or plan.since > draft.said or plan.until is not None:
            continue
        gone = replace(plan, retired=known.now, why=f"did not come so: {you_said(draft)}")
        why = f"goes on, “{plan.text}” did not come so: {you_said(draft)}"
        after = replace(former, until=None, replaced_by=None, confirmations=former.confirmations + 1, why=why)
        after = replace(after, sources=with_source(former, draft))
        edits = (Edit(former, after, "edited", why), Edit(plan, gone, "retired", gone.why))
        return Decision(draft, "confirmed", why, after, edits)
    return None


def begins_anew(draft: Draft, fact: Fact) -> datetime | None:
    """When a fact begins by what was said of it once more, where that is another time than we knew."""
    if not may_close(draft.origin, fact):
        return None  # What is less trusted may agree with a fact, not move it in time.
    if draft.since is not None and draft.until is not None:
        return None  # It was told of a while, which a fact may well be longer than.
    if draft.since is not None and draft.effect != "past" and (fact.since is None or draft.since < fact.since):
        return draft.since
    to_come = fact.since is not None and fact.since > draft.said
    if draft.effect == "plans" and to_come:
        return draft.since  # It is put off.
    return draft.said if draft.effect in ("states", "replaces") and to_come else None  # A plan has come true early.


def with_source(fact: Fact, draft: Draft) -> tuple[Source, ...]:
    """The words that a fact rests on, with those that confirm it; the first and the latest six where there are many."""
    if draft.source is None or any(source.message == draft.source.message for source in fact.sources):
        return fact.sources
    return (*fact.sources[:1], *fact.sources[1:][-6:], draft.source)


def surer(fact: Fact, draft: Draft) -> float:
    """How sure it is after it was said again: surer only by those whose word counts, since a text can be repeated
    without end, and an assistant repeats what it was told."""
    if TRUST[draft.origin] < TRUST["user"]:
        return fact.confidence
    return round(min(MOST_CONFIDENCE, 1 - (1 - fact.confidence) * (1 - draft.confidence / 2)), 4)


def raised(fact: Fact, draft: Draft) -> Origin:
    """Whose fact it is from now on: what the user says too is the user's."""
    trusted = TRUST[draft.origin] >= TRUST["user"] > TRUST[fact.origin]
    return draft.origin if trusted and fact.disputes is None else fact.origin


def confirm(draft: Draft, fact: Fact, believed: Sequence[Fact], known: KnownFacts) -> Decision:
    """One more confirmation and no new row; a dispute may be settled by it, a beginning become known."""
    edits: list[Edit] = []
    after = replace(
        fact,
        confirmations=fact.confirmations + (draft.effect != "plans"),  # A plan told again has not come true.
        confidence=surer(fact, draft),
        sources=with_source(fact, draft),
        origin=raised(fact, draft),
        doubted_by=fact.doubted_by if TRUST[draft.origin] < TRUST["user"] else None,
    )
    begins = begins_anew(draft, fact)
    over = held_between(begins, fact, believed) if begins else []
    if begins and all(may_close(draft.origin, old) and old.said <= draft.said for old in over):
        after = replace(after, since=begins)
        edits += begun_at(begins, fact, over, believed, draft, known)
    rival = known.facts.get(fact.disputes or "")
    if rival is not None and draft.many:  # "also": both hold.
        after = replace(after, disputes=None)
    elif rival is not None and may_close(draft.origin, rival):
        after = replace(after, disputes=None, origin=draft.origin, replaces=rival.id)
        edits += close(rival, draft.since or draft.said, after, draft, known)
    why = f"already known: {you_said(draft)}"
    return Decision(draft, "confirmed", why, after, (Edit(fact, after, "confirmed", why), *edits))


def held_between(begins: datetime, fact: Fact, believed: Sequence[Fact]) -> list[Fact]:
    """What held from that moment on until the fact began, where it turns out to have begun so early."""
    if fact.since is None or begins >= fact.since:
        return []
    others = [old for old in believed if old.id != fact.id and old.disputes is None and is_open(old, begins)]
    return [old for old in others if old.since is None or old.since < fact.since]


def begun_at(
    begins: datetime, fact: Fact, over: Sequence[Fact], believed: Sequence[Fact], draft: Draft, known: KnownFacts
) -> list[Edit]:
    """Where a fact begins at another time than we knew, what held before it ends earlier, or goes on until then."""
    if over:
        return [edit for old in over for edit in close(old, begins, fact, draft, known)]
    before = [old for old in believed if old.until == fact.since and old.until is not None and old.id != fact.id]
    why = f"goes on: {you_said(draft)}"
    return [Edit(old, replace(old, until=begins), "edited", why) for old in before if (old.since or begins) <= begins]
