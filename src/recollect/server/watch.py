"""Whether the store can still be reached: asked as soon as an answer is late, so that nobody waits for one in vain."""

from __future__ import annotations

import asyncio
import logging
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from recollect import Memory, RecollectError
from recollect.server.problems import busy

LATE = 0.2
"""Seconds after which an answer is late, and between two questions to a store that was gone."""
PATIENCE = 0.6
"""Seconds that the store has to say that it is there."""
GONE = "the store can't be reached: try again soon; whoever runs the service finds the reason in its log"


class Watch:
    """Asks the store, one question at a time, whether it is there. A file of this machine is never asked meanwhile."""

    def __init__(self, memory: Memory) -> None:
        self.store, self.remote = memory.store, "://" in memory.store.name
        self.pool = ThreadPoolExecutor(1, thread_name_prefix="recollect-watch")
        self.asking: asyncio.Future[list[str]] | None = None
        self.asked, self.gone, self.closed = 0.0, False, False

    def refuse_gone(self) -> None:
        """Refuse at once while the store is known to be gone."""
        if self.gone:
            raise busy(GONE, after=1)

    async def came(self, answer: asyncio.Future[Any], seconds: float) -> bool:
        """Whether the answer came in so many seconds; raises Refused when the store is gone meanwhile."""
        until = time.monotonic() + seconds
        while not answer.done():
            left = until - time.monotonic()
            if left <= 0:
                return False
            await asyncio.wait({answer}, timeout=min(left, LATE) if self.remote else left)
            if self.remote and not answer.done() and not await self.there() and not answer.done():
                raise busy(GONE, after=1)
        return True

    async def there(self) -> bool:
        """Whether the store answers in time."""
        question = self.ask()
        await asyncio.wait({question}, timeout=max(0.0, self.asked + PATIENCE - time.monotonic()))
        if not question.done():
            self.note(gone=True, why="it does not answer")
        return question.done() and question.exception() is None

    def ask(self) -> asyncio.Future[list[str]]:
        """The question that is under way, or a new one."""
        if self.asking is None or self.asking.done():
            self.asked = time.monotonic()
            self.asking = asyncio.get_running_loop().run_in_executor(self.pool, partial(self.store.check, quick=True))
            self.asking.add_done_callback(self.answered)
        return self.asking

    def answered(self, question: asyncio.Future[list[str]]) -> None:
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
