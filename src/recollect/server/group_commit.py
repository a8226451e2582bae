"""Group commit: the adds that came while one commit ran share the next."""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from recollect import Memory, RecollectError
from recollect.server import Limits
from recollect.server.problems import Refused, busy
from recollect.server.worker_pool import GONE, MAY_BE_DONE, StoreProbe

LONGEST_TURN = 0.2
"""Seconds after which a group takes no more in, so that other writers get their turn."""


@dataclass(eq=False)
class WaitingWrite:
    """One write that waits for a commit."""

    owner: str
    work: Callable[[], Any]
    done: asyncio.Future[Any] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    begun: bool = False
    given_up: bool = False
    """Who asked has been told that nothing was done."""


class GroupCommit:
    """One thread that does adds, as many in one transaction as have come."""

    def __init__(self, memory: Memory, limits: Limits, probe: StoreProbe | None = None) -> None:
        self.memory, self.limits, self.vectors = memory, limits, VectorThread(memory)
        self.probe = probe or StoreProbe(memory)
        self.waiting: queue.SimpleQueue[WaitingWrite] = queue.SimpleQueue()
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="recollect-commits")
        self.deciding = threading.Lock()
        self.closed = False
        self.commits = self.adds = 0
        """How many commits there were, and how many adds in them."""

    async def do(self, owner: str, work: Callable[[], Any]) -> Any:
        """What the work gives, once it is durable."""
        if self.closed or self.waiting.qsize() >= self.limits.writes:
            raise busy("too many adds wait for the disk: try again", after=self.limits.retry_after)
        wanted = WaitingWrite(owner, work)
        self.waiting.put(wanted)
        self.thread.submit(self.commit)
        try:
            if not await self.probe.wait_for(wanted.done, self.limits.seconds):
                self.give_up(wanted, f"no answer within {self.limits.seconds:g} s")
        except Refused:
            self.give_up(wanted, GONE)
        except asyncio.CancelledError:
            wanted.done.cancel()
            raise
        return await wanted.done

    def give_up(self, wanted: WaitingWrite, why: str) -> None:
        """Answer who has waited too long."""
        with self.deciding:
            wanted.given_up = not wanted.begun
        told = "nothing was done" if wanted.given_up else MAY_BE_DONE
        settle([(wanted, busy(f"{why}; {told}", after=self.limits.retry_after))])

    def begin(self, wanted: WaitingWrite) -> bool:
        """Whether a write is still wanted; from now on it is being done."""
        with self.deciding:
            wanted.begun = not wanted.given_up and not wanted.done.cancelled()
            return wanted.begun

    def close(self) -> None:
        """Do what waits, then stop."""
        self.closed = True
        self.thread.shutdown(wait=True)
        self.vectors.close()

    def commit(self) -> None:
        """Do the first that waits and what comes meanwhile in one transaction."""
        live, results = list[WaitingWrite](), list[Any]()
        self.take(live)
        if not live:  # it was done together with another
            return
        try:
            with self.memory.of(live[0].owner).together(later=self.limits.group > 1):
                until = time.monotonic() + LONGEST_TURN
                while len(results) < len(live):
                    results.append(attempt(live[len(results)].work))
                    if len(results) == len(live) and len(live) < self.limits.group and time.monotonic() < until:
                        self.take(live)
        except RecollectError:
            results = [attempt(one.work) for one in live]  # One of them spoilt the group; nothing of it was kept.
            self.commits += len(live)
        else:
            self.commits += 1
        self.adds += len(live)
        tell(list(zip(live, results, strict=True)))
        self.vectors.follow()

    def take(self, live: list[WaitingWrite]) -> None:
        """Add the next that waits and is still wanted, if any."""
        with suppress(queue.Empty):
            while not self.begin(one := self.waiting.get_nowait()):
                pass
            live.append(one)


class VectorThread:
    """Makes the vectors that adds under load have left for later, piece by piece, so that others write in between."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="recollect-vectors")

    def follow(self) -> None:
        """Make those that were left, if any. Called by the one thread that commits."""
        if self.memory.vectors_waiting:
            self.thread.submit(self.make_all)

    def make_all(self) -> None:
        try:
            while self.memory.make_vectors():
                pass
        except RecollectError as error:  # `health` counts what is missing, `catch_up` makes it
            logging.getLogger("recollect").warning("vectors could not be made: %s", error)

    def close(self) -> None:
        """Make what is left, then stop. Call it when nothing is added any more."""
        self.thread.shutdown(wait=True)


def attempt(work: Callable[[], Any]) -> Any:
    """What the work gives, or the error it raises."""
    try:
        return work()
    except Exception as error:
        return error


def tell(answers: Sequence[tuple[WaitingWrite, Any]]) -> None:
    """Give their answers to all who wait, in one go: to wake a loop takes longer than to answer."""
    for loop in {one.done.get_loop() for one, _ in answers}:
        mine = [answer for answer in answers if answer[0].done.get_loop() is loop]
        with suppress(RuntimeError):  # the loop has ended, and nobody waits any more
            loop.call_soon_threadsafe(settle, mine)


def settle(answers: Sequence[tuple[WaitingWrite, Any]]) -> None:
    for wanted, result in answers:
        if wanted.done.done():
            continue
        if isinstance(result, Exception):
            wanted.done.set_exception(result)
        else:
            wanted.done.set_result(result)
