"""The verbs of Memory, done by a service: Client for programs, AsyncClient for asynchronous ones."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, overload

from recollect import tools
from recollect.aio import AsyncMemory, Threads
from recollect.client.conversations import ClientSession
from recollect.client.notes import ClientNotes
from recollect.client.wire import MOVING, Wire, content_of, given, moment, named, records, segment
from recollect.errors import InvalidInput
from recollect.explain import said_so
from recollect.facts.graph import graph
from recollect.messages import check_owner
from recollect.records import (
    USER,
    Added,
    Change,
    Context,
    Erasure,
    Explanation,
    Fact,
    Graph,
    Health,
    Hit,
    Message,
    Note,
    Origin,
    SessionInfo,
    Stats,
    Tool,
)
from recollect.retrieve.search import KINDS
from recollect.serialize import from_plain
from recollect.store import RecordKind
from recollect.text.dates import Time
from recollect.text.values import Value
from recollect.transfer import Progress, silent

URL = "http://127.0.0.1:8765"
THREADS = 32


class Client:
    """What one owner remembers, kept by a service. `of` gives another owner's memory, where the key reaches it."""

    def __init__(self, url: str = URL, *, key: str | None = None, owner: str = "me", timeout: float = 60.0) -> None:
        """Ask the service at this address with this key, or with the one in RECOLLECT_KEY."""
        self.owner = check_owner(owner)
        self.also: tuple[str, ...] = ()
        self._wire = Wire(url, key, timeout)

    def of(self, owner: str, *, also: Sequence[str] = ()) -> Client:
        """Another owner's memory behind the same service; reading spans `also` too, writing never does."""
        if isinstance(also, str):
            raise InvalidInput(f"also= takes a list of owners, not the text {also!r}")
        other = object.__new__(Client)
        other.owner, other._wire = check_owner(owner), self._wire
        other.also = tuple(check_owner(one) for one in also if one != owner)
        return other

    # Writing

    def add(
        self,
        said: str | Mapping[str, Any] | Message | Sequence[str | Mapping[str, Any] | Message],
        *,
        session: str | None = None,
        at: Time | None = None,
        role: str = "user",
        origin: Origin | None = None,
    ) -> Added:
        """Keep what was said and the facts in it; durable on return."""
        found = self._post("add", said=given(said), session=session, at=moment(at), role=role, origin=origin)
        return from_plain(Added, found)

    def remember(
        self,
        key: str,
        value: Value | None = None,
        *,
        category: str | None = None,
        subject: str = USER,
        at: Time | None = None,
        pinned: bool = False,
        origin: Origin = "user",
    ) -> Fact:
        """Remember a value under a key, or one sentence."""
        told = {"key": key, "value": value, "category": category, "subject": subject, "at": moment(at)}
        return from_plain(Fact, self._post("remember", **told, pinned=pinned, origin=origin))

    def forget(
        self,
        what: str | Fact | Hit,
        *,
        subject: str = USER,
        at: Time | None = None,
        why: str = "",
        origin: Origin = "user",
    ) -> list[Change]:
        """End what is known under a key, or one fact; `undo` brings it back."""
        found = self._post("forget", what=named(what), subject=subject, at=moment(at), why=why, origin=origin)
        return records(Change, found["items"])

    def correct(
        self, what: str | Fact | Hit, value: str, *, subject: str = USER, why: str = "", origin: Origin = "user"
    ) -> Fact:
        """Put right what was never true."""
        found = self._post("correct", what=named(what), value=value, subject=subject, why=why, origin=origin)
        return from_plain(Fact, found)

    def settle(self, what: str | Fact | Hit, *, holds: bool, subject: str = USER, origin: Origin = "user") -> Fact:
        """Decide about a fact that is in doubt, or contradicts another."""
        return from_plain(Fact, self._post("settle", what=named(what), holds=holds, subject=subject, origin=origin))

    def pin(self, what: str | Fact | Hit, *, subject: str = USER) -> Fact:
        """Put a fact into core."""
        return from_plain(Fact, self._post("pin", what=named(what), subject=subject))

    def unpin(self, what: str | Fact | Hit, *, subject: str = USER) -> Fact:
        """Take a fact out of core."""
        return from_plain(Fact, self._post("unpin", what=named(what), subject=subject))

    def undo(self, what: Change | str | None = None) -> list[Change]:
        """Take back a change, or the latest one."""
        return records(Change, self._post("undo", what=None if what is None else named(what))["items"])

    def erase(
        self,
        what: str | Fact | Message | Note | Hit | None = None,
        *,
        subject: str | None = None,
        session: str | None = None,
        everything: bool = False,
    ) -> Erasure:
        """Remove for good."""
        name = None if what is None else named(what)
        found = self._post("erase", what=name, subject=subject, session=session, everything=everything)
        return from_plain(Erasure, found)

    # Reading

    def recall(
        self, key: str, *, subject: str = USER, at: Time | None = None, known_at: Time | None = None
    ) -> str | None:
        """The value held under a key, or None."""
        found = self._get("recall", key=key, subject=subject, at=moment(at), known_at=moment(known_at))
        return None if found["value"] is None else str(found["value"])

    def search(
        self,
        query: str,
        *,
        limit: int = 5,
        at: Time | None = None,
        known_at: Time | None = None,
        category: str | None = None,
        kinds: Sequence[RecordKind] = KINDS,
    ) -> list[Hit]:
        """The best hits, each with its score and reasons."""
        asked = {"query": query, "limit": limit, "at": moment(at), "known_at": moment(known_at), "category": category}
        return records(Hit, self._ask("search", **asked, kinds=list(kinds))["items"])

    def facts(
        self,
        *,
        subject: str | None = None,
        attribute: str | None = None,
        category: str | None = None,
        at: Time | None = None,
        known_at: Time | None = None,
    ) -> list[Fact]:
        """What holds, newest first."""
        asked = {"subject": subject, "attribute": attribute, "category": category}
        rows = self._pages("facts", **asked, at=moment(at), known_at=moment(known_at))
        return records(Fact, rows)

    def history(self, key: str, *, subject: str = USER) -> list[Fact]:
        """Every value ever held under a key, oldest first."""
        return records(Fact, self._pages("history", key=key, subject=subject))

    def changes(self, *, limit: int | None = None) -> list[Change]:
        """The log of changes, newest first."""
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
            raise InvalidInput(f"limit must be a whole number above 0, not {limit!r}")
        if limit is not None and limit <= 200:
            return records(Change, self._get("changes", limit=limit)["items"])
        return records(Change, self._pages("changes")[:limit])

    def graph(self, *, at: Time | None = None, known_at: Time | None = None, limit: int | None = None) -> Graph:
        """Subjects, and the facts between them; `limit`: from so many facts, the newest ones and those that name
        someone."""
        if limit is None:  # the service draws no more than the newest: the lists of facts it gives to the end
            return graph(self.facts(at=at, known_at=known_at))
        return from_plain(Graph, self._get("graph", at=moment(at), known_at=moment(known_at), limit=limit))

    def why(self, what: Fact | Hit | str) -> Explanation:
        """Where a memory comes from."""
        if isinstance(what, Hit) and not isinstance(what.record, Fact):
            return said_so(what)
        found = from_plain(Explanation, self._get("why", what=named(what)))
        return found if not isinstance(what, Hit) else found_by(found, what)

    def why_not(
        self, query: str, what: Fact | str, *, limit: int = 5, at: Time | None = None, known_at: Time | None = None
    ) -> Explanation:
        """Why a search does not return a fact, or where it comes out."""
        asked = {"query": query, "what": named(what), "limit": limit}
        return from_plain(Explanation, self._ask("why-not", **asked, at=moment(at), known_at=moment(known_at)))

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
        asked = {"query": query or None, "budget": budget, "at": moment(at), "known_at": moment(known_at)}
        return from_plain(Context, self._ask("context", **asked, shown=list(shown), model=model))

    # Conversations, notes, tools

    def session(self, name: str) -> ClientSession:
        """One conversation."""
        return ClientSession(self._wire, self._base, name)

    def sessions(self) -> list[SessionInfo]:
        """All conversations, newest first."""
        return records(SessionInfo, self._pages("sessions"))

    @property
    def notes(self) -> ClientNotes:
        """Texts at paths, with their versions."""
        return ClientNotes(self._wire, self._base)

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
        return str(self._post("tools/call", name=name, arguments=parts)["text"])

    # Moving and upkeep

    def export_to(self, path: str | Path, *, form: str = "jsonl") -> int:
        """Write everything into a file here; gives the number of records."""
        self._wire.download(f"{self._base}/export", Path(path), form=form)
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
        new = int(content_of(self._wire.send("POST", f"{self._base}/import", **options, headers=headers))["new"])
        progress(new, new)
        return new

    def catch_up(self) -> int:
        """Do what was left undone."""
        return int(self._post("catch-up")["done"])

    def backup(self, path: str | Path) -> Path:
        """Copy the whole store, all owners, to a new file here; the key must be an admin's for all owners."""
        if Path(path).exists():
            raise InvalidInput(f"{str(path)!r} is there already: name a new file")
        self._wire.download("/v1/backup", Path(path))
        return Path(path)

    def owners(self) -> list[str]:
        """Those of the key's owners who have anything in the store."""
        return [str(owner) for owner in self._wire.pages("/v1/owners")]

    def stats(self) -> Stats:
        """How much this owner remembers."""
        return from_plain(Stats, self._get("stats"))

    def health(self) -> Health:
        """Whether all parts work."""
        return from_plain(Health, self._get("health"))

    def close(self) -> None:
        """Let go of the connections."""
        self._wire.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Client({self._wire.url!r}, owner={self.owner!r})"

    @property
    def _base(self) -> str:
        return f"/v1/owners/{segment(self.owner)}"

    def _get(self, path: str, /, **query: Any) -> Any:
        return self._wire.get(f"{self._base}/{path}", **query, also=self.also or None)

    def _pages(self, path: str, /, **query: Any) -> list[Any]:
        return self._wire.pages(f"{self._base}/{path}", **query, also=self.also or None)

    def _post(self, path: str, /, **body: Any) -> Any:
        return self._wire.post(f"{self._base}/{path}", **body)

    def _ask(self, path: str, /, **body: Any) -> Any:
        return self._wire.post(f"{self._base}/{path}", {"also": self.also}, **body)


class AsyncClient(AsyncMemory):
    """A Client whose verbs are awaited, each in a thread of this object's own pool."""

    def __init__(
        self,
        url: str | Client = URL,
        *,
        key: str | None = None,
        owner: str = "me",
        timeout: float = 60.0,
        threads: int = THREADS,
    ) -> None:
        # AsyncMemory only calls the verbs, and those of a Client have the same signatures: a test compares them.
        self.memory: Any = url if isinstance(url, Client) else Client(url, key=key, owner=owner, timeout=timeout)
        self._threads = Threads(threads)

    def of(self, owner: str, *, also: Sequence[str] = ()) -> AsyncClient:
        other = object.__new__(AsyncClient)
        other.memory, other._threads = self.memory.of(owner, also=also), self._threads
        return other


def found_by(explanation: Explanation, hit: Hit) -> Explanation:
    """The explanation with the signals that found it."""
    steps = [f"found by {reason.signal}: {reason.strength:.2f} × {reason.weight:.2f}" for reason in hit.reasons]
    return replace(explanation, steps=(*explanation.steps, *steps), reasons=hit.reasons)
