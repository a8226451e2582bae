"""Whom a clause is about, and what is left of it to be said of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from recollect.extractors.clauses import Clause
from recollect.extractors.keywords import has_any, words_in
from recollect.extractors.people import NAME, Cast, is_name, relation_of, relation_pattern, relation_words
from recollect.extractors.verbs import ADVERBS, FORMS, base_and_form
from recollect.facts.attributes import attribute
from recollect.text.values import word_set

_FIRST = re.compile(r"^(?:I|i|we|We|WE)\s+(?P<rest>.+)$")
_PRONOUN = re.compile(r"^(?P<who>[Hh]e|[Ss]he|[Tt]hey)\s+(?P<rest>.+)$")
_THEIRS = re.compile(r"^(?P<who>[Hh]is|[Hh]er|[Tt]heir|[Ii]ts(?= name))\s+(?P<rest>.+)$")
_NAMED = re.compile(rf"^(?P<name>{NAME})(?P<own>'s)?\s+(?P<rest>.+)$")
_RANKED = re.compile(r"^(?:[Mm]y|[Oo]ur|[Tt]he) (?P<who>youngest|eldest|oldest) (?P<rest>.+)$")
"""One of the speaker's children."""
_FROM_THERE = re.compile(
    rf"^(?P<name>{NAME}) (?:from|in|over in) (?:the )?(?:accounting|accounts|HR|hr|IT|it|sales|support|finance|"
    rf"marketing|legal|"
    r"engineering|ops|operations|product|procurement|payroll|reception|logistics|design) (?=[a-z]+)"
)
"""Where one knows somebody from, which is no part of the name."""
_PARENT = re.compile(
    r"^(?=(?i:Mum|Mom|Mama|Dad|Papa|Grandma|Grandpa|Granny|Nana|Gran|Nan|Grandad|Granddad|Gramps|Auntie)\b)"
)
_TOOL = re.compile(
    r"(?:password|package|window|task|file|download|clipboard|boot|memory|version|session|plugin|font|product|"
    r"project|release|office|account|community|marketing|sales|store|shop|property|case|campaign|brand|event|stage|"
    r"tour) $"
)
"""What makes a program of a manager, or someone who is nobody's boss."""
_COMPOUNDS = word_set(
    "board company companies printer fight group groups seat litter tongue figure tag name food tree house sitter "
    "carrier bed toy show cave organisation organization firm appointment checkup visit meeting lesson session call "
    "wedding party birthday trip office bill"
)
"""Nouns that make a thing of a relation: "my sister company is Acme"."""
_HELPING = word_set("will can would used no not do does did have has had")


@dataclass(frozen=True, slots=True)
class Spoken:
    """Whom a clause is about."""

    subject: str
    rest: str
    """The clause without its subject: a predicate, or a key and its value when `own`."""
    relation: str = ""
    name: str = ""
    """The name of someone of that relation, when the clause tells it."""
    own: bool = False
    """Something of theirs is spoken of: "my sister's birthday is …"."""
    first: bool = False
    known: bool = True
    """False for a name that nothing is known of."""
    called: str = ""
    """The name that the clause calls them by."""
    pronoun: bool = False
    role: str = ""
    """What one of several of a relation is: the piano teacher, the tennis coach."""


@lru_cache(maxsize=1)
def _related() -> re.Pattern[str]:
    return re.compile(
        rf"^(?:[Mm]y|[Oo]ur)\s+(?:(?!best)[\da-z-]+\s+){{0,3}}?(?P<rel>{relation_pattern()})(?P<own>'s|'(?=\s))?"
        rf"(?:,?\s+(?P<name>{NAME})(?P<named_own>'s)?(?:,(?=\s))?)?\s+(?P<rest>.+)$"
    )


@lru_cache(maxsize=1)
def _relatives() -> frozenset[str]:
    """Words without which no relation is named."""
    return frozenset(max(words_in(words), key=len) for words in relation_words())


@lru_cache(maxsize=1)
def _the_pet() -> re.Pattern[str]:
    """A household's only dog or cat is "the dog"."""
    pets = [word for word, name in relation_words().items() if attribute(name).category == "pets" and word != "pet"]
    verbs = "|".join(sorted(form for form, (_, kind) in FORMS.items() if kind in ("third", "past")))
    several = "|".join(sorted(form for form, (_, kind) in FORMS.items() if kind in ("base", "past")))
    return re.compile(
        rf"^[Tt]he (?P<rel>{'|'.join(sorted(pets, key=len, reverse=True))}) (?P<rest>(?:{verbs})\b.+)$|"
        rf"^[Tt]he (?P<kids>kids|children|twins) (?P<more>(?:{several}|are)\b.+)$"
    )


