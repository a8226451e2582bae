"""What speaks for a record beside its words and its meaning: each signal is one function of a candidate."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, lru_cache
from typing import TypeAlias

from recollect.facts.attributes import attribute, table
from recollect.facts.trust import is_foreign, is_untrusted
from recollect.records import USER, Fact, Message, Note
from recollect.retrieve.query import Question, also_called, asked_as
from recollect.retrieve.rank import CONSTANTS, LIMITS, Candidate, is_asked
from recollect.text.dates import When, find
from recollect.text.words import is_stop_word, terms

Strength: TypeAlias = tuple[float, str]
"""How strong a signal is, from 0 to 1, and the detail that its reason shows."""

Beside: TypeAlias = Mapping[str, tuple[str | None, str | None]]
"""The messages just before and after a message."""


@dataclass
class Pool:
    """The candidates of one owner for a question, and what stands around them."""

    candidates: Sequence[Candidate]
    question: Question
    moment: datetime
    subjects: frozenset[str] = frozenset()
    """Whom facts are about that the question names, in lower case."""
    beside: Beside = field(default_factory=dict)
    talks: Mapping[str, float] = field(default_factory=dict)
    """Sessions by the words of all that was said in them, 1 for the best; only for a turn of a talk."""

    @cached_property
    def messages(self) -> Mapping[str, Candidate]:
        return {one.record.id: one for one in self.candidates if isinstance(one.record, Message)}

    @cached_property
    def _after(self) -> Mapping[str, str]:
        """The message just after each, as far as it is known."""
        pairs = [pair for one, (before, after) in self.beside.items() for pair in ((before, one), (one, after))]
        return {one: other for one, other in pairs if one and other}

    @cached_property
    def _before(self) -> Mapping[str, str]:
        return {other: one for one, other in self._after.items()}

    def before(self, candidate: Candidate) -> Candidate | None:
        """The message just before, where it is a candidate too."""
        return self.messages.get(self._before.get(candidate.record.id, ""))

    def after(self, candidate: Candidate) -> Candidate | None:
        return self.messages.get(self._after.get(candidate.record.id, ""))

    @cached_property
    def times(self) -> Sequence[tuple[When, frozenset[str], float]]:
        """The times that are asked for, which records were said in each or tell of it, and how much that says. Like a
        word, a time says the more the fewer have it: of half a year's talk "this year" singles out nothing."""
        found = []
        for when in self.question.times:
            then = frozenset(one.record.id for one in self.candidates if is_of_time(one.record, when))
            some, of = len(then) + 0.5, len(self.candidates) + 1
            rare = 1.0 if self.question.of_time_alone else min(1.0, math.log(of / some) / math.log(of))
            found.append((when, then, rare))
        return found

    @cached_property
    def share(self) -> Mapping[str, float]:
        """How much speaks for each message by itself, beside the best of them."""
        said = {one: candidate.own_points for one, candidate in self.messages.items()}
        best = max(said.values(), default=0.0)
        return {one: max(0.0, own / best) if best > 0 else 0.0 for one, own in said.items()}

    @cached_property
    def sessions(self) -> Mapping[str, tuple[float, float]]:
        """The best share of each session, and the sum of their squares."""
        shares: dict[str, list[float]] = {}
        for one, candidate in self.messages.items():
            shares.setdefault(session_of(candidate.record), []).append(self.share[one])
        return {session: (max(some), sum([each * each for each in some])) for session, some in shares.items()}

    @cached_property
    def of_speaker(self) -> bool:
        """Whether the question names one of those who spoke."""
        return any("speaker" in one.strengths for one in self.messages.values())

    @cached_property
    def newest(self) -> Mapping[str, float]:
        """Among those that are about as good as the best: the newest most, the oldest hardly. The surer the best is,
        the more: where all is guesswork, the newest guess is no better. An import is no newer answer than the user's
        own words."""
        best = max((one.evidence for one in self.candidates), default=0.0)
        first = sorted(self.candidates, key=lambda one: one.points, reverse=True)[: LIMITS["nearest"]]
        near = [one for one in first if one.evidence >= CONSTANTS["near_best"] * best and settles(one)]
        near = [one for one in near if not is_foreign(one.record.origin)] or near
        for signal in ("attribute", "subject"):
            near = [one for one in near if one.strengths.get(signal, 0.0) >= 1] or near
        near = as_well_matched(near, self.question)
        moments = sorted({said_at(one.record) for one in near})
        return {one.record.id: best**2 * (moments.index(said_at(one.record)) + 1) / len(moments) for one in near}


