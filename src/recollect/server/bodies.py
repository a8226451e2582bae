"""What requests carry, as OpenAPI describes it. Meaning is checked by the library, shape and size here."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Path, Query
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictInt, model_validator

Origin = Literal["user", "operator", "assistant", "tool", "document", "import"]
RecordKind = Literal["fact", "message", "note"]

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


def example(body: dict[str, Any]) -> ConfigDict:
    """The settings of a body that OpenAPI shows such an example of."""
    return ConfigDict(json_schema_extra={"examples": [body]})


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


class Add(Body):
    """What was said."""

    model_config = example({"said": "I moved to Porto in May.", "session": "monday"})

    said: Said | Annotated[list[Said], Field(min_length=1, max_length=MOST_SAID, fail_fast=True)]
    session: Session | None = None
    at: Moment | None = None
    role: Annotated[str, Field(max_length=20)] = "user"
    origin: Origin | None = None


class BulkAdd(Body):
    """Several adds that are committed together."""

    model_config = example({"adds": [{"said": "I like tea."}, {"said": "I work at Acme."}]})

    adds: Annotated[list[Add], Field(min_length=1, max_length=MOST_SAID, fail_fast=True)]


class SessionAdd(Body):
    model_config = example({"said": "I have a dog."})

    said: Said | Annotated[list[Said], Field(min_length=1, max_length=MOST_SAID, fail_fast=True)]
    at: Moment | None = None


class Remember(Body):
    """A value under a key, or one sentence as the key alone."""

    model_config = example({"key": "seat preference", "value": "window", "category": "travel"})

    key: Key
    value: Values | None = None
    category: Annotated[str, Field(max_length=200)] | None = None
    subject: Subject = "user"
    at: Moment | None = None
    pinned: bool = False
    origin: Origin = "user"


class Forget(Body):
    """What is to end: a key or the id of a fact."""

    model_config = example({"what": "seat preference"})

    what: Key
    subject: Subject = "user"
    at: Moment | None = None
    why: Annotated[str, Field(max_length=2_000)] = ""
    origin: Origin = "user"


class Correct(Body):
    model_config = example({"what": "seat preference", "value": "aisle"})

    what: Key
    value: Value
    subject: Subject = "user"
    why: Annotated[str, Field(max_length=2_000)] = ""
    origin: Origin = "user"


class Settle(Body):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"what": "home", "holds": True}]})

    what: Key
    holds: bool
    subject: Subject = "user"
    origin: Origin = "user"


class Pin(Body):
    model_config = example({"what": "seat preference"})

    what: Key
    subject: Subject = "user"


class Undo(Body):
    """The id of a change; without one, the latest."""

    model_config = example({})

    what: Key | None = None


class Erase(Body):
    """Exactly one of these. `everything` needs the right admin."""

    model_config = example({"subject": "sister"})

    what: Key | None = None
    subject: Subject | None = None
    session: Session | None = None
    everything: bool = False


class Search(Body):
    model_config = example({"query": "which seat do I like?", "limit": 3})

    query: Text
    limit: Annotated[int, Field(ge=1, le=200)] = 5
    at: Moment | None = None
    known_at: Moment | None = None
    category: Annotated[str, Field(max_length=200)] | None = None
    kinds: Annotated[list[RecordKind], Field(min_length=1, max_length=3)] = ["fact", "message", "note"]


class WhyNot(Body):
    model_config = example({"query": "which seat do I like?", "what": "seat preference"})

    query: Text
    what: Key
    limit: Annotated[int, Field(ge=1, le=200)] = 5
    at: Moment | None = None
    known_at: Moment | None = None


class AskContext(Body):
    model_config = example({"query": "book me a flight", "budget": 400})

    query: Text | None = None
    budget: Budget = 400
    at: Moment | None = None
    known_at: Moment | None = None
    shown: Annotated[list[Annotated[str, Field(max_length=200)]], Field(max_length=10_000, fail_fast=True)] = []
    model: Model = "o200k"


class AskSessionContext(Body):
    model_config = example({"budget": 4000})

    query: Text | None = None
    budget: Budget = 4000
    recall: Budget | None = None
    model: Model = "o200k"


class WriteNote(Body):
    model_config = example({"text": "Speaks tersely.", "pinned": True})

    text: Annotated[str, Field(max_length=200_000)]
    pinned: bool | None = None
    origin: Origin = "user"


class NoteFile(Body):
    path: Annotated[str, Field(max_length=2_000)]
    text: Annotated[str, Field(max_length=200_000)]
    pinned: bool | None = None


class ImportNotes(Body):
    """Notes to write together, all or none."""

    model_config = example({"notes": [{"path": "/memories/a.md", "text": "A"}]})

    notes: Annotated[list[NoteFile], Field(min_length=1, max_length=MOST_SAID, fail_fast=True)]


class RenameNote(Body):
    model_config = example({"old": "/memories/a.md", "new": "/memories/b.md"})

    old: Annotated[str, Field(max_length=2_000)]
    new: Annotated[str, Field(max_length=2_000)]
    origin: Origin = "user"


class NoteAt(Body):
    model_config = example({"path": "/memories/a.md"})

    path: Annotated[str, Field(max_length=2_000)]
    origin: Origin = "user"


class CallTool(Body):
    model_config = example({"name": "recall", "arguments": {"key": "home"}})

    name: Annotated[str, Field(min_length=1, max_length=100)]
    arguments: dict[str, Any] | Annotated[str, Field(max_length=100_000)] | None = None
