"""What is left to do, and how a memory is doing: facts and vectors made later, what is wrong, how much there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from recollect.add import MOST_WAITING, batch_size, settle
from recollect.errors import InvalidInput, ModelError
from recollect.records import Fact, Health, Message, Note, Stats
from recollect.runtime import MOST_QUEUED, Parts
from recollect.store import MOST_FAILURES, Query, Store, text_of
from recollect.store.copying import Progress
from recollect.store.retries import again, retried
from recollect.text.tokens import Counter, counter

BATCH, AT_A_TIME = 256, 64
"""So many vectors are made in one call: of all that have none, and of those that a search waits for."""
PATIENCE = 10.0
"""Seconds to wait for who makes vectors already; who has the store to themselves would wait for ever."""


@dataclass
class Tally:
    """What an owner's whole history costs in tokens, counted once and then only for what is new."""

    counted: dict[tuple[str, str], tuple[str, int, int]] = field(default_factory=dict)

    def tokens(self, store: Store, owner: str, count: Counter) -> int:
        """Tokens of all messages of this owner."""
        total = store.counts(owner).messages
        last, messages, tokens = self.counted.get((owner, count.name), ("", 0, 0))
        if total == 0:
            return 0
        new = store.read(owner, Message, Query(last=total - messages)) if total > messages else []
        newest = store.read(owner, Message, Query(last=1))[0].id
        if total < messages or (total == messages and newest != last):
            new, tokens = store.read(owner, Message), 0  # Something was erased since.
        tokens += sum(count.count(message.content) for message in new)
        self.counted[owner, count.name] = (newest, total, tokens)
        return tokens


def catch_up(parts: Parts, owner: str, *, asked: bool = True) -> int:
    """Derive facts from messages that were only kept, and embed records that have no vector; gives how many.

    Unless `asked` for, a reader that waits for more, or for a model to recover, is left alone.
    """
    done = read_all_waiting(parts, owner, asked=asked) if asked or getattr(parts.reader, "turns", 1) == 1 else 0
    if parts.embedder is None:
        return done
    while missing := parts.store.without_vectors(owner, parts.embedder.name, limit=BATCH):
        embedded = parts.embed([text for _, text in missing])
        if embedded is None or not parts.save_embedded(owner, [record for record, _ in missing], embedded):
            break
        done += len(missing)
    return done


def read_all_waiting(parts: Parts, owner: str, *, asked: bool) -> int:
    """Have the reader read what waits for it, each message once, oldest first; gives how many were read. Unless
    `asked` for, one that can be woken is left alone with what it failed at before."""
    done, size = 0, batch_size(parts.reader)
    wake = getattr(parts.reader, "wake", None)
    if asked and wake:
        wake()
    tried = {message for whose, message in parts.unread if whose == owner} if wake and not asked else set[str]()
    while messages := untried(parts, owner, tried, size):
        settle(parts, owner, messages)
        done += sum((owner, message.id) not in parts.unread for message in messages)
        if "reader" in parts.problems:
            break
        tried.update(message.id for message in messages)
    return done


def untried(parts: Parts, owner: str, tried: set[str], size: int) -> list[Message]:
    """The oldest messages that wait and were not tried yet."""
    waiting = parts.store.read(owner, Message, Query(waiting=True, first=size + len(tried)))
    return [message for message in waiting if message.id not in tried][:size]


def health(parts: Parts, owner: str) -> Health:
    """Check the store and name everything that does not work as it should."""
    problems = [*parts.store.check(), *(f"{part} failed: {problem}" for part, problem in parts.problems.items())]
    missing, turns = 0, getattr(parts.reader, "turns", 1)
    if parts.embedder is None:
        problems.append("no embedder: search goes by words, attributes and time only")
    else:
        missing = len(parts.store.without_vectors(owner, parts.embedder.name, limit=100_000))
    if missing:
        problems.append(f"{missing} records have no vector yet: catch_up() makes them")
    waiting = parts.store.read(owner, Message, Query(waiting=True, first=batch_size(parts.reader)))
    if sum(message.role == "user" for message in waiting) >= turns or (waiting and turns == 1):
        problems.append("facts are still to be derived from some messages: catch_up() does it")
    problems += unread_ones(parts, owner)
    if parts.reader is None:
        problems.append("no reader: messages are kept, no facts are derived")
    if (last := parts.store.newest(owner).learned) and last > parts.now():
        problems.append(f"the clock is behind the last write of {last.isoformat()}: check the system time")
    return Health(
        ok=not problems,
        store=parts.store.name,
        schema=parts.store.schema,
        embedder=parts.embedder.name if parts.embedder else "none",
        reader=parts.reader.name if parts.reader else "none",
        vectors_missing=missing,
        problems=tuple(problems),
    )


def unread_ones(parts: Parts, owner: str) -> list[str]:
    """What is to be said of messages that the reader failed at."""
    known = {message: why for (whose, message), why in parts.unread.items() if whose == owner and why}
    waiting = parts.store.read(owner, Message, Query(waiting=True, first=MOST_WAITING)) if known else []
    failed = [message.id for message in waiting if message.id in known]
    given_up = [message.id for message in parts.store.read(owner, Message, Query(waiting=False, first=MOST_WAITING))]
    told = []
    if failed:
        told.append(f"the reader failed at {len(failed)} messages, such as {failed[0]!r}: {known[failed[0]]}")
    if given_up:
        told.append(
            f"{len(given_up)} messages could not be read in {MOST_FAILURES} tries, such as {given_up[0]!r}: their "
            "words are kept and can be found, no facts are derived from them any more"
        )
    return told


def stats(parts: Parts, owner: str, tally: Tally) -> Stats:
    """How much an owner remembers."""
    counts = parts.store.counts(owner)
    return Stats(
        owner=owner,
        messages=counts.messages,
        facts=counts.facts,
        current_facts=parts.store.counts(owner, holding=parts.present(owner)).holding,
        notes=counts.notes,
        sessions=counts.sessions,
        changes=counts.changes,
        tokens=tally.tokens(parts.store, owner, counter("o200k")),
        waiting=len(parts.store.read(owner, Message, Query(waiting=True, first=MOST_WAITING))),
        spent=spent() if (spent := getattr(parts.reader, "spent", None)) else None,
    )


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
    while parts.gathered.records is None and parts.embedding_queue.of(owners):
        if not make_vectors(parts, AT_A_TIME, owners):
            break


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
        same = [(place, record) for place, (record, text) in enumerate(texts.items()) if now.get(record) == text]
        if same:
            parts.save_embedded(owner, [record for _, record in same], embedded.at([place for place, _ in same]))


def texts_of(parts: Parts, owner: str, ids: Sequence[str]) -> dict[str, str]:
    """The texts that these records are found by."""
    store, query = parts.store, Query(ids=ids)
    found: list[Message | Fact | Note] = [*store.read(owner, Message, query), *store.read(owner, Fact, query)]
    return {record.id: text_of(record) for record in [*found, *store.read(owner, Note, query)]}


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
    for model in parts.store.counts(owner).models if drop_old else ():
        if model != name:
            parts.store.erase(owner, [], model=model)
    return done