NONE = 0.0, ""


def apply_signals(pool: Pool) -> None:
    """Every signal on every candidate, one after the other: the later ones go by what the earlier ones have found."""
    for name, signal in SIGNALS.items():
        for candidate in pool.candidates:
            strength, detail = signal(candidate, pool)
            if strength > 0:
                candidate.strengthen(name, strength, detail)


# What a fact is about


def attribute_asked(candidate: Candidate, pool: Pool) -> Strength:
    """Whether a fact has the attribute that is asked for: the less else a question asks for, the more that says."""
    fact, question = candidate.record, pool.question
    if not isinstance(fact, Fact):
        return NONE
    if question.of_all and fact.subject == USER:  # where all is asked for that is known of the user, first who it is
        first = fact.attribute in ("name", "home", "occupation", "employer")
        return 1.0 if first else CONSTANTS["not_profile"], fact.attribute
    asked = fact.attribute in question.attributes
    if fact.subject != USER:  # of others too what has all words of the question: "which port does staging listen on?"
        words = {term for term in different_terms(fact.attribute) if not is_stop_word(term)}
        asked = asked or (bool(words) and words.issubset(question.terms) and not question.then)
        asked = asked and is_named(fact, pool)
    if not asked or not held_in(fact, question.then) or not may_answer(fact, question):
        return NONE
    return answered(fact, question), fact.attribute


def topic_needed(candidate: Candidate, pool: Pool) -> Strength:
    """Whether a task needs a fact that it does not ask for."""
    fact, needs = candidate.record, pool.question.needs
    if isinstance(fact, Fact) and fact.subject == USER and fact.attribute in needs:
        return 1.0, needs[fact.attribute]
    return NONE


def subject_named(candidate: Candidate, pool: Pool) -> Strength:
    """Whether the question names whom a fact is about, or all of the key that a text was told under."""
    fact = candidate.record
    if not isinstance(fact, Fact):
        return NONE
    if candidate.key == 1:
        return 1.0, fact.attribute
    named = fact.attribute in pool.question.names if fact.subject == USER else is_named(fact, pool)
    return (answered(fact, pool.question), fact.subject) if named else NONE


def is_named(fact: Fact, pool: Pool) -> bool:
    """Whether the question names the subject of a fact, or just its attribute where it names nobody."""
    if fact.subject.casefold() in pool.subjects:
        return True
    return pool.subjects <= {USER} and fact.attribute in pool.question.names


def may_answer(fact: Fact, question: Question) -> bool:
    """Whether one of several values answers yes or no to what is named: that one has a car says nothing of a dog. Of
    what there is one at a time, any value answers: who lives in Lisbon does not live in Porto."""
    if not question.yes_or_no or attribute(fact.attribute).holds == "one":
        return True
    includes = table().includes
    asking = [name for name in question.attributes if fact.attribute in (name, *includes.get(name, ()))]
    known_as = frozenset[str]().union(*map(asked_as, asking))
    named = {term for term in question.topic_terms if not is_stop_word(term)} - known_as - different_terms(fact.subject)
    return not named or not named.isdisjoint(different_terms(f"{fact.value} {fact.attribute}"))


def answered(fact: Fact, question: Question) -> float:
    """How much of what a question asks a fact can account for; "who am I" asks for nothing beside."""
    asked = {term for term in question.topic_terms if not is_stop_word(term)}
    return 1 / (1 + len(asked - said_by(fact) - also_called(fact.attribute)))


def said_by(fact: Fact) -> frozenset[str]:
    """The words of a question that a fact accounts for; what is left over asks for something else."""
    return different_terms(f"{fact.text} {fact.attribute} {fact.subject}")


@lru_cache(maxsize=4096)
def different_terms(text: str) -> frozenset[str]:
    """The terms of a text; one fact is met several times in a search, and in many searches."""
    return frozenset(terms(text))


# When it was


