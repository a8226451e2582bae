"""Routes that the inspector looks through: what was refused, what waits for a person's word, a map of subjects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import Query, Request
from starlette.responses import Response

from recollect import Fact, Graph, Memory, Message
from recollect.server import bodies
from recollect.server.pages import Page, whole_list
from recollect.server.routes import owner_router
from recollect.server.service import read, verb

router = owner_router(reads=False)

SessionQuery = Annotated[bodies.Session | None, Query(description="Only of this conversation.")]
Most = Annotated[int, Query(ge=1, le=200, description="Rows at most.")]
MOST_EDGES = 400


@verb(router, "GET", "/refused", "read", Page[dict[str, Any]])
async def refused(request: Request, session: SessionQuery = None, limit: Most = 100) -> Response:
    """What the newest messages state that was not believed, and why: {message, text, why}. Nothing of it is kept: the
    rules read the messages once more."""

    def work(memory: Memory) -> dict[str, Any]:
        said = memory.store.messages(memory.owner, session=session, last=limit)
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


@verb(router, "GET", "/waiting", "read", Page[Fact])
async def waiting(request: Request, limit: Most = 100) -> Response:
    """Facts that an assistant, a tool, a document or an import told and nobody has confirmed, newest first."""

    def work(memory: Memory) -> dict[str, Any]:
        found = [fact for fact in memory.facts() if fact.origin not in ("user", "operator")]
        return whole_list([fact for fact in found if not fact.confirmations and not fact.disputes][:limit])

    return await read(request, "waiting", work)


@verb(router, "GET", "/map", "read", dict[str, Any])
async def subject_map(
    request: Request, at: bodies.At = None, known_at: bodies.KnownAt = None, limit: Most = 80
) -> Response:
    """The subjects with most facts as of a moment, how many each has, and the facts between them."""
    return await read(request, "map", lambda memory: drawn(memory.graph(at=at, known_at=known_at), limit))


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
