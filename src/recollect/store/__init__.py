"""The seam between records and the engine that keeps them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeVar

from recollect.errors import InvalidInput, MissingDependency
from recollect.records import Fact, Message, Note
from recollect.store.query import LogEntry, Position, Query

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = [
    "ANSWERS_KEPT",
    "EVERYTHING",
    "MOST_FAILURES",
    "Counts",
    "Erased",
    "IdTaken",
    "KeptAnswer",
    "LogEntry",
    "Match",
    "Newest",
    "Position",
    "Query",
    "RecordKind",
    "Store",
    "facts_from",
    "init_store",
    "neighbours",
    "open_store",
    "text_of",
]

RecordKind = Literal["fact", "message", "note"]
Record = TypeVar("Record")
MOST_FAILURES = 3
"""So often facts are derived from a message in vain before it is left unread."""
ANSWERS_KEPT = timedelta(days=1)
"""For how long the answer to a request can be had again."""
EVERYTHING = Query()


class Match(NamedTuple):
    """One record that a signal found, with that signal's own score; or a session, of which `id` is the name."""

    id: str
    kind: RecordKind | Literal["session"]
    score: float
    share: float = 1.0
    """For words: how much of what was asked for it has, by weight, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How many rows of each kind."""

    messages: int = 0
    facts: int = 0
    notes: int = 0
    changes: int = 0
    vectors: int = 0
    sessions: int = 0
    holding: int = 0
    """Facts that hold, where a moment was asked for."""
    models: Mapping[str, int] = field(default_factory=dict)
    """How many of the vectors are of each embedder's fingerprint."""


@dataclass(frozen=True, slots=True)
class Erased:
    """What is kept of an erase: how much went and when, nothing of what it was."""

    counts: Counts
    at: datetime
    finished: bool
    """Whether the erased pages are pushed out of the files."""
    scanned: tuple[str, ...] = ()
    """The files that were scanned for the erased texts and held none."""
    held: bool = False
    """Whether other records still had some of it."""


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """What was answered to a request, so that it is answered the same when it is sent again."""

    key: str
    """Of the request: what tells it from others of its owner."""
    print: str
    """What tells the request from another that was sent with the same key."""
    body: str
    undo: str
    """Changes by which it can be taken back, newest first, with spaces between."""
    at: datetime


class Newest(NamedTuple):
    """Where an owner's records end."""

    learned: datetime | None = None
    """The newest moment at which anything was written: time never runs behind it. None: there is nothing yet."""
    position: int = 0
    """The position of the newest change in the log."""


class IdTaken(InvalidInput):
    """There is a record with this id already; nothing was written."""


class Records(Protocol):
    """Keeps records and gives them back. The owner comes first in every call, so that none can be asked without one."""

    name: str
    """Where it is, for people: a path, or a URL without its password."""
    schema: int
    """The version of the schema."""

    def transaction(self, owner: str) -> AbstractContextManager[object]:
        """Everything written inside is durable together on leaving, or nothing is. Writers take turns; nested
        transactions join the outer one."""
        ...

    def reading(self) -> AbstractContextManager[object]:
        """Whatever is read inside goes through one connection, at less cost than call by call."""
        ...

    def save(self, owner: str, records: Sequence[Any]) -> None:
        """Keep records of one kind, findable by words at once: in a transaction of its own, or in the open one.
        Messages are new: an id that is taken raises IdTaken, and nothing is kept. Facts and notes, new or changed, go
        by id. Changes are appended to the log; one whose id is there already keeps its place and is overwritten, which
        only an erase does. Answers take the place of those with their key, and those older than `ANSWERS_KEPT` go."""
        ...

    def read(self, owner: str, kind: type[Record], query: Query = EVERYTHING) -> list[Record]:
        """The owner's records of one kind: Message, Fact, Note, Change; LogEntry, changes in the order of writing;
        SessionInfo, conversations, newest first; KeptAnswer, by key, until anything is erased; Erased, by the request
        under which something was erased in the last days."""
        ...

    def owners(self) -> list[str]:
        """Everyone who has anything here, sorted."""
        ...

    def newest(self, owner: str) -> Newest:
        """Where the owner's records end, inside a transaction too."""
        ...

    def settle(self, owner: str, messages: Sequence[str], failed: Sequence[str] = ()) -> None:
        """Mark messages as read: facts have been derived from them. `failed`: those where that failed once more; after
        MOST_FAILURES they are left unread."""
        ...


