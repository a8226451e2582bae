"""What the verbs run on, passed from one to the other: store, embedder, reader, clock."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

from recollect.clock import Clock
from recollect.embed import Embedder, TokenEmbedder, embed_question
from recollect.errors import ModelError, RecollectError, StoreError
from recollect.reader import Reader
from recollect.records import Fact, Message, Note
from recollect.store import Store, text_of
from recollect.text.redact import Redactor

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from recollect.note_folder import Followed
    from recollect.summary import Digest

STEP = timedelta(microseconds=1)
LONG = 0.05
"""Seconds that writers may wait for vectors of adds that are made together; what takes longer may follow."""
MOST_QUEUED = 256
"""Records whose vectors may follow at a time: a search of their owner waits for all of them."""


class Embedded(NamedTuple):
    """What an embedder made of texts: one vector each, and their words packed where it makes such."""

    vectors: npt.NDArray[np.float32]
    tokens: Sequence[bytes] = ()

    def at(self, places: Sequence[int]) -> Embedded:
        """Those of some of the texts."""
        if len(places) == len(self.vectors) and list(places) == list(range(len(places))):
            return self
        return Embedded(self.vectors[list(places)], [self.tokens[place] for place in places] if self.tokens else ())


class Gathered(threading.local):
    """Records of adds that share a transaction of this thread, to be embedded in one call at its end; None: at once."""

    records: list[tuple[str, str, str]] | None = None
    """Owner, id and text."""


class EmbeddingQueue:
    """Records whose vectors follow, by owner and id, oldest first. No texts: what is erased meanwhile is nowhere."""

    def __init__(self) -> None:
        self._taken: dict[tuple[str, str], bool] = {}
        """Whether the vector of a record is being made; until it is `done` the record counts as waiting."""
        self._lock, self.making = threading.Lock(), threading.Lock()

    def __len__(self) -> int:
        return len(self._taken)

    def of(self, owners: Sequence[str]) -> int:
        """How many of these owners wait, or are being made."""
        with self._lock:
            return sum(owner in owners for owner, _ in self._taken)

    def add(self, records: Collection[tuple[str, str]]) -> None:
        with self._lock:
            self._taken |= dict.fromkeys(records, False)

    def take(self, limit: int, owners: Sequence[str] | None) -> list[tuple[str, str]]:
        """The oldest, of these owners or of any."""
        with self._lock:
            waiting = [one for one, taken in self._taken.items() if not taken and (owners is None or one[0] in owners)]
            self._taken |= dict.fromkeys(waiting[:limit], True)
        return waiting[:limit]

    def done(self, records: Collection[tuple[str, str]]) -> None:
        with self._lock:
            for one in records:
                self._taken.pop(one, None)


@dataclass
class Runtime:
    """The objects behind every verb. Whatever fails without losing anything is remembered in `problems`."""

    store: Store
    clock: Clock
    embedder: Embedder | None = None
    reader: Reader | None = None
    previous_embedder: Embedder | None = None
    """The embedder before this one, which answers for records that have no vector of this one yet."""
    cautious: bool = False
    """Whether a search rather gives nothing than what someone else may have said of themselves."""
    redactor: Redactor = field(default_factory=Redactor)
    """What is taken out of texts before they are kept."""
    problems: dict[str, str] = field(default_factory=dict)
    unread: dict[tuple[str, str], str] = field(default_factory=dict)
    """Messages that the reader failed at, by owner and id, and what is wrong with each: they wait for `catch_up`."""
    digests: dict[tuple[str, str], Digest] = field(default_factory=dict)
    """Summaries that models wrote of long conversations, by owner and session."""
    followed: dict[str, dict[str, Followed]] = field(default_factory=dict)
    """Files that are read again when they change, by owner and path of their note."""
    looked_at: set[str] = field(default_factory=set)
    """Owners of whom it is known which records had no vector when this process began."""
    gathered: Gathered = field(default_factory=Gathered)
    embedding_queue: EmbeddingQueue = field(default_factory=EmbeddingQueue)
    seconds: float = 0.0
    """How long the embedder takes for a text, of late."""

    def __post_init__(self) -> None:
        self.by_tokens = self.embedder if isinstance(self.embedder, TokenEmbedder) else None
        """The embedder, where it compares word by word. Asked once: to compare with a protocol takes long."""

    def tick(self, owner: str) -> datetime:
        """The moment of a new write: now, or just after the owner's last write when the clock has stepped back."""
        return max(self.now(), (self.store.newest(owner).learned or self.now() - STEP) + STEP)

    def present(self, owner: str) -> datetime:
        """The moment at which "now" is asked: never before anything that was written."""
        return self.not_before(self.store.newest(owner).learned)

    def not_before(self, learned: datetime | None) -> datetime:
        """Now, or what was learned last when the clock has stepped back."""
        now = self.now()
        return now if learned is None else max(now, learned)

    def now(self) -> datetime:
        moment = self.clock.now()
        return moment.astimezone(timezone.utc) if moment.tzinfo else moment.replace(tzinfo=timezone.utc)

    def lacks_vectors(self, owners: Sequence[str]) -> bool:
        """Whether records of these owners may still wait for their vectors."""
        return not self.looked_at.issuperset(owners) or self.embedding_queue.of(owners) > 0

    def embed(self, texts: Sequence[str]) -> Embedded | None:
        """The texts' vectors, or None when there is no embedder or it fails: what was said is kept all the same."""
        if self.embedder is None or not texts:
            return None
        began, tokens = time.perf_counter(), self.by_tokens
        with self._minding_embedder():
            made = Embedded(self.embedder.embed(texts)) if tokens is None else Embedded(*tokens.embed_tokens(texts))
            if len(made.vectors) != len(texts):
                raise ModelError(f"the embedder gave {len(made.vectors)} vectors for {len(texts)} texts")
            took = (time.perf_counter() - began) / len(texts)
            self.seconds = (self.seconds + took) / 2 if self.seconds else took
            return made
        return None

    def embed_question(self, text: str) -> tuple[npt.NDArray[np.float32] | None, bool]:
        """A question's vector, or None when there is no embedder or it fails: words then carry the search. And whether
        it is a request, as far as the embedder can tell."""
        if self.embedder is not None:
            with self._minding_embedder():
                vector, is_request = embed_question(self.embedder, text)
                if not isfinite(sum(map(float, vector))):
                    raise ModelError("the embedder gave NaN or infinity for the question")
                return vector, is_request
        return None, False

    @contextmanager
    def _minding_embedder(self) -> Iterator[None]:
        """What fails inside is remembered as a problem, until it works again."""
        try:
            yield
        except Exception as error:  # A third party's code may raise anything.
            self.problems["embedder"] = f"{type(error).__name__}: {error}"
        else:
            self.problems.pop("embedder", None)

    @contextmanager
    def after_commit(self, part: str) -> Iterator[None]:
        """What the store refuses inside comes after the words are durable, so that nobody is told that they were not
        kept: it is remembered as a problem, until it works again."""
        try:
            yield
        except StoreError as error:
            told = error.__cause__ or error
            self.problems[part] = f"{told} (what was written before is kept, catch_up() does the rest)"
        else:
            self.problems.pop(part, None)

    def embed_new(self, texts: Sequence[str]) -> Embedded | None:
        """The vectors of texts that are about to be kept; None also where they are gathered, to be embedded later."""
        return self.embed(texts) if self.gathered.records is None else None

    @contextmanager
    def together(self, owner: str, *, later: bool = False) -> Iterator[None]:
        """What is added inside is durable together on leaving, and embedded in one call. `later`: vectors for which
        other writers would have to wait long follow, when someone calls `make_vectors`."""
        following: list[tuple[str, str]] = []
        with self.store.transaction(owner):
            if self.gathered.records is not None:
                yield
                return
            gathered: list[tuple[str, str, str]] = []
            self.gathered.records = gathered
            try:
                yield
            finally:
                self.gathered.records = None
            has_room = len(self.embedding_queue) + len(gathered) <= MOST_QUEUED
            if later and has_room and self.seconds * len(gathered) > LONG:
                following = [(whose, record) for whose, record, _ in gathered]
            else:
                self._embed_gathered(gathered)
        self.embedding_queue.add(following)

    def _embed_gathered(self, gathered: Sequence[tuple[str, str, str]]) -> None:
        embedded = self.embed([text for _, _, text in gathered])
        if embedded is None:
            return
        for owner in dict.fromkeys(owner for owner, _, _ in gathered):
            places = [place for place, one in enumerate(gathered) if one[0] == owner]
            self.save_embedded(owner, [gathered[place][1] for place in places], embedded.at(places))

    def save_vectors(self, owner: str, records: Sequence[Message | Fact | Note]) -> None:
        """Embed these records, which are kept already, and keep their vectors; what fails is made good by
        `catch_up`."""
        embedded = self.embed([text_of(part) for part in records])
        with self.after_commit("vectors"):
            self.save_embedded(owner, [record.id for record in records], embedded)

    def save_embedded(self, owner: str, ids: Sequence[str], embedded: Embedded | None) -> bool:
        """Keep vectors that were made for these records; False where they can't be kept, which `health` tells."""
        try:
            self.keep_embedded(owner, ids, embedded)
        except ValueError as error:
            self.problems["embedder"] = str(error)
            if not isinstance(error, RecollectError):
                raise
            return False
        return True

    def keep_embedded(self, owner: str, ids: Sequence[str], embedded: Embedded | None) -> None:
        """The same, where vectors that can't be kept are an error."""
        if embedded is None or self.embedder is None:
            return
        vectors = dict(zip(ids, embedded.vectors, strict=True))
        tokens = dict(zip(ids, embedded.tokens, strict=True)) if embedded.tokens else None
        self.store.save_vectors(owner, self.embedder.name, vectors, tokens)
