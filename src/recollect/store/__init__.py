"""The seam between records and the engine that keeps them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from recollect.errors import InvalidInput, MissingDependency
from recollect.records import Change, Fact, Message, Note, SessionInfo

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

RecordKind = Literal["fact", "message", "note"]
MOST_FAILURES = 3
"""So often facts are derived from a message in vain before it is left unread."""
Position = tuple[datetime, datetime, str]
"""Where a fact stands among others, latest said last: when it was said, when it was learned, its id. It never moves."""


class Match(NamedTuple):
    """One record that a signal found, with that signal's own score."""

    id: str
    kind: RecordKind
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

    print: str
    """What tells the request from another."""
    body: str
    undo: str
    """Changes by which it can be taken back, newest first, with spaces between."""
    at: datetime


class IdTaken(InvalidInput):
    """There is a record with this id already; nothing was written."""


class Store(Protocol):
    """Keeps records. The owner comes first in every call that touches any, so that none can be asked without one."""

    @property
    def name(self) -> str:
        """Where it is, for people: a path, or a URL without its password."""
        ...

    @property
    def schema(self) -> int:
        """The version of the schema."""
        ...

    def transaction(self, owner: str) -> AbstractContextManager[object]:
        """Everything written inside is durable together on leaving, or nothing is. Writers take turns; nested
        transactions join the outer one."""
        ...

    def reading(self) -> AbstractContextManager[object]:
        """Whatever is read inside goes through one connection, at less cost than call by call."""
        ...

    # Writing. Each call is a transaction of its own, or part of the open one.

    def save_messages(self, owner: str, messages: Sequence[Message]) -> None:
        """Keep new messages, findable by words at once. An id that is taken raises IdTaken, and nothing is kept."""
        ...

    def save_facts(self, owner: str, facts: Sequence[Fact]) -> None:
        """Keep facts, new or changed, by id."""
        ...

    def save_notes(self, owner: str, notes: Sequence[Note]) -> None:
        """Keep versions of notes, new or changed, by id."""
        ...

    def save_changes(self, owner: str, changes: Sequence[Change]) -> None:
        """Append to the owner's log; one whose id is there already keeps its place and is overwritten, which only
        an erase does."""
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

    def settle(self, owner: str, messages: Sequence[str]) -> None:
        """Mark messages as done: facts have been derived from them."""
        ...

    def count_failure(self, owner: str, messages: Sequence[str]) -> None:
        """Count one more failure to derive facts from these; after MOST_FAILURES they are left unread."""
        ...

    # Reading.

    def unsettled(self, owner: str, *, limit: int, unread: bool = False) -> list[Message]:
        """Messages from which facts are still to be derived, oldest first; or those that are left unread."""
        ...

    def owners(self) -> list[str]:
        """Everyone who has anything here, sorted."""
        ...

    def last_learned(self, owner: str) -> datetime | None:
        """The newest moment at which anything of this owner was written: time never runs behind it."""
        ...

    def messages(
        self,
        owner: str,
        *,
        ids: Sequence[str] | None = None,
        session: str | None = None,
        between: tuple[datetime, datetime] | None = None,
        before: tuple[datetime, str] | None = None,
        last: int | None = None,
    ) -> list[Message]:
        """Messages in the order they were kept; `between`: only those said in that half-open range of time;
        `before`: only what stands before the message of that moment and id; `last`: only the newest so many."""
        ...

    def sessions(self, owner: str) -> list[SessionInfo]:
        """Conversations, newest first."""
        ...

    def facts(
        self,
        owner: str,
        *,
        ids: Sequence[str] | None = None,
        subjects: Sequence[str] | None = None,
        attributes: Sequence[str] | None = None,
        values: Sequence[str] | None = None,
        category: str | None = None,
        holding: datetime | None = None,
        between: tuple[datetime, datetime] | None = None,
        pinned: bool = False,
        named: bool = False,
        disputed: bool = False,
        unconfirmed: bool = False,
        last: int | None = None,
        skip: int = 0,
    ) -> list[Fact]:
        """Facts in the order they were kept. Conditions are joined by "and"; subjects are compared without case.
        `values`: only those whose values mean the same as one of these, in the sense of `same_value`.
        `holding`: only those not retired and true at that moment (since <= moment < until, None being open).
        `between`: only those that began, or were said where no beginning is known, in that half-open range.
        `pinned`: only those in core. `named`: only those that name a subject, such as "sister is Anna" and nicknames.
        `disputed`: only those that contradict another. `unconfirmed`: of the others, only those that neither the user
        nor the operator told or confirmed. `last`: only the newest so many, but for the `skip` newest of all."""
        ...

    def latest_facts(
        self,
        owner: str,
        *,
        limit: int,
        before: Position | None = None,
        subjects: Sequence[str] | None = None,
        attributes: Sequence[str] | None = None,
        category: str | None = None,
        holding: datetime | None = None,
        learned_by: datetime | None = None,
        named: bool = False,
    ) -> list[Fact]:
        """So many facts at most, latest said first, in the order of their positions; `before`: only those that stand
        before that one. Conditions as those of `facts`; `learned_by`: only those learned by that moment. What it
        costs goes by the limit, not by how much there is."""
        ...

    def facts_around(self, owner: str, subject: str, attribute: str, moment: datetime, *, limit: int) -> list[Fact]:
        """Of the facts of this subject and attribute that are not retired, those that began last by that moment, and
        those that began first after it (or were said then, where no beginning is known): at most so many of each, in
        the order they were kept. What it costs goes by the limit, not by how much there is."""
        ...

    def facts_with(self, owner: str, words: Sequence[str], *, last: int) -> list[Fact]:
        """The newest so many facts that have all of these words (as `words.terms` gives them), in the order they were
        kept; none for no words. What it costs goes by that number, not by how much there is, also inside a
        transaction, of which it sees what was written."""
        ...

    def facts_from(self, owner: str, messages: Sequence[str], *, over: datetime | None = None) -> dict[str, list[Fact]]:
        """The facts that quote each of these messages, by message id; messages without any are left out. `over`: also
        those all of whose facts hold or are still to come at that moment."""
        ...

    def beside(self, owner: str, messages: Sequence[str]) -> dict[str, tuple[str | None, str | None]]:
        """The ids of the messages kept just before and just after each of these in its session, None at its ends."""
        ...

    def notes(
        self,
        owner: str,
        *,
        ids: Sequence[str] | None = None,
        path: str | None = None,
        under: str | None = None,
        current: bool = False,
        pinned: bool = False,
    ) -> list[Note]:
        """All versions of notes, oldest first; `under`: only those in that folder; `current`: only those that no newer
        one took the place of; `pinned`: only those in core."""
        ...

    def changes(
        self,
        owner: str,
        *,
        ids: Sequence[str] | None = None,
        record_id: str | None = None,
        records: Sequence[str] | None = None,
        group: str | None = None,
        after: datetime | None = None,
        before: tuple[datetime, str] | None = None,
        last: int | None = None,
    ) -> list[Change]:
        """The owner's log, oldest first; `records`: only of these; `after`: only what was written later than that;
        `before`: only what stands before the change of that moment and id; `last`: only the newest so many."""
        ...

    def log(self, owner: str, *, after: int | datetime, limit: int) -> list[tuple[int, Change]]:
        """The changes after a position, or from a moment on, in the order of writing, each with its position: a number
        that only rises, also where several were written at one moment."""
        ...

    def log_end(self, owner: str) -> int:
        """The position of the owner's newest change, 0 where there is none yet; inside a transaction too."""
        ...

    # Requests that may be sent again.

    def answer(self, owner: str, key: str) -> KeptAnswer | None:
        """What was answered to the request of this key. An erase of anything of this owner forgets all answers."""
        ...

    def keep_answer(self, owner: str, key: str, answer: KeptAnswer, *, expire: datetime) -> None:
        """Keep an answer, together with what else the transaction writes; those of this owner from before `expire`
        may go."""
        ...

    def ping(self) -> None:
        """Raise StoreError unless the store can be reached."""
        ...

    def counts(self, owner: str) -> Counts: ...

    def count_holding(self, owner: str, moment: datetime) -> int:
        """How many facts hold at that moment, in the sense of `holding`."""
        ...

    # Matching.

    def match_words(
        self, owner: str, words: Sequence[str], *, limit: int, holding: datetime | None = None
    ) -> list[Match]:
        """Records by BM25 over these words (as `words.terms` gives them), best first, in units of the rarest word
        that this owner could have: about 1 for each rare word that a short record shares. `holding`: leave out
        facts that do not hold at that moment, and superseded versions of notes."""
        ...

    def match_sessions(self, owner: str, words: Sequence[str], *, limit: int) -> list[tuple[str, float]]:
        """Sessions by BM25 over these words, all that was said in one taken as one text: name and score, best first."""
        ...

    def rarity(self, owner: str, words: Sequence[str]) -> dict[str, float]:
        """How much each of these words (as `words.terms` gives them) says among this owner's records: from about 0
        for one that all have to 1 for one that a single record has, or none."""
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

    def tokens(self, owner: str, model: str, ids: Sequence[str]) -> dict[str, bytes]:
        """What was kept beside the vectors of these records; those without any are left out."""
        ...

    def without_vectors(self, owner: str, model: str, *, limit: int) -> list[tuple[str, str]]:
        """Records that have no vector of that fingerprint: their id and the text to embed."""
        ...

    # Generations of vectors, one for each embedder that was ever used.

    def generations(self, owner: str) -> dict[str, int]:
        """How many vectors of this owner there are of each fingerprint."""
        ...

    def vectors(self, owner: str, model: str, ids: Sequence[str]) -> dict[str, npt.NDArray[np.float32]]:
        """The vectors with that fingerprint of those of these records that have one."""
        ...

    def drop_vectors(self, owner: str, model: str) -> int:
        """Forget all vectors of this owner with that fingerprint; gives how many there were."""
        ...

    # Ending.

    def erase(self, owner: str, ids: Sequence[str], *, request: str = "", at: datetime | None = None) -> Counts:
        """Remove these records with their words, vectors and log entries; pages that held them are overwritten. An
        owner with nothing left is removed too. `request`: under which `erased` gives the numbers again, `at` that
        moment; until `scrub` was done, it is done when the store is opened next."""
        ...

    def erased(self, owner: str, request: str) -> Erased | None:
        """What became of the erase that was made under this request; None where there was none in the last days."""
        ...

    def scrub(
        self, texts: Sequence[str], *, request: str = "", held: bool = False
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Push erased pages out of every file of the store, then scan the files for these texts.
        Gives the files scanned, and in words where anything was still found. `request`: the erase that is finished by
        it; `held`: other records still have some of what it erased."""
        ...

    def finish_erasures(self) -> None:
        """Push out what erases that were broken off have left, whatever it was; nothing where there are none."""
        ...

    def check(self) -> list[str]:
        """What is wrong with the store, in words; empty when all is well."""
        ...

    def backup(self, path: Path) -> None:
        """Copy the whole store to a new file, consistent while others write."""
        ...

    def close(self) -> None: ...


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
