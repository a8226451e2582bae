"""Statements in German, French, Spanish, Portuguese and Chinese, each by a table of its own."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.extractors.languages.detect import NAMES, READ, language_of, ranked
from recollect.extractors.languages.speech import Speech
from recollect.extractors.languages.table import language
from recollect.extractors.people import Cast
from recollect.records import Draft, Message

__all__ = ["NAMES", "READ", "language_of", "read"]


def read(message: Message, cast: Cast, before: Sequence[Draft] = ()) -> list[Draft] | None:
    """The drafts of a message that is not in English; None when it is, or when nothing tells."""
    languages = ranked(message.content)
    if not languages or languages[0] == "en":
        return None
    for code in languages:
        if code == "en":
            return None
        if code in READ and (drafts := Speech(message, cast, before, language(code)).read()):
            return drafts
    return [] if languages[0] else None
