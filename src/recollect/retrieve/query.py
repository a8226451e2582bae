"""What a search asks for: its words, the attributes, times and names in it, whether it is about the present; and what a
task needs to know that its words do not say. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from recollect.facts.attributes import Attribute, attribute, parts, spelled, table
from recollect.retrieve.rank import LIMITS
from recollect.text import lazy_regex, read_toml
from recollect.text.dates import When, find
from recollect.text.sentences import sentences
from recollect.text.values import singular
from recollect.text.words import is_small_talk, query_terms, stem, terms


@dataclass(frozen=True, slots=True)
class Question:
    """What a search asks for, once understood."""

    text: str
    terms: tuple[str, ...]
    topic_terms: frozenset[str]
    """The words without those that only tell a time."""
    attributes: tuple[str, ...]
    needs: Mapping[str, str]
    """Attributes that the task needs without asking for them, each with its topic."""
    times: tuple[When, ...]
    then: tuple[When, ...]
    """The same, where it asks how things were."""
    of_time_alone: bool
    """Whether it asks for whatever there was in a time."""
    now: bool
    """Whether it asks how things are, so that of two answers the newer one counts."""
    past: bool
    """Whether it asks how things were, or adds up or compares what was, so that what has ended is wanted too."""
    names: tuple[str, ...]
    """Runs of words that may name a subject."""
    of_assistant: bool
    """Whether it asks for what the assistant said."""
    request: bool
    """Whether it requests advice or a plan, for which it counts what one likes, has or avoids."""
    turn: bool
    """Whether it is a turn of a talk, which says more than it asks: a question has one sentence, or two."""
    of_all: bool
    """Whether it asks for all that is known of the user."""
    yes_or_no: bool
    """Whether it names something and asks if it is so: "do I have a dog?"."""
    small_talk: bool
    """Whether it only greets, thanks or agrees, and asks for nothing."""


def understand(query: str, now: datetime) -> Question:
    """The words, attributes, times and names in a question."""
    text = query[:10_000]
    times = tuple(find(text, now))
    # "What do I do in July?" may ask for the last one or for the coming one: neither is guessed.
    meant = (*times, *(when for when in find(text, now, present=True) if when not in times))
    terms, untimed = tuple(query_terms(text)), text
    for when in reversed(times):
        untimed = untimed[: when.at[0]] + " " + untimed[when.at[1] :]
    topic_terms = frozenset(query_terms(untimed) if times else terms)
    past = asks_for_past(text, timed=bool(times))
    return Question(
        text=text,
        terms=terms,
        topic_terms=topic_terms,
        attributes=tuple(asked_for(text)),
        needs=needed_for(text),
        times=meant,
        then=meant if past else (),
        of_time_alone=bool(times) and topic_terms <= EVENTFUL,
        now=not past and bool(asks("now", text) or (asks("present", text) and not wants_several(text))),
        past=past,
        names=names_in(text),
        of_assistant=asks("of assistant", text),
        request=asks("advice", text),
        turn=is_turn(text),
        of_all=asks("of all", text),
        yes_or_no=bool(wordings()["yes or no"].match(text)),
        small_talk=is_small_talk(text) and not asks("of all", text),
    )


EVENTFUL = frozenset("event go happen new news say tell".split())
"""Words that ask for whatever there was."""


@lru_cache(maxsize=1)
def wordings() -> Mapping[str, re.Pattern[str]]:
    """What tells what is asked for, and how: the patterns of wordings.toml by their names."""
    said = read_toml(Path(__file__).with_name("wordings.toml"))["asks"]
    return {name: lazy_regex("".join(pieces)) for name, pieces in said.items()}


def asks(name: str, text: str) -> bool:
    """Whether a text is worded so: `asks("of all", "what do you know about me?")`."""
    return wordings()[name].search(text) is not None


def is_turn(text: str) -> bool:
    """Whether a text has so many sentences that it tells something and does not only ask."""
    ends = len(re.findall(r"[.!?…。！？\n]", text))
    return ends >= LIMITS["turn"] - 1 and len(sentences(text)) >= LIMITS["turn"]


def asks_for_past(text: str, *, timed: bool) -> bool:
    """Whether a question is about how things were, by its words and tenses."""
    if asks("now", text):
        return asks("until now", text)
    return timed or bool(asks("then", text) or asks("state then", text) or asks("added up", text))


def wants_several(text: str) -> bool:
    """Whether more than one answer is wanted, so that the newest is no better than others."""
    return asks("several", text) or asks("advice", text)


def names_in(text: str) -> tuple[str, ...]:
    """Runs of up to three words, and as they are written of up to six, any of which may be a subject's name."""
    spoken = re.findall(r"[\w'’./-]+", text)[:40]
    owning = "'s", "’s"
    words = [name for word in spoken if (name := without_ending(word.strip("./-'’"), owning))]
    runs = [" ".join(words[i : i + length]) for length in (3, 2, 1) for i in range(len(words) - length + 1)]
    written = text.split()[:40]
    whole = [" ".join(written[i : i + length]) for length in range(2, 7) for i in range(len(written) - length + 1)]
    runs += [without_ending(run.strip('?!,;:"“”`'), (*owning, "'", "’")) for run in whole]
    return tuple(dict.fromkeys(run.casefold() for run in runs))


def without_ending(name: str, endings: Sequence[str]) -> str:
    """The name without the first of these endings that it has. No pattern: a long question has hundreds of runs."""
    return next((name.removesuffix(one) for one in endings if name.endswith(one)), name)


# Which attributes it asks for


@lru_cache(maxsize=1)
def attribute_shapes() -> tuple[re.Pattern[str], ...]:
    """The usual shapes of a question, with the attribute in them."""
    return tuple(map(re.compile, read_toml(Path(__file__).with_name("wordings.toml"))["attribute"]["shapes"]))


BROAD = frozenset("likes dislikes prefers uses possession event plan habit eats knows".split())
"""What a question asks for only when it asks for nothing more particular."""
SHAPE_WORDS = frozenset("kind sort type thing things one time day way name favorite is are do does i we you".split())


def asked_for(question: str) -> list[str]:
    """Canonical attributes that a question or a key asks for, best first; empty when it asks for none."""
    plain = wordings()["opening"].sub("", wordings()["contracted"].sub(r"\1 is", spelled(question[:400])))
    plain = wordings()["compared"].sub(r"\1", plain)
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
    words = [word for match in wordings()["whose name"].finditer(plain) for word in match.groups() if word]
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
    for shape in attribute_shapes():
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
