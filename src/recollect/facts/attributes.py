"""What can be known of someone or something: one value or many, its synonyms, and the sentence that says it. Pure."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from recollect.records import USER
from recollect.text import lazy_regex, read_toml
from recollect.text.values import is_plural, singular
from recollect.text.words import stem

Holds = Literal["one", "many"]

SPELLINGS = {
    "favourite": "favorite", "favourites": "favorites", "fav": "favorite", "fave": "favorite", "favorit": "favorite",
    "colour": "color", "colours": "colors", "neighbour": "neighbor", "neighbours": "neighbors",
    "neighbourhood": "neighborhood", "organisation": "organization", "licence": "license", "programme": "program",
    "hobbys": "hobbies", "flavour": "flavor", "centre": "center", "theatre": "theater", "jewellery": "jewelry",
}  # fmt: skip
LONGEST_OWN = 80
LEADING = lazy_regex(r"^(?:(?:my|the|our|your|a|an|user'?s?|users|current|own|all)\s+)+(?=\S)")
CAMEL = lazy_regex(r"(?<=[a-z])(?=[A-Z][a-z])")
PREFERRED = lazy_regex(r"^(?:preferred|preferable)\s+(.+)$")
PREFERENCE = lazy_regex(r"^(.+?)\s+(?:preference|preferences)$|^preferences?\s+(?:for|of|in)\s+(.+)$")
FAVORITE = lazy_regex(r"^(?:(?:all time|most)\s+)?favorites?\s+(.+)$")


@dataclass(frozen=True, slots=True)
class Attribute:
    """Something that can be known of a subject."""

    name: str
    holds: Holds
    category: str
    known: bool
    relation: bool
    """The value is itself a person, a pet or an organisation."""
    shape: str = ""
    """The shape that its values have, where that is clear: phone, email, date, number."""


@dataclass(frozen=True, slots=True)
class Table:
    """The shipped attributes, and how to find them."""

    attributes: dict[str, Attribute]
    synonyms: dict[str, str]
    templates: dict[str, str]
    includes: dict[str, tuple[str, ...]]
    asked: tuple[tuple[frozenset[str], str], ...]
    """Stems that, found together, ask for an attribute."""


def parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


@lru_cache(maxsize=1)
def table() -> Table:
    """The table as shipped, read once."""
    rows = read_toml(Path(__file__).with_name("attributes.toml"))
    attributes = {
        name: Attribute(name, row["holds"], row["category"], True, row.get("relation", False), row.get("shape", ""))
        for name, row in rows.items()
    }
    synonyms = {spelled(other): name for name, row in rows.items() for other in parts(row.get("also", ""))}
    synonyms.update({name: name for name in rows})
    asked = [
        (frozenset(stem(word) for word in phrase.split()), name)
        for name, row in rows.items()
        for phrase in parts(row.get("asked", ""))
    ]
    return Table(
        attributes,
        synonyms,
        {name: row["text"] for name, row in rows.items()},
        {name: tuple(parts(row["includes"])) for name, row in rows.items() if "includes" in row},
        tuple(asked),
    )


def spelled(key: str) -> str:
    """The key in lower case and American spelling, with single spaces."""
    words = re.findall(r"[^\s_\-‐–/?!.,:;\"“”`¿¡？！。，]+", key.lower().replace("’", "'"))
    bare = [word.strip("'") for word in words]
    return " ".join(SPELLINGS.get(word, word) for word in bare if word)


def singular_phrase(phrase: str) -> str:
    """The phrase with its last word for one of them."""
    head, _, last = phrase.rpartition(" ")
    return f"{head} {singular(last)}".strip()


def attribute(key: str) -> Attribute:
    """The canonical attribute of a name or synonym in any spelling; a new one when the table has none."""
    return find_attribute(key[:200])


@lru_cache(maxsize=4096)
def find_attribute(key: str) -> Attribute:
    if OWN.fullmatch(key):
        return Attribute(key, "one", "other", known=False, relation=False)
    shipped = table()
    plain = spelled(key if " " in key else CAMEL.sub(" ", key)) or "note"
    bare = LEADING.sub("", plain)
    for name in (plain, bare, singular_phrase(bare)):
        if name in shipped.synonyms:
            return shipped.attributes[shipped.synonyms[name]]
    return of_taste(bare) or unknown(bare)


OWN = re.compile(r'(?:note )?"[^"]+"')
"""Names of keys that stay the caller's own words: never folded into an attribute of the table."""


def own_key(key: str) -> str:
    """The name of a key that stays the caller's own: "phone" where the value is no phone number."""
    return f'"{spelled(key)[:LONGEST_OWN]}"'


def note_key(text: str) -> str:
    """The name under which a text is kept that stands for itself; another for any other words."""
    words = spelled(text)
    if words and len(words) <= LONGEST_OWN:
        return f'note "{words}"'
    return f'note "{words[:40]} {hashlib.sha256((words or text).encode()).hexdigest()[:16]}"'


