"""What no pattern has a name for, filed by its own words: what someone does as a rule, with the verb as the relation
("keeps", "sleeps on", "files taxes with") and what follows as the value."""

from __future__ import annotations

import re

from recollect._values import word_set
from recollect.attributes import attribute, table
from recollect.extractors import values
from recollect.extractors.naming import LINKS
from recollect.extractors.open_verbs import NO_VERB, STANCES, is_verb
from recollect.extractors.patterns import Found
from recollect.extractors.people import relation_of
from recollect.extractors.verb_groups import is_participle
from recollect.extractors.verbs import FORMS, Predicate, base_and_form, past_form, third_person
from recollect.records import Kind

SURE_OF_THINGS, SURE_OF_RELATION = 0.7, 0.55
"""How sure a verb leaves us that nobody has a pattern for. What is done with things is done with several; what a
preposition ties to a verb may be one thing or several, so that a second value becomes a dispute."""

LONGEST_OBJECT = 7

_POINTING = re.compile(
    r"(?i)(?:you|your|yours|it|its|this|that|these|those|them|they|him|her|he|she|his|their|me|us|myself|yourself|"
    r"ourselves|what|how|why|where|when|who|which|if|whether|there|here|something|anything|everything|nothing|someone|"
    r"anyone|everyone|nobody|one|ones|some|any|all|both|each|every|many|much|more|most|less|least|few|several|lots?|"
    r"plenty|same|and|or|once|twice|daily|weekly|earlier|later|yesterday|today|tomorrow|tonight|lately|other|others|"
    r"another|such|too|so|very|well|better|fine|ok|okay|good|bad|hard|fast|slowly|ahead|forward|away|back|along|apart|"
    r"together|again|up|down|out|off|over|around|to|as|like|than|not|people|things?|stuff|way|help|advice|tips|ideas?|"
    r"recommendations?|suggestions?|information|details|questions?)\b"
)
"""What stands in the conversation, is asked for, or is no object at all."""
_CERTAIN = re.compile(
    r"(?i)(?:all (?:of )?)?(?:my|our|the|its|his|her|their) (?P<what>[a-z][\w'-]*(?: [a-z][\w'-]*){0,2}?) "
    r"(?P<link>in|on|at|with|from|to|through|via|by|under|into|against) (?P<v>.+)$"
)
"""A certain thing and where it is, or with what: "my taxes with Taxfix", "the aquarium at 24 degrees"."""
_DONE_TO = re.compile(
    r"(?P<how>[a-z]+) "
    r"(?P<link>in|on|at|with|from|to|through|via|by|under|into|against|for|behind|near|after) (?P<v>.+)$"
)
_FEELINGS = word_set(
    "addicted allowed amazed annoyed based blessed bored born called committed concerned confused dedicated "
    "determined disappointed divorced done due engaged excited expected exposed focused followed frustrated gone "
    "hooked impressed inclined inspired interested involved known left limited located lost made married meant "
    "motivated moved named needed obsessed opposed overwhelmed pleased prepared related required restricted "
    "satisfied scared stressed stuck subjected supposed surprised thrilled tired touched used worried"
)
"""Participles that tell how someone feels, or that other patterns read."""
_MINE = re.compile(r"(?i)(?:my|our) ")
_AND_DOES = re.compile(r"and (?P<verb>[a-z]{3,})")
_ABOUT = re.compile(r"(?i)(?:about|around|roughly|up to|almost|over|nearly) (?=\d|[a-z]+ )")
COUNTED = re.compile(
    r"(?i)(?:about |around |roughly |up to |almost |over |minus )?(?:[$€£-] ?)?"
    r"(?:\d|(?:two|three|four|five|six|seven|eight|nine|ten|twelve|half)\b)"
)
_LINK = re.compile(
    r"(?P<link>(?:(?:up|out|off|in|down|over|away|back) )?(?:in|on|at|with|from|by|under|into|against|near|within|via|"
    r"behind|beside|across|among|outside|inside|between|to|for))\b ?(?P<rest>.*)"
)
"""What ties an object to its verb: "sleep on", "wake up to the radio"."""
_IDLY = re.compile(
    r"(?i)(?:fun|free|sure|now|example|instance|hours|years|ages|work|school|real|good|myself|ourselves)\b"
)
CIRCUMSTANCE = ("when", "while", "if", "because", "during", "before", "after", "until", "unless", "whenever")


def kept_up(predicate: Predicate, *, ahead: bool = False, anew: bool = False) -> list[Found]:
    """What someone does as a rule, did once, or does no more. `ahead`: it begins later; `anew`: it is told as news."""
    lasting = predicate.tense in ("present", "formerly") and not predicate.ongoing
    begun = predicate.ongoing and (predicate.tense == "perfect" or (predicate.tense == "present" and not ahead))
    told = lasting or (begun and (anew or predicate.tense == "perfect" or "also" in predicate.adverbs))
    if not told or predicate.can or (predicate.negated and not predicate.ended):
        return []
    if past_form(predicate.verb) == predicate.verb and predicate.verb in FORMS and not (predicate.adverbs or anew):
        return []  # "I read a book": as a rule, or once?
    kind: Kind | None = "ending" if predicate.ended else "past" if predicate.tense == "formerly" else None
    kind = kind or ("plan" if ahead else None)
    anew = anew or "now" in predicate.adverbs
    if predicate.verb == "be" or (predicate.verb == "get" and is_participle(predicate.rest.split(" ")[0])):
        return done_to(predicate.rest, kind)
    if predicate.verb in STANCES:
        return []
    said = values.cut(predicate.rest, *CIRCUMSTANCE)
    if doings := intransitive(predicate):
        return [Found("habit", verb, kind=kind, text=third_person(verb), confidence=SURE_OF_THINGS) for verb in doings]
    return done_to_mine(predicate, said, kind) or done_with(predicate, said, kind, anew=anew)


