"""At what hour someone does what they do every day: starts work, leaves the house, takes the train."""

from __future__ import annotations

from recollect.extractors.patterns import Found, Groups, rows_of
from recollect.extractors.verbs import Predicate, third_person

row = rows_of(__name__)

RIDES = ("train", "bus", "tram", "ferry", "metro", "coach", "boat")
"""What goes by the clock, and is taken every day."""
_HOUR = (
    r"(?P<v>\d{1,2}(?::\d\d)?(?: ?[ap]m)?|noon|midnight|(?:half past |quarter (?:to|past) )?(?:one|two|three|four|five|"
    r"six|seven|eight|nine|ten|eleven|twelve)(?: thirty)?)$"
)


def is_rule(predicate: Predicate) -> bool:
    """Whether it is told as what is done every day."""
    return predicate.tense == "present" and not (predicate.ongoing or predicate.negated or predicate.can)


def at_hour(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "I leave the house at 7"."""
    what = groups["what"].removeprefix("the ")
    name = f"{third_person(predicate.verb)} {what} at"
    return [Found(name, groups["v"], many=False, confidence=0.8)] if is_rule(predicate) else []


def rides(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "I take the 7:15 train"."""
    told = Found(groups["what"].lower(), f"{groups['v']} {groups['what']}", many=False, confidence=0.8)
    return [told] if is_rule(predicate) else []


row("start finish end stop begin leave", rf"(?P<what>work|school|the office) (?:at|around|by) {_HOUR}", at_hour)
row("leave", rf"(?P<what>home|the house|the flat|for (?:work|school|the office)) (?:at|around|by) {_HOUR}", at_hour)
row("get come arrive", rf"(?P<what>home|in|to work|back|to the office) (?:at|around|by) {_HOUR}", at_hour)
row("lock close", rf"(?P<what>up) (?:at|around|by) {_HOUR}", at_hour)
row(
    "take get catch",
    rf"the (?P<v>\d{{1,2}}:\d\d) (?P<what>{'|'.join(RIDES)})(?: (?:to|from|into) .+?)?"
    r"(?: now)?(?:,? because .+)?$",
    rides,
)
