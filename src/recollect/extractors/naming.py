"""What a statement is about, and the other thing it names: definite subjects, and objects that end where they do."""

from __future__ import annotations

import re
from collections.abc import Sequence

from recollect.extractors.verbs import FORMS
from recollect.text.values import word_set

BE = word_set("is are was were")
ARTICLES = word_set("the a an")
LINKS = word_set(
    "of in at on for to by with from as under over into against near within via about after through between behind "
    "beside across around during without upon among towards"
)
"""Prepositions: what ties a verb to its object, and what no verb follows."""
_SMALL = LINKS | ARTICLES | word_set("and or but & de la le du da di von van")
_NOBODY = word_set(
    "it this that these those there he she they we i you who what which where when why how someone somebody anyone "
    "anybody everyone everybody nobody no one none something anything everything nothing some any all each every "
    "both either neither another other others many most more few several two three four five six seven eight nine ten "
    "here always never such a an my our your his her their its one if while although because since after before as "
    "and but or so "
    "also then let not yes please thanks hi hello in on at for with by from to of during under over about"
)
"""Words with which no definite subject begins."""
ENVIRONMENTS = word_set("prod production staging dev qa uat sandbox preprod master main ci")
"""What there is only one of, without an article."""
_PEOPLE = word_set(
    "man men woman women people person persons child children kid kids boy boys girl girls lady guy guys dog dogs cat "
    "cats baby player players group groups crowd couple animal animals adult adults bird birds horse horses worker "
    "workers male female males females friend friends family student students speaker narrator user users customer "
    "customers others other"
)
ANYBODY = _PEOPLE | word_set(
    "thing things way reason problem point fact idea question answer issue rest world sun word words example result "
    "part lot number kind type sort same goal key following above best worst first last next only day time moment "
    "name term title line topic story text sentence paragraph purpose meaning benefit advantage thought importance "
    "trick beauty difference passage article essay essays character characters"
)
"""Heads of a subject that is nobody in particular, or only a way of talking."""
_TITLED = word_set(
    "song film movie novel book album band river lake mountain company city town country village game series show play "
    "opera painting poem magazine newspaper singer actor actress writer painter composer footballer politician"
)
"""Nouns that only introduce a name."""
_UNSETTLED = word_set(
    "a an some any i you he she they it my your his her their this that these those someone people who which two three"
)
QUOTES = '"“”'
_STRAY = re.compile(r"[\\*“”\"{}\[\]<>=|^~]|^#|\bfollowing\b")
_BROKEN = re.compile(
    r"[;:]\s|\s[–—-]{1,2}\s|,? (?:because|but|which|who|whom|whose|where|when|while|although|though|however|if|"
    r"unless|so that|than|i|we|you|it|he|she|they|not|that|whether|"
    r"(?:since|after|before|until|due to|thanks to) (?:the|an?|last|this|its))\s|, (?:and |or )?[a-z]|"
    r", [A-Z]\w+ "
    r"(?:is|are|was|has|have|will) "
)
_JOINED = re.compile(r",? (?:and|or|then) (?:also |now |later |then )?((?:[\w'./-]+ ){0,4}[\w'./-]+)")
UNREAL = word_set("can could may might would should must shall will cannot")


def is_title(words: Sequence[str]) -> bool:
    """Whether the words are written as in a title, and there are several: "A Wizard of Earthsea"."""
    return len(words) > 1 and has_capital(words[1]) and all(has_capital(word) or word in _SMALL for word in words)