def names_of(key: str) -> list[str]:
    """The attributes that a key may mean, those in the caller's own words first."""
    return [own_key(key), attribute(key).name, note_key(key)]


@lru_cache(maxsize=1)
def relations() -> tuple[str, ...]:
    """The attributes whose values are themselves subjects: sister, friend, employer, pet."""
    return tuple(name for name, known in table().attributes.items() if known.relation)


@lru_cache(maxsize=1024)
def also_called(name: str) -> frozenset[str]:
    """The stems of all names that an attribute goes by."""
    synonyms = (other for other, known in table().synonyms.items() if known == name)
    return frozenset(stem(word) for other in synonyms for word in other.split())


def of_taste(key: str) -> Attribute | None:
    """A favourite or a preference, which both hold one value whatever they are of."""
    if "favorite" not in key and "prefer" not in key:
        return None
    shipped = table()
    if match := FAVORITE.match(key):
        name = f"favorite {singular_phrase(match[1])}"
    elif match := PREFERRED.match(key) or PREFERENCE.match(key):
        name = f"{singular_phrase(match[1] or match[2])} preference"
    else:
        return None
    if name in shipped.synonyms:
        return shipped.attributes[shipped.synonyms[name]]
    return Attribute(name, "one", "preference", known=True, relation=False)


def unknown(key: str) -> Attribute:
    """An attribute that the table does not have; it keeps its own words."""
    many = is_plural(key.split()[-1]) and not key.startswith("number of ")
    return Attribute(key, "many" if many else "one", "other", known=False, relation=False)


def includes(name: str) -> tuple[str, ...]:
    """The attributes that are asked for with this one: a cat with a pet."""
    return table().includes.get(name, ())


@lru_cache(maxsize=1024)
def asked_as(name: str) -> frozenset[str]:
    """The stems of all words that ask for an attribute: its names, and the verbs it is told with."""
    phrased = (words for words, asked in table().asked if asked == name)
    return also_called(name).union(*phrased)


# Which attribute a question asks for

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


# Sentences

TAKES_ARTICLE = frozenset(("occupation", "possession", "car", "pet"))
DETERMINED = lazy_regex(r"(?i)(?:an?|the|my|our|his|her|two|three|four|five|retired|1)\b")
VOWEL = lazy_regex(r"(?i)[aeio]|8|1[18]\b")
OUT_OF_TABLE = lazy_regex(r"^(?:[a-z]+s (?:with|on|at|in|to|for|from|by|as|via|about)|(?:is|has|was|can|does) .+)$")


def sentence(subject: str, attribute: str, value: str) -> str:
    """What a person would read; facts about the owner themself go without a subject."""
    text = predicate(attribute, value)
    if subject == USER:
        return text
    if subject.islower() and is_plural(subject.split()[-1]):
        return f"{subject} {of_several(text)}"
    return (
        f"{subject}'s {text}"
        if owns(subject) and text.startswith((f"{attribute} is ", f"{attribute} are "))
        else f"{subject} {text}"
    )


def of_several(text: str) -> str:
    """The sentence for several: "lives in Ohio" becomes "live in Ohio"."""
    verb, _, rest = text.partition(" ")
    several = {"is": "are", "has": "have", "was": "were", "goes": "go"}.get(verb, verb.removesuffix("s"))
    return f"{several} {rest}" if verb.endswith("s") else text


def predicate(name: str, value: str) -> str:
    known = find_attribute(name)
    template = table().templates.get(known.name) or other_template(name, known)
    return template.replace("{}", with_article(known.name, value))


def other_template(name: str, known: Attribute) -> str:
    """A sentence for an attribute that the table has no words for."""
    if OWN.fullmatch(name):
        return "{}" if name.startswith("note ") else f"{name[1:-1]} is {{}}"
    if known.name.endswith(" preference"):
        return f"prefers {{}} as {known.name.removesuffix(' preference')}"
    if OUT_OF_TABLE.match(name):
        return f"{name} {{}}"
    return f"{name} {'include' if known.holds == 'many' else 'is'} {{}}"


def with_article(name: str, value: str) -> str:
    """A value that a sentence can take: "works as nurse" wants "a nurse"."""
    if name not in TAKES_ARTICLE or DETERMINED.match(value) or is_plural(value.split()[-1]) or value.endswith("ing"):
        return value
    return f"an {value}" if VOWEL.match(value) else f"a {value}"


def owns(subject: str) -> bool:
    """Whether the subject is a person or has a proper name, so that what is theirs is said with 's."""
    return find_attribute(subject.split()[0] if subject.split() else subject).relation or (
        subject[:1].isupper() and not subject[:2].isupper()
    )
