"""What every route has at hand, and the two ways in which a verb of the library becomes an answer: read and write."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from fastapi import Request
from starlette.responses import Response

from recollect import Memory
from recollect.server import Limits
from recollect.server.events import Events
from recollect.server.group_commit import GroupCommit
from recollect.server.idempotency import Fingerprint, InFlight, Written, done_once
from recollect.server.instrumentation import Metrics, traced
from recollect.server.keys import Key, Keys
from recollect.server.middleware import whole
from recollect.server.problems import as_json
from recollect.server.worker_pool import StoreProbe, WorkerPool


class Service:
    """The parts of one running service."""

    def __init__(self, memory: Memory, keys: Keys, limits: Limits) -> None:
        self.memory, self.keys, self.limits = memory, keys, limits
        self.probe = StoreProbe(memory)
        self.pool = WorkerPool(limits, self.probe)
        self.commits = GroupCommit(memory, limits, self.probe)
        self.in_flight = InFlight(limits, self.probe)
        self.events = Events(memory, self.pool, keys, limits)
        self.metrics = Metrics()
        self.closing = asyncio.Event()
        """Set when the service is to stop: streams end, so that it can."""

    def close(self) -> None:
        """Finish what was begun. What was acknowledged is durable already."""
        self.commits.close()
        self.pool.close()
        self.probe.close()


def service_of(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


def key_of(request: Request) -> Key:
    """The key that the middleware found."""
    key: Key = request.scope["recollect.key"]
    return key


def owner_of(request: Request) -> str:
    return whole(request.path_params["owner"])


def also_of(request: Request) -> list[str]:
    """The other owners whose memory is to be read too."""
    return request.query_params.getlist("also") if request.scope["query_string"] else []


def memory_of(request: Request) -> Memory:
    """The memory that a request is about."""
    return service_of(request).memory.of(owner_of(request), also=also_of(request))


async def read(request: Request, name: str, call: Callable[[Memory], Any], *, query: str | None = None) -> Response:
    """The answer to a question about a memory. `query`: what was asked, for a span that may hold it."""
    service, memory = service_of(request), memory_of(request)

    def work() -> bytes:
        with traced(name, memory.owner) as span:
            span.asked(query)
            return as_json(span.gave(call(memory)))

    with service.metrics.timed(name):
        return json_answer(await service.pool.run(key_of(request).id, work))


async def write(
    request: Request,
    name: str,
    call: Callable[[Memory], Any],
    *,
    grouped: bool = False,
    sent: bytes | None = None,
    seconds: float | None = None,
    **options: Any,
) -> Response:
    """The answer that was given before for this Idempotency-Key, or one that is made now. `grouped`: in a commit shared
    with others, where no model is waited for; `sent`: what tells its body from another, where that was read as a
    stream; `seconds`: how long it may take; the options are those of `done_once`."""
    service, memory, key = service_of(request), memory_of(request), key_of(request).id
    fingerprint = await fingerprint_of(request, sent)

    def work() -> Written:
        with traced(name, memory.owner) as span:
            return done_once(memory, fingerprint, lambda memory: span.gave(call(memory)), **options)

    async def make() -> Written:
        with service.metrics.timed(name):
            if grouped and memory.instant:
                done: Written = await service.commits.do(memory.owner, work)
                return done
            return await service.pool.run(key, work, seconds=seconds)

    written = await (make() if fingerprint is None else service.in_flight.once(memory.owner, fingerprint, make))
    service.events.look(memory.owner)
    return written.response()


async def fingerprint_of(request: Request, sent: bytes | None) -> Fingerprint | None:
    """What tells this request when it is sent again, if it says that it may be."""
    given = request.headers.get("idempotency-key")
    if given is None:
        return None
    body = await request.body() if sent is None else sent
    asked = (request.method, request.url.path, str(request.query_params), body)
    return Fingerprint.of(key_of(request).id, given, asked)


def json_answer(body: bytes) -> Response:
    return Response(body, media_type="application/json")
