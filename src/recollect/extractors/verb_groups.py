"""The verb of a statement with what belongs to it: "was founded by", "plays the position of", "is a citizen of"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from recollect.extractors.naming import ANYBODY, ARTICLES, BE, LINKS, QUOTES, UNREAL, has_capital, is_settled
from recollect.extractors.verbs import ADVERBS, FORMS, PARTICIPLES
from recollect.text.values import is_plural, word_set

CLASSES = word_set(
    "city town village country state province region county district continent planet island capital language sport "
    "religion faith position role rank office field profession job occupation genre instrument company university "
    "school college team club party department division group category type kind title name band league network "
    "industry sector currency"
)
"""Nouns that tell of what kind the object is: "in the city of Rome"."""
SAME_VALUE = word_set("located based situated found called named held known")
"""Participles that say no more than "is": "the headquarters is located in Rome"."""
EVENTS = word_set(
    "found create bear born die win graduate write compose invent build establish discover publish release launch "
    "design direct produce develop sign break score open introduce perform record manufacture educate award elect "
    "appoint grant"
)
"""What happens once and is true from then on."""
_RELATING = word_set(
    "represent head chair coach employ operate maintain serve sponsor edit produce govern rule captain administer "
    "oversee supervise report consist border hire appoint record direct compose design develop create "
    "discover establish invent manufacture govern influence acquire fund finance back endorse advise mentor tutor "
    "voice star captain command chair present curate conduct arrange distribute supply power replace handle process "
    "process monitor deliver export import control cover feature include exceed total average score"
)
"""Verbs that relate one thing to another, beside those known for what people say of themselves."""
_MORE = {
    form: (base, kind)
    for base in _RELATING
    for form, kind in (
        (base + ("es" if base.endswith(("s", "ch", "sh", "x")) else "s"), "third"),
        (base + ("d" if base.endswith("e") else "ed"), "past"),
    )
}
_VAGUE = word_set(
    "seem look sound feel mean get make take go come say tell show help keep let want need try think believe claim "
    "hope ask hear see know turn find give put bring happen start stop begin like love hate enjoy become stand sit "
    "imply implies suggest suggests indicate indicates state states describe describes explain explains discuss "
    "discusses mention mentions note notes argue argues reveal reveals demonstrate demonstrates refer refers "
    "violate violates walk wait hold wear ride carry jump laugh smile talk watch eat drink swim climb pull push throw "
    "catch point measure measures break split"
)
"""Verbs of scenes, opinions and ways of talking; "likes" has patterns of its own."""
LASTING = word_set(
    "own manage run lead head coach chair rule govern represent operate maintain serve command host captain teach use "
    "play speak live work have occupy hold control support employ sponsor supervise oversee edit rent lease study"
)
"""What goes on for a time, where other verbs tell of something done."""
_CHANGES = word_set("move relocate join leave quit resign retire switch change adopt buy sell rename migrate")
"""Verbs whose statements have patterns of their own: something new begins."""
_SETTING = word_set(
    "raise bump lower increase decrease reduce cut set lift drop push extend move update hike trim slash"
)
"""What is done to a value: "the board raised the fee to 52 euros" tells of the fee."""
_ENDED = word_set(
    "shut decommissioned discontinued scrapped axed removed deleted retired terminated phased cancelled canceled "
    "postponed rescheduled"
)
"""Participles of what is over or put off: nothing is said of the thing, it is gone."""
NOW = frozenset(("now", "currently"))


@dataclass(frozen=True, slots=True)
class Group:
    """A verb with what belongs to it, as far as the object."""

    relation: str
    object: str
    verb: str
    """Its base form, or its participle."""
    past: bool
    now: bool = False
    ended: bool = False
    negated: bool = False
    former: bool = False
    classed: bool = False
    """The object's kind is told: "the city of"."""
    role: bool = False
    """Said of what its subject is to the object: "is the capital of"."""
    several: bool = False
    """It may be so of others besides: "is a member of", "bought"."""


RELATIVE = word_set("where that which who whom")


def main_verb(words: Sequence[str]) -> int | None:
    """Where the verb of the sentence stands; a noun that looks like one, or a verb inside the subject, is passed."""
    if words[0][0] in QUOTES:
        closing = next((i for i, word in enumerate(words) if word[-1] in QUOTES), 0)
        return closing + 1 if closing + 1 < len(words) - 1 else None
    for i in range(1, len(words) - 1):
        word, before = words[i], words[i - 1].lower()
        if word in BE or word in ("has", "had"):
            return i
        if word in RELATIVE or word in UNREAL:
            return None
        if before in ARTICLES or before in LINKS or before.endswith("'s") or (i == 1 and before in CLASSES):
            continue
        form = verb_form(word)
        if (
            form == "third"
            and words[i + 2 : i + 3]
            and words[i + 2] in LINKS
            and FORMS.get(words[i + 1], ("", ""))[1] == "base"
        ):
            continue  # Things that do something: "ledger exports land in …"
        if form == "past" and words[0].lower() == "the" and reduced(words, i):
            continue
        known = word in FORMS or word in _MORE
        several = is_plural(before) and words[0].lower() not in _NOT_SEVERAL and words[i + 1] not in BE
        if form == "base" and i <= 3 and word != before and several:
            return i  # Several things: "the workers poll Redis"
        if form in ("third", "past") and (known or follows_name(words, i)):
            return i
    return None


