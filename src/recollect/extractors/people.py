"""Who is meant: people and pets by relation, by name, and by he and she."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache

from recollect.facts.attributes import attribute, table
from recollect.records import HEARD_AS, USER, Fact
from recollect.text.values import word_set
from recollect.text.words import fold

_WORD = r"[A-Z](?:[\w-]|&(?=\w)|['’](?!s\b))*"
_PARTICLE = r"(?:van|von|de|da|di|du|del|della|der|dos|la|le|el|bin|ibn|zu|zur|upon|sur|(?<!\bI )am)"
"""What stands in small letters between the words of a name: "Maria de la Cruz", "Frankfurt am Main"."""
_MORE = rf"(?:{_WORD}|(?:{_PARTICLE} ){{1,2}}{_WORD}|(?:al|el|ben)-{_WORD})"
NAME = rf"(?-i:(?:(?:Mrs?|Ms|Dr|Prof|St)\.? )?{_WORD}(?: {_MORE})*)"
_NOT_NAMES = word_set(
    "i i'm i've my we our he she they it the a an this that these those there and but so or if when because what "
    "who where how why which yes no not monday tuesday wednesday thursday friday saturday sunday january february "
    "march april may june july august september october november december today tomorrow yesterday is was has "
    "thanks please hi hello hey ok okay also actually english german french spanish portuguese chinese japanese "
    "italian in on at for to from of with by as let here every each all some any one two three most many both after "
    "before since until during while then now just maybe perhaps sorry wait well oh great good nice everyone "
    "someone nobody nothing everything something mr mrs ms dr prof sounds looks seems feels people using getting "
    "going being having working you your his her their its always never"
)
FEMALE = word_set("wife girlfriend fiancee mother stepmother sister daughter grandmother aunt niece")
MALE = word_set("husband boyfriend fiance father stepfather brother son grandfather uncle nephew")
_NOT_PEOPLE = word_set("employer school studied at fish bird client pet")
JUST_NOW = timedelta(minutes=20)
"""For how long someone who was named is still spoken of."""


@lru_cache(maxsize=1)
def relation_words() -> dict[str, str]:
    """Each word for a person or a pet that someone has: sister, mom, dog; with its canonical attribute."""
    shipped = table()
    names = {name for name, known in shipped.attributes.items() if known.relation and name not in _NOT_PEOPLE}
    words = {word: name for word, name in shipped.synonyms.items() if name in names}
    words.update({word.replace(" in law", "-in-law"): name for word, name in words.items() if word.endswith(" in law")})
    words["in-laws"] = words["in laws"]
    words.update({word.replace("neighbor", "neighbour"): name for word, name in words.items() if "neighbor" in word})
    words.update({word.replace("ex ", "ex-"): name for word, name in words.items() if word.startswith("ex ")})
    return words


@lru_cache(maxsize=1)
def relation_pattern() -> str:
    words = sorted(relation_words(), key=len, reverse=True)
    return "(?i:" + "|".join(re.escape(word) for word in words) + ")"


@lru_cache(maxsize=4096)
def relation_of(word: str) -> str | None:
    """The canonical relation that a word names."""
    return relation_words().get(re.sub(r"\s+", " ", word.lower()).replace("neighbour", "neighbor"))


_TITLED = re.compile(r"^(?:Mrs?|Ms|Dr|Prof)\.? (?=[A-Z])")


def is_name(words: str) -> bool:
    """Whether capitalised words can be someone's name."""
    words = _TITLED.sub("", words)
    return bool(words) and all(word.lower() not in _NOT_NAMES for word in words.split())


_TITLE = re.compile(r"\b(Mrs?|Ms|Dr|Prof)\. (?=[A-Z])", re.IGNORECASE)


def key_of(name: str) -> str:
    """A name as it is looked up: "Dr. Lind" is also "dr lind", and accents do not matter."""
    return fold(_TITLE.sub(r"\1 ", name))


_OF_SOMEONE = re.compile(r"(?i)\b(?:s?hes?|they|they(?:ve|re)|his|her|their|its)\b")


def speaks_of_someone(text: str) -> bool:
    """Whether a text has a word that stands for someone who was spoken of."""
    return _OF_SOMEONE.search(text) is not None


def is_several(subject: str, relation: str) -> bool:
    """Whether a subject is more than one: "parents" and not "parent"."""
    return subject != relation and subject.endswith("s") and relation_of(subject) == relation


