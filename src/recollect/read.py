"""What is known: the value of a key, lists of what holds or held, and why something is known or was not found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from recollect.errors import InvalidInput, NotFound
from recollect.facts.attributes import attribute as find_attribute
from recollect.facts.attributes import names_of
from recollect.facts.timeline import covered, holds, is_open, rewind, uncovered
from recollect.pinned import core
from recollect.records import USER, Change, Explanation, Fact, Hit, Message, Note, Reason
from recollect.retrieve import rank
from recollect.retrieve.candidates import View, has_ended, seen_from
from recollect.retrieve.search import match
from recollect.retrieve.search import read as read_query
from recollect.runtime import Runtime
from recollect.store import Position, Query
from recollect.text.dates import Time, readable

if TYPE_CHECKING:
    from recollect.memory import Memory

PIECE = 200
"""Facts of which is looked up at a time how they stood."""


def wanted_by(subject: str | None, attribute: str | None, category: str | None) -> Query:
    """The facts that a caller names so."""
    subjects = None if subject is None else [check_subject(subject)]
    attributes = None if attribute is None else attribute_names(attribute)
    return Query(subjects=subjects, attributes=attributes, category=category)


def attribute_names(key: str) -> list[str]:
    """The attributes that a key may mean, best first."""
    if not isinstance(key, str) or not key.strip():
        raise InvalidInput(f"a key must be a word or a few, not {key!r}")
    return names_of(key)


def check_limit(limit: object, name: str = "limit") -> int:
    """The limit, if it can be one."""
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise InvalidInput(f"{name} must be a whole number above 0, not {limit!r}")
    return limit


def check_subject(subject: str) -> str:
    """The subject, if it can be one."""
    if not isinstance(subject, str) or not subject.strip():
        raise InvalidInput(f"a subject must be a name, not {subject!r}")
    return subject.strip()


def named_facts(runtime: Runtime, owner: str, what: object, subject: str) -> list[Fact]:
    """The facts meant by a fact, a hit, an id or a key; never none."""
    if isinstance(what, Hit):
        what = what.record
    if isinstance(what, Fact):
        what = what.id
    if not isinstance(what, str) or not what.strip():
        raise InvalidInput(f"name a fact by its key, its id or the fact itself, not {what!r}")
    if found := runtime.store.read(owner, Fact, Query(ids=[what])):
        return found
    now, names = runtime.present(owner), names_of(what)
    kept = runtime.store.read(owner, Fact, Query(subjects=[subject], attributes=names))
    held = [fact for fact in kept if is_open(fact, now)]
    found = next((some for name in names if (some := [fact for fact in held if fact.attribute == name])), [])
    found = found or runtime.store.read(owner, Fact, Query(subjects=[subject], values=[what], holding=now))
    if not found:
        raise NotFound(f"nothing is known under {what!r} for {owner!r}")
    return found


def recall(runtime: Runtime, views: Sequence[View], key: str, subject: str) -> str | None:
    """The value held under a key in the first view that has one, the latest where there are several."""
    names, whose = attribute_names(key), check_subject(subject)
    for view in views:
        held = seen_from(runtime, view, runtime.store.read(view.owner, Fact, Query(subjects=[whose], attributes=names)))
        held.sort(key=lambda fact: (fact.disputes is None, fact.said, fact.id))
        for name in names:
            if found := [fact for fact in held if fact.attribute == name]:
                return found[-1].value
    return None


def facts(
    runtime: Runtime, views: Sequence[View], subject: str | None, attribute: str | None, category: str | None
) -> list[Fact]:
    """What holds in these views, newest first."""
    wanted = wanted_by(subject, attribute, None)
    found = [fact for view in views for fact in seen_from(runtime, view, runtime.store.read(view.owner, Fact, wanted))]
    return newest_first([fact for fact in found if category is None or fact.category == category])


def newest_first(facts: Sequence[Fact]) -> list[Fact]:
    """Facts, latest said first."""
    return sorted(facts, key=lambda fact: (fact.said, fact.learned, fact.id), reverse=True)


def latest_facts(runtime: Runtime, view: View, wanted: Query, limit: int, before: Position | None) -> list[Fact]:
    """So many facts at most of those that hold in a view, latest said first; `before`: from that position on. What it
    costs goes by the limit, not by how much is known. What was believed earlier is looked for piece by piece, since the
    store tells what is believed now: position, subject and attribute of a fact never change."""
    now, found = view.known_at is None, list[Fact]()
    piece = limit if now else max(limit, PIECE)
    query = replace(wanted, latest=True, last=piece)
    if now:
        query = replace(query, holding=view.moment)
    else:
        query = replace(query, category=None, learned_by=view.known_at)
    while len(found) < limit:
        some = runtime.store.read(view.owner, Fact, replace(query, before=before))
        if now:
            found += drop_covered(runtime, view, some)
        else:
            found += [fact for fact in seen_from(runtime, view, some) if wanted.category in (None, fact.category)]
        if len(some) < piece:
            break
        before = some[-1].said, some[-1].learned, some[-1].id
    return found[:limit]


def drop_covered(runtime: Runtime, view: View, facts: Sequence[Fact]) -> list[Fact]:
    """These facts of a page without those over which another one, of any page, holds for a while."""
    alone = [fact for fact in facts if find_attribute(fact.attribute).holds == "one"]
    if not alone:
        return list(facts)
    subjects, names = {fact.subject for fact in alone}, {fact.attribute for fact in alone}
    query = Query(subjects=sorted(subjects), attributes=sorted(names), holding=view.moment)
    over = covered(runtime.store.read(view.owner, Fact, query))
    return [fact for fact in facts if fact.id not in over]


def newest_facts(runtime: Runtime, views: Sequence[View], limit: int) -> list[Fact]:
    """Of what holds in these views, what is the newest and what names someone: so many of each in a view, however much
    is known."""
    check_limit(limit)
    found: dict[str, Fact] = {}
    for view in views:
        if view.known_at is not None:
            some = seen_from(runtime, view, runtime.store.read(view.owner, Fact, Query(named=True, last=limit)))
            some += latest_facts(runtime, view, Query(), limit, None)
        else:
            some = runtime.store.read(view.owner, Fact, Query(named=True, holding=view.moment, last=limit))
            some += runtime.store.read(view.owner, Fact, Query(holding=view.moment, last=limit))
        found |= {fact.id: fact for fact in some}
    return newest_first(uncovered(found.values()))


def history(runtime: Runtime, owner: str, key: str, subject: str) -> list[Fact]:
    """Every value ever held under a key, oldest first."""
    found = runtime.store.read(owner, Fact, Query(subjects=[check_subject(subject)], attributes=attribute_names(key)))
    return sorted(found, key=lambda fact: (fact.since is not None, fact.since or fact.said, fact.said, fact.id))


def pinned(runtime: Runtime, views: Sequence[View], notes_then: Sequence[Note]) -> list[Fact | Note]:
    """What is pinned in these views; `notes_then`: the notes as they were, where an earlier belief is asked for."""
    if views[0].known_at is None:
        return [one for view in views for one in core(runtime.store, view.owner, view.moment)]
    found = [fact for view in views for fact in seen_from(runtime, view, runtime.store.read(view.owner, Fact))]
    return [fact for fact in found if fact.pinned] + [note for note in notes_then if note.pinned]


def facts_page(
    memory: Memory,
    *,
    limit: int,
    before: Position | None = None,
    subject: str | None = None,
    attribute: str | None = None,
    category: str | None = None,
    at: Time | None = None,
    known_at: Time | None = None,
) -> list[Fact]:
    """So many at most of what `memory.facts` gives; `before`: from after the fact that was said and learned then and
    has that id, the last of the page before."""
    check_limit(limit)
    wanted = wanted_by(subject, attribute, category)
    views = memory._views(at, known_at)
    found = [fact for view in views for fact in latest_facts(memory._runtime, view, wanted, limit, before)]
    return newest_first(found)[:limit]


def why(runtime: Runtime, owner: str, what: object) -> Explanation:
    """How a fact or a hit came to be known: its words, its reasons, its changes."""
    if isinstance(what, Hit) and not isinstance(what.record, Fact):
        return why_said(what)
    reasons = what.reasons if isinstance(what, Hit) else ()
    fact = named_facts(runtime, owner, what, USER)[-1]
    changes = runtime.store.read(owner, Change, Query(records=[fact.id]))
    messages = runtime.store.read(owner, Message, Query(ids=[source.message for source in fact.sources]))
    quotes, steps = {source.message: source.quote for source in reversed(fact.sources)}, list[str]()
    for one in messages:
        quote = quotes.get(one.id, one.content)
        steps.append(f"{readable(one.at)}: the {one.origin} said “{quote}” in session {one.session!r}")
    steps += window_lines(fact)
    steps += [f"{readable(change.at)}: {change.kind}, {change.why}" for change in changes]
    steps += [f"found by {step}" for step in weighed(reasons)]
    headline = f"“{fact.text}” is known from the {fact.origin}: {fact.why or 'told directly'}"
    return Explanation(headline, tuple(steps), fact, tuple(messages), tuple(changes), tuple(reasons))


def why_said(hit: Hit) -> Explanation:
    """The same for a message or a note, which stands for itself."""
    record = hit.record
    sources = (record,) if isinstance(record, Message) else ()
    if isinstance(record, Message):
        what, when = f"said in session {record.session!r}", record.at
    else:
        what, when = "written as a note", record.learned
    steps = [f"found by {step}" for step in weighed(hit.reasons)]
    if hit.ended:
        steps.append(f"history: {hit.ended.why}")
    headline = f"{what} on {readable(when)} by the {record.origin}"
    return Explanation(headline, tuple(steps), None, sources, (), hit.reasons)


def window_lines(fact: Fact) -> list[str]:
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


def why_not(runtime: Runtime, view: View, query: str, what: object, *, limit: int) -> Explanation:
    """Why a search did not return a fact, or where it came out."""
    fact = named_facts(runtime, view.owner, what, USER)[-1]
    not_returned = f"“{fact.text}” was not returned"
    if reason := out_of_view(runtime, view, fact):
        return Explanation(f"{not_returned}: {reason}", (), fact)
    question, vector = read_query(runtime, query, view.moment)
    if question.small_talk:
        return Explanation(f"{not_returned}: {query!r} asks for nothing", (), fact)
    candidates = match(runtime, view, question, vector)
    mine = next((one for one in candidates if one.record.id == fact.id), None)
    if mine is None:
        words = ", ".join(question.terms) or "no words"
        return Explanation(f"{not_returned}: no signal found it", (f"looked for: {words}",), fact)
    reasons = rank.reasons(mine)
    return Explanation(placement(fact, mine, candidates, limit), weighed(reasons), fact, reasons=reasons)


def weighed(reasons: Sequence[Reason]) -> tuple[str, ...]:
    return tuple(f"{reason.signal}: {reason.strength:.2f} × {reason.weight:.2f}" for reason in reasons)


def out_of_view(runtime: Runtime, view: View, fact: Fact) -> str | None:
    """Why the fact cannot be seen at all from there."""
    if view.known_at is not None:
        later = runtime.store.read(view.owner, Change, Query(records=[fact.id], after=view.known_at))
        stood = rewind([fact], later, view.known_at)
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


def placement(fact: Fact, mine: rank.Candidate, candidates: Sequence[rank.Candidate], limit: int) -> str:
    """Where a found fact came out among all that were found."""
    folded, not_returned = rank.fold(candidates), f"“{fact.text}” was not returned"
    found, best, asked = mine.evidence, max(one.evidence for one in folded), rank.enough(folded)
    if best < asked or found < rank.CONSTANTS["least"]:
        return f"{not_returned}: its evidence is {found:.2f}, below the {asked:.2f} that is asked for"
    kept = [one.record.id for one in rank.ranked(candidates, first=fact.owner)]
    if fact.id in kept:
        place = kept.index(fact.id) + 1
        if place > limit:
            return f"{not_returned}: it came {place}th of {len(kept)}, beyond the limit of {limit}"
        return f"“{fact.text}” is returned, in place {place} of {len(kept)}"
    if not set(rank.sources_of(fact)) & set(kept):
        return f"{not_returned}: its evidence is {found:.2f}, little beside the {best:.2f} of the best"
    return f"{not_returned} itself: it is part of a message that says more"
