"""Records to test with."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

from recollect.records import Change, Fact, Message, Note

T0 = datetime(2026, 5, 4, 10, 0, 0, 123456, tzinfo=timezone.utc)


def day(number: float) -> datetime:
    return T0 + timedelta(days=number)


def message(record_id: str, content: str = "I like window seats.", *, owner: str = "ana", **more: Any) -> Message:
    values = {"session": "monday", "role": "user", "at": T0, "learned": T0} | more
    return Message(id=record_id, owner=owner, content=content, **values)


def fact(record_id: str, text: str = "Likes window seats.", *, owner: str = "ana", **more: Any) -> Fact:
    values = {"subject": "user", "attribute": "seat", "value": "window", "category": "travel"} | more
    times = {"said": T0, "learned": T0}
    return Fact(id=record_id, owner=owner, text=text, **(times | values))


def note(record_id: str, text: str = "Be brief.", *, owner: str = "ana", **more: Any) -> Note:
    values = {"path": "/memories/persona.md", "version": 1, "learned": T0} | more
    return Note(id=record_id, owner=owner, text=text, **values)


def change(record_id: str, about: str = "f1", *, owner: str = "ana", **more: Any) -> Change:
    values = {"kind": "stored", "record": "fact", "at": T0, "origin": "user", "why": "said so", "group": "g1"} | more
    return Change(id=record_id, owner=owner, record_id=about, **values)
