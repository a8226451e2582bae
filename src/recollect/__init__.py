"""Memory for AI agents that outlives the session.

The names that most programs need; every other one is imported from the module that owns it, such as
`recollect.errors.NotFound` or `recollect.records.Receipt`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from recollect.clock import Clock
from recollect.errors import RecollectError
from recollect.memory import Memory
from recollect.records import Fact, Hit, Message, Note
from recollect.session import Session

if TYPE_CHECKING:
    from recollect.agent.agent import Agent
    from recollect.agent.async_agent import AsyncAgent
    from recollect.aio import AsyncMemory
    from recollect.chat import chat_model
    from recollect.client import AsyncClient, Client
    from recollect.reader.model import ModelReader

__version__ = "0.1.0"

__all__ = [
    "Agent",
    "AsyncAgent",
    "AsyncClient",
    "AsyncMemory",
    "Client",
    "Clock",
    "Fact",
    "Hit",
    "Memory",
    "Message",
    "ModelReader",
    "Note",
    "RecollectError",
    "Session",
    "__version__",
    "chat_model",
]

_LAZY = {
    "Agent": "agent.agent",
    "AsyncAgent": "agent.async_agent",
    "AsyncClient": "client",
    "AsyncMemory": "aio",
    "Client": "client",
    "ModelReader": "reader.model",
    "chat_model": "chat",
}


def __getattr__(name: str) -> Any:
    # asyncio takes longer to import than all the rest, and most programs do not need it.
    if name in _LAZY:
        return getattr(import_module(f"recollect.{_LAZY[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
