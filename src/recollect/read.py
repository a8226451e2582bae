"""What is known, as lists: the value of a key, the facts that hold, the history of a key, what is pinned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from recollect.change import check_subject
from recollect.errors import InvalidInput
from recollect.facts.attributes import attribute as find_attribute
from recollect.facts.attributes import names_of
from recollect.facts.timeline import covered, uncovered
from recollect.pinned import core
from recollect.records import Fact, Note
from recollect.retrieve.candidates import View, seen_from
from recollect.runtime import Parts
from recollect.store import Position, Query
from recollect.text.dates import Time

if TYPE_CHECKING:
    from recollect.memory import Memory

PIECE = 200
"""Facts of which is looked up at a time how they stood."""


class Wanted(NamedTuple):
    """Which facts a list is of: all of them, or those of a subject, an attribute, a category."""

    subjects: list[str] | None = None
    attributes: list[str] | None = None
    category: str | None = None


def wanted_by(subject: str | None, attribute: str | None, category: str | None) -> Wanted:
    """The facts that a caller names so."""
    subjects = None if subject is None else [check_subject(subject)]
    return Wanted(subjects, None if attribute is None else attribute_names(attribute), category)


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


def recall(parts: Parts, views: Sequence[View], key: str, subject: str) -> str | None:
    """The value held under a key in the first view that has one, the latest where there are several."""
    names, whose = attribute_names(key), check_subject(subject)
    for view in views:
        held = seen_from(parts, view, parts.store.read(view.owner, Fact, Query(subjects=[whose], attributes=names)))
        held.sort(key=lambda fact: (fact.disputes is None, fact.said, fact.id))
        for name in names:
            if found := [fact for fact in held if fact.attribute == name]:
                return found[-1].value
    return None


def facts(
    parts: Parts, views: Sequence[View], subject: str | None, attribute: str | None, category: str | None
) -> list[Fact]:
    """What holds in these views, newest first."""
    wanted, found = wanted_by(subject, attribute, category), list[Fact]()
    for view in views:
        some = parts.store.read(view.owner, Fact, Query(subjects=wanted.subjects, attributes=wanted.attributes))
        found += seen_from(parts, view, some)
    return newest_first([fact for fact in found if category is None or fact.category == category])


def newest_first(facts: Sequence[Fact]) -> list[Fact]:
    """Facts, latest said first."""
    return sorted(facts, key=lambda fact: (fact.said, fact.learned, fact.id), reverse=True)


def page(
    parts: Parts, views: Sequence[View], wanted: Wanted, *, limit: int, before: Position | None = None
) -> list[Fact]:
    """So many facts at most of those that hold in these views, latest said first; `before`: from that position on. What
    it costs goes by the limit, not by how much is known."""
    check_limit(limit)
    return newest_first([fact for view in views for fact in latest(parts, view, wanted, limit, before)])[:limit]


def latest(parts: Parts, view: View, wanted: Wanted, limit: int, before: Position | None) -> list[Fact]:
    """The same for one view. What was believed earlier is looked for piece by piece, since the store tells what is
    believed now: position, subject and attribute of a fact never change."""
    now = view.known_at is None
    found, piece = list[Fact](), limit if now else max(limit, PIECE)
    query = Query(latest=True, last=piece, subjects=wanted.subjects, attributes=wanted.attributes)
    if now:
        query = replace(query, category=wanted.category, holding=view.moment)
    else:
        query = replace(query, learned_by=view.known_at)
    while len(found) < limit:
        some = parts.store.read(view.owner, Fact, replace(query, before=before))
        if now:
            found += over_which_none_holds(parts, view, some)
        else:
            found += [fact for fact in seen_from(parts, view, some) if wanted.category in (None, fact.category)]
        if len(some) < piece:
            break
        before = position(some[-1])
    return found[:limit]


def over_which_none_holds(parts: Parts, view: View, facts: Sequence[Fact]) -> list[Fact]:
    """These facts of a page without those over which another one, of any page, holds for a while."""
    alone = [fact for fact in facts if find_attribute(fact.attribute).holds == "one"]
    if not alone:
        return list(facts)
    subjects, names = {fact.subject for fact in alone}, {fact.attribute for fact in alone}
    others = parts.store.read(
        view.owner, Fact, Query(subjects=sorted(subjects), attributes=sorted(names), holding=view.moment)
    )
    over = covered(others)
    return [fact for fact in facts if fact.id not in over]


def position(fact: Fact) -> Position:
    """Where a fact stands among others."""
    return fact.said, fact.learned, fact.id


def newest(parts: Parts, views: Sequence[View], limit: int) -> list[Fact]:
    """Of what holds in these views, what is the newest and what names someone: so many of each in a view, however much
    is known."""
    check_limit(limit)
    found: dict[str, Fact] = {}
    for view in views:
        if view.known_at is not None:
            some = seen_from(parts, view, parts.store.read(view.owner, Fact, Query(named=True, last=limit)))
            some += latest(parts, view, Wanted(), limit, None)
        else:
            some = parts.store.read(view.owner, Fact, Query(named=True, holding=view.moment, last=limit))
            some += parts.store.read(view.owner, Fact, Query(holding=view.moment, last=limit))
        found |= {fact.id: fact for fact in some}
    return newest_first(uncovered(found.values()))


def history(parts: Parts, owner: str, key: str, subject: str) -> list[Fact]:
    """Every value ever held under a key, oldest first."""
    found = parts.store.read(owner, Fact, Query(subjects=[check_subject(subject)], attributes=attribute_names(key)))
    return sorted(found, key=lambda fact: (fact.since is not None, fact.since or fact.said, fact.said, fact.id))


def pinned(parts: Parts, views: Sequence[View], notes_then: Sequence[Note]) -> list[Fact | Note]:
    """What is pinned in these views; `notes_then`: the notes as they were, where an earlier belief is asked for."""
    if views[0].known_at is None:
        return [one for view in views for one in core(parts.store, view.owner, view.moment)]
    found = [fact for view in views for fact in seen_from(parts, view, parts.store.read(view.owner, Fact))]
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
    wanted = wanted_by(subject, attribute, category)
    return page(memory._parts, memory._views(at, known_at), wanted, limit=limit, before=before)
