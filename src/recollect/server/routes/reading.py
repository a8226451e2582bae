"""Routes that ask: recall, search, facts, history, changes, graph, why, context, stats, events."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Header, Query, Request
from starlette.responses import Response, StreamingResponse

from recollect import Fact, Hit, Memory
from recollect.errors import NotFound
from recollect.records import Change, Context, Explanation, Graph, Health, Stats, Tool
from recollect.server import bodies
from recollect.server.events import begin, position_of
from recollect.server.pages import (
    Page,
    count_in,
    cut,
    facts_after,
    make_cursor,
    moment_and_id,
    page,
    read_cursor,
    whole_list,
)
from recollect.server.routes import owner_router
from recollect.server.service import key_of, owner_of, read, service_of, verb
from recollect.store import LogEntry
from recollect.store import Query as Wanted

router = owner_router(reads=True)


@verb(router, "GET", "/recall", "read", dict[str, str | None])
async def recall(
    request: Request,
    key: Annotated[bodies.Key, Query(examples=["seat preference"])],
    subject: bodies.SubjectQuery = "user",
    at: bodies.At = None,
    known_at: bodies.KnownAt = None,
) -> Response:
    """The value held under a key, the latest where there are several, or null."""
    return await read(
        request, "recall", lambda memory: {"value": memory.recall(key, subject=subject, at=at, known_at=known_at)}
    )


@verb(router, "POST", "/search", "read", Page[Hit])
async def search(request: Request, body: bodies.Search) -> Response:
    """The best hits, each with its score and reasons; none when nothing is relevant."""

    def work(memory: Memory) -> dict[str, Any]:
        found = memory.search(
            body.query, limit=body.limit, at=body.at, known_at=body.known_at, category=body.category, kinds=body.kinds
        )
        return whole_list(found)

    return await read(request, "search", work, query=body.query)


@verb(router, "GET", "/facts", "read", Page[Fact])
async def facts(
    request: Request,
    subject: Annotated[bodies.Subject | None, Query()] = None,
    attribute: Annotated[bodies.Key | None, Query()] = None,
    category: Annotated[str | None, Query(max_length=200)] = None,
    at: bodies.At = None,
    known_at: bodies.KnownAt = None,
    limit: bodies.Limit = 50,
    cursor: bodies.Cursor = None,
) -> Response:
    """What holds, newest first."""
    asked = {"subject": subject, "attribute": attribute, "category": category, "at": at, "known_at": known_at}

    def work(memory: Memory) -> dict[str, Any]:
        return facts_after(memory, limit, cursor, (memory.owner, *memory.also, "facts", *asked.values()), **asked)

    return await read(request, "facts", work)


@verb(router, "GET", "/facts/{fact}", "read", Fact)
async def one_fact(request: Request, fact: bodies.IdInPath) -> Response:
    """One fact by its id, whether it holds or not."""

    def work(memory: Memory) -> Fact:
        found = memory.store.read(memory.owner, Fact, Wanted(ids=[fact]))
        if not found:
            raise NotFound(f"{memory.owner!r} has no fact {fact!r}")
        return found[0]

    return await read(request, "facts", work)


@verb(router, "GET", "/history", "read", Page[Fact])
async def history(
    request: Request,
    key: Annotated[bodies.Key, Query(examples=["home"])],
    subject: bodies.SubjectQuery = "user",
    limit: bodies.Limit = 200,
    cursor: bodies.Cursor = None,
) -> Response:
    """Every value ever held under a key, oldest first, with its window and the reason it ended."""

    def work(memory: Memory) -> dict[str, Any]:
        of = (memory.owner, *memory.also, "history", key, subject)
        return page(memory.history(key, subject=subject), limit, cursor, of, lambda fact: (fact.id,), rising=True)

    return await read(request, "history", work)


class Changes(Page[Change]):
    """A page of the log."""

    position: int
    """The position of the newest change on it, or before it; for `after`, and for `Last-Event-ID` of events."""


@verb(router, "GET", "/changes", "read", Changes)
async def changes(
    request: Request,
    limit: bodies.Limit = 50,
    cursor: bodies.Cursor = None,
    after: Annotated[int | None, Query(ge=0, le=2**40, description="A position, such as the id of an event.")] = None,
) -> Response:
    """The log of changes, newest first; with `after` those after a position, oldest first."""

    def newest_first(memory: Memory) -> dict[str, Any]:
        of = (memory.owner, "changes")
        before = None if cursor is None else moment_and_id(read_cursor(cursor, of))
        end = memory.store.newest(memory.owner).position
        found = memory.store.read(memory.owner, Change, Wanted(before=before, last=limit + 1))[::-1]
        return {**cut(found, limit, of, lambda change: (change.at, change.id)), "position": end}

    def since(memory: Memory) -> dict[str, Any]:
        of = (memory.owner, "changes after", after)
        start = begin(memory, memory.owner, after) if cursor is None else count_in(read_cursor(cursor, of))
        found = memory.store.read(memory.owner, LogEntry, Wanted(position=start, first=limit + 1))
        shown, last = found[:limit], found[:limit][-1][0] if found else start
        following = make_cursor([str(last)], of) if len(found) > limit else None
        return {"items": [change for _, change in shown], "next": following, "position": last}

    return await read(request, "changes", newest_first if after is None else since)


@verb(router, "GET", "/graph", "read", Graph)
async def graph(
    request: Request,
    at: bodies.At = None,
    known_at: bodies.KnownAt = None,
    limit: Annotated[int, Query(ge=1, le=5_000, description="From so many of the newest facts.")] = 5_000,
) -> Response:
    """Subjects, and the facts between them, as of a moment: of the newest facts and of those that name someone."""
    return await read(request, "graph", lambda memory: memory.graph(at=at, known_at=known_at, limit=limit))


@verb(router, "GET", "/why", "read", Explanation)
async def why(request: Request, what: Annotated[bodies.Key, Query(examples=["home"])]) -> Response:
    """Where a memory comes from: words, reasons and changes. A key or the id of a fact."""
    return await read(request, "why", lambda memory: memory.why(what))


@verb(router, "POST", "/why-not", "read", Explanation)
async def why_not(request: Request, body: bodies.WhyNot) -> Response:
    """Why a search does not return a fact, or where it comes out."""
    given = body.model_dump(exclude={"query", "what"})
    return await read(request, "why_not", lambda memory: memory.why_not(body.query, body.what, **given))


@verb(router, "POST", "/context", "read", Context)
async def context(request: Request, body: bodies.AskContext) -> Response:
    """Text for a model's window: core always, then what the query needs, within a budget of tokens."""
    given = body.model_dump(exclude={"query"})
    return await read(request, "context", lambda memory: memory.context(body.query, **given), query=body.query)


