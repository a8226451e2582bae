"""The same verbs for asynchronous programs: each runs in a thread of this object's own pool."""

from __future__ import annotations

import asyncio
import contextvars
import functools
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, TypeVar

from recollect.memory import Memory
from recollect.notes import Notes
from recollect.records import Tool
from recollect.session import Session

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


def awaited(
    verb: Callable[Concatenate[Any, Arguments], Result],
) -> Callable[Concatenate[Any, Arguments], Coroutine[Any, Any, Result]]:
    """The verb of a twin, to be awaited: `AsyncMemory.add` has the parameters, the result and the words of
    `Memory.add`, and calls that of the object in `_twin`."""
    name = verb.__name__

    @functools.wraps(verb)
    async def run(self: Any, /, *args: Arguments.args, **options: Arguments.kwargs) -> Result:
        done: Result = await self._threads.run(getattr(self._twin, name), *args, **options)
        return done

    return run


class AsyncSession:
    """A Session whose verbs are awaited."""

    def __init__(self, session: Session, threads: Threads) -> None:
        self._twin, self._threads, self.name = session, threads, session.name

    info = awaited(Session.info)
    add = awaited(Session.add)
    messages = awaited(Session.messages)
    summary = awaited(Session.summary)
    context = awaited(Session.context)
    brief = awaited(Session.brief)


class AsyncNotes:
    """Notes whose verbs are awaited."""

    def __init__(self, notes: Notes, threads: Threads) -> None:
        self._twin, self._threads = notes, threads

    write = awaited(Notes.write)
    read = awaited(Notes.read)
    versions = awaited(Notes.versions)
    list = awaited(Notes.list)
    delete = awaited(Notes.delete)
    rename = awaited(Notes.rename)
    pin = awaited(Notes.pin)
    unpin = awaited(Notes.unpin)
    import_folder = awaited(Notes.import_folder)
    import_file = awaited(Notes.import_file)
    follow = awaited(Notes.follow)
    unfollow = awaited(Notes.unfollow)
    refresh = awaited(Notes.refresh)
    export_folder = awaited(Notes.export_folder)


class AsyncMemory:
    """A Memory whose verbs are awaited. Signatures are those of Memory."""

    def __init__(self, memory: Memory | str | Path | None = None, *, threads: int = THREADS) -> None:
        self.memory = memory if isinstance(memory, Memory) else Memory(memory)
        self._threads = Threads(threads)

    @property
    def _twin(self) -> Memory:
        return self.memory

    def of(self, owner: str, *, also: Sequence[str] = ()) -> AsyncMemory:
        other = object.__new__(AsyncMemory)
        other.memory, other._threads = self.memory.of(owner, also=also), self._threads
        return other

    add = awaited(Memory.add)
    remember = awaited(Memory.remember)
    forget = awaited(Memory.forget)
    correct = awaited(Memory.correct)
    settle = awaited(Memory.settle)
    pin = awaited(Memory.pin)
    unpin = awaited(Memory.unpin)
    undo = awaited(Memory.undo)
    erase = awaited(Memory.erase)
    recall = awaited(Memory.recall)
    search = awaited(Memory.search)
    facts = awaited(Memory.facts)
    history = awaited(Memory.history)
    changes = awaited(Memory.changes)
    graph = awaited(Memory.graph)
    why = awaited(Memory.why)
    why_not = awaited(Memory.why_not)
    context = awaited(Memory.context)
    sessions = awaited(Memory.sessions)
    call_tool = awaited(Memory.call_tool)
    export_to = awaited(Memory.export_to)
    import_from = awaited(Memory.import_from)
    catch_up = awaited(Memory.catch_up)
    settle_disputes = awaited(Memory.settle_disputes)
    backup = awaited(Memory.backup)
    copy_to = awaited(Memory.copy_to)
    reembed = awaited(Memory.reembed)
    owners = awaited(Memory.owners)
    stats = awaited(Memory.stats)
    health = awaited(Memory.health)

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
