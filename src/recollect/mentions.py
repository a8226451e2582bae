"""Which records still have what was erased: they were not named, and may hold other things too, so a person decides."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from recollect.records import Fact, Message, Note
from recollect.store import Store, text_of

SHORTEST = 3
"""Values of fewer letters stand in any record by chance."""
FEW, SHARE = 3, 0.02
"""A word tells of an erased value where so many other records have it at most, or this share of them."""
MOST_LINES = 20


class Left(NamedTuple):
    """Records that were not erased, by id; notes by their path."""

    whole: dict[str, str]
    """They have an erased value or text as it was; with what kind of record each is."""
    partly: dict[str, str]
    """They have a word that few others have."""

    @property
    def ids(self) -> tuple[str, ...]:
        return (*self.whole, *self.partly)

    def lines(self) -> tuple[str, ...]:
        """What to tell a person of each, without the words that were erased."""
        told = [
            f"{kind} {each} still mentions it: edit it, or erase it by its {way(kind)}"
            for each, kind in self.whole.items()
        ]
        told += [
            f"{kind} {each} has a word of it: look whether it tells of it too" for each, kind in self.partly.items()
        ]
        more = len(told) - MOST_LINES
        return tuple(told[:MOST_LINES]) + ((f"{more} more records: also_in names them",) if more > 0 else ())


def way(kind: str) -> str:
    return "path" if kind == "note" else "id"


def still_held(store: Store, owner: str, facts: Sequence[Fact], texts: Sequence[str], names: Iterable[str]) -> Left:
    """The records of this owner that still have values of these erased facts, one of these erased texts, or a name."""
    values = {value.strip() for value in (*(fact.value for fact in facts), *names) if is_telling(value)}
    gone, begun, left = set(texts), by_first_word(values), Left({}, {})
    records = [(each, kind, texts, set(words_of("\n".join(texts)))) for each, kind, texts in searched(store, owner)]
    telling = telling_words(values, [words for *_, words in records])
    for each, kind, (text, *more), words in records:
        held = "\n".join([text, *more])
        if text in gone or any(mentions(held, begun[word]) for word in begun.keys() & words):
            left.whole[each] = kind
        elif telling & words:
            left.partly[each] = kind
    return left


def searched(store: Store, owner: str) -> Iterator[tuple[str, str, list[str]]]:
    """What each record goes by, its kind, and the texts it holds: its own one first, then those of its payload."""
    for message in store.read(owner, Message):
        yield message.id, "message", [message.content, *strings_in(message.raw)]
    for fact in store.read(owner, Fact):
        yield fact.id, "fact", [text_of(fact)]
    for note in store.read(owner, Note):
        yield note.path, "note", [note.text]


def strings_in(value: Any) -> Iterator[str]:
    """Every text inside a JSON-like value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for part in value.values() for text in strings_in(part))
    elif isinstance(value, list | tuple):
        yield from (text for part in value for text in strings_in(part))


def words_of(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def is_telling(value: str) -> bool:
    return sum(letter.isalnum() for letter in value) >= SHORTEST


def by_first_word(values: Iterable[str]) -> dict[str, list[str]]:
    """The values by the word they begin with, so that a record is looked at for few of them."""
    begun: dict[str, list[str]] = {}
    for value in values:
        begun.setdefault(words_of(value)[0], []).append(value)
    return begun


def telling_words(values: Iterable[str], held: Sequence[set[str]]) -> set[str]:
    """Words of values of several words that look like names or numbers, and that few records have."""
    several = [parts for value in values if len(parts := re.findall(r"\w+", value)) > 1]
    words = {word.casefold() for parts in several for word in parts if is_telling(word) and not word.islower()}
    counted = Counter(word for found in held for word in words & found)
    return {word for word in words if 0 < counted[word] <= max(FEW, len(held) * SHARE)}


def mentions(text: str, names: Iterable[str]) -> bool:
    """Whether one of these names stands in the text as a word, or as words."""
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) for name in names)
