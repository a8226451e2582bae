"""Changes as they happen, by server-sent events; those that other processes make too."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import datetime, timezone
from functools import partial
from typing import TypeVar

from recollect import Memory
from recollect.errors import InvalidInput
from recollect.records import Change
from recollect.server import Limits
from recollect.server.keys import Key, Keys
from recollect.server.problems import as_json, busy
from recollect.server.worker_pool import WorkerPool
from recollect.store import LogEntry, Query

QUIET = 15.0
"""Seconds after which a stream says that it is still there."""
Position = int | datetime
"""Where in the log: after that change, or from that moment on."""
State = tuple[datetime | None, int]
Result = TypeVar("Result")


class Events:
    """Streams of changes. Each looks at its owner's newest write: soon after a write here, else now and then."""

    def __init__(self, memory: Memory, pool: WorkerPool, keys: Keys, limits: Limits) -> None:
        self.memory, self.pool, self.keys, self.limits = memory, pool, keys, limits
        self.listeners: dict[str, list[asyncio.Event]] = {}

    @property
    def many(self) -> int:
        return sum(map(len, self.listeners.values()))

    def look(self, owner: str) -> None:
        """Something of this owner may have changed."""
        for listener in self.listeners.get(owner, ()):
            listener.set()

    async def begin(self, owner: str, key: Key, after: Position | None) -> tuple[State | None, int]:
        """The state and the position from which someone listens, no state where they may have missed something;
        refused before anything is answered."""
        if self.many >= self.limits.streams:
            raise busy("too many listeners: close one, or try again", after=self.limits.retry_after)
        begun = partial(heard_until, self.memory, owner, after)
        state, seen = await self.pool.run(key.id, lambda: (self.state_of(owner), begun()))
        return (state if after is None else None), seen

    async def stream(
        self, owner: str, key: Key, state: State | None, seen: int, closing: asyncio.Event
    ) -> AsyncIterator[bytes]:
        """Changes of this owner from after a position, for as long as the key stands."""
        woken = asyncio.Event()
        self.listeners.setdefault(owner, []).append(woken)
        try:
            yield event("hello", {"owner": owner}, seen)
            waited, known_write = 0.0, False
            while not closing.is_set() and self.keys.holds(key):
                newest = await self.looked(lambda: self.state_of(owner))
                if newest != state or known_write:
                    many, seen = 0, await self.looked(partial(heard_until, self.memory, owner, seen))
                    async for place, change in self.since(owner, seen):
                        yield event("change", change, place)
                        seen, many = place, many + 1
                    yield event("written", {"owner": owner, "changes": many}, seen)
                    state, waited = newest, 0.0
                known_write = await pause(woken, self.limits.poll)
                waited += self.limits.poll
                if waited >= QUIET:
                    yield b": still here\n\n"
                    waited = 0.0
        finally:
            self.listeners[owner].remove(woken)
            if not self.listeners[owner]:
                del self.listeners[owner]

    def state_of(self, owner: str) -> State:
        """What differs when something was written: words without a change, or changes, be they as old as those of an
        import."""
        return self.memory.store.newest(owner)

    async def since(self, owner: str, seen: int) -> AsyncIterator[tuple[int, Change]]:
        """All changes after a position, a limited number of them read at once."""
        more, store, most = True, self.memory.store, self.limits.news
        while more:
            found = await self.looked(partial(store.read, owner, LogEntry, Query(position=seen, first=most)))
            for place, change in found:
                yield place, change
            more, seen = len(found) == most, found[-1][0] if found else seen

    async def looked(self, look: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self.pool.threads, look)


def heard_until(memory: Memory, owner: str, after: Position | None) -> int:
    """The position after which a listener has not heard of the changes yet: that of the newest for a new one."""
    end = memory.store.newest(owner).position
    if after is None:
        return end
    if isinstance(after, int):
        return after if after <= end else 0  # beyond the end it is of before everything was erased
    first = memory.store.read(owner, LogEntry, Query(position=after, first=1))
    return first[0][0] - 1 if first else end


async def pause(woken: asyncio.Event, seconds: float) -> bool:
    """Wait until woken, or so long; gives whether it was woken."""
    try:
        await asyncio.wait_for(woken.wait(), seconds)
    except (TimeoutError, asyncio.TimeoutError):
        return False
    woken.clear()
    return True


def event(name: str, data: object, position: int) -> bytes:
    """One event; its id is the position in the log, with which a broken stream goes on just after it."""
    return b"event: %s\nid: %d\ndata: %s\n\n" % (name.encode(), position, as_json(data))


def position_of(given: str | None) -> Position | None:
    """The position in a Last-Event-ID; before 0.2 it was a moment, from which on everything is told again."""
    if not given:
        return None
    try:
        if given.isdigit():
            return int(given[:16])
        moment = datetime.fromisoformat(given)
    except ValueError as error:
        raise InvalidInput(f"Last-Event-ID must be the id of an event, not {given[:60]!r}") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)