_NOT_SEVERAL = word_set("my our your his her their")


def reduced(words: Sequence[str], i: int) -> bool:
    """Whether a participle only describes the subject: "the server used for billing is …"."""
    for word in words[i + 1 :]:
        if word in BE:
            return True
        if word in RELATIVE or word.endswith(","):
            return False
    return False


def follows_name(words: Sequence[str], i: int) -> bool:
    """Whether an unknown word stands where a verb does: after a name, before an object."""
    after = words[i + 1]
    linked = after in LINKS and after != "of" and words[i].endswith("ed")
    opens = linked or after == "the" or has_capital(after)
    return opens and (has_capital(words[i - 1]) or (words[0].lower() == "the" and i >= 2))


def verb_form(word: str) -> str:
    """Which form of a verb a word is, as far as its ending tells."""
    if word in _MORE:
        return _MORE[word][1]
    if word in FORMS:
        return "past" if FORMS[word][1] == "participle" else FORMS[word][1]
    if not word.isalpha() or not word.islower() or len(word) < 4 or word.endswith(("is", "us", "ics")):
        return ""
    return "past" if word.endswith("ed") else "third" if word.endswith("s") and not word.endswith("ss") else ""


def verb_group(words: Sequence[str], place: int, before: Sequence[str]) -> Group | None:
    """The relation that a verb says, with its preposition and the kind of its object."""
    verb, rest = words[place], list(words[place + 1 :])
    past = verb in ("was", "were", "had") or verb_form(verb) == "past"
    over = "longer" in before
    former = bool(set(before) & {"formerly", "previously", "once"}) and past
    now = bool(set(before) & NOW)
    negated = False
    if verb in ("has", "had") and rest[:1] == ["been"]:
        verb, rest, past = "is", rest[1:], verb == "had"
    while rest and (rest[0].lower() in ADVERBS or rest[0] in ("not", "formerly", "previously", "no")):
        negated = negated or rest[0] == "not"
        former = former or rest[0] in ("formerly", "previously")
        now = now or rest[0] in NOW
        if rest[0] == "no":
            if rest[1:2] != ["longer"]:
                return None
            over, rest = True, rest[1:]
        rest = rest[1:]
    if not rest or (verb == "have" and verb_form(rest[0]) == "past"):
        return None  # "the docs have moved to …" is no having.
    if negated and base_of(rest[0]) in EVENTS:
        return None
    group = after_be(rest) if verb in BE else after_have(rest) if verb in ("has", "had") else after_verb(verb, rest)
    if group is None or not group.object:
        return None
    return classed(replace(group, past=past, now=now, ended=over, negated=negated, former=former))


def after_be(rest: list[str]) -> Group | None:
    """ "founded by", "famous for", "a citizen of", "the capital of"."""
    first = rest[0]
    if first in ("a", "an", "the"):
        return after_article(first, rest)
    if first in ("on", "at") and rest[1:] and _VERSION.match(rest[1]):
        return Group("version", " ".join(rest[1:]), "", past=False)
    if first in ("up", "down") and rest[1:2] and rest[1] in ("to", "at"):
        return None  # How much it is.
    if first == "back" and rest[1:] and rest[1] in ("up", "on", "live", "online"):
        return Group("status", rest[1], "", past=False)
    if first == "down" and rest[1:2] == ["again"]:
        return None  # A sigh, rather than news.
    if first in _STATES and (not rest[1:] or rest[1] in NOW or rest[1] in ("for", "again", "everywhere", "in")):
        return Group("status", first, "", past=False)
    if first == "on" and len(rest) == 3 and rest[1][:1].isupper() and _NUMBERED.match(rest[2]):
        return Group("runs on", " ".join(rest[1:]), "", past=False)
    if first[:1].isupper() and "of" in rest[1:5]:  # "is President of France"
        return after_article("the", ["the", *rest])
    if (
        first in ("called", "named")
        or first in _ENDED
        or not first.islower()
        or not first.replace("-", "").isalpha()
        or first.endswith("ing")
    ):
        return None
    link = 1 if rest[1:2] and rest[1] in LINKS else 2 if rest[2:3] and rest[2] in LINKS and rest[1].islower() else 0
    if not link and is_participle(first) and rest[1:] and (rest[1] == "the" or has_capital(rest[1])):
        return Group(f"is {first}", " ".join(rest[1:]), base_of(first), past=False, several=first not in SAME_VALUE)
    if not link or first in LINKS or rest[1] in ARTICLES:
        return None
    thing = rest[link + 1] if link + 1 < len(rest) else ""
    if not thing or (rest[link] == "to" and thing.isalpha() and thing.islower() and thing not in ARTICLES):
        return None  # "is easy to use"
    if link == 2 and not (is_participle(first) or is_participle(rest[1])):
        return None
    words = rest[: link + 1]
    if words[0].endswith("ly"):
        words = words[1:]
    if not is_participle(words[0]) and not is_settled(" ".join(rest[link + 1 :])):
        return None
    return Group(f"is {' '.join(words)}", " ".join(rest[link + 1 :]), base_of(words[0]), past=False)


