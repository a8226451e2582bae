"""The fact that an ending speaks of, known by its words: the thing, what is done with it, whose it is. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from recollect._values import word_set
from recollect.attributes import attribute
from recollect.later import later
from recollect.records import USER, Fact
from recollect.words import is_stop, split, stem

HAD = "had"
"""The category of an ending by which a thing passed out of one's hands: whoever sold the piano may teach it still."""
_HAVING = word_set("have own rent lease keep use wear ride drive fly sail run play row breed hire")
"""What is done with a thing that one has, and no longer when it is gone."""
_LASTING = frozenset(("possessions", "pets", "habits", "skills", "health", "work", "finance", "other", "project"))
"""Categories of facts that come to an end; a taste, a name or a birthday does not."""
_FOR_GOOD = word_set("allergy intolerance degree avoids language knows author founder creator")
_WAYS = frozenset(
    map(
        stem,
        word_set(
            "subscription membership account contract lease tenancy rental duty role post position job gig lesson "
            "class course session treatment therapy program programme training practice habit routine stint season "
            "thing business plan policy diet service work cover app"
        ),
    )
)
"""How something is had or done, which a name for it may leave out: "jury duty", "the ceramics class"."""
_BONDS = frozenset(map(stem, word_set("contract lease rental tenancy subscription membership agreement plan policy")))
"""What one has with somebody, over a thing that has a name of its own."""
_LINK = later(
    r"(?i) (?:of|for|at|in|on|with|to|from|by|about|near|under|as|this|that|every|each|last|next|twice|once|called|"
    r"named|until|till|since|during|after|before|when|while|and)\b"
)
_OURS = later(r"(?i)\b(?:my|our|us|me)\b")
_FORMS = word_set("e s es er or ist ship ion ation ing ment ed y ies ance ence be bes ption r ian") | {""}
"""What a word may end in, beside another that it comes from."""
_SHARED = 5


def the_one_over(said: str, subject: str, held: Sequence[Fact], *, beside: str = "") -> Fact | None:
    """The one of these facts that the end of something names; none where several are named equally well. `beside`: the
    sentence in which it was said."""
    told = content(said)
    able = [fact for fact in held if may_end(fact)] if told else []
    mine = [fact for fact in able if is_of(subject, fact)]
    for found in (
        [fact for fact in mine if by_its_object(told, said, fact)],
        [fact for fact in mine if in_its_words(told, said, fact)],
        [fact for fact in mine if by_its_verb(told, said, fact)],
        [fact for fact in mine if by_its_key(told, said, fact)],
        [fact for fact in able if by_its_subject(told, fact)],
        [fact for fact in able if by_its_owner(told, said, fact)],
        [fact for fact in mine if by_its_bond(told, beside, fact)],
    ):
        if found:
            return found[0] if len(found) == 1 else None
    return None


def may_end(fact: Fact) -> bool:
    return fact.category in _LASTING and fact.attribute not in _FOR_GOOD and fact.disputes is None


def is_of(subject: str, fact: Fact) -> bool:
    """Whether a fact is about someone, or about a thing of the speaker's."""
    return fact.subject.casefold() == subject.casefold() or (subject == USER and is_thing(fact.subject))


def is_thing(subject: str) -> bool:
    """Whether a subject is a thing of the speaker's, and nobody."""
    lower = subject.islower() or subject.isupper()
    return subject != USER and lower and not attribute(subject.split()[0]).relation and "'s " not in subject


def content(said: str) -> frozenset[str]:
    """The words that carry a phrase, in the forms that others share."""
    return frozenset(stem(word) for word in split(said) if not is_stop(word))


def by_its_object(told: frozenset[str], said: str, fact: Fact) -> bool:
    """ "the tennis club board", of the board of the tennis club; "as moderator of the forum", of who moderates it."""
    whole, core = object_of(fact), head(object_of(fact))
    named, known = (
        without_way(told, said),
        content(whole) | (content(fact.subject) if is_thing(fact.subject) else set()),
    )
    return is_core(core, said) and all(word in known or is_akin(word, verb_of(fact)) for word in named)


def without_way(told: frozenset[str], said: str) -> frozenset[str]:
    """The words without the last, where that only tells how it was had: a rental bike is another one than mine."""
    way = frozenset((stem(head(said).lower()),)) & _WAYS
    return told - way or told