class Matching(Protocol):
    """Finds records by words and by vectors."""

    def match_words(
        self, owner: str, words: Sequence[str], *, limit: int, holding: datetime | None = None, sessions: bool = False
    ) -> list[Match]:
        """Records by BM25 over these words (as `words.terms` gives them), best first, in units of the rarest word
        that this owner could have: about 1 for each rare word that a short record shares. `holding`: leave out
        facts that do not hold at that moment, and superseded versions of notes. `sessions`: whole sessions instead, all
        that was said in one taken as one text."""
        ...

    def match_vector(
        self,
        owner: str,
        model: str,
        vector: npt.NDArray[np.float32],
        *,
        limit: int,
        holding: datetime | None = None,
    ) -> list[Match]:
        """Records by cosine among vectors with that fingerprint, best first."""
        ...

    def rarity(self, owner: str, words: Sequence[str]) -> dict[str, float]:
        """How much each of these words (as `words.terms` gives them) says among this owner's records: from about 0
        for one that all have to 1 for one that a single record has, or none."""
        ...

    def save_vectors(
        self,
        owner: str,
        model: str,
        vectors: Mapping[str, npt.NDArray[np.float32]],
        tokens: Mapping[str, bytes] | None = None,
    ) -> None:
        """Keep a record's vector by its id, stamped with the embedder's fingerprint, and beside it the packed vectors
        of its words where the embedder makes such; they go where the vector goes."""
        ...

    def vectors(self, owner: str, model: str, ids: Sequence[str]) -> dict[str, npt.NDArray[np.float32]]:
        """The vectors with that fingerprint of those of these records that have one."""
        ...

    def tokens(self, owner: str, model: str, ids: Sequence[str]) -> dict[str, bytes]:
        """What was kept beside the vectors of these records; those without any are left out."""
        ...

    def without_vectors(self, owner: str, model: str, *, limit: int) -> list[tuple[str, str]]:
        """Records that have no vector of that fingerprint: their id and the text to embed."""
        ...


class Upkeep(Protocol):
    """Counts, takes out for good, looks over and copies."""

    def counts(self, owner: str, *, holding: datetime | None = None) -> Counts:
        """How much the owner has; `holding`: and how many facts hold at that moment."""
        ...

    def erase(
        self, owner: str, ids: Sequence[str], *, request: str = "", at: datetime | None = None, model: str = ""
    ) -> Counts:
        """Remove these records with their words, vectors and log entries; pages that held them are overwritten. An
        owner with nothing left is removed too. `request`: under which the numbers can be read again, `at` that
        moment; until `scrub` was done, it is done when the store is opened next. `model`: forget the owner's vectors
        with that fingerprint too."""
        ...

    def scrub(
        self, texts: Sequence[str] | None, *, request: str = "", held: bool = False
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Push erased pages out of every file of the store, then scan the files for these texts.
        Gives the files scanned, and in words where anything was still found. `request`: the erase that is finished by
        it; `held`: other records still have some of what it erased. None for the texts: finish erases that were broken
        off, whatever it was that they erased."""
        ...

    def check(self, *, quick: bool = False) -> list[str]:
        """What is wrong with the store, in words; empty when all is well. `quick`: only raise StoreError unless it can
        be reached."""
        ...

    def backup(self, path: Path) -> None:
        """Copy the whole store to a new file, consistent while others write."""
        ...

    def close(self) -> None: ...


class Store(Records, Matching, Upkeep, Protocol):
    """What a memory is kept in."""


def facts_from(store: Store, owner: str, messages: Sequence[str]) -> dict[str, list[Fact]]:
    """The facts that quote each of these messages, by message id; messages without any are left out."""
    quoted: dict[str, list[Fact]] = {message: [] for message in messages}
    for fact in store.read(owner, Fact, Query(quoting=messages)) if messages else ():
        for message in {source.message for source in fact.sources} & quoted.keys():
            quoted[message].append(fact)
    return {message: facts for message, facts in quoted.items() if facts}


def neighbours(read: Iterable[Message], messages: Iterable[str]) -> dict[str, tuple[str | None, str | None]]:
    """The ids of the messages kept just before and just after each of these in its session, None at its ends. `read`:
    what `Query(beside=messages)` gives."""
    sessions: dict[str, list[str]] = {}
    for message in read:
        sessions.setdefault(message.session, []).append(message.id)
    found: dict[str, tuple[str | None, str | None]] = {}
    for said in sessions.values():
        neighbours = zip([None, *said], said, [*said[1:], None], strict=False)
        found |= {one: (before, after) for before, one, after in neighbours}
    return {one: found[one] for one in messages if one in found}


def text_of(record: Message | Fact | Note) -> str:
    """The text a record is found by, in words and in meaning."""
    if isinstance(record, Fact):
        return record.text
    if isinstance(record, Message):
        return spoken(record.name, record.content)
    return titled(record.path, record.text)


def spoken(name: str | None, content: str) -> str:
    """The text a message is found by."""
    return f"{name}: {content}" if name else content


def titled(path: str, text: str) -> str:
    """The text a note is found by."""
    return f"{path}\n{text}"


def open_store(where: str | Path | None) -> Store:
    """The store at a path, at ":memory:", at a URL; when no place is given, the one that RECOLLECT_DB names, or the one
    in the user's data directory."""
    named = os.environ.get("RECOLLECT_DB") if where is None else where
    if isinstance(named, str) and named.startswith(("postgres://", "postgresql://")):
        store: Store = _postgres().PostgresStore(named)
        return store
    from recollect.store.sqlite import SQLiteStore, default_path

    return SQLiteStore(default_path() if where is None else where)


def init_store(url: str, *, partitions: int = 0, distribute: bool = False) -> str:
    """Make a new PostgreSQL store: in so many partitions by owner, or distributed by owner over the nodes of Citus;
    gives its name."""
    if not url.startswith(("postgres://", "postgresql://")):
        raise InvalidInput(f"{url!r} is not the URL of a PostgreSQL database, which alone can be divided")
    name: str = _postgres().init_store(url, partitions=partitions, distribute=distribute)
    return name


def _postgres() -> ModuleType:
    try:
        from recollect.store import postgres
    except ImportError as error:
        raise MissingDependency("PostgreSQL stores need psycopg: run `pip install 'recollect[postgres]'`") from error
    return postgres
