"""The short way for the verbs that are asked most: to find a route and to fill its parameters costs more than an add.

It takes only what is plain: a JSON body of a known length that fits its model, and no query. All else goes the long
way, which says what is wrong with it. The rule of the route is asked here as there."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, get_type_hints

from fastapi import APIRouter
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from recollect import RecollectError
from recollect.server.idempotency import LONGEST
from recollect.server.problems import answer_to
from recollect.server.service import RULE, refuse_stranger

OWNERS = ["", "v1", "owners"]
LONGEST_OWNER = 600
JSON = b"application/json"


@dataclass(frozen=True, slots=True)
class Verb:
    """A route below an owner that takes one body."""

    work: Callable[..., Coroutine[Any, Any, Response]]
    body: type[BaseModel]
    rule: str
    repeatable: bool
    """Whether it takes an Idempotency-Key."""

    def marked(self, headers: dict[bytes, bytes]) -> dict[str, str | None]:
        """The Idempotency-Key, for a verb that takes one."""
        key = headers.get(b"idempotency-key") if self.repeatable else None
        return {} if key is None else {"idempotency_key": key.decode("latin-1")}


def verb_of(router: APIRouter, name: str) -> Verb:
    """The verb that a router has under this name."""
    path = f"{'/'.join(OWNERS)}/{{owner}}/{name}"
    (route,) = [one for one in router.routes if isinstance(one, APIRoute) and one.path == path]
    kinds = get_type_hints(route.endpoint)
    return Verb(route.endpoint, kinds["body"], (route.openapi_extra or {})[RULE], "idempotency_key" in kinds)


class Straight:
    """Answers plain requests for some verbs, and hands on all others."""

    def __init__(self, app: ASGIApp, verbs: dict[str, Verb]) -> None:
        self.app, self.verbs = app, verbs

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        verb = self.verb_asked(scope)
        if verb is None:
            await self.app(scope, receive, send)
            return
        request = Request(scope, receive)
        try:
            refuse_stranger(request, verb.rule)  # before anything of the body is read
            body = await request.body()
            asked = fitting(verb.body, body)
            if asked is None:
                await self.app(scope, replayed(body, receive), send)
                return
            response = await verb.work(request, asked, **verb.marked(scope["recollect.headers"]))
        except ClientDisconnect:
            return
        except (RecollectError, HTTPException) as error:
            response = answer_to(error)
        await response(scope, receive, send)

    def verb_asked(self, scope: Scope) -> Verb | None:
        """Which of the verbs a plain request is for; its owner is left in the scope as by a route."""
        if scope["type"] != "http" or scope["method"] != "POST" or scope["query_string"]:
            return None
        *start, owner, name = scope["path"].split("/")
        verb = self.verbs.get(name)
        if verb is None or start != OWNERS or not 0 < len(owner) <= LONGEST_OWNER:
            return None
        if not is_plain(scope["recollect.headers"]):
            return None
        scope["path_params"] = {"owner": owner}
        return verb


def is_plain(headers: dict[bytes, bytes]) -> bool:
    """Whether a request says how long its body is and that it is JSON, under no mark that is too long for one."""
    sized = b"content-length" in headers and b"transfer-encoding" not in headers
    return sized and headers.get(b"content-type") == JSON and 0 < len(headers.get(b"idempotency-key", b"-")) <= LONGEST


def fitting(model: type[BaseModel], body: bytes) -> BaseModel | None:
    """What a body asks for, if it is what the model says."""
    try:
        return model.model_validate(json.loads(body))
    except (ValueError, RecursionError):  # a ValidationError too
        return None


def replayed(body: bytes, receive: Receive) -> Receive:
    """What was received, once more, and then what comes."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receiving() -> Message:
        return waiting.pop() if waiting else await receive()

    return receiving
