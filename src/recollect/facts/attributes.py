"""What can be known of someone or something: one value or many, its synonyms, and the sentence that says it. Pure."""

from __future__ import annotations

import hashlib
import re
from datetime import datetime, timezone
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from recollect.records import USER
from recollect.text import lazy_regex, read_toml
from recollect.text.dates import find
from recollect.text.time_phrases import NUMBERS, VAGUE
from recollect.text.values import is_plural, singular
from recollect.text.words import split, stem

SPELLINGS = {
    "favourite": "favorite", "favourites": "favorites", "fav": "favorite", "fave": "favorite", "favorit": "favorite",
    "colour": "color", "colours": "colors", "neighbour": "neighbor", "neighbours": "neighbors",
    "neighbourhood": "neighborhood", "organisation": "organization", "licence": "license", "programme": "program",
    "hobbys": "hobbies", "flavour": "flavor", "centre": "center", "theatre": "theater", "jewellery": "jewelry",
}  # fmt: skip
LONGEST_OWN = 80
PREFERENCE = lazy_regex(r"^(.+?)\s+(?:preference|preferences)$|^preferences?\s+(?:for|of|in)\s+(.+)$")


class Attribute(NamedTuple):
    """Something that can be known of a subject."""

    name: str
    holds: Literal["one", "many"]
    category: str
    known: bool
    relation: bool
    """The value is itself a person, a pet or an organisation."""
    shape: str = ""
    """The shape that its values have, where that is clear: phone, email, date, number."""


class AttributeTable(NamedTuple):
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
def table() -> AttributeTable:
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
    return AttributeTable(
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
    plain = spelled(key if " " in key else re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", " ", key)) or "note"
    bare = re.sub(r"^(?:(?:my|the|our|your|a|an|user'?s?|users|current|own|all)\s+)+(?=\S)", "", plain)
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


def has_shape(value: str, shape: str) -> bool:
    """Whether a value may be one of this shape: a phone number, an address of mail, a date, a number."""
    if shape == "phone":
        return re.search(r"\+?\d(?:[ ().\-/]*\d){4,}", value) is not None
    if shape == "email":
        return re.search(r"\S@\S", value) is not None
    if any(letter.isdigit() for letter in value) or not shape:
        return True
    if shape == "date":
        return bool(find(f"on {value}", datetime(2000, 1, 1, tzinfo=timezone.utc)))
    return any(word in NUMBERS and word not in VAGUE for word in split(value.lower()))


@lru_cache(maxsize=1)
def relations() -> tuple[str, ...]:
    """The attributes whose values are themselves subjects: sister, friend, employer, pet."""
    return tuple(name for name, known in table().attributes.items() if known.relation)


def of_taste(key: str) -> Attribute | None:
    """A favourite or a preference, which both hold one value whatever they are of."""
    if "favorite" not in key and "prefer" not in key:
        return None
    shipped = table()
    if match := re.match(r"^(?:(?:all time|most)\s+)?favorites?\s+(.+)$", key):
        name = f"favorite {singular_phrase(match[1])}"
    elif match := re.match(r"^(?:preferred|preferable)\s+(.+)$", key) or PREFERENCE.match(key):
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


# Sentences

DETERMINED = lazy_regex(r"(?i)(?:an?|the|my|our|his|her|two|three|four|five|retired|1)\b")


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
    if re.match(r"^(?:[a-z]+s (?:with|on|at|in|to|for|from|by|as|via|about)|(?:is|has|was|can|does) .+)$", name):
        return f"{name} {{}}"
    return f"{name} {'include' if known.holds == 'many' else 'is'} {{}}"


def with_article(name: str, value: str) -> str:
    """A value that a sentence can take: "works as nurse" wants "a nurse"."""
    takes = name in ("occupation", "possession", "car", "pet")
    if not takes or DETERMINED.match(value) or is_plural(value.split()[-1]) or value.endswith("ing"):
        return value
    return f"an {value}" if re.match(r"(?i)[aeio]|8|1[18]\b", value) else f"a {value}"


def owns(subject: str) -> bool:
    """Whether the subject is a person or has a proper name, so that what is theirs is said with 's."""
    return find_attribute(subject.split()[0] if subject.split() else subject).relation or (
        subject[:1].isupper() and not subject[:2].isupper()
    )
