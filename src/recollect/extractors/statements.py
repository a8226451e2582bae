"""Statements about anything, keyed by their own structure: a subject, a relation, an object."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from recollect.extractors import things, values
from recollect.extractors.clauses import sentences_of
from recollect.extractors.dates import Dated
from recollect.extractors.naming import (
    ANYBODY,
    BE,
    LINKS,
    is_common,
    is_settled,
    names_thing,
    object_of,
    subject_of,
    thing_name,
)  # fmt: skip
from recollect.extractors.noun_groups import main_be, noun_phrase, relative
from recollect.extractors.passing import passing
from recollect.extractors.patterns import Found
from recollect.extractors.posts import is_post
from recollect.extractors.spans import timed
from recollect.extractors.verb_groups import (
    CLASSES,
    EVENTS,
    LASTING,
    NOW,
    RELATIVE,
    SAME_VALUE,
    Group,
    main_verb,
    verb_form,
    verb_group,
)  # fmt: skip
from recollect.extractors.verbs import ADVERBS, FORMS, PARTICIPLES, third_person
from recollect.facts.attributes import attribute, table
from recollect.records import USER, Kind
from recollect.text.values import is_plural, word_set

UNSURE = 0.55
"""How sure a verb that the table does not have leaves us, in the midst of a talk: it may hold one value or several."""
MOST_SENTENCES = 12
LONGEST = 400

_OWNED = word_set("my our your his her their its")
_WORKS = word_set("perform write compose direct record sing create")
"""What is done to a work, whose title may begin like something of the speaker's: "My Way"."""
_NAMES_OF = re.compile(r"^(?i:the) (?:full |official |real )?(?:names?|identity) of (?=the |an? )(?:the )?")
_TIMELY = re.compile(r"^(?:current|present|new|now|latest|incumbent) ")
_FORMER = re.compile(r"^(?:former|previous|old|past|ex-?) ?")
_OWN_WORDS = re.compile(
    r"(?<![\w'])(?:(?:I|[Ww]e|[Yy]ou|[Tt]hey|[Hh]e|[Ss]he|[Ii]t)'\w+|I|i|my|we|you|your|our|me|us|mine|let's|he|she|"
    r"his|her|they|their)(?![\w'])"
)
_THE_FIRST = re.compile(r"(?:^|(?<=\w) )I(?= (?:of (?:the )?|the |de'? )?[A-Z]| (?:is|has|[a-z]+s) |,|$)")
"""The numeral in "Gregory I is", "Edward I of England", or the first word of a title: "of I Am Legend"."""
_GOES_ON = re.compile(
    r",? (?:and|but|so|because) (?:(?:it|that|this|there|these|those)(?:'s| is| was| has| will| had)\b|"
    r"(?:also |now )?(?:runs|listens|lives|sits|connects|deploys|points) (?:on|at|in|to|behind|with|via|from) |"
    r"(?:also |now )?(?:costs|uses|expires|requires|needs) )"
)
"""A second statement about the same."""
_LIST = re.compile(r"[^,]+(?:, [^,]+)+,? and [^,]+$")
_MUCH = re.compile(r"(?i)number of (?P<unit>[kmgtp]b) of (?P<what>[a-z]+)$")
"""How much of something a thing has: "2 TB of storage"."""
_MUCH_OF = re.compile(r"(?P<v>\d[\d.,]* ?(?i:[kmgt]i?b)) of (?P<what>[A-Za-z]+)$")
_UNIT = re.compile(r"(?i)number of (?P<unit>[kmgtp]b)$")
_NUMBER = re.compile(r"\d[\d.,]*$")
"""How many: one value, whatever the verb is."""
_WHEN = re.compile(r"\b(?:century|decade|\d{3,4}s?)\b")
_INVERSE = {
    "writes": "author", "authors": "author", "composes": "composer", "founds": "founder", "establishes": "founder",
    "directs": "director", "creates": "creator", "invents": "inventor", "develops": "developer",
    "designs": "designer", "publishes": "publisher", "manufactures": "manufacturer", "discovers": "discoverer",
    "leads": "lead", "heads": "head", "coaches": "coach", "chairs": "chairperson", "edits": "editor",
}  # fmt: skip
"""Verbs whose object is what the table keeps the fact of: who writes a book is its author."""
_INVERSE_OF_THINGS = {"owns": "owner", "maintains": "owner"}
"""The same, only of a thing without a name: who owns a company has many things, who owns "the parser" keeps it."""
_MAKERS = frozenset(_INVERSE.values())
_THEIR_OWN = {"wife": "spouse", "husband": "spouse"}
"""Words that mean one thing of anybody; only the speaker's own wife is filed as such."""


