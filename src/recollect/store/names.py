"""Who is called so: the facts that name someone, looked up by the words of a text, at a cost that goes by the text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from recollect.facts.attributes import attribute
from recollect.records import HEARD_AS, USER, Fact
from recollect.store import Query, Store
from recollect.text.words import is_stop_word

LONGEST_NAME = 3
"""A name has so many words at most."""

MOST_WORDS = 1_000
"""In so many of the first words of a text names are looked for."""

MOST_CALLED = 500
"""So many of the newest facts that have one of the names."""

OF_RELATION = 12
"""So many of the newest of a relation: sisters, friends, clients."""

LATELY = 16
"""So many of the newest names may be meant by "she"."""

OWN = ("name", "nickname", HEARD_AS, "employer", "school")
"""What a reader must know of whoever speaks, whatever they say."""

_WORD = re.compile(r"[^\W_](?:[\w'’&.-]*[^\W_])?")
_OWNING = re.compile(r"['’]s$")


def runs_in(text: str) -> list[str]:
    """The runs of one to three words that may be a name, in lower case. A common word begins or ends one only where it
    has a capital."""
    words = [_OWNING.sub("", word) for word in _WORD.findall(text)[:MOST_WORDS]]
    may_be = [word[0].isupper() or not is_stop_word(word.casefold()) for word in words]
    found: dict[str, None] = {}
    for length in range(1, LONGEST_NAME + 1):
        for start in range(len(words) - length + 1):
            if may_be[start] and may_be[start + length - 1]:
                found[" ".join(words[start : start + length]).casefold()] = None
    return list(found)


def named_people(store: Store, owner: str, runs: Sequence[str], moment: datetime) -> list[Fact]:
    """The facts that call someone by one of these names at that moment."""
    return store.read(owner, Fact, Query(named=True, values=runs, holding=moment, last=MOST_CALLED)) if runs else []


def related_people(
    store: Store, owner: str, runs: Iterable[str], moment: datetime, subjects: Sequence[str]
) -> list[Fact]:
    """The newest facts about whoever these subjects have in a relation that is named: "my sister"."""
    relations = dict.fromkeys(known.name for known in map(attribute, runs) if known.relation)
    query = Query(latest=True, last=OF_RELATION, holding=moment, named=True)
    return [
        one
        for name in relations
        for subject in subjects
        for one in store.read(owner, Fact, replace(query, subjects=[subject], attributes=[name]))
    ]


def known_to(store: Store, owner: str, texts: Iterable[str], speakers: Sequence[str], moment: datetime) -> list[Fact]:
    """The facts that tell a reader who is meant in these texts: who is called so, whom the speakers have in the
    relations that are spoken of, how they are called themselves, and who got a name last."""
    runs = list(dict.fromkeys(run for text in (*texts, *speakers) for run in runs_in(text)))
    own = [USER, *speakers]
    found = named_people(store, owner, runs, moment)
    found += store.read(owner, Fact, Query(named=True, subjects=runs, holding=moment, last=MOST_CALLED)) if runs else []
    found += related_people(store, owner, runs, moment, own)
    found += store.read(owner, Fact, Query(named=True, subjects=own, attributes=OWN, holding=moment, last=MOST_CALLED))
    found += store.read(owner, Fact, Query(named=True, holding=moment, last=LATELY))
    facts = list({fact.id: fact for fact in found}.values())
    return sorted([*facts, *told_before(store, owner, facts, moment)], key=lambda fact: (fact.learned, fact.id))


def told_before(store: Store, owner: str, facts: Sequence[Fact], moment: datetime) -> list[Fact]:
    """Of each relation among these facts the one told just before the first, if any: a second sister has another
    subject than an only one."""
    first: dict[tuple[str, str], Fact] = {}
    for fact in sorted(facts, key=position):
        first.setdefault((fact.subject, fact.attribute), fact)
    query = Query(latest=True, last=1, holding=moment, named=True)
    return [
        one
        for (subject, name), fact in first.items()
        if attribute(name).relation
        for one in store.read(owner, Fact, replace(query, subjects=[subject], attributes=[name], before=position(fact)))
    ]


def position(fact: Fact) -> tuple[datetime, datetime, str]:
    """Where a fact stands among others, latest said last."""
    return fact.said, fact.learned, fact.id
