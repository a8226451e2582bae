"""Routes of notes: texts at paths, with versions. The ETag is the version, If-Match guards a write."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Header, Path, Query, Request
from starlette.responses import Response

from recollect import Memory, Note
from recollect.errors import InvalidInput, NotFound
from recollect.server import bodies
from recollect.server.gate import whole
from recollect.server.pages import Page, page, whole_list
from recollect.server.problems import Refused
from recollect.server.routes import owner_router
from recollect.server.routes.writing import IdempotencyKey
from recollect.server.service import read, verb, write

router = owner_router(reads=False)

NotePath = Annotated[str, Path(max_length=2_000, description="Without the first slash.", examples=["memories/a.md"])]
IfMatch = Annotated[str | None, Header(max_length=100, description='The ETag that was read, such as "3"; * : any.')]
IfNoneMatch = Annotated[
    str | None, Header(max_length=100, description="Not with this ETag; * : only where there is no note yet.")
]
ANY_VERSION = "*"
Versions = str | list[int]
"""Versions of a note; ANY_VERSION: whichever is there."""
Check = Callable[[Memory, str], None]


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
async def note_versions(
    request: Request,
    path: Annotated[str, Query(max_length=2_000)],
    limit: bodies.Limit = 50,
    cursor: bodies.Cursor = None,
) -> Response:
    """Every version of the note at a path, oldest first."""

    def work(memory: Memory) -> dict[str, Any]:
        of = (memory.owner, "versions", path)
        return page(memory.notes.versions(path), limit, cursor, of, lambda note: (note.version,), rising=True)

    return await read(request, "notes.versions", work)


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
        return kept_in(found, memory.notes.read(f"/{whole(path)}", version=version, known_at=known_at))

    response = await read(request, "notes.read", work)
    response.headers["ETag"] = etag(found[0])
    seen = if_none_match is not None and stands_in(found[0].version, versions_in(if_none_match, "If-None-Match"))
    return Response(status_code=304, headers={"ETag": etag(found[0])}) if seen else response


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
    check = unless_changed(if_match, if_none_match)
    return await noted(request, "notes.write", lambda memory: put(memory, f"/{whole(path)}", body, check))


@verb(router, "DELETE", "/notes/{path:path}", "write", Note)
async def delete_note(
    request: Request,
    path: NotePath,
    origin: Annotated[bodies.Origin, Query()] = "user",
    if_match: IfMatch = None,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Take the note away; its versions stay, and undo brings it back."""
    check = unless_changed(if_match, None)

    def work(memory: Memory) -> Note:
        with memory.store.transaction(memory.owner):
            check(memory, f"/{whole(path)}")
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

    response = await write(request, name, call)
    response.headers["ETag"] = f'"{json.loads(bytes(response.body))["version"]}"'
    return response


def kept_in(found: list[Note], note: Note) -> Note:
    found.append(note)
    return note


def put(memory: Memory, path: str, body: bodies.WriteNote, check: Check) -> Note:
    """Write a note over the version that was read."""
    with memory.store.transaction(memory.owner):
        check(memory, path)
        return memory.notes.write(path, body.text, pinned=body.pinned, origin=body.origin)


def unless_changed(if_match: str | None, if_none_match: str | None) -> Check:
    """The check that these headers ask for: 412 when someone else has written meanwhile."""
    wanted = None if if_match is None else versions_in(if_match, "If-Match")
    unwanted = None if if_none_match is None else versions_in(if_none_match, "If-None-Match")

    def check(memory: Memory, path: str) -> None:
        if wanted is None and unwanted is None:
            return
        stands = version_of(memory, path)
        if (wanted is not None and not stands_in(stands, wanted)) or (unwanted and stands_in(stands, unwanted)):
            there = f"is at version {stands}" if stands else "is not there"
            raise Refused(412, "Changed", f"{path!r} {there}: read it again before you write")

    return check


def version_of(memory: Memory, path: str) -> int:
    """The version that a note is at; 0: there is none."""
    try:
        return memory.notes.read(path).version
    except NotFound:
        return 0


def versions_in(header: str, name: str) -> Versions:
    """The versions that a header lists, or `*`."""
    if header.strip() == ANY_VERSION:
        return ANY_VERSION
    found = [re.fullmatch(r'(?:W/)?"?([0-9]{1,9})"?', part.strip()) for part in header.split(",")]
    if None in found:
        raise InvalidInput(f'{name} must be an ETag such as "3", or *, not {header[:60]!r}')
    return [int(part[1]) for part in found if part]


def stands_in(version: int, versions: Versions) -> bool:
    """Whether a note at this version is one of those; `*` is any that is there."""
    return version > 0 if versions == ANY_VERSION else version in versions


def etag(note: Note) -> str:
    """The version of a note, as HTTP writes it."""
    return f'"{note.version}"'