_LED = re.compile(r"(?i)(?:sad|good|great|bad|big|terrible|happy|quick|small) (?:news|update|day|note)\b")
"""Words that lead up to a statement and are no part of its subject."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement, dated."""

    text: str
    found: tuple[Found, ...]
    when: Dated


# A message that consists of statements


def alone(text: str, said: datetime) -> list[Statement]:
    """The statements of a message that has nothing else, each in a sentence; empty when there is anything else."""
    if len(text) > LONGEST * MOST_SENTENCES or "\n" in text.strip():
        return []
    told: list[Statement] = []
    for sentence in rejoined(sentences_of(text)):
        led = _LED.match(sentence) is not None
        statement = stated(sentence, said, alone=True) if len(told) < MOST_SENTENCES and not led else None
        if statement is None:
            return []
        told.append(statement)
    return told


def rejoined(parts: Iterable[str]) -> list[str]:
    """Sentences, with one that a name's own mark had cut put together: "Help! was sung by …"."""
    joined: list[str] = []
    for part in parts:
        if joined and part[:1].islower() and joined[-1].endswith(("!", "?", "...")):
            joined[-1] += f" {part}"
        else:
            joined.append(part)
    return joined


def stated(sentence: str, said: datetime, *, alone: bool = False) -> Statement | None:
    """What one sentence or clause states; `alone`: nothing else was said, so that it is no remark in a talk."""
    text = ended(sentence)
    if not 3 <= len(text.split()) <= 40 or len(text) > LONGEST or sentence.endswith(("?", "!", ":")):
        return None
    if _OWN_WORDS.search(text) and _OWN_WORDS.search(_THE_FIRST.sub(" ", text)):
        return None
    if alone and (_GOES_ON.search(text) or says_more(text)):
        return None  # More is said than one statement.
    when = timed(text, said)
    found = read(when.text, when, alone=alone) if len(when.text.split()) >= 3 else []
    return Statement(text, tuple(replace(item, text=shown(text, item)) for item in found), when) if found else None


_DOES = "|".join(sorted(form for form, (_, kind) in FORMS.items() if kind == "third"))
_SECOND = re.compile(
    rf", (?:[A-Z][\w'-]+ ){{1,3}}(?:was|will|{_DOES}) | and the (?:[\w'-]+ ){{1,6}}?(?:are|was|were|have|will|{_DOES}) "
)


_GOING_ON = re.compile(r";\s|, (?:from|as of|starting|since) (?:\w+ ){1,3}it(?:'s|'ll)? ")
"""What goes on about the same: "the ticket costs 49 euros; from May it will cost 58"."""


def says_more(text: str) -> bool:
    """Whether a second statement with a subject of its own follows a comma."""
    if _GOING_ON.search(text):
        return True
    second = _SECOND.search(text)
    return second is not None and main_verb([*text[: second.start()].split(), "so"]) is not None


def shown(text: str, item: Found) -> str:
    """The statement as said, without an article that leads up to a subject without one."""
    return text[4:] if text.lower().startswith(f"the {item.subject.lower()} ") else text


_NOT = re.compile(r"\b(is|are|was|were|does|do|did)n't\b")


def ended(sentence: str) -> str:
    """The sentence without its full stop; one that belongs to a short form stays."""
    text = _NOT.sub(r"\1 not", sentence.strip().replace("’", "'"))
    return text if re.search(r"\.[A-Za-z]{1,2}\.$", text) else text.removesuffix(".")


def read(text: str, when: Dated, *, alone: bool) -> list[Found]:
    """What the words state without their time."""
    words = text.split()
    found = of_noun(words, alone=alone) or of_owner(words, alone=alone) or of_verb(words, when, alone=alone)
    return [timely(item, when) for item in found]


def timely(item: Found, when: Dated) -> Found:
    """The statement as past or planned where its time says so."""
    if item.kind in ("ending", "past") or not when.found:
        return item
    if when.ahead:
        return replace(item, kind="plan")
    lasting = when.bounded and item.kind != "state"
    return replace(item, kind="past" if lasting or (when.until and not when.bounded) else item.kind)


# Subjects and objects


# "The author of Dune is Frank Herbert"


