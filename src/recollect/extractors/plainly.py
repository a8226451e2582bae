"""What no pattern has a name for, filed by its own words: what someone does as a rule, with the verb as the relation
("keeps", "sleeps on", "files taxes with") and what follows as the value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from recollect.extractors import values
from recollect.extractors.naming import ARTICLES, LINKS
from recollect.extractors.open_verbs import STANCES, is_verb
from recollect.extractors.patterns import BY_VERB, GUESSED, LOOSE, Found
from recollect.extractors.people import relation_of, relation_pattern
from recollect.extractors.verb_groups import is_participle
from recollect.extractors.verbs import FORMS, Predicate, base_and_form, past_form, third_person
from recollect.facts.attributes import attribute, table
from recollect.records import Kind
from recollect.text.values import is_plural, word_set

SURE_OF_THINGS, SURE_OF_RELATION, SURE_OF_NEWS = LOOSE, 0.55, GUESSED
"""How sure a verb leaves us that nobody has a pattern for. What is done with things is done with several; what a
preposition ties to a verb may be one thing or several, so that a second value becomes a dispute; and what someone does
"now" may come beside what they did before."""

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
    r"(?i)(?:(?:all (?:of )?)?(?:my|our|its|his|her|their)|(?P<the>the)) (?P<what>[a-z][\w'-]*(?: [a-z][\w'-]*){0,2}?) "
    r"(?P<link>in|on|at|with|from|to|through|via|by|under|into|against) (?P<v>.+)$"
)
"""A certain thing and where it is, or with what: "my taxes with Taxfix", "the aquarium at 24 degrees"."""
_SET_TO = re.compile(
    r"(?P<what>(?:[a-z][\w-]*|[A-Z]{2,5}s)(?: [a-z][\w-]*)?) (?:(?P<by>for|at|to|within|after|every) "
    r"(?P<much>(?:(?:about|"
    r"around|up to) )?"
    r"(?:\d[\w.,]*|two|three|four|five|six|seven|eight|nine|ten|twelve|half)(?: [\w%/]+){1,4}|an? (?:day|hour|"
    r"week|month|minute|year)|\d[\d.]*(?:%|"
    r"[a-z]{1,3}))|"
    r"(?P<link>in|on|with|from|to|through|via|by|into) (?P<name>(?:the )?[A-Z][\w.'-]*(?: [A-Z\d][\w.'-]*){0,2}))$"
)
"""Things of one kind, and the measure or tool that they are kept to: "backups for 14 days", "charts with ECharts"."""
_MEAL = re.compile(r"(?P<what>breakfast|lunch|dinner|supper|tea) (?P<link>at|around) (?P<v>.+)$")
_HAVING_DONE = re.compile(
    r"(?:my|our) (?P<what>[a-z][\w-]*(?: [a-z][\w-]*)?) (?P<how>[a-z]+) (?P<link>by|at|in|with|from|through) (?P<v>.+)$"
)
"""What someone has others do: "my hair cut by Denise"."""
_GOING = re.compile(r"(?P<what>[a-z]{2,}ing) (?P<link>with|at|in|along|around|near) (?P<v>.+)$")
_MANNER = re.compile(
    r"(?:my|our|the) (?P<what>[a-z][\w-]*(?: [a-z][\w-]*)?) (?P<v>\d+[/:-]\d+|fifty-fifty|half and half|evenly|equally|"
    r"down the middle|in half|[a-z]+wise|black|white|neat|rare|medium|well done|soft-boiled|hard-boiled|short|long)$"
)
"""How something of one's own is always done: "split the bills 60/40"."""
_DONE_TO = re.compile(
    r"(?P<how>[a-z]+(?: (?:up|out|off|down|away|back))?) "
    r"(?P<link>in|on|at|with|from|to|through|via|by|under|into|against|for|behind|near|after|within) (?P<v>.+)$"
)
_STANDING = word_set(
    "accredited admitted apprenticed assigned banned barred certified contracted employed enrolled excluded excused "
    "exempt exempted immunised immunized insured licensed mentored microchipped boarded groomed housed kept stabled "
    "paid posted published qualified registered represented schooled signed "
    "stationed subscribed supervised taught trained treated tutored vaccinated"
)
"""What people are for some time; most participles only tell how they feel: shocked, swamped, caught."""
_BY_OTHERS = word_set(
    "based born called done followed known left located lost made meant moved named needed used written"
)
"""Participles of things that other patterns read."""
_CERTAINLY = re.compile(r"(?i)(?:my|our|the) ")
_SOMEONE = re.compile(rf"(?i)(?:my|our) {relation_pattern()}\b")
_PASTIMES = word_set(
    "bake box climb code compost cook crochet cycle dance dive draw fast fence fish freelance garden hike hunt jog "
    "journal juggle kayak knit meditate moonlight paint quilt ride row run sail sculpt sew sing skate ski smoke snore "
    "snowboard surf swim travel vape volunteer weave weld whittle"
)
"""What says enough of someone without an object."""
_FOR_WEEKS = word_set(
    "save fundraise renovate refurbish crochet knit sew weave breed foster raise mentor tutor coach rehearse "
    "apprentice shadow lodge sublet"
)
"""What takes weeks, so that whoever is at it does it for some time: "I'm saving for a camper van"."""
_AND_DOES = re.compile(r"and (?P<verb>[a-z]{3,})")
_ABOUT = re.compile(r"(?i)(?:about|around|roughly|up to|almost|over|nearly) (?=\d|[a-z]+ )")
COUNTED = re.compile(
    r"(?i)(?:about |around |roughly |up to |almost |over |minus )?(?:[$€£-] ?)?"
    r"(?:\d|(?:two|three|four|five|six|seven|eight|nine|ten|twelve|half)\b)"
)
_LINK = re.compile(
    r"(?P<link>(?:(?:up|out|off|in|down|over|away|back|around|about) )?(?:in|on|at|with|from|by|under|into|against|"
    r"near|within|via|behind|beside|across|among|outside|inside|between|to|for)|next to|close to|out of|off|above|"
    r"below|opposite|towards?|onto)\b ?(?P<rest>.*)"
)
"""What ties an object to its verb: "sleep on", "wake up to the radio"."""
_WITH_PARTICLE = {
    "eat": "(?:breakfast|lunch|dinner|supper|tea) (?:at|around)", "come": "from", "depend": "on", "lean": "on",
    "get": "around on|around by|around in|about on|about by",
    "live": "off|above|opposite|next to|behind", "look": "onto|out on", "stay": "with", "work": "opposite|next to",
    "stick": "with|to", "end": "at|in|on",
    "start": "at|in|on", "begin": "at|in|on",
}  # fmt: skip
"""Verbs of thinking and being that tell of a life with these words after them: "come from", "get around on"."""
_OF_PEOPLE = ("end", "start", "begin")
"""Of these, those that a person does once, and only a thing as a rule."""
_FOR_SOMEONE = re.compile(r"(?:for|at|with) [A-Z]")
_IDLY = re.compile(
    r"(?i)(?:fun|free|sure|now|example|instance|hours|years|ages|work|school|real|good|myself|ourselves)\b"
)
_DETERMINERS = ARTICLES | word_set(
    "my our your his her their its about around up only every each no some any all both two three"
)
_OPENING = LINKS | _DETERMINERS
_POINTS = re.compile(r"(?i)\b(?:it|this|that|them|you|your|me|below|above|here|there)\b")
WHILE = ("when", "while", "if", "because", "during", "before", "after", "until", "unless", "whenever", "now", "unlike")
"""Words with which a circumstance begins."""
_BEHIND = ("my", "our", "his", "her", "their", "to (?!the|a|an|my|our)[a-z]+")
"""Words behind an object with which something else is told: "a dinghy my uncle built", "spoons to relax"."""


