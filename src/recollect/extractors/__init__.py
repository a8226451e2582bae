"""The seam between what was said and candidate facts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from types import ModuleType
from typing import TYPE_CHECKING, Protocol

from recollect.errors import ModelError
from recollect.plugins import installed
from recollect.records import Draft, Fact, Message

if TYPE_CHECKING:
    from recollect.extractors.rules import RuleExtractor


class Unreadable(ModelError):
    """What an extractor raises when it cannot read these messages in particular; others may fare better."""


class Extractor(Protocol):
    """Finds atomic facts in what was said. It is given messages of one origin at a time. A user's message that has a
    `name` is someone else's: "user" and "sister" then mean that person and their sister.

    One that also has `instant = True` promises to ask nobody and to take no longer than the disk does: its facts are
    then committed together with the words. `batch`: how many messages it reads at once; `turns`: how many of the user's
    it waits for. With `reads_before = True` it is also given `before=`: by the id of a short message, the one that the
    assistant or another speaker said just before it. `notices(messages)` gives warnings for the caller.

    What it raises on one message costs the facts of that one only. It should raise a ModelError or an OSError where it
    can read nothing at present, and anything else where a message can't be read: that is tried three times at most.
    """

    @property
    def name(self) -> str:
        """What it is called in `health()` and in a fact's reasons."""
        ...

    def extract(self, messages: Sequence[Message], known: Sequence[Fact]) -> list[Draft]:
        """Drafts in the order they were said. `known`: this owner's current facts about people and other named
        subjects, to tell who is meant."""
        ...


class Rules:
    """The built-in rules, loaded when they are first needed: who only reads does not need them."""

    name = "rules"
    instant = True

    def extract(self, messages: Sequence[Message], known: Sequence[Fact]) -> list[Draft]:
        return _rules().extract(messages, known)

    def notices(self, messages: Sequence[Message]) -> list[str]:
        """What a caller should know about these messages: that they are in a language no rule reads, or too long."""
        detect = _detect()
        spoken = [detect.language_of(message.content[:2000]) for message in messages if message.role == "user"]
        unread = dict.fromkeys(code for code in spoken if code is not None and code not in ("en", *detect.READ))
        foreign = [
            f"this reads {detect.NAMES[code]}: the words are kept and can be found, no facts are derived"
            for code in unread
        ]
        return [*foreign, *_rules().notices(messages)]


@lru_cache(maxsize=1)
def _rules() -> RuleExtractor:
    from recollect.extractors.rules import RuleExtractor

    return RuleExtractor()


@lru_cache(maxsize=1)
def _detect() -> ModuleType:
    from recollect.extractors.languages import detect

    return detect


def open_extractor(which: Extractor | str | None) -> Extractor | None:
    """The extractor itself, or the built-in or installed one of that name; None derives no facts."""
    if which is None or not isinstance(which, str):
        return which
    if which == "rules":
        return Rules()
    if which.startswith("model:"):
        from recollect.extractors.model import ModelExtractor

        return ModelExtractor(which.removeprefix("model:"))
    return installed("recollect.extractors", which)  # type: ignore[no-any-return]