def subject_of(words: Sequence[str], *, alone: bool, opens: bool = False) -> str:
    """The definite subject that these words name, or nothing; `opens`: the sentence begins with it."""
    if not words or not all(words) or len(words) > (16 if alone else 6):
        return ""
    if len(words) == 1 and words[0].lower() in ARTICLES:
        return ""
    if words[0][0] in QUOTES and words[-1][-1] in QUOTES and not _STRAY.search(" ".join(words)[1:-1]):
        return " ".join(words).strip(QUOTES)
    definite = words[0].lower() == "the" and len(words) > 1
    name = words[1:] if definite else words
    first, last = name[0], name[-1].strip(",'").lower()
    if _STRAY.search(" ".join(words)) or not any(letter.isalpha() for letter in first + last):
        return ""
    if opens and not alone and name[1:2] and name[1].islower() and (first.lower() in FORMS or first.isdigit()):
        return ""  # "Write a story …", "10 ideas …"
    if any(name[i] in ARTICLES and name[i + 1].islower() and name[i - 1] not in LINKS for i in range(1, len(name) - 1)):
        return ""  # "Analyze the strategies …"
    inside = not opens and first[:1].isupper()
    if first.lower().strip(",") in _NOBODY and not (inside or is_title(name) or (definite and first[:1].isupper())):
        return ""
    if opens and first.lower() in LINKS and not first.isupper():
        return ""
    plain = first[:1].islower() or (not definite and not any(has_capital(word) for word in name[1:]))
    anybody = ANYBODY if definite or len(name) == 1 else _PEOPLE
    if plain and (last in anybody or first.lower() in anybody or any(word in _UNSETTLED for word in name[1:])):
        return ""
    definite_enough = definite or alone or first in ENVIRONMENTS or re.search(r"[-_./\d]|[a-z][A-Z]", first)
    if first[:1].islower() and not definite_enough:
        return ""
    if any(word in UNREAL or (word.endswith(",") and index == len(name) - 1) for index, word in enumerate(name)):
        return ""
    if any(word.endswith(",") and FORMS.get(word[:-1].lower(), ("", ""))[1] == "past" for word in name):
        return ""  # "Henrik left, Aisha …"
    if definite and first in _TITLED and len(name) > 1 and all(has_capital(word) for word in name[1:]):
        return " ".join(name[1:])  # "the song Blue Lantern"
    short = len(name) == 1 and first.isupper()  # "the SDK"
    bare = definite and (first[:1].islower() or short or (name[-1].islower() and name[-1].isalpha()))
    subject = " ".join(name if bare else words)
    return "" if _BROKEN.search(f"{subject} ") else subject.strip(" ,`")


def has_capital(word: str) -> bool:
    return word.lstrip("(\"“'`")[:1].isupper() or word[:1].isdigit()


def is_common(words: Sequence[str]) -> bool:
    """Whether the subject has no name that its capitals show: "rugby union", "The cache"."""
    name = words[1:] if words[0].lower() == "the" else words
    return name[0][:1].islower() or (len(name) > 1 and not any(has_capital(word) for word in name[1:]))


def object_of(text: str, *, alone: bool) -> str:
    """The object, when it is one and no more follows; a talk's clause is cut where it goes on."""
    text = text.strip(" ,")
    more = _BROKEN.search(text) or next((match for match in _JOINED.finditer(text) if goes_on(match[1])), None)
    if more and alone:
        return ""
    text = (text[: more.start()] if more else text).strip(" ,`" + QUOTES)
    text = re.sub(r"(?i)[ ,]+(?:now|currently|today|these days|as well|too|anymore|any more|again|instead)$", "", text)
    words = text.split()
    if not words or len(words) > (16 if alone else 10) or not _UNCLEAR.isdisjoint(words) or words[-1] in LINKS:
        return ""
    return "" if words[0].lower() in _NOT_OBJECTS and not is_title(words) else text


_UNCLEAR = frozenset(("or", "following", "respectively", "times"))
"""What leaves open what the object is: one or the other, or how often."""
_NOT_OBJECTS = word_set(
    "it this that these those there him her them me us you how what why when where who whom which whether if to not "
    "so very too more most less least much many some any each every all one someone something anyone anything nothing "
    "i he she they both such other others another its his their my our your a an and or but being having doing "
    "away apart together aside ahead"
)


def goes_on(words: str) -> bool:
    """Whether a verb follows an "and", perhaps with a subject of its own, so that another statement begins."""
    first, *rest = words.split()
    if first in BE or FORMS.get(first, ("", "base"))[1] in ("third", "past"):
        return True
    return any(word in BE or FORMS.get(word, ("", ""))[1] == "third" for word in rest)


def is_settled(value: str) -> bool:
    """Whether a value is a name, a number or code, and no mere remark."""
    return any(has_capital(word) for word in value.split()) or re.search(r"[\d/_`@]", value) is not None


def thing_name(value: str) -> str:
    """A thing as a subject: without the article that is no part of its name."""
    return subject_of(value.split(), alone=True) or value


def names_thing(value: str) -> bool:
    """Whether an object can be the subject of the same statement turned round."""
    return bool(subject_of(value.split(), alone=True)) and (is_settled(value) or value.lower().startswith("the "))
