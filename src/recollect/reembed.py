"""Changing the embedder: new vectors for what has old ones, and both served until all is done."""

from __future__ import annotations

from datetime import datetime

from recollect.embedders import embed_question
from recollect.errors import InvalidInput, ModelError
from recollect.parts import Parts
from recollect.stores import Match
from recollect.stores.again import again
from recollect.stores.copying import Progress

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
        for model in parts.store.generations(owner):
            if model != name:
                parts.store.drop_vectors(owner, model)
    return done


def by_former(parts: Parts, owner: str, query: str, *, limit: int, holding: datetime | None) -> list[Match]:
    """What the former embedder finds among records that the present one has not embedded yet. A score is always
    between two vectors of one embedder, and a record is never scored by both."""
    if parts.former is None or parts.embedder is None:
        return []
    try:
        vector, _ = embed_question(parts.former, query)
    except Exception as error:  # A third party's code may raise anything; the new vectors and words still answer.
        parts.problems["former embedder"] = f"{type(error).__name__}: {error}"
        return []
    parts.problems.pop("former embedder", None)
    found = parts.store.match_vector(owner, parts.former.name, vector, limit=limit, holding=holding)
    renewed = parts.store.vectors(owner, parts.embedder.name, [one.id for one in found]) if found else {}
    return [one for one in found if one.id not in renewed]
