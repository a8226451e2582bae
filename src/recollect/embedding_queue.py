"""Vectors made later: those of what many write at once, just after; those of all records, when the embedder changes."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.errors import InvalidInput, ModelError
from recollect.records import Fact, Message, Note
from recollect.runtime import MOST_QUEUED, Parts
from recollect.store import Query, text_of
from recollect.store.copying import Progress
from recollect.store.retries import again, retried

AT_A_TIME = 64
PATIENCE = 10.0
"""Seconds to wait for who makes vectors already; who has the store to themselves would wait for ever."""


def make_vectors(parts: Parts, limit: int, owners: Sequence[str] | None = None) -> int:
    """Make the vectors of the oldest records that wait for theirs, of these owners or of any; gives how many there
    were. What the embedder fails at is left to `catch_up`, and `health` says so."""
    if not parts.embedding_queue.making.acquire(timeout=PATIENCE):
        return 0
    taken = parts.embedding_queue.take(limit, owners)
    try:
        for owner in dict.fromkeys(owner for owner, _ in taken):
            with parts.after_commit("vectors"):
                embed_kept(parts, owner, [record for whose, record in taken if whose == owner])
    finally:
        parts.embedding_queue.done(taken)
        parts.embedding_queue.making.release()
    return len(taken)


def make_before_search(parts: Parts, owners: Sequence[str]) -> None:
    """Make what these owners wait for, so that a search sees all that was added before it."""
    for owner in owners:
        find_missing(parts, owner)
    while (
        parts.embedding_queue.of(owners) and parts.gathered.records is None and make_vectors(parts, AT_A_TIME, owners)
    ):
        pass


def find_missing(parts: Parts, owner: str) -> None:
    """Have the vectors made that another process has left for later and never made, as it was killed. Looked for once;
    where many are missing, or those of another embedder are there, that is the work of `catch_up` and `reembed`."""
    if parts.embedder is None or owner in parts.looked_at or parts.gathered.records is not None:
        return
    parts.looked_at.add(owner)
    name, made = parts.embedder.name, parts.store.counts(owner).models
    if made and name not in made:
        return
    missing = parts.store.without_vectors(owner, name, limit=MOST_QUEUED + 1)
    if len(missing) <= MOST_QUEUED:
        parts.embedding_queue.add([(owner, record) for record, _ in missing])


@retried
def embed_kept(parts: Parts, owner: str, ids: Sequence[str]) -> None:
    """Make the vectors of records that were kept without. What was erased or reworded meanwhile gets no old one."""
    texts = texts_of(parts, owner, ids)
    embedded = parts.embed(list(texts.values()))
    if embedded is None:
        return
    with parts.store.transaction(owner):
        now = texts_of(parts, owner, ids)
        places = [place for place, (record, text) in enumerate(texts.items()) if now.get(record) == text]
        records = list(texts)
        if places:
            parts.save_embedded(owner, [records[place] for place in places], embedded.at(places))


def texts_of(parts: Parts, owner: str, ids: Sequence[str]) -> dict[str, str]:
    """The texts that these records are found by."""
    store = parts.store
    records: list[Message | Fact | Note] = [
        *store.read(owner, Message, Query(ids=ids)),
        *store.read(owner, Fact, Query(ids=ids)),
    ]
    records += store.read(owner, Note, Query(ids=ids))
    return {record.id: text_of(record) for record in records}


BATCH = 256


def reembed(parts: Parts, owner: str, *, drop_old: bool, progress: Progress) -> int:
    """Embed every record that has no vector of the present embedder; gives how many. Broken off, it goes on where it
    was. `drop_old`: then forget the vectors of all other embedders."""
    if parts.embedder is None:
        raise InvalidInput("there is no embedder: open the memory with the one that is to make the vectors")
    name, done = parts.embedder.name, 0
    total = len(parts.store.without_vectors(owner, name, limit=2**31))
    while missing := parts.store.without_vectors(owner, name, limit=BATCH):
        embedded = parts.embed([text for _, text in missing])
        if embedded is None:
            raise ModelError(f"the embedder failed after {done} records; try again later: {parts.problems['embedder']}")
        ids = [record for record, _ in missing]
        again(lambda ids=ids, embedded=embedded: parts.keep_embedded(owner, ids, embedded))  # type: ignore[misc]
        done += len(missing)
        progress(done, total)
    if drop_old:
        for model in parts.store.counts(owner).models:
            if model != name:
                parts.store.erase(owner, [], model=model)
    return done
