"""Drafts against known facts: what is stored, confirmed, replaced, ended, corrected, disputed. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from recollect.facts.attributes import attribute, sentence
from recollect.facts.decisions import (
    Decision,
    Edit,
    KnownFacts,
    close,
    closed_to,
    confirm,
    dispute,
    fallen_through,
    means,
    new_fact,
    no_similarity,
    replaced,
    stored,
    you_said,
)
from recollect.facts.resolve import likely, resolve
from recollect.facts.timeline import OCCURRENCES, holds, is_for_a_while, is_open, lasting, only_then, passes, within
from recollect.facts.trust import may_close, refusal
from recollect.records import Doubt, Draft, Fact, Source
from recollect.text.dates import readable

OPPOSITES = {"likes": "dislikes", "dislikes": "likes"}
"""Holding one value of the first ends the same value of the second."""

UNCLEAR = 0.6
"""Below this, what was read ends nothing but what it names, and an end of something unknown states nothing."""


def reconcile(
    drafts: Sequence[Draft],
    facts: Sequence[Fact],
    *,
    owner: str,
    now: datetime,
    new_id: Callable[[], str],
    similarity: Callable[[Draft, Fact], float] = no_similarity,
) -> list[Decision]:
    """One decision for each draft, in order; each sees what the ones before it did."""
    known = KnownFacts(owner, now, new_id, {fact.id: fact for fact in facts}, similarity)
    decisions = []
    for draft in drafts:
        decision = decide(resolve(draft, known), known)
        known.apply(decision.edits)
        decisions.append(decision)
    return decisions


def decide(draft: Draft, known: KnownFacts) -> Decision:
    """What becomes of one draft whose attribute is canonical."""
    if why := refusal(draft):  # It may have turned out only now whom it speaks of.
        return Decision(draft, "refused", why)
    if not draft.attribute:
        if doubted := likely(draft, known):
            return doubt(draft, doubted)
        return Decision(draft, "refused", f"it is not clear what {draft.old_value or draft.value!r} is the value of")
    if draft.effect == "plans" and not draft.value:
        return Decision(draft, "refused", f"no {draft.attribute} is planned whose time could change")
    if draft.effect == "plans" and draft.since is None and draft.category not in OCCURRENCES:
        draft = as_intention(draft)
    believed = known.about(draft.subject, draft.attribute)
    if draft.effect == "ends" or (draft.effect == "past" and held_until_now(draft, believed)):
        return end(draft, believed, known)
    if draft.effect == "past" and draft.category not in OCCURRENCES:
        return keep_past(draft, believed, known)
    if draft.effect == "corrects":
        return correct(draft, believed, known)
    if is_for_a_while(draft):
        return store_for_a_while(draft, believed, known)
    if called_off := fallen_through(draft, believed, known):
        return called_off
    every, believed = believed, lasting(believed, draft.said)
    if again := said_again(draft, believed):
        return confirm(draft, again, believed, known)
    if holds_many(draft):
        return store_beside(draft, believed, known)
    if is_unsure(draft, believed):
        return store_unsure(draft, believed, known)
    return cut_short(store_alone(draft, believed, known), every, known)


def cut_short(decision: Decision, every: Sequence[Fact], known: KnownFacts) -> Decision:
    """A new value counts from when it begins, also where another was to hold for some days: it was told later."""
    fact, draft = decision.fact, decision.draft
    if fact is None or fact.since is None or decision.outcome not in ("stored", "replaced"):
        return decision
    over = [old for old in every if passes(old) and holds(old, fact.since) and may_close(draft.origin, old)]
    edits = [edit for old in over for edit in close(old, fact.since, fact, draft, known)]
    return replace(decision, edits=(*decision.edits, *edits))


def holds_many(draft: Draft) -> bool:
    """Whether the attribute can hold this value beside others; the speaker's words go before the table."""
    return draft.many if draft.many is not None else attribute(draft.attribute).holds == "many"


def is_unsure(draft: Draft, believed: Sequence[Fact]) -> bool:
    """Whether it is unclear what a value of a relation that no table has would end: it was read too loosely, or "now"
    does not say which of several is over."""
    if draft.old_value is not None or attribute(draft.attribute).known:
        return False
    held = [fact for fact in believed if is_open(fact, draft.said) and fact.disputes is None]
    several = draft.effect == "replaces" and len(held) > 1
    return several or (draft.many is None and draft.confidence < UNCLEAR)


def as_intention(draft: Draft) -> Draft:
    """A plan with no date: that it is planned is true, what it plans does not hold yet and ends nothing."""
    words = draft.source.quote if draft.source else draft.text
    return replace(draft, attribute="plan", category="plans", value=words, text=words, target=None, many=True)


