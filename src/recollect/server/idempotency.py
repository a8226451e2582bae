"""Writes that may be sent again: by their Idempotency-Key each is done once, whichever process gets it."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections.abc import Callable, Coroutine, Iterable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from recollect import Memory
from recollect.errors import Interrupted, InvalidInput
from recollect.records import Added, Change
from recollect.server import Limits
from recollect.server.pagination import Page
from recollect.server.problems import Refused, as_json, busy
from recollect.server.worker_pool import StoreProbe
from recollect.store import ANSWERS_KEPT, KeptAnswer, LogEntry, Query

PAUSES = (0.05, 0.5)
"""Seconds between one try and the next of a write that the store took back."""
MOST_UNDO = 50
UNDO = "Recollect-Undo"
USED = "this Idempotency-Key was used for another request: take a new one for each"


@dataclass(frozen=True)
class Fingerprint:
    """What tells a write that is sent again: its key, of one key of the service, and what it asks for."""

    key: str
    request: str

    @classmethod
    def of(cls, key_id: str, given: str, asked: Iterable[object]) -> Fingerprint:
        return cls(hashed((key_id, given)), hashed(tuple(asked)))


@dataclass(frozen=True)
class Written:
    """What a write gave, as JSON, and the changes by which it can be taken back, newest first."""

    body: bytes
    undo: tuple[str, ...] = ()
    replayed: bool = False

    def response(self) -> Response:
        headers = {UNDO: ", ".join(self.undo)} if self.undo else {}
        headers |= {"Idempotency-Replayed": "true"} if self.replayed else {}
        return Response(self.body, headers=headers, media_type="application/json")


def hashed(parts: tuple[object, ...]) -> str:
    return hashlib.sha256(repr(parts).encode("utf-8", "backslashreplace")).hexdigest()


def done_once(
    memory: Memory,
    fingerprint: Fingerprint | None,
    call: Callable[[Memory], Any],
    *,
    alone: bool = True,
    kept: Callable[[bytes], bytes] = lambda body: body,
) -> Written:
    """What was answered to this write before, or what it gives now. `alone`: in a transaction of its own, so that it is
    kept together with its answer; `kept`: as much of the answer as may be kept."""

    def attempt() -> Written:
        with memory.store.transaction(memory.owner) if alone else nullcontext():
            given = None if fingerprint is None else given_before(memory, fingerprint)
            if given is not None:
                return given
            written = done(memory, call, alone=alone)
            if fingerprint is not None:
                keep(memory, fingerprint, written, kept)
            return written

    for pause in PAUSES if alone else ():
        try:
            return attempt()
        except Interrupted:
            time.sleep(pause)
    return attempt()


def done(memory: Memory, call: Callable[[Memory], Any], *, alone: bool) -> Written:
    """What the call gives. In a transaction of its own, what was changed in it is what it changed."""
    before = memory.store.newest(memory.owner).position if alone else 0
    result = call(memory)
    if alone:
        changes = [
            change for _, change in memory.store.read(memory.owner, LogEntry, Query(position=before, first=10_000))
        ]
    else:
        added = [one for one in (result.items if isinstance(result, Page) else (result,)) if isinstance(one, Added)]
        changes = [change for one in added for receipt in one.receipts for change in receipt.changes]
    return Written(as_json(result), undo_ids(changes))


def undo_ids(changes: Iterable[Change]) -> tuple[str, ...]:
    """One change of each group, newest first: to undo one undoes its group. None where there are too many to name."""
    groups = {change.group: change.id for change in changes if change.kind != "erased"}
    return tuple(reversed(groups.values())) if len(groups) <= MOST_UNDO else ()


def given_before(memory: Memory, fingerprint: Fingerprint) -> Written | None:
    """What was answered to this write before."""
    found = memory.store.read(memory.owner, KeptAnswer, Query(ids=[fingerprint.key]))
    if not found or found[0].at < memory.tick() - ANSWERS_KEPT:
        return None
    [answer] = found
    if answer.print != fingerprint.request:
        raise InvalidInput(USED)
    return Written(answer.body.encode(), tuple(answer.undo.split()), replayed=True)


def keep(memory: Memory, fingerprint: Fingerprint, written: Written, kept: Callable[[bytes], bytes]) -> None:
    body, undo = kept(written.body).decode(), " ".join(written.undo)
    answer = KeptAnswer(fingerprint.key, fingerprint.request, body, undo, memory.tick())
    memory.store.save(memory.owner, [answer])


def without_words(body: bytes) -> bytes:
    """The receipt of an erase without what it says in words, which may name what was erased."""
    receipt = json.loads(body)
    worded = [name for name, value in receipt.items() if isinstance(value, list) and value]
    return as_json({**receipt, **{key: ["told with the first answer"] for key in worded}})


class InFlight:
    """Writes that are being done in this process: who sends one again meanwhile gets its answer."""

    def __init__(self, limits: Limits, probe: StoreProbe) -> None:
        self.limits, self.probe = limits, probe
        self.doing: dict[tuple[str, str], tuple[str, asyncio.Future[Written]]] = {}
        """By owner and key: the hash of the request, and what it will give."""

    async def once(
        self, owner: str, fingerprint: Fingerprint, make: Callable[[], Coroutine[Any, Any, Written]]
    ) -> Written:
        """What this write gives, made at most once at a time."""
        scope = (owner, fingerprint.key)
        if scope in self.doing:
            request, earlier = self.doing[scope]
            if request != fingerprint.request:
                raise InvalidInput(USED)
            found = await self.given(earlier)
            return Written(found.body, found.undo, replayed=True)
        future: asyncio.Future[Written] = asyncio.get_running_loop().create_future()
        self.doing[scope] = (fingerprint.request, future)
        task = asyncio.ensure_future(make())
        task.add_done_callback(lambda done: self.ended(scope, future, done))
        return await asyncio.shield(task)

    async def given(self, earlier: asyncio.Future[Written]) -> Written:
        """An answer that someone else is making, if it comes in time."""
        if not await self.probe.wait_for(earlier, self.limits.seconds):
            told = "it is still being done: ask again with the same Idempotency-Key"
            raise busy(f"no answer within {self.limits.seconds:g} s; {told}", after=self.limits.retry_after)
        return earlier.result()

    def ended(self, scope: tuple[str, str], future: asyncio.Future[Written], done: asyncio.Future[Written]) -> None:
        """Tell those who wait. What nobody waited for any more goes on, and so does its place here."""
        error = ConnectionError("the service stops") if done.cancelled() else done.exception()
        if isinstance(error, Refused) and error.still is not None:
            error.still.add_done_callback(lambda late: self.ended(scope, future, late))
            return
        self.doing.pop(scope, None)
        if error is None:
            future.set_result(done.result())
        else:
            future.set_exception(error)
            future.exception()
