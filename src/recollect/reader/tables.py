"""shapes.toml, read once: rows by their verb, verbs in all their forms, shapes of values, sets of words. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from recollect.text import read_toml

_WORD = r"[^\W\d_a-zß-öø-ÿ](?:[\w+#&./-]|[’'](?!s\b)(?=\w))*"
_SMALL = r"(?:of|the|de|da|do|di|dos|del|la|le|el|van|von|der|den|am|upon|bin|&)"
NAME = rf"(?-i:(?:(?:Mrs?|Ms|Dr|Prof|St)\.? )?{_WORD}(?:(?: {_SMALL}){{0,2}} (?:{_WORD}|\d+[\w.]*)){{0,5}})"
"""Words as a name is written: "Maria de la Cruz", "Node 18"."""


@dataclass(frozen=True, slots=True)
class VerbRow:
    """One way to tell an attribute with a verb."""

    attribute: str
    role: str
    """What the words say: "is", "becomes" or "ends"."""
    words: tuple[str, ...]
    """What stands after the verb."""
    value: str
    of: str = "person"
    denied: str = ""
    was: bool = False
    doing: bool = False
    dated: bool = False
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Tables:
    """What shapes.toml says."""

    rows: Mapping[str, tuple[VerbRow, ...]]
    """By the base form of their verb, those with the most words first."""
    forms: Mapping[str, tuple[tuple[str, str], ...]]
    """The bases and forms that a word may be: "lives" is ("live", "s")."""
    groups: tuple[tuple[tuple[frozenset[str], ...], str, str], ...]
    """Auxiliaries, then the form of the verb or the verb that they are themselves, then the tense."""
    values: Mapping[str, Mapping[str, Any]]
    words: Mapping[str, frozenset[str]]
    phrases: Mapping[str, re.Pattern[str]]
    """Alternatives of several words, to be found at a place."""
    patterns: Mapping[str, re.Pattern[str]]
    clauses: tuple[Mapping[str, Any], ...]
    questions: tuple[Mapping[str, Any], ...]


@lru_cache(maxsize=1)
def tables() -> Tables:
    """The tables as shipped."""
    given = read_toml(Path(__file__).with_name("shapes.toml"))
    rows: dict[str, list[VerbRow]] = {}
    for one in given["verb"]:
        more = {name: one[name] for name in ("of", "denied", "was", "doing", "dated", "sure") if name in one}
        for role in ("is", "becomes", "ends"):
            for base, *words in (told.split() for told in one.get(role, "").split(",") if told.strip()):
                rows.setdefault(base, []).append(VerbRow(one["attribute"], role, tuple(words), one["value"], **more))
    forms: dict[str, list[tuple[str, str]]] = {}
    for base in {*rows, *given["irregular"]} - {"be"}:
        for form, word in forms_of(base, given["irregular"].get(base, "")).items():
            forms.setdefault(word, []).append((base, form))
    groups = [
        (tuple(frozenset(one.split("|")) for one in row[0].split()), row[1], row[2]) for row in given["groups"]["all"]
    ]
    return Tables(
        {base: tuple(sorted(some, key=lambda row: -len(row.words))) for base, some in rows.items()},
        {word: tuple(some) for word, some in forms.items()},
        tuple(groups),
        {name: compiled_row(value) for name, value in given["value"].items()},
        {name: frozenset(text.split()) for name, text in given["words"].items()},
        {name: alternatives(text, last=name == "tails") for name, text in given["phrases"].items()},
        {name: re.compile(f"(?i){shape}") for name, shape in given["patterns"].items()},
        tuple(compiled_row(one) for one in given["clause"]),
        tuple(compiled_row(one) for one in given["question"]),
    )


def forms_of(base: str, irregular: str) -> dict[str, str]:
    """The forms of a verb."""
    if irregular:
        return {"base": base, **dict(zip(("s", "past", "participle", "ing"), irregular.split(), strict=True))}
    stem, s = base.removesuffix("e"), "es" if base.endswith(("ch", "sh", "ss", "x")) else "s"
    return {"base": base, "s": base + s, "past": f"{stem}ed", "participle": f"{stem}ed", "ing": f"{stem}ing"}


def compiled_row(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The row with its pattern compiled; NAME in it is a name."""
    shape = re.compile("(?i)" + row.get("shape", "(?P<value>.+)").replace("NAME", NAME))
    return {**row, "shape": shape}


def alternatives(text: str, *, last: bool) -> re.Pattern[str]:
    """Phrases that are written with bars between them, the longest first. `last`: at the end of a text."""
    found = sorted(filter(None, (one.strip() for one in text.split("|"))), key=len, reverse=True)
    phrase = "(?:" + "|".join(map(re.escape, found)) + ")"
    return re.compile(rf"(?<= ){phrase}\Z" if last else rf"{phrase}(?![\w'’])", re.IGNORECASE)