def kept_up(predicate: Predicate, *, ahead: bool = False, anew: bool = False, person: bool = True) -> list[Found]:
    """What someone or something does as a rule, did once, or does no more. `ahead`: it begins later; `anew`: it is told
    as news."""
    rule = predicate.tense in ("present", "formerly") and not predicate.ongoing
    lasts = predicate.tense == "perfect" or "also" in predicate.adverbs or predicate.verb in _FOR_WEEKS
    goes_on = predicate.ongoing and lasts and predicate.tense in ("present", "perfect")
    if not (rule or goes_on) or predicate.can or (predicate.negated and not predicate.ended):
        return []
    kind: Kind | None = "ending" if predicate.ended else "past" if predicate.tense == "formerly" else None
    kind = kind or ("plan" if ahead else None)
    if predicate.verb == "be" or (predicate.verb == "get" and is_participle(predicate.rest.split(" ")[0])):
        return done_to(predicate.rest, kind, person=person)
    if predicate.verb in STANCES and not is_lasting_with(predicate, person=person):
        return []
    if doings := intransitive(predicate):
        return [Found("habit", verb, kind=kind, text=third_person(verb), confidence=SURE_OF_THINGS) for verb in doings]
    said = values.cut(predicate.rest, *WHILE)
    if kind == "past" and len(said) < len(values.without_tail(predicate.rest)):
        return []  # "I used to bake bread with my grandmother": who may bake bread still.
    anew = anew or "now" in predicate.adverbs
    if not person and (often := paced(third_person(predicate.verb), said, kind)):
        return often
    found = done_to_mine(predicate, said, kind) or done_to_kind(predicate, said, kind, person=person)
    if found := found or done_in_a_way(predicate, said, kind):
        return found
    timeless = predicate.verb in FORMS and past_form(predicate.verb) == predicate.verb
    if timeless and not (predicate.adverbs or anew or kind or _FOR_SOMEONE.match(said)):
        return []  # "I read a book": as a rule, or once?
    found = done_with(predicate, said, kind, anew=anew, person=person)
    if not found and predicate.ended and person and _SOMEONE.match(said):
        return [Found("habit", f"{predicate.verb} {values.one(said)}", kind="ending", confidence=SURE_OF_THINGS)]
    if goes_on and not anew:  # Who has been listening to one thing may be listening to others.
        return [replace(item, many=True) if item.many is None else item for item in found]
    return found


