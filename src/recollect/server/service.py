"""What every route has at hand, and the one way in which a verb of the library becomes an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import APIRouter, Request
from fastapi.routing import APIRoute
from starlette.responses import Response

from recollect import Memory
from recollect.errors import NotAllowed
from recollect.serialize import to_plain
from recollect.server.commits import Commits
from recollect.server.desk import Desk
from recollect.server.events import Events
from recollect.server.gate import whole
from recollect.server.idempotency import UNDO, Mark, UnderWay, Written, done_once
from recollect.server.keys import EVERYONE, Key, Keys
from recollect.server.limits import Limits
from recollect.server.metrics import Metrics
from recollect.server.problems import MEDIA_TYPE, as_json
from recollect.server.tracing import traced
from recollect.server.watch import Watch

OPEN, ANY = "open", "any"
"""Rules beside the three rights: no key at all, and any key that stands."""
RULE = "x-recollect-right"
PROBLEMS = {
    401: "no key, or one that does not stand",
    403: "this key may not do that",
    404: "no such record for this owner",
    413: "the body is too large",
    415: "the body is not JSON",
    422: "what was sent can't be used",
    429: "too many requests of this key: see Retry-After",
    503: "the service is busy or the store refused: see Retry-After",
}


UNDO_HEADER = {
    UNDO: {
        "description": "Changes to undo, in this order, to take this write back.",
        "schema": {"type": "string"},
    }
}


class Service:
    """The parts of one running service."""

    def __init__(self, memory: Memory, keys: Keys, limits: Limits) -> None:
        self.memory, self.keys, self.limits = memory, keys, limits
        self.watch = Watch(memory)
        self.desk = Desk(limits, self.watch)
        self.commits = Commits(memory, limits, self.watch)
        self.under_way = UnderWay(limits, self.watch)
        self.events = Events(memory, self.desk, keys, limits)
        self.metrics = Metrics()
        self.closing = asyncio.Event()
        """Set when the service is to stop: streams end, so that it can."""

    def close(self) -> None:
        """Finish what was begun. What was acknowledged is durable already."""
        self.commits.close()
        self.desk.close()
        self.watch.close()


class Guarded(APIRoute):
    """A route that asks for its right before anything of the body is read. A route without a rule cannot be made."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        rule = (self.openapi_extra or {}).get(RULE)
        if rule is None:
            raise TypeError(f"the route {self.path} has no rule: say with {RULE} who may use it")

        async def guarded(request: Request) -> Response:
            refuse_stranger(request, rule)
            return await handle(request)

        return guarded


def refuse_stranger(request: Request, rule: str) -> None:
    """The owner comes from the key: one that it does not have cannot be named anywhere."""
    if rule in (OPEN, ANY):
        return
    key = key_of(request)
    also = request.query_params.getlist("also") if request.scope["query_string"] else ()
    asked = [owner_of(request), *also] if "owner" in request.path_params else [EVERYONE]
    for owner in asked:
        if not (EVERYONE in key.owners if owner == EVERYONE else key.reaches(owner)):
            raise NotAllowed(f"this key is not for {'all owners' if owner == EVERYONE else repr(owner)}")
    require(key, rule)


def require(key: Key, right: str) -> None:
    if right not in key.rights:
        raise NotAllowed(f"this key has the rights {', '.join(key.rights)}; {right} is needed")


def key_of(request: Request) -> Key:
    """The key that the gate found."""
    key: Key = request.scope["recollect.key"]
    return key


def owner_of(request: Request) -> str:
    return whole(request.path_params["owner"])


def service_of(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


def memory_of(request: Request) -> Memory:
    """The memory that a request is about."""
    also = request.query_params.getlist("also") if request.scope["query_string"] else ()
    return service_of(request).memory.of(owner_of(request), also=also)


def verb(
    router: APIRouter, method: str, path: str, right: str, gives: Any = None, *, media: str = "application/json"
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a route of a function: with a rule, a name, and what it gives, for OpenAPI."""
    told: dict[int | str, dict[str, Any]] = {
        code: {"description": text, "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
        for code, text in PROBLEMS.items()
    }
    told[200] = {"description": "done", **({"model": gives} if gives is not None else {"content": {media: {}}})}

    if right == "write":
        told[200]["headers"] = UNDO_HEADER

    def register(work: Callable[..., Any]) -> Callable[..., Any]:
        router.add_api_route(
            path,
            work,
            methods=[method],
            response_model=None,
            responses=told,
            operation_id=work.__name__,
            summary=(work.__doc__ or work.__name__).split("\n")[0],
            description=work.__doc__ or "",
            openapi_extra={RULE: right},
        )
        return work

    return register


async def read(
    request: Request,
    name: str,
    call: Callable[[Memory], Any],
    *,
    query: str | None = None,
    seconds: float | None = None,
) -> Response:
    """The answer to a question about a memory. `query`: what was asked, for a span that may hold it; `seconds`: how
    long it may take, where that is longer than usual."""
    service = service_of(request)
    work = working(memory_of(request), name, call, query)
    with service.metrics.timed(name):
        return answer(await service.desk.run(key_of(request).id, work, seconds=seconds))


def working(memory: Memory, name: str, call: Callable[[Memory], Any], query: str | None = None) -> Callable[[], bytes]:
    """What a thread does for one request: the verb within its span, and the JSON of what it gives."""

    def work() -> bytes:
        with traced(name, memory.owner) as span:
            span.asked(query)
            return as_json(to_plain(span.gave(call(memory))))

    return work


async def write(request: Request, name: str, call: Callable[[Memory], Any], **options: Any) -> Response:
    """The answer to a change, made by a worker. Options are those of `done_once`, and `sent` and `seconds`."""
    service, key = service_of(request), key_of(request).id
    sent, seconds = options.pop("sent", None), options.pop("seconds", None)

    async def make(work: Callable[[], Written]) -> Written:
        return await service.desk.run(key, work, seconds=seconds)

    return await written(request, name, call, make, sent=sent, **options)


async def written(
    request: Request,
    name: str,
    call: Callable[[Memory], Any],
    make: Callable[[Callable[[], Written]], Coroutine[Any, Any, Written]],
    *,
    sent: bytes | None = None,
    **options: Any,
) -> Response:
    """The answer that was given before for this Idempotency-Key, or one that is made now. `sent`: what tells its body
    from another, where that was read as a stream."""
    service, memory = service_of(request), memory_of(request)
    mark = await mark_of(request, sent)

    def work() -> Written:
        with traced(name, memory.owner) as span:
            return done_once(memory, mark, lambda memory: span.gave(call(memory)), **options)

    async def timed() -> Written:
        with service.metrics.timed(name):
            return await make(work)

    result = await timed() if mark is None else await service.under_way.once(memory.owner, mark, timed)
    service.events.look(memory.owner)
    return result.response()


async def mark_of(request: Request, sent: bytes | None) -> Mark | None:
    """What tells this request when it is sent again, if it says that it may be."""
    given = request.headers.get("idempotency-key")
    if given is None:
        return None
    body = await request.body() if sent is None else sent
    return Mark.of(key_of(request).id, given, (request.method, request.url.path, str(request.query_params), body))


def answer(body: bytes, headers: dict[str, str] | None = None) -> Response:
    return Response(body, headers=headers, media_type="application/json")
