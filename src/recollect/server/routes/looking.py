"""Routes that the inspector looks through: long lists, what waits for a word, what was refused, a map of subjects.

A page of any of them costs the same however much is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import Query, Request
from starlette.responses import Response

from recollect import Fact, Memory, Message
from recollect.records import Graph
from recollect.server import bodies
from recollect.server.pages import Page, count_in, facts_after, make_cursor, read_cursor, whole_list
from recollect.server.routes import owner_router
from recollect.server.service import read, verb
from recollect.store import Query as Wanted

router = owner_router(reads=False)

SessionQuery = Annotated[bodies.Session | None, Query(description="Only of this conversation.")]
Most = Annotated[int, Query(ge=1, le=200, description="Rows at most.")]
MOST_EDGES = 400
MAPPED = 5_000
"""A map is drawn from so many of the newest facts, and as many of those that name someone."""


@verb(router, "GET", "/known", "read", Page[Fact])
async def known(
    request: Request,
    at: bodies.At = None,
    known_at: bodies.KnownAt = None,
    subject: Annotated[bodies.Subject | None, Query()] = None,
    limit: Most = 200,
    cursor: bodies.Cursor = None,
) -> Response:
    """What holds, what was learned last first."""

    def work(memory: Memory) -> dict[str, Any]:
        of = (memory.owner, "known", at, known_at, subject)
        if known_at is None:
            about = None if subject is None else [subject]
            holding = memory.tick() if at is None else memory.moment(at)
            return newest(memory, limit, cursor, of, holding=holding, subjects=about)
        return facts_after(memory, limit, cursor, of, subject=subject, at=at, known_at=known_at)

    return await read(request, "known", work)


@verb(router, "GET", "/lines", "read", Page[Fact])
async def lines(request: Request, limit: Most = 200, cursor: bodies.Cursor = None) -> Response:
    """Every fact that was ever kept, what was learned last first: what life-lines are drawn from."""
    return await read(request, "lines", lambda memory: newest(memory, limit, cursor, (memory.owner, "lines")))


def newest(memory: Memory, limit: int, cursor: str | None, of: Sequence[object], **wanted: Any) -> dict[str, Any]:
    """A page of the facts that are wanted, which the store cuts itself; the cursor is the number of facts before it."""
    before = 0 if cursor is None else count_in(read_cursor(cursor, of))
    found = memory.store.read(memory.owner, Fact, Wanted(**wanted, last=limit + 1, skip=before))[::-1]
    following = make_cursor([str(before + limit)], of) if len(found) > limit else None
    return {"items": found[:limit], "next": following}


@verb(router, "GET", "/refused", "read", Page[dict[str, Any]])
async def refused(request: Request, session: SessionQuery = None, limit: Most = 100) -> Response:
    """What the newest messages state that was not believed, and why: {message, text, why}.

    Nothing of it is kept: the rules read the messages once more."""

    def work(memory: Memory) -> dict[str, Any]:
        said = memory.store.read(memory.owner, Message, Wanted(session=session, last=limit))
        return whole_list(refusals(said))

    return await read(request, "refused", work)


def refusals(said: Sequence[Message]) -> list[dict[str, str]]:
    """What becomes of these messages in a memory that knows nothing else, where it is a refusal."""
    with Memory(":memory:", embedder=None) as empty:
        receipts = empty.add(list(said)).receipts if said else ()
    return [
        {"message": receipt.draft.source.message, "text": receipt.draft.text, "why": receipt.why}
        for receipt in receipts
        if receipt.outcome == "refused" and receipt.draft.source is not None
    ]


class Disputes(Page[Fact]):
    """A page of disputes, with the facts that they contradict."""

    others: list[Fact]


@verb(router, "GET", "/disputes", "read", Disputes)
async def disputes(request: Request, limit: Most = 100, cursor: bodies.Cursor = None) -> Response:
    """Facts that contradict what a more trusted origin said, newest first, and `others`: the ones they contradict."""

    def work(memory: Memory) -> dict[str, Any]:
        of = (memory.owner, "disputes")
        found = newest(memory, limit, cursor, of, disputed=True, holding=memory.tick())
        others = list(dict.fromkeys(fact.disputes for fact in found["items"]))
        return {**found, "others": memory.store.read(memory.owner, Fact, Wanted(ids=others))}

    return await read(request, "disputes", work)


@verb(router, "GET", "/waiting", "read", Page[Fact])
async def waiting(request: Request, limit: Most = 100, cursor: bodies.Cursor = None) -> Response:
    """Facts that an assistant, a tool, a document or an import told and nobody has confirmed, newest first."""

    def work(memory: Memory) -> dict[str, Any]:
        of = (memory.owner, "waiting")
        return newest(memory, limit, cursor, of, unconfirmed=True, holding=memory.tick())

    return await read(request, "waiting", work)


@verb(router, "GET", "/map", "read", dict[str, Any])
async def subject_map(
    request: Request, at: bodies.At = None, known_at: bodies.KnownAt = None, limit: Most = 80
) -> Response:
    """The subjects with most facts as of a moment, how many each has, and the facts between them.

    It is drawn from the newest 5,000 facts and from those that name someone; `newest_only` tells whether there are
    more."""

    def work(memory: Memory) -> dict[str, Any]:
        graph = memory.graph(at=at, known_at=known_at, limit=MAPPED)
        return {**drawn(graph, limit), "newest_only": len(graph.facts) >= MAPPED}

    return await read(request, "map", work)


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
