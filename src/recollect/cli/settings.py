"""Whose memory, and where it is. No part of the command line is loaded for it: a hook needs nothing else."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recollect import Memory
from recollect.errors import InvalidInput


@dataclass(frozen=True)
class Settings:
    """The options that stand before a command or after it."""

    owner: str | None = None
    db: str | None = None
    as_json: bool = False

    def over(self, owner: str | None, db: str | None, as_json: bool) -> Settings:
        """The same with what was given later, which counts more."""
        return Settings(self.owner if owner is None else owner, self.db if db is None else db, self.as_json or as_json)

    def open(self) -> Memory:
        """The memory that these settings name."""
        owner = (os.environ.get("RECOLLECT_OWNER") or "me") if self.owner is None else self.owner
        place = (os.environ.get("RECOLLECT_DB") or None) if self.db is None else self.db
        if place is not None and not is_url(place) and not Path(place).absolute().parent.is_dir():
            raise InvalidInput(f"the folder of {place!r} does not exist: make it first, or check the path")
        memory = Memory(place, owner=owner, **named_parts())
        try:
            for file in filter(None, os.environ.get("RECOLLECT_FOLLOW", "").split(os.pathsep)):
                memory.notes.follow(file)
        except BaseException:
            memory.close()
            raise
        return memory


def is_url(place: str) -> bool:
    """Whether a store is named by a URL rather than by a path."""
    return "://" in place


def named_parts() -> dict[str, Any]:
    """The embedder and the reader that the environment names, "none" for none; and whether to be cautious."""
    given = {part: os.environ.get(f"RECOLLECT_{part.upper()}") for part in ("embedder", "reader")}
    cautious = {"cautious": True} if os.environ.get("RECOLLECT_CAUTIOUS", "") not in ("", "0") else {}
    return {part: None if name == "none" else name for part, name in given.items() if name} | cautious
