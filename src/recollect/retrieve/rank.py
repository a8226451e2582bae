"""Signals to a ranking with reasons: points for the order, evidence for whether anything is returned at all. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from recollect.facts.trust import TRUST, is_foreign
from recollect.records import Fact, Message, Note, Reason
from recollect.text import read_toml
from recollect.text.words import is_stop_word, split, stem

TABLE: Mapping[str, Any] = read_toml(Path(__file__).with_name("rank.toml"))
CONSTANTS: Mapping[str, float] = TABLE["constants"]
LIMITS: Mapping[str, int] = TABLE["limits"]
ORDERING: Mapping[str, float] = TABLE["ordering"]
"""Signals that put one of several answers before another; no evidence of their own."""
_CERTAIN: Mapping[str, tuple[float, float, float]] = {
    signal: (sure, chance := TABLE["by_chance"].get(signal, 0.0), 1 - chance) for signal, sure in TABLE["sure"].items()
}
"""How sure each signal makes us, what of it is chance, and the rest: every search asks for them hundreds of times."""

AROUND = frozenset("talk session together opens beside answer speaker asks assistant".split())
"""Signals of where a message stands and who spoke; the others are of what it says."""
ASKED = ("attribute", "subject", "topic", "time")
"""Signals of what a fact is about, which count for the message that it comes from."""


@dataclass(frozen=True, slots=True)
class Profile:
    """How much each signal counts: for a question or a request of advice, by the kind of embedder."""

    word_by_word: bool
    """Whether the embedder compares word by word."""
    request: bool
    """Whether advice or a plan is asked for: then what is meant says more than the words."""
    weights: Mapping[str, float]
    """Points of a signal at full strength."""
    reach: Mapping[str, int]
    """How many records a search looks at."""


@lru_cache(maxsize=8)
def profile_for(*, word_by_word: bool = False, request: bool = False, turn: bool = False) -> Profile:
    """The profile of a search. A turn of a talk that requests something goes on with that talk, as a question does."""
    embedder = TABLE["word_by_word" if word_by_word else "by_vector"]
    weights = TABLE["facts"] | embedder["request" if request and not turn else "question"]
    return Profile(word_by_word, request, weights, embedder["reach"])


@dataclass(slots=True)
class Candidate:
    """A record that some signal found, with how strongly each one did."""

    record: Fact | Message | Note
    profile: Profile = field(default_factory=profile_for)
    strengths: dict[str, float] = field(default_factory=dict)
    details: dict[str, str] = field(default_factory=dict)
    shared: float = 0.0
    """How strong its words are by themselves, whatever other records have."""
    beside_best: float = 1.0
    """How much of the words it has beside the record that has most."""
    ended: Fact | None = None
    """What it said of what is asked, and is no longer so."""
    outdated: Fact | None = None
    """Anything else it said that is no longer so."""
    over: bool = False
    """Whether it says nothing but what has ended, and the past is not asked for."""
    key: float | None = None
    """How far the key of a text that was told under one was asked for; None: it has none."""
    told: Sequence[Fact] = ()
    """Of a message: the facts that it told and that hold."""
    told_by: Candidate | None = None
    """The message that a fact is shown for."""
    half_read: bool = False
    """Whether that message says more than the fact does, so that its words are to be shown too."""
    _points: float | None = None
    _evidence: float | None = None

    def strengthen(self, signal: str, strength: float, detail: str = "") -> None:
        if strength > self.strengths.get(signal, 0.0):
            self.strengths[signal] = min(1.0, strength)
            self.details[signal] = detail
            if signal not in ORDERING:
                self.weigh_anew()

    def weigh_anew(self) -> None:
        """Forget points and evidence, which other strengths have made."""
        self._points = self._evidence = None

    @property
    def points(self) -> float:
        """What speaks for it, in all."""
        if self._points is None:
            weights = self.profile.weights
            self._points = sum([strength * weights.get(one, 0.0) for one, strength in self.strengths.items()])
        return self._points

    @property
    def own_points(self) -> float:
        """What speaks for what it says, wherever it stands."""
        weights = self.profile.weights
        own = [strength * weights.get(one, 0.0) for one, strength in self.strengths.items() if one not in AROUND]
        return sum(own)

    @property
    def evidence(self) -> float:
        """How sure we are that it is what was asked for, from 0 to 1: what is left after each signal of its own has had
        its chance to be wrong. Being recent, or next to something, is no evidence."""
        if self._evidence is None:
            sure = 1 - doubt(self, self.shared)
            self._evidence = sure * CONSTANTS["keyless"] if self.key == 0 else sure
        return self._evidence


def doubt(candidate: Candidate, words: float) -> float:
    """What is left of all doubt, with words that are so strong."""
    left = 1 - words * _CERTAIN["words"][0]
    for signal, strength in candidate.strengths.items():
        if signal in _CERTAIN and signal != "words":
            sure, chance, rest = _CERTAIN[signal]
            if strength > chance:
                left *= 1 - (strength - chance) / rest * sure
    return left


def words_alone(score: float, share: float, *, word_by_word: bool) -> float:
    """From BM25 in units of one rare word: one gives 0.63, two 0.86. A record that has all that was asked for counts
    even when all its words are common. Beside a comparison word by word, a rare word in common says little more."""
    some = 1 - math.exp(-max(0.0, score))
    if word_by_word:
        return max(CONSTANTS["rare_word"] * some, share**2)
    return max(some, CONSTANTS["all_words"] * share**2)


def words_scale(best: float, best_share: float) -> float:
    """By what to multiply BM25, so that the best record counts as much as it has of what was asked: where no record
    has the words, they decide little."""
    sure = CONSTANTS["sure_of_words"]
    return (sure + (1 - sure) * best_share) / best if best > 0 else 0.0


# The order


def score(candidate: Candidate) -> float:
    """What candidates are ordered by, from 0 to 1: their points, a little less for what is doubtful, less for what
    nobody in the conversation said, far less for what has ended; newest first in a tie."""
    order = sum(weight * candidate.strengths.get(signal, 0.0) for signal, weight in ORDERING.items())
    lost = doubtful(candidate.record)
    if candidate.told_by is not None:  # however unsure the reading of its words is, they were said
        lost = min(lost, doubtful(candidate.told_by.record))
    counts = CONSTANTS["foreign"] if is_foreign(candidate.record.origin) else 1.0
    total = 1 - math.exp(-counts * max(0.0, candidate.points + order - lost))
    return total * CONSTANTS["history"] if candidate.over else total


def doubtful(record: Fact | Message | Note) -> float:
    """The points that a record loses for who said it and for how sure it is."""
    unsure = CONSTANTS["unsure"] * (1 - record.confidence) if isinstance(record, Fact) else 0.0
    return unsure + (CONSTANTS["less_trusted"] if TRUST[record.origin] < TRUST["user"] else 0.0)


def reasons(candidate: Candidate) -> tuple[Reason, ...]:
    """The parts of a candidate's score, strongest first; what only puts it before others of its kind comes last."""
    weights = {**candidate.profile.weights, **ORDERING}
    found = [(signal, round(strength, 4)) for signal, strength in candidate.strengths.items() if strength > 0]
    found.sort(key=lambda one: (one[0] in ORDERING, -one[1] * weights[one[0]], one[0]))
    return tuple(Reason(one, strength, weights[one], candidate.details.get(one, "")) for one, strength in found)