def intransitive(predicate: Predicate) -> list[str]:
    """The verbs of a predicate that has no object: "knit", "fences and rides"."""
    if not predicate.rest.strip(" ,"):
        return [predicate.verb]
    second = _AND_DOES.fullmatch(predicate.rest)
    return [predicate.verb, base_and_form(second["verb"])[0]] if second and second["verb"] not in NO_VERB else []


def done_to(said: str, kind: Kind | None = None) -> list[Found]:
    """What is done to someone or something as a rule: "moored in Falmouth", "tutored by Mrs. Abernathy"."""
    match = _DONE_TO.match(values.cut(said, *CIRCUMSTANCE))
    if match is None or not is_participle(match["how"]) or match["how"] in _FEELINGS:
        return []
    items = objects(match["v"])
    if not all(map(is_object, items)):
        return []
    relation = f"is {match['how']} {match['link']}"
    many = True if len(items) > 1 else False if COUNTED.match(match["v"]) else None
    told = [match["v"]] if len(items) == 1 else items
    return [
        Found(relation, one, kind=kind, many=many, confidence=SURE_OF_RELATION, text=f"{relation} {whole}")
        for one, whole in zip(items, told, strict=True)
    ]


def done_to_mine(predicate: Predicate, said: str, kind: Kind | None) -> list[Found]:
    """What someone does to a certain thing in one place or way: "file my taxes with Taxfix"."""
    match = _CERTAIN.match(said)
    value = values.bare(values.one(match["v"])) if match else ""
    if match is None or not is_object(value):
        return []
    relation = f"{third_person(predicate.verb)} {match['what'].lower()} {match['link'].lower()}"
    return [filed(predicate, relation, value, kind, many=False, sure=SURE_OF_THINGS, said=match["v"])]


def done_with(predicate: Predicate, said: str, kind: Kind | None, *, anew: bool) -> list[Found]:
    """The things that a verb is said with, each by itself."""
    said = _ABOUT.sub("", said) if COUNTED.match(said) else said
    tied = _LINK.match(said)
    link, rest = (tied["link"].lower(), tied["rest"]) if tied else ("", said)
    items = objects(rest)
    if _MINE.match(rest) and relation_of(items[0].split(" ")[0]):
        return []  # "I listen to my wife": of people other patterns tell.
    if link.endswith(("to", "for")) and (is_verb(rest.split(), "base") or _IDLY.match(rest)):
        return []  # "travel to learn", "paint for fun"
    if any(not LINKS.isdisjoint(one.split()) for one in items[:-1]):
        return []  # "classes on Tuesdays and Thursdays": what belongs together is not told by the words alone.
    if not all(map(is_object, items)) or (not link and rest.split()[0].lower() in LINKS):
        return []
    if is_verb(items[0].split(), "past") or any(is_verb(one.split(), "base", "past") for one in items[1:]):
        return []  # "marshmallows, tell stories and swim": what else is done.
    relation = f"{third_person(predicate.verb)} {link}".strip()
    one_value = COUNTED.match(rest) is not None or (anew and not link)
    many = True if len(items) > 1 else False if one_value else None if link else True
    sure = SURE_OF_RELATION if link and len(items) == 1 else SURE_OF_THINGS
    told = [rest] if len(items) == 1 else items
    return [
        filed(predicate, relation, one, kind, many=many, sure=sure, said=whole)
        for one, whole in zip(items, told, strict=True)
    ]


def objects(said: str) -> list[str]:
    """The things that words name, each without its article; after a mere comma something else may be said."""
    items = values.items(said) if " and " in said else []
    brief = all(len(one.split()) <= 4 for one in items[:-1])
    return [values.bare(one) for one in (items if len(items) > 1 and brief else [values.one(said)])]


def filed(
    predicate: Predicate, relation: str, value: str, kind: Kind | None, *, many: bool | None, sure: float, said: str
) -> Found:
    """The value under its verb; where that is the name of something else ("hosts", of a server), as a habit."""
    if attribute(relation).name != relation and relation not in table().synonyms:
        return Found("habit", f"{predicate.verb} {said}", kind=kind, confidence=sure)
    return Found(relation, value, kind=kind, many=many, confidence=sure, text=f"{relation} {said}")


def is_object(value: str) -> bool:
    """Whether words name a thing, a person, a place or a measure."""
    words = value.split()
    return 0 < len(words) <= LONGEST_OBJECT and _POINTING.match(value) is None and not words[0].endswith(("ly", "ing"))
