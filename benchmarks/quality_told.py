"""Telling a story to a memory through the public API and asking it; the baselines are told the same."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone

import numpy as np
import numpy.typing as npt
from measure import Ranking
from quality_baselines import Hashed, Words, fused, ordered
from quality_cache import Cached
from quality_sets import MINUTE, Asked, Said, Session

from recollect import Clock, Fact, Hit, Memory, Message
from recollect.text.tokens import count

DEEP = 100
"""How many hits are asked for."""


@dataclass(frozen=True)
class Answer:
    """What one ranker gave for one question: items best first, and the tokens that each hit puts into a prompt."""

    ranking: Ranking
    tokens: tuple[int, ...] = ()
    seconds: float = 0.0


@dataclass
class Standing:
    """A clock that stands where the story is."""

    at: datetime = datetime(2000, 1, 1, tzinfo=timezone.utc)

    def __call__(self) -> datetime:
        return self.at


@dataclass
class Told:
    """A memory and what of the story each of its messages is. Sessions and messages have names that tell nothing."""

    embedder: Cached
    told_by: datetime | None = None
    """When all of it had been told, whatever its dates; None: each session at its own."""
    clock: Standing = field(default_factory=Standing)
    item_of: dict[str, str] = field(default_factory=dict)
    session_of: dict[str, str] = field(default_factory=dict)
    """The session of each item."""
    names: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        clock = Clock(now=self.clock, randomness=random.Random(7))
        self.memory = Memory(":memory:", owner="me", embedder=self.embedder, clock=clock)
        self.cautious = Memory(self.memory.store, owner="me", embedder=self.embedder, clock=clock, cautious=True)

    def tell(self, session: Session) -> None:
        """Add one session as a batch, each message with its role, speaker and time."""
        said = session.said[-1].at
        self.clock.at = max(self.clock.at, min(said, self.told_by or said))
        name = self.names.setdefault(session.item, f"s{len(self.names)}")
        added = self.memory.add([as_given(one) for one in session.said], session=name)
        for one, message in zip(session.said, added.messages, strict=True):
            self.item_of[message.id] = one.item
            self.session_of[one.item] = session.item

    def ask(self, question: Asked) -> Answer:
        """Search once; how long that took, in CPU time, embedding the question included."""
        self.clock.at = question.at or self.clock.at + MINUTE
        self.embedder.keeping = False
        started = time.process_time()
        hits = self.memory.search(question.text, limit=DEEP)
        seconds = time.process_time() - started
        self.embedder.keeping = True
        return Answer([self.shown(hit) for hit in hits], tuple(cost(hit) for hit in hits), seconds)

    def is_silent(self, question: str, *, cautious: bool = True) -> bool:
        """Whether a memory, cautious or not, finds nothing at the time of the last question."""
        return not (self.cautious if cautious else self.memory).search(question, limit=1)

    def shown(self, hit: Hit) -> frozenset[str]:
        """The items that a hit shows: its message, or the messages that its fact comes from."""
        return self.shown_by(hit.record)

    def shown_by(self, record: object) -> frozenset[str]:
        if isinstance(record, Message):
            return frozenset([self.item_of[record.id]])
        sources = record.sources if isinstance(record, Fact) else ()
        return frozenset(self.item_of[source.message] for source in sources if source.message in self.item_of)

    def as_sessions(self, answer: Answer) -> Answer:
        """Sessions in the order in which their first hit comes."""
        seen: dict[str, int] = {}
        for hit, tokens in zip(answer.ranking, answer.tokens, strict=True):
            for name in sorted({self.session_of[item] for item in hit}):
                seen.setdefault(name, tokens)
        return Answer([{name} for name in seen], tuple(seen.values()), answer.seconds)


def as_given(one: Said) -> dict[str, object]:
    given = {"role": one.role, "content": one.text, "at": one.at}
    return {**given, "name": one.name} if one.name else given


def cost(hit: Hit) -> int:
    """The tokens of what a hit puts into a prompt: who spoke, and the text."""
    name = hit.record.name if isinstance(hit.record, Message) else None
    return count(f"{name}: {hit.text}" if name else hit.text)


@dataclass
class Others:
    """The baselines over the messages told so far; rebuilt when more was told."""

    embedder: Cached
    said: list[Said] = field(default_factory=list)
    owner: list[str] = field(default_factory=list)
    """The session of each message."""
    built: int = -1

    def tell(self, session: Session) -> None:
        self.said += session.said
        self.owner += [session.item] * len(session.said)

    def build(self) -> None:
        """Index what was told since the last question."""
        texts = [spoken(one) for one in self.said]
        joined = {name: "\n".join(self.texts_in(name, texts)) for name in dict.fromkeys(self.owner)}
        self.sessions = list(joined)
        place = {name: i for i, name in enumerate(self.sessions)}
        self.place_of = np.array([place[name] for name in self.owner], dtype=np.int64)
        self.costs = [count(text) for text in texts]
        self.session_costs = [count(text) for text in joined.values()]
        self.words, self.hashed = Words(texts), Hashed(texts)
        self.session_words, self.session_hashed = Words(list(joined.values())), Hashed(list(joined.values()))
        self.vectors = self.embedder.embed(texts)
        self.built = len(self.said)

    def texts_in(self, session: str, texts: Sequence[str]) -> list[str]:
        return [text for text, name in zip(texts, self.owner, strict=True) if name == session]

    def ask(self, question: str, *, sessions: bool) -> dict[str, Answer]:
        """The answer of each baseline, in messages or in sessions."""
        if self.built != len(self.said):
            self.build()
        by_meaning = self.vectors.astype(np.float64) @ self.embedder.embed([question])[0]
        if sessions:
            by_meaning = best_of(by_meaning, self.place_of, len(self.sessions))
        by_words = (self.session_words if sessions else self.words).scores(question)
        by_hash = (self.session_hashed if sessions else self.hashed).scores(question)
        found, near = ordered(by_words, above=0.0)[:DEEP], ordered(by_meaning)[:DEEP]
        rankings = {
            "BM25": found,
            "embedder": near,
            "RRF": fused(found, near)[:DEEP],
            "hash-256": ordered(by_hash, above=0.0)[:DEEP],
        }
        names = self.sessions if sessions else [one.item for one in self.said]
        costs = self.session_costs if sessions else self.costs
        return {
            who: Answer([{names[place]} for place in places], tuple(costs[place] for place in places))
            for who, places in rankings.items()
        }


def spoken(one: Said) -> str:
    return f"{one.name}: {one.text}" if one.name else one.text


def best_of(scores: npt.NDArray[np.float64], place_of: npt.NDArray[np.int64], many: int) -> npt.NDArray[np.float64]:
    """Of each session the score of its best message."""
    best = np.full(many, -1.0)
    np.maximum.at(best, place_of, scores)
    return best