@verb(router, "GET", "/stats", "read", Stats)
async def stats(request: Request) -> Response:
    """How much this owner remembers."""
    return await read(request, "stats", lambda memory: memory.stats())


@verb(router, "GET", "/health", "read", Health)
async def owner_health(request: Request) -> Response:
    """Whether all parts work for this owner; every degraded mode is named."""
    return await read(request, "health", lambda memory: memory.health())


@verb(router, "GET", "/tools", "read", Page[dict[str, Any]])
async def tools(request: Request, form: Annotated[str | None, Query(max_length=40)] = None) -> Response:
    """The tools a model pages its memory with; form: openai, openai-responses or anthropic."""
    return await read(request, "tools", lambda memory: whole_list(memory.tools(form) if form else plain_tools(memory)))


def plain_tools(memory: Memory) -> list[dict[str, Any]]:
    found: list[Tool] = memory.tools()
    return [{"name": tool.name, "description": tool.description, "parameters": tool.parameters} for tool in found]


@verb(router, "GET", "/events", "read", media="text/event-stream")
async def events(request: Request, last_event_id: Annotated[str | None, Header(max_length=100)] = None) -> Response:
    """Changes as they happen (server-sent events): `change` with each, then `written`. Last-Event-ID goes on."""
    service, owner, key = service_of(request), owner_of(request), key_of(request)
    state, seen = await service.events.begin(owner, key, position_of(last_event_id))
    stream = service.events.stream(owner, key, state, seen, service.closing)
    return StreamingResponse(stream, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})
