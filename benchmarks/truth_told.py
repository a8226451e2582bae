"""Telling a memory what a data set says, and ranking: shared by the modules of the sets."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TypeVar

from measure import newest_first
from quality_cache import cached

from recollect import Clock, Fact, Hit, Memory, Message
from recollect.embed import Embedder, open_embedder
from recollect.records import Added, Origin
from recollect.text.words import query_terms

Item = TypeVar("Item")

START = datetime(2024, 1, 1, tzinfo=timezone.utc)
MINUTE = timedelta(minutes=1)
DEEP = 100
"""How many hits are asked for where a measure looks beyond the first five."""


EMBEDDER: dict[str, Embedder] = {}
"""The embedder that memories are opened with, where it is not the default one."""


def use(embedder: str, cache: Path | None = None) -> None:
    """Have all memories of this run use an embedder, with vectors kept in a file."""
    EMBEDDER["embedder"] = cached(open_embedder(embedder), cache)


@dataclass
class Standing:
    """A clock that stands where the data says, so that what is told is learned when it was said."""

    at: datetime = START

    def __call__(self) -> datetime:
        return self.at


@dataclass
class Telling:
    """A memory, its clock, and which item of the data each of its messages is."""

    memory: Memory
    clock: Standing
    item_of: dict[str, str] = field(default_factory=dict)
    place: dict[str, int] = field(default_factory=dict)
    """The order in which the items were told."""

    def tell(
        self,
        said: Sequence[tuple[str, str, datetime]],
        *,
        session: str,
        role: str = "user",
        origin: Origin | None = None,
    ) -> Added:
        """Tell (item, text, time) one after the other, as one batch."""
        self.clock.at = max(self.clock.at, said[-1][2])
        given = [{"role": role, "content": text, "at": at} for _, text, at in said]
        added = self.memory.add(given, session=session, origin=origin)
        for (item, _, _), message in zip(said, added.messages, strict=True):
            self.item_of[message.id] = item
            self.place.setdefault(item, len(self.place))
        return added

    def shown(self, hit: Hit) -> frozenset[str]:
        """The items that a hit shows: its message, or the messages that its fact comes from."""
        if isinstance(hit.record, Message):
            return frozenset([self.item_of[hit.record.id]])
        sources = hit.record.sources if isinstance(hit.record, Fact) else ()
        return frozenset(self.item_of[source.message] for source in sources if source.message in self.item_of)

    def unmarked(self, hits: Sequence[Hit], k: int = 5) -> list[frozenset[str]]:
        """What those of the first k hits show that are not marked as history."""
        return [self.shown(hit) for hit in hits[:k] if hit.ended is None]

    def found(self, question: str, *, limit: int = DEEP) -> list[Hit]:
        return self.memory.search(question, limit=limit)

    def ranking(self, question: str, *, limit: int = DEEP) -> list[frozenset[str]]:
        return [self.shown(hit) for hit in self.found(question, limit=limit)]

    def plain(self, question: str) -> list[tuple[str, float]]:
        """Items by BM25 alone, best first; exact ties in the order in which they were told."""
        matches = self.memory.store.match_words(self.memory.owner, query_terms(question), limit=1000)
        ranked = [(self.item_of[match.id], match.score) for match in matches]
        return sorted(ranked, key=lambda one: (-one[1], self.place[one[0]]))

    def baselines(self, question: str) -> tuple[list[frozenset[str]], list[frozenset[str]]]:
        """By relevance only, and the same with the newest first among near ties."""
        ranked = self.plain(question)
        newest = newest_first(ranked, self.place)
        return [frozenset([item]) for item, _ in ranked], [frozenset([item]) for item in newest]


def telling(*, plain: bool = False, owner: str = "me", at: datetime = START) -> Telling:
    """A new, empty memory; `plain`: messages and BM25 only, the baseline."""
    clock = Standing(at)
    parts = Clock(now=clock, randomness=random.Random(7))
    if plain:
        return Telling(Memory(":memory:", owner=owner, embedder=None, reader=None, clock=parts), clock)
    return Telling(Memory(":memory:", owner=owner, clock=parts, **EMBEDDER), clock)


def closed(added: Added) -> list[Fact]:
    """Facts that an add ended or retired."""
    gone = ("ended", "retired")
    ids = {change.record_id for receipt in added.receipts for change in receipt.changes if change.kind in gone}
    return [fact for receipt in added.receipts for fact in receipt.affected if fact.id in ids]


def sample(items: Iterable[Item], count: int, seed: int = 7) -> list[Item]:
    """So many of the items, always the same ones, in their order."""
    everything = list(items)
    if len(everything) <= count:
        return everything
    chosen = sorted(random.Random(seed).sample(range(len(everything)), count))
    return [everything[place] for place in chosen]