# What is relevant


def ranked(candidates: Iterable[Candidate], *, first: str) -> list[Candidate]:
    """Best first, a fact and its message as one, the first owner's first in a tie; none when nothing is relevant. A
    fact and its message are judged as one too: each alone may have too little to count."""
    found = fold(list(candidates))
    own = relevant([one for one in found if not is_foreign(one.record.origin)])
    shown = {one.record.id for one in own}
    kept = own + [one for one in relevant(found) if one.record.id not in shown]
    return sorted(kept, key=lambda one: (-score(one), one.record.owner != first, one.record.id))


def enough(candidates: Sequence[Candidate]) -> float:
    """The evidence that the best of these must have."""
    profile = candidates[0].profile if candidates else profile_for()
    if profile.request:
        return CONSTANTS["enough_for_advice"] * strictness(candidates)
    if not profile.word_by_word:
        return CONSTANTS["enough"]
    few, many = CONSTANTS["enough_of_few"], CONSTANTS["enough_of_many"]
    return few + (many - few) * min(1.0, len(candidates) / LIMITS["many"])


def strictness(candidates: Sequence[Candidate]) -> float:
    """How much of the evidence that is usually asked for these candidates need, from 0 to 1: for advice a few records
    are all worth a look, unless one gives an attribute that is asked for; a question has one answer."""
    request = bool(candidates) and candidates[0].profile.request
    if not request or any("attribute" in one.strengths for one in candidates):
        return 1.0
    few, many = LIMITS["few_for_advice"], LIMITS["many_for_advice"]
    return min(1.0, max(0, len(candidates) - few) / (many - few))


