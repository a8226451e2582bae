"""Routes of conversations."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path, Query
from pydantic import AfterValidator

from recollect import Memory
from recollect.records import Added, Message, SessionInfo
from recollect.server import bodies
from recollect.server.middleware import whole
from recollect.server.pagination import Page, cut, moment_in, page, read_cursor
from recollect.server.routes import IdempotencyKey, owner_router, verb
from recollect.server.routes.writing import add
from recollect.session import SessionContext
from recollect.store import Query as Wanted
from recollect.store import facts_from

router = owner_router()

Name = Annotated[
    str, Path(min_length=1, max_length=600, description="The session.", examples=["monday"]), AfterValidator(whole)
]


@verb(router, "GET", "/sessions", "read")
def sessions(memory: Memory, limit: bodies.Limit = 50, cursor: bodies.Cursor = None) -> Page[SessionInfo]:
    """All conversations, newest first."""
    of = (memory.owner, "sessions")
    return page(memory.sessions(), limit, cursor, of, lambda info: (info.last, info.session))


@verb(router, "GET", "/sessions/{name}", "read", name="session")
def session_info(memory: Memory, name: Name) -> SessionInfo:
    """How many messages a conversation has, from when to when."""
    return memory.session(name).info()


@verb(router, "POST", "/sessions/{name}/add", "write", name="add", grouped=True, alone=False)
def session_add(memory: Memory, name: Name, body: bodies.SessionAdd, idempotency_key: IdempotencyKey = None) -> Added:
    """Keep what was said in this conversation, and the facts in it."""
    told = bodies.Add.model_construct(said=body.said, session=name, at=body.at)
    added: Added = add(memory, told, idempotency_key)
    return added


@verb(router, "GET", "/sessions/{name}/messages", "read", name="messages")
def session_messages(
    memory: Memory,
    name: Name,
    budget: Annotated[int | None, Query(ge=1, le=1_000_000)] = None,
    limit: Annotated[int | None, Query(ge=1, le=10_000)] = None,
    model: Annotated[bodies.Model, Query()] = "o200k",
) -> list[dict[str, Any]]:
    """The newest messages within a budget, oldest first, as they were given, in whole exchanges."""
    return memory.session(name).messages(budget=budget, limit=limit, model=model)


@verb(router, "GET", "/sessions/{name}/records", "read", name="records")
def session_records(
    memory: Memory, name: Name, limit: bodies.Limit = 50, cursor: bodies.Cursor = None
) -> Page[dict[str, Any]]:
    """What was said, newest first, each message with the facts that quote it: {message, facts}."""
    memory.session(name).info()  # Something must have been said in it.
    of = (memory.owner, "records", name)
    before = None if cursor is None else read_cursor(cursor, of, moment_in, str)
    said = memory.store.read(memory.owner, Message, Wanted(session=name, before=before, last=limit + 1))[::-1]
    found = cut(said, limit, of, lambda one: (one.at, one.id))
    facts = facts_from(memory.store, memory.owner, [one.id for one in found.items])
    rows = [{"message": one, "facts": facts.get(one.id, [])} for one in found.items]
    return Page.model_construct(items=rows, next=found.next)


@verb(router, "GET", "/sessions/{name}/summary", "read", name="summary")
def session_summary(
    memory: Memory, name: Name, budget: Annotated[int, Query(ge=1, le=100_000)] = 200
) -> dict[str, str]:
    """What was said so far: its most telling sentences, within a budget of tokens."""
    return {"text": memory.session(name).summary(budget=budget)}


@verb(router, "POST", "/sessions/{name}/context", "read", name="context")
def session_context(memory: Memory, name: Name, body: bodies.AskSessionContext) -> SessionContext:
    """What a model needs for the next turn: memory, the newest exchanges, a summary of the older ones."""
    return memory.session(name).context(**dict(body))


@verb(router, "GET", "/sessions/{name}/brief", "read", name="brief")
def session_brief(memory: Memory, name: Name) -> dict[str, str]:
    """What the next session should know of this one."""
    return {"text": memory.session(name).brief()}
