"""Vectors that follow: what many write at once is kept and found by words first, its vectors are made just after."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.records import Fact, Message, Note
from recollect.runtime import MOST_BEHIND, Parts
from recollect.store import Query, text_of
from recollect.store.retries import retried

AT_A_TIME = 64
PATIENCE = 10.0
"""Seconds to wait for who makes vectors already; who has the store to themselves would wait for ever."""


def make_vectors(parts: Parts, limit: int, owners: Sequence[str] | None = None) -> int:
    """Make the vectors of the oldest records that wait for theirs, of these owners or of any; gives how many there
    were. What the embedder fails at is left to `catch_up`, and `health` says so."""
    if not parts.behind.making.acquire(timeout=PATIENCE):
        return 0
    taken = parts.behind.take(limit, owners)
    try:
        for owner in dict.fromkeys(owner for owner, _ in taken):
            with parts.after_commit("vectors"):
                embed_kept(parts, owner, [record for whose, record in taken if whose == owner])
    finally:
        parts.behind.done(taken)
        parts.behind.making.release()
    return len(taken)


def make_before_search(parts: Parts, owners: Sequence[str]) -> None:
    """Make what these owners wait for, so that a search sees all that was added before it."""
    for owner in owners:
        find_missing(parts, owner)
    while parts.behind.of(owners) and parts.gathered.records is None and make_vectors(parts, AT_A_TIME, owners):
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
    missing = parts.store.without_vectors(owner, name, limit=MOST_BEHIND + 1)
    if len(missing) <= MOST_BEHIND:
        parts.behind.add([(owner, record) for record, _ in missing])


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
