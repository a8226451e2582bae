"""What is left to do, and how a memory is doing: facts and vectors made later, what is wrong, how much there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from recollect.errors import InvalidInput, ModelError
from recollect.records import Fact, Health, Message, Note, Stats
from recollect.runtime import MOST_QUEUED, Runtime
from recollect.store import MOST_FAILURES, Query, Store, text_of
from recollect.store.copying import Progress
from recollect.store.retry import retried, retry
from recollect.text.tokens import Counter, counter
from recollect.write import MOST_WAITING, batch_size, derive_facts

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


def catch_up(runtime: Runtime, owner: str, *, asked: bool = True) -> int:
    """Derive facts from messages that were only kept, and embed records that have no vector; gives how many.

    Unless `asked` for, a reader that waits for more, or for a model to recover, is left alone.
    """
    done = read_all_waiting(runtime, owner, asked=asked) if asked or getattr(runtime.reader, "turns", 1) == 1 else 0
    if runtime.embedder is None:
        return done
    while missing := runtime.store.without_vectors(owner, runtime.embedder.name, limit=BATCH):
        embedded = runtime.embed([text for _, text in missing])
        if embedded is None or not runtime.save_embedded(owner, [record for record, _ in missing], embedded):
            break
        done += len(missing)
    return done


def read_all_waiting(runtime: Runtime, owner: str, *, asked: bool) -> int:
    """Have the reader read what waits for it, each message once, oldest first; gives how many were read. Unless
    `asked` for, one that can be woken is left alone with what it failed at before."""
    done, size = 0, batch_size(runtime.reader)
    wake = getattr(runtime.reader, "wake", None)
    if asked and wake:
        wake()
    tried = {message for whose, message in runtime.unread if whose == owner} if wake and not asked else set[str]()
    while messages := untried(runtime, owner, tried, size):
        derive_facts(runtime, owner, messages)
        done += sum((owner, message.id) not in runtime.unread for message in messages)
        if "reader" in runtime.problems:
            break
        tried.update(message.id for message in messages)
    return done


def untried(runtime: Runtime, owner: str, tried: set[str], size: int) -> list[Message]:
    """The oldest messages that wait and were not tried yet."""
    waiting = runtime.store.read(owner, Message, Query(waiting=True, first=size + len(tried)))
    return [message for message in waiting if message.id not in tried][:size]


def health(runtime: Runtime, owner: str) -> Health:
    """Check the store and name everything that does not work as it should."""
    problems = [*runtime.store.check(), *(f"{part} failed: {problem}" for part, problem in runtime.problems.items())]
    missing, turns = 0, getattr(runtime.reader, "turns", 1)
    if runtime.embedder is None:
        problems.append("no embedder: search goes by words, attributes and time only")
    else:
        missing = len(runtime.store.without_vectors(owner, runtime.embedder.name, limit=100_000))
    if missing:
        problems.append(f"{missing} records have no vector yet: catch_up() makes them")
    waiting = runtime.store.read(owner, Message, Query(waiting=True, first=batch_size(runtime.reader)))
    if sum(message.role == "user" for message in waiting) >= turns or (waiting and turns == 1):
        problems.append("facts are still to be derived from some messages: catch_up() does it")
    problems += unread_ones(runtime, owner)
    if runtime.reader is None:
        problems.append("no reader: messages are kept, no facts are derived")
    if (last := runtime.store.newest(owner).learned) and last > runtime.now():
        problems.append(f"the clock is behind the last write of {last.isoformat()}: check the system time")
    return Health(
        ok=not problems,
        store=runtime.store.name,
        schema=runtime.store.schema,
        embedder=runtime.embedder.name if runtime.embedder else "none",
        reader=runtime.reader.name if runtime.reader else "none",
        vectors_missing=missing,
        problems=tuple(problems),
    )


def unread_ones(runtime: Runtime, owner: str) -> list[str]:
    """What is to be said of messages that the reader failed at."""
    known = {message: why for (whose, message), why in runtime.unread.items() if whose == owner and why}
    waiting = runtime.store.read(owner, Message, Query(waiting=True, first=MOST_WAITING)) if known else []
    failed = [message.id for message in waiting if message.id in known]
    given_up = [message.id for message in runtime.store.read(owner, Message, Query(waiting=False, first=MOST_WAITING))]
    told = []
    if failed:
        told.append(f"the reader failed at {len(failed)} messages, such as {failed[0]!r}: {known[failed[0]]}")
    if given_up:
        told.append(
            f"{len(given_up)} messages could not be read in {MOST_FAILURES} tries, such as {given_up[0]!r}: their "
            "words are kept and can be found, no facts are derived from them any more"
        )
    return told


def stats(runtime: Runtime, owner: str, tally: Tally) -> Stats:
    """How much an owner remembers."""
    counts = runtime.store.counts(owner, holding=runtime.present(owner))
    return Stats(
        owner=owner,
        messages=counts.messages,
        facts=counts.facts,
        current_facts=counts.holding,
        notes=counts.notes,
        sessions=counts.sessions,
        changes=counts.changes,
        tokens=tally.tokens(runtime.store, owner, counter("o200k")),
        waiting=len(runtime.store.read(owner, Message, Query(waiting=True, first=MOST_WAITING))),
        spent=spent() if (spent := getattr(runtime.reader, "spent", None)) else None,
    )


def make_vectors(runtime: Runtime, limit: int, owners: Sequence[str] | None = None) -> int:
    """Make the vectors of the oldest records that wait for theirs, of these owners or of any; gives how many there
    were. What the embedder fails at is left to `catch_up`, and `health` says so."""
    if not runtime.embedding_queue.making.acquire(timeout=PATIENCE):
        return 0
    taken = runtime.embedding_queue.take(limit, owners)
    try:
        for owner in dict.fromkeys(owner for owner, _ in taken):
            with runtime.after_commit("vectors"):
                embed_kept(runtime, owner, [record for whose, record in taken if whose == owner])
    finally:
        runtime.embedding_queue.done(taken)
        runtime.embedding_queue.making.release()
    return len(taken)


def make_before_search(runtime: Runtime, owners: Sequence[str]) -> None:
    """Make what these owners wait for, so that a search sees all that was added before it."""
    for owner in owners:
        find_missing(runtime, owner)
    while runtime.gathered.records is None and runtime.embedding_queue.of(owners):
        if not make_vectors(runtime, AT_A_TIME, owners):
            break


def find_missing(runtime: Runtime, owner: str) -> None:
    """Have the vectors made that another process has left for later and never made, as it was killed. Looked for once;
    where many are missing, or those of another embedder are there, that is the work of `catch_up` and `reembed`."""
    if runtime.embedder is None or owner in runtime.looked_at or runtime.gathered.records is not None:
        return
    runtime.looked_at.add(owner)
    name, made = runtime.embedder.name, runtime.store.counts(owner).models
    if made and name not in made:
        return
    missing = runtime.store.without_vectors(owner, name, limit=MOST_QUEUED + 1)
    if len(missing) <= MOST_QUEUED:
        runtime.embedding_queue.add([(owner, record) for record, _ in missing])


@retried
def embed_kept(runtime: Runtime, owner: str, ids: Sequence[str]) -> None:
    """Make the vectors of records that were kept without. What was erased or reworded meanwhile gets no old one."""
    texts = texts_of(runtime, owner, ids)
    embedded = runtime.embed(list(texts.values()))
    if embedded is None:
        return
    with runtime.store.transaction(owner):
        now = texts_of(runtime, owner, ids)
        same = [(place, record) for place, (record, text) in enumerate(texts.items()) if now.get(record) == text]
        if same:
            runtime.save_embedded(owner, [record for _, record in same], embedded.at([place for place, _ in same]))


def texts_of(runtime: Runtime, owner: str, ids: Sequence[str]) -> dict[str, str]:
    """The texts that these records are found by."""
    store, query = runtime.store, Query(ids=ids)
    found: list[Message | Fact | Note] = [*store.read(owner, Message, query), *store.read(owner, Fact, query)]
    return {record.id: text_of(record) for record in [*found, *store.read(owner, Note, query)]}


def reembed(runtime: Runtime, owner: str, *, drop_old: bool, progress: Progress) -> int:
    """Embed every record that has no vector of the present embedder; gives how many. Broken off, it goes on where it
    was. `drop_old`: then forget the vectors of all other embedders."""
    if runtime.embedder is None:
        raise InvalidInput("there is no embedder: open the memory with the one that is to make the vectors")
    name, done = runtime.embedder.name, 0
    total = len(runtime.store.without_vectors(owner, name, limit=2**31))
    while missing := runtime.store.without_vectors(owner, name, limit=BATCH):
        embedded = runtime.embed([text for _, text in missing])
        if embedded is None:
            raise ModelError(
                f"the embedder failed after {done} records; try again later: {runtime.problems['embedder']}"
            )
        ids = [record for record, _ in missing]
        retry(lambda ids=ids, embedded=embedded: runtime.keep_embedded(owner, ids, embedded))  # type: ignore[misc]
        done += len(missing)
        progress(done, total)
    for model in runtime.store.counts(owner).models if drop_old else ():
        if model != name:
            runtime.store.erase(owner, [], model=model)
    return done
