"""Changes as they happen, by server-sent events; those that other processes make too."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timezone

from recollect import Change, InvalidInput, Memory, to_plain
from recollect.server.desk import Desk
from recollect.server.keys import Key, Keys
from recollect.server.limits import Limits
from recollect.server.problems import as_json, busy

QUIET = 15.0
"""Seconds after which a stream says that it is still there."""
START = datetime(1, 1, 1, tzinfo=timezone.utc)


class Events:
    """Streams of changes. Each looks at its owner's newest write: soon after a write here, else now and then."""

    def __init__(self, memory: Memory, desk: Desk, keys: Keys, limits: Limits) -> None:
        self.memory, self.desk, self.keys, self.limits = memory, desk, keys, limits
        self.listeners: dict[str, list[asyncio.Event]] = {}

    @property
    def many(self) -> int:
        return sum(map(len, self.listeners.values()))

    def look(self, owner: str) -> None:
        """Something of this owner may have changed."""
        for listener in self.listeners.get(owner, ()):
            listener.set()

    async def stream(
        self, owner: str, key: Key, after: datetime | None, closing: asyncio.Event
    ) -> AsyncIterator[bytes]:
        """Changes of this owner from now on, or from after a moment, for as long as the key stands."""
        woken = asyncio.Event()
        self.listeners.setdefault(owner, []).append(woken)
        try:
            seen = after or await self.desk.run(key.id, lambda: self.memory.store.last_learned(owner)) or START
            yield event("hello", {"owner": owner}, seen)
            waited, known_write = 0.0, False
            while not closing.is_set() and self.keys.holds(key):
                newest, changes = await self.news(owner, seen)
                if newest != seen or known_write:
                    for change in changes:
                        yield event("change", to_plain(change), change.at)
                    yield event("written", {"owner": owner, "changes": len(changes)}, newest)
                    seen, waited = newest, 0.0
                known_write = await pause(woken, self.limits.poll)
                waited += self.limits.poll
                if waited >= QUIET:
                    yield b": still here\n\n"
                    waited = 0.0
        finally:
            self.listeners[owner].remove(woken)
            if not self.listeners[owner]:
                del self.listeners[owner]

    def refuse_too_many(self) -> None:
        if self.many >= self.limits.streams:
            raise busy("too many listeners: close one, or try again", after=self.limits.retry_after)

    async def news(self, owner: str, seen: datetime) -> tuple[datetime, list[Change]]:
        """The newest moment of writing, and the newest of the changes since the one before."""
        store, most = self.memory.store, self.limits.news

        def look() -> tuple[datetime, list[Change]]:
            newest = store.last_learned(owner) or START
            return newest, store.changes(owner, after=seen, last=most) if newest != seen else []

        return await asyncio.get_running_loop().run_in_executor(self.desk.pool, look)


async def pause(woken: asyncio.Event, seconds: float) -> bool:
    """Wait until woken, or so long; gives whether it was woken."""
    try:
        await asyncio.wait_for(woken.wait(), seconds)
    except (TimeoutError, asyncio.TimeoutError):
        return False
    woken.clear()
    return True


def event(name: str, data: object, moment: datetime) -> bytes:
    """One event; its id is the moment, with which a broken stream goes on where it was."""
    return b"event: %s\nid: %s\ndata: %s\n\n" % (name.encode(), moment.isoformat().encode(), as_json(data))


def moment_of(given: str | None) -> datetime | None:
    """The moment in a Last-Event-ID."""
    if not given:
        return None
    try:
        moment = datetime.fromisoformat(given)
    except ValueError as error:
        raise InvalidInput(f"Last-Event-ID must be the id of an event, not {given[:60]!r}") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)
