"""The steps of a schema, as its file of SQL has them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path


@cache
def steps_of(schema: Path) -> tuple[str, ...]:
    """What leads from each version of a schema to the next: a file of SQL, each step below comments, the first of
    which begins with "-- step" and its number."""
    return tuple(re.split(r"\n-- step \d+.*\n(?:--.*\n)*", schema.read_text("utf-8"))[1:])
