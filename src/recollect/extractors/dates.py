"""When something that was said is, was or will be so."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from recollect.extractors.keywords import has_any
from recollect.records import Kind
from recollect.text.dates import When, find, may_tell
from recollect.text.lazy_regex import lazy_regex
from recollect.text.tense import in_past_tense
from recollect.text.time_rules import COUNT, UNIT
from recollect.text.values import word_set

_COMING = re.compile(
    r"(?i)\b(?:will|going to|and (?:i |we )?(?:start|begin|move)|tomorrow|next|upcoming|coming|from (?:next|now|"
    r"tomorrow|today|(?:mon|tues|wednes|thurs|"
    r"fri|satur|sun)day|jan|feb|march|apr|may|june?|july?|aug|sep|oct|nov|dec|\d)\w*|starting|plan(?:s|ning)? (?:to|"
    r"on|a|for|my|our)|(?:am|are|is) (?!not)\w+ing|(?:have|has|got) (?:an?|my|our|another) "
    r"[\w '’&.-]{0,40}?(?:appointment|meeting|interview|exam|flight|trip|wedding|reservation|surgery|concert|"
    r"conference|"
    r"test|party|call|deadline|check-?up)|(?:flight|appointment|meeting|interview|exam|wedding|trip|deadline|"
    r"surgery|party|birthday|anniversary|concert|reservation|conference|presentation) (?:is|are)|"
    r"(?:i|we|he|she|they) (?:start|begin|join|leave|finish|retire|move|switch)|(?:starts|begins|ends|expires|opens|"
    r"closes|leaves|joins|retires|finishes|takes over|goes (?:up|down|live)|moves|switches|becomes|runs out|rises|"
    r"drops|"
    r"is due|are due)|(?:goal|target|aim|aims|aiming|deadline|finish|reach)\b[\w ,$%]{0,40}? by|"
    r"(?:i|we|he|she|they|it) (?:am|are|is|report|work|live|stay|use|have|has|need)s?\b[\w '’&.-]{0,40}? (?:until|"
    r"till)|"
    r"(?:first|last) day(?: there| (?:at|with|in|of)\b[\w '’&.-]*)? (?:is|will be))\b"
)


def tells_of_what_comes(text: str) -> bool:
    """Whether a month without a year is the coming one: "from June", "will"."""
    return _COMING.search(text) is not None


_LONG_AGO = re.compile(
    r"(?i)(?:,\s*|^|\s)(?:(?:many |some |a few )?(?:years|months|decades|ages) ago|a long time ago|long ago|once(?=,|"
    r"$| long)|at one (?:point|time)|"
    r"in (?:a|my|another) (?:former|previous|past|earlier|other) life|back then|"
    r"growing up|at the time|back "
    r"in the day|before that|prior to that|as an? (?:kid|child|teenager|teen|young \w+|student|boy|girl)|(?:in|"
    r"during|for|throughout)(?: most of| much of| all of)? my (?:youth|childhood|(?:early |"
    r"late |mid )?(?:twenties|thirties|teens|20s|30s))|in the past|back when|previously|formerly|when i was "
    r"(?:young(?:er)?|little|a \w+|\d+|in \w+))(?=[\s,.]|$),?"
)
_COUNTED_AGO = lazy_regex(rf"(?i)\b{COUNT} {UNIT}(?: and a half)? ago\W*$")
_PAST_WORDS = word_set(
    "ago then growing time day as back past previously formerly when youth childhood twenties thirties teens s "
    "before prior once one life long"
)
_EDGE = re.compile(
    r"(?i)^[\s,]*(?:(?:back|so|then|and|on(?=,| (?:I|we|my|our|the|it)\b)|onwards?),?\s+)?|[\s,]+(?:back)?$"
)
_EMPTY_LINK = re.compile(r"(?i)\s+(?:back|on|in|at|from|until|since|by|for)$")
_RHYTHM = re.compile(r"(?i)\b(?:every|each)\b|(?:mon|tues|wednes|thurs|fri|satur|sun|week)days\b|\bweekends\b")
_BOTH_ENDS = re.compile(r"(?i)(?:from|between)\b.+\b(?:to|until|till|and)\b")
"""A stretch of time with its end: "from March to May"."""
_DAY = timedelta(days=1, hours=2)


@dataclass(frozen=True, slots=True)
class Dated:
    """A clause with its time taken out."""

    text: str
    """The clause without its words of time."""
    phrase: str = ""
    """The words of time as they were said."""
    since: datetime | None = None
    until: datetime | None = None
    ahead: bool = False
    """It lies in the future."""
    long_ago: bool = False
    """It is over, with or without a date."""
    back_then: bool = False
    """It belongs to a time that is over: "as a kid", "back then"; what was done "years ago" may have lasted."""
    bounded: bool = False
    """It is a stretch of time with both ends, and not a beginning or an end."""
    day: str = ""
    """The date in words, where the phrase alone would not tell it later."""

    @property
    def found(self) -> bool:
        return bool(self.phrase)

    @property
    def lasting(self) -> bool:
        """Whether it tells of a long time: for years, from 2015 to 2019, until last March."""
        if self.since is not None and self.until is not None:
            return self.until - self.since > timedelta(days=60)
        return re.search(r"(?i)\b(?:years?|months?|since|\d{4})\b", self.phrase) is not None and not self.ahead

    def inside(self, value: str) -> bool:
        """Whether the time is the value, or part of it, and not when that value holds."""
        words = self.phrase.split()
        return bool(words) and words[-1].lower() in value.lower().split()

    def window(self, kind: Kind, name: str) -> tuple[datetime | None, datetime | None]:
        """Since when and until when it holds, for how it was said and what it is about."""
        if name == "habit" and kind != "plan":
            return None, None
        if name in ("birthday", "birthplace") or name.split()[-1:] in (["goal"], ["target"]):
            return None, None
        if name in ("event", "plan") or (kind == "past" and self.bounded):
            return self.since, self.until
        if kind == "plan" and _BOTH_ENDS.match(self.phrase):
            return self.since, self.until
        if kind == "ending":
            return None, self.until if not self.bounded else self.since
        return self.since, None if self.bounded else self.until


def dated(text: str, said: datetime, *, spoken: str = "") -> Dated:
    """The clause with its words of time taken out and understood, relative to when it was said; `spoken`: the clause
    before it was put into other words, which may have another tense."""
    long_ago = _LONG_AGO.search(text) if has_any(text, _PAST_WORDS) else None
    if long_ago and _COUNTED_AGO.search(text[: long_ago.end()]):
        long_ago = None  # "two years ago" is a date.
    back_then = long_ago is not None and not long_ago[0].rstrip(" ,").endswith("ago")
    if long_ago:
        text = _EDGE.sub("", text[: long_ago.start()] + " " + text[long_ago.end() :])
    present = not in_past_tense(spoken.lower())
    told = find(text, said, future=tells_of_what_comes(text), present=present) if may_tell(text) else []
    whens = [when for when in told if not recurs(when, text)]
    if not whens:
        return Dated(text, long_ago=long_ago is not None, back_then=back_then)
    since, until = bounds(whens)
    return Dated(
        text=without(text, whens),
        phrase=" ".join(when.text for when in whens),
        since=since,
        until=until,
        ahead=min((when.start for when in whens if when.relation != "until"), default=said) > said,
        long_ago=long_ago is not None or any(when.relation == "until" and when.start <= said for when in whens),
        back_then=back_then,
        bounded=all(when.relation == "during" for when in whens),
        day=in_words(whens[0], said),
    )


def opened_by_time(text: str, said: datetime) -> tuple[Dated, str]:
    """The time with which a clause begins, and the rest of the clause; the times after it belong to the rest."""
    if not may_tell(text):
        return Dated(text), text
    first = next(iter(find(text, said, future=tells_of_what_comes(text), present=True)), None)
    if first is None or first.at[0] > 0 or recurs(first, text):
        return Dated(text), text
    since, until = bounds([first])
    rest = text[first.at[1] :].lstrip(" ,")
    ahead = first.start > said
    return Dated(rest, first.text, since, until, ahead=ahead, bounded=first.relation == "during"), rest


_OWN = re.compile(r"(?:I|we|my|our) ")


def time_last(text: str, said: datetime) -> str:
    """ "In April we moved to Teams" as "we moved to Teams in April": what is read of the speaker begins with them."""
    opening, rest = opened_by_time(text, said)
    if not opening.bounded or not _OWN.match(rest) or "," in rest:
        return text
    return f"{rest} {opening.phrase[0].lower()}{opening.phrase[1:]}"


def recurs(when: When, text: str) -> bool:
    """Whether it is no point in time but a rhythm: "every Sunday", "on Fridays"."""
    return _RHYTHM.search(text[max(0, when.at[0] - 12) : when.at[1]]) is not None


def bounds(whens: list[When]) -> tuple[datetime | None, datetime | None]:
    """The beginning and the end that the words of time tell."""
    since = next((when.start for when in whens if when.relation != "until"), None)
    during = next((when.end for when in whens if when.relation == "during"), None)
    until = next((last_moment(when) for when in whens if when.relation == "until"), during)
    return since, until


def last_moment(when: When) -> datetime:
    """ "until Friday" takes the day in; "until 2019" ends when that year came."""
    return when.end if when.end - when.start <= _DAY else when.start


def without(text: str, whens: list[When]) -> str:
    """The text without these words of time."""
    for when in reversed(whens):
        before, after = text[: when.at[0]], text[when.at[1] :].lstrip(" ")
        joint = ", " if before.strip() and after.startswith(",") and not before.rstrip().endswith(",") else " "
        text = f"{before.rstrip(' ,')}{joint}{after.lstrip(' ,')}"
    return _EMPTY_LINK.sub("", _EDGE.sub("", text))


def in_words(when: When, said: datetime) -> str:
    """The date that the phrase meant: a day, a month or a year; empty where the phrase has the year itself."""
    if re.search(r"\d{4}", when.text):
        return ""
    start = when.start.astimezone(said.tzinfo)
    length = when.end - when.start
    if length <= _DAY:
        return f"{start.day} {start:%B %Y}"
    return (
        f"{start:%B %Y}"
        if length <= timedelta(days=32) and start.day == 1
        else ("" if length < timedelta(days=300) else f"{start:%Y}")
    )
