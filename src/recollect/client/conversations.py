"""A conversation that a service keeps, with the verbs of Session."""

from __future__ import annotations

from typing import Any

from recollect.client.connection import Connection, record_of, remote, segment
from recollect.errors import InvalidInput
from recollect.messages import check_session
from recollect.records import Added, Message, SessionInfo
from recollect.serialize import from_plain
from recollect.session import Session, SessionContext
from recollect.summary import Summariser, asked_summary, asker


class ClientSession:
    """One conversation of one owner, behind a service."""

    def __init__(self, connection: Connection, base: str, name: str) -> None:
        self._connection, self.name = connection, check_session(name)
        self._base = f"{base}/sessions/{segment(name)}"

    info = remote(Session.info, "get", "", record_of(SessionInfo))
    add = remote(Session.add, "post", "/add", record_of(Added))
    messages = remote(Session.messages, "get", "/messages", lambda found: found["items"])
    brief = remote(Session.brief, "get", "/brief", lambda found: found["text"])

    def _done(self, way: str, path: str, /, **asked: Any) -> Any:
        return getattr(self._connection, way)(f"{self._base}{path}", **asked)

    def summary(self, *, budget: int = 200, summarise: Summariser | None = None) -> str:
        """What was said so far: its most telling sentences, or what `summarise` writes, which is called here."""
        if summarise is None:
            return str(self._connection.get(f"{self._base}/summary", budget=budget)["text"])
        rows = self._connection.pages(f"{self._base}/records")
        said = [from_plain(Message, row["message"]) for row in reversed(rows)]
        return asked_summary(said, budget, asker(summarise)) if said else ""

    def context(
        self,
        query: str | None = None,
        *,
        budget: int = 4000,
        recall: int | None = None,
        summarise: Summariser | None = None,
        model: str = "o200k",
    ) -> SessionContext:
        """What a model needs for the next turn within `budget` tokens; the service summarises by sentences."""
        if summarise is not None:
            raise InvalidInput(
                "a service does not call your model for a context: use `summary`, or a Memory of your own"
            )
        found = self._connection.post(f"{self._base}/context", query=query, budget=budget, recall=recall, model=model)
        return from_plain(SessionContext, found)
