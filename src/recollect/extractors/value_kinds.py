"""What kind of value one is that may be said without what it is the value of: an address, a date, a measure. Pure."""

from __future__ import annotations

from recollect.text.lazy_regex import lazy_regex
from recollect.text.values import MONTH, canonical

_KINDS = (
    ("email", lazy_regex(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+$")),
    ("url", lazy_regex(r"https?://\S+$")),
    (
        "date",
        lazy_regex(
            rf"(?i)(?:on )?(?:the )?(?:{MONTH} \d{{1,2}}(?:st|nd|rd|th)?|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? "
            rf"{MONTH})$"
        ),
    ),
    ("hour", lazy_regex(r"(?i)(?:at |on )?\d{1,2}(?::\d\d)?(?: ?[ap]m|(?<=:\d\d))$")),
    ("version", lazy_regex(r"v?\d+(?:\.\d+)+$|v\d+$")),
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


_WEEKDAY = lazy_regex(
    r"(?i)(?:on |every )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?: mornings?| evenings?| nights?)?$"
)
_HOUR = lazy_regex(
    r"(?i)(?:at |until |from )?(?:\d{1,2}(?::\d\d)?(?: ?[ap]\.?m\.?)?|noon|midnight|"
    r"(?:half past |quarter (?:to|past) )?(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))$"
)
_RANGE = lazy_regex(r"(?i)(?:from )?\d{1,2}(?::\d\d)?(?: ?[ap]m)? ?(?:-|–|to|until) ?\d{1,2}(?::\d\d)?(?: ?[ap]m)?$")
_LINK_WORD = lazy_regex(r"^(?:at|on|for) ")


def kind_of(value: str) -> str:
    """The same where it is known that a value is one of a relation: also a day of the week, an hour in words, hours."""
    if _WEEKDAY.match(value):
        return "weekday"
    if _RANGE.match(value):
        return "hours"
    return "hour" if _HOUR.match(value) else kind_of_value(_LINK_WORD.sub("", value))
