"""Routes of notes: texts at paths, with versions. The ETag is the version, If-Match guards a write."""

from __future__ import annotations

import json
import re
from typing import Annotated

from fastapi import Header, Path, Query, Request
from pydantic import AfterValidator
from starlette.responses import Response

from recollect import Memory, Note
from recollect.errors import InvalidInput, NotFound
from recollect.records import Origin
from recollect.server import bodies
from recollect.server.middleware import whole
from recollect.server.pagination import Page, page
from recollect.server.problems import Refused
from recollect.server.routes import owner_router, read, route, verb

router = owner_router()

NotePath = Annotated[
    str,
    Path(max_length=2_000, description="Without the first slash.", examples=["memories/a.md"]),
    AfterValidator(lambda path: f"/{whole(path)}"),
]
IfMatch = Annotated[str | None, Header(max_length=100, description='The ETag that was read, such as "3"; * : any.')]
IfNoneMatch = Annotated[
    str | None, Header(max_length=100, description="Not with this ETag; * : only where there is no note yet.")
]


def with_etag(response: Response) -> Response:
    """The answer with the version of the note that it gives, as HTTP writes it."""
    response.headers["ETag"] = f'"{json.loads(bytes(response.body))["version"]}"'
    return response


@verb(router, "GET", "/notes", "read", name="notes.list")
def notes(
    memory: Memory,
    prefix: Annotated[str, Query(max_length=2_000)] = "/memories",
    known_at: bodies.KnownAt = None,
    limit: bodies.Limit = 50,
    cursor: bodies.Cursor = None,
) -> Page[Note]:
    """The notes at or under a path, sorted by path."""
    found, of = memory.notes.list(prefix, known_at=known_at), (memory.owner, "notes", prefix, known_at)
    return page(found, limit, cursor, of, lambda note: (note.path,), rising=True)


@verb(router, "GET", "/notes/versions", "read", name="notes.versions")
def note_versions(
    memory: Memory,
    path: Annotated[str, Query(max_length=2_000)],
    limit: bodies.Limit = 50,
    cursor: bodies.Cursor = None,
) -> Page[Note]:
    """Every version of the note at a path, oldest first."""
    found, of = memory.notes.versions(path), (memory.owner, "versions", path)
    return page(found, limit, cursor, of, lambda note: (note.version,), rising=True)


@route(router, "GET", "/notes/{path:path}", "read", Note)
async def read_note(
    request: Request,
    path: NotePath,
    version: Annotated[int | None, Query(ge=1, le=2**31)] = None,
    known_at: bodies.KnownAt = None,
    if_none_match: IfNoneMatch = None,
) -> Response:
    """The note at a path: as it is, as it was in a version, or as it was known at a moment."""
    response = with_etag(
        await read(request, "notes.read", lambda memory: memory.notes.read(path, version=version, known_at=known_at))
    )
    etag = response.headers["ETag"]
    if if_none_match is not None and matches(int(etag.strip('"')), if_none_match, "If-None-Match"):
        return Response(status_code=304, headers={"ETag": etag})
    return response


@verb(router, "PUT", "/notes/{path:path}", "write", name="notes.write", after=with_etag)
def write_note(
    memory: Memory, path: NotePath, body: bodies.WriteNote, if_match: IfMatch = None, if_none_match: IfNoneMatch = None
) -> Note:
    """Keep the text as the next version of the note; with If-Match only over the version that was read."""
    refuse_changed(memory, path, if_match, if_none_match)
    return memory.notes.write(path, body.text, pinned=body.pinned, origin=body.origin)


@verb(router, "DELETE", "/notes/{path:path}", "write", name="notes.delete")
def delete_note(
    memory: Memory, path: NotePath, origin: Annotated[Origin, Query()] = "user", if_match: IfMatch = None
) -> Note:
    """Take the note away; its versions stay, and undo brings it back."""
    refuse_changed(memory, path, if_match)
    return memory.notes.delete(path, origin=origin)


@verb(router, "POST", "/notes/rename", "write", name="notes.rename", after=with_etag)
def rename_note(memory: Memory, body: bodies.RenameNote) -> Note:
    """Move a note to a path that is free."""
    return memory.notes.rename(**dict(body))


@verb(router, "POST", "/notes/pin", "write", name="notes.pin", after=with_etag)
def pin_note(memory: Memory, body: bodies.NoteAt) -> Note:
    """Make a note part of every context."""
    return memory.notes.pin(**dict(body))


@verb(router, "POST", "/notes/unpin", "write", name="notes.unpin", after=with_etag)
def unpin_note(memory: Memory, body: bodies.NoteAt) -> Note:
    """Leave a note to be found by search."""
    return memory.notes.unpin(**dict(body))


@verb(router, "POST", "/notes/import", "write", name="notes.import")
def import_notes(memory: Memory, body: bodies.ImportNotes) -> list[Note]:
    """Write several notes, all or none."""
    return [memory.notes.write(one.path, one.text, pinned=one.pinned) for one in body.notes]


def refuse_changed(memory: Memory, path: str, if_match: str | None, if_none_match: str | None = None) -> None:
    """Do what these headers ask for: 412 when someone else has written meanwhile."""
    if if_match is None and if_none_match is None:
        return
    try:
        stands = memory.notes.read(path).version
    except NotFound:
        stands = 0
    wanted = if_match is None or matches(stands, if_match, "If-Match")
    if not wanted or (if_none_match is not None and matches(stands, if_none_match, "If-None-Match")):
        there = f"is at version {stands}" if stands else "is not there"
        raise Refused(412, "Changed", f"{path!r} {there}: read it again before you write")


def matches(version: int, header: str, name: str) -> bool:
    """Whether a note at this version, 0 where there is none, is one that a header lists; `*` is any that is there."""
    if header.strip() == "*":
        return version > 0
    found = [re.fullmatch(r'(?:W/)?"?([0-9]{1,9})"?', part.strip()) for part in header.split(",")]
    if None in found:
        raise InvalidInput(f'{name} must be an ETag such as "3", or *, not {header[:60]!r}')
    return version in [int(part[1]) for part in found if part]
