"""One of many values as the same thing in another state: a habit told anew, a later version, another name. Pure."""

from __future__ import annotations

import re

from recollect._values import word_set
from recollect.attributes import attribute, canonical
from recollect.later import later
from recollect.programs import kind_of_program
from recollect.records import Draft, Fact

_WAYS = word_set("take ride walk cycle bike drive run commute bus train skate scoot")
"""How one gets somewhere: whoever now cycles to work takes the bus no more."""


_ROUGHLY = later(r"(?i)\b(?:about|around|roughly|nearly|almost|only|at least) ")


_TIMES = re.compile(r"(?i)\b(once|twice)\b")


def as_times(match: re.Match[str]) -> str:
    return "1 times" if match[0].lower() == "once" else "2 times"


_CIRCUMSTANCE = later(
    r"(?i) (?P<how>every|each|twice|once|daily|weekly|monthly|at|in|on|with|from|before|after|by|during|"
    r"(?:\d+|two|three|four|five|six) (?:times|days|nights|hours))\b.*$"
)
_TIME_OF_DAY = later(
    r"(?i)(?:in the (?:morning|evening|afternoon)s?|at (?:night|noon|midnight|lunch\w*|dawn|dusk|bedtime|\d.*)|"
    r"(?:before|after) (?:work|school|breakfast|lunch|dinner|bed|supper|tea))$"
)
_OFTEN = ("every", "each", "twice", "once", "daily", "weekly", "monthly")


def is_done_otherwise(new: str, old: str) -> bool:
    """Whether two habits are one thing done in another place, at another time, or more or less often: "wash my hair
    twice a week" after "wash my hair every day"."""
    ours, theirs = _CIRCUMSTANCE.search(new), _CIRCUMSTANCE.search(old)
    if ours is None or theirs is None or ours[0] == theirs[0]:
        return False
    how, before = (kind_of_circumstance(match[0].strip(), match["how"]) for match in (ours, theirs))
    core = canonical(new[: ours.start()])
    return how == before and len(core) > 1 and core == canonical(old[: theirs.start()])


def kind_of_circumstance(said: str, first: str) -> str:
    """What a circumstance tells: how often, at what time of the day, or else what its preposition does."""
    if _TIME_OF_DAY.match(said):
        return "when"
    return "often" if first.lower() in _OFTEN or first[0].isdigit() or " " in first else first.lower()


def is_same_habit(new: str, old: str, *, told_anew: bool) -> bool:
    """Whether two habits are one with another measure ("sleep six hours a night"), or, where it is told as new, with
    another object ("fly with Swiss")."""
    if told_anew and is_done_otherwise(new, old):
        return True
    ours, theirs = (canonical(_TIMES.sub(as_times, _ROUGHLY.sub("", one))) for one in (new, old))
    if told_anew and ours[0] == theirs[0] and all(len(one) > 1 and one[1][0].isdigit() for one in (ours, theirs)):
        return True  # "run 5k twice a week", and now "run 10k three times a week"
    if told_anew and ours[0] in _WAYS and theirs[0] in _WAYS and ours[-1] == theirs[-1] and len(ours[-1]) > 1:
        return "to" in new.split()[:-1] and "to" in old.split()[:-1]  # "take the bus to work", "cycle to work"
    if told_anew and theirs[0] == "commute" and ours[0] in _WAYS and ours[-1] == "work":
        return True  # "commute by bike", and now "take the tram to work"
    apart = [i for i in range(min(len(ours), len(theirs))) if ours[i] != theirs[i]]
    if len(ours) != len(theirs) or len(apart) != 1 or apart[0] == 0:
        return False
    counted = ours[apart[0]][0].isdigit() and theirs[apart[0]][0].isdigit()
    return counted or (told_anew and len(ours) > 2)


def is_later_version(new: str, old: str) -> bool:
    """Whether two values are one thing in two versions: "Java 11" and "Java 21"."""
    ours, theirs = canonical(new), canonical(old)
    if len(ours) < 2 or len(ours) != len(theirs) or ours[:-1] != theirs[:-1]:
        return False
    return ours[-1] != theirs[-1] and all(re.match(r"v?\d[\d.]*$", value[-1]) for value in (ours, theirs))


_SO_LONG = later(r"(?i)\b(\d+|one|two|three|four|five|six|eight|ten)-(?=[a-z])")


_COUNTED = later(r"(?i)(?:\d|once\b|twice\b|(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve)\b)")


