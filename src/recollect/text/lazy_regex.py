"""Patterns that are compiled when they are first used: to import the library must not wait for them."""

from __future__ import annotations

import re
from typing import Any, cast


class LazyRegex:
    """Has what a compiled pattern has."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._given = pattern, flags

    def __getattr__(self, name: str) -> Any:
        # Asked for what this object does not have yet, and keeps from then on.
        found = getattr(re.compile(*self._given), name)
        setattr(self, name, found)
        return found


def lazy_regex(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern, as `re.compile` would give it."""
    return cast("re.Pattern[str]", LazyRegex(pattern, flags))
