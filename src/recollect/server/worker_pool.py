"""The bounded pool that does the work, and the probe of its store: who would wait in vain is refused at once."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import logging
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from recollect import Memory, RecollectError
from recollect.server import Limits
from recollect.server.problems import Refused, busy

Result = TypeVar("Result")

LONGEST_WAIT = 10
"""Seconds that anyone is asked to wait at most."""
REFUSALS = 40
"""Refusals in a second that are as good as nothing."""
LATE = 0.2
"""Seconds after which an answer is late, and between two questions to a store that was gone."""
PATIENCE = 0.6
"""Seconds that the store has to say that it is there."""
MAY_BE_DONE = "it may still be done: ask again with the same Idempotency-Key"
GONE = "the store can't be reached: try again soon; whoever runs the service finds the reason in its log"


class WorkerPool:
    """Runs blocking calls in threads, so many at a time, with a queue of so many."""

    def __init__(self, limits: Limits, probe: StoreProbe) -> None:
        self.limits, self.probe = limits, probe
        self.threads = ThreadPoolExecutor(limits.workers, thread_name_prefix="recollect")
        self.inside = 0
        """Calls that wait or run."""
        self.of_key: Counter[str] = Counter()
        self.second = self.before = self.now = 0
        """Who was turned away: in which second, in the one before, in this one."""

    async def run(self, key: str, call: Callable[[], Result], *, seconds: float | None = None) -> Result:
        """What the call gives; refused when there is no place for it. `seconds`: how long it may take."""
        self.admit(key)
        loop = asyncio.get_running_loop()
        work = self.threads.submit(functools.partial(contextvars.copy_context().run, call))

        def leave(_: object) -> None:
            """Called in the thread that did the work; the count belongs to the loop's."""
            with suppress(RuntimeError):  # The loop is closed, and nobody counts any more.
                loop.call_soon_threadsafe(self.left, key)

        work.add_done_callback(leave)
        return await self.within(asyncio.wrap_future(work), work, seconds or self.limits.seconds)

    def admit(self, key: str) -> None:
        """Take a place for this key, or refuse."""
        self.refuse_full(key)
        self.inside += 1
        self.of_key[key] += 1

    def refuse_full(self, key: str) -> None:
        """Refuse when there is no place, or none for this key, or nothing to be had from the store."""
        self.probe.refuse_gone()
        if self.is_full():
            raise busy("the service has more to do than it can: try again", after=self.turned_away())
        if self.of_key[key] >= self.limits.per_key:
            detail = f"this key has {self.limits.per_key} requests under way: wait for their answers"
            raise busy(detail, after=self.turned_away(), status=429)

    def is_full(self) -> bool:
        return self.inside >= self.limits.workers + self.limits.queue

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
            if await self.probe.wait_for(answer, seconds):
                return answer.result()
        except Refused as gone:
            gone.still = None if work.cancel() else answer
            raise
        begun = not work.cancel()
        told = MAY_BE_DONE if begun else "nothing was done: try again"
        error = busy(f"no answer within {seconds:g} s; {told}", after=self.limits.retry_after)
        error.still = answer if begun else None
        raise error

    def close(self) -> None:
        """Wait for what was begun."""
        self.threads.shutdown(wait=True)


class StoreProbe:
    """Asks the store, one question at a time, whether it is there. A file of this machine is never asked meanwhile."""

    def __init__(self, memory: Memory) -> None:
        self.store, self.remote = memory.store, "://" in memory.store.name
        self.pool = ThreadPoolExecutor(1, thread_name_prefix="recollect-probe")
        self.asking: asyncio.Future[None] | None = None
        self.asked, self.gone, self.closed = 0.0, False, False

    def refuse_gone(self) -> None:
        """Refuse at once while the store is known to be gone."""
        if self.gone:
            raise busy(GONE, after=1)

    async def wait_for(self, answer: asyncio.Future[Any], seconds: float) -> bool:
        """Whether the answer came in so many seconds; raises Refused when the store is gone meanwhile."""
        until = time.monotonic() + seconds
        while not answer.done():
            left = until - time.monotonic()
            if left <= 0:
                return False
            await asyncio.wait({answer}, timeout=min(left, LATE) if self.remote else left)
            if self.remote and not answer.done() and not await self.is_there() and not answer.done():
                raise busy(GONE, after=1)
        return True

    async def is_there(self) -> bool:
        """Whether the store answers in time."""
        question = self.ask()
        await asyncio.wait({question}, timeout=max(0.0, self.asked + PATIENCE - time.monotonic()))
        if not question.done():
            self.note(gone=True, why="it does not answer")
        return question.done() and question.exception() is None

    def ask(self) -> asyncio.Future[None]:
        """The question that is under way, or a new one."""
        if self.asking is None or self.asking.done():
            self.asked = time.monotonic()
            self.asking = asyncio.get_running_loop().run_in_executor(self.pool, self.reach)
            self.asking.add_done_callback(self.answered)
        return self.asking

    def reach(self) -> None:
        self.store.check(quick=True)

    def answered(self, question: asyncio.Future[None]) -> None:
        """Note what was answered; while the store is gone, ask again soon."""
        if question.cancelled():
            return
        error = question.exception()
        self.note(gone=error is not None, why=str(error))
        if error is not None and not isinstance(error, RecollectError):
            logging.getLogger("recollect").error("the store could not be asked", exc_info=error)
        if error is not None and not self.closed:
            asyncio.get_running_loop().call_later(LATE, lambda: None if self.closed else self.ask())

    def note(self, *, gone: bool, why: str) -> None:
        if gone and not self.gone:
            logging.getLogger("recollect").error("the store can't be reached: %s", why)
        if self.gone and not gone:
            logging.getLogger("recollect").warning("the store can be reached again")
        self.gone = gone

    def close(self) -> None:
        self.closed = True
        self.pool.shutdown(wait=False, cancel_futures=True)