def time_asked(candidate: Candidate, pool: Pool) -> Strength:
    """Whether a record was said in the time that was asked for, or tells of it."""
    question, one = pool.question, candidate.record
    if question.then and isinstance(one, Fact) and "attribute" in candidate.strengths:
        return 1.0, question.then[0].text
    found = [(strength, when.text) for when, ids, strength in pool.times if one.id in ids]
    return max(found, key=lambda pair: pair[0], default=NONE)


def is_of_time(record: Fact | Message | Note, when: When) -> bool:
    """Whether a record was said in that time, began in it, or tells of it. An assistant's answers are long and full of
    times that nobody asks for: they are not read for them."""
    said = said_at(record)
    if is_within(said, when) or (isinstance(record, Fact) and record.since and is_within(record.since, when)):
        return True
    if isinstance(record, Message) and record.role == "assistant":
        return False
    told = find(own_text(record)[: LIMITS["read_for_times"]], said, present=True)
    return any(is_within(one.start, when) for one in told)


def held_in(fact: Fact, times: Sequence[When]) -> bool:
    """Whether a fact was so in any of these times, if there are any."""
    return not times or any(
        (fact.since is None or fact.since < when.end)
        and (fact.until is None or when.relation == "until" or when.start < fact.until)
        for when in times
    )


def is_within(moment: datetime, when: When) -> bool:
    """Whether a moment lies in that time; anywhere before its end, where the question says "before" or "by"."""
    return (when.relation == "until" or when.start <= moment) and moment < when.end


def said_at(record: Fact | Message | Note) -> datetime:
    if isinstance(record, Message):
        return record.at
    return record.said if isinstance(record, Fact) else record.learned


# Who spoke


def speaker_named(candidate: Candidate, pool: Pool) -> Strength:
    """Whether the question names who spoke, by the whole name or the first."""
    name, names = speaker_of(candidate.record), pool.question.names
    return (1.0, name) if name and {name.casefold(), name.casefold().split()[0]}.intersection(names) else NONE


def only_asks(candidate: Candidate, pool: Pool) -> Strength:
    """Whether a message asks, and tells nothing. A turn goes on with what was asked."""
    return (1.0, "") if asks(candidate.record) and not pool.question.turn else NONE


def assistant_spoke(candidate: Candidate, pool: Pool) -> Strength:
    """Whether the assistant said it, which is seldom asked for."""
    wanted = pool.question.of_assistant or pool.question.turn
    return (1.0, "") if by_assistant(candidate) and not wanted else NONE


def asks(record: Fact | Message | Note) -> bool:
    return isinstance(record, Message) and record.content.rstrip().endswith("?")


def speaker_of(record: Fact | Message | Note) -> str | None:
    """The name of who spoke, where it is known: of the message, or at its start, as transcripts have it."""
    if not isinstance(record, Message) or record.name:
        return record.name if isinstance(record, Message) else None
    start = re.match(r"([A-Z][\w.'-]{0,30}(?: [A-Z][\w.'-]{0,30})?): ", record.content)
    return start[1] if start else None


def by_assistant(candidate: Candidate) -> bool:
    return isinstance(candidate.record, Message) and candidate.record.role == "assistant"


def by_another(one: Candidate, other: Candidate) -> bool:
    """Whether two messages come from different speakers: nobody answers themselves."""
    first, second = one.record, other.record
    if not isinstance(first, Message) or not isinstance(second, Message):
        return False
    return (first.role, speaker_of(first)) != (second.role, speaker_of(second))


# Where it stands


def of_talk(candidate: Candidate, pool: Pool) -> Strength:
    """How much of the words of a turn its whole session has."""
    record = candidate.record
    return pool.talks.get(record.session, 0.0) if isinstance(record, Message) else 0.0, ""


def of_session(candidate: Candidate, pool: Pool) -> Strength:
    """The best of the session of a message, which says more of a brief one."""
    if not isinstance(candidate.record, Message):
        return NONE
    return pool.sessions[session_of(candidate.record)][0] * (1 - briefness(candidate.record) / 2), ""


def said_together(candidate: Candidate, pool: Pool) -> Strength:
    """How much else of the session speaks of the same."""
    if not isinstance(candidate.record, Message):
        return NONE
    others = pool.sessions[session_of(candidate.record)][1] - pool.share[candidate.record.id] ** 2
    return briefness(candidate.record) * others / 2, ""


