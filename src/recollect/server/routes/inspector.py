"""Routes of the inspector: the files of its page, and the long lists that it looks through.

A page of any list costs the same however much is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from importlib.resources import files
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from recollect import Fact, Memory, Message
from recollect.errors import NotFound
from recollect.records import Graph
from recollect.server import bodies
from recollect.server.pagination import Page, count_in, facts_after, make_cursor, read_cursor
from recollect.server.routes import OPEN, Guarded, owner_router, route, verb
from recollect.store import Query as Wanted

router = APIRouter(route_class=Guarded)
lists = owner_router()

KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
FILES = {
    file.name: (file.read_bytes(), kind)
    for file in (files("recollect.server") / "inspector").iterdir()
    for ending, kind in KINDS.items()
    if file.name.endswith(ending)
}
"""The files by name, read once: what is not here cannot be asked for."""
OPEN_PATHS = ("/", "/inspector/")
"""The page and its files hold nothing of anyone and are for everyone."""
Most = Annotated[int, Query(ge=1, le=200, description="Rows at most.")]
MOST_EDGES = 400
MAPPED = 5_000
"""A map is drawn from so many of the newest facts, and as many of those that name someone."""


@route(router, "GET", "/", OPEN, media="text/html")
async def inspector(request: Request) -> Response:
    """The inspector."""
    return sent("index.html")


@route(router, "GET", "/inspector/{file}", OPEN, media="text/plain")
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


@verb(lists, "GET", "/known", "read")
def known(
    memory: Memory,
    at: bodies.At = None,
    known_at: bodies.KnownAt = None,
    subject: Annotated[bodies.Subject | None, Query()] = None,
    limit: Most = 200,
    cursor: bodies.Cursor = None,
) -> Page[Fact]:
    """What holds, what was learned last first."""
    of = (memory.owner, "known", at, known_at, subject)
    if known_at is not None:
        return facts_after(memory, limit, cursor, of, subject=subject, at=at, known_at=known_at)
    holding = memory.tick() if at is None else memory.moment(at)
    return newest(memory, limit, cursor, of, holding=holding, subjects=None if subject is None else [subject])


@verb(lists, "GET", "/lines", "read")
def lines(memory: Memory, limit: Most = 200, cursor: bodies.Cursor = None) -> Page[Fact]:
    """Every fact that was ever kept, what was learned last first: what life-lines are drawn from."""
    return newest(memory, limit, cursor, (memory.owner, "lines"))


def newest(memory: Memory, limit: int, cursor: str | None, of: Sequence[object], **wanted: Any) -> Page[Fact]:
    """A page of the facts that are wanted, which the store cuts itself; the cursor is the number of facts before it."""
    before = 0 if cursor is None else read_cursor(cursor, of, count_in)[0]
    found = memory.store.read(memory.owner, Fact, Wanted(**wanted, last=limit + 1, skip=before))[::-1]
    following = make_cursor([str(before + limit)], of) if len(found) > limit else None
    return Page.model_construct(items=found[:limit], next=following)


@verb(lists, "GET", "/refused", "read")
def refused(
    memory: Memory,
    session: Annotated[bodies.Session | None, Query(description="Only of this conversation.")] = None,
    limit: Most = 100,
) -> list[dict[str, Any]]:
    """What the newest messages state that was not believed, and why: {message, text, why}.

    Nothing of it is kept: the plain reader reads the messages once more."""
    said = memory.store.read(memory.owner, Message, Wanted(session=session, last=limit))
    with Memory(":memory:", embedder=None) as empty:
        receipts = empty.add(said).receipts if said else ()
    return [
        {"message": receipt.draft.source.message, "text": receipt.draft.text, "why": receipt.why}
        for receipt in receipts
        if receipt.outcome == "refused" and receipt.draft.source is not None
    ]


class Disputes(Page[Fact]):
    """A page of disputes, with the facts that they contradict."""

    others: list[Fact]


@verb(lists, "GET", "/disputes", "read")
def disputes(memory: Memory, limit: Most = 100, cursor: bodies.Cursor = None) -> Disputes:
    """Facts that contradict what a more trusted origin said, newest first, and `others`: the ones they contradict."""
    found = newest(memory, limit, cursor, (memory.owner, "disputes"), disputed=True, holding=memory.tick())
    held = {fact.disputes for fact in found.items if fact.disputes}
    others = memory.store.read(memory.owner, Fact, Wanted(ids=sorted(held)))
    return Disputes.model_construct(items=found.items, next=found.next, others=others)


@verb(lists, "GET", "/waiting", "read")
def waiting(memory: Memory, limit: Most = 100, cursor: bodies.Cursor = None) -> Page[Fact]:
    """Facts that an assistant, a tool, a document or an import told and nobody has confirmed, newest first."""
    return newest(memory, limit, cursor, (memory.owner, "waiting"), unconfirmed=True, holding=memory.tick())


@verb(lists, "GET", "/map", "read", name="map")
def subject_map(
    memory: Memory, at: bodies.At = None, known_at: bodies.KnownAt = None, limit: Most = 80
) -> dict[str, Any]:
    """The subjects with most facts as of a moment, how many each has, and the facts between them.

    It is drawn from the newest 5,000 facts and from those that name someone; `newest_only` tells whether there are
    more."""
    graph = memory.graph(at=at, known_at=known_at, limit=MAPPED)
    return {**drawn(graph, limit), "newest_only": len(graph.facts) >= MAPPED}


def drawn(graph: Graph, limit: int) -> dict[str, Any]:
    """As much of a graph as can be looked at."""
    many = Counter(fact.subject for fact in graph.facts)
    links = Counter(name for edge in graph.edges for name in (edge.subject, edge.object))
    order = sorted(graph.subjects, key=lambda name: (name != "user", -links[name], -many[name], name))
    shown = set(order[:limit])
    edges = [edge for edge in graph.edges if edge.subject in shown and edge.object in shown]
    return {
        "subjects": [{"name": name, "facts": many[name]} for name in order[:limit]],
        "edges": edges[:MOST_EDGES],
        "left_out": len(order) - len(shown),
    }


router.include_router(lists)
