"""What is known, as lists: the value of a key, the facts that hold, the history of a key, what is pinned."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.change import canonical, check_subject, newest_first
from recollect.core import core
from recollect.errors import InvalidInput
from recollect.parts import Parts
from recollect.records import Fact, Note
from recollect.search import View, key_facts, seen_from


def check_limit(limit: object, name: str = "limit") -> int:
    """The limit, if it can be one."""
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise InvalidInput(f"{name} must be a whole number above 0, not {limit!r}")
    return limit


def recall(parts: Parts, views: Sequence[View], key: str, subject: str) -> str | None:
    """The value held under a key in the first view that has one, the latest where there are several."""
    name, whose = canonical(key), check_subject(subject)
    for view in views:
        if found := key_facts(parts, view, name, whose):
            return found[-1].value
    return None


def facts(
    parts: Parts, views: Sequence[View], subject: str | None, attribute: str | None, category: str | None
) -> list[Fact]:
    """What holds in these views, newest first."""
    subjects = None if subject is None else [check_subject(subject)]
    names = None if attribute is None else [canonical(attribute)]
    found: list[Fact] = []
    for view in views:
        found += seen_from(parts, view, parts.store.facts(view.owner, subjects=subjects, attributes=names))
    return newest_first([fact for fact in found if category is None or fact.category == category])


def newest(parts: Parts, views: Sequence[View], limit: int) -> list[Fact]:
    """Of what holds in these views, what was learned last and what names someone: so many of each in a view, however
    much is known. Only what was believed earlier has to be worked out from all of it."""
    check_limit(limit)
    found: dict[str, Fact] = {}
    for view in views:
        if view.known_at is not None:
            some = seen_from(parts, view, parts.store.facts(view.owner))[-limit:]
        else:
            some = parts.store.facts(view.owner, named=True, holding=view.moment, last=limit)
            some += parts.store.facts(view.owner, holding=view.moment, last=limit)
        found |= {fact.id: fact for fact in some}
    return newest_first(list(found.values()))


def history(parts: Parts, owner: str, key: str, subject: str) -> list[Fact]:
    """Every value ever held under a key, oldest first."""
    found = parts.store.facts(owner, subjects=[check_subject(subject)], attributes=[canonical(key)])
    return sorted(found, key=lambda fact: (fact.since is not None, fact.since or fact.said, fact.said, fact.id))


def pinned(parts: Parts, views: Sequence[View], notes_then: Sequence[Note]) -> list[Fact | Note]:
    """What is pinned in these views; `notes_then`: the notes as they were, where an earlier belief is asked for."""
    if views[0].known_at is None:
        return [one for view in views for one in core(parts.store, view.owner, view.moment)]
    found = [fact for view in views for fact in seen_from(parts, view, parts.store.facts(view.owner))]
    return [fact for fact in found if fact.pinned] + [note for note in notes_then if note.pinned]
