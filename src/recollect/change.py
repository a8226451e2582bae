"""Changes to what is known, each logged and each able to be taken back: forget, correct, pin, undo."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from recollect.errors import InvalidInput, NotAllowed, NotFound
from recollect.facts.attributes import sentence
from recollect.facts.decisions import Edit
from recollect.facts.timeline import is_open
from recollect.facts.trust import may_close
from recollect.pinned import refuse_large_core
from recollect.read import check_subject, named_facts
from recollect.records import USER, Change, ChangeKind, Draft, Fact, Note, Origin, Target
from recollect.remember import Remembered, remember
from recollect.runtime import Runtime
from recollect.save import log_entry, save_drafts, save_edits, save_vectors
from recollect.serialize import from_plain
from recollect.store import Query
from recollect.store.retry import retried
from recollect.text.dates import readable


def one_fact(runtime: Runtime, owner: str, what: object, subject: str) -> Fact:
    """The one fact meant; several under a key must be told apart by id."""
    found = named_facts(runtime, owner, what, subject)
    undisputed = [fact for fact in found if fact.disputes is None] or found
    if len(undisputed) > 1:
        values = ", ".join(f"{fact.value!r} ({fact.id})" for fact in undisputed[:5])
        raise InvalidInput(f"{what!r} holds {len(undisputed)} values: {values}; name one by its id")
    return undisputed[0]


def remember_it(runtime: Runtime, owner: str, told: Remembered, *, pinned: bool) -> Fact:
    """The fact that what was told became, the first about the user, in core if it is to be pinned: both or nothing."""
    with runtime.store.transaction(owner):
        receipts = remember(runtime, owner, told._replace(subject=check_subject(told.subject)))
        facts = [receipt.fact for receipt in receipts if receipt.fact]
        fact = next((fact for fact in facts if fact.subject == USER), facts[0])
        if not pinned:
            return fact
        group = next((change.group for receipt in receipts for change in receipt.changes), None)
        return pin(runtime, owner, fact, subject=told.subject, pinned=True, origin=told.origin, group=group)


@retried
def forget(
    runtime: Runtime, owner: str, what: object, *, subject: str, at: datetime | None, why: str, origin: Origin
) -> list[Change]:
    """End what is meant; it stays in the history and can be brought back by `undo`."""
    with runtime.store.transaction(owner):
        now = runtime.tick(owner)
        moment = at or now
        reason = why or f"forgotten on {readable(moment)}"
        open_facts = [fact for fact in named_facts(runtime, owner, what, subject) if is_open(fact, moment)]
        if guarded := [fact for fact in open_facts if not may_close(origin, fact)]:
            raise NotAllowed(f"the {guarded[0].origin} said “{guarded[0].text}”: the {origin} cannot end it")
        edits = [end_fact(fact, moment, reason, now) for fact in open_facts]
        return list(*save_edits(runtime, owner, [(edits, origin)], now=now))


def end_fact(fact: Fact, moment: datetime, why: str, now: datetime) -> Edit:
    """The fact with an end, in doubt no more; one that had not begun by then is retired."""
    after = replace(fact, doubted_by=None, why=why)
    if fact.since is not None and fact.since >= moment:
        return Edit(fact, replace(after, retired=now), "retired", why)
    return Edit(fact, replace(after, until=moment), "ended", why)


@retried
def correct(runtime: Runtime, owner: str, what: object, value: str, *, subject: str, why: str, origin: Origin) -> Fact:
    """The fact with the right value: the wrong one is retired, as it never was true."""
    wrong = one_fact(runtime, owner, what, subject)
    what = wrong.subject, wrong.attribute, value, sentence(wrong.subject, wrong.attribute, value)
    said = max(runtime.tick(owner), wrong.said)
    draft = Draft(*what, said, "corrects", wrong.category, target=Target(wrong.value), origin=origin)
    embedded = runtime.embed_new([draft.text])
    with runtime.store.transaction(owner):
        [receipt] = save_drafts(runtime, owner, [draft])
        save_vectors(runtime, owner, [receipt], [draft.text], embedded)
        fact = receipt.fact or wrong
        if why and receipt.outcome == "corrected":
            fact = replace(fact, why=why)
            runtime.store.save(owner, [fact])
    return fact


@retried
def settle(runtime: Runtime, owner: str, what: object, *, holds: bool, subject: str, origin: Origin) -> Fact:
    """Decide whether a fact that is in doubt, or contradicts another, holds; gives it as it is then."""
    with runtime.store.transaction(owner):
        fact, now = open_question(runtime, owner, what, subject), runtime.tick(owner)
        if not may_close(origin, fact):
            raise NotAllowed(f"the {fact.origin} said “{fact.text}”: the {origin} cannot settle it")
        if fact.disputes and holds:
            told = Remembered(fact.attribute, fact.value, fact.category, fact.subject, now, origin)
            return remember_it(runtime, owner, told, pinned=False)
        why = f"settled on {readable(now)}: it {'holds' if holds else 'does not hold'}"
        after = replace(fact, doubted_by=None, confirmations=fact.confirmations + 1)
        since = fact.doubted_by.said if fact.doubted_by else now
        edit = Edit(fact, after, "confirmed", why) if holds else end_fact(fact, since, why, now)
        save_edits(runtime, owner, [([edit], origin)], now=now)
        return edit.after


def open_question(runtime: Runtime, owner: str, what: object, subject: str) -> Fact:
    """The one fact meant that is in doubt or contradicts another."""
    found = [fact for fact in named_facts(runtime, owner, what, subject) if fact.doubted_by or fact.disputes]
    if not found:
        raise NotFound(f"nothing under {what!r} is in doubt or contradicts what is known")
    if len(found) > 1:
        values = ", ".join(f"{fact.value!r} ({fact.id})" for fact in found[:5])
        raise InvalidInput(f"several facts under {what!r} are in doubt: name one by its id, of {values}")
    return found[0]


def pin(
    runtime: Runtime, owner: str, what: object, *, subject: str, pinned: bool, origin: Origin, group: str | None = None
) -> Fact:
    """Put a fact into core, which is always in the window, or take it out; `group`: together with other changes."""
    with runtime.store.transaction(owner):
        fact = one_fact(runtime, owner, what, subject)
        if fact.pinned == pinned:
            return fact
        after = replace(fact, pinned=pinned)
        kind: ChangeKind = "pinned" if pinned else "unpinned"
        now, why = runtime.tick(owner), "put into core" if pinned else "taken out of core"
        save_edits(runtime, owner, [([Edit(fact, after, kind, why)], origin)], now=now, group=group)
        refuse_large_core(runtime.store, owner, now)
    return after


@retried
def undo(runtime: Runtime, owner: str, change: object, *, origin: Origin) -> list[Change]:
    """Take back a change and what was changed together with it, by new changes: the log itself is never cut."""
    with runtime.store.transaction(owner):
        target = found_change(runtime, owner, change)
        if target.kind == "erased":
            raise InvalidInput(f"{target.id} is an erasure, which nothing brings back: name an earlier change")
        together = runtime.store.read(owner, Change, Query(group=target.group))
        for one in together:
            refuse_if_changed_since(runtime, owner, one)
        now, group = runtime.tick(owner), runtime.clock.new_id("g")
        return [take_back(runtime, owner, one, now, group, origin) for one in reversed(together)]


def found_change(runtime: Runtime, owner: str, change: object) -> Change:
    """The change meant; with none named, the latest that has not been taken back and takes nothing back."""
    if change is None:
        log = runtime.store.read(owner, Change)
        gone = {one.undoes for one in log if one.undoes}
        latest = [one for one in log if one.undoes is None and one.group not in gone]
        if not latest:
            raise NotFound(f"{owner!r} has no change that could be undone")
        return latest[-1]
    change_id = change.id if isinstance(change, Change) else change
    if not isinstance(change_id, str):
        raise InvalidInput(f"name a change by its id or the change itself, not {change!r}")
    found = runtime.store.read(owner, Change, Query(ids=[change_id]))
    if not found:
        raise NotFound(f"{owner!r} has no change {change_id!r}")
    return found[0]


def refuse_if_changed_since(runtime: Runtime, owner: str, change: Change) -> None:
    log = runtime.store.read(owner, Change, Query(records=[change.record_id]))
    if any(one.undoes == change.group for one in log):
        raise InvalidInput(f"change {change.id} is undone already")
    later = log[[one.id for one in log].index(change.id) + 1 :]
    taken_back = {one.undoes for one in log if one.undoes}
    standing = [one for one in later if one.undoes is None and one.group not in (*taken_back, change.group)]
    if standing:
        raise InvalidInput(f"{change.record_id} was changed again later: undo {standing[-1].id} first")


def take_back(runtime: Runtime, owner: str, change: Change, now: datetime, group: str, origin: Origin) -> Change:
    """Put one record back as it was; one that was new is retired."""
    kind: type[Fact | Note] = Fact if change.record == "fact" else Note
    found = runtime.store.read(owner, kind, Query(ids=[change.record_id]))
    if not found:
        raise NotFound(f"the {change.record} {change.record_id!r} of change {change.id!r} is not there any more")
    current, why = found[0], f"undid: {change.why}"
    done: ChangeKind = "edited" if change.before else "retired"
    if change.before:
        after = from_plain(kind, change.before)
    else:
        after = replace(replace(current, why=why) if isinstance(current, Fact) else current, retired=now)
    undone = log_entry(runtime.clock, owner, (current, after, done, why), now, origin, group)
    undone = replace(undone, undoes=change.group)
    runtime.store.save(owner, [after])
    runtime.store.save(owner, [undone])
    return undone