@dataclass
class Cast:
    """The people and pets of one conversation so far."""

    named: dict[str, str] = field(default_factory=dict)
    """Names as they are looked up, and the subject that each stands for."""
    speakers: dict[str, str] = field(default_factory=dict)
    """Those of them who take part in the conversation."""
    relations: dict[str, set[str]] = field(default_factory=dict)
    """Names by relation."""
    labels: dict[tuple[str, str], str] = field(default_factory=dict)
    """The subject that each relation and name stands for."""
    recent: list[tuple[str, str]] = field(default_factory=list)
    """Subjects and relations mentioned last, the latest at the end."""
    ranks: dict[str, str] = field(default_factory=dict)
    """Older or younger, of those told of first."""
    things: frozenset[str] = frozenset()
    """Things of which something is known, for a later "the"."""

    @classmethod
    def of(
        cls, known: Sequence[Fact], speaker: str = USER, others: Collection[str] = (), *, at: datetime | None = None
    ) -> Cast:
        """Those that the owner's facts tell of, as this speaker knows them; `others` take part in the talk. Who was
        named just before `at` may be meant by "she"."""
        cast = cls(speakers={key_of(other): other for other in others})
        own: list[Fact] = []
        for fact in known:
            if fact.attribute == HEARD_AS:
                cast.speakers[key_of(fact.value)] = fact.subject
            elif fact.subject == speaker:
                own.append(fact)
            elif fact.attribute == "nickname" and fact.subject != USER:
                cast.rename(fact.subject, fact.value)
        cast.named = cast.speakers | cast.named
        cast.things = frozenset(fact.subject.casefold() for fact in known if fact.subject != USER)
        for fact in sorted(own, key=lambda fact: fact.said):
            if fact.value and (relation := relation_of(fact.attribute)):
                cast.subject(relation, fact.value)
        for fact in sorted(known, key=lambda fact: fact.said):
            if at is not None and timedelta(0) < at - fact.said < JUST_NOW:
                cast.recall(fact, speaker)
        return cast

    def recall(self, fact: Fact, speaker: str) -> None:
        """Notes whom a fact was told of: someone by name, "my sister" who has none yet, a dog that someone has."""
        if fact.subject == speaker and (relation := relation_of(fact.attribute)):
            self.mention(self.subject(relation, fact.value), relation)
        elif fact.subject == speaker and fact.attribute in ("family", "pet"):
            relation = relation_of(fact.value.split()[-1])
            self.mention(relation, relation) if relation else None
        elif relation := relation_of(fact.subject) or relation_of(fact.subject.split()[0]):
            self.mention(fact.subject, relation)

    def subject(self, relation: str, name: str = "") -> str:
        """What facts about this person are filed under: "sister", or "sister Beth" for a second one."""
        key = key_of(name)
        if not name:
            return relation
        known = self.relations.setdefault(relation, set())
        label = self.speakers.get(key) or self.labels.get((relation, key)) or self.alias(relation, key)
        if not label:
            label = f"{relation} {name}" if known and attribute(relation).holds == "many" else relation
        known.add(key)
        self.labels[relation, key] = label
        self.named.setdefault(key, label)
        return label

    def alias(self, relation: str, key: str) -> str:
        """The subject that this name was given as another name of."""
        label = self.named.get(key, "")
        return label if label == relation or label.startswith(f"{relation} ") else ""

    def rename(self, subject: str, name: str) -> None:
        """Someone goes by another name."""
        self.named[key_of(name)] = subject

    def relation_named(self, name: str) -> str:
        """The relation that someone of this name has to the speaker, where there is only one."""
        found = [relation for relation, names in self.relations.items() if key_of(name) in names]
        return found[0] if len(found) == 1 else ""

    def is_renamed(self, relation: str, name: str) -> bool:
        """Whether a name is that of someone we know by their first name with another family name."""
        first, _, family = key_of(name).partition(" ")
        known = [one.partition(" ") for one in self.relations.get(relation, ())]
        return bool(family) and any(one[0] == first and one[2] and one[2] != family for one in known)

    def within(self, text: str) -> list[str]:
        """The known names that a text has as words of their own."""
        text = _TITLE.sub(r"\1 ", text)
        lower = fold(text)
        if len(lower) != len(text):
            return []
        found = ((name, re.search(rf"\b{re.escape(name)}\b", lower)) for name in self.named if name in lower)
        return [name for name, match in found if match and text[match.start()].isupper()]

    def rank(self, relation: str, rank: str) -> str:
        """Which of two brothers "my brother" is in this talk: the one told of first, "older" or "younger"."""
        return self.ranks.setdefault(relation, rank)

    def mention(self, subject: str, relation: str = "") -> None:
        """Notes who was spoken of, for a later "she"."""
        self.recent = [*[seen for seen in self.recent if seen[0] != subject][-3:], (subject, relation)]

    def is_someone(self, subject: str) -> bool:
        """Whether a subject is a person or a pet of the speaker's, or has the name of a person."""
        return relation_of(subject.split()[0]) is not None or (subject[:1].isupper() and len(subject.split()) <= 2)

    def by_name(self, name: str) -> str | None:
        """The subject that a name stands for."""
        return self.named.get(key_of(name))

    def by_pronoun(self, pronoun: str) -> tuple[str, str] | None:
        """The one person that he or she can mean, if there is only one, with their relation."""
        wrong = (
            MALE if pronoun in ("she", "her", "hers") else FEMALE if pronoun in ("he", "his", "him") else frozenset()
        )
        able = [(subject, relation) for subject, relation in self.recent if relation not in wrong]
        several = pronoun in ("they", "their")
        able = [(subject, relation) for subject, relation in able if is_several(subject, relation) == several]
        return able[-1] if len(able) == 1 else None
