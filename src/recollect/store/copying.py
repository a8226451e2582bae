"""From one store to another: every record of every owner, with its vectors, checked by count and content."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from recollect.errors import InvalidInput, StoreError
from recollect.records import Change, Fact, Message, Note
from recollect.serialize import to_plain
from recollect.store import Query, Store

BATCH = 500
TRIES = 5
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Copied:
    """What a copy holds, as both stores agree."""

    owners: int
    records: int
    vectors: int
    sha256: str
    """Of all records of all owners, in their order."""


@dataclass(frozen=True)
class Everything:
    """All that one owner has, in the order it was kept."""

    kept: dict[type, list[Any]]
    """The records of each kind."""
    unsettled: list[str]
    vectors: dict[str, int]

    @property
    def records(self) -> list[Any]:
        return [record for records in self.kept.values() for record in records]

    def digest(self) -> str:
        """A hash of everything but the numbers inside vectors, which each store keeps in its own precision."""
        found = hashlib.sha256()
        for record in self.records:
            found.update(json.dumps(to_plain(record), sort_keys=True).encode())
        found.update(json.dumps([self.unsettled, self.vectors], sort_keys=True).encode())
        return found.hexdigest()


def everything_of(store: Store, owner: str) -> Everything:
    """All that the store has of an owner."""
    kept: dict[type, list[Any]] = {kind: store.read(owner, kind) for kind in (Message, Fact, Note, Change)}
    waiting = [one.id for waits in (True, False) for one in store.read(owner, Message, Query(waiting=waits))]
    return Everything(kept, sorted(waiting), dict(store.counts(owner).models))


def copy_store(source: Store, target: Store, progress: Progress = lambda done, total: None) -> Copied:
    """Copy all owners. Done again after it broke off, it goes on where it was; what is there already, unchanged, is
    passed over. While others write to the source, each owner is copied as of one moment."""
    owners = source.owners()
    sizes = {owner: source.counts(owner) for owner in owners}
    total = sum(one.messages + one.facts + one.notes + one.changes for one in sizes.values())
    done = vectors = 0
    digest = hashlib.sha256()
    for owner in owners:
        copied = _copy_owner(source, target, owner, lambda count, before=done: progress(before + count, total))  # type: ignore[misc]
        done += len(copied.records)
        vectors += sum(copied.vectors.values())
        digest.update(copied.digest().encode())
        progress(done, total)
    return Copied(len(owners), done, vectors, digest.hexdigest())


def _copy_owner(source: Store, target: Store, owner: str, progress: Callable[[int], None]) -> Everything:
    """Copy until source and target agree: the source may be written while it is read."""
    for _ in range(TRIES):
        wanted = everything_of(source, owner)
        held = everything_of(target, owner)
        if held.digest() == wanted.digest():
            return held
        _refuse_others(target, owner, wanted, held)
        _bring(source, target, owner, wanted, held, progress)
    with source.transaction(owner):  # it is written all the time: now it waits for us
        wanted = everything_of(source, owner)
        _bring(source, target, owner, wanted, everything_of(target, owner), progress)
    held = everything_of(target, owner)
    if held.digest() != wanted.digest():
        raise StoreError(f"the copy of {owner!r} in {target.name!r} is not what {source.name!r} has: copy again")
    return held


def _refuse_others(target: Store, owner: str, wanted: Everything, held: Everything) -> None:
    known = {record.id for record in wanted.records}
    own = [record.id for record in held.records if record.id not in known]
    texts = {message.id: message for message in wanted.kept[Message]}
    own += [message.id for message in held.kept[Message] if texts.get(message.id, message) != message]
    if own:
        raise InvalidInput(
            f"{target.name!r} has records of {owner!r} that the source lacks, such as {own[0]!r}: "
            "copy to an empty store"
        )


def _bring(
    source: Store, target: Store, owner: str, wanted: Everything, held: Everything, progress: Callable[[int], None]
) -> None:
    done = 0
    for kind, records in wanted.kept.items():
        known = {record.id: record for record in held.kept[kind]}
        for batch in _batches([record for record in records if known.get(record.id) != record]):
            target.save(owner, batch)
            progress(done := done + len(batch))
    waiting = set(wanted.unsettled)
    for batch in _batches([message.id for message in wanted.kept[Message] if message.id not in waiting]):
        target.settle(owner, batch)
    _bring_vectors(source, target, owner, wanted, held)


def _bring_vectors(source: Store, target: Store, owner: str, wanted: Everything, held: Everything) -> None:
    ids = [record.id for record in wanted.records if not isinstance(record, Change)]
    for model, count in wanted.vectors.items():
        if held.vectors.get(model) != count:
            for batch in _batches(ids):
                vectors, tokens = source.vectors(owner, model, batch), source.tokens(owner, model, batch)
                target.save_vectors(owner, model, vectors, tokens)


def _batches(records: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for start in range(0, len(records), BATCH):
        yield records[start : start + BATCH]
