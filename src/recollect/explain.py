"""Where a memory comes from, and why one was not returned."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.change import named_facts
from recollect.facts.timeline import holds, rewind
from recollect.records import USER, Change, Explanation, Fact, Hit, Message, Reason
from recollect.retrieve import rank
from recollect.retrieve.candidates import View, has_ended
from recollect.retrieve.search import match, read
from recollect.runtime import Parts
from recollect.store import Query
from recollect.text.dates import readable


def why(parts: Parts, owner: str, what: object) -> Explanation:
    """How a fact or a hit came to be known: its words, its reasons, its changes."""
    reasons = what.reasons if isinstance(what, Hit) else ()
    if isinstance(what, Hit) and not isinstance(what.record, Fact):
        return said_so(what)
    fact = named_facts(parts, owner, what, USER)[-1]
    changes = parts.store.read(owner, Change, Query(records=[fact.id]))
    messages = parts.store.read(owner, Message, Query(ids=[source.message for source in fact.sources]))
    steps = [*(told(fact, message) for message in messages), *window(fact)]
    steps += [f"{readable(change.at)}: {change.kind}, {change.why}" for change in changes]
    steps += [f"found by {step}" for step in weighed(reasons)]
    headline = f"“{fact.text}” is known from the {fact.origin}: {fact.why or 'told directly'}"
    return Explanation(headline, tuple(steps), fact, tuple(messages), tuple(changes), tuple(reasons))


def said_so(hit: Hit) -> Explanation:
    """The same for a message or a note, which stands for itself."""
    record = hit.record
    when = record.at if isinstance(record, Message) else record.learned
    what = f"said in session {record.session!r}" if isinstance(record, Message) else "written as a note"
    steps = [f"found by {step}" for step in weighed(hit.reasons)]
    if hit.ended:
        steps.append(f"history: {hit.ended.why}")
    sources = (record,) if isinstance(record, Message) else ()
    headline = f"{what} on {readable(when)} by the {record.origin}"
    return Explanation(headline, tuple(steps), None, sources, (), hit.reasons)


def told(fact: Fact, message: Message) -> str:
    quote = next((source.quote for source in fact.sources if source.message == message.id), message.content)
    return f"{readable(message.at)}: the {message.origin} said “{quote}” in session {message.session!r}"


def window(fact: Fact) -> list[str]:
    """When it was true, in words."""
    steps = []
    if fact.since or fact.until:
        since = readable(fact.since) if fact.since else "before we knew of it"
        steps.append(f"true from {since}" + (f" until {readable(fact.until)}" if fact.until else " on"))
    if fact.planned and not fact.retired:
        steps.append(f"planned on {readable(fact.said)}, and not confirmed since")
    if fact.doubted_by:
        steps.append(f"may be outdated since {readable(fact.doubted_by.said)}: “{fact.doubted_by.quote}”")
    if fact.retired:
        steps.append(f"no longer believed since {readable(fact.retired)}")
    if fact.confirmations:
        steps.append(f"confirmed {fact.confirmations} times")
    return steps


def why_not(parts: Parts, view: View, query: str, what: object, *, limit: int) -> Explanation:
    """Why a search did not return a fact, or where it came out."""
    fact = named_facts(parts, view.owner, what, USER)[-1]
    if reason := out_of_view(parts, view, fact):
        return Explanation(f"“{fact.text}” was not returned: {reason}", (), fact)
    question, vector = read(parts, query, view.moment)
    if question.small_talk:
        return Explanation(f"“{fact.text}” was not returned: {query!r} asks for nothing", (), fact)
    candidates = match(parts, view, question, vector)
    mine = next((one for one in candidates if one.record.id == fact.id), None)
    if mine is None:
        words = ", ".join(question.terms) or "no words"
        return Explanation(f"“{fact.text}” was not returned: no signal found it", (f"looked for: {words}",), fact)
    reasons = rank.reasons(mine)
    return Explanation(placed(fact, mine, candidates, limit), weighed(reasons), fact, reasons=reasons)


def weighed(reasons: Sequence[Reason]) -> tuple[str, ...]:
    return tuple(f"{reason.signal}: {reason.strength:.2f} × {reason.weight:.2f}" for reason in reasons)


def out_of_view(parts: Parts, view: View, fact: Fact) -> str | None:
    """Why the fact cannot be seen at all from there."""
    if view.known_at is not None:
        stood = rewind(
            [fact], parts.store.read(view.owner, Change, Query(records=[fact.id], after=view.known_at)), view.known_at
        )
        if not stood:
            return f"it was learned only on {readable(fact.learned)}"
        fact = stood[0]
    if holds(fact, view.moment):
        return None
    if fact.retired is not None:
        return f"it is not believed any more: {fact.why}"
    if has_ended(fact, view.moment):
        return f"it had ended: {fact.why}"
    return f"it begins only on {readable(fact.since) if fact.since else 'an unknown day'}"


def placed(fact: Fact, mine: rank.Candidate, candidates: Sequence[rank.Candidate], limit: int) -> str:
    """Where a found fact came out among all that were found."""
    folded = rank.fold(candidates)
    found, best, asked = mine.evidence, max(one.evidence for one in folded), rank.enough(folded)
    if best < asked or found < rank.CONSTANTS["least"]:
        return f"“{fact.text}” was not returned: its evidence is {found:.2f}, below the {asked:.2f} that is asked for"
    kept = [one.record.id for one in rank.ranked(candidates, first=fact.owner)]
    if fact.id not in kept and not {fact.id, *rank.sources_of(fact)} & set(kept):
        return f"“{fact.text}” was not returned: its evidence is {found:.2f}, little beside the {best:.2f} of the best"
    if fact.id not in kept:
        return f"“{fact.text}” was not returned itself: it is part of a message that says more"
    place = kept.index(fact.id) + 1
    if place > limit:
        return f"“{fact.text}” was not returned: it came {place}th of {len(kept)}, beyond the limit of {limit}"
    return f"“{fact.text}” is returned, in place {place} of {len(kept)}"
