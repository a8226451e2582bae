"""Other words under which the same may be filed: the name of the incident channel is the incident's channel. Pure."""

from __future__ import annotations

from dataclasses import replace

from recollect._kinds import kind_of_value
from recollect._values import is_plural
from recollect.attributes import attribute, said_as, sentence
from recollect.decisions import Desk, is_open
from recollect.later import later
from recollect.parting import generic_names, without_kind
from recollect.records import USER, Draft


def otherwise_filed(draft: Draft, desk: Desk) -> Draft:
    """The draft under the key of the one fact that is about the same under another split of its words: the name of
    the incident channel is the incident's channel."""
    keys = {as_key(*key) for key in other_keys(draft.subject, draft.attribute)}
    known = {as_key(fact.subject, fact.attribute) for fact in desk.facts.values()} if keys else set()
    if keys.isdisjoint(known) or as_key(draft.subject, draft.attribute) in known:
        return draft
    held = [fact for fact in desk.facts.values() if is_open(fact, draft.said)]
    same = [fact for fact in held if as_key(fact.subject, fact.attribute) in keys]
    told = len(same) == 1 and (same[0].attribute in TELLING) != (draft.attribute in TELLING)
    if len(same) != 1 or (told and kind_of_value(same[0].value) != kind_of_value(draft.value)):
        return draft
    subject, name = same[0].subject, same[0].attribute
    text = sentence(subject, name, draft.value) if draft.value else draft.text
    return replace(draft, subject=subject, attribute=name, category=same[0].category, text=text)


def same_things(subject: str, name: str) -> list[tuple[str, str]]:
    """The same thing, said with or without what it is."""
    core = without_kind(subject)
    if len(core.split()) > 2 or not (subject.islower() or core != subject.casefold() or subject.isupper()):
        return []
    named = [core, *generic_names(core)]
    return [(one, name) for one in named if one != subject.casefold()]


HOSTING = ("runs on", "location", "stored in", "runs", "is deployed on", "is hosted on", "deploys with", "region")
"""Where a thing is, by the several ways to say so."""


SEATS = ("home", "headquarters", "is located in")
"""Where a firm is."""


CARE = ("owner", "belongs", *(f"is {done} by" for done in (
    "handled", "managed", "overseen", "supervised", "coordinated", "run", "done", "looked after", "dealt with",
    "taken care of", "maintained", "led",
)))  # fmt: skip
"""Who sees to something, by the several ways to say so."""


FAMILIES = (HOSTING, SEATS, ("costs", "price"), ("happens", "date"), CARE)
"""Relations of a thing by which the same is said: what it costs is its price."""


def alike(subject: str, name: str) -> list[tuple[str, str]]:
    """The same thing under the other relations by which the same is said of it."""
    return [(subject, one) for family in FAMILIES if name in family for one in family if one != name]


TELLING = ("costs", "takes", "runs", "starts", "ends", "opens", "closes", "leaves", "happens")
"""What is said of a thing by a verb, and as well by "is": the plan costs 25 euros, the plan is 25 euros."""


_HYPHEN = later("[-_]")


def as_key(subject: str, name: str) -> tuple[str, str]:
    """A subject and an attribute, however they are written."""
    return _HYPHEN.sub(" ", subject.casefold()), name.casefold()


def other_keys(subject: str, name: str) -> list[tuple[str, str]]:
    """Other subjects and attributes that the same words may be split into; none for what the table knows."""
    if name.startswith(NUMBER_OF) and subject != USER:
        return counted(subject, name.removeprefix(NUMBER_OF), name)
    if name == "name" and attribute(subject).known and attribute(subject).holds == "one" and subject != USER:
        return [(USER, attribute(subject).name)]  # "we renamed our team"
    if name == "name" and "'s " in subject:  # "we renamed the repo's default branch"
        owner, _, key = subject.partition("'s ")
        return [(owner, attribute(key).name), (USER, f"{owner} {key}".casefold())]
    if name == "name" and subject != USER and not attribute(subject).known:
        phrase = subject.lower().split()
    elif name in HOSTING and subject != USER:
        if name == "runs on" and subject == subject.lower() and len(subject.split()) > 1:
            phrase = subject.split()  # "our main database is MySQL", and then it was moved to Postgres
            whole, (*before, last) = " ".join(phrase), phrase
            return [
                (USER, whole),
                (whole, "name"),
                (" ".join(before), last),
                *same_things(subject, name),
                *alike(subject, name),
            ]
        mine = [(USER, attribute(subject).name)]
        return [*alike(subject, name), *same_things(subject, name), *mine]
    elif name in TELLING and subject != USER:
        owner, _, key = subject.rpartition(" ")  # "the basic plan is 9 dollars", where the plan is taken for a key
        parted = [(owner, key)] if owner and subject.islower() else []
        return [*alike(subject, name), (USER, attribute(subject).name), *parted, *same_things(subject, name)]
    elif attribute(name).category in ("project", "finance", "contact") and attribute(name).known and subject != USER:
        *before, last = subject.split()
        split = [(" ".join(before), f"{last} {name}")] if before and subject.islower() else []
        mine = [(USER, f"{subject} {one}".casefold()) for one in dict.fromkeys((name, *said_as(name)))]
        return [*alike(subject, name), *same_things(subject, name), *split, *mine]
    elif subject != USER and any(name in family for family in FAMILIES):
        return [*alike(subject, name), (USER, f"{subject} {name}".casefold()), *same_things(subject, name)]
    elif attribute(name).known:
        return []
    elif placed := _PLACED.fullmatch(name):
        return [(subject, f"{placed['verb']} {other}") for other in PLACES if other != placed["link"]]
    elif subject != USER and (subject != subject.lower() or len(subject.split()) > 3):
        return counted(subject, name, name) if is_plural(name) else []
    else:
        phrase = [*(() if subject == USER else subject.split()), *name.split()]
    whole, (*before, last) = " ".join(phrase), phrase
    owners = dict.fromkeys((" ".join(before), "-".join(before))) if before else ()
    keys = [(USER, whole), (whole, "name"), *((one, as_) for one in owners for as_ in {last, attribute(last).name})]
    if subject == USER and (of := whole.rpartition(" of "))[1]:  # "our head of sales" is the head of sales
        keys.append((of[2], of[0]))
    if subject != USER:
        keys.append((USER, f"{name} of {subject}"))
    keys += [(whole, one) for one in (*TELLING, "deadline", "date")] + (
        same_things(subject, name) if subject != USER else []
    )
    keys += counted(subject, name, name) if subject != USER and is_plural(name) else []
    return [key for key in keys if key != (subject, name)]


PLACES = ("in", "on", "at", "under", "behind", "near", "by", "beside", "outside", "inside", "opposite")
_PLACED = later(
    r"(?P<verb>parks|sits|sleeps|stands|hangs|lies|meets|gathers|rehearses|practi[sc]es|trains|camps|sketches|is "
    rf"(?:parked|moored|docked|kept|stored|stationed|housed|buried|hung|placed|stabled)) (?P<link>{'|'.join(PLACES)})"
)
"""What is in one place at a time: who parked in a garage parks behind the library now. After most verbs another
preposition tells something else: who is paid in dollars may be paid by a bank."""
NUMBER_OF = "number of "


def counted(subject: str, what: str, name: str) -> list[tuple[str, str]]:
    """How many of something a thing has: its nodes are the number of its nodes, with or without what it is."""
    core = without_kind(subject)
    things = dict.fromkeys((subject, core, *generic_names(core)))
    keys = [(thing, key) for thing in things for key in (what, f"{NUMBER_OF}{what}")]
    return [key for key in keys if key != (subject, name)]
