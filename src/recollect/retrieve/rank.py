"""Signals to a ranking with reasons: points for the order, evidence for whether anything is returned at all. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from recollect.facts.trust import TRUST, is_foreign
from recollect.records import Fact, Message, Note, Reason
from recollect.retrieve.coverage import stands_for
from recollect.text import read_toml

ORDERING: Mapping[str, float] = {"recency": 0.05, "newest": 3.5}
"""Signals that put one of several answers before another; no evidence of their own."""

AROUND = ("talk", "session", "together", "opens", "beside", "answer", "speaker", "asks", "assistant")
"""Signals of where a message stands and who spoke; the others are of what it says."""

NOT_ITS_OWN = frozenset((*AROUND, *ORDERING))

ASKED = ("attribute", "subject", "topic", "time")
"""Signals of what a fact is about, which count for the message that it comes from."""

SURE: Mapping[str, float] = {
    "words": 0.75,
    "meaning": 0.75,
    "tokens": 0.75,
    "attribute": 0.7,
    "subject": 0.35,
    "topic": 0.35,
    "time": 0.35,
    "answer": 0.3,
}
"""How sure a signal at full strength makes us that a record is what was asked for, from 0 to 1."""

ENOUGH = 0.3
"""Evidence below this returns nothing."""

ENOUGH_BY_WORDS, ENOUGH_OF_MANY, MANY = 0.24, 0.4, 15
"""The same where the embedder compares word by word, which tells more: for a few records, and for so many, of which one
is near by chance (`benchmarks/quality.py` asks memories of other people's lives, small ones of what nobody said)."""

ENOUGH_FOR_ADVICE = 0.22
"""The same where advice or a plan is asked for: what one likes or avoids only touches it."""

FEW_FOR_ADVICE, MANY_FOR_ADVICE = 20, 40
"""Of so few records all may bear on what is advised, and no evidence is asked for; of so many only what has enough."""

LEAST = 0.1
"""Beside something with enough evidence, what has at least this counts too."""

HISTORY = 0.4
"""What says nothing but what is no longer so counts this much of what it would."""

FOREIGN = 0.6
"""The points of a tool's text, a document's or an import's count this much: it comes before the user's own words only
where less than this share of what speaks for it speaks for them."""

UNSURE = 1.0
"""The points that a fact without any confidence loses."""

LESS_TRUSTED = 0.1
"""The points that a record loses when it is not the user's own."""

SURE_OF_WORDS = 0.15
"""How much the words of the best record count when they are next to nothing of what was asked."""

FAR = 0.3
"""How much the words of a record lose beside the best when that one has many more of them."""

STRAY = 0.7
"""A single reason must give this share of the best evidence to count beside it."""

KNOWN = 0.5
"""What is asked for at least so much, by its attribute, subject or topic, is the answer."""

AT_ALL_NEAR = 0.2
"""Where no such fact is known, or less speaks for it, a message needs this share of the best evidence."""

KEYLESS = 0.7
"""How much the evidence for a text counts whose key was not asked for."""

CLOSE, CLOSE_ASKED = 0.9, 0.8
"""A fact stands for its message when it scores at least this share of it, and when it is asked for, this."""

BY_CHANCE: Mapping[str, float] = {"meaning": 0.18, "tokens": 0.2}
"""How alike texts with nothing in common are; only what lies above it is evidence."""


class Weighing(NamedTuple):
    """What decides how much each signal counts."""

    word_by_word: bool = False
    """Whether the embedder compares word by word."""
    request: bool = False
    """Whether advice or a plan is asked for: then what is meant says more than the words."""
    turn: bool = False
    """Whether it is a turn of a talk rather than a question: then the whole of an earlier talk says more than any of
    its messages."""

    @property
    def section(self) -> str:
        """Where its weights stand in rank.toml."""
        asked = "_turn" if self.turn else "_request" if self.request else ""
        return ("word_by_word" if self.word_by_word else "by_vector") + asked


BY_VECTOR = Weighing()


@lru_cache(maxsize=8)
def weights(weighing: Weighing) -> Mapping[str, float]:
    """Points of a signal at full strength."""
    table = read_toml(Path(__file__).with_name("rank.toml"))
    return {**table["facts"], **table[weighing.section]}


_CERTAIN = {one: (sure, BY_CHANCE.get(one, 0.0), 1 - BY_CHANCE.get(one, 0.0)) for one, sure in SURE.items()}
"""How sure each signal makes us, what of it is chance, and the rest: every search asks for them hundreds of times."""


@dataclass(slots=True)
class Candidate:
    """A record that some signal found, with how strongly each one did."""

    record: Fact | Message | Note
    weighing: Weighing = BY_VECTOR
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
    told: tuple[Fact, ...] = ()
    """Of a message: the facts that it told and that hold."""
    told_by: Candidate | None = None
    """The message that a fact is shown for."""
    half_read: bool = False
    """Whether that message says more than the fact does, so that its words are to be shown too."""
    known_points: float | None = None
    known_evidence: float | None = None

    def strengthen(self, signal: str, strength: float, detail: str = "") -> None:
        if strength > self.strengths.get(signal, 0.0):
            self.strengths[signal] = min(1.0, strength)
            self.details[signal] = detail
            if signal not in ORDERING:
                self.known_points = self.known_evidence = None


def words_alone(score: float, share: float, *, word_by_word: bool) -> float:
    """From BM25 in units of one rare word: one gives 0.63, two 0.86. A record that has all that was asked for counts
    even when all its words are common. Beside a comparison word by word, a rare word in common says little more."""
    some = 1 - math.exp(-max(0.0, score))
    return max(0.4 * some, share**2) if word_by_word else max(some, 0.6 * share**2)


def enough(candidates: Sequence[Candidate]) -> float:
    """The evidence that the best of these must have."""
    weighing = candidates[0].weighing if candidates else BY_VECTOR
    if weighing.request:
        return ENOUGH_FOR_ADVICE * strictness(candidates)
    if not weighing.word_by_word:
        return ENOUGH
    return ENOUGH_BY_WORDS + (ENOUGH_OF_MANY - ENOUGH_BY_WORDS) * min(1.0, len(candidates) / MANY)


def strictness(candidates: Sequence[Candidate]) -> float:
    """How much of the evidence that is usually asked for these candidates need, from 0 to 1: for advice a few records
    are all worth a look, unless one gives an attribute that is asked for; a question has one answer."""
    request = bool(candidates) and candidates[0].weighing.request
    if not request or any("attribute" in one.strengths for one in candidates):
        return 1.0
    return min(1.0, max(0, len(candidates) - FEW_FOR_ADVICE) / (MANY_FOR_ADVICE - FEW_FOR_ADVICE))


def words_scale(best: float, best_share: float) -> float:
    """By what to multiply BM25, so that the best record counts as much as it has of what was asked: where no record
    has the words, they decide little."""
    return (SURE_OF_WORDS + (1 - SURE_OF_WORDS) * best_share) / best if best > 0 else 0.0


def telling(signal: str, strength: float) -> float:
    """How much of a strength is evidence: texts with nothing in common are a little alike too."""
    chance = BY_CHANCE.get(signal, 0.0)
    return max(0.0, (strength - chance) / (1 - chance))


def reasons(candidate: Candidate) -> tuple[Reason, ...]:
    """The parts of a candidate's score, strongest first; what only puts it before others of its kind comes last."""
    counts = weights(candidate.weighing)
    parts = [
        Reason(signal, round(strength, 4), ORDERING.get(signal) or counts[signal], candidate.details.get(signal, ""))
        for signal, strength in candidate.strengths.items()
        if strength > 0
    ]
    return tuple(sorted(parts, key=lambda reason: (reason.signal in ORDERING, -reason.points, reason.signal)))


def points(candidate: Candidate) -> float:
    """What speaks for a candidate, in all."""
    if candidate.known_points is None:
        counts, strengths = weights(candidate.weighing), candidate.strengths
        candidate.known_points = sum([strength * counts[one] for one, strength in strengths.items() if one in counts])
    return candidate.known_points


def own_points(candidate: Candidate) -> float:
    """What speaks for what it says, wherever it stands."""
    counts, strengths = weights(candidate.weighing), candidate.strengths
    return sum([strength * counts[one] for one, strength in strengths.items() if one not in NOT_ITS_OWN])


def evidence(candidate: Candidate) -> float:
    """How sure we are that it is what was asked for, from 0 to 1: what is left after each signal of its own has had its
    chance to be wrong. Being recent, or next to something, is no evidence."""
    if candidate.known_evidence is None:
        sure = 1 - doubt(candidate, candidate.shared)
        candidate.known_evidence = sure * KEYLESS if candidate.key == 0 else sure
    return candidate.known_evidence


def doubt(candidate: Candidate, words: float) -> float:
    """What is left of all doubt, with words that are so strong."""
    left = 1 - words * SURE["words"]
    for signal, strength in candidate.strengths.items():
        if signal in _CERTAIN and signal != "words":
            sure, chance, rest = _CERTAIN[signal]
            if strength > chance:  # as `telling` has it
                left *= 1 - (strength - chance) / rest * sure
    return left


def score(candidate: Candidate) -> float:
    """What candidates are ordered by, from 0 to 1: their points, a little less for what is doubtful, less for what
    nobody in the conversation said, far less for what has ended; newest first in a tie."""
    order = sum(weight * candidate.strengths.get(signal, 0.0) for signal, weight in ORDERING.items())
    counts = FOREIGN if is_foreign(candidate.record.origin) else 1.0
    total = 1 - math.exp(-counts * max(0.0, points(candidate) + order - doubt_of(candidate)))
    return total * HISTORY if candidate.over else total


def doubt_of(candidate: Candidate) -> float:
    """The points that it loses: however unsure the reading of its words is, they were said."""
    own = doubtful(candidate.record)
    return own if candidate.told_by is None else min(own, doubtful(candidate.told_by.record))


def doubtful(record: Fact | Message | Note) -> float:
    """The points that a record loses for who said it and for how sure it is."""
    unsure = UNSURE * (1 - record.confidence) if isinstance(record, Fact) else 0.0
    return unsure + (LESS_TRUSTED if TRUST[record.origin] < TRUST["user"] else 0.0)


def ranked(candidates: Iterable[Candidate], *, first: str) -> list[Candidate]:
    """Best first, a fact and its message as one, the first owner's first in a tie; none when nothing is relevant. A
    fact and its message are judged as one too: each alone may have too little to count."""
    found = fold(list(candidates))
    own = relevant([one for one in found if not is_foreign(one.record.origin)])
    shown = {one.record.id for one in own}
    kept = own + [one for one in relevant(found) if one.record.id not in shown]
    return sorted(kept, key=lambda one: (-score(one), one.record.owner != first, one.record.id))


def relevant(found: Sequence[Candidate]) -> list[Candidate]:
    """Those that are relevant beside the best of them; none when that one is not. What a stranger wrote is no measure
    for the user's own words: those are judged among themselves first."""
    sure = [evidence(candidate) for candidate in found]
    best = max(sure, default=0.0)
    if best < enough(found):
        return []
    strict = strictness(found)
    named = max((one.key for one in found if one.key is not None), default=0.0)
    answer = max((points(one) for one in found if one.strengths.get("attribute", 0.0) >= KNOWN), default=0.0)
    return [
        one
        for one, own in zip(found, sure, strict=True)
        if not stray(one, own, best, answer, strict) and (one.key is None or one.key >= named)
    ]


def stray(candidate: Candidate, own: float, best: float, answer: float, strict: float) -> bool:
    """Whether a candidate has little beside the best one and only one reason for it: a word in common, by chance. What
    has ended, or answers a question that was found, is known to speak of the same thing. `answer`: what speaks for the
    fact that is just what was asked for; a message for which more does, or the fact that stands for it, may be the only
    one that says it, if it is at all near. `strict`: how much of the usual evidence is asked for."""
    if candidate.ended is not None or candidate.strengths.get("answer", 0.0) > 0.5 or candidate.key == 1:
        return False
    if own < LEAST * strict:
        return True
    said = isinstance(candidate.record, Message) or candidate.told_by is not None
    if said and "meaning" in candidate.strengths and points(candidate) >= answer:
        return own < AT_ALL_NEAR * strict * best
    if 1 - doubt(candidate, candidate.shared * (1 - FAR + FAR * candidate.beside_best)) >= STRAY * strict * best:
        return False
    return candidate.key is not None or reasons_of_its_own(candidate) < 2


def reasons_of_its_own(candidate: Candidate) -> int:
    """How many signals find it more than by chance."""
    return sum([telling(signal, strength) > 0.1 for signal, strength in candidate.strengths.items() if signal in SURE])


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
        best = max(facts, key=points)
        message = messages.get(source)
        if message is None or (is_foreign(message.record.origin) and not is_foreign(best.record.origin)):
            continue  # The user's fact is not shown in a stranger's words, nor those under the user's name.
        half_read = isinstance(best.record, Fact) and not says_it(best.record, message)
        if half_read and best.half_read:  # It shows the words of one message; those of another stand by themselves.
            lend(message, facts)
        elif points(best) < (CLOSE_ASKED if asked(best) else CLOSE) * own_points(message):
            lend(message, facts)
            gone |= {fact.record.id for fact in facts} if message.ended is None else set()
        else:
            gone |= {source, *(one.record.id for one in facts if one is not best and not asked(one))}
            shown.add(best.record.id)  # it may come from several messages, and be the best of this one alone
            for fact in facts:
                stand_for(fact, message)
            best.half_read = best.half_read or half_read
    return [candidate for candidate in candidates if candidate.record.id not in gone - shown]


def lend(message: Candidate, facts: Sequence[Candidate]) -> None:
    """A message is asked for when its facts are."""
    for fact in facts:
        message.shared = max(message.shared, fact.shared)
        message.known_evidence = None
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
    fact.known_points = fact.known_evidence = None


def says_it(fact: Fact, message: Candidate) -> bool:
    """Whether a fact may be shown without the words that it comes from."""
    return not isinstance(message.record, Message) or stands_for(fact, message.record, message.told)


def asked(candidate: Candidate) -> bool:
    """Whether the question asks for just this fact."""
    return any(candidate.strengths.get(signal, 0.0) >= KNOWN for signal in ("attribute", "subject", "topic"))


def sources_of(record: Fact | Message | Note) -> tuple[str, ...]:
    return tuple(source.message for source in record.sources) if isinstance(record, Fact) else ()
