"""How a memory is doing: what is left to do, what is wrong, how much there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from recollect.parts import Parts
from recollect.records import Added, Health, Message, Stats
from recollect.stores import Store
from recollect.tokens import Counter, counter

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
        new = store.messages(owner, last=total - messages) if total > messages else []
        newest = store.messages(owner, last=1)[0].id
        if total < messages or (total == messages and newest != last):
            new, tokens = store.messages(owner), 0  # Something was erased since.
        tokens += sum(count.count(message.content) for message in new)
        self.counted[owner, count.name] = (newest, total, tokens)
        return tokens


def catch_up(parts: Parts, owner: str, settle: Callable[[Parts, str, Sequence[Message]], Added]) -> int:
    """Derive facts from messages that were only kept, and embed records that have no vector; gives how many."""
    done = 0
    while messages := parts.store.unsettled(owner, limit=BATCH):
        settle(parts, owner, messages)
        if "extractor" in parts.problems:
            break
        done += len(messages)
    if parts.embedder is None:
        return done
    while missing := parts.store.without_vectors(owner, parts.embedder.name, limit=BATCH):
        vectors = parts.embed([text for _, text in missing])
        if vectors is None:
            break
        parts.save_embedded(owner, [record for record, _ in missing], vectors)
        done += len(missing)
    return done


def health(parts: Parts, owner: str) -> Health:
    """Check the store and name everything that does not work as it should."""
    problems = [*parts.store.check(), *(f"{part} failed: {problem}" for part, problem in parts.problems.items())]
    missing = 0
    if parts.embedder is None:
        problems.append("no embedder: search goes by words, attributes and time only")
    else:
        missing = len(parts.store.without_vectors(owner, parts.embedder.name, limit=100_000))
    if missing:
        problems.append(f"{missing} records have no vector yet: catch_up() makes them")
    if parts.store.unsettled(owner, limit=1):
        problems.append("facts are still to be derived from some messages: catch_up() does it")
    if parts.extractor is None:
        problems.append("no extractor: messages are kept, no facts are derived")
    if (last := parts.store.last_learned(owner)) and last > parts.now():
        problems.append(f"the clock is behind the last write of {last.isoformat()}: check the system time")
    return Health(
        ok=not problems,
        store=parts.store.name,
        schema=parts.store.schema,
        embedder=parts.embedder.name if parts.embedder else "none",
        extractor=parts.extractor.name if parts.extractor else "none",
        vectors_missing=missing,
        problems=tuple(problems),
    )


def stats(parts: Parts, owner: str, tally: Tally) -> Stats:
    """How much an owner remembers."""
    counts = parts.store.counts(owner)
    current = parts.store.facts(owner, holding=parts.present(owner))
    return Stats(
        owner=owner,
        messages=counts.messages,
        facts=counts.facts,
        current_facts=len(current),
        notes=counts.notes,
        sessions=counts.sessions,
        changes=counts.changes,
        tokens=tally.tokens(parts.store, owner, counter("o200k")),
    )
