"""The verbs of Memory, done by a service: Client for programs, AsyncClient for asynchronous ones."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, overload

from recollect import tools
from recollect.aio import AsyncMemory, Threads
from recollect.client.connection import MOVING, PAGE, Connection, content_of, record_of, records_of, remote, segment
from recollect.client.conversations import ClientSession
from recollect.client.notes import ClientNotes
from recollect.errors import InvalidInput
from recollect.facts.subjects import graph
from recollect.memory import Memory
from recollect.messages import check_owner
from recollect.read import check_limit, weighed, why_said
from recollect.records import (
    Added,
    Change,
    Context,
    Erasure,
    Explanation,
    Fact,
    Graph,
    Health,
    Hit,
    SessionInfo,
    Stats,
    Tool,
)
from recollect.text.dates import Time
from recollect.transfer import Progress, silent

URL = "http://127.0.0.1:8765"


class Client:
    """What one owner remembers, kept by a service. `of` gives another owner's memory, where the key reaches it."""

    def __init__(self, url: str = URL, *, key: str | None = None, owner: str = "me", timeout: float = 60.0) -> None:
        """Ask the service at this address with this key, or with the one in RECOLLECT_KEY."""
        self.owner = check_owner(owner)
        self.also: tuple[str, ...] = ()
        self._connection = Connection(url, key, timeout)

    def of(self, owner: str, *, also: Sequence[str] = ()) -> Client:
        """Another owner's memory behind the same service; reading spans `also` too, writing never does."""
        if isinstance(also, str):
            raise InvalidInput(f"also= takes a list of owners, not the text {also!r}")
        other = object.__new__(Client)
        other.owner, other._connection = check_owner(owner), self._connection
        other.also = tuple(check_owner(one) for one in also if one != owner)
        return other

    # Writing

    add = remote(Memory.add, "post", "add", record_of(Added))
    remember = remote(Memory.remember, "post", "remember", record_of(Fact))
    forget = remote(Memory.forget, "post", "forget", records_of(Change))
    correct = remote(Memory.correct, "post", "correct", record_of(Fact))
    settle = remote(Memory.settle, "post", "settle", record_of(Fact))
    pin = remote(Memory.pin, "post", "pin", record_of(Fact))
    unpin = remote(Memory.unpin, "post", "unpin", record_of(Fact))
    undo = remote(Memory.undo, "post", "undo", records_of(Change))
    erase = remote(Memory.erase, "post", "erase", record_of(Erasure))
    catch_up = remote(Memory.catch_up, "post", "catch-up", lambda found: int(found["done"]))

    # Reading

    recall = remote(Memory.recall, "get", "recall", lambda found: found["value"])
    search = remote(Memory.search, "ask", "search", records_of(Hit))
    facts = remote(Memory.facts, "pages", "facts", records_of(Fact))
    history = remote(Memory.history, "pages", "history", records_of(Fact))
    sessions = remote(Memory.sessions, "pages", "sessions", records_of(SessionInfo))
    why_not = remote(Memory.why_not, "ask", "why-not", record_of(Explanation))
    stats = remote(Memory.stats, "get", "stats", record_of(Stats))
    health = remote(Memory.health, "get", "health", record_of(Health))

    def changes(self, *, limit: int | None = None) -> list[Change]:
        """The log of changes, newest first."""
        if limit is not None and check_limit(limit) <= PAGE:
            return records_of(Change)(self._done("get", "changes", limit=limit))
        return records_of(Change)(self._done("pages", "changes")[:limit])

    def graph(self, *, at: Time | None = None, known_at: Time | None = None, limit: int | None = None) -> Graph:
        """Subjects, and the facts between them; `limit`: from so many facts, the newest ones and those that name
        someone."""
        if limit is None:  # the service draws no more than the newest: the lists of facts it gives to the end
            return graph(self.facts(at=at, known_at=known_at))
        return record_of(Graph)(self._done("get", "graph", at=at, known_at=known_at, limit=limit))

    def why(self, what: Fact | Hit | str) -> Explanation:
        """Where a memory comes from."""
        if isinstance(what, Hit) and not isinstance(what.record, Fact):
            return why_said(what)
        found = record_of(Explanation)(self._done("get", "why", what=what))
        if not isinstance(what, Hit):
            return found
        steps = [f"found by {step}" for step in weighed(what.reasons)]
        return replace(found, steps=(*found.steps, *steps), reasons=what.reasons)

    def context(
        self,
        query: str | None = None,
        *,
        budget: int = 400,
        at: Time | None = None,
        known_at: Time | None = None,
        shown: Collection[str] = (),
        model: str = "o200k",
    ) -> Context:
        """Text for a model's window, within a budget of tokens."""
        asked = {"query": query or None, "budget": budget, "at": at, "known_at": known_at}
        return record_of(Context)(self._done("ask", "context", **asked, shown=shown, model=model))

    # Conversations, notes, tools

    def session(self, name: str) -> ClientSession:
        """One conversation."""
        return ClientSession(self._connection, self._base, name)

    @property
    def notes(self) -> ClientNotes:
        """Texts at paths, with their versions."""
        return ClientNotes(self._connection, self._base)

    @overload
    def tools(self, form: None = None) -> list[Tool]: ...
    @overload
    def tools(self, form: str) -> list[dict[str, Any]]: ...
    def tools(self, form: str | None = None) -> list[Tool] | list[dict[str, Any]]:
        """The tools a model pages its memory with."""
        return tools.schemas(form)

    def call_tool(self, call: object, arguments: Mapping[str, Any] | str | None = None) -> str:
        """Run a tool by its name and arguments, or a model's tool call as it came."""
        name, parts = (call, arguments) if isinstance(call, str) else tools.parts_of(call)
        if not isinstance(name, str):
            return tools.not_a_call(call)
        return str(self._done("post", "tools/call", name=name, arguments=parts)["text"])

    # Moving

    def export_to(self, path: str | Path, *, form: str = "jsonl") -> int:
        """Write everything into a file here; gives the number of records."""
        self._connection.download(f"{self._base}/export", Path(path), form=form)
        with Path(path).open(encoding="utf-8") as file:
            return len(json.load(file)) if form == "json" else sum(1 for _ in file) - 1

    def import_from(self, path: str | Path, *, form: str | None = None, progress: Progress = silent) -> int:
        """Read an export from a file here, all of it or nothing; gives the number of new records."""
        try:
            content = Path(path).read_bytes()
        except OSError as error:
            raise InvalidInput(f"cannot read {str(path)!r}: {error}") from error
        options = {"params": {} if form is None else {"form": form}, "content": content, "timeout": MOVING}
        headers = {"Content-Type": "application/x-ndjson"}
        new = int(content_of(self._connection.send("POST", f"{self._base}/import", **options, headers=headers))["new"])
        progress(new, new)
        return new

    def backup(self, path: str | Path) -> Path:
        """Copy the whole store, all owners, to a new file here; the key must be an admin's for all owners."""
        if Path(path).exists():
            raise InvalidInput(f"{str(path)!r} is there already: name a new file")
        self._connection.download("/v1/backup", Path(path))
        return Path(path)

    def owners(self) -> list[str]:
        """Those of the key's owners who have anything in the store."""
        return [str(owner) for owner in self._connection.pages("/v1/owners")]

    def close(self) -> None:
        """Let go of the connections."""
        self._connection.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Client({self._connection.url!r}, owner={self.owner!r})"

    @property
    def _base(self) -> str:
        return f"/v1/owners/{segment(self.owner)}"

    def _done(self, way: str, path: str, /, **asked: Any) -> Any:
        """What the service gives. `ask` is a `post` that only reads, and reading spans other owners too."""
        path = f"{self._base}/{path}"
        if way == "post":
            return self._connection.post(path, **asked)
        if way == "ask":
            return self._connection.post(path, {"also": self.also}, **asked)
        return getattr(self._connection, way)(path, **asked, also=self.also or None)


class AsyncClient(AsyncMemory):
    """A Client whose verbs are awaited, each in a thread of this object's own pool."""

    def __init__(
        self,
        url: str | Client = URL,
        *,
        key: str | None = None,
        owner: str = "me",
        timeout: float = 60.0,
        threads: int = 32,
    ) -> None:
        # AsyncMemory only calls the verbs, and those of a Client have the same signatures: a test compares them.
        self.memory: Any = url if isinstance(url, Client) else Client(url, key=key, owner=owner, timeout=timeout)
        self._threads = Threads(threads)

    def of(self, owner: str, *, also: Sequence[str] = ()) -> AsyncClient:
        other = object.__new__(AsyncClient)
        other.memory, other._threads = self.memory.of(owner, also=also), self._threads
        return other
