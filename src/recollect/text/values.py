"""Values as text, and compared: case, accents, articles, plurals and ways to write a number do not matter. Pure."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from functools import lru_cache

from recollect.errors import InvalidInput
from recollect.text import lazy_regex
from recollect.text.time_phrases import MONTH_NAMES, MONTH_NUMBERS, ONES
from recollect.text.words import fold

Scalar = str | int | float | bool
Value = Scalar | Sequence[Scalar]
"""What can be remembered under a key."""

# What is given


def as_text(value: object) -> str:
    """A single value as it is kept and comes back: 31 as "31", True as "yes"."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)) and math.isfinite(value):
        return json.dumps(value)
    raise refused_value(value)


def as_texts(value: object, *, many: bool) -> list[str]:
    """What is kept of a value: a list as several values of a key that holds many, and else as one, in JSON."""
    if not isinstance(value, (list, tuple)):
        return [as_text(value)]
    texts = [as_text(one) for one in value]
    if not texts:
        raise InvalidInput("a value must have something in it, not []: use forget to end what is known")
    return list(dict.fromkeys(texts)) if many else [json.dumps(list(value), ensure_ascii=False)]


def refused_value(value: object) -> InvalidInput:
    return InvalidInput(
        f"a value must be a text, a number, yes or no (True, False), or a list of these, not "
        f"{type(value).__name__}: {str(value)[:80]!r}; give each part a key of its own, or write a note"
    )


# One of several


IRREGULAR_PLURALS = {
    "children": "child", "people": "person", "men": "man", "women": "woman", "feet": "foot", "teeth": "tooth",
    "mice": "mouse", "wives": "wife", "knives": "knife", "lives": "life", "shelves": "shelf", "movies": "movie",
    "cookies": "cookie", "selfies": "selfie", "hoodies": "hoodie", "shoes": "shoe", "toes": "toe", "axes": "axis",
}  # fmt: skip
SINGULAR_S = frozenset(
    """
    news series species status address business access bus gas lens canvas atlas process glass class boss mass stress
    success progress express dress kiss cross loss campus focus bonus virus basis analysis crisis diabetes arthritis
    tennis chess jazz physics mathematics maths economics politics always yes this is was has does gps dns css aws os
    https tls iris paris texas james thomas charles kansas dallas athens brussels las los plus minus various previous
    christmas pants jeans headquarters princess wireless sales
    """.split()
)
"""Words that end in s and are still one."""


def singular(word: str) -> str:
    """The word for one of them."""
    low = word.lower()
    if low in IRREGULAR_PLURALS:
        return IRREGULAR_PLURALS[low]
    if low.endswith("children"):  # godchildren, stepchildren
        return word[:-3]
    if len(low) < 4 or low in SINGULAR_S or not low.endswith("s") or low.endswith(("ss", "us", "is")):
        return word
    if low.endswith("ies") and len(low) > 4:
        return word[:-3] + "y"
    if low.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    return word[:-1]


def is_plural(word: str) -> bool:
    return singular(word) != word.lower() and singular(word) != word


# Compared

ARTICLES = frozenset(["the", "a", "an", "my", "our", "some", "any"])
UNIT_NAMES = {
    "$": "dollar", "usd": "dollar", "bucks": "dollar", "buck": "dollar", "us$": "dollar", "€": "euro", "eur": "euro",
    "£": "pound", "gbp": "pound", "quid": "pound", "¥": "yen", "jpy": "yen", "kgs": "kg", "kilogram": "kg",
    "kilo": "kg", "lbs": "lb", "kilometer": "km", "kilometre": "km", "meter": "m", "metre": "m", "centimeter": "cm",
    "centimetre": "cm", "hour": "h", "hr": "h", "minute": "min", "second": "s", "sec": "s", "percent": "%",
    "gigabyte": "gb", "megabyte": "mb", "year": "year", "yr": "year", "yo": "year",
}  # fmt: skip
CURRENCIES = frozenset(("dollar", "euro", "pound", "yen"))
TIMES = {"k": 1_000, "thousand": 1_000, "m": 1_000_000, "million": 1_000_000, "bn": 10**9, "billion": 10**9}
VALUE_PIECE = lazy_regex(
    r"us\$|[$€£¥%]|\d[\d,]*(?:\.\d+)*(?:\s?(?:k|thousand|million|bn|billion)\b)?|[^\s$€£¥%\"“”'’`]+"
)
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)"
)
"""The name of a month, in full or in short."""
DAY_FIRST = lazy_regex(rf"\b(?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{MONTH})\b(?! \d{{1,2}}\b)")
MONTH_FIRST = lazy_regex(
    rf"\b(?P<month>{MONTH})\.? (?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?![:.]\d| ?[ap]\.?m\b)"
)
CLOCK = lazy_regex(r"\b(?P<hour>1[0-2]|0?[1-9])(?::(?P<min>[0-5]\d))? ?(?P<half>[ap])\.?m\b\.?")
UNIT_AFTER = lazy_regex(r"(?<=\d)(kg|kgs|km|cm|mm|lbs?|gb|mb|tb|ms|min|hrs?|eur|usd|gbp|yrs?|yo)\b")


