"""When something takes place, told in part: what was on Thursdays at 2 is at 3 now, still on Thursdays. Pure."""

from __future__ import annotations

from dataclasses import replace

from recollect.attributes import sentence
from recollect.decisions import Desk, is_open
from recollect.later import later
from recollect.records import USER, Draft, Fact

TIMES = ("happens", "starts", "date", "time", "meeting time", "runs", "comes", "goes out", "opens", "closes")
"""Under what it is filed when something takes place."""
_DAY = r"(?:(?:on|every|each) )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?)"
_HOUR = r"at (?:\d{1,2}(?::\d\d)?(?: ?[ap]m)?|noon|midnight|half past \w+)"
_DAY_ONLY = later(rf"(?i){_DAY}$")
_HOUR_ONLY = later(rf"(?i)(?:{_HOUR}|\d{{1,2}}(?::\d\d)?(?: ?[ap]m)?|noon|midnight)$")
_DAY_AND_HOUR = later(rf"(?i)(?P<day>{_DAY}),? (?P<hour>{_HOUR})$")


def is_part_of_time(draft: Draft) -> bool:
    """Whether a draft tells only the day or only the hour of something."""
    told = draft.attribute in TIMES and draft.subject != USER and draft.kind in ("update", "state", "correction")
    told = told and draft.since is None and draft.until is None  # "Tomorrow it is at 11": once.
    return told and (_DAY_ONLY.match(draft.value) or _HOUR_ONLY.match(draft.value)) is not None


def retimed(draft: Draft, desk: Desk) -> Draft:
    """A draft that tells one part of when something is, with the other part as it was."""
    whole = [fact for name in TIMES for fact in desk.about(draft.subject, name) if is_whole(fact, draft)]
    if not is_part_of_time(draft) or len(whole) != 1:
        return draft
    [fact] = whole
    parts = _DAY_AND_HOUR.match(fact.value)
    day, hour = (parts["day"], parts["hour"]) if parts else ("", "")
    said = draft.value if draft.value[0].islower() else f"{'on' if draft.value[0].isalpha() else 'at'} {draft.value}"
    value = f"{said} {hour}" if _DAY_ONLY.match(draft.value) else f"{day} {said}"
    text = sentence(fact.subject, fact.attribute, value)
    return replace(draft, attribute=fact.attribute, value=value, category=fact.category, text=text, many=None)


def is_whole(fact: Fact, draft: Draft) -> bool:
    """Whether a fact that holds tells both the day and the hour."""
    return is_open(fact, draft.said) and fact.said <= draft.said and _DAY_AND_HOUR.match(fact.value) is not None
