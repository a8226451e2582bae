"""The inspector: one page to look at a memory. Plain files, read once; no build step and nothing from elsewhere."""

from __future__ import annotations

from importlib.resources import files
from typing import Annotated

from fastapi import APIRouter, FastAPI, Path, Request
from starlette.responses import Response

from recollect.errors import NotFound
from recollect.server.routes import looking
from recollect.server.service import OPEN, Guarded, verb

KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
FILES = {
    file.name: (file.read_bytes(), kind)
    for file in files(__name__).iterdir()
    for ending, kind in KINDS.items()
    if file.name.endswith(ending)
}
"""The files by name: what is not here cannot be asked for."""

router = APIRouter(route_class=Guarded)


def join(app: FastAPI) -> None:
    """Serve the page at / and its files under /inspector/, which hold nothing of anyone, to everyone."""
    app.include_router(looking.router)
    app.include_router(router)
    app.state.open_paths.extend(["/", "/inspector/"])


@verb(router, "GET", "/", OPEN, media="text/html")
async def inspector(request: Request) -> Response:
    """The inspector."""
    return sent("index.html")


@verb(router, "GET", "/inspector/{file}", OPEN, media="text/plain")
async def inspector_file(
    request: Request, file: Annotated[str, Path(min_length=1, max_length=100, examples=["main.js"])]
) -> Response:
    """A file of the inspector."""
    return sent(file)


def sent(name: str) -> Response:
    if name not in FILES:
        raise NotFound(f"the inspector has no file {name[:100]!r}")
    content, kind = FILES[name]
    return Response(content, media_type=f"{kind}; charset=utf-8")