def of_noun(words: list[str], *, alone: bool) -> list[Found]:
    """A noun that stands for the relation: "the N of S is V", "the N where S was educated is V"."""
    text = _NAMES_OF.sub("The ", " ".join(words), count=1)
    words = text.split()
    if words[0].lower() != "the":
        return []
    noun = noun_phrase(words)
    if not noun:
        return of_post(words, alone=alone)
    link = words[noun + 1]
    be = main_be(words, noun + 2, relative=link in RELATIVE)
    if be is None:
        return []
    key = " ".join(words[1 : noun + 1])
    if link in RELATIVE:
        key, about = relative(key, words[noun + 1 : be])
    else:
        about = words[noun + 2 : be]
    subject = subject_of(about, alone=alone) if about else ""
    return keyed(subject, key, words, be, alone=alone) if subject else []


def of_post(words: list[str], *, alone: bool) -> list[Found]:
    """Who holds a post that there is only one of: "the on-call engineer is Viktor"."""
    be = next((i for i in range(2, min(5, len(words) - 1)) if words[i] == "is"), 0)
    key, value = words[1:be], words[be + 1 :]
    now = bool(value) and value[0] in NOW
    value = value[1:] if now else value
    name = 0 < len(value) <= 4 and all(word[:1].isupper() and re.sub("[-.]", "", word).isalpha() for word in value)
    if (
        not be
        or not name
        or not (alone or len(key) > 1)
        or not is_post(key[-1])
        or not all(re.fullmatch(r"[a-z][\w-]*|[A-Z]{2,4}", word) for word in key)
    ):
        return []
    known = attribute(" ".join(key))
    return [Found(known.name, " ".join(value), subject=USER, kind="update" if now else None, confidence=0.6)]


def keyed(subject: str, key: str, words: Sequence[str], be: int, *, alone: bool) -> list[Found]:
    """The value after "is" for a subject and a noun."""
    key, now, former = _TIMELY.sub("", key), bool(_TIMELY.match(key)), bool(_FORMER.match(key))
    key = _FORMER.sub("", key) if former else key
    rest = list(words[be + 1 :])
    kind: Kind | None = "past" if former or words[be] in ("was", "were") else None
    negated = rest[0] == "not"
    over = rest[:2] == ["no", "longer"]
    rest = rest[1:] if negated else rest[2:] if over else rest
    while rest and rest[0].lower() in ADVERBS:
        now = now or rest[0].lower() in NOW
        rest = rest[1:]
    if not rest or (key.split()[-1].lower() in ANYBODY and not attribute(key).known):
        return []
    if rest[0] in PARTICIPLES or (rest[0].endswith("ed") and rest[0].islower()):
        if rest[0] not in SAME_VALUE:
            return []
        rest = rest[2:] if rest[1:2] and rest[1] in LINKS else rest[1:]
        if rest[:1] == ["the"] and rest[1:2] and rest[1] in CLASSES and rest[2:3] == ["of"]:
            rest = rest[3:]
    value = object_of(re.sub(r"^(?:in|at|from) (?=[A-Z])", "", " ".join(rest)), alone=alone)
    known = attribute(_THEIR_OWN.get(key.lower(), key))
    if (
        not value
        or is_passing(value, key, known=known.known)
        or (not alone and not known.known and not is_settled(value))
    ):
        return []
    several = words[be] in ("are", "were") and is_plural(key.split()[-1])
    found = [values.bare(item) for item in values.items(value)] if several else [value]
    kind = "ending" if over or negated else kind or ("update" if now and words[be] == "is" and "now" in words else None)
    many = True if several else None if known.known else False
    return [
        Found(
            known.name, item, kind=kind, subject=subject, negated=negated, many=many,
            confidence=sure(known.known, alone=alone),
        )
        for item in found
    ]  # fmt: skip


def is_passing(value: str, key: str, *, known: bool) -> bool:
    """Whether a value only tells how something is; a name never does: "Boeing"; nor what answers "which"."""
    if key.endswith((" level", " mode")) and " " not in value:
        return False  # "warning", of a log level
    if RELATIVE & set(key.split()):
        return value.endswith("ing") and value.islower() and " " not in value
    return not value[:1].isupper() and passing(value, known=known)


