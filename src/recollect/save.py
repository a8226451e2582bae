"""What was decided, saved: facts with their changes and vectors, a receipt for each draft."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Literal

from recollect.clock import Clock
from recollect.facts.attributes import attribute
from recollect.facts.decisions import Decision, Edit, no_similarity
from recollect.facts.reconcile import OPPOSITES, reconcile
from recollect.facts.timeline import holds, passes
from recollect.facts.trust import refusal
from recollect.pinned import with_room
from recollect.records import Change, ChangeKind, Draft, Fact, Message, Note, Origin, Receipt
from recollect.runtime import Embedded, Runtime
from recollect.serialize import to_plain
from recollect.store import Query
from recollect.text.words import query_terms

RECENT, NEAR, WORDED, MOST_SAID = 32, 8, 8, 8
"""So many facts are looked at that were kept last, so many before and after a moment, and so many that have the words
of what is named by them, or one of its first words: what that costs does not grow with how much else is known."""


def save_drafts(
    runtime: Runtime, owner: str, drafts: Sequence[Draft], embedded: Embedded | None = None
) -> list[Receipt]:
    """Reconcile drafts with what is known and save what follows. Call it inside a transaction. `embedded`: the texts
    of the drafts, where an embedder has read them."""
    if not drafts:
        return []
    now, refused = runtime.tick(owner), [refusal(draft) for draft in drafts]
    for place, draft in enumerate(drafts):
        # Some tell a secret only together with the question before them: "hunter2".
        if not refused[place] and draft.source and runtime.redactor.text(draft.text)[1]:
            refused[place] = "it is a secret"
    admitted = [draft for draft, why in zip(drafts, refused, strict=True) if not why]
    admitted = with_room(runtime.store, owner, admitted, now)
    known, near = facts_touched(runtime, owner, admitted), similarity(runtime, owner, drafts, embedded)
    new_id = partial(runtime.clock.new_id, "f")
    decisions = reconcile(admitted, known, owner=owner, now=now, new_id=new_id, similarity=near)
    made = iter(save_decisions(runtime, owner, decisions, now))
    return [Receipt(draft, "refused", why) if why else next(made) for draft, why in zip(drafts, refused, strict=True)]


def similarity(
    runtime: Runtime, owner: str, drafts: Sequence[Draft], embedded: Embedded | None
) -> Callable[[Draft, Fact], float]:
    """How near a draft and a known fact are in meaning; asked only where the words are no evidence."""
    if embedded is None or runtime.embedder is None:
        return no_similarity
    model, places = runtime.embedder.name, {draft.text: place for place, draft in enumerate(drafts)}

    def cosine(draft: Draft, fact: Fact) -> float:
        place, kept = places.get(draft.text), runtime.store.vectors(owner, model, [fact.id])
        if place is None or fact.id not in kept:
            return 0.0
        one, other = embedded.vectors[place], kept[fact.id]
        length = float(one @ one) * float(other @ other)
        return max(0.0, float(one @ other) / float(length**0.5)) if length else 0.0

    return cosine


def facts_touched(runtime: Runtime, owner: str, drafts: Sequence[Draft]) -> list[Fact]:
    """The facts that these drafts can touch: same subjects, same attributes or their opposites; of an attribute that
    holds many values only those that are named, however many there are; and the old values that they name."""
    found = {fact.id: fact for draft in drafts for fact in facts_touched_by(runtime, owner, draft)}
    linked = {one for fact in found.values() for one in (fact.replaces, fact.disputes) if one} - set(found)
    return [*found.values(), *(runtime.store.read(owner, Fact, Query(ids=sorted(linked))) if linked else [])]


def facts_touched_by(runtime: Runtime, owner: str, draft: Draft) -> list[Fact]:
    """The facts that a draft can touch."""
    found = facts_of_value(runtime, owner, draft, draft.old_value) if draft.old_value else []
    if draft.effect == "ends" and draft.value:
        found += facts_of_value(runtime, owner, draft, draft.value)
    names = {attribute(draft.attribute).name} if draft.attribute else {fact.attribute for fact in found[:RECENT]}
    return found + [fact for name in sorted(names) for fact in facts_of_attribute(runtime, owner, draft, name)]


def facts_of_value(runtime: Runtime, owner: str, draft: Draft, value: str) -> list[Fact]:
    """The facts of a draft's subject that have this value, or its words, under whatever attribute."""
    exact = runtime.store.read(owner, Fact, Query(subjects=[draft.subject], values=[value]))
    return exact or [fact for fact in facts_with_words(runtime, owner, value) if fact.subject == draft.subject]


