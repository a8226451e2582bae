"""Routes of conversations."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path, Query, Request
from starlette.responses import Response

from recollect import Memory, Session
from recollect.records import Added, Message, SessionInfo
from recollect.server import bodies
from recollect.server.gate import whole
from recollect.server.pages import Page, cut, moment_and_id, page, read_cursor, whole_list
from recollect.server.routes import owner_router
from recollect.server.routes.writing import IdempotencyKey, adding, committed
from recollect.server.service import read, verb
from recollect.session import SessionContext
from recollect.store import Query as Wanted
from recollect.store import facts_from

router = owner_router(reads=False)

Name = Annotated[str, Path(min_length=1, max_length=600, description="The session.", examples=["monday"])]


def existing(memory: Memory, name: str) -> Session:
    """The session, in which something must have been said."""
    session = memory.session(whole(name))
    session.info()
    return session


@verb(router, "GET", "/sessions", "read", Page[SessionInfo])
async def sessions(request: Request, limit: bodies.Limit = 50, cursor: bodies.Cursor = None) -> Response:
    """All conversations, newest first."""

    def work(memory: Memory) -> dict[str, Any]:
        of = (memory.owner, "sessions")
        return page(memory.sessions(), limit, cursor, of, lambda info: (info.last, info.session))

    return await read(request, "sessions", work)


@verb(router, "GET", "/sessions/{name}", "read", SessionInfo)
async def session_info(request: Request, name: Name) -> Response:
    """How many messages a conversation has, from when to when."""
    return await read(request, "session", lambda memory: memory.session(whole(name)).info())


@verb(router, "POST", "/sessions/{name}/add", "write", Added)
async def session_add(
    request: Request, name: Name, body: bodies.SessionAdd, idempotency_key: IdempotencyKey = None
) -> Response:
    """Keep what was said in this conversation, and the facts in it."""
    told = bodies.Add.model_construct(said=body.said, session=whole(name), at=body.at, role="user", origin=None)
    return await committed(request, "add", adding(told, idempotency_key))


@verb(router, "GET", "/sessions/{name}/messages", "read", Page[dict[str, Any]])
async def session_messages(
    request: Request,
    name: Name,
    budget: Annotated[int | None, Query(ge=1, le=1_000_000)] = None,
    limit: Annotated[int | None, Query(ge=1, le=10_000)] = None,
    model: Annotated[bodies.Model, Query()] = "o200k",
) -> Response:
    """The newest messages within a budget, oldest first, as they were given, in whole exchanges."""

    def work(memory: Memory) -> dict[str, Any]:
        return whole_list(memory.session(whole(name)).messages(budget=budget, limit=limit, model=model))

    return await read(request, "messages", work)


@verb(router, "GET", "/sessions/{name}/records", "read", Page[dict[str, Any]])
async def session_records(
    request: Request, name: Name, limit: bodies.Limit = 50, cursor: bodies.Cursor = None
) -> Response:
    """What was said, newest first, each message with the facts that quote it: {message, facts}."""

    def work(memory: Memory) -> dict[str, Any]:
        session, of = existing(memory, name).name, (memory.owner, "records", name)
        before = None if cursor is None else moment_and_id(read_cursor(cursor, of))
        said = memory.store.read(memory.owner, Message, Wanted(session=session, before=before, last=limit + 1))[::-1]
        found = cut(said, limit, of, lambda one: (one.at, one.id))
        facts = facts_from(memory.store, memory.owner, [one.id for one in found["items"]])
        rows = [{"message": one, "facts": facts.get(one.id, [])} for one in found["items"]]
        return {**found, "items": rows}

    return await read(request, "records", work)


@verb(router, "GET", "/sessions/{name}/summary", "read", dict[str, str])
async def session_summary(
    request: Request, name: Name, budget: Annotated[int, Query(ge=1, le=100_000)] = 200
) -> Response:
    """What was said so far: its most telling sentences, within a budget of tokens."""
    return await read(request, "summary", lambda memory: {"text": memory.session(whole(name)).summary(budget=budget)})


@verb(router, "POST", "/sessions/{name}/context", "read", SessionContext)
async def session_context(request: Request, name: Name, body: bodies.AskSessionContext) -> Response:
    """What a model needs for the next turn: memory, the newest exchanges, a summary of the older ones."""
    given = body.model_dump()
    return await read(request, "context", lambda memory: memory.session(whole(name)).context(**given))


@verb(router, "GET", "/sessions/{name}/brief", "read", dict[str, str])
async def session_brief(request: Request, name: Name) -> Response:
    """What the next session should know of this one."""
    return await read(request, "brief", lambda memory: {"text": memory.session(whole(name)).brief()})
