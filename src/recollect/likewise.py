"""A key told shorter or longer than before: "my contact there" is my contact at Pelham Foods, "we close" is when our
shop closes, "my alarm" is what the alarm is set for. Pure."""

from __future__ import annotations

from dataclasses import replace

from recollect._kinds import kind_of
from recollect._values import word_set
from recollect.attributes import attribute, sentence
from recollect.decisions import OCCURRENCES, Desk, is_open, means
from recollect.later import later
from recollect.records import USER, Draft, Fact

_TOLD_WITH = later(r"(?i) (?P<link>at|in|for|with|on|from|of) (?P<what>.+)$|(?P<there> there| these days| right now)$")
"""What a key belongs to: "contact at Pelham Foods", "perfume of choice"."""
_SHOPS = word_set("shop store cafe café bakery restaurant salon clinic practice bar pub studio stall kiosk business")
"""What opens and closes when we do."""


def is_by_key(draft: Draft) -> bool:
    """Whether a draft tells something anew of what may have been told under a longer or a shorter key."""
    told = draft.kind in ("update", "plan", "correction", "ending") and bool(draft.value)
    return told and draft.instead_of is None and not draft.many and not attribute(draft.attribute).relation


def by_its_key(draft: Draft, desk: Desk) -> Draft:
    """The draft under the key of the one fact that it can be about, where nothing is filed under its own."""
    held = [fact for fact in desk.facts.values() if is_open(fact, draft.said) and fact.said <= draft.said]
    held = [fact for fact in held if fact.category not in OCCURRENCES and fact.disputes is None]
    if any(fact.attribute == draft.attribute and fact.subject == draft.subject for fact in held):
        return draft
    if draft.kind == "ending":
        same = [fact for fact in held if means(draft.value, fact) and is_of_ours(draft, fact)]
    else:
        same = [fact for fact in held if is_same_key(draft, fact) or is_said_of_thing(draft, fact)]
    if len(same) != 1:
        return draft
    [fact] = same
    of = draft.attribute if is_so_much_of(draft, fact) else ""
    value = f"{draft.value} of {of}" if of else draft.value
    text = sentence(fact.subject, fact.attribute, value)
    told = replace(
        draft, subject=fact.subject, attribute=fact.attribute, value=value, category=fact.category, text=text
    )
    return replace(told, many=False)  # As there is one that it can be about, there is one of it.


def is_of_ours(draft: Draft, fact: Fact) -> bool:
    """Whether what is said of us is so of a thing of ours: our sponsor is the sponsor of our club."""
    return draft.subject == USER and draft.attribute == fact.attribute and is_thing(fact.subject)


def is_thing(subject: str) -> bool:
    """Whether a subject is no person and has no name of its own."""
    return subject != USER and not subject[:1].isupper() and not attribute(subject).relation


def is_same_key(draft: Draft, fact: Fact) -> bool:
    """Whether one of two keys of one subject only leaves out what the other one belongs to."""
    if fact.subject.casefold() != draft.subject.casefold() or attribute(draft.attribute).known:
        return False
    if is_shorter_role(draft, fact) or is_same_measure(draft, fact) or is_so_much_of(draft, fact):
        return True
    (ours, mine), (theirs, its) = without_complement(draft.attribute), without_complement(fact.attribute)
    alone = not (mine and its) or "there" in (mine, its) or "choice" in (mine, its)
    return ours == theirs and alone and kind_of(draft.value) == kind_of(fact.value)


_SEVERAL = word_set("teacher tutor coach trainer doctor friend lawyer agent partner manager supplier provider insurer")
"""Those of whom one may have several, each for something else."""


def is_shorter_role(draft: Draft, fact: Fact) -> bool:
    """Whether somebody is told by their post alone: my nurse, who is the blood sugar nurse."""
    role, _, last = draft.attribute.rpartition(" ")
    named = draft.value[:1].isupper() and fact.value[:1].isupper()
    return (
        named
        and not role
        and last not in _SEVERAL
        and fact.attribute.endswith(f" {last}")
        and _POST.search(last) is not None
    )


_POST = later(r"(?:er|or|ist|ian|ant|man|woman|nurse|mechanic|vet|medic|nanny|sweep|groom|guide|chef|cook|butler)$")


def is_same_measure(draft: Draft, fact: Fact) -> bool:
    """Whether both are one measure, and the key of one is that of the other with what it is for: the tutoring rate."""
    kind = kind_of(draft.value)
    what, _, last = draft.attribute.rpartition(" ")
    told = any(what in source.quote.casefold() for source in fact.sources) if what else False
    return told and bool(kind) and kind == kind_of(fact.value) and attribute(last).name == fact.attribute


_SO_MUCH = later(r"(?i)\d[\d.,]* ?[a-z]{1,8}(?: of (?P<what>.+))?$")


def is_so_much_of(draft: Draft, fact: Fact) -> bool:
    """Whether a fact tells how much of something there was: 200 GB of iCloud storage, and now it is 2 TB."""
    was = _SO_MUCH.match(fact.value)
    told = was is not None and was["what"] is not None and was["what"].casefold() == draft.attribute
    return told and _SO_MUCH.match(draft.value) is not None


def without_complement(name: str) -> tuple[str, str]:
    """A key and what it belongs to."""
    match = _TOLD_WITH.search(name)
    if match is None or not match.start():
        return name.casefold(), ""
    return name[: match.start()].casefold(), (match["there"] or match["what"]).strip().casefold()


def is_said_of_thing(draft: Draft, fact: Fact) -> bool:
    """Whether the one is said of us and the other of a thing of ours, and both tell an hour, a day or a measure: "we
    close at eight" of a shop that closes at six, "my alarm is 7:15" of an alarm that is set for 6:45."""
    kind = kind_of(draft.value)
    if not kind or kind != kind_of(fact.value) or {draft.subject, fact.subject} == {USER}:
        return False
    if draft.subject == USER and draft.attribute == fact.attribute:
        return fact.subject in _SHOPS
    if draft.subject == USER:
        return draft.attribute == fact.subject and is_thing(fact.subject)
    return fact.attribute == draft.subject and is_thing(draft.subject)
