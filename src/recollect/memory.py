"""Memory: every verb in one place, each handed on to the file that does it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from recollect import change, tools, transfer
from recollect import read as known
from recollect.clock import Clock
from recollect.embed import Embedder, open_embedder
from recollect.erase import EraseRequest, erase
from recollect.errors import InvalidInput
from recollect.extract import is_instant
from recollect.facts.subjects import graph
from recollect.messages import check_owner, origin_of, to_messages
from recollect.notes import Notes
from recollect.reader import Reader, open_reader
from recollect.records import (
    USER,
    Added,
    Change,
    Context,
    Erasure,
    Explanation,
    Fact,
    Graph,
    Health,
    Hit,
    Message,
    Note,
    Origin,
    SessionInfo,
    Stats,
    Tool,
    Verdict,
)
from recollect.remember import Remembered
from recollect.retrieve.candidates import View
from recollect.retrieve.context import pack
from recollect.retrieve.search import KINDS, for_turn, search
from recollect.runtime import Runtime
from recollect.session import Session
from recollect.store import Query, RecordKind, Store, open_store
from recollect.store.copying import Copied, copy_store
from recollect.store.retry import retried, retry
from recollect.text.dates import Time, moment
from recollect.text.redact import Redact, redactor
from recollect.text.tokens import counter
from recollect.text.values import Value
from recollect.upkeep import Tally, catch_up, health, make_before_search, make_vectors, reembed, stats
from recollect.write import add

if TYPE_CHECKING:
    from recollect.chat import ChatModel


class Memory:
    """What one owner remembers. `of` gives another owner's memory from the same store."""

    def __init__(
        self,
        where: str | Path | Store | None = None,
        *,
        owner: str = "me",
        embedder: Embedder | str | None = "minilm",
        reader: Reader | str | None = "plain",
        previous_embedder: Embedder | str | None = None,
        cautious: bool = False,
        redact: Redact = "secrets",
        redact_raw: bool = False,
        clock: Clock | None = None,
    ) -> None:
        """Open the store at a path, at ":memory:", at a PostgreSQL URL, or in the user's data directory when no place
        is given. `previous_embedder`: the one before this, until `reembed` is done. `cautious`: asked of one speaker,
        rather find nothing than what another may have said of themselves. `redact`: what is taken out of texts before
        they are kept: "secrets" of known forms, "none", or what a function from text to text takes out; out of raw
        payloads and notes too with `redact_raw`."""
        self.owner = check_owner(owner)
        self.also: tuple[str, ...] = ()
        store = open_store(where) if where is None or isinstance(where, str | Path) else where
        made = open_embedder(embedder), open_reader(reader), open_embedder(previous_embedder)
        self._runtime = Runtime(
            store, clock or Clock(), *made, cautious=cautious, redactor=redactor(redact, raw=redact_raw)
        )
        self._tally = Tally()

    def of(self, owner: str, *, also: Sequence[str] = ()) -> Memory:
        """Another owner's memory in the same store; reading spans `also` too, writing never does."""
        if isinstance(also, str):
            raise InvalidInput(f"also= takes a list of owners, not the text {also!r}")
        other = object.__new__(Memory)
        other.owner = check_owner(owner)
        other.also = tuple(check_owner(one) for one in also if one != owner)
        other._runtime, other._tally = self._runtime, self._tally
        return other

    @property
    def store(self) -> Store:
        return self._runtime.store

    @property
    def clock(self) -> Clock:
        return self._runtime.clock

    @property
    def instant(self) -> bool:
        """Whether `add` waits for no model, so that several can share a transaction."""
        return self._runtime.reader is None or is_instant(self._runtime.reader)

    @property
    def vectors_waiting(self) -> int:
        """How many vectors of any owner `together` has left for later in this process, and are not there yet."""
        return len(self._runtime.embedding_queue)

    def together(self, *, later: bool = False) -> AbstractContextManager[None]:
        """What is added inside, for any owner, is durable together on leaving, and embedded in one call; `later`: where
        that would take long, by `make_vectors`."""
        return self._runtime.together(self.owner, later=later)

    # Writing

    def add(
        self,
        said: str | Mapping[str, Any] | Message | Sequence[str | Mapping[str, Any] | Message],
        *,
        session: str | None = None,
        at: Time | None = None,
        role: str = "user",
        origin: Origin | None = None,
    ) -> Added:
        """Keep what was said and the facts in it; durable on return. One receipt for each fact that was considered."""
        when = retry(self.tick) if at is None else self.moment(at)
        messages = to_messages(
            said, owner=self.owner, session=session, role=role, origin=origin, at=when, clock=self.clock
        )
        return add(self._runtime, self.owner, messages)

    @retried
    def remember(
        self,
        key: str,
        value: Value | None = None,
        *,
        category: str | None = None,
        subject: str = USER,
        at: Time | None = None,
        pinned: bool = False,
        origin: Origin = "user",
    ) -> Fact:
        """Remember a value under a key, or one sentence; a new value of a key takes the place of the old one. True is
        kept as "yes"; a list as several values of a key that holds many, and else as one, in JSON."""
        when = self.tick() if at is None else self.moment(at)
        told = Remembered(key, value, category, subject, when, origin_of(origin, "user"))
        return change.remember_it(self._runtime, self.owner, told, pinned=pinned)

    def forget(
        self,
        what: str | Fact | Hit,
        *,
        subject: str = USER,
        at: Time | None = None,
        why: str = "",
        origin: Origin = "user",
    ) -> list[Change]:
        """End what is known under a key, or one fact; `undo` brings it back."""
        moment = None if at is None else self.moment(at)
        return change.forget(self._runtime, self.owner, what, subject=subject, at=moment, why=why, origin=origin)

    def correct(
        self, what: str | Fact | Hit, value: str, *, subject: str = USER, why: str = "", origin: Origin = "user"
    ) -> Fact:
        """Put right what was never true; the wrong value is retired, not ended."""
        return change.correct(self._runtime, self.owner, what, value, subject=subject, why=why, origin=origin)

    def settle(self, what: str | Fact | Hit, *, holds: bool, subject: str = USER, origin: Origin = "user") -> Fact:
        """Decide about a fact that is in doubt, or contradicts another: it holds, or it has ended."""
        return change.settle(self._runtime, self.owner, what, holds=holds, subject=subject, origin=origin)

    @retried
    def pin(self, what: str | Fact | Hit, *, subject: str = USER) -> Fact:
        """Put a fact into core: it is in every context from now on."""
        return change.pin(self._runtime, self.owner, what, subject=subject, pinned=True, origin="user")

    @retried
    def unpin(self, what: str | Fact | Hit, *, subject: str = USER) -> Fact:
        """Take a fact out of core; it stays known."""
        return change.pin(self._runtime, self.owner, what, subject=subject, pinned=False, origin="user")

    def undo(self, what: Change | str | None = None) -> list[Change]:
        """Take back a change, or the latest one, with all that was changed together with it."""
        return change.undo(self._runtime, self.owner, what, origin="user")

    def erase(
        self,
        what: str | Fact | Message | Note | Hit | None = None,
        *,
        subject: str | None = None,
        session: str | None = None,
        everything: bool = False,
    ) -> Erasure:
        """Remove for good, with the words it came from, and prove it by a scan of the files."""
        return erase(self._runtime, self.owner, EraseRequest(what, subject, session, everything))

    # Reading

    def recall(
        self, key: str, *, subject: str = USER, at: Time | None = None, known_at: Time | None = None
    ) -> str | None:
        """The value held under a key, the latest where there are several, or None."""
        return known.recall(self._runtime, self._views(at, known_at), key, subject)

    def search(
        self,
        query: str,
        *,
        limit: int = 5,
        at: Time | None = None,
        known_at: Time | None = None,
        category: str | None = None,
        kinds: Sequence[RecordKind] = KINDS,
    ) -> list[Hit]:
        """The best hits, each with its score and reasons; an empty list when nothing is relevant."""
        views = self._views(at, known_at, meant=True)
        return search(self._runtime, views, query, limit=limit, category=category, kinds=kinds)

    def facts(
        self,
        *,
        subject: str | None = None,
        attribute: str | None = None,
        category: str | None = None,
        at: Time | None = None,
        known_at: Time | None = None,
    ) -> list[Fact]:
        """What holds, newest first."""
        return known.facts(self._runtime, self._views(at, known_at), subject, attribute, category)

    def history(self, key: str, *, subject: str = USER) -> list[Fact]:
        """Every value ever held under a key, oldest first, with its window and the reason it ended."""
        return known.history(self._runtime, self.owner, key, subject)

    def changes(self, *, limit: int | None = None) -> list[Change]:
        """The log of changes, newest first."""
        last = None if limit is None else known.check_limit(limit)
        return self.store.read(self.owner, Change, Query(last=last))[::-1]

    def graph(self, *, at: Time | None = None, known_at: Time | None = None, limit: int | None = None) -> Graph:
        """Subjects, and facts between them, at a moment; `limit`: of so many facts, the newest and those that name."""
        if limit is None:
            return graph(self.facts(at=at, known_at=known_at))
        return graph(known.newest_facts(self._runtime, self._views(at, known_at), limit))

    def why(self, what: Fact | Hit | str) -> Explanation:
        """Where a memory comes from: words, reasons and changes."""
        return known.why(self._runtime, self.owner, what)

    def why_not(
        self, query: str, what: Fact | str, *, limit: int = 5, at: Time | None = None, known_at: Time | None = None
    ) -> Explanation:
        """Why a search does not return a fact, or where it comes out."""
        return known.why_not(self._runtime, self._views(at, known_at, meant=True)[0], query, what, limit=limit)

    def context(
        self,
        query: str | None = None,
        *,
        budget: int = 400,
        at: Time | None = None,
        known_at: Time | None = None,
        shown: Collection[str] = (),
        model: str = "o200k",
    ) -> Context:
        """Text for a model's window: core always, then what the query needs, within a budget of tokens.

        `shown`: ids of messages that stand in the window as they are; neither they nor their facts are repeated.
        """
        known.check_limit(budget, "budget")
        if at is None and known_at is None:
            self.notes.refresh()
        views = self._views(at, known_at, meant=query is not None)
        hits = for_turn(self._runtime, views, query or "", set(shown))
        counted = counter(model)
        return pack(
            known.pinned(self._runtime, views, () if known_at is None else self.notes.list(known_at=known_at)),
            hits,
            budget=budget,
            count=counted.count,
            mark=self.clock.new_mark(),
            owner=self.owner,
            history_tokens=self._tally.tokens(self.store, self.owner, counted),
            counted_by=counted.label,
        )

    # Conversations, notes, tools

    def session(self, name: str) -> Session:
        """One conversation: its messages, their summary, what to resume with."""
        return Session(self, name)

    def sessions(self) -> list[SessionInfo]:
        """All conversations, newest first."""
        return self.store.read(self.owner, SessionInfo)

    @property
    def notes(self) -> Notes:
        """Texts at paths, with their versions."""
        return Notes(self)

    @overload
    def tools(self, form: None = None) -> list[Tool]: ...
    @overload
    def tools(self, form: str) -> list[dict[str, Any]]: ...
    def tools(self, form: str | None = None) -> list[Tool] | list[dict[str, Any]]:
        """The tools a model pages its memory with; in a provider's `form` if one is named."""
        return tools.schemas(form)

    def call_tool(self, call: object, arguments: Mapping[str, Any] | str | None = None) -> str:
        """Run a tool by its name and arguments, or a model's tool call as it came; gives what to tell the model."""
        return tools.call(self, call, arguments) if isinstance(call, str) else tools.call_from(self, call)

    # Moving and upkeep

    def export_to(self, path: str | Path, *, form: str = "jsonl") -> int:
        """Write everything as JSON Lines, or what holds now as one JSON dictionary; gives the number of records."""
        return transfer.export_to(self._runtime, self.owner, Path(path), form)

    def import_from(
        self, path: str | Path, *, form: str | None = None, progress: transfer.Progress = transfer.silent
    ) -> int:
        """Read an export of either form into this memory, all of it or nothing; gives the number of new records."""
        count = transfer.import_from(self._runtime, self.owner, Path(path), form, progress)
        with self._runtime.after_commit("catch_up"):
            self.catch_up()
        return count

    def catch_up(self) -> int:
        """Do what was left undone: facts of messages whose extraction failed, vectors of records that have none."""
        return catch_up(self._runtime, self.owner)

    def make_vectors(self, limit: int = 32) -> int:
        """Make some of the vectors that `together` left for later, of any owner; gives how many there were."""
        return make_vectors(self._runtime, known.check_limit(limit))

    def settle_disputes(
        self, model: ChatModel | Callable[..., Any] | str | None = None, *, limit: int = 20
    ) -> list[Verdict]:
        """Ask a model about disputes, and about nothing else; `model`: None takes the one that the reader asks."""
        from recollect import disputes as opinion  # it needs asyncio, which takes longer to import than the rest

        return opinion.settle_disputes(self, model, limit=limit)

    def backup(self, path: str | Path) -> Path:
        """Copy the whole store, all owners, to a new file; consistent while others write."""
        self.store.backup(Path(path))
        return Path(path)

    def copy_to(self, where: str | Path | Store, *, progress: transfer.Progress = transfer.silent) -> Copied:
        """Copy the whole store, all owners, to another of any kind, and check it; broken off, it goes on."""
        with Memory(where, embedder=None, reader=None) as other:
            return copy_store(self.store, other.store, progress)

    def reembed(self, *, drop_old: bool = False, progress: transfer.Progress = transfer.silent) -> int:
        """Make vectors of the present embedder for all records that have none; gives how many there were."""
        return reembed(self._runtime, self.owner, drop_old=drop_old, progress=progress)

    def owners(self) -> list[str]:
        """Everyone who has anything in this store."""
        return self.store.owners()

    def stats(self) -> Stats:
        """How much this owner remembers."""
        return stats(self._runtime, self.owner, self._tally)

    def health(self) -> Health:
        """Whether all parts work; every degraded mode is named."""
        return health(self._runtime, self.owner)

    def tick(self) -> datetime:
        """The moment a write would have: now, never behind the owner's last write."""
        return self._runtime.tick(self.owner)

    def moment(self, time: Time) -> datetime:
        """The moment that a time means for this owner."""
        return moment(time, self._runtime.present(self.owner))

    def embed_records(self, records: Sequence[Message | Fact | Note]) -> None:
        """Keep vectors of records that were written outside `add`."""
        self._runtime.save_vectors(self.owner, records)

    def close(self) -> None:
        """Let go of the store; every later call is an error."""
        self.store.close()

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Memory({self.store.name!r}, owner={self.owner!r})"

    def _views(self, at: Time | None, known_at: Time | None, *, meant: bool = False) -> list[View]:
        """Where to look: this owner first, then the others whose memory may be read. `meant`: by meaning too."""
        owners = (self.owner, *self.also)
        if meant and self._runtime.lacks_vectors(owners):
            make_before_search(self._runtime, owners)
        asked = None if at is None else self.moment(at)
        believed = None if known_at is None else self.moment(known_at)
        return [View(one, asked or believed or self._runtime.present(one), asked, believed) for one in owners]
