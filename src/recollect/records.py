"""What is remembered, and what the verbs give back: frozen data, no behaviour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal

Origin = Literal["user", "operator", "assistant", "tool", "document", "import"]
"""Who a statement comes from. Set from role and channel, never by a model."""

Role = Literal["user", "assistant", "system", "developer", "tool"]

Kind = Literal["state", "update", "correction", "ending", "past", "plan"]
"""How it was said: a plain state, a change, a correction of an error, an end, something over, something to come."""

Outcome = Literal["stored", "confirmed", "replaced", "ended", "corrected", "planned", "disputed", "doubted", "refused"]
"""What became of a draft."""

ChangeKind = Literal[
    "stored",
    "confirmed",
    "ended",
    "retired",
    "edited",
    "disputed",
    "doubted",
    "pinned",
    "unpinned",
    "written",
    "deleted",
    "erased",
]
"""What happened to one record. Undoing makes new changes of these kinds; nothing is taken out of the log."""

USER = "user"
"""The subject of facts about the owner themself."""

DAYS = timedelta(days=8)
"""What was told to hold no longer than that, a day or a week, is an exception and no plan to be confirmed."""

HEARD_AS = "heard as"
"""The attribute that says under which name someone speaks."""


@dataclass(frozen=True, slots=True)
class Message:
    """What was said. Never edited, may be erased."""

    id: str
    owner: str
    session: str
    role: Role
    content: str
    at: datetime
    origin: Origin = "user"
    name: str | None = None
    learned: datetime | None = None
    raw: Mapping[str, Any] | None = None
    """The message as it was given, where `role` and `content` alone would not give it back."""


@dataclass(frozen=True, slots=True)
class Source:
    """The words a fact comes from."""

    message: str
    quote: str


@dataclass(frozen=True, slots=True)
class Doubt:
    """What was said later that may make a fact outdated, without being evidence enough to end it."""

    message: str
    quote: str
    said: datetime


@dataclass(frozen=True, slots=True)
class Fact:
    """One atomic statement, with when it was true and when we believed it."""

    id: str
    owner: str
    subject: str
    attribute: str
    value: str
    text: str
    category: str
    said: datetime
    """When it was told; facts of one attribute are ordered by this."""
    learned: datetime
    since: datetime | None = None
    """When it began to be true; None: before anything we know of."""
    until: datetime | None = None
    """When it stopped being true; None: it holds."""
    retired: datetime | None = None
    """When we stopped believing that it ever was true."""
    origin: Origin = "user"
    confidence: float = 1.0
    sources: tuple[Source, ...] = ()
    replaces: str | None = None
    replaced_by: str | None = None
    disputes: str | None = None
    """The fact that this one contradicts without being able to end it."""
    why: str = ""
    pinned: bool = False
    confirmations: int = 0
    doubted_by: Doubt | None = None
    """What was said later that may make this outdated."""

    @property
    def planned(self) -> bool:
        """Whether it was told ahead of its time, and nobody has said since then that it came so."""
        if self.since is None or self.since <= self.said or self.confirmations:
            return False
        return self.until is None or self.until - self.since > DAYS


@dataclass(frozen=True, slots=True)
class Note:
    """One version of a text at a path."""

    id: str
    owner: str
    path: str
    text: str
    version: int
    learned: datetime
    pinned: bool = False
    retired: datetime | None = None
    """When a newer version or a deletion took its place."""
    origin: Origin = "user"


@dataclass(frozen=True, slots=True)
class Change:
    """One mutation of one record, with the record before and after it."""

    id: str
    owner: str
    kind: ChangeKind
    record: Literal["fact", "note"]
    record_id: str
    at: datetime
    origin: Origin
    why: str
    group: str
    """Changes that were made together share a group and are undone together."""
    before: Mapping[str, Any] | None = None
    after: Mapping[str, Any] | None = None
    undoes: str | None = None
    """The group that this change takes back."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A candidate fact, as an extractor proposes it; the guard and the reconciler decide."""

    subject: str
    attribute: str
    value: str
    text: str
    said: datetime
    kind: Kind = "state"
    category: str = "other"
    since: datetime | None = None
    until: datetime | None = None
    instead_of: str | None = None
    """The value that this one takes the place of, when it was named ("not A but B", "from A to B")."""
    many: bool | None = None
    """Whether the attribute holds many values, when the words tell ("also", a plural); None: the table decides."""
    negated: bool = False
    origin: Origin = "user"
    confidence: float = 1.0
    source: Source | None = None
    speaker: str | None = None
    """Who said it, where that is not the owner's own user."""
    pinned: bool = False
    """Whether it is wanted at every turn."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of one draft, and why, in words a user understands."""

    draft: Draft
    outcome: Outcome
    why: str
    fact: Fact | None = None
    """The fact that now stands for the draft."""
    affected: tuple[Fact, ...] = ()
    """Facts that were ended, retired or disputed by it, as they are now."""
    changes: tuple[Change, ...] = ()

    @property
    def text(self) -> str:
        """What it is about, in words: the fact, or what was proposed where no fact came of it."""
        return self.draft.text if self.fact is None else self.fact.text


