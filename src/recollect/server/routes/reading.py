"""Routes that ask: recall, search, facts, history, changes, graph, why, context, stats, events."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Header, Query, Request
from starlette.responses import Response, StreamingResponse

from recollect import Fact, Hit, Memory
from recollect.errors import NotFound
from recollect.records import Change, Context, Explanation, Graph, Health, Stats, Tool
from recollect.server import bodies
from recollect.server.events import heard_until, position_of
from recollect.server.pagination import (
    Page,
    count_in,
    cut,
    facts_after,
    make_cursor,
    moment_in,
    page,
    read_cursor,
)
from recollect.server.routes import key_of, owner_of, owner_router, route, service_of, verb
from recollect.store import LogEntry
from recollect.store import Query as Wanted

router = owner_router(spans=True)


@verb(router, "GET", "/recall", "read")
def recall(
    memory: Memory,
    key: Annotated[bodies.Key, Query(examples=["seat preference"])],
    subject: bodies.SubjectQuery = "user",
    at: bodies.At = None,
    known_at: bodies.KnownAt = None,
) -> dict[str, str | None]:
    """The value held under a key, the latest where there are several, or null."""
    return {"value": memory.recall(key, subject=subject, at=at, known_at=known_at)}


@verb(router, "POST", "/search", "read")
def search(memory: Memory, body: bodies.Search) -> list[Hit]:
    """The best hits, each with its score and reasons; none when nothing is relevant."""
    return memory.search(**dict(body))


@verb(router, "GET", "/facts", "read")
def facts(
    memory: Memory,
    subject: Annotated[bodies.Subject | None, Query()] = None,
    attribute: Annotated[bodies.Key | None, Query()] = None,
    category: Annotated[str | None, Query(max_length=200)] = None,
    at: bodies.At = None,
    known_at: bodies.KnownAt = None,
    limit: bodies.Limit = 50,
    cursor: bodies.Cursor = None,
) -> Page[Fact]:
    """What holds, newest first."""
    asked = {"subject": subject, "attribute": attribute, "category": category, "at": at, "known_at": known_at}
    return facts_after(memory, limit, cursor, (memory.owner, *memory.also, "facts", *asked.values()), **asked)


@verb(router, "GET", "/facts/{fact}", "read", name="facts")
def one_fact(memory: Memory, fact: bodies.IdInPath) -> Fact:
    """One fact by its id, whether it holds or not."""
    found = memory.store.read(memory.owner, Fact, Wanted(ids=[fact]))
    if not found:
        raise NotFound(f"{memory.owner!r} has no fact {fact!r}")
    return found[0]


@verb(router, "GET", "/history", "read")
def history(
    memory: Memory,
    key: Annotated[bodies.Key, Query(examples=["home"])],
    subject: bodies.SubjectQuery = "user",
    limit: bodies.Limit = 200,
    cursor: bodies.Cursor = None,
) -> Page[Fact]:
    """Every value ever held under a key, oldest first, with its window and the reason it ended."""
    of = (memory.owner, *memory.also, "history", key, subject)
    return page(
        memory.history(key, subject=subject), limit, cursor, of, lambda fact: (fact.owner, fact.id), rising=True
    )


class Changes(Page[Change]):
    """A page of the log."""

    position: int
    """The position of the newest change on it, or before it; for `after`, and for `Last-Event-ID` of events."""


@verb(router, "GET", "/changes", "read")
def changes(
    memory: Memory,
    limit: bodies.Limit = 50,
    cursor: bodies.Cursor = None,
    after: Annotated[int | None, Query(ge=0, le=2**40, description="A position, such as the id of an event.")] = None,
) -> Changes:
    """The log of changes, newest first; with `after` those after a position, oldest first."""
    if after is not None:
        return changes_after(memory, limit, cursor, after)
    of = (memory.owner, "changes")
    before = None if cursor is None else read_cursor(cursor, of, moment_in, str)
    end = memory.store.newest(memory.owner).position
    found = memory.store.read(memory.owner, Change, Wanted(before=before, last=limit + 1))[::-1]
    shown = cut(found, limit, of, lambda change: (change.at, change.id))
    return Changes.model_construct(items=shown.items, next=shown.next, position=end)


def changes_after(memory: Memory, limit: int, cursor: str | None, after: int) -> Changes:
    """A page of the log from a position on, oldest first."""
    of = (memory.owner, "changes after", after)
    start = heard_until(memory, memory.owner, after) if cursor is None else read_cursor(cursor, of, count_in)[0]
    found = memory.store.read(memory.owner, LogEntry, Wanted(position=start, first=limit + 1))
    shown, last = found[:limit], found[:limit][-1][0] if found else start
    following = make_cursor([str(last)], of) if len(found) > limit else None
    return Changes.model_construct(items=[change for _, change in shown], next=following, position=last)


@verb(router, "GET", "/graph", "read")
def graph(
    memory: Memory,
    at: bodies.At = None,
    known_at: bodies.KnownAt = None,
    limit: Annotated[int, Query(ge=1, le=5_000, description="From so many of the newest facts.")] = 5_000,
) -> Graph:
    """Subjects, and the facts between them, as of a moment: of the newest facts and of those that name someone."""
    return memory.graph(at=at, known_at=known_at, limit=limit)


@verb(router, "GET", "/why", "read")
def why(memory: Memory, what: Annotated[bodies.Key, Query(examples=["home"])]) -> Explanation:
    """Where a memory comes from: words, reasons and changes. A key or the id of a fact."""
    return memory.why(what)


@verb(router, "POST", "/why-not", "read")
def why_not(memory: Memory, body: bodies.WhyNot) -> Explanation:
    """Why a search does not return a fact, or where it comes out."""
    return memory.why_not(**dict(body))


@verb(router, "POST", "/context", "read")
def context(memory: Memory, body: bodies.AskContext) -> Context:
    """Text for a model's window: core always, then what the query needs, within a budget of tokens."""
    return memory.context(**dict(body))


@verb(router, "GET", "/stats", "read")
def stats(memory: Memory) -> Stats:
    """How much this owner remembers."""
    return memory.stats()


@verb(router, "GET", "/health", "read", name="health")
def owner_health(memory: Memory) -> Health:
    """Whether all parts work for this owner; every degraded mode is named."""
    return memory.health()


@verb(router, "GET", "/tools", "read")
def tools(memory: Memory, form: Annotated[str | None, Query(max_length=40)] = None) -> list[dict[str, Any]]:
    """The tools a model pages its memory with; form: openai, openai-responses or anthropic."""
    plain: list[Tool] = memory.tools()
    fields = ("name", "description", "parameters")
    return memory.tools(form) if form else [{name: getattr(tool, name) for name in fields} for tool in plain]


@route(router, "GET", "/events", "read", media="text/event-stream")
async def events(request: Request, last_event_id: Annotated[str | None, Header(max_length=100)] = None) -> Response:
    """Changes as they happen (server-sent events): `change` with each, then `written`. Last-Event-ID goes on."""
    service, owner, key = service_of(request), owner_of(request), key_of(request)
    state, seen = await service.events.begin(owner, key, position_of(last_event_id))
    stream = service.events.stream(owner, key, state, seen, service.closing)
    return StreamingResponse(stream, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})
