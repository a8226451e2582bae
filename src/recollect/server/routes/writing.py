"""Routes that tell and change: add, remember, forget, correct, pin, undo, erase."""

from __future__ import annotations

import hashlib
from typing import Any

from fastapi import Request
from starlette.responses import Response

from recollect import Fact, Memory, Message
from recollect.records import Added, Change, Erasure
from recollect.serialize import from_plain
from recollect.server import bodies
from recollect.server.idempotency import without_words
from recollect.server.routes import IdempotencyKey, key_of, owner_router, require, route, verb, write

router = owner_router()

Given = str | dict[str, Any] | Message


@verb(router, "POST", "/add", "write", grouped=True, alone=False)
def add(memory: Memory, body: bodies.Add, idempotency_key: IdempotencyKey = None) -> Added:
    """Keep what was said and the facts in it; durable when answered. Adds that come together share a commit."""
    said = [as_given(item) for item in (body.said if isinstance(body.said, list) else [body.said])]
    if idempotency_key is not None:
        said = with_ids(said, idempotency_key, memory.owner, body.role)
    return memory.add(said, session=body.session, at=body.at, role=body.role, origin=body.origin)


@verb(router, "POST", "/add/bulk", "write", name="add", grouped=True, alone=False)
def add_bulk(memory: Memory, body: bodies.BulkAdd, idempotency_key: IdempotencyKey = None) -> list[Added]:
    """Several adds in one commit: all of them, or none where one cannot be used."""
    marks = [None if idempotency_key is None else f"{idempotency_key}/{place}" for place in range(len(body.adds))]
    with memory.together():
        return [add(memory, one, mark) for one, mark in zip(body.adds, marks, strict=True)]


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


@verb(router, "POST", "/remember", "write")
def remember(memory: Memory, body: bodies.Remember) -> Fact:
    """Remember a value under a key, or one sentence."""
    return memory.remember(**dict(body))


@verb(router, "POST", "/forget", "write")
def forget(memory: Memory, body: bodies.Forget) -> list[Change]:
    """End what is known under a key, or one fact; undo brings it back."""
    return memory.forget(**dict(body))


@verb(router, "POST", "/correct", "write")
def correct(memory: Memory, body: bodies.Correct) -> Fact:
    """Put right what was never true."""
    return memory.correct(**dict(body))


@verb(router, "POST", "/settle", "write")
def settle(memory: Memory, body: bodies.Settle) -> Fact:
    """Decide about a fact that is in doubt, or contradicts another: it holds, or it has ended."""
    return memory.settle(**dict(body))


@verb(router, "POST", "/pin", "write")
def pin(memory: Memory, body: bodies.Pin) -> Fact:
    """Put a fact into core: it is in every context from now on."""
    return memory.pin(**dict(body))


@verb(router, "POST", "/unpin", "write")
def unpin(memory: Memory, body: bodies.Pin) -> Fact:
    """Take a fact out of core; it stays known."""
    return memory.unpin(**dict(body))


@verb(router, "POST", "/undo", "write")
def undo(memory: Memory, body: bodies.Undo) -> list[Change]:
    """Take back a change, or the latest one, with all that was changed together with it."""
    return memory.undo(body.what)


@route(router, "POST", "/erase", "write", Erasure)
async def erase(request: Request, body: bodies.Erase) -> Response:
    """Remove for good, with the words it came from. To erase everything needs the right admin."""
    if body.everything:
        require(key_of(request), "admin")
    return await write(request, "erase", lambda memory: memory.erase(**dict(body)), alone=False, kept=without_words)


@verb(router, "POST", "/catch-up", "write", alone=False)
def catch_up(memory: Memory) -> dict[str, int]:
    """Do what was left undone: facts of messages whose extraction failed, missing vectors."""
    return {"done": memory.catch_up()}


@verb(router, "POST", "/tools/call", "write", name="tool")
def call_tool(memory: Memory, body: bodies.CallTool) -> dict[str, str]:
    """Run a tool of a model; gives what to tell the model."""
    return {"text": memory.call_tool(body.name, body.arguments)}