def facts_of_attribute(runtime: Runtime, owner: str, draft: Draft, name: str) -> list[Fact]:
    """The facts of a draft's subject under an attribute or its opposite, which the draft may name by their values.
    Where they are many: of a list the last ones and those that have the draft's words; of one value after the other,
    the last ones and their neighbours in time, whenever those were told."""
    names = [name, OPPOSITES[name]] if name in OPPOSITES else [name]
    query = Query(subjects=[draft.subject], attributes=names)
    if touches_named_values(draft, name):
        values = [draft.value, *([draft.old_value] if draft.old_value else [])]
        return runtime.store.read(owner, Fact, replace(query, values=values))
    last = runtime.store.read(owner, Fact, replace(query, last=RECENT))
    if len(last) < RECENT:
        return last
    if any(attribute(name).holds == "many" for name in names):
        return last + facts_with_words(runtime, owner, f"{draft.value} {draft.old_value or ''}")
    moments = {moment for moment in (draft.said, draft.since, draft.until) if moment}
    return last + [
        fact for name in names for moment in moments for fact in facts_around(runtime, owner, draft, name, moment)
    ]


def facts_around(runtime: Runtime, owner: str, draft: Draft, name: str, moment: datetime) -> list[Fact]:
    """The facts of a draft's subject under one attribute that hold, end or begin next to that moment."""
    query = Query(subjects=[draft.subject], attributes=[name])
    near = runtime.store.read(owner, Fact, replace(query, around=moment, last=NEAR))
    before = [fact for fact in near if (fact.since or fact.said) <= moment]
    if len(before) < NEAR or any(holds(fact, moment) and not passes(fact) for fact in before):
        return near
    return near + runtime.store.read(owner, Fact, replace(query, holding=moment))


def facts_with_words(runtime: Runtime, owner: str, said: str) -> list[Fact]:
    """The facts that have most of these words, whatever they are filed under."""
    words = list(dict.fromkeys(query_terms(said)))[:MOST_SAID]
    sets = [words, *([word] for word in words if len(words) > 1)]
    return [fact for some in sets for fact in runtime.store.read(owner, Fact, Query(words=some, last=WORDED))]


def touches_named_values(draft: Draft, name: str) -> bool:
    """Whether a draft can only touch facts of that attribute with a value that it names."""
    known = attribute(name)
    guessed = draft.many is None and not known.known  # What holds decides whether it stands beside it.
    return known.holds == "many" and draft.many is not False and not guessed and bool(draft.value)


def save_decisions(runtime: Runtime, owner: str, decisions: Sequence[Decision], now: datetime) -> list[Receipt]:
    """Write the edits of all decisions at once; the changes of each are a group."""
    logged = save_edits(runtime, owner, [(one.edits, one.draft.origin) for one in decisions], now=now)
    receipts = []
    for one, changes in zip(decisions, logged, strict=True):
        affected = tuple(edit.after for edit in one.edits if one.fact is None or edit.after.id != one.fact.id)
        receipts.append(Receipt(one.draft, one.outcome, one.why, one.fact, affected, changes))
    return receipts


def save_edits(
    runtime: Runtime,
    owner: str,
    made: Iterable[tuple[Sequence[Edit], Origin]],
    *,
    now: datetime,
    group: str | None = None,
) -> list[tuple[Change, ...]]:
    """Keep each fact as the last of its edits leaves it; gives the changes, those of edits made together in a group."""
    facts, logged = dict[str, Fact](), list[tuple[Change, ...]]()
    for edits, origin in made:
        name = group or runtime.clock.new_id("g")
        logged.append(tuple(log_entry(runtime.clock, owner, edit, now, origin, name) for edit in edits))
        facts |= {edit.after.id: edit.after for edit in edits}
    if facts:
        runtime.store.save(owner, list(facts.values()))
        runtime.store.save(owner, [change for changes in logged for change in changes])
    return logged


Mutation = tuple[Fact | Note | None, Fact | Note, ChangeKind, str]
"""A fact or a note before (None: it is new) and after, how it changed and why, as an Edit has it."""


def log_entry(clock: Clock, owner: str, step: Mutation, now: datetime, origin: Origin, group: str) -> Change:
    """What the log says of one record that is changed."""
    before, after, kind, why = step
    record: Literal["fact", "note"] = "fact" if isinstance(after, Fact) else "note"
    was, made = None if before is None else to_plain(before), to_plain(after)
    return Change(clock.new_id("c"), owner, kind, record, after.id, now, origin, why, group, was, made)


def save_vectors(
    runtime: Runtime, owner: str, made: Sequence[Message | Receipt], texts: Sequence[str], embedded: Embedded | None
) -> None:
    """Keep the vectors of messages and of facts that are new, made of these texts before the transaction; where adds
    are made together, take note of the texts instead."""
    named = [one.id if isinstance(one, Message) else new_fact_of(one) for one in made]
    places = {one: place for place, one in enumerate(named) if one is not None}
    if runtime.gathered.records is not None:
        runtime.gathered.records += [(owner, one, texts[place]) for one, place in places.items()]
    elif places and embedded is not None:
        runtime.save_embedded(owner, list(places), embedded.at(list(places.values())))


def new_fact_of(receipt: Receipt) -> str | None:
    """The id of the fact that this receipt's draft became, unless there was one already."""
    fact = receipt.fact.id if receipt.fact else None
    return fact if any(change.before is None and change.record_id == fact for change in receipt.changes) else None
