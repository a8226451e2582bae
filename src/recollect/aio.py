"""The same verbs for asynchronous programs: each runs in a thread of this object's own pool."""

from __future__ import annotations

import asyncio
import builtins
import contextvars
import functools
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, ParamSpec, TypeVar

from recollect.chat import ChatModel
from recollect.memory import Memory
from recollect.messages import Given
from recollect.notes import ROOT, Notes
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
from recollect.retrieve.search import KINDS
from recollect.session import Session, SessionContext
from recollect.store import RecordKind, Store
from recollect.store.copying import Copied
from recollect.summary import Summariser
from recollect.text.dates import Time
from recollect.text.values import Value
from recollect.transfer import Progress, silent

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

THREADS = 8


class Threads:
    """A pool of threads in which blocking calls are awaited."""

    def __init__(self, many: int) -> None:
        self.pool = ThreadPoolExecutor(max_workers=many, thread_name_prefix="recollect")

    async def run(
        self, verb: Callable[Arguments, Result], *args: Arguments.args, **options: Arguments.kwargs
    ) -> Result:
        """What the call gives, made in a thread that has the caller's context variables."""
        call = functools.partial(contextvars.copy_context().run, verb, *args, **options)
        return await asyncio.get_running_loop().run_in_executor(self.pool, call)


class AsyncSession:
    """A Session whose verbs are awaited."""

    def __init__(self, session: Session, threads: Threads) -> None:
        self._session, self._run, self.name = session, threads.run, session.name

    async def info(self) -> SessionInfo:
        return await self._run(self._session.info)

    async def add(self, said: Given, *, at: Time | None = None) -> Added:
        return await self._run(self._session.add, said, at=at)

    async def messages(
        self, *, budget: int | None = None, limit: int | None = None, model: str = "o200k"
    ) -> list[dict[str, Any]]:
        return await self._run(self._session.messages, budget=budget, limit=limit, model=model)

    async def summary(self, *, budget: int = 200, summarise: Summariser | None = None) -> str:
        return await self._run(self._session.summary, budget=budget, summarise=summarise)

    async def context(
        self,
        query: str | None = None,
        *,
        budget: int = 4000,
        recall: int | None = None,
        summarise: Summariser | None = None,
        model: str = "o200k",
    ) -> SessionContext:
        return await self._run(
            self._session.context, query, budget=budget, recall=recall, summarise=summarise, model=model
        )

    async def brief(self) -> str:
        return await self._run(self._session.brief)


class AsyncNotes:
    """Notes whose verbs are awaited."""

    def __init__(self, notes: Notes, threads: Threads) -> None:
        self._notes, self._run = notes, threads.run

    async def write(
        self,
        path: str,
        text: str,
        *,
        pinned: bool | None = None,
        expected_version: int | None = None,
        origin: Origin = "user",
    ) -> Note:
        return await self._run(
            self._notes.write, path, text, pinned=pinned, expected_version=expected_version, origin=origin
        )

    async def read(self, path: str, *, version: int | None = None, known_at: Time | None = None) -> Note:
        return await self._run(self._notes.read, path, version=version, known_at=known_at)

    async def versions(self, path: str) -> builtins.list[Note]:
        return await self._run(self._notes.versions, path)

    async def list(self, prefix: str = ROOT, *, known_at: Time | None = None) -> builtins.list[Note]:
        return await self._run(self._notes.list, prefix, known_at=known_at)

    async def delete(self, path: str, *, origin: Origin = "user") -> Note:
        return await self._run(self._notes.delete, path, origin=origin)

    async def rename(self, old: str, new: str, *, origin: Origin = "user") -> Note:
        return await self._run(self._notes.rename, old, new, origin=origin)

    async def pin(self, path: str, *, origin: Origin = "user") -> Note:
        return await self._run(self._notes.pin, path, origin=origin)

    async def unpin(self, path: str, *, origin: Origin = "user") -> Note:
        return await self._run(self._notes.unpin, path, origin=origin)

    async def import_folder(
        self, folder: str | Path, *, to: str = ROOT, pinned: bool | None = None
    ) -> builtins.list[Note]:
        return await self._run(self._notes.import_folder, folder, to=to, pinned=pinned)

    async def import_file(self, file: str | Path, to: str | None = None, *, pinned: bool | None = None) -> Note:
        return await self._run(self._notes.import_file, file, to, pinned=pinned)

    async def follow(self, where: str | Path, *, to: str = ROOT) -> builtins.list[Note]:
        return await self._run(self._notes.follow, where, to=to)

    async def unfollow(self, path: str) -> None:
        await self._run(self._notes.unfollow, path)

    async def refresh(self) -> None:
        await self._run(self._notes.refresh)

    async def export_folder(self, folder: str | Path, *, overwrite: bool = False) -> builtins.list[Path]:
        return await self._run(self._notes.export_folder, folder, overwrite=overwrite)