def spoken_of(text: str, clause: Clause, cast: Cast, speaker: str) -> Spoken | None:
    """Whom the clause is about, when that can be told."""
    if match := _FIRST.match(text):
        return Spoken(speaker, match["rest"], first=True)
    if clause.relative == "who" and starts_with_verb(text):
        return Spoken(cast.recent[-1][0], text) if cast.recent else None
    text = _PARENT.sub("my ", text)
    if has_any(text, _relatives()) and (match := _related().match(text)):
        return related(match, cast)
    if (match := _RANKED.match(text)) and starts_with_verb(match["rest"]):
        return Spoken(match["who"].lower(), match["rest"], "child")
    if match := _PRONOUN.match(text) or _THEIRS.match(text):
        who = cast.by_pronoun(match["who"].lower())
        return Spoken(who[0], match["rest"], who[1], own=match.re is _THEIRS, pronoun=True) if who else None
    if (match := _the_pet().match(text)) and match["kids"]:
        return Spoken(match["kids"], match["more"], "child")
    if match:
        return Spoken(relation_of(match["rel"]) or match["rel"], match["rest"], relation_of(match["rel"]) or "")
    if match := _NAMED.match(_FROM_THERE.sub(r"\g<name> ", text, count=1)):
        return by_name(match, cast)
    return None


def starts_with_verb(text: str) -> bool:
    """Whether the text begins with a verb, perhaps after adverbs."""
    for word in text.lower().split()[:4]:
        word = word.strip(",")
        if word in FORMS or word in _HELPING or (len(word) > 4 and word.endswith("ed")):
            return True
        if word not in ADVERBS:
            return False
    return False


def acts(text: str) -> bool:
    """Whether the text begins with what looks like a verb in the form that goes with one person, and no other verb
    follows: "restores old radios", and not "companies are"."""
    words = [word for word in text.split()[:4] if word.lower() not in ADVERBS]
    if len(words) < 2 or not words[0].isalpha() or not words[0].islower() or words[0] in _COMPOUNDS:
        return False
    base, form = FORMS.get(words[1].lower(), ("", ""))
    return base_and_form(words[0])[1] == "third" and form != "base" and base not in ("be", "have", "do")


def starts_plain(text: str) -> bool:
    """Whether the first verb is in a form that does not go with one person: "Sounds like fun"."""
    first = text.split()[0].lower()
    return FORMS.get(first, ("", ""))[1] == "base" and first not in (
        "quit",
        "read",
        "put",
        "cut",
        "set",
        "split",
        "hurt",
    )


def of_theirs(rest: str) -> tuple[str, str] | None:
    """Someone of someone's, and what they do: "husband" and "runs a bakery" of my sister's husband."""
    who, _, does = rest.partition(" ")
    if relation_of(who.lower()) is None or not does or does.split()[0] in ("is", "are", "was", "were"):
        return None  # "my son's teacher is Ms. Hall" tells who that is.
    several = who.endswith("s") and FORMS.get(does.split()[0], ("", ""))[1] == "base"
    return (who.lower(), does) if several or starts_with_verb(does) or acts(does) else None


_RANKS = word_set("older younger little big")


def related(match: re.Match[str], cast: Cast) -> Spoken | None:
    """Someone by their relation to the speaker, with a name where one is told."""
    word, name, rest = match["rel"].lower(), match["name"] or "", match["rest"]
    relation = relation_of(word) or word
    own = bool(match["own"] or match["named_own"])
    if (name and not is_name(name)) or _TOOL.search(match[0][: match.start("rel") - match.start()]):
        return None
    if not name and not own and not starts_with_verb(rest) and not acts(rest):
        first, _, after = rest.partition(" ")
        named = first.isalpha() and first.islower() and match[0][0].islower() and first not in _COMPOUNDS
        if not (named and starts_with_verb(after)) or attribute(first).known:
            return None
        name, rest = first.title(), after
    if is_former(match[0][: match.start("rel") - match.start()], relation):
        return Spoken(name or f"former {relation}", rest, own=own)
    if own and (theirs := of_theirs(rest)):
        return Spoken(f"{cast.subject(relation, name)}'s {theirs[0]}", theirs[1])
    rank = word.partition(" ")[0]
    if not name and rank in _RANKS and cast.rank(relation, rank) != rank:
        return Spoken(f"{rank} {relation}", rest, relation, own=own)
    if word != relation and word.endswith("s") and not word.endswith(("ss", "is")):
        return Spoken(word, rest, relation, name, own=own)
    role = role_named(match[0][: match.end("rel") - match.start()])
    return Spoken(cast.subject(relation, name), rest, relation, name, own=own, role=role)


