"""Changing the embedder: new vectors for what has old ones, and both serve until all is done."""

from __future__ import annotations

from recollect.errors import InvalidInput, ModelError
from recollect.runtime import Parts
from recollect.store.copying import Progress
from recollect.store.retries import again

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
