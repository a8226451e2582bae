"""What is given as a value, as text, and whether it has the shape that an attribute's values have. Pure."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from datetime import datetime, timezone

from recollect.errors import InvalidInput
from recollect.text.dates import find
from recollect.text.time_phrases import NUMBERS, VAGUE
from recollect.text.words import split

Plain = str | int | float | bool
Value = Plain | Sequence[Plain]
"""What can be remembered under a key."""

TELEPHONE = re.compile(r"\+?\d(?:[ ().\-/]*\d){4,}")
EMAIL = re.compile(r"\S@\S")
SOME_DAY = datetime(2000, 1, 1, tzinfo=timezone.utc)


def has_shape(value: str, shape: str) -> bool:
    """Whether a value may be one of this shape: a phone number, an address of mail, a date, a number."""
    if shape == "phone":
        return TELEPHONE.search(value) is not None
    if shape == "email":
        return EMAIL.search(value) is not None
    if any(letter.isdigit() for letter in value) or not shape:
        return True
    if shape == "date":
        return bool(find(f"on {value}", SOME_DAY))
    return any(word in NUMBERS and word not in VAGUE for word in split(value.lower()))


def as_text(value: object) -> str:
    """A single value as it is kept and comes back: 31 as "31", True as "yes"."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)) and math.isfinite(value):
        return json.dumps(value)
    raise refused(value)


def as_texts(value: object, *, many: bool) -> list[str]:
    """What is kept of a value: a list as several values of a key that holds many, and else as one, in JSON."""
    if not isinstance(value, (list, tuple)):
        return [as_text(value)]
    texts = [as_text(one) for one in value]
    if not texts:
        raise InvalidInput("a value must have something in it, not []: use forget to end what is known")
    return list(dict.fromkeys(texts)) if many else [json.dumps(list(value), ensure_ascii=False)]


def refused(value: object) -> InvalidInput:
    return InvalidInput(
        f"a value must be a text, a number, yes or no (True, False), or a list of these, not "
        f"{type(value).__name__}: {str(value)[:80]!r}; give each part a key of its own, or write a note"
    )
