"""Errors as problem+json (RFC 9457), with the status of their kind in our error tree."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict
from starlette.exceptions import HTTPException
from starlette.responses import Response

from recollect import RecollectError
from recollect.errors import Interrupted, InvalidInput, MissingDependency, ModelError, NotAllowed, NotFound, StoreError
from recollect.serialize import to_plain

STATUS: tuple[tuple[type[Exception], int], ...] = (
    (NotFound, 404),
    (InvalidInput, 422),
    (NotAllowed, 403),
    (MissingDependency, 501),
    (StoreError, 503),
    (ModelError, 502),
)
MEDIA_TYPE = "application/problem+json"


class Problem(BaseModel):
    """What went wrong, and what to do about it."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "type": "about:blank",
                "title": "NotFound",
                "status": 404,
                "detail": "nothing is known under 'seat' for 'ana'",
            }
        }
    )

    type: str
    title: str
    status: int
    detail: str


class Refused(RecollectError):
    """A request that is turned away before any work was done for it."""

    def __init__(self, status: int, title: str, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.status, self.title, self.headers = status, title, dict(headers or {})
        self.still: asyncio.Future[Any] | None = None
        """What was begun and goes on, though nobody waits for it any more."""


def busy(detail: str, *, after: int, status: int = 503) -> Refused:
    """The answer at overload: come back later."""
    title = "TooManyRequests" if status == 429 else "Busy"
    return Refused(status, title, detail, {"Retry-After": str(after)})


_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def as_json(value: Any) -> bytes:
    """JSON in UTF-8 of records, a page of them or plain data. A lone surrogate, which UTF-8 cannot hold, stays the
    escape that JSON has for it."""
    plain = to_plain(vars(value) if isinstance(value, BaseModel) else value)
    return _ENCODE(plain).encode("utf-8", "backslashreplace")


def problem(status: int, title: str, detail: str, headers: Mapping[str, str] | None = None) -> Response:
    body = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    return Response(as_json(body), status, headers=headers, media_type=MEDIA_TYPE)


def status_of(error: Exception) -> int:
    """The HTTP status of an error of our tree."""
    if isinstance(error, Refused):
        return error.status
    return next((code for kind, code in STATUS if isinstance(error, kind)), 500)


def answer_to(error: Exception) -> Response:
    """The answer that an error becomes: one of our tree, or of HTTP."""
    if isinstance(error, Refused):
        return problem(error.status, error.title, str(error), error.headers)
    if isinstance(error, HTTPException):
        title = "NotFound" if error.status_code == 404 else "Refused"
        return problem(error.status_code, title, str(error.detail), error.headers)
    status = status_of(error)
    headers = {"Retry-After": "1"} if status == 503 else None
    return problem(status, type(error).__name__, detail_of(error), headers)


def detail_of(error: Exception) -> str:
    """What a client may know of an error. Where the store is and what it said stands in the log alone."""
    if not isinstance(error, StoreError):
        return str(error)
    logging.getLogger("recollect").warning("the store refused: %s", error)
    if isinstance(error, Interrupted):
        return "the store was interrupted and kept nothing of this request: try again"
    return "the store could not do this: try again; whoever runs the service finds the reason in its log"


def handle_problems(app: FastAPI) -> None:
    """Every error leaves as problem+json. What came in is not repeated: it may be what someone said."""

    async def ours(request: Request, error: Exception) -> Response:
        return answer_to(error)

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        told = [f"{'.'.join(str(part) for part in one['loc'])}: {one['msg']}" for one in error.errors()[:5]]
        return problem(422, "InvalidInput", "; ".join(told)[:1000])

    async def unforeseen(request: Request, error: Exception) -> Response:
        return problem(500, "InternalError", "something went wrong here: the log of the service says what")

    app.add_exception_handler(Exception, unforeseen)
    app.add_exception_handler(RecollectError, ours)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, ours)
