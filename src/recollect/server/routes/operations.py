"""Routes for those who run the service or move a memory: health, metrics, owners, backup, export, import."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response

from recollect import Memory, __version__
from recollect.errors import InvalidInput
from recollect.serialize import to_plain
from recollect.server import bodies
from recollect.server.pagination import Page, page
from recollect.server.problems import as_json, busy
from recollect.server.routes import (
    ANY,
    OPEN,
    Guarded,
    json_answer,
    key_of,
    memory_of,
    owner_router,
    route,
    service_of,
    write,
)
from recollect.server.worker_pool import GONE

router = APIRouter(route_class=Guarded)
owned = owner_router()


@route(router, "GET", "/health", OPEN, dict[str, str])
async def health(request: Request) -> Response:
    """Whether the service runs. Says nothing else, as it asks for no key."""
    return json_answer(b'{"status":"ok"}')


@route(router, "GET", "/ready", OPEN, dict[str, str])
async def ready(request: Request) -> Response:
    """Whether the service takes requests: not while it stops, nor when its queue is full or its store is gone."""
    service = service_of(request)
    if service.closing.is_set() or service.pool.is_full():
        raise busy("not ready: the service is stopping or busy", after=service.limits.retry_after)
    if not await service.probe.is_there():
        raise busy(f"not ready: {GONE}", after=service.limits.retry_after)
    return json_answer(b'{"status":"ok"}')


@route(router, "GET", "/metrics", "admin", media="text/plain")
async def metrics(request: Request) -> Response:
    """Counters for Prometheus. Needs an admin key for all owners."""
    service = service_of(request)
    counters = {"adds_total": service.commits.adds, "add_commits_total": service.commits.commits}
    gauges = {
        "requests_inside": service.pool.inside,
        "adds_waiting": service.commits.waiting.qsize(),
        "vectors_waiting": service.memory.vectors_waiting,
        "streams": service.events.many,
    }
    return Response(service.metrics.page(counters, gauges), media_type="text/plain; version=0.0.4")


@route(router, "GET", "/v1/whoami", ANY, dict[str, Any])
async def whoami(request: Request) -> Response:
    """What this key may do: its name, owners and rights, and when it expires."""
    return json_answer(as_json({**to_plain(key_of(request)), "version": __version__}))


@route(router, "GET", "/v1/owners", ANY, Page[str])
async def owners(request: Request, limit: bodies.Limit = 200, cursor: bodies.Cursor = None) -> Response:
    """Those of this key's owners who have anything in the store."""
    service, key = service_of(request), key_of(request)

    def work() -> bytes:
        mine = [owner for owner in service.memory.owners() if key.reaches(owner)]
        return as_json(page(mine, limit, cursor, ("owners", *key.owners), lambda owner: (owner,), rising=True))

    with service.metrics.timed("owners"):
        return json_answer(await service.pool.run(key.id, work))


@route(router, "GET", "/v1/backup", "admin", media="application/octet-stream")
async def backup(request: Request) -> Response:
    """The whole store, all owners, as one file; consistent while others write. Needs an admin key for all owners."""
    memory = service_of(request).memory

    def copy(path: Path) -> None:
        path.unlink()
        memory.backup(path)

    return await as_file(request, "backup", copy, "application/octet-stream")


@route(router, "GET", "/v1/openapi.json", ANY, dict[str, Any])
async def openapi(request: Request) -> Response:
    """This description."""
    return json_answer(as_json(request.app.openapi()))


# Moving a memory, as streams through a file

Form = Annotated[str, Query(pattern="^(jsonl|json)$", description="jsonl: everything; json: what holds now.")]


@route(owned, "GET", "/export", "read", media="application/x-ndjson")
async def export(request: Request, form: Form = "jsonl") -> Response:
    """Everything as JSON Lines with both clocks, or what holds now as one JSON dictionary."""
    memory = memory_of(request)
    kind = "application/x-ndjson" if form == "jsonl" else "application/json"
    return await as_file(request, "export", lambda path: memory.export_to(path, form=form), kind)


@route(owned, "POST", "/import", "write", dict[str, int])
async def import_(request: Request, form: Annotated[str | None, Query(pattern="^(jsonl|json)$")] = None) -> Response:
    """Read an export of either form into this memory, all of it or nothing; gives the number of new records."""
    file, seen = scratch(), hashlib.sha256()
    try:
        with file.open("wb") as into:
            async for part in request.stream():
                into.write(part)
                seen.update(part)

        def work(memory: Memory) -> dict[str, Any]:
            try:
                return {"new": memory.import_from(file, form=form)}
            except InvalidInput as error:
                raise InvalidInput(str(error).replace(str(file), "the body")) from error

        patience = service_of(request).limits.moving_seconds
        return await write(request, "import", work, seconds=patience, sent=seen.digest(), alone=False)
    finally:
        file.unlink(missing_ok=True)


async def as_file(request: Request, name: str, make: Callable[[Path], object], kind: str) -> Response:
    """What `make` writes into a file, streamed from there."""
    service, file = service_of(request), scratch()
    try:
        with service.metrics.timed(name):
            patience = service.limits.moving_seconds
            await service.pool.run(key_of(request).id, lambda: make(file), seconds=patience)
    except BaseException:
        file.unlink(missing_ok=True)
        raise
    gone = BackgroundTask(file.unlink, missing_ok=True)
    return FileResponse(file, media_type=kind, background=gone)


def scratch() -> Path:
    """A new file that only this process's user can read."""
    handle, name = tempfile.mkstemp(prefix="recollect-")
    os.close(handle)
    return Path(name)


router.include_router(owned)
