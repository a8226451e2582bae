"""Statements that take another one back: "I meant Porto", "it's Porto, not Lisbon"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from recollect.attributes import same_value
from recollect.extractors import values
from recollect.records import Draft

_ADMITTED = re.compile(
    r"(?i)\b(?:i meant|i mean|meant to say|i misspoke|my mistake|by mistake|made a mistake|typo|i was wrong|that "
    r"was wrong|that's wrong|that is wrong|not right|incorrect|correction|to correct|i mistyped|got that wrong|"
    r"wrong about|no wait|wait no|sorry|oops|scratch that)\b"
)
_IT_IS = re.compile(
    r"(?i)^(?:(?:no|sorry|wait|oops|actually|i mean|i meant)[,\s]+)*(?:it|that|this)(?: is|'s| was| should be) "
    r"(?:actually |really |now )?"
    r"(?P<new>(?:[^\s,]+ ){0,4}[^\s,]+)(?:,| and) not (?P<old>(?:[^\s,]+ ){0,4}[^\s,]+)$"
)
_NOT_BUT = re.compile(
    r"(?i)^(?:(?:it|that|this) (?:is|was) )?not (?P<old>(?:[^\s,]+ ){0,4}?[^\s,]+),? but (?:rather "
    r")?(?P<new>(?:[^\s,]+ ){0,4}[^\s,]+)$"
)
_MEANT = re.compile(
    r"(?i)^(?:(?:no|sorry|wait|oops|actually)[,\s]+)*i (?:meant|mean)(?: to say)?[:,]? (?P<new>(?!that\b|it\b|to\b|"
    r"well\b|the way\b|how\b|when\b|i\b|what\b|like\b)(?:[^\s,]+ ){0,4}?[^\s,]+)"
    r"(?:,? (?:and )?not (?P<old>[^,]{1,60})|,? instead of (?P<instead>[^,]{1,60}))?$"
)
_NOT = re.compile(
    r"(?i)^(?P<said>.+?)(?:,| and|,? and)? not (?:in |at |on |for |as |the |an? |to )?(?P<old>(?-i:[A-Z\d])[^,]{0,60}|"
    r"[a-z-]+)$"
)


def admitted(text: str) -> bool:
    """Whether the words say that something told before was wrong."""
    return _ADMITTED.search(text) is not None


def put_right(text: str, before: Sequence[Draft]) -> tuple[Draft | None, str, str | None] | None:
    """For a bare correction: the draft it is about if it was in this conversation, the new and the old value."""
    match = _IT_IS.match(text) or _NOT_BUT.match(text) or _MEANT.match(text)
    if match is None:
        return None
    groups = match.groupdict()
    new = values.one(groups["new"])
    old = values.one(groups.get("old") or groups.get("instead") or "") or None
    if not new:
        return None
    about = [draft for draft in before if old is None or same_value(draft.value, old)]
    if not about and old and not re.search(r"[A-Z\d]", old):
        return None
    return (about[-1] if about else None), new, old


def set_against(text: str) -> tuple[str, str | None]:
    """The text without a trailing ", not Lisbon", and what was set against it."""
    match = _NOT.match(text) if (" not " in text and ", not " in text) or " and not " in text else None
    if match is None:
        return text, None
    return match["said"], values.one(match["old"])
