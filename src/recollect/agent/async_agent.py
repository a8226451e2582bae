"""The same agent for asynchronous programs: each question runs in a thread of its own, so that the loop never waits."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from recollect.agent.agent import Agent, Listening, OnStep
from recollect.agent.trace import Answer
from recollect.aio import AsyncMemory
from recollect.chat import ChatModel, OnText
from recollect.chat.run_sync import on_loop
from recollect.memory import Memory
from recollect.session import Session


class AsyncAgent:
    """An Agent whose verbs are awaited. Models, tools and listeners that are asynchronous run on the caller's loop."""

    def __init__(
        self, memory: Memory | AsyncMemory, model: str | Callable[..., Any] | ChatModel, **options: Any
    ) -> None:
        """Takes what Agent takes."""
        self.agent = Agent(memory.memory if isinstance(memory, AsyncMemory) else memory, model, **options)

    @property
    def session(self) -> Session:
        return self.agent.session

    async def ask(self, text: str, *, on_text: OnText | None = None, on_step: OnStep | None = None) -> Answer:
        """The answer to what the user says. When the caller is cancelled, the agent stops before its next step."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Answer] = loop.create_future()
        listening = Listening(on_text, on_step)

        def work() -> None:
            try:
                with on_loop(loop):
                    finish = partial(done.set_result, self.agent._answer(text, listening))
            except BaseException as error:
                finish = partial(done.set_exception, error)
            if not loop.is_closed():  # whoever waits may have gone, with or without their loop
                loop.call_soon_threadsafe(lambda: None if done.done() else finish())

        # A thread for each question: a pool could fill with questions that wait for one another.
        context = contextvars.copy_context()
        threading.Thread(target=context.run, args=(work,), name="recollect-agent", daemon=True).start()
        try:
            return await done
        except asyncio.CancelledError:
            listening.cancelled.set()
            raise