def is_counted(value: str) -> bool:
    """Whether a value begins with how many, or how often."""
    return _COUNTED.match(value) is not None


def is_other_count(new: str, old: str) -> bool:
    """Whether two values are so many of one thing: "two approvals", "one approval"; "two-week sprints"."""
    ours, theirs = (canonical(_SO_LONG.sub(r"\1 ", _TIMES.sub(as_times, one))) for one in (new, old))
    if len(ours) < 2 or ours[1:] != theirs[1:] or ours[0] == theirs[0]:
        return False
    return ours[0].isdigit() and theirs[0].isdigit()


_OPPOSED = (
    ("night owl", "night person", "morning person", "early bird", "early riser"),
    ("introvert", "extrovert", "ambivert"),
    ("light sleeper", "heavy sleeper"),
    ("smoker", "non-smoker"),
)
_POSITIONS = word_set(
    "goalkeeper keeper goalie striker midfielder midfield defender sweeper winger forward fullback halfback "
    "centre-back center-back left-back right-back wicketkeeper pitcher catcher shortstop quarterback linebacker prop "
    "hooker flanker lock fly-half scrum-half setter libero goal-shooter"
)
_SIDES = later(
    r"(?i)(?:in )?(?:left|right|cent(?:er|re)|central|attacking|defensive|second|third|first|point|small|power|goal)"
    r"[ -](?:back|wing|winger|half|midfield|midfielder|forward|base|guard|row|field|attack|defen[cs]e|shooter)$"
)
"""Where someone stands in a game, of which one has one at a time."""


def is_other_position(new: str, old: str) -> bool:
    """Whether both are positions in a game: who plays right wing now is no left back."""
    return all(_SIDES.match(one) or one.casefold().removeprefix("in ") in _POSITIONS for one in (new, old))


"""Traits of which one has one."""


def is_other_trait(new: str, old: str) -> bool:
    """Whether two traits cannot both be: who is a morning person now is no night owl."""
    ours, theirs = (re.sub(r"(?i)^(?:an?|the|such an?) ", "", one).casefold() for one in (new, old))
    return ours != theirs and any(ours in kinds and theirs in kinds for kinds in _OPPOSED)


def is_renamed(draft: Draft, old: Fact) -> bool:
    """Whether someone has another family name: my sister Anneke Visser is Anneke Bakhuis now."""
    ours, theirs = draft.value.casefold().split(), old.value.casefold().split()
    related = attribute(draft.attribute).relation
    return related and len(ours) > 1 and len(theirs) > 1 and ours[0] == theirs[0] and ours[-1] != theirs[-1]


_DOSE = later(r"(?i)\d[\d.,]* ?(?:mg|mcg|µg|iu|ml)\b(?: of\b)?")


def is_other_dose(new: str, old: str) -> bool:
    """Whether two values are one medicine, and the new one has another dose: "40 mg of lisinopril"."""
    if not _DOSE.search(new) or _DOSE.findall(new) == _DOSE.findall(old):
        return False
    return canonical(_DOSE.sub("", new)) == canonical(_DOSE.sub("", old))


def runs_beside(draft: Draft, old: Fact) -> bool:
    """Whether a thing may run on both: what is on AWS may have a database there."""
    if draft.attribute != "runs on" or draft.instead_of:
        return False
    kinds = {kind_of_program(draft.value), kind_of_program(old.value)}
    return "database" in kinds and "" not in kinds and len(kinds) > 1


def takes_its_place(draft: Draft, old: Fact) -> bool:
    """Whether one of many values is the same thing in another state: a later version, a habit told anew."""
    if draft.attribute == "habit" and draft.many and draft.kind == "update":
        return False  # "I also train on Thursdays now"
    if draft.attribute == "habit":
        return is_same_habit(draft.value, old.value, told_anew=draft.kind in ("update", "plan"))
    if draft.attribute == "trait":
        return is_other_trait(draft.value, old.value)
    if draft.attribute == "medication":
        return is_other_dose(draft.value, old.value)
    if draft.attribute == "goal":
        return draft.kind == "update" and all(one.startswith("be ") for one in (draft.value, old.value))
    if draft.attribute == "plays":
        return draft.kind == "update" and is_other_position(draft.value, old.value)
    if draft.kind == "update" and is_renamed(draft, old):
        return True
    told_anew = draft.kind == "update" or draft.attribute == "requires"
    return told_anew and (is_later_version(draft.value, old.value) or is_other_count(draft.value, old.value))
