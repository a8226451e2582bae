"""The day of the week that something has: "Friday is release day", "release day is Wednesday now"."""

from __future__ import annotations

import re

from recollect._values import word_set
from recollect.attributes import attribute
from recollect.extractors.patterns import Found
from recollect.records import USER, Kind

_WEEKDAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?"
_OF_THE_WEEK = re.compile(
    rf"^(?:(?P<day>{_WEEKDAY}(?: and {_WEEKDAY})?) (?:is|are) (?P<now>now )?(?:our |the )?(?P<key>(?:[a-z-]+ "
    rf"){{0,2}}day)"
    rf"(?P<late> now)?|(?:[Oo]ur |[Tt]he )?(?P<noun>(?:[A-Za-z-]+ ){{1,2}}day) (?:is|are|has moved to|moved to|"
    rf"was moved to) "
    rf"(?P<anew>now )?(?:on )?(?P<v>{_WEEKDAY}(?: and {_WEEKDAY})?)(?P<since> now)?)$"
)
_NO_KEY = word_set(
    "first last next same best worst only rainy sunny good bad busy long big free every another new whole other today "
    "right wrong favourite favorite the my our"
)
"""What a day is like, and what it is not the day of."""


def day_of(text: str) -> list[Found]:
    """Which day something is on that has one: a release day, a bin day."""
    match = _OF_THE_WEEK.match(text)
    key = (match["key"] or match["noun"]).strip() if match else ""
    if match is None or " " not in key or key.split()[-2].lower() in _NO_KEY:
        return []
    told = match["now"] or match["late"] or match["anew"] or match["since"] or "moved" in match[0]
    kind: Kind | None = "update" if told else None
    return [Found(attribute(key.lower()).name, match["day"] or match["v"], kind=kind, subject=USER, many=False)]
