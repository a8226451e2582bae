"""Routes that tell and change: add, remember, forget, correct, pin, undo, erase."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Header, Request
from starlette.responses import Response

from recollect import Fact, Memory, Message
from recollect.records import Added, Change, Erasure
from recollect.serialize import from_plain
from recollect.server import bodies
from recollect.server.idempotency import Written, without_words
from recollect.server.pages import Page, whole_list
from recollect.server.routes import owner_router
from recollect.server.service import key_of, memory_of, require, service_of, verb, write, written

router = owner_router(reads=False)

Given = str | dict[str, Any] | Message

IdempotencyKey = Annotated[
    str | None, Header(min_length=1, max_length=200, description="The same key again: done once, the same answer.")
]


@verb(router, "POST", "/add", "write", Added)
async def add(request: Request, body: bodies.Add, idempotency_key: IdempotencyKey = None) -> Response:
    """Keep what was said and the facts in it; durable when answered. Adds that come together share a commit."""
    return await committed(request, "add", adding(body, idempotency_key))


@verb(router, "POST", "/add/bulk", "write", Page[Added])
async def add_bulk(request: Request, body: bodies.BulkAdd, idempotency_key: IdempotencyKey = None) -> Response:
    """Several adds in one commit: all of them, or none where one cannot be used."""
    marks = [None if idempotency_key is None else f"{idempotency_key}/{place}" for place in range(len(body.adds))]
    works = [adding(one, mark) for one, mark in zip(body.adds, marks, strict=True)]

    def all_of_them(memory: Memory) -> dict[str, Any]:
        with memory.together():
            return whole_list([work(memory) for work in works])

    return await committed(request, "add", all_of_them)


def adding(body: bodies.Add, mark: str | None) -> Callable[[Memory], Added]:
    """The add that a body asks for."""

    def work(memory: Memory) -> Added:
        said = [as_given(item) for item in (body.said if isinstance(body.said, list) else [body.said])]
        if mark is not None:
            said = with_ids(said, mark, memory.owner, body.role)
        return memory.add(said, session=body.session, at=body.at, role=body.role, origin=body.origin)

    return work


def as_given(item: str | dict[str, Any]) -> Given:
    """One thing that was said: a text, a message in any shape the library reads, or a record of ours as exported."""
    if isinstance(item, dict) and item.keys() == {"kind", "record"} and isinstance(item["record"], dict):
        return from_plain(Message, item["record"])
    return item


def with_ids(said: list[Given], mark: str, owner: str, role: str) -> list[Given]:
    """What was said with ids made of the Idempotency-Key: sent again, even to another process, it is kept once."""
    name = hashlib.sha256(f"{owner}\n{mark}".encode("utf-8", "backslashreplace")).hexdigest()[:24]
    return [with_id(item, f"m_{name}_{place}", role) for place, item in enumerate(said)]


def with_id(item: Given, new_id: str, role: str) -> Given:
    if isinstance(item, str):
        return {"role": role, "content": item, "id": new_id}
    return item if isinstance(item, Message) or item.get("id") else {**item, "id": new_id}


async def committed(request: Request, name: str, call: Callable[[Memory], Any]) -> Response:
    """The answer to an add, which shares a commit with others where no model is waited for."""
    commits, memory = service_of(request).commits, memory_of(request)
    if not memory.instant:
        return await write(request, name, call, alone=False)

    async def make(work: Callable[[], Written]) -> Written:
        done: Written = await commits.do(memory.owner, work)
        return done

    return await written(request, name, call, make, alone=False)


@verb(router, "POST", "/remember", "write", Fact)
async def remember(request: Request, body: bodies.Remember, idempotency_key: IdempotencyKey = None) -> Response:
    """Remember a value under a key, or one sentence."""
    given = body.model_dump(exclude={"key", "value"})
    return await write(request, "remember", lambda memory: memory.remember(body.key, body.value, **given))


@verb(router, "POST", "/forget", "write", Page[Change])
async def forget(request: Request, body: bodies.Forget, idempotency_key: IdempotencyKey = None) -> Response:
    """End what is known under a key, or one fact; undo brings it back."""
    given = body.model_dump(exclude={"what"})
    return await write(request, "forget", lambda memory: whole_list(memory.forget(body.what, **given)))


@verb(router, "POST", "/correct", "write", Fact)
async def correct(request: Request, body: bodies.Correct, idempotency_key: IdempotencyKey = None) -> Response:
    """Put right what was never true."""
    given = body.model_dump(exclude={"what", "value"})
    return await write(request, "correct", lambda memory: memory.correct(body.what, body.value, **given))


@verb(router, "POST", "/settle", "write", Fact)
async def settle(request: Request, body: bodies.Settle, idempotency_key: IdempotencyKey = None) -> Response:
    """Decide about a fact that is in doubt, or contradicts another: it holds, or it has ended."""
    given = body.model_dump(exclude={"what"})
    return await write(request, "settle", lambda memory: memory.settle(body.what, **given))


@verb(router, "POST", "/pin", "write", Fact)
async def pin(request: Request, body: bodies.Pin, idempotency_key: IdempotencyKey = None) -> Response:
    """Put a fact into core: it is in every context from now on."""
    return await write(request, "pin", lambda memory: memory.pin(body.what, subject=body.subject))


@verb(router, "POST", "/unpin", "write", Fact)
async def unpin(request: Request, body: bodies.Pin, idempotency_key: IdempotencyKey = None) -> Response:
    """Take a fact out of core; it stays known."""
    return await write(request, "unpin", lambda memory: memory.unpin(body.what, subject=body.subject))


@verb(router, "POST", "/undo", "write", Page[Change])
async def undo(request: Request, body: bodies.Undo, idempotency_key: IdempotencyKey = None) -> Response:
    """Take back a change, or the latest one, with all that was changed together with it."""
    return await write(request, "undo", lambda memory: whole_list(memory.undo(body.what)))


@verb(router, "POST", "/erase", "write", Erasure)
async def erase(request: Request, body: bodies.Erase, idempotency_key: IdempotencyKey = None) -> Response:
    """Remove for good, with the words it came from. To erase everything needs the right admin."""
    if body.everything:
        require(key_of(request), "admin")
    asked = body.model_dump()
    return await write(request, "erase", lambda memory: memory.erase(**asked), alone=False, kept=without_words)


@verb(router, "POST", "/catch-up", "write", dict[str, int])
async def catch_up(request: Request, idempotency_key: IdempotencyKey = None) -> Response:
    """Do what was left undone: facts of messages whose extraction failed, missing vectors."""
    return await write(request, "catch_up", lambda memory: {"done": memory.catch_up()}, alone=False)


@verb(router, "POST", "/tools/call", "write", dict[str, str])
async def call_tool(request: Request, body: bodies.CallTool, idempotency_key: IdempotencyKey = None) -> Response:
    """Run a tool of a model; gives what to tell the model."""
    return await write(request, "tool", lambda memory: {"text": memory.call_tool(body.name, body.arguments)})
