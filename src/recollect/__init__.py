"""Memory for AI agents that outlives the session."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from recollect.clock import Clock
from recollect.embed import Embedder
from recollect.errors import (
    Interrupted,
    InvalidInput,
    MissingDependency,
    ModelError,
    NotAllowed,
    NotFound,
    RecollectError,
    StoreError,
)
from recollect.facts.trust import attribution
from recollect.memory import Memory
from recollect.notes import Notes
from recollect.paging import facts_page
from recollect.reader import Reader
from recollect.records import (
    Added,
    Change,
    Context,
    Draft,
    Edge,
    Erasure,
    Explanation,
    Fact,
    Graph,
    Health,
    Hit,
    Message,
    Note,
    Reason,
    Receipt,
    SessionInfo,
    Source,
    Spent,
    Stats,
    Tool,
    Verdict,
)
from recollect.retrieve.context import as_data
from recollect.serialize import from_plain, to_plain
from recollect.session import Session, SessionContext
from recollect.store import KeptAnswer, Store, init_store
from recollect.store.copying import Copied
from recollect.text.redact import redact
from recollect.text.words import terms

if TYPE_CHECKING:
    from recollect.agent.agent import Agent
    from recollect.agent.async_agent import AsyncAgent
    from recollect.agent.trace import Answer, Step
    from recollect.aio import AsyncMemory
    from recollect.chat import ChatModel, Reply, ToolCall, Usage, chat_model
    from recollect.chat.counting import TokenCount, count_tokens
    from recollect.client import AsyncClient, Client
    from recollect.reader.model import ModelReader

__version__ = "0.1.0"

__all__ = [
    "Added",
    "Agent",
    "Answer",
    "AsyncAgent",
    "AsyncClient",
    "AsyncMemory",
    "Change",
    "ChatModel",
    "Client",
    "Clock",
    "Context",
    "Copied",
    "Draft",
    "Edge",
    "Embedder",
    "Erasure",
    "Explanation",
    "Fact",
    "Graph",
    "Health",
    "Hit",
    "Interrupted",
    "InvalidInput",
    "KeptAnswer",
    "Memory",
    "Message",
    "MissingDependency",
    "ModelError",
    "ModelReader",
    "NotAllowed",
    "NotFound",
    "Note",
    "Notes",
    "Reader",
    "Reason",
    "Receipt",
    "RecollectError",
    "Reply",
    "Session",
    "SessionContext",
    "SessionInfo",
    "Source",
    "Spent",
    "Stats",
    "Step",
    "Store",
    "StoreError",
    "TokenCount",
    "Tool",
    "ToolCall",
    "Usage",
    "Verdict",
    "__version__",
    "as_data",
    "attribution",
    "chat_model",
    "count_tokens",
    "facts_page",
    "from_plain",
    "init_store",
    "redact",
    "terms",
    "to_plain",
]

_LATER = {
    "Agent": "agent.agent",
    "Answer": "agent.trace",
    "AsyncAgent": "agent.async_agent",
    "AsyncClient": "client",
    "AsyncMemory": "aio",
    "ChatModel": "chat",
    "Client": "client",
    "ModelReader": "reader.model",
    "TokenCount": "chat.counting",
    "count_tokens": "chat.counting",
    "Reply": "chat",
    "ToolCall": "chat",
    "Usage": "chat",
    "Step": "agent.trace",
    "chat_model": "chat",
}


def __getattr__(name: str) -> Any:
    # asyncio takes longer to import than all the rest, and most programs do not need it.
    if name in _LATER:
        return getattr(import_module(f"recollect.{_LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
