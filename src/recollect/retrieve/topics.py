"""What a task needs to know that its own words do not say: "book me a flight" needs a seat preference. Pure."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from recollect.facts.attributes import parts
from recollect.text import read_toml
from recollect.text.words import stem, terms


@lru_cache(maxsize=1)
def table() -> tuple[tuple[frozenset[str], str, str], ...]:
    """For each phrase of topics.toml: its stems, which must stand together, the topic, and what it needs."""
    rows = read_toml(Path(__file__).with_name("topics.toml"))
    return tuple(
        (frozenset(stem(word) for word in phrase.split()), topic, row["needs"])
        for topic, row in rows.items()
        for phrase in parts(row["words"])
    )


def needed_for(task: str) -> dict[str, str]:
    """The attributes that a task needs, each with the topic it belongs to."""
    spoken = frozenset(terms(task))
    needs: dict[str, str] = {}
    for stems, topic, attributes in table():
        if stems <= spoken:
            needs.update(dict.fromkeys(parts(attributes), topic))
    return needs