def held_until_now(draft: Draft, believed: Sequence[Fact]) -> bool:
    """Whether "I used to …" speaks of the value that we believe holds: then it is an ending."""
    if draft.category in OCCURRENCES:
        return False
    return any(
        is_open(fact, draft.said) and means(draft.value, fact) and fact.said <= draft.said
        for fact in believed
        if draft.until is None or fact.since is None or draft.until > fact.since
        if draft.since is None or draft.until is None or draft.until > fact.said  # else it speaks of an earlier time
    )


def said_again(draft: Draft, believed: Sequence[Fact]) -> Fact | None:
    """The fact that already says this and holds or is to come, if any."""
    moment = (draft.since or draft.said) if draft.effect == "plans" else draft.said
    held = [fact for fact in believed if is_open(fact, moment) and not is_of_later(fact, draft)]
    matching = [fact for fact in held if means(draft.value, fact)]
    return matching[-1] if matching else None


def is_of_later(fact: Fact, draft: Draft) -> bool:
    """Whether a fact was told after the draft and begins after it: the draft tells of an earlier time of the value."""
    begins = draft.since or draft.said
    return fact.said > draft.said and fact.since is not None and fact.since > begins


# Ending and past


def end(draft: Draft, believed: Sequence[Fact], known: KnownFacts) -> Decision:
    """Ends the value that the draft names, or the one value of an attribute that holds one; nothing takes its place."""
    moment = draft.until or draft.since or draft.said
    targets = [fact for fact in believed if is_open(fact, moment) and fact.said <= draft.said and ends(draft, fact)]
    if targets:
        return end_all(draft, targets, moment, known)
    if doubted := likely(draft, known):
        return doubt(draft, doubted)
    if draft.value and not draft.negated and draft.confidence >= UNCLEAR:
        return keep_past(draft, believed, known)
    return Decision(
        draft, "refused", f"nothing is known of {draft.attribute} {draft.value}".rstrip() + " that could end"
    )


def ends(draft: Draft, fact: Fact) -> bool:
    """Whether an ending is of exactly this fact, of its subject and attribute."""
    if draft.value:
        return means(draft.value, fact)
    if draft.negated:  # "I'm not moving after all" calls off what was to come, and only that
        return fact.since is not None and fact.since > draft.said
    return not holds_many(draft)


def doubt(draft: Draft, fact: Fact) -> Decision:
    """Marks a fact that is probably meant: what was said is no evidence that it ended."""
    why = f"may be outdated since {readable(draft.said)}: {you_said(draft)}"
    words = draft.source or Source("", draft.text)
    after = replace(fact, doubted_by=Doubt(words.message, words.quote, draft.said))
    return Decision(draft, "doubted", why, after, (Edit(fact, after, "doubted", why),))


def end_all(draft: Draft, targets: Sequence[Fact], moment: datetime, known: KnownFacts) -> Decision:
    """Ends these facts, if whoever speaks may end every one of them."""
    if guarded := [fact for fact in targets if not may_close(draft.origin, fact)]:
        return Decision(draft, "refused", closed_to(draft, guarded[0]), fact=guarded[0])
    edits = list(
        {edit.after.id: edit for fact in reversed(targets) for edit in end_one(fact, moment, draft, known)}.values()
    )
    last = next(edit.after for edit in reversed(edits) if edit.after.id == targets[-1].id)
    return Decision(draft, "ended", f"ended “{last.text}” on {readable(moment)}: {you_said(draft)}", last, tuple(edits))


def end_one(fact: Fact, moment: datetime, draft: Draft, known: KnownFacts) -> list[Edit]:
    """Ends one fact; one that was still to begin is retired instead, and what it was to replace goes on."""
    if fact.since is None or fact.since <= moment:
        why = f"ended on {readable(moment)}: {you_said(draft)}"
        return [Edit(fact, replace(fact, until=moment, why=why), "ended", why)]
    why = f"called off on {readable(draft.said)}: {you_said(draft)}"
    edits = [Edit(fact, replace(fact, retired=known.now, why=why), "retired", why)]
    former = known.facts.get(fact.replaces or "")
    if former is not None and former.replaced_by == fact.id:
        reopened = replace(former, until=None, replaced_by=None, why=f"goes on: {you_said(draft)}")
        edits.append(Edit(former, reopened, "edited", reopened.why))
    return edits


