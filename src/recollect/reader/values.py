"""What may be a value: a name, a number, a date or a noun phrase that ends where its clause ends. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timezone

from recollect.facts.attributes import attribute, has_shape, table
from recollect.reader.tables import NAME, tables
from recollect.text.dates import find
from recollect.text.values import singular

_LOOSE = r"\b(?:of|at|in|on|for|with|by|to|from|into|about|through|a|an|the|my|our|out|up|new)\b"


def words_in(text: str) -> list[str]:
    return re.findall(r"[^\s,;]+", text.lower().replace("’", "'"))


def is_name(text: str) -> bool:
    """Whether words are written as a name, and are no other word with a capital."""
    first, words = words_in(text.removeprefix("the "))[:1], tables().words
    others = (words[one] for one in ("function", "days", "adjectives"))
    return re.fullmatch(rf"(?:the )?{NAME}", text) is not None and all(other.isdisjoint(first) for other in others)


def is_phrase(text: str, most: int = 5, *, loose: bool = False) -> bool:
    """Whether words can be a noun phrase and nothing more. `loose`: prepositions and "my" may stand inside."""
    bare, words = re.sub(r"(?i)(?:an?|some|the)\s+(?=\S)", "", text, count=1), tables().words
    said = words_in(bare)
    if not 0 < len(said) <= most or len(text) > 80 or not re.search(r"\w\w|\d", bare):
        return False
    if re.search(r"[?!…*=<>{}\[\]|\"“”‘]|(?:^|\s)[-–]\d", bare):
        return False
    inside, ends = " ".join(said[1:-1]), (said[0], said[-1])
    inner = words_in(re.sub(_LOOSE, " ", inside) if loose else re.sub(" of (?:the|an?) ", " ", inside))
    if not all(words[one].isdisjoint((*inner, *ends)) for one in ("function", "vague")):
        return False
    if not words["prepositions"].isdisjoint(ends) or said[-1] in words["adjectives"]:
        return False
    if not loose and any(word in words["prepositions"] and word != "of" for word in inner):
        return False
    if len(said) == 1:
        return said[0] not in words["adverbs"]
    return not (said[0] in words["verbs"] and bare == text and bare[0].islower())


def describes(text: str) -> bool:
    """Whether a lone word has an ending that nouns seldom have."""
    return text.islower() and re.fullmatch(r"\S{2,}(?:ful|ous|[^t]able|ible|less|[^e]ed)", text) is not None


def value_of(kinds: str, text: str, *, low: bool = False) -> str:
    """The value in the words that are left of a clause, by the first of these kinds, or one of values with commas
    between them; empty where they are no such value. `low`: the speaker writes no capitals."""
    if "," in kinds:
        return re.sub(r"(?i)^an? (?=ve|pesc)", "", text) if text.lower() in map(str.strip, kinds.split(",")) else ""
    for kind in kinds.split(" or "):
        shape = tables().values[kind]
        if low and shape.get("name") and shape.get("low", True) and is_phrase(text, 2) and not describes(text):
            return text
        match = shape["shape"].fullmatch(text)
        if match and fits(shape, match["value"]):
            return str(match["value"]).capitalize() if kind == "nationality" else str(match["value"])
    return ""


def fits(shape: Mapping[str, object], value: str) -> bool:
    """Whether a value is what its kind says beyond its pattern."""
    words, last = tables().words, words_in(value)[-1:]
    if shape.get("name") and not (is_name(value) and value.lower().split()[0] not in words["tongues"]):
        return False
    most = shape.get("phrase")
    if isinstance(most, int) and (not is_phrase(value, most, loose=bool(shape.get("loose"))) or describes(value)):
        return False
    if (among := shape.get("among")) and last and last[0] in words[str(among)]:
        return True
    ending, besides = shape.get("last"), words.get(f"not {among}", frozenset())
    if among and not ending:
        return False
    return not isinstance(ending, re.Pattern) or bool(ending.fullmatch(last[0]) and last[0] not in besides)


def is_exact(text: str) -> bool:
    """Whether words are a name, a number, a version, an address: nothing that only describes."""
    if len(text.split()) > 5 or re.search(r"[\"“”‘]", text):
        return False
    exact = re.search(r"\d|[@/_:#]|\w\.\w|(?<!^)[A-Z]", text)
    return is_name(re.sub(r"^(?:the|an?) ", "", text)) or (exact is not None and is_phrase(text))


def value_for(key: str, text: str, *, low: bool = False) -> str:
    """The value that an attribute has in "my … is …": of known ones a noun phrase, of others something exact."""
    known, words = attribute(key), tables().words
    text = re.sub(r"^[Oo]n (?=[A-Z\d])", "", text.strip("`"))
    if known.relation:
        return value_of("person", text, low=low)
    if known.shape == "date":
        fair = is_date(text)
    elif known.shape:
        fair = has_shape(text, known.shape) and len(text.split()) <= 6
    elif known.name.replace(" ", "-") in words["counted"]:
        fair = re.search(r"\d", text) is not None and is_phrase(text)
    elif quoted := re.fullmatch(r"[\"“](.{2,40})[\"”]", text) if not known.known else None:
        return quoted[1] if is_phrase(quoted[1], 4) else ""
    else:
        fair = is_exact(text) or is_date(text) or (text.lower() in words["days"] and not known.known)
        if known.known and not fair:
            plain = known.category in ("preference", "food") or not (describes(text) or text.endswith("ing"))
            fair = is_name(text) or (is_phrase(text) and plain)
    return text if fair else ""


def is_date(text: str) -> bool:
    """Whether words are a day or a month, and nothing more."""
    some_day = datetime(2001, 1, 1, tzinfo=timezone.utc)
    found = find(f"on {text}", some_day) if any(sign.isdigit() for sign in text) else []
    return len(found) == 1 and len(found[0].text) >= len(text)


def is_key(key: str) -> bool:
    """Whether words can be the name of an attribute."""
    said = words_in(key)
    return 0 < len(said) <= 3 and said[0][0].isalpha() and set(said).isdisjoint(tables().words["function"])


def told_as(name: str, values: list[str]) -> tuple[str, list[str]]:
    """What is not eaten as "no …"; "prefers window seats" as the seat preference, where the table has one."""
    if name == "dietary restriction":
        return name, [f"no {value}" for value in values]
    head, _, last = values[0].rpartition(" ")
    exact = f"{singular(last)} preference"
    known = name == "prefers" and len(values) == 1 and head and exact in table().attributes
    return (exact, [head]) if known else (name, values)
