"""The service as one ASGI application: REST, MCP and the inspector behind one gate."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from fastapi import FastAPI

from recollect import Memory, __version__
from recollect.server import inspector, mcp_http
from recollect.server.gate import Gate
from recollect.server.keys import Keys
from recollect.server.limits import Limits
from recollect.server.problems import Problem, handle_problems
from recollect.server.proxies import trusted
from recollect.server.routes import about, moving, notes, reading, sessions, writing
from recollect.server.service import Service

ROUTERS = (
    about.router,
    writing.router,
    reading.router,
    sessions.router,
    notes.router,
    moving.router,
    moving.all_owners,
)
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
    limits = limits or Limits()
    app.state.service = Service(memory, keys, limits)
    app.state.lifespans = []
    app.state.open_paths = []
    handle_problems(app)
    for router in ROUTERS:
        app.include_router(router)
    for part in (inspector, mcp_http):
        part.join(app)
    desk, metrics = app.state.service.desk, app.state.service.metrics
    app.add_middleware(
        Gate,
        keys=keys,
        limits=limits,
        hosts=hosts,
        open_paths=app.state.open_paths,
        proxies=trusted(trusted_proxies),
        refuse_full=desk.refuse_full,
        count_refusal=metrics.refused,
    )
    describe(app)
    return app


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """What the parts need while the service runs; at the end, what was begun is finished."""
    async with AsyncExitStack() as stack:
        for part in app.state.lifespans:
            await stack.enter_async_context(part(app))
        yield
    app.state.service.close()


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