def relevant(found: Sequence[Candidate]) -> list[Candidate]:
    """Those that are relevant beside the best of them; none when that one is not. What a stranger wrote is no measure
    for the user's own words: those are judged among themselves first."""
    best = max((one.evidence for one in found), default=0.0)
    if best < enough(found):
        return []
    strict = strictness(found)
    named = max((one.key for one in found if one.key is not None), default=0.0)
    known = [one.points for one in found if one.strengths.get("attribute", 0.0) >= CONSTANTS["known"]]
    answer = max(known, default=0.0)
    kept = [one for one in found if not is_stray(one, best, answer, strict)]
    return [one for one in kept if one.key is None or one.key >= named]


def is_stray(candidate: Candidate, best: float, answer: float, strict: float) -> bool:
    """Whether a candidate has little beside the best one and only one reason for it: a word in common, by chance. What
    has ended, or answers a question that was found, is known to speak of the same thing. `answer`: what speaks for the
    fact that is just what was asked for; a message for which more does, or the fact that stands for it, may be the only
    one that says it, if it is at all near. `strict`: how much of the usual evidence is asked for."""
    answers = candidate.strengths.get("answer", 0.0) > CONSTANTS["answers"]
    if candidate.ended is not None or answers or candidate.key == 1:
        return False
    if candidate.evidence < CONSTANTS["least"] * strict:
        return True
    said = isinstance(candidate.record, Message) or candidate.told_by is not None
    if said and "meaning" in candidate.strengths and candidate.points >= answer:
        return candidate.evidence < CONSTANTS["at_all_near"] * strict * best
    far = CONSTANTS["far"]
    words = candidate.shared * (1 - far + far * candidate.beside_best)
    if 1 - doubt(candidate, words) >= CONSTANTS["stray"] * strict * best:
        return False
    return candidate.key is not None or reasons_of_its_own(candidate) < 2


def reasons_of_its_own(candidate: Candidate) -> int:
    """How many signals find it more than by chance: texts with nothing in common are a little alike too."""
    found = [(strength, *_CERTAIN[one]) for one, strength in candidate.strengths.items() if one in _CERTAIN]
    return sum([(strength - chance) / rest > CONSTANTS["telling"] for strength, _, chance, rest in found])


# A fact and its message