def keep_past(draft: Draft, believed: Sequence[Fact], known: KnownFacts) -> Decision:
    """Keeps something that is over, in its place in the history."""
    until = draft.until or (draft.said if draft.effect == "ends" else past_end(draft, believed))
    same = [fact for fact in believed if means(draft.value, fact) and fact.until is not None]
    same = [fact for fact in same if may_be_one(draft, fact)]
    if same:
        return confirm(draft, same[-1], believed, known)
    fact = new_fact(draft, known, since=draft.since, until=until)
    why = f"kept as something that is over: {you_said(draft)}"
    fact = replace(fact, why=why)
    return Decision(draft, "stored", why, fact, (Edit(None, fact, "stored", why),))


def may_be_one(draft: Draft, fact: Fact) -> bool:
    """Whether both speak of one stretch of time, as far as their times are told."""
    ended_before = fact.until is not None and draft.since is not None and fact.until <= draft.since
    begins_after = fact.since is not None and draft.until is not None and draft.until <= fact.since
    return not (ended_before or begins_after)


def past_end(draft: Draft, believed: Sequence[Fact]) -> datetime:
    """When something that "used to be" was over: when the present value began, or else by the time it was said."""
    if holds_many(draft):
        return draft.said
    starts = [fact.since for fact in believed if fact.since is not None and is_open(fact, draft.said)]
    starts = [start for start in starts if draft.since is None or start > draft.since]
    return min([*starts, draft.said])


# Correction


def correct(draft: Draft, believed: Sequence[Fact], known: KnownFacts) -> Decision:
    """The old value was never true: it is retired, and the new one stands in its place from its beginning."""
    held = [fact for fact in believed if is_open(fact, draft.said) and not means(draft.value, fact)]
    held = [fact for fact in held if not told_with(draft, fact)]
    wrong = [fact for fact in held if means(draft.old_value, fact)]
    several = holds_many(draft) or (len(held) > 1 and not attribute(draft.attribute).known)
    wrong = wrong or ([] if several else held[-1:] if any(map(passes, held)) else held)
    again = said_again(draft, believed)
    if not wrong:
        return confirm(draft, again, believed, known) if again else store_beside(draft, believed, known)
    if guarded := [fact for fact in wrong if not may_close(draft.origin, fact)]:
        return dispute(draft, guarded[-1], known)
    while_ = wrong[-1].until if passes(wrong[-1]) else None
    fact = again or new_fact(draft, known, since=draft.since or wrong[-1].since, until=while_)
    why = f"corrected “{wrong[-1].text}” to “{draft.text}”: {you_said(draft)}"
    edits = [Edit(old, retire(old, fact.id, known, draft), "retired", why) for old in wrong]
    if again is None:
        fact = replace(fact, replaces=wrong[-1].id, why=why)
        edits.append(Edit(None, fact, "stored", why))
    return Decision(draft, "corrected", why, fact, tuple(edits))


def told_with(draft: Draft, fact: Fact) -> bool:
    """Whether both were told in one clause, as values beside each other."""
    return draft.source is not None and draft.source in fact.sources


def retire(fact: Fact, by: str, known: KnownFacts, draft: Draft) -> Fact:
    return replace(fact, retired=known.now, replaced_by=by, why=f"was never so: {you_said(draft)}")


# New values


def store_unsure(draft: Draft, believed: Sequence[Fact], known: KnownFacts) -> Decision:
    """A value of which it is unclear what it would end: it stands beside; if only one held, that one is in doubt."""
    held = [fact for fact in believed if is_open(fact, draft.said) and fact.disputes is None]
    decision = store_beside(draft, believed, known)
    replaces = draft.effect == "replaces" and len(held) == 1 and may_close(draft.origin, held[0])
    if not replaces or any(edit.after.id == held[0].id for edit in decision.edits):
        return decision
    return replace(decision, edits=(*decision.edits, *doubt(draft, held[0]).edits))


def store_beside(draft: Draft, believed: Sequence[Fact], known: KnownFacts) -> Decision:
    """A value that stands beside the others, ending only what it names or is the opposite of."""
    fact = new_fact(draft, known, since=draft.since)
    opposed = [old for old in known.about(draft.subject, OPPOSITES.get(draft.attribute, "")) if means(draft.value, old)]
    over = [*(old for old in believed if means(draft.old_value, old)), *opposed]
    over = [old for old in over if is_open(old, draft.said)]
    over = [old for old in over if may_close(draft.origin, old) and old.said <= draft.said]
    edits = [edit for old in over for edit in close(old, draft.since or draft.said, fact, draft, known)]
    if over:
        fact = replace(fact, since=draft.since or draft.said, replaces=over[-1].id)
        return replaced(draft, fact, edits, over[-1])
    return stored(draft, fact, edits)