def of_owner(words: list[str], *, alone: bool) -> list[Found]:
    """The relation as something that its subject has: "Ann's employer is Acme"."""
    for i, word in enumerate(words[:12]):
        if not word.endswith(("'s", "s'")) or not words[i + 1 : i + 2] or not words[i + 1].islower():
            continue
        be = next((j for j in range(i + 2, min(i + 7, len(words) - 1)) if words[j] in BE), None)
        if be is None or not all(re.fullmatch(r"[\w/-]+", one) for one in words[i + 1 : be]):
            return []
        about = [*words[:i], word.removesuffix("'s").removesuffix("'")]
        subject = "" if about[0].lower() in _OWNED else subject_of(about, alone=alone, opens=True)
        return keyed(subject, " ".join(words[i + 1 : be]), words, be, alone=alone) if subject else []
    return []


# "Chanel was founded by Coco Chanel"


def of_verb(words: list[str], when: Dated, *, alone: bool) -> list[Found]:
    """A subject, a verb and an object."""
    place = main_verb(words) if words[0] != "According" else None
    told = (
        verb_form(words[0].lower()) == "past" and words[0].lower() in FORMS
    )  # "Moved the builds to …" has no subject.
    if place is None or (told and (words[1] == "the" or place == 1)):
        return []
    end = place
    while end > 1 and (
        words[end - 1].lower() in ADVERBS or words[end - 1] in ("longer", "no", "formerly", "previously")
    ):
        end -= 1
    said, (words, denied) = words, undenied(words, place)
    if not denied and words[place] in ("does", "do") and words[place + 1] == "not":
        return []
    once = words[place : place + 2] == ["used", "to"] and words[place + 2] in FORMS
    if once:  # "The app used to run on Heroku"
        words = [*words[:place], third_person(FORMS[words[place + 2]][0]), *words[place + 3 :]]
    group = verb_group(words, place, words[end:place]) if len(words) > place + 1 else None
    group = replace(group, former=True, past=True) if group and once else group
    group = replace(group, ended=denied == "ended", negated=denied == "negated") if group and denied else group
    if group is None or (words[0].lower() in _OWNED and not (group.classed or group.verb in _WORKS)):
        return []
    counted = end == 1 and is_plural(words[0]) and re.search(r"\d", words[-2]) is not None  # "logs are kept 30 days"
    subject = subject_of(words[:end], alone=alone or counted, opens=True)
    if not subject:
        return []
    if end == 1 and is_plural(words[0]) and FORMS.get(words[place], ("", ""))[1] == "base":
        subject = (
            subject.lower() if subject.istitle() else subject
        )  # "Secrets live in Vault": no name, there are several.
    if subject.startswith("new ") and len(subject.split()) > 1:  # "the new SLA promises more" than the one before
        subject, group = subject[4:], replace(group, now=True)
    plain = not group.classed and (is_common(words[:end]) or not attribute(group.relation).known)
    if (plain or denied) and (done := things.doings(" ".join(said if denied else words))):
        return [replace(item, kind="past") if once else item for item in done]
    value = group.object if group.relation == "status" else object_of(group.object, alone=alone)
    if not value or not says_enough(words[:end], group, value, alone=alone):
        return []
    return related(subject, group, value, when, alone=alone)


def undenied(words: list[str], place: int) -> tuple[list[str], str]:
    """The words without "does not", and how that was meant: what is so no more has ended."""
    if words[place] not in ("does", "do") or words[place + 1 : place + 2] != ["not"] or len(words) < place + 4:
        return words, ""
    verb = words[place + 2]
    if verb_form(verb) not in ("base", "") or not verb.isalpha() or any(word.endswith(",") for word in words):
        return words, ""
    over = re.search(r" any ?(?:more|longer)$", " ".join(words)) is not None
    return [*words[:place], third_person(verb), *words[place + 3 :]], "ended" if over else "negated"


_OF_PLACES = word_set("inhabitants residents employees branches stores offices floors rooms seats platforms")
"""What no person has."""
_DEVICE = re.compile(r"[_\d]|[a-z][A-Z]|\b(?:flag|feature|service|server|job|pipeline|alert)\b")
_SYSTEM = re.compile(
    r"(?i)\b(?:staging|prod|production|site|website|app|api|vpn|ci|cluster|database|queue|printer|lift|elevator|wifi|"
    r"network|intranet|shop)\b"
)
"""What may be up or down, where nothing else is said: in the midst of a talk that is a sigh."""