def base_of(word: str) -> str:
    """The verb without its ending, as far as we know it."""
    if word in FORMS or word in _MORE:
        return (FORMS.get(word) or _MORE[word])[0]
    return next((base for base in (word[:-1], word[:-2]) if base in EVENTS or base in _VAGUE), word)


def is_participle(word: str) -> bool:
    again = word.startswith("re") and word[2:] in PARTICIPLES  # rebuilt, rewritten
    return word in PARTICIPLES or again or word == "born" or (word.endswith("ed") and len(word) > 4)


def after_article(article: str, rest: list[str]) -> Group | None:
    """ "is a citizen of", "is the capital of"."""
    for i in range(2, min(7, len(rest) - 1)):
        if rest[i] in LINKS:
            noun = " ".join(rest[1:i])
            if not re.fullmatch(r"[\w' &/-]+", noun) or rest[i] not in ("of", "for", "at", "in", "to", "with", "on"):
                return None
            thing = " ".join(rest[i + 1 :])
            if article == "the":
                plain = rest[i] == "of" and not _NO_ROLE.search(noun)
                return Group(noun, thing, "be", past=False, role=True) if plain else None
            if rest[i - 1] in ANYBODY or rest[i] not in ("of", "at", "for") or not is_settled(thing):
                return None
            return Group(f"is a {noun} {rest[i]}", thing, "be", past=False, several=True)
    return None


_NO_ROLE = re.compile(
    r"(?i)\b(?:one|part|kind|type|result|cause|reason|end|rest|best|worst|most|first|last|only|name|\w+est|process|"
    r"study|art|act|way|use|story|number|amount|set|idea|lack|center|heart|product|subject|topic|sum|same|"
    r"second|third|example|symbol|source|key|member)\b"
)


def after_have(rest: list[str]) -> Group | None:
    """ "has a population of 500,000", "has 3 nodes"."""
    if rest[0] in ("a", "an") and "of" in rest[2:5]:
        of = rest.index("of", 2)
        thing = " ".join(rest[of + 1 :])
        if re.search(r"\d", thing) and all(word.isalpha() for word in rest[1:of]):
            return Group(" ".join(rest[1:of]), thing, "", past=False)
    if _COUNT.match(rest[0]) and 2 <= len(rest) <= 4 and all(word.isalpha() for word in rest[1:]):
        kept = rest[1:-1] if rest[-1] in NOW else rest[1:]
        return Group(f"number of {' '.join(kept)}", rest[0], "", past=False) if kept else None
    return None


_CODE = re.compile(r"^`|^/\w|://|^[\w-]+(?:\.[\w-]+)+/|^[\w.-]+:\d+$")
"""What only a machine has: a path, an address; whatever the verb is, it tells of a setting."""
_COUNT = re.compile(r"\d[\d,.]*$|(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)$")
_VERSION = re.compile(r"v?\d+(?:\.\d+)+\w*$|v\d+$")
_NUMBERED = re.compile(r"v?\d[\d.]*$")
_STATES = word_set("on off enabled disabled deprecated live up down paused")


def after_verb(verb: str, rest: list[str]) -> Group | None:
    """ "plays for", "manages", "died in"."""
    base = base_of(verb)
    if (base in _VAGUE and not _CODE.search(rest[-1])) or base in _CHANGES or (base in _SETTING and "to" in rest):
        return None
    if rest[0] == "off":
        return None  # "called off the engagement", "took off her coat"
    link = 1 if rest[0] in LINKS else 0
    if link and rest[1:2] and rest[1] in LINKS:
        link = 2
    words = [verb, *rest[:link]]
    once = verb_form(verb) == "past" and not link
    return Group(" ".join(words), " ".join(rest[link:]), base, past=False, several=once)


def classed(group: Group) -> Group:
    """The kind of the object as part of the relation: "in the city of Rome" is "in city", Rome."""
    match = re.match(r"(?:the|a|an) ((?:[a-z]+ )?([a-z]+)) of (?=\S)", group.object)
    if match is None or match[2] not in CLASSES or group.role:
        return group
    return replace(
        group, relation=f"{group.relation} {match[1]}", object=group.object[match.end() :], classed=True, several=False
    )
