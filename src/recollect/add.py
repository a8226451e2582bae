"""The way in: what was said is kept first, then facts are derived, reconciled and saved, each with a receipt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from recollect.attributes import attribute
from recollect.decisions import Decision, Edit
from recollect.errors import InvalidInput
from recollect.guard import refusal, screen, screen_all, without_recalled
from recollect.parts import STEP, Embedded, Parts
from recollect.plain import to_plain
from recollect.reconcile import OPPOSITES, reconcile
from recollect.records import Added, Change, Draft, Fact, Message, Origin, Receipt
from recollect.stores import IdTaken, text_of

AT_HAND = timedelta(days=1)
"""For how long a task is at hand that was asked for."""


def add(parts: Parts, owner: str, messages: Sequence[Message]) -> Added:
    """Keep the messages, then what follows from them. What this returns is durable."""
    clean, redactions = screened(messages)
    if parts.extractor is None or getattr(parts.extractor, "instant", False):
        with parts.store.transaction(owner):  # nothing is waited for, so that one commit does for all
            kept, repeated = keep(parts, owner, clean)
            added = settle(parts, owner, kept)
    else:
        kept, repeated = keep(parts, owner, clean)
        added = settle(parts, owner, kept)
    held = {message.id: message for message in (*added.messages, *repeated)}
    return replace(added, messages=tuple(held[message.id] for message in clean), redactions=redactions)


def screened(messages: Sequence[Message]) -> tuple[list[Message], tuple[str, ...]]:
    """The messages without secrets, and the kinds of secrets that were taken out."""
    clean, redactions = list[Message](), list[str]()
    for message in messages:
        content, found = screen(message.content)
        raw, found_in_raw = screen_all(message.raw) if message.raw is not None else (None, [])
        redactions += found or found_in_raw
        clean.append(replace(message, content=content, raw=raw))
    return clean, tuple(redactions)


def keep(parts: Parts, owner: str, messages: Sequence[Message]) -> tuple[list[Message], list[Message]]:
    """Commit the words as said, before anything else is tried: what is new, and what was kept before. A message sent
    again under its id is not kept twice; another text under that id is refused."""
    with parts.store.transaction(owner):
        tick = parts.tick(owner)
        try:
            return save_new(parts, owner, messages, tick), []
        except IdTaken:  # seldom: most callers leave the ids to us
            repeated = held_already(parts, owner, messages)
        known = {message.id for message in repeated}
        return save_new(parts, owner, [message for message in messages if message.id not in known], tick), repeated


def save_new(parts: Parts, owner: str, messages: Sequence[Message], tick: datetime) -> list[Message]:
    """Keep messages that must be new, learned at that moment, one after the other."""
    kept = [replace(message, learned=tick + place * STEP) for place, message in enumerate(messages)]
    if kept:
        parts.store.save_messages(owner, kept)
    return kept


def held_already(parts: Parts, owner: str, messages: Sequence[Message]) -> list[Message]:
    """Those that were kept before, under the same id and with the same words."""
    before = {one.id: one for one in parts.store.messages(owner, ids=[message.id for message in messages])}
    for message in messages:
        if message.id in before and before[message.id].content != message.content:
            raise InvalidInput(f"message id {message.id!r} is taken by another text; give each message its own id")
    return list(before.values())


def settle(parts: Parts, owner: str, messages: Sequence[Message]) -> Added:
    """Derive facts from kept messages and save them with all vectors, in one transaction. An extractor that fails
    leaves the messages to `catch_up`; nothing that was said is lost."""
    drafts = extract(parts, owner, messages)
    done = drafts is not None
    drafts = drafts or []
    vectors = parts.embed([*(text_of(message) for message in messages), *(draft.text for draft in drafts)])
    with parts.store.transaction(owner):
        receipts = save_drafts(parts, owner, drafts)
        save_vectors(parts, owner, messages, receipts, vectors)
        if done:
            parts.store.settle(owner, [message.id for message in messages])
    return Added(tuple(messages), tuple(receipts), warnings=warnings(parts, messages))


def warnings(parts: Parts, messages: Sequence[Message]) -> tuple[str, ...]:
    """Degraded modes, and what the extractor has to say about what it could not read."""
    notices = getattr(parts.extractor, "notices", None)
    failed = [f"{part} failed: {problem}" for part, problem in parts.problems.items()]
    return (*failed, *(notices(messages) if notices else ()))


def extract(parts: Parts, owner: str, messages: Sequence[Message]) -> list[Draft] | None:
    """What the extractor finds, origins set by us; None when it failed."""
    if parts.extractor is None or not messages:
        return []
    readable = [replace(message, content=without_recalled(message.content)) for message in messages]
    try:
        drafts = parts.extractor.extract(readable, named_subjects(parts, owner))
    except Exception as error:  # A third party's code may raise anything; the words are already safe.
        parts.problems["extractor"] = f"{type(error).__name__}: {error}"
        return None
    parts.problems.pop("extractor", None)
    said = {message.id: message for message in messages}
    return [stamped(draft, said, messages[-1]) for draft in drafts]


def stamped(draft: Draft, said: dict[str, Message], last: Message) -> Draft:
    """The draft with the origin and the time of the message it comes from, whatever the extractor claims."""
    message = said.get(draft.source.message, last) if draft.source else last
    return replace(draft, origin=message.origin, said=message.at)


def named_subjects(parts: Parts, owner: str) -> list[Fact]:
    """People, pets and other named subjects, so that an extractor can tell who "Anna" is, and the task that was asked
    for last, so that it can tell what "make it Friday" changes."""
    now = parts.present(owner)
    with parts.store.reading():
        task = parts.store.facts(owner, category="request", holding=now, last=16)
        names = parts.store.facts(owner, named=True, holding=now)
    return [*names, *(fact for fact in task if fact.said > now - AT_HAND)]


def save_drafts(parts: Parts, owner: str, drafts: Sequence[Draft]) -> list[Receipt]:
    """Reconcile drafts with what is known and save what follows. Call it inside a transaction."""
    refused = {place: why for place, draft in enumerate(drafts) if (why := refusal(draft))}
    admitted = [draft for place, draft in enumerate(drafts) if place not in refused]
    now = parts.tick(owner)
    decisions = reconcile(
        admitted, known_to(parts, owner, admitted), owner=owner, now=now, new_id=lambda: parts.clock.new_id("f")
    )
    receipts = iter([save_decision(parts, owner, decision, now) for decision in decisions])
    return [
        Receipt(draft, "refused", refused[place]) if place in refused else next(receipts)
        for place, draft in enumerate(drafts)
    ]


def known_to(parts: Parts, owner: str, drafts: Sequence[Draft]) -> list[Fact]:
    """The facts that these drafts can touch: same subjects, same attributes or their opposites; of an attribute that
    holds many values only those that are named, however many there are."""
    if any(not draft.attribute for draft in drafts):
        return parts.store.facts(owner)
    found: dict[str, Fact] = {}
    for draft in drafts:
        name = attribute(draft.attribute).name
        names = [name, OPPOSITES[name]] if name in OPPOSITES else [name]
        values = [draft.value, *([draft.instead_of] if draft.instead_of else [])] if named_only(draft) else None
        facts = parts.store.facts(owner, subjects=[draft.subject], attributes=names, values=values)
        found.update({fact.id: fact for fact in facts})
    linked = {one for fact in found.values() for one in (fact.replaces, fact.disputes) if one} - set(found)
    return [*found.values(), *(parts.store.facts(owner, ids=sorted(linked)) if linked else [])]


def named_only(draft: Draft) -> bool:
    """Whether a draft can only touch facts with a value that it names."""
    unnamed = draft.kind in ("correction", "ending", "past") or not draft.value
    return attribute(draft.attribute).holds == "many" and draft.many is not False and not unnamed


def save_decision(parts: Parts, owner: str, decision: Decision, now: datetime) -> Receipt:
    """Write one decision's edits and their changes; gives the draft's receipt."""
    changes = save_edits(parts, owner, decision.edits, now=now, origin=decision.draft.origin)
    affected = tuple(
        edit.after for edit in decision.edits if decision.fact is None or edit.after.id != decision.fact.id
    )
    return Receipt(decision.draft, decision.outcome, decision.why, decision.fact, affected, changes)


def save_edits(
    parts: Parts,
    owner: str,
    edits: Sequence[Edit],
    *,
    now: datetime,
    origin: Origin,
    group: str | None = None,
) -> tuple[Change, ...]:
    """Write edits of facts together with one change each, all in one group."""
    group = group or parts.clock.new_id("g")
    changes = tuple(
        Change(
            id=parts.clock.new_id("c"),
            owner=owner,
            kind=edit.kind,
            record="fact",
            record_id=edit.after.id,
            at=now,
            origin=origin,
            why=edit.why,
            group=group,
            before=to_plain(edit.before) if edit.before else None,
            after=to_plain(edit.after),
        )
        for edit in edits
    )
    if edits:
        parts.store.save_facts(owner, [edit.after for edit in edits])
        parts.store.save_changes(owner, changes)
    return changes


def save_vectors(
    parts: Parts,
    owner: str,
    messages: Sequence[Message],
    receipts: Sequence[Receipt],
    embedded: Embedded | None,
) -> None:
    """Keep the vectors of the messages and of the facts that are new. They were made before the transaction, from the
    texts of the messages and then of the drafts."""
    places = {message.id: place for place, message in enumerate(messages)}
    places |= {fact: place for place, receipt in enumerate(receipts, len(messages)) if (fact := new_fact_of(receipt))}
    if places and embedded is not None:
        parts.save_embedded(owner, list(places), embedded.at(list(places.values())))


def new_fact_of(receipt: Receipt) -> str | None:
    """The id of the fact that this receipt's draft became, unless there was one already."""
    fact = receipt.fact.id if receipt.fact else None
    return fact if any(change.before is None and change.record_id == fact for change in receipt.changes) else None