def is_lasting_with(predicate: Predicate, *, person: bool) -> bool:
    """Whether a verb that seldom tells of a life does so with the word that follows it here."""
    if predicate.verb in ("have", "get") and _HAVING_DONE.match(predicate.rest):
        return True
    after = _WITH_PARTICLE.get(predicate.verb)
    if not after or (person and predicate.verb in _OF_PEOPLE):
        return False
    return re.match(rf"(?:{after}) ", predicate.rest) is not None


def intransitive(predicate: Predicate) -> list[str]:
    """The verbs of a predicate that has no object: "knit", "fences and rides"."""
    first, rest = predicate.verb, predicate.rest.strip(" ,")
    if not rest or rest.split()[0].lower() in WHILE:
        return [first] if first in _PASTIMES or predicate.ended or predicate.tense == "formerly" else []
    second = _AND_DOES.fullmatch(rest)
    both = [first, base_and_form(second["verb"])[0]] if second else []
    return both if both and not _PASTIMES.isdisjoint(both) else []


OFTEN = re.compile(
    r"(?i)(?:(?:every|each) [\w ]{3,25}|by the hour|(?:once|twice|(?:two|three|four|five|\d+) times) an? \w+|hourly|"
    r"daily|nightly|weekly|fortnightly|monthly|quarterly|yearly|annually|every (?:other|second) \w+)"
)
"""How often something is done."""


def paced(verb: str, said: str, kind: Kind | None) -> list[Found]:
    """How often a thing does something, or it is done to it: "leaves every Tuesday", "is rebuilt hourly"."""
    often = OFTEN.fullmatch(values.without_tail(said))
    told = f"{verb} {said}"
    return [Found(verb, often[0], kind=kind, many=False, confidence=SURE_OF_THINGS, text=told)] if often else []


