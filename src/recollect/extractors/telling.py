"""How something was said: as a state, an update, a plan, an ending or something past."""

from __future__ import annotations

import re
from dataclasses import replace

from recollect.extractors import doing, nouns
from recollect.extractors.dates import Dated
from recollect.extractors.patterns import BY_VERB, Found, Pattern
from recollect.extractors.verbs import Predicate
from recollect.records import USER, Kind


def nationality(predicate: Predicate) -> bool:
    """Whether "is German" describes someone and does not name them."""
    return any(
        item.attribute in ("nationality", "religion") for pattern in BY_VERB["be"] for item in pattern.read(predicate)
    )


def as_event(item: Found, when: Dated) -> tuple[Found, Kind]:
    """ "my flight is on 3 May" is an event and not a value of "flight"; when only the day is told it may change."""
    if item.subject == USER and nouns.is_event(item.attribute) and when.found and when.inside(item.value):
        day = re.sub(r"(?i)^(?:on|at|in) ", "", item.value)
        vague = re.search(r"(?i)\b(?:today|tomorrow|tonight|next|this|in)\b", day) and when.day
        hour = re.search(r"(?i)\bat \d[\d:. apm]*", item.value)
        day = f"{when.day} {hour[0].strip() if hour else ''}".strip() if vague else day
        known = f" ({when.day})" if when.day and when.day not in day else ""
        return replace(item, value=day, text=f"{item.attribute} is {day}{known}"), "update" if item.kind else "state"
    if item.subject == USER and nouns.is_event(item.attribute) and when.found and item.attribute != "deadline":
        kind: Kind = "plan" if when.ahead else "past"
        return replace(item, attribute="event", value=item.attribute, text=item.attribute), kind
    return item, item.kind or "state"


def planned(item: Found, when: Dated) -> Kind:
    """How something was said whose words of time stand beside it: "from May my rent is 900" is a plan."""
    if when.ahead and item.kind in (None, "update"):
        return "plan"
    return item.kind or ("past" if when.long_ago and not when.found else "state")


def kind_as_told(item: Found, predicate: Predicate) -> Kind | None:
    """The kind that a pattern gives; a change that is still to come is a plan."""
    coming = predicate.tense == "future" or (predicate.ongoing and predicate.tense == "present")
    return "plan" if item.kind == "update" and coming else item.kind


def kind_of(predicate: Predicate, pattern: Pattern, when: Dated) -> Kind:
    """How something was said, from the tense of its verb and the time told with it."""
    if predicate.ended or predicate.negated:
        return "ending"
    if predicate.tense == "formerly":
        return "past"
    if predicate.tense == "future" or (predicate.tense == "present" and when.ahead):
        return "plan"
    if pattern.change and predicate.tense == "present" and predicate.ongoing:
        return "plan"
    if pattern.always:
        return "state"
    if pattern.change and predicate.tense in ("past", "perfect") and not (when.back_then and not when.found):
        return "update"
    return "past" if is_over(predicate, when) else "state"


def is_dated(item: Found, when: Dated) -> bool:
    """Whether an event has a date, without which it is none; what is no event needs none."""
    return when.found or item.attribute != "event"


def is_settled(item: Found, predicate: Predicate, when: Dated) -> bool:
    """Whether it is told as a matter of fact: an event has a date, and an end is not only intended."""
    if item.attribute == "plays" and predicate.tense == "past" and not item.kind:
        return when.long_ago or when.found
    if item.attribute == "age" and predicate.tense == "future" and not when.found:
        return False  # "I'll be 41", but when?
    if item.attribute == "doctor" and when.ahead and when.bounded and not item.kind:
        return False  # "I'm seeing Dr. Holt on Monday about my knee": once
    if item.attribute == "works" and when.found and when.bounded:
        return False  # "I work from the office today"
    if item.attribute in ("wake up time", "bed time") and re.search(r"(?i)\b(?:to|next|this|on)", when.phrase):
        return False  # "I have to be up at 5 tomorrow" is no habit.
    if item.attribute == "event":
        return when.found and not predicate.adverbs & doing.OFTEN
    if item.kind != "ending" or predicate.ended or "again" in predicate.adverbs:
        return True
    if predicate.negated and predicate.tense == "perfect" and re.search(r"(?i)\b(?:since|for|in)\b", when.phrase):
        return True  # "I haven't eaten fish since January"
    intended = predicate.tense == "future" or (predicate.ongoing and predicate.tense == "present")
    return not predicate.negated and (when.ahead or not intended)


def is_over(predicate: Predicate, when: Dated) -> bool:
    """Whether the tense says that it no longer holds: "I lived in Rome", "I have worked there"."""
    if predicate.tense == "past" or (when.long_ago and predicate.tense != "present"):
        return True
    begun = predicate.ongoing or when.found
    return predicate.tense == "perfect" and predicate.verb in ("live", "work", "study", "use") and not begun
