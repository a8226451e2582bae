"""What is so for a day or a week only, over what is usually so: "today the standup is at 10", "just for this week"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from recollect.extractors import nouns
from recollect.extractors.clauses import Clause, clauses, sentences_of
from recollect.extractors.dates import Dated, recurs, without
from recollect.extractors.keywords import words_in
from recollect.extractors.patterns import Found
from recollect.extractors.people import Cast
from recollect.extractors.reading import Reading
from recollect.facts.attributes import attribute
from recollect.records import DAYS, USER, Draft, Message, Source
from recollect.text.dates import When, find
from recollect.text.values import word_set

MOST_WORDS, LONGEST = 16, 200
"""A sentence of more words or letters says more than one thing."""
NIGHT = timedelta(hours=36)
"""A day with the night after it: who is on call for longer is so by the rota, and not as an exception."""
ON_CALL = "on call engineer"
_MINUTE = timedelta(minutes=1)
_TIMES = word_set(
    "today tonight tomorrow week weekend month morning afternoon evening monday tuesday wednesday thursday friday "
    "saturday sunday january february march april may june july august september october november december summer "
    "winter spring autumn"
)
"""Words of which an exception has one."""
_DAY = re.compile(r"(?i)\b(?:today|tonight|tomorrow|(?:on |this |next )?(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b")
_IS = re.compile(r"(?i)(?:\b(?:is|are|was|were|be)|'s|'re) $")
_LIMIT_BEFORE = re.compile(r"(?i)(?:^|(?<=[\s,(]))(?:just|only|strictly) (?:for|on) (?:the )?$")
_LIMIT_AFTER = re.compile(r"(?i)^,? only(?=[,.!;)]|$| (?:the|my|our|I|we|I'm|we're)\b)")
_FOR = re.compile(r"(?i)(?:^|(?<=[\s,(]))for $")
_ONCE = re.compile(
    r"(?i)(?:^|,? )(?:(?:just|only) this once|just once|for once|as an? (?:one-off|exception)|exceptionally)"
    r"(?=[,.!]|$| ),?"
)
_INSTEAD = re.compile(r"(?i),? instead(?: of (?:(?:the|my|our|at) )?[\w':.-]+(?: [\w':.-]+){0,2})?(?=[.!]*$)")
_TOO = re.compile(r"(?i)\b(?:though|too|instead|again|as well)\b")
_CHANGING = word_set(
    "move moves moved moving switch switches switched switching change changes changed changing become becomes became "
    "start started starting begin began beginning join joined joining leave leaving left quit onwards onward "
    "permanently now last first forever good"
)
"""Words of a change that stays: "today I moved to Porto", "today is my last day at Acme"."""
_BE = r"(?:\b(?:am|are|is|be)|'m|'re|'s) "
_FOR_A_WHILE = re.compile(
    rf"(?i){_BE}(?:\w+ly |also |all )?(?!going\b|getting\b|having\b|being\b)\w+ing\b|{_BE}(?:in|at|on) "
    r"|\b(?:at|from) (?:\d{1,2}(?:[:.]\d\d)?|noon|midnight)\b|\bis \d{1,2}(?:[:.]\d\d ?| ?[ap]m\b)"
)
"""What may be so for a day: something that goes on, a place, a time of the day."""
_DENIED = re.compile(r"(?i)(?:\b(?:am|is|are|do|does)(?: not|n't)|'(?:m|s|re) not)\b")
_UNSURE = re.compile(
    r"(?i)\b(?:no|never|(?:have|has|need|needs|want|wants|hope|plan) to|must|should|might|may)\b"
    r"|(?:did|had|was|were)n't\b"
)
"""What is not so at all, or not yet."""
_AS_PRESENT = (
    (re.compile(r"\bI(?:'ll| will) be\b"), "I am"),
    (re.compile(r"\b([Ww]e|[Tt]hey)(?:'ll| will) be\b"), r"\1 are"),
    (re.compile(r"(?:'ll|\bwill) be\b"), " is"),
    (re.compile(r"\b(I|[Ww]e)(?:'m|'re| am| are) (?:working )?(?=from [A-Z]|(?:in|from) the office\b)"), r"\1 work "),
)
"""What is to be so then, told as what is so."""
_ON_CALL = re.compile(r"(?i)^I(?:'m| am) (?:the one )?on[- ]call$")
_PARTS = re.compile(r"(?i),? (?=(?:but|though|although|however|except)\b)|; ")
_LEAD = re.compile(r"(?i)^(?:but|though|although|however|except(?: that)?)\b,? ")
_LOOSE = re.compile(r"(?i)[,;]? ?(?:\b(?:but|though|although|however|except)\b,? ?)?(?=[.!]+(?:\s|$)|$)")
"""What led up to a part that is taken out."""
_NOT_FOR_A_DAY = word_set("home employer occupation relationship name age reading learning watching")
"""What nobody is or has for a day or a week, unless they say so outright."""
_OF_A_TIME = frozenset(("event", "plan", "habit"))


_DAYS = word_set("mondays tuesdays wednesdays thursdays fridays saturdays sundays weekends every each")
_ON_DAYS = re.compile(  # Weekdays are most days: what is so on them is the usual.
    r"(?i)\b(?:(?:on|at) (?:the )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekends)"
    r"(?: and (?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days)?"
    r"|(?:every|each) (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
)
_DAY_NAME = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b")
_AN_HOUR = re.compile(
    r"(?i)(?:(?:at|from|by) )?(?:\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m)?|noon|midnight)(?: (?:to|until) [\w:.]+)?$"
)


@dataclass(frozen=True, slots=True)
class Once:
    """A part of a message that tells what is so in a short time only."""

    said: str
    text: str
    """The same without the time."""
    since: datetime
    until: datetime
    outright: bool
    """Whether it says itself that it is an exception."""


@dataclass(frozen=True, slots=True)
class OfDays:
    """A part of a message that tells what is so on some days of each week."""

    said: str
    text: str
    """The same without the days."""
    days: str


def read_apart(message: Message, cast: Cast, before: Sequence[Draft]) -> tuple[str, list[Draft]]:
    """The words of a message without those that tell an exception, and the drafts that those become."""
    text, drafts = message.content, list[Draft]()
    if words_in(text).isdisjoint(_TIMES | _DAYS):
        return text, []
    for part in parts_of(text):
        told = told_once(part, message.at) or told_of_days(part)
        if told is None or part not in text:
            continue
        scratch, at = deepcopy(cast), text.index(part)
        Reading(replace(message, content=text[:at]), scratch, before).read()
        reading = Reading(replace(message, content=told.text), scratch)
        found = limited(reading, told) if isinstance(told, Once) else on_these_days(reading.read(), told)
        if found is not None:
            text = _LOOSE.sub("", f"{text[:at]}{text[at + len(part) :]}").strip()
            drafts += found
    return text, drafts


def parts_of(text: str) -> list[str]:
    """The sentences of a text, and what stands after a "but" in them."""
    return [_LEAD.sub("", part).strip() for sentence in sentences_of(text) for part in _PARTS.split(sentence)]


def limited(reading: Reading, once: Once) -> list[Draft] | None:
    """What is told with the time in which it holds; None where it is no exception after all."""
    if _ON_CALL.match(once.text):
        duty = Found(ON_CALL, "the user")
        reading.draft(reading.speaker, duty, "state", Clause(once.text, ""), Dated(once.text))
        drafts = reading.drafts
    else:
        drafts = reading.read()
    if not once.outright and not (drafts and all(may_pass(draft, once) for draft in drafts)):
        return None
    source = Source(reading.message.id, once.said)
    return [
        replace(draft, kind="state", since=once.since, until=once.until, instead_of=None, source=source)
        for draft in drafts
        if draft.kind in ("state", "update", "plan") and draft.attribute and draft.attribute not in _OF_A_TIME
    ]


def may_pass(draft: Draft, once: Once) -> bool:
    """Whether something that is told of a day or a week is no change that stays, nor a thing that takes place once."""
    if draft.kind == "ending":
        return draft.negated  # "I'm not taking it this week" ends nothing.
    if draft.attribute == ON_CALL:
        return once.until - once.since <= NIGHT or draft.kind == "state"
    if draft.kind != "state" or draft.attribute in _NOT_FOR_A_DAY or draft.attribute in _OF_A_TIME:
        return False
    if attribute(draft.attribute).relation:
        return False  # "I'm seeing Dr. Holt on Monday"
    return not nouns.is_event(draft.attribute if draft.subject == USER else draft.subject)


def told_once(said: str, at: datetime) -> Once | None:
    """A statement with the short time that it is told for, if it may be an exception."""
    if len(said) > LONGEST or words_in(said).isdisjoint(_TIMES) or said.endswith("?"):
        return None
    marked = _ONCE.search(said)
    plain = _ONCE.sub("", said, count=1).lstrip() if marked else said
    whens = [when for when in find(plain, at, future=True) if not recurs(when, plain)]
    days = [day for when in whens if (day := day_in(when, plain, at))]
    if len(days) != 1 or days[0].relation != "during" or days[0].end <= at:
        return None
    if _IS.search(plain[: days[0].at[0]]):
        return None  # "The demo is on Thursday at 3": the day is what is told.
    when, outright = limit_around(days[0], plain)
    text = without(plain, [when]).rstrip(" .!")
    shared = text[: set_against.start()] if (set_against := _INSTEAD.search(text)) else text
    outright = outright or marked is not None or (shared != text and not changes(shared))
    long = when.end - when.start > DAYS
    if not outright and (long or changes(shared) or not goes_on(shared) or not stands_aside(when, plain)):
        return None
    if len(shared.split()) > MOST_WORDS or sum(map(len, clauses(shared))) > 1:
        return None  # What else is said need not be so in that time only.
    for future, present in _AS_PRESENT:
        shared = future.sub(present, shared)
    return Once(said, shared.strip(), day_start(when, at), when.end, outright)


def stands_aside(when: When, text: str) -> bool:
    """Whether the time stands before or after all that it is told of."""
    after = _INSTEAD.sub("", text[when.at[1] :])
    return not text[: when.at[0]].strip(" ,") or not _TOO.sub("", after).strip(" ,.!")


def changes(text: str) -> bool:
    """Whether it is told as a change that stays, or as nothing sure."""
    return not words_in(text).isdisjoint(_CHANGING) or _UNSURE.search(text) is not None


def goes_on(text: str) -> bool:
    """Whether it is something that may be so, or not be so, for a day."""
    return any(shape.search(text) for shape in (_FOR_A_WHILE, _DENIED, _ON_CALL))


def day_in(when: When, text: str, at: datetime) -> When | None:
    """The day, week or longer that a time tells; of "4pm today" the day alone, of "at 4pm" none."""
    if when.end - when.start > _MINUTE:
        return when
    day = _DAY.search(text, when.at[0], when.at[1])
    found = find(f"on {day[0]}" if day and day[0][0].isupper() else day[0], at, future=True) if day else []
    return replace(found[0], at=day.span()) if day and found else None


def limit_around(when: When, text: str) -> tuple[When, bool]:
    """The time with the words that make it an exception, if there are any: "just for today", "tomorrow only"."""
    first, last = when.at
    before, after = _LIMIT_BEFORE.search(text[:first]), _LIMIT_AFTER.match(text[last:])
    fronted = _FOR.search(text[:first])
    first = before.start() if before else fronted.start() if fronted else first
    last += after.end() if after else 0
    outright = bool(before or after or (fronted and first == 0 and text[last:].startswith(",")))
    return replace(when, at=(first, last)), outright


def day_start(when: When, at: datetime) -> datetime:
    """When it begins; what is so tonight counts for that day."""
    if when.end - when.start >= timedelta(days=1):
        return when.start
    local = when.start.astimezone(at.tzinfo)
    return local.replace(hour=0, minute=0, second=0, microsecond=0).astimezone(when.start.tzinfo)


# On some days of each week


def told_of_days(said: str) -> OfDays | None:
    """A statement with the days that it is told for: "on Sundays the shop opens at 11"."""
    found = list(_ON_DAYS.finditer(said)) if len(said) <= LONGEST else []
    if len(found) != 1 or said.endswith("?") or _IS.search(said[: found[0].start()]) or _UNSURE.search(said):
        return None
    text = f"{said[: found[0].start()].rstrip(' ,')} {said[found[0].end() :].lstrip(' ,')}".strip(" .!")
    return OfDays(said, text, _DAY_NAME.sub(lambda name: name[0].capitalize(), found[0][0].lower()))


def on_these_days(drafts: Sequence[Draft], told: OfDays) -> list[Draft] | None:
    """Hours and places of some days, filed under those days, so that they end nothing that holds on the others."""
    if drafts and all(draft.kind == "ending" and draft.negated for draft in drafts):
        return []  # Who is not vegetarian at weekends is so on the other days.
    if not drafts or not all(varies(draft) for draft in drafts):
        return None
    named = [(draft, attribute(f"{draft.attribute} {told.days}").name) for draft in drafts]
    return [
        replace(draft, attribute=name, text=f"{draft.text} {told.days}", many=False,
                source=replace(draft.source, quote=told.said) if draft.source else None)
        for draft, name in named
    ]  # fmt: skip


def varies(draft: Draft) -> bool:
    """Whether it may be otherwise on some days than on others: the hour of something, or where one works."""
    if draft.kind not in ("state", "update") or attribute(draft.attribute).holds != "one":
        return False
    return draft.attribute in ("works", "office", "location") or _AN_HOUR.match(draft.value) is not None
