"""People who are told of in other ways than "my uncle Walter": "Uncle Walter", "Kenji on my team", "Gita, a colleague
of mine"."""

from __future__ import annotations

import re

from recollect.extractors.open_verbs import is_verb
from recollect.extractors.people import FEMALE, MALE, NAME, is_name, relation_of, relation_pattern
from recollect.extractors.verbs import third_person

_OPENS = r"(?:^|(?<=[.!?;] )|(?<=, )|(?<= and )|(?<= but ))"
_PARENTS = r"Mum|Mummy|Mom|Mama|Dad|Daddy|Papa|Grandma|Grandpa|Granny|Nana|Gran|Nan|Grandad|Granddad|Gramps"
_TITLED = re.compile(
    rf"{_OPENS}(?P<rel>Uncle|Aunt|Auntie|Aunty|Cousin|{_PARENTS}) (?P<name>(?!Sam\b|Ben's\b|Moses\b)[A-Z][\w-]+)"
    r"(?=(?:'s)? [a-z])"
)
"""Someone by a title of the family and a name."""
_THEIR_OWN = re.compile(rf"{_OPENS}(?P<rel>{_PARENTS})(?='s [a-z])")
"""What is theirs who need no name: "Grandpa's favourite drink"."""
_WHO_DOES = re.compile(rf"{_OPENS}(?P<rel>{_PARENTS})(?= (?P<verb>[a-z]+)(?:n't)? (?!are\b|were\b))")
_NEAR = re.compile(
    rf"{_OPENS}(?P<name>{NAME}),? (?:from|on|in|at) (?:my|our) (?P<where>team|squad|office|department|crew|"
    rf"shift|company|firm|"
    r"desk|class|course|seminar|street|building)(?:,)? (?=(?:[a-z]+(?:s|ed)|has|was|got|had|went|left|took|will)\b)"
)
_OF_MINE = re.compile(
    rf"{_OPENS}(?:(?P<name>{NAME}), (?:an?|one of) (?:(?:old|good|close|dear|former) "
    rf")?(?P<rel>{relation_pattern()})s? of "
    rf"(?:mine|ours),|[Aa]n? (?:(?:old|good|close|dear) )?(?P<first>{relation_pattern()}) of (?:mine|ours),? "
    rf"(?:called |named )?(?P<called>{NAME}),?) (?=[a-z])"
)
_WITH_THEIRS = re.compile(
    rf"{_OPENS}(?P<who>[Mm]y (?:[a-z-]+ )?{relation_pattern()}(?: {NAME})?) and (?:his|her|their) (?:new "
    rf")?(?:wife|husband|"
    r"partner|girlfriend|boyfriend|fiancée?|kids|children|family|son|daughter)(?: [A-Z][\w-]+)? (?P<verb>[a-z]+)(?= )"
)
_MATES = {
    "class": "classmate",
    "course": "classmate",
    "seminar": "classmate",
    "street": "neighbor",
    "building": "neighbor",
}
_TOLD_ME = re.compile(
    rf"{_OPENS}(?P<who>(?P<title>Mrs?|Ms|Dr|Prof)\.? {NAME}|(?:[Mm]y|[Oo]ur) (?:[a-z-]+ "
    rf"){{0,2}}?(?P<rel>{relation_pattern()})"
    rf"(?: {NAME})?) (?:just |has )*"
    r"(?:told (?:me|us)|let (?:me|us) know|mentioned)(?: (?:yesterday|today|last \w+))?(?: that)? "
    r"(?P<pronoun>s?he)(?P<be>'s)? "
    r"(?=[a-z])"
)
"""What someone told of themself: it is as good as seen."""
_PARTED = re.compile(
    rf"^(?P<one>(?!I\b){NAME}|[Mm]y (?:[a-z-]+ )?{relation_pattern()}(?: {NAME})?) and (?P<other>(?!I\b){NAME}) "
    r"(?:have |just |finally |recently )*(?:broke up|broken up|split up|split|separated|got divorced|divorced|"
    r"parted ways|"
    r"are (?:no longer|not) (?:together|a couple|an item)(?: any ?more)?|called it quits|ended things)"
    r"(?P<when>(?: (?:last|this|in|on|a) .*)?[.!]?)$"
)


def with_kin(text: str) -> str:
    """The text with its people as the speaker's: "my uncle Walter", "my colleague Kenji"."""
    text = _TITLED.sub(lambda match: f"my {match['rel'].lower()} {match['name']}", text)
    text = _THEIR_OWN.sub(lambda match: f"my {match['rel'].lower()}", text)
    text = _WHO_DOES.sub(
        lambda match: f"my {match['rel'].lower()}" if is_verb([match["verb"]], "third", "past") else match[0], text
    )
    if " my " in text or " our " in text:
        text = _NEAR.sub(near, text)
    if " of mine" in text or " of ours" in text:
        text = _OF_MINE.sub(of_mine, text)
    if " me " in text or " us " in text or " mentioned " in text:
        text = _TOLD_ME.sub(of_themself, text)
    if " and " in text:
        text = _WITH_THEIRS.sub(the_first, text)
    match = _PARTED.match(text) if " and " in text else None
    return f"{match['one']} broke up with {match['other']}{match['when']}" if match else text


def of_themself(match: re.Match[str]) -> str:
    """What someone told of themself, said of them; "she" is nobody's brother."""
    others = MALE if match["pronoun"] == "she" else FEMALE
    if relation_of(match["rel"] or "") in others or match["title"] in (
        ("Mr",) if match["pronoun"] == "she" else ("Mrs", "Ms")
    ):
        return match[0]
    return f"{match['who']} {'is ' if match['be'] else ''}"


def the_first(match: re.Match[str]) -> str:
    """What two do, as what the first of them does: "my brother lives"."""
    verb = {"are": "is", "were": "was", "have": "has", "do": "does"}.get(match["verb"], match["verb"])
    verb = third_person(verb) if is_verb([verb], "base") else verb
    return f"{match['who']} {verb}"


def near(match: re.Match[str]) -> str:
    """ "Kenji on my team" as "my colleague Kenji"."""
    name = match["name"]
    return f"my {_MATES.get(match['where'], 'colleague')} {name} " if is_name(name) else match[0]


def of_mine(match: re.Match[str]) -> str:
    """ "Gita, a colleague of mine," as "my colleague Gita"."""
    name, relation = match["name"] or match["called"], match["rel"] or match["first"]
    return f"my {relation} {name} " if is_name(name) and relation_of(relation) else match[0]
