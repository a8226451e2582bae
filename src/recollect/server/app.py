"""The service as one ASGI application: REST, MCP and the inspector behind one middleware."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import unquote

from fastapi import FastAPI
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from recollect import Memory, __version__
from recollect.errors import NotAllowed
from recollect.server import Limits
from recollect.server.keys import EVERYONE, Key, Keys
from recollect.server.mcp import Access, Visitor, mcp_app
from recollect.server.middleware import AccessMiddleware, trusted
from recollect.server.problems import Problem, Refused, answer_to, detail_of, handle_problems, problem
from recollect.server.routes import Service, inspector, notes, operations, reading, sessions, writing

ABOUT = "Memory for AI agents that outlives the session. Every route but /health and /ready needs a key."


def create_app(
    memory: Memory,
    keys: Keys,
    *,
    limits: Limits | None = None,
    hosts: Sequence[str] = (),
    trusted_proxies: Sequence[str] = (),
) -> FastAPI:
    """The application. `hosts`: names it answers for besides those of loopback; `trusted_proxies`: addresses and
    networks of the proxies that are believed when they say who asks."""
    service = Service(memory, keys, limits or Limits())
    mcp = mcp_app(by_key(memory))

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        """At the end, what was begun is finished."""
        async with mcp.router.lifespan_context(mcp):
            yield
        service.close()

    app = FastAPI(
        title="Recollect",
        version=__version__,
        description=ABOUT,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=lifespan,
        redirect_slashes=False,
    )
    app.state.service = service
    handle_problems(app)
    for part in (operations, writing, reading, sessions, notes, inspector):
        app.include_router(part.router)
    routes = [route for route in mcp.routes if isinstance(route, Route)]
    app.router.routes.extend(Route(route.path, BoundedMcp(route.endpoint, service)) for route in routes)
    app.add_middleware(
        AccessMiddleware,
        keys=keys,
        limits=service.limits,
        pool=service.pool,
        metrics=service.metrics,
        hosts=hosts,
        open_paths=inspector.OPEN_PATHS,
        proxies=trusted(trusted_proxies),
    )
    describe(app)
    return app


def describe(app: FastAPI) -> None:
    """Say in OpenAPI that a key is needed, and what a problem looks like."""
    plain = app.openapi

    def openapi() -> dict[str, Any]:
        made = app.openapi_schema is None
        schema = plain()
        if made:
            parts = schema.setdefault("components", {})
            parts["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer", "description": "A key, rk_…"}}
            parts.setdefault("schemas", {})["Problem"] = Problem.model_json_schema()
            schema["security"] = [{"key": []}]
        return schema

    app.openapi = openapi  # type: ignore[method-assign]


# MCP under /mcp, for whom the key lets in, within the bounds of all other requests.


def by_key(memory: Memory) -> Access:
    """Whose memory a request is about, by its key: its one owner, or the one of those it reaches that the header
    Recollect-Owner names."""

    def access(request: Request | None) -> Visitor:
        key: Key | None = request.scope.get("recollect.key") if request is not None else None
        if request is None or key is None:
            raise NotAllowed("this service needs a key: `recollect keys make` makes one")
        single = key.owners[0] if len(key.owners) == 1 and key.owners[0] != EVERYONE else memory.owner
        owner = unquote(request.headers.get("recollect-owner") or single)
        if not key.allows(owner, "read"):
            raise NotAllowed(
                f"this key may not read the memory of {owner!r}: name another in the header Recollect-Owner"
            )
        return Visitor(memory.of(owner), may_write=key.allows(owner, "write"), tell=detail_of)

    return access


class BoundedMcp:
    """Counts a request of MCP among the others. There is nothing to listen to: each request stands alone, so that
    nothing would ever come on a stream."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self.app, self.pool, self.probe, self.metrics = app, service.pool, service.probe, service.metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            await problem(405, "Refused", "MCP is asked here by POST alone", {"Allow": "POST"})(scope, receive, send)
            return
        key: Key = scope["recollect.key"]
        with self.metrics.timed("mcp"):
            self.pool.admit(key.id)
            await self.answered(scope, receive, send, lambda _: self.pool.left(key.id))

    async def answered(self, scope: Scope, receive: Receive, send: Send, ended: Callable[[object], None]) -> None:
        """Let MCP answer, unless the store is gone: then say so, and drop what it may still say."""
        begun = dropped = False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = True
            if not dropped:
                await send(message)

        task = asyncio.ensure_future(self.app(scope, receive, sending))
        task.add_done_callback(ended)
        try:
            while not await self.probe.wait_for(task, 3600):
                pass
            task.result()
        except Refused as gone:
            if begun:
                await task
                return
            dropped = True
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
            await answer_to(gone)(scope, receive, send)
        except asyncio.CancelledError:
            task.cancel()
            raise
