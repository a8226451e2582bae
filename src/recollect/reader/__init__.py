"""The seam between what was said and candidate facts: a reader proposes drafts, the core decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from recollect.errors import ModelError
from recollect.plugins import installed
from recollect.records import Draft, Fact, Message


class Unreadable(ModelError):
    """What a reader raises when it cannot read these messages in particular; others may fare better."""


@dataclass(frozen=True, slots=True)
class ReadingContext:
    """What the core knows that a reader may need to understand messages."""

    known: Sequence[Fact] = ()
    """This owner's current facts about people and other named subjects that the messages mention."""
    before: Mapping[str, Message] = field(default_factory=dict)
    """By the id of a short message: what somebody else said just before it, perhaps a question."""
    spoken_of: Sequence[str] = ()
    """The subjects of the facts that were told last, the latest at the end: one of them may be "she"."""


class Reader(Protocol):
    """Finds atomic facts in what was said.

    It is given messages of one origin at a time. A user's message that has a `name` is someone else's: "user" and
    "sister" then mean that person and their sister. Draft sources quote the message exactly.

    >>> class Colors:
    ...     name = "colors"
    ...     instant = True
    ...
    ...     def read(self, messages, context):
    ...         blue = [one for one in messages if one.content == "Blue!"]
    ...         return [Draft("user", "color", "blue", "color is blue", one.at) for one in blue]
    >>> open_reader(Colors()).name
    'colors'

    Optional attributes: `instant = True` promises to ask nobody and to take no longer than the disk does, so that the
    facts are committed together with the words. `batch`: how many messages it reads at once; `turns`: how many of the
    user's it waits for. `notices(messages)` gives warnings for the caller, `wake()` ends a rest after failures,
    `spent()` tells what a model has cost.

    What it raises on one message costs the facts of that one only. It should raise a ModelError or an OSError where it
    can read nothing at present, and anything else where a message can't be read: that is tried three times at most.
    """

    @property
    def name(self) -> str:
        """What it is called in `health()` and in a fact's reasons."""
        ...

    def read(self, messages: Sequence[Message], context: ReadingContext) -> list[Draft]:
        """Drafts in the order they were said."""
        ...


def open_reader(which: Reader | str | None) -> Reader | None:
    """The reader itself, or the built-in or installed one of that name; None derives no facts."""
    if which is None or not isinstance(which, str):
        return which
    if which == "plain":
        from recollect.reader.shapes import PlainReader  # only who reads plain shapes needs their tables

        return PlainReader()
    if which.startswith("model:"):
        from recollect.reader.model import ModelReader

        return ModelReader(which.removeprefix("model:"))
    return installed("recollect.readers", which)  # type: ignore[no-any-return]
