"""Records of an export on their way into an owner's memory: what is there already is passed over, what would take the
place of something else is refused, and a message whose id another session has gets an id of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from recollect.errors import InvalidInput
from recollect.messages import place, possible_ids
from recollect.records import Change, Fact, Message, Note, Source
from recollect.store import Query, Store, facts_from

ORDER = (Message, Fact, Note, Change)
"""Facts name messages and changes name facts: what is named comes first."""
LINKS = ("replaces", "replaced_by", "disputes")


def in_order(groups: Iterable[Sequence[Any]]) -> list[Sequence[Any]]:
    """Groups of records, each of one kind, so that what others name comes before them."""
    return sorted(groups, key=lambda records: ORDER.index(type(records[0])))


class Arrival:
    """Keeps the records of one file, given group by group as `in_order` has them."""

    def __init__(self, store: Store, owner: str, *, empty: bool) -> None:
        self._store, self._owner, self._empty = store, owner, empty
        self._seen: dict[type, set[str]] = {kind: set() for kind in ORDER}
        self._names: dict[str, str] = {}
        """Ids of the file that are others here."""
        self._here: set[str] = set()
        """Messages that were here before."""

    def keep(self, records: Sequence[Any]) -> int:
        """Save those of these records, all of one kind, that are not there yet; gives how many."""
        kind = type(records[0])
        self._refuse_twice(kind, [record.id for record in records])
        if kind is Message:
            return self._keep_messages(records)
        renamed: Sequence[Any] = [with_names(record, self._names) for record in records] if self._names else records
        renamed = self._not_known_otherwise(renamed) if kind is Fact and self._here else renamed
        ids = [record.id for record in renamed]
        held = (
            {} if self._empty else {record.id: record for record in self._store.read(self._owner, kind, Query(ids=ids))}
        )
        new = [record for record in renamed if held.get(record.id) != record]
        if clash := next((one for one in new if one.id in held), None):
            raise other_content(clash.id)
        new = [one for one in new if not isinstance(one, Change) or one.record_id not in self._names]
        self._store.save(self._owner, new)
        return len(new)

    def _keep_messages(self, messages: Sequence[Message]) -> int:
        """The same item of the same session is passed over; in another session it is kept beside it."""
        names = [] if self._empty else list({name: None for one in messages for name in possible_ids(one)})
        held = {one.id: one for one in self._store.read(self._owner, Message, Query(ids=names))} if names else {}
        placed = place(messages, held) if held else messages
        pairs = zip(messages, placed, strict=True)
        self._names |= {given.id: kept.id for given, kept in pairs if given.id != kept.id}
        self._here |= {one.id for one in placed if one.id in held}
        new = [one for one in placed if one.id not in held]
        self._store.save(self._owner, new)
        self._store.settle(self._owner, [one.id for one in new])
        return len(new)

    def _not_known_otherwise(self, facts: Sequence[Fact]) -> list[Fact]:
        """Without facts that were made here too, of messages that were here before; their ids are those made here."""
        named = {source.message for fact in facts for source in fact.sources} & self._here
        known = facts_from(self._store, self._owner, sorted(named)) if named else {}
        made = {told(fact): fact for found in known.values() for fact in found}
        twins = [(fact, made[told(fact)]) for fact in facts if told(fact) in made]
        same = {fact.id: kept.id for fact, kept in twins if fact.id != kept.id}
        if other := next((fact for fact, kept in twins if fact.id in same and is_over(fact) != is_over(kept)), None):
            raise other_content(other.id)
        self._names |= same
        return [with_names(fact, same) for fact in facts if fact.id not in same]

    def _refuse_twice(self, kind: type, ids: Sequence[str]) -> None:
        seen, before = self._seen[kind], len(self._seen[kind])
        repeated = [] if seen.isdisjoint(ids) else [one for one in ids if one in seen]
        seen.update(ids)
        if len(seen) < before + len(ids):
            repeated = repeated or [one for one in ids if ids.count(one) > 1]
            raise InvalidInput(f"{repeated[0]!r} stands twice in this file")


def told(fact: Fact) -> tuple[object, ...]:
    """What tells whether two facts of one message are the same one."""
    return fact.subject, fact.attribute, fact.value


def is_over(fact: Fact) -> tuple[bool, bool]:
    return fact.until is not None, fact.retired is not None


def other_content(record_id: str) -> InvalidInput:
    return InvalidInput(f"{record_id!r} is already here with other content; import into an empty owner")


def with_names(record: Any, names: Mapping[str, str]) -> Any:
    """The record, with the ids that it names as they are here."""
    if isinstance(record, Fact):
        sources = tuple(Source(names.get(one.message, one.message), one.quote) for one in record.sources)
        links = {name: names.get(link, link) for name in LINKS if (link := getattr(record, name))}
        return replace(record, sources=sources, **links)
    if isinstance(record, Change):
        return replace(record, before=data_with(record.before, names), after=data_with(record.after, names))
    return record


def data_with(data: Mapping[str, Any] | None, names: Mapping[str, str]) -> dict[str, Any] | None:
    """The same for a fact as a change tells it."""
    if data is None:
        return None
    links = {name: names.get(data[name], data[name]) for name in LINKS if data.get(name)}
    sources = [one | {"message": names.get(one["message"], one["message"])} for one in data.get("sources") or ()]
    return {**data, **links, **({"sources": sources} if "sources" in data else {})}
