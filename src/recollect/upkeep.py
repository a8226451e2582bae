"""How a memory is doing: what is left to do, what is wrong, how much there is."""

from __future__ import annotations

from dataclasses import dataclass, field

from recollect.add import MOST_WAITING, batch_size, settle
from recollect.records import Health, Message, Stats
from recollect.runtime import Parts
from recollect.store import MOST_FAILURES, Query, Store
from recollect.text.tokens import Counter, counter

BATCH = 256


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
    if getattr(parts.reader, "turns", 1) == 1 or asked:
        done = read_all_waiting(parts, owner, asked=asked)
    else:
        done = 0
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
    again = [message.id for message in waiting if message.id in known]
    given_up = [message.id for message in parts.store.read(owner, Message, Query(waiting=False, first=MOST_WAITING))]
    told = []
    if again:
        told.append(f"the reader failed at {len(again)} messages, such as {again[0]!r}: {known[again[0]]}")
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
