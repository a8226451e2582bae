"""What was said in a coding agent's transcript: Claude Code's and Codex's JSON Lines, without tools and machinery."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recollect.errors import InvalidInput

MACHINERY = re.compile(
    r"<(system-reminder|local-command-\w+|command-\w+|environment_context|user_instructions)>.*?</\1>", re.DOTALL
)
"""What the agent's program puts into a user's turn; the user did not say it."""

LARGEST = 256 * 2**20
MADE_UP = ("isMeta", "isSidechain", "isCompactSummary", "isApiErrorMessage")


@dataclass(frozen=True)
class Turn:
    """One thing that was said."""

    id: str
    role: str
    content: str
    at: str | None

    def as_message(self) -> dict[str, Any]:
        message = {"id": self.id, "role": self.role, "content": self.content}
        return {**message, "at": self.at} if self.at else message


def turns(path: Path, session: str) -> list[Turn]:
    """What user and assistant said, oldest first. A line that is still being written is left for the next time."""
    try:
        if path.stat().st_size > LARGEST:
            raise InvalidInput(f"the transcript {str(path)!r} has more than {LARGEST // 2**20} MB: it is not read")
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise InvalidInput(f"cannot read the transcript {str(path)!r}: {error.strerror or error}") from error
    return [turn for number, line in enumerate(lines) for turn in turn_of(line, f"{session}:{number}")]


def turn_of(line: bytes, name: str) -> Iterator[Turn]:
    """What one line says, if it is something that was said."""
    try:
        entry = json.loads(line)
    except ValueError:
        return
    if not isinstance(entry, dict) or any(entry.get(mark) for mark in MADE_UP):
        return
    said = entry.get("message") if entry.get("type") in ("user", "assistant") else entry.get("payload")
    if not isinstance(said, dict) or said.get("role") not in ("user", "assistant"):
        return
    content = MACHINERY.sub("", text_of(said.get("content"))).strip()
    if content:
        at = entry.get("timestamp")
        yield Turn(str(entry.get("uuid") or name), said["role"], content, at if isinstance(at, str) else None)


def text_of(content: object) -> str:
    """The words of a message, without tool calls, their results and thoughts."""
    if isinstance(content, str):
        return content
    blocks = [block for block in content if isinstance(block, Mapping)] if isinstance(content, list) else []
    spoken = [block for block in blocks if block.get("type") in ("text", "input_text", "output_text")]
    return "\n".join(str(block.get("text") or "") for block in spoken)
