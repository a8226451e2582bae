"""Where a value ends in a language, and the several values that a list names."""

from __future__ import annotations

import re

from recollect.extractors.languages.table import Language

_EDGES = ' \t,.;:!?…*_~，。；：！？、"“”„«»「」'
_MOST_WORDS, _MOST_LETTERS = 8, 80


def one(value: str, table: Language, *, links: bool = False) -> str:
    """A single value: it ends at the first comma; `links`: a preposition before it is left out."""
    value = cut(value, table)
    value = re.split(r"(?<!\d),(?!\d)|，|,\s", value, maxsplit=1)[0]
    joint = table.marks["and"].search(value)
    if joint and table.space and value[joint.end() :][:1].islower():
        value = value[: joint.start()]
    if links:
        value = table.marks["links"].sub("", value)
    return fits(without_article(value.strip(_EDGES), table))


def items(value: str, table: Language) -> list[str]:
    """The values that a list names."""
    found = [fits(without_article(part, table)) for part in parts(value, table)]
    return [part for part in found if part]


def parts(value: str, table: Language) -> list[str]:
    """The parts of a list as they stand; a comma parts them only where an "and" closes the list."""
    value = cut(value, table)
    found = [part for part in table.marks["list"].split(value) if part]
    if not table.marks["and"].search(value) or any(len(part.split()) > 4 for part in found):
        value = re.split(r",|，", value, maxsplit=1)[0]
        found = [part for part in table.marks["list"].split(value) if part]
    return [part.strip(_EDGES) for part in found]


def cut(value: str, table: Language) -> str:
    """The value up to where its clause ends, without words that only trail after it."""
    if limit := table.marks["stop"].search(value):
        value = value[: limit.start()]
    for _ in range(3):
        value = table.marks["tail"].sub("", value.strip(_EDGES))
    return value.strip(_EDGES)


def without_article(value: str, table: Language) -> str:
    """The value without a lower-case article: "La Paz" keeps its own."""
    match = table.marks["article"].match(value)
    if match is None or (match[0][:1].isupper() and table.space) or match.end() == len(value):
        return value
    return value[match.end() :]


def fits(value: str) -> str:
    """The value, or nothing when it is too long to be one."""
    return value if len(value.split()) <= _MOST_WORDS and len(value) <= _MOST_LETTERS else ""


def name_in(value: str, table: Language) -> str:
    """Someone's name, or nothing."""
    name = one(value, table)
    words = name.split()
    if not words or len(words) > 4 or len(name) > 40 or any(word.lower() in table.nothing for word in words):
        return ""
    if not table.space:
        return name if len(name) <= 8 and not table.marks["no_name"].match(name) else ""
    lettered = all(re.fullmatch(r"[^\W\d_]+(?:['’.-][^\W\d_]*)*", word) for word in words)
    if not lettered or table.marks["no_name"].match(name):
        return ""
    return name if any(word[:1].isupper() for word in words) else name.title() if len(words) <= 2 else ""


def place_in(value: str, table: Language, *, careless: bool) -> str:
    """A place or an organisation by its proper name, or nothing."""
    if table.marks["no_place"].match(value):
        return ""
    place = one(table.marks["with"].sub("", value), table)
    if not place or place.lower() in table.nothing:
        return ""
    if not table.space:
        return place if len(place) <= 20 else ""
    words = place.split()[:1] if table.capital_nouns else place.split()
    return place if any(word[:1].isupper() or word[:1].isdigit() for word in words) or careless else ""


def key_of(word: str, table: Language) -> str:
    """The attribute that a noun names; an unknown one keeps its own words."""
    low = word.lower()
    if any(part in table.nothing or part in table.relations for part in (low, *low.split())):
        return ""
    if low in table.keys:
        return table.keys[low]
    for pattern in table.favorite:
        if match := pattern.match(low):
            noun = match["key"].strip(" -")
            if table.keys.get(noun) == "hobby":
                return "hobby"
            named = (table.nouns[one] for one in (noun, noun[:-1], noun[:-2]) if one in table.nouns)
            return f"favorite {next(named, noun)}"
    short = len(low.split()) <= 3 and len(low) <= (40 if table.space else 6)
    return low if short and re.fullmatch(r"[\w' -]+", low) else ""


def doing_in(match: re.Match[str], table: Language) -> str:
    """ "reading" in "I often read", "crime novels lesen" with what it is done with."""
    what = one(match.groupdict().get("value") or "", table)
    return " ".join(filter(None, (what, table.doings[match["doing"].lower()])))
