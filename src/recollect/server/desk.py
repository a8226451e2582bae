"""The bounded pool that does the work: who comes when it is full is turned away at once, not kept waiting."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from recollect.server.limits import Limits
from recollect.server.problems import Refused, busy
from recollect.server.watch import Watch

Result = TypeVar("Result")

LONGEST_WAIT = 10
"""Seconds that anyone is asked to wait at most."""
REFUSALS = 40
"""Refusals in a second that are as good as nothing."""


class Desk:
    """Runs blocking calls in threads, so many at a time, with a queue of so many."""

    def __init__(self, limits: Limits, watch: Watch) -> None:
        self.limits, self.watch = limits, watch
        self.pool = ThreadPoolExecutor(limits.workers, thread_name_prefix="recollect")
        self.inside = 0
        """Calls that wait or run."""
        self.of_key: Counter[str] = Counter()
        self.second = self.before = self.now = 0
        """Who was turned away: in which second, in the one before, in this one."""

    async def run(self, key: str, call: Callable[[], Result], *, seconds: float | None = None) -> Result:
        """What the call gives; refused when there is no place for it. `seconds`: how long it may take."""
        self.admit(key)
        loop = asyncio.get_running_loop()
        work = self.pool.submit(functools.partial(contextvars.copy_context().run, call))
        work.add_done_callback(lambda _: leave(loop, self, key))
        return await self.within(asyncio.wrap_future(work), work, seconds or self.limits.seconds)

    def admit(self, key: str) -> None:
        """Take a place for this key, or refuse."""
        self.refuse_full(key)
        self.inside += 1
        self.of_key[key] += 1

    def refuse_full(self, key: str) -> None:
        """Refuse when there is no place, or none for this key, or nothing to be had from the store."""
        self.watch.refuse_gone()
        if self.inside >= self.limits.workers + self.limits.queue:
            raise busy("the service has more to do than it can: try again", after=self.turned_away())
        if self.of_key[key] >= self.limits.per_key:
            detail = f"this key has {self.limits.per_key} requests under way: wait for their answers"
            raise busy(detail, after=self.turned_away(), status=429)

    def turned_away(self) -> int:
        """Seconds after which to come again: the longer, the more were turned away within the last second, so that
        refusing never takes the time that the others need."""
        second = int(time.monotonic())
        if second != self.second:
            self.before, self.now = (self.now if second == self.second + 1 else 0), 0
            self.second = second
        self.now += 1
        many = max(self.before, self.now)
        return max(self.limits.retry_after, min(LONGEST_WAIT, many // REFUSALS))

    def left(self, key: str) -> None:
        """Give the place of a call back."""
        self.inside -= 1
        self.of_key[key] -= 1
        if self.of_key[key] <= 0:
            del self.of_key[key]

    async def within(self, answer: asyncio.Future[Result], work: Future[Result], seconds: float) -> Result:
        """The answer, if it comes in time."""
        try:
            if await self.watch.came(answer, seconds):
                return answer.result()
        except Refused as gone:
            gone.still = None if work.cancel() else answer
            raise
        begun = not work.cancel()
        told = (
            "it may still be done: ask again with the same Idempotency-Key" if begun else "nothing was done: try again"
        )
        error = busy(f"no answer within {seconds:g} s; {told}", after=self.limits.retry_after)
        error.still = answer if begun else None
        raise error

    def close(self) -> None:
        """Wait for what was begun."""
        self.pool.shutdown(wait=True)


def leave(loop: asyncio.AbstractEventLoop, desk: Desk, key: str) -> None:
    """Called in the thread that did the work; the count belongs to the loop's."""
    try:
        loop.call_soon_threadsafe(desk.left, key)
    except RuntimeError:  # The loop is closed, and nobody counts any more.
        return
