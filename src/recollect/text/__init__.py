"""What text is: words, values, times, tokens. Pure."""

from __future__ import annotations

import re
import sys
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, cast


class LazyRegex:
    """Has what a compiled pattern has, and compiles it when that is first asked for: no import waits for it."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._compile = partial(re.compile, pattern, flags)

    def __getattr__(self, name: str) -> Any:
        # Asked for what this object does not have yet, and keeps from then on.
        found = getattr(self._compile(), name)
        setattr(self, name, found)
        return found


def lazy_regex(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern, as `re.compile` would give it."""
    return cast("re.Pattern[str]", LazyRegex(pattern, flags))


def read_toml(path: Path) -> dict[str, Any]:
    """What a TOML file says."""
    tomllib = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    return cast("dict[str, Any]", tomllib.loads(path.read_text(encoding="utf-8")))