def store_for_a_while(draft: Draft, believed: Sequence[Fact], known: KnownFacts) -> Decision:
    """A value that is told with both its ends: what holds otherwise is left alone, and is so again afterwards."""
    fact = replace(new_fact(draft, known, since=draft.since), why=f"{only_then(draft)}: {you_said(draft)}")
    around = [old for old in believed if is_open(old, draft.since or draft.said) and old.disputes is None]
    same = [old for old in around if means(draft.value, old)]
    if same and within(fact, same[-1]):
        return confirm(draft, same[-1], believed, known)
    if not holds_many(draft) and (guarded := [old for old in around if not may_close(draft.origin, old)]):
        return dispute(draft, guarded[-1], known)
    over = [old for old in around if old in same or not holds_many(draft)]
    over = [old for old in over if within(old, fact) and old.said <= draft.said]  # Told anew, of as long or longer.
    edits = [edit for old in over for edit in close(old, draft.since or draft.said, fact, draft, known)]
    return stored(draft, fact, edits)


def store_alone(draft: Draft, believed: Sequence[Fact], known: KnownFacts) -> Decision:
    """A value of an attribute that holds one at a time."""
    later = [fact for fact in believed if fact.said > draft.said and fact.disputes is None]
    if later:
        return store_late(draft, believed, known)
    begins = draft.since or (draft.said if believed else None)
    plans = [fact for fact in believed if fact.since is not None and fact.since > max(draft.said, begins or draft.said)]
    rivals = [fact for fact in believed if is_open(fact, draft.since or draft.said) and fact.disputes is None]
    rivals = [fact for fact in rivals if fact not in plans]
    if guarded := [fact for fact in rivals if not may_close(draft.origin, fact)]:
        return dispute(draft, guarded[-1], known)
    fact = new_fact(draft, known, since=begins, until=min((fact.since for fact in plans if fact.since), default=None))
    disputed = [old for old in believed if old.disputes is not None and is_open(old, draft.said)]
    disputed = [old for old in disputed if may_close(draft.origin, old)]
    edits = [edit for old in (*rivals, *disputed) for edit in close(old, begins or draft.said, fact, draft, known)]
    if rivals:
        return replaced(draft, replace(fact, replaces=rivals[-1].id), edits, rivals[-1])
    if draft.old_value and not any(means(draft.old_value, old) for old in believed):
        fact = replace(fact, since=draft.since or draft.said)
        edits.append(left_behind(draft, fact, known))
    return stored(draft, fact, edits)


def left_behind(draft: Draft, follower: Fact, known: KnownFacts) -> Edit:
    """The value that a first "from A to B" leaves behind: news of the past."""
    value, why = draft.old_value or "", f"ended on {readable(follower.since or draft.said)}: {you_said(draft)}"
    text = sentence(draft.subject, draft.attribute, value)
    old = new_fact(replace(draft, value=value, text=text), known, since=None, until=follower.since)
    return Edit(None, replace(old, replaced_by=follower.id, why=why), "stored", why)


def store_late(draft: Draft, believed: Sequence[Fact], known: KnownFacts) -> Decision:
    """News said before what we already know: it takes its place in the history and brings no dead value back."""
    begins = draft.since or draft.said
    after = [fact for fact in believed if fact.said > draft.said or (fact.since is not None and fact.since > begins)]
    followers = [(fact.since or fact.said, fact.id) for fact in after]
    held = [(begins, fact.id) for fact in after if fact.since and fact.since <= begins and is_open(fact, begins)]
    until, follower = min(held or [start for start in followers if start[0] > begins], default=(begins, None))
    before = [fact for fact in believed if fact.said <= draft.said and is_open(fact, begins)]
    before = [fact for fact in before if may_close(draft.origin, fact) and (fact.since is None or fact.since <= begins)]
    bounds = [moment for fact in believed for moment in (fact.since, fact.until) if moment]
    past_is_told = bool(before) or any(moment <= begins for moment in bounds)
    fact = new_fact(draft, known, since=begins if past_is_told else draft.since, until=until)
    why = f"late news, kept in its place in the history (until {readable(until)}): {you_said(draft)}"
    edits = [edit for old in before for edit in close(old, begins, fact, draft, known)]
    # A value said later without a date had begun by the time this one ended.
    edits += [
        Edit(old, replace(old, since=until), "edited", why)
        for old in after
        if old.since is None and is_open(old, begins) and may_close(draft.origin, old)
    ]
    fact = replace(fact, replaced_by=follower, why=why)
    return Decision(draft, "stored", why, fact, (Edit(None, fact, "stored", why), *edits))