_FORMER = re.compile(r"(?i)\b(?:former|previous|erstwhile|late|ex)[ -]")
_OLD = re.compile(r"(?i)\bold $")


def is_former(before: str, relation: str) -> bool:
    """Whether someone is told of by what they were: a former boss, an old landlord; an old friend is one still."""
    replaced = attribute(relation).category == "people" and attribute(relation).holds == "one"
    return _FORMER.search(before) is not None or (replaced and _OLD.search(before) is not None)


_ROLE = re.compile(
    r"(?i)^(?:my|our) (?P<role>(?!(?:new|old|current|former|first|last|next|other|second|favou?rite|great|good|best|"
    r"lovely|nice|own|head|private|former|ex|poor|dear)\b)[a-z-]+ (?:teacher|tutor|instructor|coach|trainer))$"
)


def role_named(words: str) -> str:
    """Of what someone is the teacher: the tennis coach is not the running coach."""
    match = _ROLE.match(words) if relation_of(words.partition(" ")[2]) is None else None
    return match["role"].lower() if match else ""


def by_name(match: re.Match[str], cast: Cast) -> Spoken | None:
    """Someone or something by a name; sentences also begin with capitals, so a verb must follow."""
    name, rest = match["name"], match["rest"]
    known = cast.by_name(name) or cast.by_name(name.split()[0])
    begins = (starts_with_verb(rest) and not starts_plain(rest)) or (known is not None and acts(rest))
    if not is_name(name) or (not match["own"] and not begins):
        return None
    relation = cast.relation_named(name) if known else ""
    own = bool(match["own"])
    return Spoken(known or name, rest, relation, own=own, known=known is not None, called=name, pronoun=True)


@lru_cache(maxsize=1)
def _introductions() -> re.Pattern[str]:
    return re.compile(
        rf"\b(?:[Mm]y|[Oo]ur)\s+(?:(?!best)[a-z-]+\s+){{0,2}}?(?P<rel>{relation_pattern()}),?\s+(?:named\s+|"
        rf"called\s+)?(?P<name>{NAME})(?P<more>(?:,\s+{NAME})*,?\s+and\s+{NAME})?"
    )


def introduced(text: str) -> list[tuple[str, str]]:
    """Relations and names that are told in passing: "… with my wife Maria"."""
    found = []
    for match in _introductions().finditer(text):
        relation, name = relation_of(match["rel"]), match["name"].removesuffix("'s").removesuffix("’s")
        if relation and is_former(match[0][: match.start("rel") - match.start()], relation):
            continue
        several = match["more"] if match["rel"].lower().endswith("s") and not name.endswith("s") else ""
        names = [name, *re.findall(NAME, several or "")]
        found += [(relation, one) for one in names if relation and is_name(one)]
    return found


@lru_cache(maxsize=1)
def _mentions() -> re.Pattern[str]:
    return re.compile(
        rf"\b(?:(?i:my|our) (?:(?!best)[a-z-]+ ){{0,2}}?(?P<rel>{relation_pattern()})|(?i:walk|feed|groom|brush)\w* "
        rf"(?i:the) (?P<pet>{relation_pattern()}))\b(?!'s|-| {_NOT_SOMEONE})"
    )


_NOT_SOMEONE = r"(?:board|company|group|house|food|seat|figure|sitter|tongue|language|tree|in law)\b"


_BORN = re.compile(r"(?i)^(?:and )?it(?:'s| is| was) a (?:baby )?(?P<v>girl|boy)$")


def mentioned(text: str) -> list[str]:
    """The relations of those whom a text speaks of: "my mom", "walking the dog"."""
    born = _BORN.search(text) if " a " in text else None
    if born:
        return ["daughter" if born["v"].lower() == "girl" else "son"]
    if not has_any(text, _relatives()):
        return []
    found = (relation_of(match["rel"] or match["pet"]) for match in _mentions().finditer(text))
    return [relation for relation in found if relation]
