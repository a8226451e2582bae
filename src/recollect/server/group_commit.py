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
from recollect.server.worker_pool import GONE, StoreProbe

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
        self.waiting: queue.SimpleQueue[WaitingWrite | None] = queue.SimpleQueue()
        self.thread = threading.Thread(target=self.run, name="recollect-commits", daemon=True)
        self.started, self.deciding = threading.Lock(), threading.Lock()
        self.closed = False
        self.commits = self.adds = 0
        """How many commits there were, and how many adds in them."""

    async def do(self, owner: str, work: Callable[[], Any]) -> Any:
        """What the work gives, once it is durable."""
        if self.closed or self.waiting.qsize() >= self.limits.writes:
            raise busy("too many adds wait for the disk: try again", after=self.limits.retry_after)
        wanted = WaitingWrite(owner, work)
        self.waiting.put(wanted)
        self.start()
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
        told = (
            "nothing was done" if wanted.given_up else "it may still be done: ask again with the same Idempotency-Key"
        )
        settle([(wanted, busy(f"{why}; {told}", after=self.limits.retry_after))])

    def begin(self, wanted: WaitingWrite) -> bool:
        """Whether a write is still wanted; from now on it is being done."""
        with self.deciding:
            wanted.begun = not wanted.given_up and not wanted.done.cancelled()
            return wanted.begun

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
        self.vectors.close()

    def run(self) -> None:
        while (first := self.waiting.get()) is not None:
            taken = [first]
            last = not self.commit(taken)
            if last:
                return

    def commit(self, taken: list[WaitingWrite]) -> bool:
        """Do the first and what comes meanwhile in one transaction; False when there is nothing more to do ever."""
        more, results = True, list[Any]()
        live = [one for one in taken if self.begin(one)]
        try:
            with self.memory.of(taken[0].owner).together(later=self.limits.group > 1):
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
        tell(list(zip(live, results, strict=True)))
        self.vectors.follow()
        return more

    def take(self, live: list[WaitingWrite]) -> bool:
        """Add the next that waits, if any; False when it is the end."""
        try:
            one = self.waiting.get_nowait()
        except queue.Empty:
            return True
        if one is None:
            return False
        if self.begin(one):
            live.append(one)
        return True


class VectorThread:
    """Makes the vectors that adds under load have left for later, piece by piece, so that others write in between."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="recollect-vectors")

    def follow(self) -> None:
        """Make those that were left, if any. Called by the one thread that commits."""
        if self.memory.behind:
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
