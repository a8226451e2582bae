"""What may be a value: a name, a number, a date or a noun phrase that ends where its clause ends. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timezone

from recollect.facts.attributes import attribute, has_shape
from recollect.reader.tables import NAME, tables
from recollect.text.dates import find

SOME_DAY = datetime(2001, 1, 1, tzinfo=timezone.utc)
LONGEST = 80
_NAMED = re.compile(rf"(?:the )?{NAME}")
_ARTICLE = re.compile(r"(?i)(?:an?|some|the)\s+(?=\S)")
_EXACT = re.compile(r"\d|[@/_:#]|\w\.\w|(?<!^)[A-Z]")
_LOOSE = re.compile(r"(?i)\b(?:of|at|in|on|for|with|by|to|from|into|about|through|a|an|the|my|our|out|up|new)\b")
_DESCRIBES = re.compile(r"\S{2,}(?:ful|ous|[^t]able|ible|less|[^e]ed)")


def words_in(text: str) -> list[str]:
    return re.findall(r"[^\s,;]+", text.lower().replace("’", "'"))


def is_name(text: str) -> bool:
    """Whether words are written as a name, and are no other word with a capital."""
    words = tables().words
    first = words_in(text.removeprefix("the "))[:1]
    return _NAMED.fullmatch(text) is not None and not any(
        word in words[one] for word in first for one in ("function", "days", "adjectives")
    )


def is_phrase(text: str, most: int = 5, *, loose: bool = False) -> bool:
    """Whether words can be a noun phrase and nothing more. `loose`: prepositions and "my" may stand inside."""
    bare, words = _ARTICLE.sub("", text, count=1), tables().words
    said = words_in(bare)
    if (
        not said
        or len(said) > most
        or len(text) > LONGEST
        or not re.search(r"\w\w|\d", bare)
        or re.search(r"[?!…*=<>{}\[\]|\"“”‘]|(?:^|\s)[-–]\d", bare)
    ):
        return False
    inner = words_in(
        _LOOSE.sub(" ", " ".join(said[1:-1])) if loose else re.sub(r"(?i) of (?:the|an?) ", " ", " ".join(said[1:-1]))
    )
    if any(
        word in words["function"]
        or word in words["vague"]
        or (word in words["prepositions"] and not loose and word != "of")
        for word in inner
    ):
        return False
    ends = {said[0], said[-1]}
    if (
        ends & words["function"]
        or ends & words["vague"]
        or ends & words["prepositions"]
        or said[-1] in words["adjectives"]
    ):
        return False
    return not (len(said) > 1 and said[0] in words["verbs"] and bare == text and bare[0].islower()) and not (
        len(said) == 1 and said[0] in words["adverbs"]
    )


def describes(text: str) -> bool:
    """Whether a lone word has an ending that nouns seldom have."""
    return text.islower() and _DESCRIBES.fullmatch(text) is not None


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
    return is_name(re.sub(r"^(?:the|an?) ", "", text)) or (_EXACT.search(text) is not None and is_phrase(text))


def value_for(key: str, text: str, *, low: bool = False) -> str:
    """The value that an attribute has in "my … is …": of known ones a noun phrase, of others something exact."""
    known, words = attribute(key), tables().words
    text = re.sub(r"^[Oo]n (?=[A-Z\d])", "", text.strip("`"))
    if known.relation:
        return value_of("person", text, low=low)
    if known.shape == "date":
        return text if is_date(text) else ""
    if known.shape:
        return text if has_shape(text, known.shape) and len(text.split()) <= 6 else ""
    if known.name.replace(" ", "-") in words["counted"]:
        return text if re.search(r"\d", text) and is_phrase(text) else ""
    if known.known:
        taste = known.category in ("preference", "food")
        return (
            text
            if is_exact(text)
            or is_name(text)
            or is_date(text)
            or (is_phrase(text) and (taste or not (describes(text) or text.endswith("ing"))))
            else ""
        )
    bare = re.sub(r"^[\"“](.{2,40})[\"”]$", r"\1", text)
    return (
        bare
        if (bare != text and is_phrase(bare, 4)) or is_exact(text) or text.lower() in words["days"] or is_date(text)
        else ""
    )


def is_date(text: str) -> bool:
    """Whether words are a day or a month, and nothing more."""
    found = find(f"on {text}", SOME_DAY) if any(sign.isdigit() for sign in text) else []
    return len(found) == 1 and len(found[0].text) >= len(text)
