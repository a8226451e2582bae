"""Memory for AI agents that outlives the session."""

from typing import TYPE_CHECKING, Any

from recollect.clock import Clock
from recollect.context import as_data
from recollect.embedders import Embedder
from recollect.errors import (
    InvalidInput,
    MissingDependency,
    ModelError,
    NotAllowed,
    NotFound,
    RecollectError,
    StoreError,
)
from recollect.extractors import Extractor
from recollect.memory import Memory
from recollect.notes import Notes
from recollect.plain import from_plain, to_plain
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
    Stats,
)
from recollect.session import Session, SessionContext
from recollect.stores import Store
from recollect.tokens import count as count_tokens
from recollect.tools import Tool

if TYPE_CHECKING:
    from recollect.aio import AsyncMemory
    from recollect.client import AsyncClient, Client

__version__ = "0.1.0"

__all__ = [
    "Added",
    "AsyncClient",
    "AsyncMemory",
    "Change",
    "Client",
    "Clock",
    "Context",
    "Draft",
    "Edge",
    "Embedder",
    "Erasure",
    "Explanation",
    "Extractor",
    "Fact",
    "Graph",
    "Health",
    "Hit",
    "InvalidInput",
    "Memory",
    "Message",
    "MissingDependency",
    "ModelError",
    "NotAllowed",
    "NotFound",
    "Note",
    "Notes",
    "Reason",
    "Receipt",
    "RecollectError",
    "Session",
    "SessionContext",
    "SessionInfo",
    "Source",
    "Stats",
    "Store",
    "StoreError",
    "Tool",
    "__version__",
    "as_data",
    "count_tokens",
    "from_plain",
    "to_plain",
]


def __getattr__(name: str) -> Any:
    # asyncio takes longer to import than all the rest, and most programs do not need it.
    if name == "AsyncMemory":
        from recollect.aio import AsyncMemory

        return AsyncMemory
    if name in ("Client", "AsyncClient"):
        from recollect import client

        return getattr(client, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