def same_value(a: str, b: str) -> bool:
    """Whether two values mean the same: case, accents, articles, plurals and ways to write a number do not matter."""
    return a == b or _cached_canonical_text(a) == _cached_canonical_text(b)


def canonical_text(value: str) -> str:
    """The value in a form that equal values share: "The 3rd of May, 5 p.m." as "3 may 17:00"."""
    return _simple_form(value) or _full_form(value)


_cached_canonical_text = lru_cache(maxsize=8192)(canonical_text)


def _simple_form(value: str) -> str:
    """The form of words, or of words and a whole number: what most values are, and quicker to read. Nothing for other
    values, for articles alone and for sums of money."""
    if not value.isascii():
        return ""
    words, blank, last = value.rpartition(" ")
    number = blank and last.isdecimal()  # which is as it should be, and seldom comes again
    if number and words[words.rfind(" ") + 1 :][:3].lower() in MONTH_NUMBERS:
        return ""  # which may be a date
    try:
        forms = " ".join(filter(None, map(_SIMPLE_WORDS.__getitem__, (words if number else value).lower().split(" "))))
    except KeyError:
        return ""
    return f"{forms} {last}".lstrip() if number else forms


def _full_form(value: str) -> str:
    spaced = UNIT_AFTER.sub(r" \1", timed(value.casefold()))
    pieces = [piece.strip(",;:!?()[]").removesuffix(".") for piece in VALUE_PIECE.findall(spaced)]
    kept = [canonical_word(piece) for piece in pieces if piece and piece not in ARTICLES]
    for i in range(len(kept) - 1):
        if kept[i] in CURRENCIES and kept[i + 1][0].isdigit():  # "$2,000" is said "2000 dollars"
            kept[i], kept[i + 1] = kept[i + 1], kept[i]
    if len(kept) == 2 and kept[1] == "m" and "." in kept[0] and kept[0].replace(".", "").isdigit():
        kept = [f"{float(kept[0]) * 100:.0f}", "cm"]  # "1.80 m" is 180 cm
    return " ".join(kept) or value.strip()


def timed(value: str) -> str:
    """The value with its dates as "3 may", its times of day as "17:00": "May 3rd", "the 3rd of May", "5 p.m."."""
    if not any(sign.isdecimal() for sign in value):
        return value
    if "m" in value or ":" in value:
        value = CLOCK.sub(by_the_clock, re.sub(r"\b0(?=\d:\d\d\b)", "", value))
    value = re.sub(r"\b(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)\b", named_month, value)
    for dated in (DAY_FIRST, MONTH_FIRST):
        value = dated.sub(lambda day: f"{int(day['day'])} {day['month'][:3]}", value)
    return value


def named_month(day: re.Match[str]) -> str:
    """2024-05-03 as "3 may 2024"."""
    return f"{int(day['day'])} {MONTH_NAMES.split(', ')[(int(day['month']) - 1) % 12][:3]} {day['year']}"


def by_the_clock(match: re.Match[str]) -> str:
    hour = int(match["hour"]) % 12 + (12 if match["half"] == "p" else 0)
    return f"{hour}:{match['min'] or '00'}"


class SimpleWords(dict[str, str]):
    """The forms of words of letters alone, kept in mind: empty for an article. Other pieces of text are no keys, and
    neither is money, which may stand on either side of its number."""

    def __missing__(self, word: str) -> str:
        form = canonical_word(word) if word.isalpha() else ""
        if not form or form in CURRENCIES:
            raise KeyError(word)
        if len(self) >= 32_768:
            self.clear()
        self[word] = form = "" if word in ARTICLES else form
        return form


_SIMPLE_WORDS = SimpleWords()


@lru_cache(maxsize=32_768)
def canonical_word(piece: str) -> str:
    if piece[0].isdigit():
        return plain_number(piece)
    if piece in ONES[:13]:
        return str(ONES.index(piece))
    plain = fold(piece)
    return UNIT_NAMES.get(plain) or UNIT_NAMES.get(singular(plain)) or singular(plain)


def plain_number(piece: str) -> str:
    """The number without its ways of writing; a version or a date stays as it is."""
    if piece.isdecimal():
        return piece
    match = re.match(r"^(\d+(?:,\d{3})*|\d+)(\.\d+)?\s?([a-z]*)$", piece)
    if match is None or match[3] not in ("", *TIMES):
        return piece
    whole = match[1].replace(",", "")
    if not match[3]:
        return whole + (match[2] or "")
    return str(round(float(whole + (match[2] or "")) * TIMES[match[3]]))