def in_its_words(told: frozenset[str], said: str, fact: Fact) -> bool:
    """What was told of it at first may be more than was kept: "the greenhouse at the plots", of a greenhouse."""
    core = head(object_of(fact))
    return (
        is_core(core, said)
        and stem(core.lower()) == stem(head(said).lower())
        and without_way(told, said) <= quoted(fact)
    )


def by_its_verb(told: frozenset[str], said: str, fact: Fact) -> bool:
    """ "commuting", of who commutes to Utrecht; "the subscription", of what one subscribes to. A noun that is the verb
    itself tells of one time: "the drive", "my run"."""
    lasts = said.lower().endswith("ing") or not told.isdisjoint(_WAYS)
    return fact.subject == USER and len(told) == 1 and lasts and all(is_akin(word, verb_of(fact)) for word in told)


def by_its_key(told: frozenset[str], said: str, fact: Fact) -> bool:
    """ "the bakery", whose name is Crumb Corner; "the rate limit", of an API that has one of 100."""
    if fact.subject == USER:
        return told == content(fact.attribute) and fact.text.startswith(f"{fact.attribute} is ")
    key = content(fact.attribute)
    return fact.category == "project" and stem(head(said)) in key and told - key <= quoted(fact)


def by_its_subject(told: frozenset[str], fact: Fact) -> bool:
    """Whoever does something for us, by their name: "Fenwick Dairy", which supplies our café."""
    ours = any(_OURS.search(source.quote) for source in fact.sources)
    return ours and fact.subject[:1].isupper() and told == content(fact.subject) and not attribute(fact.attribute).known


def by_its_owner(told: frozenset[str], said: str, fact: Fact) -> bool:
    """What somebody of ours has: "my mother's parrot"."""
    owner, _, thing = said.casefold().partition("'s ")
    return owner == fact.subject.casefold() and by_its_object(content(thing), thing, fact)


def by_its_bond(told: frozenset[str], beside: str, fact: Fact) -> bool:
    """What a contract was about that is told of in the same breath: "emptied the unit and ended the contract"."""
    core = head(object_of(fact))
    return told <= _BONDS and core != "" and is_core(core, beside) and is_had(fact)


def is_bond(said: str) -> bool:
    """Whether words name nothing but a contract or the like, and not what it is about."""
    return 0 < len(said.split()) <= 2 and content(said) <= _BONDS


def is_had(fact: Fact) -> bool:
    """Whether a fact tells of a thing that someone has: by its key, or by what is done with it."""
    keyed = fact.text.startswith((f"{fact.attribute} is ", f"{fact.attribute} include "))
    verb = (fact.value if fact.attribute == "habit" else fact.attribute).split()[0]
    return keyed or fact.category in ("possessions", "pets") or stem(verb) in _HAVING


def quoted(fact: Fact) -> frozenset[str]:
    """The words with which a fact was told."""
    return frozenset().union(*(content(source.quote) for source in fact.sources))


def object_of(fact: Fact) -> str:
    """What a fact is about: of a habit, what follows its verb."""
    if fact.attribute not in ("habit", "hobby"):
        return fact.value
    return fact.value.partition(" ")[2] or fact.value


def verb_of(fact: Fact) -> frozenset[str]:
    """The words of the relation: the verb of a habit, or the one that it is filed under."""
    return content(fact.value.partition(" ")[0] if fact.attribute in ("habit", "hobby") else fact.attribute)


def head(phrase: str) -> str:
    """The noun that a phrase tells more of: "unit", of "storage unit in Hackney"."""
    parts = (part.split() for part in _LINK.split(f" {phrase}"))
    first = next((words for part in parts if (words := [one for one in part if not is_stop(one.lower())])), [""])
    return first[-1]


def is_core(noun: str, said: str) -> bool:
    """Whether a noun stands in what was said; a part of a name only as a name: "the bank" is no Halden Bank."""
    return stem(noun.lower()) in content(said) and (noun.islower() or not noun.isalpha() or noun in said)


def has_core(said: str, value: str) -> bool:
    """Whether what was said has the noun of a value, or all but how it is had: "the gym", of a gym membership."""
    core = head(value)
    return is_core(core, said) or stem(core.lower()) in _WAYS


def is_akin(word: str, others: frozenset[str]) -> bool:
    """Whether a word comes from one of others, or the other way round: moderator and moderates."""
    return any(word == other or is_derived(word, other) for other in others)


def is_derived(a: str, b: str) -> bool:
    shared = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return shared >= _SHARED and {a[shared:], b[shared:]} <= _FORMS