def done_to(said: str, kind: Kind | None = None, *, person: bool = False) -> list[Found]:
    """What is done to someone or something as a rule: "moored in Falmouth", "tutored by Mrs. Abernathy"."""
    how, _, rest = values.cut(said, *WHILE).partition(" ")
    if is_participle(how) and (often := paced(f"is {how}", rest, kind)):
        return often
    match = _DONE_TO.match(values.cut(said, *WHILE))
    if match is None or not is_participle(match["how"].split()[0]):
        return []
    if match["how"] not in _STANDING if person else match["how"] in _BY_OTHERS:
        return []
    items = objects(match["v"])
    if not all(map(is_object, items)):
        return []
    relation = f"is {match['how']} {match['link']}"
    many = True if len(items) > 1 else False if is_measure(match["link"], match["v"]) else None
    told = [match["v"]] if len(items) == 1 else items
    return [
        Found(relation, one, kind=kind, many=many, confidence=SURE_OF_RELATION, text=f"{relation} {whole}")
        for one, whole in zip(items, told, strict=True)
    ]


def done_to_mine(predicate: Predicate, said: str, kind: Kind | None) -> list[Found]:
    """What someone does to a certain thing in one place or way: "file my taxes with Taxfix"."""
    match = _CERTAIN.match(said)
    value = values.bare(values.one(match["v"])) if match else ""
    if match is None or not is_object(value) or (match["the"] and match["link"] not in ("at", "with")):
        return []  # "I merge the branch into main": once, and here.
    relation = f"{third_person(predicate.verb)} {match['what'].lower()} {match['link'].lower()}"
    return [filed(predicate, relation, value, kind, many=False, sure=SURE_OF_THINGS, said=match["v"])]


def done_to_kind(predicate: Predicate, said: str, kind: Kind | None, *, person: bool) -> list[Found]:
    """What is done to all things of a kind, for so long or up to so much; by a thing also with what, and where."""
    match = _SET_TO.fullmatch(said)
    if match is None or (person and not match["much"]) or is_verb([predicate.verb], "past"):
        return []
    what = match["what"].split()
    if not LINKS.isdisjoint(what) or what[0] in _DETERMINERS or _POINTING.match(match["what"]):
        return []
    if not (is_plural(what[-1]) or what[-1][:-1].isupper()) or relation_of(what[-1]):
        return []
    link, value = (match["by"] or match["link"]), (match["much"] or match["name"])
    relation = f"{third_person(predicate.verb)} {' '.join(what)} {link}".lower()
    return [filed(predicate, relation, values.bare(value), kind, many=False, sure=SURE_OF_THINGS, said=value)]


def done_in_a_way(predicate: Predicate, said: str, kind: Kind | None) -> list[Found]:
    """What is done at one hour, by one person, in one way: "eat dinner at seven", "have my hair cut by Denise"."""
    shape = {"eat": _MEAL, "have": _HAVING_DONE, "get": _HAVING_DONE, "go": _GOING}.get(predicate.verb, _MANNER)
    match = shape.match(said)
    if match is None or (shape is _HAVING_DONE and not is_participle(match["how"])):
        return []
    value = values.bare(values.one(match["v"]))
    parts = (match["what"], *(match[name] for name in ("how", "link") if name in match.re.groupindex))
    relation = " ".join((third_person(predicate.verb), *parts))
    sure = SURE_OF_RELATION if shape is _GOING else SURE_OF_THINGS
    many = None if shape is _GOING else False
    ours = is_object(value) or shape is _MANNER
    return [filed(predicate, relation, value, kind, many=many, sure=sure, said=match["v"])] if ours else []


def done_with(predicate: Predicate, said: str, kind: Kind | None, *, anew: bool, person: bool) -> list[Found]:
    """The things that a verb is said with, each by itself."""
    said = _ABOUT.sub("", said) if COUNTED.match(said) else said
    tied = _LINK.match(said)
    link, rest = (tied["link"].lower(), tied["rest"]) if tied else ("", values.cut(said, *_BEHIND))
    items = objects(rest)
    named = rest.lower().startswith(("a ", "an "))  # "a hearing aid" is a thing
    able = all(is_object(item, named=named) for item in items)
    if not able or not may_be_value(predicate, link, rest, person=person):
        return []
    relation = f"{third_person(predicate.verb)} {link}".strip()
    told = [rest] if len(items) == 1 else items
    own = attribute(relation).known and predicate.verb in BY_VERB
    if own and not person and predicate.verb == "run" and values.has_name(rest):  # "my laptop runs Ubuntu"
        return [Found(relation, items[0], kind=kind, many=False, confidence=SURE_OF_THINGS)]
    if own:  # Its own patterns have not found what they look for.
        doings = [f"{predicate.verb} {link} {whole}".replace("  ", " ") for whole in told] if person else []
        return [Found("habit", one, kind=kind, confidence=SURE_OF_THINGS) for one in doings]
    many, sure = how_many(items, link, rest, anew=anew, person=person)
    return [
        filed(predicate, relation, item, kind, many=many, sure=sure, said=whole)
        for item, whole in zip(items, told, strict=True)
    ]


