"""What requests carry, as OpenAPI describes it. Meaning is checked by the library, shape and size here."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path, Query
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictInt, model_validator

from recollect.records import Origin
from recollect.store import RecordKind

MOST_SAID = 500
MOST_FIELDS = 100
Key = Annotated[str, Field(min_length=1, max_length=2_000)]
Value = Annotated[str, Field(min_length=1, max_length=20_000)]
Plain = Value | StrictBool | StrictInt | StrictFloat
Values = Plain | Annotated[list[Plain], Field(min_length=1, max_length=200, fail_fast=True)]
"""What is remembered under a key: a text, a number, true or false, or a list of these."""
Subject = Annotated[str, Field(min_length=1, max_length=500)]
Moment = Annotated[
    str,
    Field(
        min_length=1, max_length=200, description="A moment or a phrase: 2024-03, last spring.", examples=["2024-03"]
    ),
]
Session = Annotated[str, Field(min_length=1, max_length=200)]
Text = Annotated[str, Field(min_length=1, max_length=100_000)]
Said = str | dict[str, Any]
OneOrMoreSaid = Said | Annotated[list[Said], Field(min_length=1, max_length=MOST_SAID, fail_fast=True)]

OwnerInPath = Annotated[
    str, Path(min_length=1, max_length=600, description="Whose memory; one of the key's owners.", examples=["ana"])
]
Also = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=200)]] | None,
    Query(max_length=20, description="Other owners of the key whose memory is read too."),
]
IdInPath = Annotated[str, Path(min_length=1, max_length=200, examples=["f_01"])]
At = Annotated[Moment | None, Query(description="What was true then.")]
KnownAt = Annotated[Moment | None, Query(description="What was believed then.")]
SubjectQuery = Annotated[Subject, Query(description="Who or what it is about.")]
Limit = Annotated[int, Query(ge=1, le=200, description="Rows on this page.")]
Cursor = Annotated[str | None, Query(max_length=500, description="`next` of the page before.")]
Budget = Annotated[int, Field(ge=1, le=200_000, description="Tokens.")]
Model = Annotated[str, Field(min_length=1, max_length=100)]


def example(body: dict[str, Any]) -> dict[str, Any]:
    """What OpenAPI shows of a body besides its fields."""
    return {"examples": [body]}


class Body(BaseModel):
    """A body knows its fields and no others."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def few_fields(cls, given: Any) -> Any:
        """One error for a body of very many fields: an error for each would take seconds, in which nobody is heard."""
        if isinstance(given, dict) and len(given) > MOST_FIELDS:
            raise ValueError(f"has {len(given):,} fields: send at most {MOST_FIELDS}")
        return given


class Add(Body, json_schema_extra=example({"said": "I moved to Porto in May.", "session": "monday"})):
    """What was said."""

    said: OneOrMoreSaid
    session: Session | None = None
    at: Moment | None = None
    role: Annotated[str, Field(max_length=20)] = "user"
    origin: Origin | None = None


class BulkAdd(Body, json_schema_extra=example({"adds": [{"said": "I like tea."}, {"said": "I work at Acme."}]})):
    """Several adds that are committed together."""

    adds: Annotated[list[Add], Field(min_length=1, max_length=MOST_SAID, fail_fast=True)]


class SessionAdd(Body, json_schema_extra=example({"said": "I have a dog."})):
    said: OneOrMoreSaid
    at: Moment | None = None


class Remember(Body, json_schema_extra=example({"key": "seat preference", "value": "window", "category": "travel"})):
    """A value under a key, or one sentence as the key alone."""

    key: Key
    value: Values | None = None
    category: Annotated[str, Field(max_length=200)] | None = None
    subject: Subject = "user"
    at: Moment | None = None
    pinned: bool = False
    origin: Origin = "user"


class Forget(Body, json_schema_extra=example({"what": "seat preference"})):
    """What is to end: a key or the id of a fact."""

    what: Key
    subject: Subject = "user"
    at: Moment | None = None
    why: Annotated[str, Field(max_length=2_000)] = ""
    origin: Origin = "user"


class Correct(Body, json_schema_extra=example({"what": "seat preference", "value": "aisle"})):
    what: Key
    value: Value
    subject: Subject = "user"
    why: Annotated[str, Field(max_length=2_000)] = ""
    origin: Origin = "user"


class Settle(Body, json_schema_extra=example({"what": "home", "holds": True})):
    what: Key
    holds: bool
    subject: Subject = "user"
    origin: Origin = "user"


class Pin(Body, json_schema_extra=example({"what": "seat preference"})):
    what: Key
    subject: Subject = "user"


class Undo(Body, json_schema_extra=example({})):
    """The id of a change; without one, the latest."""

    what: Key | None = None


class Erase(Body, json_schema_extra=example({"subject": "sister"})):
    """Exactly one of these. `everything` needs the right admin."""

    what: Key | None = None
    subject: Subject | None = None
    session: Session | None = None
    everything: bool = False


class Search(Body, json_schema_extra=example({"query": "which seat do I like?", "limit": 3})):
    query: Text
    limit: Annotated[int, Field(ge=1, le=200)] = 5
    at: Moment | None = None
    known_at: Moment | None = None
    category: Annotated[str, Field(max_length=200)] | None = None
    kinds: Annotated[list[RecordKind], Field(min_length=1, max_length=3)] = ["fact", "message", "note"]


class WhyNot(Body, json_schema_extra=example({"query": "which seat do I like?", "what": "seat preference"})):
    query: Text
    what: Key
    limit: Annotated[int, Field(ge=1, le=200)] = 5
    at: Moment | None = None
    known_at: Moment | None = None


class AskContext(Body, json_schema_extra=example({"query": "book me a flight", "budget": 400})):
    query: Text | None = None
    budget: Budget = 400
    at: Moment | None = None
    known_at: Moment | None = None
    shown: Annotated[list[Annotated[str, Field(max_length=200)]], Field(max_length=10_000, fail_fast=True)] = []
    model: Model = "o200k"


class AskSessionContext(Body, json_schema_extra=example({"budget": 4000})):
    query: Text | None = None
    budget: Budget = 4000
    recall: Budget | None = None
    model: Model = "o200k"


class WriteNote(Body, json_schema_extra=example({"text": "Speaks tersely.", "pinned": True})):
    text: Annotated[str, Field(max_length=200_000)]
    pinned: bool | None = None
    origin: Origin = "user"


class NoteFile(Body):
    path: Annotated[str, Field(max_length=2_000)]
    text: Annotated[str, Field(max_length=200_000)]
    pinned: bool | None = None


class ImportNotes(Body, json_schema_extra=example({"notes": [{"path": "/memories/a.md", "text": "A"}]})):
    """Notes to write together, all or none."""

    notes: Annotated[list[NoteFile], Field(min_length=1, max_length=MOST_SAID, fail_fast=True)]


class RenameNote(Body, json_schema_extra=example({"old": "/memories/a.md", "new": "/memories/b.md"})):
    old: Annotated[str, Field(max_length=2_000)]
    new: Annotated[str, Field(max_length=2_000)]
    origin: Origin = "user"


class NoteAt(Body, json_schema_extra=example({"path": "/memories/a.md"})):
    path: Annotated[str, Field(max_length=2_000)]
    origin: Origin = "user"


class CallTool(Body, json_schema_extra=example({"name": "recall", "arguments": {"key": "home"}})):
    name: Annotated[str, Field(min_length=1, max_length=100)]
    arguments: dict[str, Any] | Annotated[str, Field(max_length=100_000)] | None = None
