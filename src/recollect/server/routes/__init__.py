"""The routes, one file for each group of verbs; here what all have at hand, and how a verb becomes a route."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Coroutine
from typing import Annotated, Any, TypeVar, get_args, get_origin

from fastapi import APIRouter, Depends, Header, Request
from fastapi.routing import APIRoute
from starlette.responses import Response

from recollect import Memory
from recollect.errors import NotAllowed
from recollect.server import Limits
from recollect.server.bodies import Also, OwnerInPath
from recollect.server.events import Events
from recollect.server.group_commit import GroupCommit
from recollect.server.idempotency import UNDO, Fingerprint, InFlight, Written, done_once
from recollect.server.instrumentation import Metrics, traced
from recollect.server.keys import EVERYONE, Key, Keys
from recollect.server.middleware import whole
from recollect.server.pagination import Page, whole_list
from recollect.server.problems import MEDIA_TYPE, as_json
from recollect.server.worker_pool import StoreProbe, WorkerPool

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
UNDO_HEADER = {"description": "Changes to undo, in this order, to take this write back.", "schema": {"type": "string"}}
IdempotencyKey = Annotated[
    str | None, Header(min_length=1, max_length=200, description="The same key again: done once, the same answer.")
]
Work = TypeVar("Work", bound=Callable[..., Any])


class Service:
    """The parts of one running service."""

    def __init__(self, memory: Memory, keys: Keys, limits: Limits) -> None:
        self.memory, self.keys, self.limits = memory, keys, limits
        self.probe = StoreProbe(memory)
        self.pool = WorkerPool(limits, self.probe)
        self.commits = GroupCommit(memory, limits, self.probe)
        self.in_flight = InFlight(limits, self.probe)
        self.events = Events(memory, self.pool, keys, limits)
        self.metrics = Metrics()
        self.closing = asyncio.Event()
        """Set when the service is to stop: streams end, so that it can."""

    def close(self) -> None:
        """Finish what was begun. What was acknowledged is durable already."""
        self.commits.close()
        self.pool.close()
        self.probe.close()


def service_of(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


def key_of(request: Request) -> Key:
    """The key that the middleware found."""
    key: Key = request.scope["recollect.key"]
    return key


def owner_of(request: Request) -> str:
    return whole(request.path_params["owner"])


def also_of(request: Request) -> list[str]:
    """The other owners whose memory is to be read too."""
    return request.query_params.getlist("also") if request.scope["query_string"] else []


def memory_of(request: Request) -> Memory:
    """The memory that a request is about."""
    return service_of(request).memory.of(owner_of(request), also=also_of(request))


async def read(request: Request, name: str, call: Callable[[Memory], Any], *, query: str | None = None) -> Response:
    """The answer to a question about a memory. `query`: what was asked, for a span that may hold it."""
    service, memory = service_of(request), memory_of(request)

    def work() -> bytes:
        with traced(name, memory.owner) as span:
            span.asked(query)
            return as_json(span.gave(call(memory)))

    with service.metrics.timed(name):
        return json_answer(await service.pool.run(key_of(request).id, work))


async def write(
    request: Request,
    name: str,
    call: Callable[[Memory], Any],
    *,
    grouped: bool = False,
    sent: bytes | None = None,
    seconds: float | None = None,
    **options: Any,
) -> Response:
    """The answer that was given before for this Idempotency-Key, or one that is made now. `grouped`: in a commit shared
    with others, where no model is waited for; `sent`: what tells its body from another, where that was read as a
    stream; `seconds`: how long it may take; the options are those of `done_once`."""
    service, memory, key = service_of(request), memory_of(request), key_of(request).id
    fingerprint = await fingerprint_of(request, sent)

    def work() -> Written:
        with traced(name, memory.owner) as span:
            return done_once(memory, fingerprint, lambda memory: span.gave(call(memory)), **options)

    async def make() -> Written:
        with service.metrics.timed(name):
            if grouped and memory.instant:
                done: Written = await service.commits.do(memory.owner, work)
                return done
            return await service.pool.run(key, work, seconds=seconds)

    written = await (make() if fingerprint is None else service.in_flight.once(memory.owner, fingerprint, make))
    service.events.look(memory.owner)
    return written.response()


async def fingerprint_of(request: Request, sent: bytes | None) -> Fingerprint | None:
    """What tells this request when it is sent again, if it says that it may be."""
    given = request.headers.get("idempotency-key")
    if given is None:
        return None
    body = await request.body() if sent is None else sent
    asked = (request.method, request.url.path, str(request.query_params), body)
    return Fingerprint.of(key_of(request).id, given, asked)


def json_answer(body: bytes) -> Response:
    return Response(body, media_type="application/json")


# How a route is declared


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
    asked = [owner_of(request), *also_of(request)] if "owner" in request.path_params else [EVERYONE]
    for owner in asked:
        if not (EVERYONE in key.owners if owner == EVERYONE else key.reaches(owner)):
            raise NotAllowed(f"this key is not for {'all owners' if owner == EVERYONE else repr(owner)}")
    require(key, rule)


def require(key: Key, right: str) -> None:
    if right not in key.rights:
        raise NotAllowed(f"this key has the rights {', '.join(key.rights)}; {right} is needed")


# Dependencies that only describe and check a parameter. (No plain functions: FastAPI would ask a thread for these.)


async def owner_in_path(owner: OwnerInPath) -> None:
    """Every route below an owner has them in its path."""


async def also_in_query(also: Also = None) -> None:
    """Every route that reads may read from others too."""


async def key_in_header(idempotency_key: IdempotencyKey = None) -> None:
    """Every write may be sent again."""


def owner_router(*, spans: bool = False) -> APIRouter:
    """A router for verbs of one owner. `spans`: its routes may read from other owners too."""
    needs = [Depends(owner_in_path), *([Depends(also_in_query)] if spans else [])]
    return APIRouter(prefix="/v1/owners/{owner}", route_class=Guarded, dependencies=needs)


def route(
    router: APIRouter, method: str, path: str, right: str, gives: Any = None, *, media: str = "application/json"
) -> Callable[[Work], Work]:
    """Make a route of a function of a request: with a rule, a name, and what it gives, for OpenAPI."""
    told: dict[int | str, dict[str, Any]] = {
        code: {"description": text, "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
        for code, text in PROBLEMS.items()
    }
    told[200] = {"description": "done", **({"model": gives} if gives is not None else {"content": {media: {}}})}
    if right == "write":
        told[200]["headers"] = {UNDO: UNDO_HEADER}

    def register(work: Work) -> Work:
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
            dependencies=[Depends(key_in_header)] if right == "write" else None,
        )
        return work

    return register


def verb(
    router: APIRouter,
    method: str,
    path: str,
    right: str,
    *,
    name: str = "",
    after: Callable[[Response], Response] = lambda response: response,
    **options: Any,
) -> Callable[[Work], Work]:
    """Make a route of a function of a memory and of what is asked: `def pin(memory, body: Pin) -> Fact`. Its answer is
    what the function gives, a list as one page. `name`: in metrics and spans, if not the function's; `after`: what
    becomes of the answer; the options are those of `write`."""

    def register(work: Work) -> Work:
        signature = inspect.signature(work, eval_str=True)
        asked, gives = list(signature.parameters.values())[1:], signature.return_annotation
        is_list = get_origin(gives) is list

        async def answer(request: Request, **given: Any) -> Response:
            def call(memory: Memory) -> Any:
                return whole_list(work(memory, **given)) if is_list else work(memory, **given)

            if right == "write":
                return after(await write(request, name or work.__name__, call, **options))
            return await read(request, name or work.__name__, call, query=getattr(given.get("body"), "query", None))

        parameter = inspect.Parameter("request", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Request)
        answer.__signature__ = inspect.Signature([parameter, *asked])  # type: ignore[attr-defined]
        answer.__name__, answer.__doc__ = work.__name__, work.__doc__
        route(router, method, path, right, Page[get_args(gives)] if is_list else gives)(answer)  # type: ignore[misc]
        return work

    return register
