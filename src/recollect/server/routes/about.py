"""Routes about the service: health, readiness, metrics, owners, what a key may do."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from recollect import __version__
from recollect.serialize import to_plain
from recollect.server import bodies
from recollect.server.keys import EVERYONE
from recollect.server.pages import Page, page
from recollect.server.problems import as_json, busy
from recollect.server.service import ANY, OPEN, Guarded, answer, key_of, service_of, verb
from recollect.server.watch import GONE

router = APIRouter(route_class=Guarded)


@verb(router, "GET", "/health", OPEN, dict[str, str])
async def health(request: Request) -> Response:
    """Whether the service runs. Says nothing else, as it asks for no key."""
    return answer(b'{"status":"ok"}')


@verb(router, "GET", "/ready", OPEN, dict[str, str])
async def ready(request: Request) -> Response:
    """Whether the service takes requests: not while it stops, nor when its queue is full or its store is gone."""
    service = service_of(request)
    full = service.desk.inside >= service.limits.workers + service.limits.queue
    if service.closing.is_set() or full:
        raise busy("not ready: the service is stopping or busy", after=service.limits.retry_after)
    if not await service.watch.there():
        raise busy(f"not ready: {GONE}", after=service.limits.retry_after)
    return answer(b'{"status":"ok"}')


@verb(router, "GET", "/metrics", "admin", media="text/plain")
async def metrics(request: Request) -> Response:
    """Counters for Prometheus. Needs an admin key for all owners."""
    service = service_of(request)
    counters = {"adds_total": service.commits.adds, "add_commits_total": service.commits.commits}
    gauges = {
        "requests_inside": service.desk.inside,
        "adds_waiting": service.commits.waiting.qsize(),
        "vectors_waiting": service.memory.vectors_waiting,
        "streams": service.events.many,
    }
    return Response(service.metrics.page(counters, gauges), media_type="text/plain; version=0.0.4")


@verb(router, "GET", "/v1/whoami", ANY, dict[str, Any])
async def whoami(request: Request) -> Response:
    """What this key may do: its name, owners and rights, and when it expires."""
    return answer(as_json({**to_plain(key_of(request)), "version": __version__}))


@verb(router, "GET", "/v1/owners", ANY, Page[str])
async def owners(request: Request, limit: bodies.Limit = 200, cursor: bodies.Cursor = None) -> Response:
    """Those of this key's owners who have anything in the store."""
    service, key = service_of(request), key_of(request)

    def work() -> bytes:
        mine = service.memory.owners() if EVERYONE in key.owners else known(service.memory.owners(), key.owners)
        return as_json(page(mine, limit, cursor, ("owners", *key.owners), lambda owner: (owner,), rising=True))

    with service.metrics.timed("owners"):
        return answer(await service.desk.run(key.id, work))


@verb(router, "GET", "/v1/openapi.json", ANY, dict[str, Any])
async def openapi(request: Request) -> Response:
    """This description."""
    return answer(as_json(request.app.openapi()))


def known(everyone: list[str], mine: tuple[str, ...]) -> list[str]:
    return [owner for owner in everyone if owner in mine]
