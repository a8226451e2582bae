"""Awaitables in blocking code: they run on the caller's event loop where there is one, else on one of our own."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from recollect.errors import InvalidInput

_callers: ContextVar[asyncio.AbstractEventLoop | None] = ContextVar("recollect_loop", default=None)
_starting = threading.Lock()
_own: list[asyncio.AbstractEventLoop] = []


def waited(value: Any) -> Any:
    """The value, awaited if it is awaitable. What belongs to an event loop keeps the same one."""
    if not inspect.isawaitable(value):
        return value
    loop = _callers.get() or _own_loop()
    if loop is _running():
        if inspect.iscoroutine(value):
            value.close()
        raise InvalidInput("this would wait for itself: call it from another thread, or use the async class")
    return asyncio.run_coroutine_threadsafe(_result_of(value), loop).result()


@contextmanager
def on_loop(loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """Inside, in this thread, awaitables run on that loop."""
    token = _callers.set(loop)
    try:
        yield
    finally:
        _callers.reset(token)


async def _result_of(value: Awaitable[Any]) -> Any:
    return await value


def _running() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def _own_loop() -> asyncio.AbstractEventLoop:
    """One loop in a thread of its own, for as long as the process lives."""
    with _starting:
        if not _own:
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="recollect-loop", daemon=True).start()
            _own.append(loop)
    return _own[0]
