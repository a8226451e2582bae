"""What kind of value one is that may be said without what it is the value of: an address, a date, a measure. Pure."""

from __future__ import annotations

from recollect._values import MONTH, canonical
from recollect.later import later

_KINDS = (
    ("email", later(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+$")),
    ("url", later(r"https?://\S+$")),
    (
        "date",
        later(
            rf"(?i)(?:on )?(?:the )?(?:{MONTH} \d{{1,2}}(?:st|nd|rd|th)?|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? "
            rf"{MONTH})$"
        ),
    ),
    ("hour", later(r"(?i)(?:at |on )?\d{1,2}(?::\d\d)?(?: ?[ap]m|(?<=:\d\d))$")),
    ("version", later(r"v?\d+(?:\.\d+)+$|v\d+$")),
)


def kind_of_value(value: str) -> str:
    """What kind of value one is that may be said without what it is the value of: an address, a date, a measure by its
    unit; empty for a bare number or word."""
    for name, shape in _KINDS:
        if shape.match(value):
            return name
    words = canonical(value)
    if len(words) < 2 or len(words) > 4 or not words[0][0].isdigit() or words[0] == words[1]:
        return ""
    return " ".join(words[1:]) if words[1] not in ("year", "time") else ""