def fold(candidates: Sequence[Candidate]) -> list[Candidate]:
    """One candidate for a message and the facts from it: what the message has, and what its facts were asked for. It is
    shown as the best fact, unless the message has clearly more to say; with the message's words, where they say more
    than the fact. A further fact stands by itself when it was asked for."""
    groups: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        for source in sources_of(candidate.record):
            groups.setdefault(source, []).append(candidate)
    messages = {one.record.id: one for one in candidates if isinstance(one.record, Message)}
    gone, shown = set[str](), set[str]()
    for source, facts in groups.items():
        best = max(facts, key=lambda fact: fact.points)
        message = messages.get(source)
        if message is None or (is_foreign(message.record.origin) and not is_foreign(best.record.origin)):
            continue  # The user's fact is not shown in a stranger's words, nor those under the user's name.
        half_read = not stands_for(best.record, message.record, message.told)
        close = CONSTANTS["close_asked" if is_asked(best) else "close"]
        if half_read and best.half_read:  # It shows the words of one message; those of another stand by themselves.
            lend(message, facts)
        elif best.points < close * message.own_points:
            lend(message, facts)
            gone |= {fact.record.id for fact in facts} if message.ended is None else set()
        else:
            gone |= {source, *(one.record.id for one in facts if one is not best and not is_asked(one))}
            shown.add(best.record.id)  # it may come from several messages, and be the best of this one alone
            for fact in facts:
                stand_for(fact, message)
            best.half_read = best.half_read or half_read
    return [candidate for candidate in candidates if candidate.record.id not in gone - shown]


def lend(message: Candidate, facts: Sequence[Candidate]) -> None:
    """A message is asked for when its facts are."""
    for fact in facts:
        message.shared = max(message.shared, fact.shared)
        message.weigh_anew()
        for signal in ASKED:
            message.strengthen(signal, fact.strengths.get(signal, 0.0), fact.details.get(signal, ""))


def stand_for(fact: Candidate, message: Candidate) -> None:
    """A fact that is shown for its message has all that the message has: its own few words say less than the whole."""
    own = {signal: fact.strengths[signal] for signal in (*ASKED, *ORDERING) if signal in fact.strengths}
    ordering = {signal: max(own.get(signal, 0.0), message.strengths.get(signal, 0.0)) for signal in ORDERING}
    fact.told_by = fact.told_by if fact.half_read else message
    fact.shared = max(fact.shared, message.shared)
    fact.strengths = fact.strengths | message.strengths | own | ordering
    fact.details = message.details | fact.details
    fact.weigh_anew()


def is_asked(candidate: Candidate) -> bool:
    """Whether the question asks for just this fact."""
    return any(
        candidate.strengths.get(signal, 0.0) >= CONSTANTS["known"] for signal in ("attribute", "subject", "topic")
    )


def sources_of(record: Fact | Message | Note) -> tuple[str, ...]:
    return tuple(source.message for source in record.sources) if isinstance(record, Fact) else ()


def stands_for(fact: Fact | Message | Note, message: Fact | Message | Note, told: Sequence[Fact]) -> bool:
    """Whether a fact may be shown without the message that it comes from: it says all of the words it was read from,
    and the facts that were `told` by that message say the rest. The name of what is told is no more: "my diet is …"."""
    if not isinstance(fact, Fact) or not isinstance(message, Message):
        return True
    quotes = [source.quote for source in fact.sources if source.message == message.id]
    own, *rest = (f"{one.attribute} {one.text}" for one in (fact, *told))
    return all(says_all([own], quote) for quote in quotes) and says_all([own, *rest], message.content)


def says_all(texts: Iterable[str], of: str) -> bool:
    """Whether every word of a text that says something, its numbers, names and negations too, is in one of these."""
    told = list(texts)
    if len(of) > CONSTANTS["longer"] * sum(map(len, told)) + LIMITS["compared_anyway"]:
        return False
    return content(of) <= frozenset[str]().union(*map(content, told))


LIMITING = frozenset("not no nor without only if cannot before after until under over off".split())
"""Stop words that change what is said: without them "not after 10" would be covered by "10"."""


def content(text: str) -> frozenset[str]:
    """The stems of the words that say something: "I don't eat meat" -> {"not", "eat", "meat"}."""
    written = {word.lower() for word in re.findall(r"\b[A-Z]{2,}\b", text)}  # "US" is no pronoun
    words = {"not" if word.endswith("nt") and is_stop_word(word) else word for word in split(text)}
    return frozenset(stem(word) for word in words if word in LIMITING or word in written or not is_stop_word(word))
