"""One language's table: how its statements are worded. Read when a message in that language first arrives."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from recollect.extractors.languages.conjugation import expanded
from recollect.extractors.languages.cues import Cues, cues
from recollect.records import Kind

tomllib = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")

Swap = tuple[re.Pattern[str], str]
"""What is looked for, and what is left of it."""


@dataclass(frozen=True, slots=True)
class Row:
    """One way to state something."""

    attribute: str
    expression: str
    kind: Kind | None = None
    former: bool = False
    """The verb stands in its past form."""
    shape: str = ""
    """What a value must look like: a name, a place."""
    denied: str = ""
    """The attribute that the statement has when it is negated."""
    denied_value: str = "{}"
    value: str = ""
    """The value, where the words before it say all: "I smoke"."""
    timed: bool = False
    """Its value may be a date."""
    person: str = "first"
    needs: str = ""
    """What else must have been said: "gladly", "often", or that it lies "ahead" or "behind"."""
    cues: Cues = frozenset()
    """What a text must have one of, where there is any."""

    def may_match(self, found: Cues) -> bool:
        """Whether a text in which these were found can match."""
        return not self.cues or not self.cues.isdisjoint(found)

    @property
    def pattern(self) -> re.Pattern[str]:
        return compiled(self.expression)


@dataclass(frozen=True, slots=True)
class Language:
    """A table, compiled."""

    code: str
    space: str
    capital_nouns: bool
    """Every noun has a capital: "my father is …" need not be followed by his name."""
    corrects_alone: bool
    """A value that is put right needs none that it is set against: "sorry, it's 4 May"."""
    marks: Mapping[str, re.Pattern[str]]
    """Regular expressions by name: question, unreal, lead, also, now."""
    swaps: Mapping[str, tuple[Swap, ...]]
    """Substitutions by name: what is written in full, what tells an end, a denial."""
    rows: tuple[Row, ...]
    keyed: tuple[re.Pattern[str], ...]
    favorite: tuple[re.Pattern[str], ...]
    corrections: Mapping[str, tuple[re.Pattern[str], ...]]
    orders: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]
    """Other orders of a clause, each with how it is put: by the names of its parts."""
    relations: Mapping[str, str]
    keys: Mapping[str, str]
    nouns: Mapping[str, str]
    nothing: frozenset[str]
    ends: Mapping[str, str]
    """Nouns that stand for what ends, each with its attribute: "my job"."""
    doings: Mapping[str, str]
    """Forms of verbs that tell what someone likes to do, each with its infinitive."""
    time: Mapping[str, Any] = field(default_factory=dict)


@cache
def compiled(expression: str) -> re.Pattern[str]:
    """The expression, compiled when it is first tried: what is said of others is seldom needed."""
    return re.compile(expression, re.IGNORECASE)


@lru_cache(maxsize=8)
def language(code: str) -> Language:
    """The table of a language, read once."""
    raw = tomllib.loads(Path(__file__).with_name(f"{code}.toml").read_text(encoding="utf-8"))
    relations, doings = spread(raw["relations"]), spread(raw.get("doings", {}))
    words = {**raw["words"], "relation": alternatives(relations)}
    words.update(
        value="(?P<value>.+?)", old="(?P<old>.+?)", new="(?P<new>.+?)", head="(?P<head>.*?)", key="(?P<key>.+?)"
    )
    words["doing"] = alternatives(doings) or "(?!)"
    words["finite"] = finite(raw["says"])
    words["who"] = raw["words"]["subject"].replace("{relation}", words["relation"])

    general = {"own": "(?:{i}|{my})" + (r"\b" if raw["space"] else ""), "someone": "{who}", "small": "(?!)"}
    general["self"] = r"(?:{i})\b" if raw["space"] else "(?!)"

    def expression(text: str) -> re.Pattern[str]:
        return compiled(filled(text, words))

    return Language(
        code=raw["code"],
        space=raw["space"],
        capital_nouns=raw.get("capital_nouns", False),
        corrects_alone=raw.get("corrects_alone", False),
        marks={name: expression(text) for name, text in {**general, **raw["marks"]}.items()},
        swaps={name: tuple((expression(a), b) for a, b in pairs) for name, pairs in raw["swaps"].items()},
        rows=tuple(
            row
            for said in raw["says"]
            for one in expanded(said, raw)
            for row in rows(one, raw["space"], lambda text: filled(text, words))
        ),
        keyed=tuple(expression(f"^{text}$") for text in raw["keyed"]),
        favorite=tuple(expression(f"^{text}$") for text in raw["favorite"]),
        corrections={name: tuple(expression(f"^{one}$") for one in many) for name, many in raw["corrections"].items()},
        orders=tuple((expression(f"^{text}$"), tuple(ways)) for text, ways in raw.get("orders", ())),
        relations=relations,
        keys=spread(raw["keys"]),
        nouns=spread(raw["nouns"]),
        nothing=frozenset(raw["nothing"].split()),
        ends=spread(raw.get("ends", {})),
        doings=doings,
        time=raw["time"],
    )


def finite(says: Sequence[Mapping[str, Any]]) -> str:
    """The verb forms that the statements are made with."""
    forms = (form for one in says for person in ("first", "third", "past") for form in one.get(person, "").split("|"))
    words = {form.split()[0] for form in forms if form and re.fullmatch(r"[^\W\d]+", form.split()[0])}
    return "|".join(sorted(words, key=lambda word: (-len(word), word))) or "(?!)"


def spread(groups: Mapping[str, str]) -> dict[str, str]:
    """Words by the name that they are filed under, turned round: each word with its name."""
    return {word.strip(): name for name, words in groups.items() for word in words.split("|")}


def alternatives(words: Mapping[str, str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


def filled(text: str, words: Mapping[str, str]) -> str:
    """The expression with its {slots} filled; a slot may use other slots."""
    for _ in range(3):
        text = re.sub(
            r"\{([a-z_]+)\}", lambda slot: w if (w := words[slot[1]]).startswith("(?P<") else f"(?:{w})", text
        )
    return text


def rows(one: Mapping[str, Any], space: str, expression: Callable[[str], str]) -> list[Row]:
    """The rows of one entry: what I say of myself, what I say of others, and both in the past."""
    gap, end = (r"\s+", "") if space else ("", "了?")
    plain = {
        key: one[key] for key in ("kind", "shape", "denied", "denied_value", "value", "timed", "needs") if key in one
    }
    if "whole" in one:
        return [
            Row(
                one["attribute"],
                expression(f"^{one['whole']}{end}$"),
                cues=one.get("cues", cues(one["whole"], space)),
                **plain,
            )
        ]
    rest = f"{gap}{one['rest']}{end}" if one.get("rest") else end
    me, who = rf"(?:(?:{{i}}){gap})?" if one.get("drop", True) else rf"(?:{{i}}){gap}", f"{{who}},?{gap}"

    def row(subject: str, verbs: str, *, former: bool = False) -> Row:
        person = "third" if subject is who else "first"
        text = expression(f"^{subject}(?:{verbs}){rest}$")
        return Row(
            one["attribute"], text, former=former, person=person, cues=one.get("cues", cues(verbs, space)), **plain
        )

    third, past = one.get("third", "" if space else one["first"]), one.get("past")
    found = [row(me, one["first"])] if one["first"] else []
    found += [row(who, third)] if third else []
    if past:
        found += [row(me, past, former=True), row(who, one.get("past_third", past), former=True)]
    return found
