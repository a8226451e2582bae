"""Which attributes a question asks for, and which ones a task needs that its words do not say. Pure."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from recollect.facts.attributes import Attribute, attribute, parts, spelled, table
from recollect.text import lazy_regex, read_toml
from recollect.text.values import singular
from recollect.text.words import stem, terms

OPENING = lazy_regex(
    r"^(?:hi|hey|hello|please|ok|okay|so|and|do you (?:know|remember|recall)|can you (?:tell me|remember|recall)|"
    r"tell me|remind me|i forgot|i wonder|what do you know about)\b[\s,:]*(?:of |about )?"
)
CONTRACTED = lazy_regex(r"\b(what|who|where|when|how|which|that|it)'s\b")
COMPARED = lazy_regex(
    r"\b((?:what|how) (?:is|are|was|were|will) (?:(?!i |we |you |he |she |they )\w+ )+?|"
    r"(?:looks?|looked|feels?|felt|sounds?|tastes?|smells?|seems?|(?:i|we)(?:'d| would)) )like\b"
)
"""A "like" that compares or wishes, and asks for nobody's taste: "what is the weather like", "I'd like a coffee"."""
MY = r"(?:my|the|our|your|his|her|their|\w+'s)"
SHAPES = tuple(
    lazy_regex(shape)
    for shape in (
        r"\bfavorites? (?P<favorite>\w+(?: \w+)?)",
        r"\b(?:which|what|what kind of|what sort of|what type of) (?P<preferred>\w+(?: \w+)?) (?:do|does|did|would) "
        r"(?:i|we|he|she|they|\w+) (?:\w+ )?(?:prefer|like|favor|want)\b",
        r"\bprefer(?:red)? (?P<preferred>\w+)\b",
        rf"\b(?:what|which|who|when|where|how much|how big|how large|how) (?:is|are|was|were|about) {MY} "
        r"(?P<key>\w+(?: \w+){0,3})",
        r"\b(?:what|which) (?P<key>\w+(?: \w+)?) (?:do|does|did|is|are|has|have|will|should)\b",
        r"^(?:what|which|who|when|where) (?:is|are|was|were) (?:my|our) (?P<exact>\w+(?: \w+){0,2})$",
        r"\bmy (?P<key>\w+(?: \w+)?)",
    )
)
WHOSE_NAME = lazy_regex(r"\b(\w+(?: \w+)?)'s (?:\w+ )?names?\b|\bnames? of (?:my|our|the) (\w+(?: friend)?)")
BROAD = frozenset("likes dislikes prefers uses possession event plan habit eats knows".split())
"""What a question asks for only when it asks for nothing more particular."""
SHAPE_WORDS = frozenset("kind sort type thing things one time day way name favorite is are do does i we you".split())


def asked_for(question: str) -> list[str]:
    """Canonical attributes that a question or a key asks for, best first; empty when it asks for none."""
    plain = OPENING.sub("", CONTRACTED.sub(r"\1 is", spelled(question[:400])))
    plain = COMPARED.sub(r"\1", plain)
    if not plain:
        return []
    named = [*as_key(plain), *whose_name(plain)]
    found = [*by_phrase(plain), *by_shape(plain), *by_synonym(plain)]
    found = sorted(found, key=lambda name: name in BROAD)  # stable: what is asked for in particular goes first
    names = dict.fromkeys([*named, *(name for name in found if not (named and name == "name"))])
    for name in list(names):
        names.update(dict.fromkeys(table().includes.get(name, ())))
    return list(names)


def whose_name(plain: str) -> list[str]:
    """The relation in "my sister's name" and "the name of my sister"."""
    words = [word for match in WHOSE_NAME.finditer(plain) for word in match.groups() if word]
    return [known.name for known in map(attribute, words) if known.relation]


def as_key(plain: str) -> list[str]:
    """The attribute that the whole text names."""
    if len(plain.split()) > 6:
        return []
    known = attribute(plain)
    return [known.name] if known.known else []


def by_phrase(plain: str) -> list[str]:
    """Attributes whose phrasings have all their words in the question, the longest phrasing first."""
    stems = {stem(word) for word in plain.split()}
    found = [place for stem_ in stems for place in asked_with().get(stem_, ())]
    hits = [(len(phrase), name) for phrase, name in map(table().asked.__getitem__, sorted(found)) if phrase <= stems]
    return [name for _, name in sorted(hits, key=lambda hit: -hit[0])]


@lru_cache(maxsize=1)
def asked_with() -> dict[str, list[int]]:
    """Where the phrasings stand that have a stem as their last in order: no question has to look at them all."""
    places: dict[str, list[int]] = {}
    for place, (phrase, _) in enumerate(table().asked):
        places.setdefault(max(phrase), []).append(place)
    return places


def by_shape(plain: str) -> list[str]:
    """Attributes named in the usual shapes of a question: "what is my X", "which X do I prefer"."""
    names = []
    for shape in SHAPES:
        for match in shape.finditer(plain):
            names += named_in(match)
    return names


def named_in(match: re.Match[str]) -> list[str]:
    [(kind, words)] = match.groupdict().items()
    if kind == "key":
        return [known.name for known in longest_known(words)[:1]]
    if kind == "exact":
        return [attribute(words).name]
    word = singular(next((word for word in words.split() if word not in SHAPE_WORDS), ""))
    if not word:
        return []
    first, second = f"favorite {word}", f"{word} preference"
    names = [first, second] if kind == "favorite" else [second, first]
    return [attribute(name).name for name in names]


def longest_known(words: str) -> list[Attribute]:
    """Known attributes among the beginnings of a phrase, the longest first; else the phrase itself."""
    split = words.split()
    starts = [" ".join(split[:length]) for length in range(len(split), 0, -1)]
    ends = [" ".join(split[length:]) for length in range(1, len(split))]
    return [known for known in (attribute(start) for start in (*starts, *ends)) if known.known]


def by_synonym(plain: str) -> list[str]:
    """Attributes whose names or synonyms stand anywhere in the question, longest first."""
    words = plain.split()[:60]
    hits: list[tuple[int, str]] = []
    for length in (3, 2, 1):
        for start in range(len(words) - length + 1):
            if name := table().synonyms.get(" ".join(words[start : start + length])):
                hits.append((length, name))
    return [name for _, name in hits]


@lru_cache(maxsize=1024)
def also_called(name: str) -> frozenset[str]:
    """The stems of all names that an attribute goes by."""
    synonyms = (other for other, known in table().synonyms.items() if known == name)
    return frozenset(stem(word) for other in synonyms for word in other.split())


@lru_cache(maxsize=1024)
def asked_as(name: str) -> frozenset[str]:
    """The stems of all words that ask for an attribute: its names, and the verbs it is told with."""
    phrased = (words for words, asked in table().asked if asked == name)
    return also_called(name).union(*phrased)


@lru_cache(maxsize=1)
def topics() -> tuple[tuple[frozenset[str], str, str], ...]:
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
    for stems, topic, attributes in topics():
        if stems <= spoken:
            needs.update(dict.fromkeys(parts(attributes), topic))
    return needs
