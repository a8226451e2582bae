"""What a search gives: records from where one looks, with the words and the ends that a reader must know of."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from recollect.facts.timeline import holds
from recollect.facts.trust import is_foreign
from recollect.records import Fact, Hit, Message
from recollect.retrieve import rank
from recollect.retrieve.coverage import stands_for
from recollect.retrieve.rank import Candidate
from recollect.runtime import Parts
from recollect.store import Query, facts_from


@dataclass(frozen=True, slots=True)
class View:
    """From where a search looks: whose memory, at which moment, and as believed when."""

    owner: str
    moment: datetime
    at: datetime | None = None
    known_at: datetime | None = None


def heard(message: Message, view: View) -> bool:
    """Whether the message had been said, and kept, by the moment that is asked for."""
    kept = view.known_at is None or (message.learned or message.at) <= view.known_at
    return kept and (view.at is None or message.at <= view.at)


def latest_ended(facts: Iterable[Fact], message: str, moment: datetime) -> Fact | None:
    """Of the facts that a message states, the one that others ended or put right last; not one whose end the message
    tells itself ("I used to live in Rome")."""
    over = [fact for fact in facts if fact.retired or (ended_by(fact, moment) and not tells_end(fact, message))]
    return max(over, key=lambda fact: fact.retired or fact.until or fact.said, default=None)


def ended_by(fact: Fact, moment: datetime) -> bool:
    return fact.until is not None and fact.until <= moment


def tells_end(fact: Fact, message: str) -> bool:
    """Whether it was told in this message that the fact is over, and not later."""
    return any(source.message == message and source.quote in fact.why for source in fact.sources)


def as_hit(candidate: Candidate, parts: Parts) -> Hit:
    record = candidate.record
    dispute = None
    if isinstance(record, Fact) and record.disputes:
        dispute = next(iter(parts.store.read(record.owner, Fact, Query(ids=[record.disputes]))), None)
    over, words = candidate.ended or candidate.outdated, None
    if candidate.half_read and candidate.told_by and isinstance(candidate.told_by.record, Message):
        words, over = candidate.told_by.record, candidate.told_by.ended or candidate.told_by.outdated
    return Hit(record, round(rank.score(candidate), 4), rank.reasons(candidate), over, dispute, words)


def with_words(parts: Parts, views: Sequence[View], hits: Sequence[Hit], shown: Collection[str]) -> list[Hit]:
    """The hits, with the words of messages that no signal found by themselves where a fact says less than they do."""
    return [hit if hit.message else with_source(parts, views, hit, {*shown, *shown_in(hits)}) for hit in hits]


def shown_in(hits: Iterable[Hit]) -> set[str]:
    """The ids of the messages whose words are in these hits."""
    return {one.id for hit in hits if isinstance(one := hit.message or hit.record, Message)}


def with_source(parts: Parts, views: Sequence[View], hit: Hit, shown: Collection[str]) -> Hit:
    """A hit of a fact with the newest message that says more than it does, where none of its messages is shown."""
    ids = [source for source in rank.sources_of(hit.record) if source not in shown]
    if not isinstance(hit.record, Fact) or len(ids) < len(rank.sources_of(hit.record)) or not ids:
        return hit
    view = next(view for view in views if view.owner == hit.record.owner)
    told = facts_from(parts.store, view.owner, ids)
    for message in sorted(parts.store.read(view.owner, Message, Query(ids=ids)), key=lambda one: one.at, reverse=True):
        facts = told.get(message.id, [])
        own = is_foreign(hit.record.origin) or not is_foreign(message.origin)
        if (
            own
            and heard(message, view)
            and not stands_for(hit.record, message, [one for one in facts if holds(one, view.moment)])
        ):
            return replace(hit, message=message, ended=latest_ended(facts, message.id, view.moment))
    return hit
