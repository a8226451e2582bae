"""MCP as a part of the service: under /mcp, for whom the key lets in, within the bounds of all other requests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from urllib.parse import unquote

from fastapi import FastAPI
from starlette.requests import Request
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from recollect import Memory
from recollect.errors import NotAllowed
from recollect.server.keys import EVERYONE, Key
from recollect.server.mcp import Access, Visitor, mcp_app
from recollect.server.problems import Refused, answer_to, detail_of, problem
from recollect.server.service import Service


def join(app: FastAPI) -> None:
    """Serve MCP under /mcp."""
    service: Service = app.state.service
    mcp = mcp_app(by_key(service.memory))
    routes = [route for route in mcp.routes if isinstance(route, Route)]
    app.router.routes.extend(Route(route.path, Bounded(route.endpoint, service)) for route in routes)
    app.state.lifespans.append(lambda _: mcp.router.lifespan_context(mcp))


def by_key(memory: Memory) -> Access:
    """Whose memory a request is about, by the key that the gate has found: its one owner, or the one that the header
    Recollect-Owner names among those that the key reaches."""

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


class Bounded:
    """Counts a request of MCP among the others. There is nothing to listen to: each request stands alone, so that
    nothing would ever come on a stream."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self.app, self.desk, self.metrics = app, service.desk, service.metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            await problem(405, "Refused", "MCP is asked here by POST alone", {"Allow": "POST"})(scope, receive, send)
            return
        key: Key = scope["recollect.key"]
        with self.metrics.timed("mcp"):
            self.desk.admit(key.id)
            await self.answered(scope, receive, send, lambda _: self.desk.left(key.id))

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
            while not await self.desk.watch.came(task, 3600):
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
