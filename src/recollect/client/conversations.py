"""A conversation that a service keeps, with the verbs of Session."""

from __future__ import annotations

from typing import Any

from recollect.client.wire import Wire, given, moment, segment
from recollect.errors import InvalidInput
from recollect.messages import Given, check_session
from recollect.records import Added, Message, SessionInfo
from recollect.serialize import from_plain
from recollect.session import SessionContext
from recollect.summary import Summariser, asked_summary, asker
from recollect.text.dates import Time


class ClientSession:
    """One conversation of one owner, behind a service."""

    def __init__(self, wire: Wire, base: str, name: str) -> None:
        self._wire, self.name = wire, check_session(name)
        self._base = f"{base}/sessions/{segment(name)}"

    def info(self) -> SessionInfo:
        """How many messages it has, from when to when."""
        return from_plain(SessionInfo, self._wire.get(self._base))

    def add(self, said: Given, *, at: Time | None = None) -> Added:
        """Keep what was said in this conversation, and the facts in it."""
        return from_plain(Added, self._wire.post(f"{self._base}/add", said=given(said), at=moment(at)))

    def messages(
        self, *, budget: int | None = None, limit: int | None = None, model: str = "o200k"
    ) -> list[dict[str, Any]]:
        """The newest messages within `budget` tokens and `limit` messages, oldest first, as they were given."""
        found = self._wire.get(f"{self._base}/messages", budget=budget, limit=limit, model=model)
        return list(found["items"])

    def summary(self, *, budget: int = 200, summarise: Summariser | None = None) -> str:
        """What was said so far: its most telling sentences, or what `summarise` writes, which is called here."""
        if summarise is None:
            return str(self._wire.get(f"{self._base}/summary", budget=budget)["text"])
        rows = self._wire.pages(f"{self._base}/records")
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
        found = self._wire.post(f"{self._base}/context", query=query, budget=budget, recall=recall, model=model)
        return from_plain(SessionContext, found)

    def brief(self) -> str:
        """What the next session should know of this one."""
        return str(self._wire.get(f"{self._base}/brief")["text"])