@dataclass(frozen=True, slots=True)
class Added:
    """What one `add` kept: the messages as said, and one receipt for each draft."""

    messages: tuple[Message, ...]
    receipts: tuple[Receipt, ...] = ()
    redactions: tuple[str, ...] = ()
    """The kinds of secrets that were taken out before anything was kept."""
    warnings: tuple[str, ...] = ()
    """Degraded modes met on the way, such as an embedder that is down."""

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts that now stand for what was said."""
        return tuple(receipt.fact for receipt in self.receipts if receipt.fact is not None)


@dataclass(frozen=True, slots=True)
class Reason:
    """One part of a score: which signal, how strong, how much it counted."""

    signal: str
    strength: float
    weight: float
    detail: str = ""

    @property
    def points(self) -> float:
        return self.strength * self.weight


@dataclass(frozen=True, slots=True)
class Hit:
    """One record found, with its score and the reasons for it."""

    record: Fact | Message | Note
    score: float
    reasons: tuple[Reason, ...] = ()
    ended: Fact | None = None
    """For a message of which something is no longer so: that fact."""
    dispute: Fact | None = None
    """For a disputed fact: the one it contradicts."""
    message: Message | None = None
    """For a fact that says less than the message it comes from: that message, whose words `text` shows too."""
    why: str = ""
    """In `Context.left_out`: why it was left out."""

    @property
    def id(self) -> str:
        return self.record.id

    @property
    def text(self) -> str:
        """What a person would read: what is known, and the words it comes from where they say more."""
        if isinstance(self.record, Message):
            return self.record.content
        return f"{self.record.text} (said: “{self.message.content}”)" if self.message else self.record.text

    @property
    def found_by(self) -> tuple[str, ...]:
        """The signals that found it, strongest first."""
        return tuple(reason.signal for reason in self.reasons)


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a record is known or was returned, or why it was not: a headline and its steps."""

    headline: str
    steps: tuple[str, ...] = ()
    fact: Fact | None = None
    sources: tuple[Message, ...] = ()
    changes: tuple[Change, ...] = ()
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Context:
    """Text for a model's window: a stable part that a prompt cache can keep, and a volatile tail."""

    stable: str
    volatile: str
    stable_hash: str
    tokens: int
    history_tokens: int
    """What the whole history of this owner would cost instead."""
    budget: int
    hits: tuple[Hit, ...] = ()
    left_out: tuple[Hit, ...] = ()
    """Hits that were found and are not in the text, each with `why`."""
    counted_by: str = ""

    @property
    def text(self) -> str:
        return "\n".join(part for part in (self.stable, self.volatile) if part)

    @property
    def saved(self) -> int:
        """Tokens not spent, against the whole history."""
        return max(0, self.history_tokens - self.tokens)


@dataclass(frozen=True, slots=True)
class Edge:
    """A fact between two subjects."""

    subject: str
    attribute: str
    object: str
    fact: Fact


@dataclass(frozen=True, slots=True)
class Graph:
    """Subjects, and the facts between them."""

    subjects: tuple[str, ...]
    edges: tuple[Edge, ...]
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Erasure:
    """The receipt of an erase: what went, and what a scan of the files found afterwards."""

    owner: str
    facts: int
    messages: int
    notes: int
    changes: int
    vectors: int
    at: datetime
    verified: bool
    """True when the files of the store were scanned and held nothing of the erased texts, and no other record of the
    owner has an erased value."""
    residue: tuple[str, ...] = ()
    """Where something was still found, in files and in other records, and what to do about it."""
    scanned: tuple[str, ...] = ()
    also_in: tuple[str, ...] = ()
    """Records that were not named and still have an erased value, or a word that tells of it: ids, paths of notes."""


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """One conversation, in a line."""

    session: str
    messages: int
    first: datetime
    last: datetime


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a dispute when a model was asked for a second opinion."""

    claim: Fact
    """The fact that contradicted."""
    held: Fact
    """What it contradicted."""
    decision: Literal["held", "claim", "unsure"]
    why: str


@dataclass(frozen=True, slots=True)
class Spent:
    """What a model was asked and what it cost, on this machine."""

    model: str
    calls_today: int
    tokens_today: int
    calls: int
    tokens: int
    cost: float | None = None
    """In the currency of the price that was given; None: no price was."""
    purposes: Mapping[str, int] = field(default_factory=dict)
    """How many calls were for what: extraction, opinion, summary."""
    daily_calls: int | None = None
    daily_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Stats:
    """How much is remembered."""

    owner: str
    messages: int
    facts: int
    current_facts: int
    notes: int
    sessions: int
    changes: int
    tokens: int
    waiting: int = 0
    """Messages that the extractor has still to read."""
    spent: Spent | None = None
    """What its model has cost, where it has one."""


@dataclass(frozen=True, slots=True)
class Health:
    """Whether all parts work; every degraded mode is named in `problems`."""

    ok: bool
    store: str
    schema: int
    embedder: str
    extractor: str
    vectors_missing: int
    problems: tuple[str, ...] = ()
    details: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Tool:
    """One tool: its name, what it is for, and the JSON schema of its arguments."""

    name: str
    description: str
    parameters: Mapping[str, Any]
