"""Statements about whom someone has: relatives, children who are born, pets and their breeds."""

from __future__ import annotations

import re

from recollect.extractors import values
from recollect.extractors.patterns import Found, Groups, rows_of
from recollect.extractors.people import NAME, is_name, relation_of, relation_pattern
from recollect.extractors.verbs import Predicate
from recollect.text.values import word_set

row = rows_of(__name__)

_COUNT = r"(?:\d+|two|three|four|five|six|seven|eight|nine|ten|no)"
_PETS = word_set("dog cat rabbit hamster bird parrot horse fish turtle guinea pig")


def relative(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "have a sister named Anna", "have two kids", "have a dog"."""
    relation = relation_of(groups["rel"]) or ""
    if relation == "in law" and groups["rel"].lower() == "in law":
        return []  # "one in law and one in history"
    told = re.sub(r"^ (?:in|from) [A-Z]\w+ (?=named|called|whose)", "", groups["names"])
    names = re.findall(NAME, re.split(r"(?i)\b(?:who|which|that|in|from|at|because|but|so)\b", told)[0])
    names = [name for name in names if is_name(name)]
    pet = relation in _PETS or relation == "guinea pig" or relation == "pet"
    if names:
        return [Found(relation, name, many=len(names) > 1 or None) for name in names]
    if groups["count"] and relation in ("child", "sister", "brother", "sibling"):
        number = groups["count"].lower()
        several = "children" if relation == "child" else f"{relation}s"
        return [Found(f"number of {several}", number, text=f"has {number} {several}")]
    if groups["count"].lower() == "no":
        return []
    if pet:
        kind = values.bare(groups["rel"].lower())
        return [
            Found("pet", f"{groups['count']} {kind}".strip() if groups["count"] else f"{groups['adj']}{kind}".strip())
        ]
    if predicate.negated or groups["count"].lower() == "no":
        return []
    if relation in ("child", "son", "daughter") and predicate.verb == "have" and predicate.tense == "past":
        return [Found("family", f"{groups['count'] or 'a'} {groups['adj']}{groups['rel']}".strip(), kind="update")]
    return [Found("family", f"{groups['count'] or 'a'} {groups['adj']}{groups['rel']}".strip())]


_RELATIVE = (
    rf"(?:got )?(?:(?:(?P<count>{_COUNT})|an?|my|another|one|some) |(?=twins|triplets))(?P<adj>(?:(?!(?:for|of|to|"
    rf"with|in|on|my|the|and|about|"
    rf"that|from)\b)[a-z\d-]+ ){{0,4}}?)(?P<rel>{relation_pattern()})s?(?: girl| boy)?(?=$|[,.:]|\s(?:who|that|which|"
    rf"named|called|whose|and|in|at|from|with|for|on|so|but|back|too|as|under|aged|over)\b)(?P<names>(?: (?:in|from) "
    rf"(?-i:[A-Z])\w+)?,? (?:named|called|whose "
    rf"names? (?:is|are)|and (?:his|her|its) name is|and (?:have |has )?(?:named|called) (?:him|her|it|them)) .+|"
    rf"[,:] (?-i:[A-Z]).+)?"
)
_BREEDS = {
    "dog": "retriever labrador lab poodle beagle terrier greyhound spaniel collie shepherd dachshund corgi husky pug "
    "bulldog chihuahua labradoodle cockapoo whippet pointer setter rottweiler doberman dalmatian mastiff puppy pup "
    "mutt",
    "cat": "siamese persian ragdoll bengal tabby kitten kitty shorthair calico tomcat",
    "horse": "pony mare gelding stallion foal",
    "bird": "budgie cockatiel canary parakeet cockatoo",
    "fish": "goldfish koi guppy betta",
    "turtle": "tortoise terrapin",
    "pet": "gecko snake lizard ferret rat mouse hedgehog chinchilla gerbil goat donkey alpaca hen chicken duck python",
}
_BREED = {word: kind for kind, words in _BREEDS.items() for word in words.split()}
_NAMED_PET = (
    rf"(?:got )?(?:an?|another|our|my) (?:[\w-]+ ){{0,3}}?(?P<breed>{'|'.join(_BREED)})(?: puppy| cat| dog)?"
    rf"(?:,? (?:named|called|whose name is|and (?:his|her|its) name is|and (?:have |has )?(?:named|called) "
    rf"(?:him|her|it))|,) "
    rf"(?P<v>{NAME})"
)


def named_pet(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "have a beagle called Monty"."""
    return [Found(_BREED[groups["breed"].lower()], groups["v"])] if is_name(groups["v"]) else []


_NAMED_PETS = (
    rf"(?:got )?(?:two|three|four|five|some) (?:[a-z-]+ ){{0,2}}?(?P<breed>{'|'.join(_BREED)})s"
    rf"(?:,? (?:named|called)|,|:) (?P<v>{NAME}(?:, {NAME})*,? and {NAME})$"
)


def named_pets(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "have two budgies, Pip and Pop"."""
    kind = _BREED[groups["breed"].lower()]
    return [Found(kind, name, many=True) for name in values.items(groups["v"]) if is_name(name)]


row("have own", _NAMED_PETS, named_pets)
row("get adopt buy rescue", _NAMED_PETS, named_pets, change=True)
row("have own", _NAMED_PET, named_pet)
row("get adopt buy rescue", _NAMED_PET, named_pet, change=True)


def newborn(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "had our second child, a boy named Otis"."""
    relation = {"boy": "son", "girl": "daughter", "": "child"}.get(groups["rel"].lower(), groups["rel"].lower())
    come = predicate.tense in ("past", "perfect", "present") and not predicate.negated and is_name(groups["v"])
    return [Found(relation, groups["v"], kind="state")] if come else []


row(
    "have welcome",
    rf"(?P<rel>)(?:our|my|an?) (?:first|second|third|fourth|fifth|sixth)(?: child| baby| kid| one)?,? (?:little |"
    rf"baby |called |"
    rf"named )*(?P<v>{NAME})$",
    newborn,
)
row(
    "have welcome",
    rf"(?:(?:our|my|one|an?|the) (?:[\w-]+ )?(?:child|baby|kid|one),? )?(?:an? )?(?:healthy |little |beautiful |baby "
    rf")*(?P<rel>boy|girl|"
    rf"son|daughter)(?:,? (?:named|called)|,| and (?:named|called) (?:him|her)) (?P<v>{NAME})$",
    newborn,
)
row(
    "have raise see own",
    _RELATIVE,
    lambda groups, p: relative(groups, p) if p.verb != "see" or (p.ongoing and groups["names"]) else [],
)
row("get adopt buy rescue hire find", _RELATIVE, relative, change=True)


def unnamed_pet(groups: Groups, predicate: Predicate) -> list[Found]:
    """ "have an elderly greyhound and two hens"."""
    if predicate.negated and not predicate.ended:
        return []
    several = f"{groups['count']} {groups['breed']}s"
    return [Found("pet", (several if groups["count"] else f"{groups['adj']}{groups['breed']}").lower())]


_PET = (
    rf"(?:got )?(?:(?P<count>{_COUNT})|an?|another|one) "
    rf"(?P<adj>(?:(?!(?:of|for|about|with|on|in)\b)[a-z-]+ ){{0,2}}?)"
    rf"(?P<breed>{'|'.join(_BREED)})s?(?=$|[,.]| and | now\b)"
)
row("have own", _PET, unnamed_pet)
row("get adopt buy rescue", _PET, unnamed_pet, change=True)
