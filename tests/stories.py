"""Stories: what holds after some messages."""

from __future__ import annotations

from recollect import Memory


def told(*said: str) -> set[str]:
    """What holds after these messages, without disputes."""
    memory = Memory(":memory:", embedder=None)
    for text in said:
        memory.add(text)
    return {f"{fact.subject} | {fact.attribute} | {fact.value}" for fact in memory.facts() if fact.disputes is None}