def how_many(items: Sequence[str], link: str, rest: str, *, anew: bool, person: bool) -> tuple[bool | None, float]:
    """Whether such a value stands beside others, and how sure that is."""
    if len(items) > 1 or not (link or anew):
        return True, SURE_OF_THINGS
    if not person and (is_measure(link, rest) or not link):
        return False, SURE_OF_RELATION if link else SURE_OF_THINGS
    return None, SURE_OF_RELATION if link else SURE_OF_NEWS


def is_measure(link: str, said: str) -> bool:
    """Whether a preposition leads to a measure, of which there is one: "paginates at 50 items", "rated to minus 5"."""
    return link in ("at", "to") and COUNTED.match(said) is not None


def may_be_value(predicate: Predicate, link: str, rest: str, *, person: bool) -> bool:
    """Whether words after a verb tell what is done as a rule, and not what is done here and once."""
    words = rest.partition(" and ")[0].split()
    if not link and (words[0].lower() in LINKS or is_verb(words, "past")):
        return False
    if link.endswith("for") and _IDLY.match(rest):
        return False  # "paint for fun"
    if link.endswith("to") and predicate.verb != "listen" and not opens_object(words[0]):
        return False  # "travel to learn"
    if not _CERTAINLY.match(rest):
        return True
    someone = len(words) > 1 and relation_of(words[1]) is not None
    if person and "'s" in rest:
        return not someone
    if link or not person:
        return not (link and someone)
    more = rest[:4].lower() != "the " and len(words) > 2  # "dye my hair auburn", and not "attach my CV"
    return (more or values.has_name(" ".join(words))) and not someone


def opens_object(word: str) -> bool:
    """Whether a word can only stand before a noun, or is a name or a number."""
    return word.lower() in _OPENING or not word[0].islower() or COUNTED.match(word) is not None


def objects(said: str) -> list[str]:
    """The things that words name, each without its article. After "and" something else may be told that is done; and
    what is parted by it may belong together: "classes on Tuesdays and Thursdays"."""
    items = values.items(said) if " and " in said else []
    if any(goes_on_doing(one) for one in items[1:]):
        return [values.bare(values.one(said.partition(" and ")[0]))]
    listed = all(len(one.split()) <= 4 and LINKS.isdisjoint(one.split()[:-1]) for one in items[:-1])
    return [values.bare(one) for one in (items if len(items) > 1 and listed else [values.one(said)])]


def goes_on_doing(said: str) -> bool:
    """Whether words tell what else is done, rather than name a thing: "stare out the window", "mend my bikes"."""
    words = said.split()
    if len(words) < 2 or words[0].lower() in ARTICLES:
        return False
    base, form = base_and_form(words[0].lower())
    known = (words[0].lower() in FORMS and form != "ing") or base in STANCES
    return known or (words[1].lower() in _DETERMINERS and words[0][0].islower())


def filed(
    predicate: Predicate, relation: str, value: str, kind: Kind | None, *, many: bool | None, sure: float, said: str
) -> Found:
    """The value under its verb; where that is the name of something else ("hosts", of a server), as a habit."""
    if attribute(relation).name != relation and relation not in table().synonyms:
        return Found("habit", f"{predicate.verb} {said}", kind=kind, confidence=sure)
    return Found(relation, value, kind=kind, many=many, confidence=sure, text=f"{relation} {said}")


def is_object(value: str, *, named: bool = False) -> bool:
    """Whether words name a thing, a person, a place or a measure, and nothing in the conversation. `named`: an article
    stood before them, so that they name something."""
    words = value.split()
    if not 0 < len(words) <= LONGEST_OBJECT or (words[0].endswith(("ly", "ing")) and not named):
        return False
    return _POINTING.match(value) is None and _POINTS.search(value) is None