class AsyncMemory:
    """A Memory whose verbs are awaited. Signatures are those of Memory."""

    def __init__(self, memory: Memory | str | Path | None = None, *, threads: int = THREADS) -> None:
        self.memory = memory if isinstance(memory, Memory) else Memory(memory)
        self._threads = Threads(threads)

    def of(self, owner: str, *, also: Sequence[str] = ()) -> AsyncMemory:
        other = object.__new__(AsyncMemory)
        other.memory, other._threads = self.memory.of(owner, also=also), self._threads
        return other

    async def add(
        self,
        said: str | Mapping[str, Any] | Message | Sequence[str | Mapping[str, Any] | Message],
        *,
        session: str | None = None,
        at: Time | None = None,
        role: str = "user",
        origin: Origin | None = None,
    ) -> Added:
        return await self._threads.run(self.memory.add, said, session=session, at=at, role=role, origin=origin)

    async def remember(
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
        return await self._threads.run(
            self.memory.remember, key, value, category=category, subject=subject, at=at, pinned=pinned, origin=origin
        )

    async def forget(
        self,
        what: str | Fact | Hit,
        *,
        subject: str = USER,
        at: Time | None = None,
        why: str = "",
        origin: Origin = "user",
    ) -> list[Change]:
        return await self._threads.run(self.memory.forget, what, subject=subject, at=at, why=why, origin=origin)

    async def correct(
        self, what: str | Fact | Hit, value: str, *, subject: str = USER, why: str = "", origin: Origin = "user"
    ) -> Fact:
        return await self._threads.run(self.memory.correct, what, value, subject=subject, why=why, origin=origin)

    async def settle(
        self, what: str | Fact | Hit, *, holds: bool, subject: str = USER, origin: Origin = "user"
    ) -> Fact:
        return await self._threads.run(self.memory.settle, what, holds=holds, subject=subject, origin=origin)

    async def pin(self, what: str | Fact | Hit, *, subject: str = USER) -> Fact:
        return await self._threads.run(self.memory.pin, what, subject=subject)

    async def unpin(self, what: str | Fact | Hit, *, subject: str = USER) -> Fact:
        return await self._threads.run(self.memory.unpin, what, subject=subject)

    async def undo(self, what: Change | str | None = None) -> list[Change]:
        return await self._threads.run(self.memory.undo, what)

    async def erase(
        self,
        what: str | Fact | Message | Note | Hit | None = None,
        *,
        subject: str | None = None,
        session: str | None = None,
        everything: bool = False,
    ) -> Erasure:
        return await self._threads.run(self.memory.erase, what, subject=subject, session=session, everything=everything)

    async def recall(
        self, key: str, *, subject: str = USER, at: Time | None = None, known_at: Time | None = None
    ) -> str | None:
        return await self._threads.run(self.memory.recall, key, subject=subject, at=at, known_at=known_at)

    async def search(
        self,
        query: str,
        *,
        limit: int = 5,
        at: Time | None = None,
        known_at: Time | None = None,
        category: str | None = None,
        kinds: Sequence[RecordKind] = KINDS,
    ) -> list[Hit]:
        return await self._threads.run(
            self.memory.search, query, limit=limit, at=at, known_at=known_at, category=category, kinds=kinds
        )

    async def facts(
        self,
        *,
        subject: str | None = None,
        attribute: str | None = None,
        category: str | None = None,
        at: Time | None = None,
        known_at: Time | None = None,
    ) -> list[Fact]:
        return await self._threads.run(
            self.memory.facts, subject=subject, attribute=attribute, category=category, at=at, known_at=known_at
        )

    async def history(self, key: str, *, subject: str = USER) -> list[Fact]:
        return await self._threads.run(self.memory.history, key, subject=subject)

    async def changes(self, *, limit: int | None = None) -> list[Change]:
        return await self._threads.run(self.memory.changes, limit=limit)

    async def graph(self, *, at: Time | None = None, known_at: Time | None = None, limit: int | None = None) -> Graph:
        return await self._threads.run(self.memory.graph, at=at, known_at=known_at, limit=limit)

    async def why(self, what: Fact | Hit | str) -> Explanation:
        return await self._threads.run(self.memory.why, what)

    async def why_not(
        self, query: str, what: Fact | str, *, limit: int = 5, at: Time | None = None, known_at: Time | None = None
    ) -> Explanation:
        return await self._threads.run(self.memory.why_not, query, what, limit=limit, at=at, known_at=known_at)

    async def context(
        self,
        query: str | None = None,
        *,
        budget: int = 400,
        at: Time | None = None,
        known_at: Time | None = None,
        shown: Collection[str] = (),
        model: str = "o200k",
    ) -> Context:
        return await self._threads.run(
            self.memory.context, query, budget=budget, at=at, known_at=known_at, shown=shown, model=model
        )

    async def sessions(self) -> list[SessionInfo]:
        return await self._threads.run(self.memory.sessions)

    async def call_tool(self, call: object, arguments: Mapping[str, Any] | str | None = None) -> str:
        return await self._threads.run(self.memory.call_tool, call, arguments)

    async def export_to(self, path: str | Path, *, form: str = "jsonl") -> int:
        return await self._threads.run(self.memory.export_to, path, form=form)

    async def import_from(self, path: str | Path, *, form: str | None = None, progress: Progress = silent) -> int:
        return await self._threads.run(self.memory.import_from, path, form=form, progress=progress)

    async def catch_up(self) -> int:
        return await self._threads.run(self.memory.catch_up)

    async def settle_disputes(
        self, model: ChatModel | Callable[..., Any] | str | None = None, *, limit: int = 20
    ) -> list[Verdict]:
        return await self._threads.run(self.memory.settle_disputes, model, limit=limit)

    async def backup(self, path: str | Path) -> Path:
        return await self._threads.run(self.memory.backup, path)

    async def copy_to(self, where: str | Path | Store, *, progress: Progress = silent) -> Copied:
        return await self._threads.run(self.memory.copy_to, where, progress=progress)

    async def reembed(self, *, drop_old: bool = False, progress: Progress = silent) -> int:
        return await self._threads.run(self.memory.reembed, drop_old=drop_old, progress=progress)

    async def owners(self) -> list[str]:
        return await self._threads.run(self.memory.owners)

    async def stats(self) -> Stats:
        return await self._threads.run(self.memory.stats)

    async def health(self) -> Health:
        return await self._threads.run(self.memory.health)

    def session(self, name: str) -> AsyncSession:
        return AsyncSession(self.memory.session(name), self._threads)

    @property
    def notes(self) -> AsyncNotes:
        return AsyncNotes(self.memory.notes, self._threads)

    def tools(self, form: str | None = None) -> list[Tool] | list[dict[str, Any]]:
        return self.memory.tools(form)

    async def close(self) -> None:
        """Let go of the store and the threads."""
        await self._threads.run(self.memory.close)
        self._threads.pool.shutdown(wait=False)

    async def __aenter__(self) -> AsyncMemory:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