def opens_session(candidate: Candidate, pool: Pool) -> Strength:
    """Whether a message opens a conversation, and is near to what is asked."""
    before = pool.beside.get(candidate.record.id, ("", ""))[0]
    opens = before is None and candidate.record.origin != "document"
    return (pool.share[candidate.record.id], "") if opens and may_be_asked(candidate, pool) else NONE


def stands_beside(candidate: Candidate, pool: Pool) -> Strength:
    """How near to what is asked is what another says to it."""
    after = pool.after(candidate)
    if after is None or not may_be_asked(candidate, pool) or not by_another(candidate, after):
        return NONE
    return briefness(candidate.record) * pool.share[after.record.id], ""


def answers_question(candidate: Candidate, pool: Pool) -> Strength:
    """How near to what is asked is the question of another that a message answers."""
    before = pool.before(candidate)
    if before is None or not asks(before.record) or by_assistant(candidate) or not by_another(candidate, before):
        return NONE
    return briefness(candidate.record) * pool.share[before.record.id], ""


def may_be_asked(candidate: Candidate, pool: Pool) -> bool:
    """Where the question names a speaker, what others opened with, or were told, is no answer."""
    return isinstance(candidate.record, Message) and (not pool.of_speaker or "speaker" in candidate.strengths)


def briefness(record: Fact | Message | Note) -> float:
    """How much a message leaves to what stands around it: 1 for a word, 0 for a long text, which speaks for itself."""
    return 1 - min(1.0, len(own_text(record)) / CONSTANTS["brief"])


def session_of(record: Fact | Message | Note) -> str:
    """What belongs together. The parts of a document each speak for themselves: nobody goes on talking there."""
    return record.session if isinstance(record, Message) and record.origin != "document" else record.id


# The order of several answers


def recency(candidate: Candidate, pool: Pool) -> Strength:
    """A small push to what was said last, to decide ties."""
    days = (pool.moment - said_at(candidate.record)).total_seconds() / 86_400
    return 1 / (1 + max(0.0, days) / CONSTANTS["recent_days"]), ""


def newest(candidate: Candidate, pool: Pool) -> Strength:
    """How new it is among the best, where a question asks how things are."""
    return pool.newest.get(candidate.record.id, 0.0) if pool.question.now else 0.0, ""


def as_well_matched(candidates: Sequence[Candidate], question: Question) -> list[Candidate]:
    """Those that have about as many of the asked words as the one of them that has most, and all of them where that one
    has all: being newer never outweighs a full match. Long or short tells nothing here. What gives the attribute that
    is asked for, or is of the subject, matches by that."""
    records, asked = [one.record for one in candidates], question.topic_terms
    told = [said_by(one) if isinstance(one, Fact) else frozenset(terms(own_text(one))) for one in records]
    shares = [len(asked & words) / max(1, len(asked)) for words in told]
    most = max(shares, default=0.0)
    least = most if most == 1 else CONSTANTS["matched"] * most
    return [one for one, share in zip(candidates, shares, strict=True) if share >= least or is_asked(one)]


def settles(candidate: Candidate) -> bool:
    """Whether it may take the place of what is older: not what only disputes it, nor what a stranger said, nor an
    assistant's words, which repeat what it was told."""
    record = candidate.record
    disputed = isinstance(record, Fact) and record.disputes is not None
    return not disputed and not is_untrusted(record.origin) and not by_assistant(candidate)


def own_text(record: Fact | Message | Note) -> str:
    return record.content if isinstance(record, Message) else record.text


SIGNALS: Mapping[str, Callable[[Candidate, Pool], Strength]] = {
    "attribute": attribute_asked,
    "subject": subject_named,
    "topic": topic_needed,
    "time": time_asked,
    "speaker": speaker_named,
    "asks": only_asks,
    "assistant": assistant_spoke,
    "talk": of_talk,
    "session": of_session,
    "together": said_together,
    "opens": opens_session,
    "beside": stands_beside,
    "answer": answers_question,
    "recency": recency,
    "newest": newest,
}
"""In this order; "words", "meaning" and "tokens" come from the index."""
