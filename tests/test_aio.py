"""AsyncMemory: the same verbs with the same signatures, in threads of its own."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
from pathlib import Path

import pytest

from recollect import AsyncMemory, Memory, Session
from recollect.aio import AsyncNotes, AsyncSession
from recollect.notes import Notes

SYNC_ONLY = {
    "tick",
    "moment",
    "embed_records",
    "store",
    "clock",
    "instant",
    "together",
    "make_vectors",
    "vectors_waiting",
}


def public(kind: type) -> dict[str, object]:
    return {name: value for name, value in vars(kind).items() if not name.startswith("_")}


def test_every_verb_of_memory_is_there() -> None:
    assert set(public(Memory)) - SYNC_ONLY == set(public(AsyncMemory))


NOT_AWAITED = {"of", "tools", "session", "notes"}
TWINS = [
    (sync, awaited, verb)
    for sync, awaited in ((Memory, AsyncMemory), (Session, AsyncSession), (Notes, AsyncNotes))
    for verb in sorted(set(public(sync)) - SYNC_ONLY - NOT_AWAITED - {"close"})
]


@pytest.mark.parametrize(("sync", "awaited", "verb"), TWINS, ids=lambda value: getattr(value, "__name__", value))
def test_a_verb_has_the_signature_of_its_twin(sync: type, awaited: type, verb: str) -> None:
    assert inspect.iscoroutinefunction(getattr(awaited, verb))
    expected = inspect.signature(getattr(sync, verb))
    assert inspect.signature(getattr(awaited, verb)) == expected


def test_verbs_can_be_awaited(path: Path) -> None:
    async def live() -> list[str]:
        async with AsyncMemory(Memory(path, owner="ana")) as memory:
            await asyncio.gather(*(memory.remember(f"key {number}", str(number)) for number in range(20)))
            return [fact.value for fact in await memory.of("ana").facts()]

    assert sorted(asyncio.run(live()), key=int) == [str(number) for number in range(20)]


def test_context_variables_reach_the_thread(path: Path) -> None:
    request: contextvars.ContextVar[str] = contextvars.ContextVar("request", default="none")
    seen: list[str] = []

    class Watching:
        name = "watching"

        def read(self, messages: object, context: object) -> list[object]:
            seen.append(request.get())
            return []

    async def live() -> None:
        request.set("r-7")
        async with AsyncMemory(Memory(path, owner="ana", reader=Watching())) as memory:  # type: ignore[arg-type]
            await memory.add("hello there, old friend")

    asyncio.run(live())
    assert seen == ["r-7"]


def test_the_event_loop_stays_free_while_a_verb_runs(path: Path) -> None:
    import threading

    inside = threading.Event()
    ticks = 0

    class Slow:
        name = "slow"

        def read(self, messages: object, context: object) -> list[object]:
            inside.wait(5)
            return []

    async def live() -> None:
        nonlocal ticks
        async with AsyncMemory(Memory(path, owner="ana", reader=Slow())) as memory:  # type: ignore[arg-type]
            adding = asyncio.create_task(memory.add("hello there, old friend"))
            for _ in range(5):
                await asyncio.sleep(0.01)
                ticks += 1
            inside.set()
            await adding

    asyncio.run(live())
    assert ticks == 5


def test_sessions_and_notes_can_be_awaited(path: Path) -> None:
    async def live() -> tuple[int, str]:
        async with AsyncMemory(Memory(path, owner="ana")) as memory:
            await memory.session("monday").add("I live in Lisbon.")
            await memory.notes.write("/memories/a.md", "Be brief.")
            messages = await memory.session("monday").messages()
            return len(messages), (await memory.notes.read("/memories/a.md")).text

    assert asyncio.run(live()) == (1, "Be brief.")
