"""Answers to writes by their Idempotency-Key, so that a request that is sent again has one effect."""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from typing import Any

from starlette.responses import Response

from recollect import InvalidInput
from recollect.server.limits import Limits
from recollect.server.problems import Refused, busy

Scope = tuple[str, str, str]
"""Owner, id of the key, Idempotency-Key."""

LONGEST = 200
MOST = 10_000
MOST_BYTES = 64 * 2**20


class Answers:
    """The newest answers, in memory only: what is erased must not live on in a file of ours."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.kept: OrderedDict[Scope, tuple[str, asyncio.Future[Response]]] = OrderedDict()
        self.bytes = 0

    async def once(
        self, scope: Scope, what: tuple[object, ...], make: Callable[[], Coroutine[Any, Any, Response]]
    ) -> Response:
        """The answer to this request, made at most once."""
        if not 1 <= len(scope[2]) <= LONGEST:
            raise InvalidInput(f"an Idempotency-Key has 1 to {LONGEST} characters")
        print_ = hashlib.sha256(repr(what).encode("utf-8", "backslashreplace")).hexdigest()
        if scope in self.kept:
            same, earlier = self.kept[scope]
            if same != print_:
                raise InvalidInput("this Idempotency-Key was used for another request: take a new one for each")
            return again(await self.given(earlier))
        future: asyncio.Future[Response] = asyncio.get_running_loop().create_future()
        self.kept[scope] = (print_, future)
        return await self.made(scope, future, make)

    async def given(self, earlier: asyncio.Future[Response]) -> Response:
        """An answer that someone else is making, if it comes in time."""
        done, _ = await asyncio.wait({earlier}, timeout=self.limits.seconds)
        if not done:
            told = "it is still being done: ask again with the same Idempotency-Key"
            raise busy(f"no answer within {self.limits.seconds:g} s; {told}", after=self.limits.retry_after)
        return earlier.result()

    async def made(
        self, scope: Scope, future: asyncio.Future[Response], make: Callable[[], Coroutine[Any, Any, Response]]
    ) -> Response:
        """Make the answer, for those too who ask for it meanwhile; one that failed is not kept."""
        task = asyncio.ensure_future(make())
        try:
            response = await asyncio.shield(task)
        except Refused as error:
            if error.still is None:
                self.fail(scope, future, error)
            else:
                error.still.add_done_callback(lambda done: self.finish(scope, future, done))
            raise
        except BaseException as error:
            self.fail(scope, future, error if isinstance(error, Exception) else ConnectionError("the request was cut"))
            raise
        self.keep(future, response)
        return response

    def keep(self, future: asyncio.Future[Response], response: Response) -> None:
        future.set_result(response)
        self.bytes += len(response.body)
        self.trim()

    def fail(self, scope: Scope, future: asyncio.Future[Response], error: BaseException) -> None:
        """Tell those who wait too; whoever asks after this has it done anew."""
        self.kept.pop(scope, None)
        future.set_exception(error)
        future.exception()

    def finish(self, scope: Scope, future: asyncio.Future[Response], done: asyncio.Future[bytes]) -> None:
        """Work that took longer than was waited for has ended: whoever asks again gets what it gave."""
        error = ConnectionError("the service stops") if done.cancelled() else done.exception()
        if error is None:
            self.keep(future, Response(done.result(), media_type="application/json"))
        else:
            self.fail(scope, future, error)

    def trim(self) -> None:
        """Let the oldest go when there are too many."""
        while len(self.kept) > MOST or self.bytes > MOST_BYTES:
            _, (_, future) = self.kept.popitem(last=False)
            self.bytes -= size_of(future)

    def forget(self, owner: str) -> None:
        """After an erase nothing that was answered about this owner is kept."""
        for scope in [scope for scope in self.kept if scope[0] == owner]:
            self.bytes -= size_of(self.kept.pop(scope)[1])


def size_of(future: asyncio.Future[Response]) -> int:
    done = future.done() and not future.cancelled() and future.exception() is None
    return len(future.result().body) if done else 0


def again(response: Response) -> Response:
    """The same answer, marked as one that was given before."""
    headers = {**response.headers, "Idempotency-Replayed": "true"}
    return Response(response.body, response.status_code, headers=headers)
