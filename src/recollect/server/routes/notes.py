"""Routes of notes: texts at paths, with versions. The ETag is the version, If-Match guards a write."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Header, Path, Query, Request
from starlette.responses import Response

from recollect import InvalidInput, Memory, Note, NotFound
from recollect.server import bodies
from recollect.server.gate import whole
from recollect.server.pages import Page, page, whole_list
from recollect.server.problems import Refused
from recollect.server.routes import owner_router
from recollect.server.routes.writing import IdempotencyKey
from recollect.server.service import read, verb, write

router = owner_router(reads=False)

NotePath = Annotated[str, Path(max_length=2_000, description="Without the first slash.", examples=["memories/a.md"])]
IfMatch = Annotated[str | None, Header(max_length=100, description='The ETag that was read, such as "3".')]
IfNoneMatch = Annotated[str | None, Header(max_length=100, description="* : only where there is no note yet.")]


@verb(router, "GET", "/notes", "read", Page[Note])
async def notes(
    request: Request,
    prefix: Annotated[str, Query(max_length=2_000)] = "/memories",
    known_at: bodies.KnownAt = None,
    limit: bodies.Limit = 50,
    cursor: bodies.Cursor = None,
) -> Response:
    """The notes at or under a path, sorted by path."""

    def work(memory: Memory) -> dict[str, Any]:
        found = memory.notes.list(prefix, known_at=known_at)
        of = (memory.owner, "notes", prefix, known_at)
        return page(found, limit, cursor, of, lambda note: (note.path,), rising=True)

    return await read(request, "notes.list", work)


@verb(router, "GET", "/notes/versions", "read", Page[Note])
async def note_versions(request: Request, path: Annotated[str, Query(max_length=2_000)]) -> Response:
    """Every version of the note at a path, oldest first."""
    return await read(request, "notes.versions", lambda memory: whole_list(memory.notes.versions(path)))


@verb(router, "GET", "/notes/{path:path}", "read", Note)
async def read_note(
    request: Request,
    path: NotePath,
    version: Annotated[int | None, Query(ge=1, le=2**31)] = None,
    known_at: bodies.KnownAt = None,
    if_none_match: IfNoneMatch = None,
) -> Response:
    """The note at a path: as it is, as it was in a version, or as it was known at a moment."""
    found: list[Note] = []

    def work(memory: Memory) -> Note:
        found.append(memory.notes.read(f"/{whole(path)}", version=version, known_at=known_at))
        return found[0]

    response = await read(request, "notes.read", work)
    response.headers["ETag"] = etag(found[0])
    return Response(status_code=304, headers={"ETag": etag(found[0])}) if if_none_match == etag(found[0]) else response


@verb(router, "PUT", "/notes/{path:path}", "write", Note)
async def write_note(
    request: Request,
    path: NotePath,
    body: bodies.WriteNote,
    if_match: IfMatch = None,
    if_none_match: IfNoneMatch = None,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Keep the text as the next version of the note; with If-Match only over the version that was read."""
    expected = expected_version(if_match, if_none_match)
    return await noted(request, "notes.write", lambda memory: put(memory, f"/{whole(path)}", body, expected))


@verb(router, "DELETE", "/notes/{path:path}", "write", Note)
async def delete_note(
    request: Request,
    path: NotePath,
    origin: Annotated[bodies.Origin, Query()] = "user",
    if_match: IfMatch = None,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Take the note away; its versions stay, and undo brings it back."""
    expected = expected_version(if_match, None)

    def work(memory: Memory) -> Note:
        with memory.store.transaction(memory.owner):
            refuse_other_version(memory, f"/{whole(path)}", expected)
            return memory.notes.delete(f"/{whole(path)}", origin=origin)

    return await write(request, "notes.delete", work)


@verb(router, "POST", "/notes/rename", "write", Note)
async def rename_note(request: Request, body: bodies.RenameNote, idempotency_key: IdempotencyKey = None) -> Response:
    """Move a note to a path that is free."""
    return await noted(request, "notes.rename", lambda memory: memory.notes.rename(**body.model_dump()))


@verb(router, "POST", "/notes/pin", "write", Note)
async def pin_note(request: Request, body: bodies.NoteAt, idempotency_key: IdempotencyKey = None) -> Response:
    """Make a note part of every context."""
    return await noted(request, "notes.pin", lambda memory: memory.notes.pin(**body.model_dump()))


@verb(router, "POST", "/notes/unpin", "write", Note)
async def unpin_note(request: Request, body: bodies.NoteAt, idempotency_key: IdempotencyKey = None) -> Response:
    """Leave a note to be found by search."""
    return await noted(request, "notes.unpin", lambda memory: memory.notes.unpin(**body.model_dump()))


@verb(router, "POST", "/notes/import", "write", Page[Note])
async def import_notes(request: Request, body: bodies.ImportNotes, idempotency_key: IdempotencyKey = None) -> Response:
    """Write several notes, all or none."""

    def work(memory: Memory) -> dict[str, Any]:
        with memory.store.transaction(memory.owner):
            return whole_list([memory.notes.write(one.path, one.text, pinned=one.pinned) for one in body.notes])

    return await write(request, "notes.import", work)


async def noted(request: Request, name: str, call: Callable[[Memory], Note]) -> Response:
    """The answer to a write of a note, with its new ETag."""
    found: list[Note] = []

    def work(memory: Memory) -> Note:
        found.append(call(memory))
        return found[0]

    response = await write(request, name, work)
    if found:
        response.headers["ETag"] = etag(found[0])
    return response


def put(memory: Memory, path: str, body: bodies.WriteNote, expected: int | None) -> Note:
    """Write a note over the version that was expected."""
    with memory.store.transaction(memory.owner):
        refuse_other_version(memory, path, expected)
        return memory.notes.write(path, body.text, pinned=body.pinned, origin=body.origin)


def refuse_other_version(memory: Memory, path: str, expected: int | None) -> None:
    """412 when someone else has written meanwhile."""
    if expected is None:
        return
    try:
        stands = memory.notes.read(path).version
    except NotFound:
        stands = 0
    if stands != expected:
        raise Refused(
            412, "Changed", f"{path!r} is at version {stands}, not {expected}: read it again before you write"
        )


def expected_version(if_match: str | None, if_none_match: str | None) -> int | None:
    """The version that the headers ask for; 0: no note at all."""
    if if_none_match is not None and if_none_match.strip() == "*":
        return 0
    if if_match is None:
        return None
    found = re.fullmatch(r'(?:W/)?"?([0-9]{1,9})"?', if_match.strip())
    if found is None:
        raise InvalidInput(f'If-Match must be an ETag such as "3", not {if_match[:60]!r}')
    return int(found[1])


def etag(note: Note) -> str:
    """The version of a note, as HTTP writes it."""
    return f'"{note.version}"'
