"""Group commit: the adds that came while one commit ran share the next."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from recollect import Memory, RecollectError
from recollect.server.limits import Limits
from recollect.server.problems import busy

LONGEST_TURN = 0.2
"""Seconds after which a group takes no more in, so that other writers get their turn."""


@dataclass
class Wanted:
    """One write that waits for a commit."""

    owner: str
    work: Callable[[], Any]
    done: Future[Any] = field(default_factory=Future)


class Commits:
    """One thread that does adds, as many in one transaction as have come."""

    def __init__(self, memory: Memory, limits: Limits) -> None:
        self.memory, self.limits = memory, limits
        self.waiting: queue.SimpleQueue[Wanted | None] = queue.SimpleQueue()
        self.thread = threading.Thread(target=self.run, name="recollect-commits", daemon=True)
        self.started = threading.Lock()
        self.closed = False
        self.commits = self.adds = 0
        """How many commits there were, and how many adds in them."""

    async def do(self, owner: str, work: Callable[[], Any]) -> Any:
        """What the work gives, once it is durable."""
        if self.closed or self.waiting.qsize() >= self.limits.writes:
            raise busy("too many adds wait for the disk: try again", after=self.limits.retry_after)
        wanted = Wanted(owner, work)
        self.waiting.put(wanted)
        self.start()
        answer = asyncio.wrap_future(wanted.done)
        done, _ = await asyncio.wait({answer}, timeout=self.limits.seconds)
        if not done:
            begun = not wanted.done.cancel()
            told = "it may still be done: ask again with the same Idempotency-Key" if begun else "nothing was done"
            raise busy(f"no answer within {self.limits.seconds:g} s; {told}", after=self.limits.retry_after)
        return answer.result()

    def start(self) -> None:
        with self.started:
            if self.thread.ident is None:
                self.thread.start()

    def close(self) -> None:
        """Do what waits, then stop."""
        self.closed = True
        self.waiting.put(None)
        if self.thread.ident is not None:
            self.thread.join()

    def run(self) -> None:
        while (first := self.waiting.get()) is not None:
            taken = [first]
            last = not self.commit(taken)
            if last:
                return

    def commit(self, taken: list[Wanted]) -> bool:
        """Do the first and what comes meanwhile in one transaction; False when there is nothing more to do ever."""
        more, results = True, list[Any]()
        live = [one for one in taken if one.done.set_running_or_notify_cancel()]
        try:
            with self.memory.of(taken[0].owner).together():
                until = time.monotonic() + LONGEST_TURN
                while live and len(results) < len(live):
                    results.append(attempt(live[len(results)].work))
                    if len(results) == len(live) and len(live) < self.limits.group and time.monotonic() < until:
                        more = self.take(live)
        except RecollectError:
            results = [attempt(one.work) for one in live]  # One of them spoilt the group; nothing of it was kept.
            self.commits, self.adds = self.commits + len(live), self.adds + len(live)
        else:
            self.commits, self.adds = self.commits + 1, self.adds + len(live)
        for one, result in zip(live, results, strict=True):
            settle(one.done, result)
        return more

    def take(self, live: list[Wanted]) -> bool:
        """Add the next that waits, if any; False when it is the end."""
        try:
            one = self.waiting.get_nowait()
        except queue.Empty:
            return True
        if one is None:
            return False
        if one.done.set_running_or_notify_cancel():
            live.append(one)
        return True


def attempt(work: Callable[[], Any]) -> Any:
    """What the work gives, or the error it raises."""
    try:
        return work()
    except Exception as error:
        return error


def settle(done: Future[Any], result: Any) -> None:
    if isinstance(result, Exception):
        done.set_exception(result)
    else:
        done.set_result(result)
