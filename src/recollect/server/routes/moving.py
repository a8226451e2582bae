"""Routes that move a memory: export and import, as streams through a file."""

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

from recollect import Memory
from recollect.errors import InvalidInput
from recollect.server.routes import owner_router
from recollect.server.routes.writing import IdempotencyKey
from recollect.server.service import Guarded, key_of, memory_of, service_of, verb, write

router = owner_router(reads=False)
all_owners = APIRouter(prefix="/v1", route_class=Guarded)

Form = Annotated[str, Query(pattern="^(jsonl|json)$", description="jsonl: everything; json: what holds now.")]


@verb(router, "GET", "/export", "read", media="application/x-ndjson")
async def export(request: Request, form: Form = "jsonl") -> Response:
    """Everything as JSON Lines with both clocks, or what holds now as one JSON dictionary."""
    memory = memory_of(request)
    kind = "application/x-ndjson" if form == "jsonl" else "application/json"
    return await as_file(request, "export", lambda path: memory.export_to(path, form=form), kind)


@verb(router, "POST", "/import", "write", dict[str, int])
async def import_(
    request: Request,
    form: Annotated[str | None, Query(pattern="^(jsonl|json)$")] = None,
    idempotency_key: IdempotencyKey = None,
) -> Response:
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


@verb(all_owners, "GET", "/backup", "admin", media="application/octet-stream")
async def backup(request: Request) -> Response:
    """The whole store, all owners, as one file; consistent while others write. Needs an admin key for all owners."""
    memory = service_of(request).memory

    def copy(path: Path) -> None:
        path.unlink()
        memory.backup(path)

    return await as_file(request, "backup", copy, "application/octet-stream")


async def as_file(request: Request, name: str, make: Callable[[Path], object], kind: str) -> Response:
    """What `make` writes into a file, streamed from there."""
    service, file = service_of(request), scratch()
    try:
        with service.metrics.timed(name):
            patience = service.limits.moving_seconds
            await service.desk.run(key_of(request).id, lambda: make(file), seconds=patience)
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