def says_enough(subject: Sequence[str], group: Group, value: str, *, alone: bool) -> bool:
    """Whether it is a fact about something definite, and not a scene or a remark."""
    if group.relation == "status":
        return bool(_DEVICE.search(" ".join(subject)) or (alone and _SYSTEM.search(" ".join(subject))))
    if group.relation.startswith("number of ") and not is_common(subject):
        return (
            group.relation.split()[-1] in _OF_PLACES or _UNIT.match(group.relation) is not None
        )  # What a person has is read elsewhere.
    if group.classed or group.relation.startswith("number of ") or is_settled(value):
        return True
    definite = value.lower().startswith("the ") and len(value.split()) <= 4
    if definite and group.verb in ("own", "maintain") and not is_common(subject):
        return True
    return alone and definite and not is_common(subject)


def related(subject: str, group: Group, value: str, when: Dated, *, alone: bool) -> list[Found]:
    """The statement, filed under the attribute that its relation means."""
    name, about, thing = group.relation, subject, value
    always = group.verb in EVENTS or (group.role and name.lower() in _MAKERS)
    if group.role:
        about, thing = thing_name(value), subject
        name = _FORMER.sub("", _TIMELY.sub("", name))
        group = replace(group, former=group.former or bool(_FORMER.match(group.relation)))
    elif group.verb and not group.relation.startswith("is "):
        name = of_present(group)
        inverse = _INVERSE.get(name) or (_INVERSE_OF_THINGS.get(name) if value.startswith("the ") else None)
        if inverse and names_thing(value):
            name, about, thing, group = inverse, thing_name(value), subject, replace(group, several=False)
    if unit := _UNIT.match(name):
        name, thing = "capacity", f"{thing} {unit['unit'].upper()}"
    if name == "has" and (part := _MUCH_OF.match(thing)):
        name, thing = part["what"].lower(), part["v"]
    if much := _MUCH.match(name):
        name, thing = much["what"], f"{thing} {much['unit'].upper()}"
    name = name if group.role or about != subject else as_verb(name)
    name = "home" if name == "is based in" and about[:1].isupper() else name
    known = attribute(_THEIR_OWN.get(name.lower(), name))
    if known.name in ("birthplace", "place of death") and _WHEN.search(thing):
        return []
    if known.name == "home" and (about[:1].islower() or not thing.removeprefix("the ")[:1].isupper()):
        known = attribute("location")  # Only people are at home where they live, and only in places.
    thing = thing.removeprefix(f"{known.name} ") if known.category == "project" else thing
    kind = how(group, known.known, always, when)
    if group.past and kind is None and not (known.known or group.role or when.found):
        known = attribute(group.relation)  # What was so, with no word of when, is a relation of its own.
    listed = _LIST.match(thing) or (known.holds == "many" and about == subject and " and " in thing)
    things_named = values.items(thing) if listed else [thing]
    many = True if len(things_named) > 1 else None if known.known else group.several
    counted = name.startswith("number of ") or name in ("version", "status") or _NUMBER.match(value) is not None
    many = False if many is None and not known.known and _NUMBER.match(value) else many
    open_verb = not (alone or known.known or group.role or group.classed or group.several or group.now or counted)
    return [
        Found(
            known.name, one, kind=kind, subject=about, negated=group.negated,
            many=None if open_verb and many is False else many,
            confidence=UNSURE if open_verb else sure(known.known, alone=alone),
        )
        for one in things_named
    ]  # fmt: skip


def sure(known: bool, *, alone: bool) -> float:
    """How sure a statement is: most where the table knows its relation, least in the midst of a talk."""
    return 0.95 if known else 0.8 if alone else 0.6


def of_present(group: Group) -> str:
    """The relation with its verb in the present: "played for" is "plays for"."""
    verb, _, rest = group.relation.partition(" ")
    if verb_form(verb) == "third":
        return group.relation
    return f"{third_person(group.verb)} {rest}".strip()


def as_verb(name: str) -> str:
    """The relation in words that the table does not take for a noun: "hosts" is no plural of "host"."""
    known = attribute(name)
    taken = known.known and " " not in name and name not in (known.name, *table().synonyms)
    return f"does {name}" if taken else name


def how(group: Group, known: bool, always: bool, when: Dated) -> Kind | None:
    """How it was said: what has ended, what is over, what is new."""
    if group.ended or group.negated:
        return "ending"
    if group.former:
        return "past"
    if always:
        return "state"
    if group.past and when.found and when.bounded:
        return "state" if group.several and group.verb not in LASTING and group.verb != "be" else "past"
    if group.past and not when.found and (known or group.role):
        return "past"
    return "update" if group.now else None
