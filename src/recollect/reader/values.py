"""What may be a value: a name, a number, a date or a noun phrase that ends where its clause ends. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timezone

from recollect.facts.attributes import attribute, has_shape, table
from recollect.reader.tables import NAME, tables
from recollect.text.dates import find
from recollect.text.values import is_plural, singular

_LOOSE = r"\b(?:of|at|in|on|for|with|by|to|from|into|about|through|a|an|the|my|our|out|up|new)\b"


def lower_words(text: str) -> list[str]:
    return re.findall(r"[^\s,;]+", text.lower().replace("’", "'"))


def is_name(text: str) -> bool:
    """Whether words are written as a name, and are no other word with a capital."""
    first, words = lower_words(text.removeprefix("the "))[:1], tables().words
    return re.fullmatch(rf"(?:the )?{NAME}", text) is not None and (words["function"] | words["days"]).isdisjoint(first)


def is_phrase(text: str, most: int = 5, *, loose: bool = False) -> bool:
    """Whether words can be a noun phrase and nothing more. `loose`: prepositions and "my" may stand inside."""
    bare, words = re.sub(r"(?i)(?:an?|some|the)\s+(?=\S)", "", text, count=1), tables().words
    said = lower_words(bare)
    if not 0 < len(said) <= most or len(text) > 80 or not re.search(r"\w\w|\d", bare):
        return False
    if re.search(r"[?!…*=<>{}\[\]|\"“”‘]|(?:^|\s)[-–]\d", bare):
        return False
    inside, ends = " ".join(said[1:-1]), (said[0], said[-1])
    inner = lower_words(re.sub(_LOOSE, " ", inside) if loose else re.sub(" of (?:the|an?) ", " ", inside))
    if not all(words[one].isdisjoint((*inner, *ends)) for one in ("function", "vague")):
        return False
    if not words["prepositions"].isdisjoint(ends):
        return False
    if not loose and any(word in words["prepositions"] and word != "of" for word in inner):
        return False
    return len(said) > 1 or said[0] not in words["adverbs"]


def describes(text: str) -> bool:
    """Whether a lone word has an ending that nouns seldom have."""
    return text.islower() and re.fullmatch(r"\S{2,}(?:ful|ous|[^t]able|ible|less|[^e]ed)", text) is not None


def value_of(kinds: str, text: str, *, low: bool = False) -> str:
    """The value in the words that are left of a clause, by the first of these kinds that fits; empty where they are no
    such value. `low`: the speaker writes no capitals."""
    for kind in kinds.split(" or "):
        shape = tables().values[kind]
        if low and shape.get("name") and shape.get("low", True) and is_phrase(text, 2) and not describes(text):
            return text
        match = shape["shape"].fullmatch(text)
        if match and fits(shape, match["value"]):
            return str(match["value"])
    return ""


def fits(shape: Mapping[str, object], value: str) -> bool:
    """Whether a value is what its kind says beyond its pattern."""
    if shape.get("name") and not is_name(value):
        return False
    most = shape.get("phrase")
    return not isinstance(most, int) or (
        is_phrase(value, most, loose=bool(shape.get("loose"))) and not describes(value)
    )


def is_exact(text: str) -> bool:
    """Whether words are a name, a number, a version, an address: nothing that only describes."""
    if len(text.split()) > 5 or re.search(r"[\"“”‘]", text):
        return False
    exact = re.search(r"\d|[@/_:#]|\w\.\w|(?<!^)[A-Z]", text)
    return is_name(re.sub(r"^(?:the|an?) ", "", text)) or (exact is not None and is_phrase(text))


def value_for(key: str, text: str, *, low: bool = False, labelled: bool = False) -> str:
    """The value that an attribute has in "my … is …": of known ones a noun phrase, of others something exact.

    `labelled`: told as "rent: high", where a lone word is a value; in "my rent is high" it only describes.
    """
    known, words = attribute(key), tables().words
    text = re.sub(r"^[Oo]n (?=[A-Z\d])", "", text.strip("`"))
    if known.relation:
        return value_of("person", text, low=low)
    if known.shape == "date":
        fair = is_date(text)
    elif known.shape:
        fair = has_shape(text, known.shape) and len(text.split()) <= 6
    elif quoted := re.fullmatch(r"[\"“](.{2,40})[\"”]", text) if not known.known else None:
        return quoted[1] if is_phrase(quoted[1], 4) else ""
    else:
        fair = is_exact(text) or is_date(text) or (text.lower() in words["days"] and not known.known)
        if known.known and not fair:
            noun = labelled or " " in text or known.category in ("preference", "food") or is_plural(key)
            fair = is_name(text) or (is_phrase(text) and noun)
    return text if fair else ""


def is_date(text: str) -> bool:
    """Whether words are a day or a month, and nothing more."""
    some_day = datetime(2001, 1, 1, tzinfo=timezone.utc)
    found = find(f"on {text}", some_day) if any(sign.isdigit() for sign in text) else []
    return len(found) == 1 and len(found[0].text) >= len(text)


def is_key(key: str) -> bool:
    """Whether words can be the name of an attribute."""
    said, words = lower_words(key), tables().words
    return 0 < len(said) <= 3 and said[0][0].isalpha() and set(said).isdisjoint(words["function"] | words["vague"])


def told_as(name: str, values: list[str]) -> tuple[str, list[str]]:
    """ "Prefers window seats" as the seat preference, where the table has one."""
    head, _, last = values[0].rpartition(" ")
    exact = f"{singular(last)} preference"
    known = name == "prefers" and len(values) == 1 and head and exact in table().attributes
    return (exact, [head]) if known else (name, values)
