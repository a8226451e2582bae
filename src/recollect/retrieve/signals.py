"""What speaks for a record beside its words and its meaning: what is asked for, who spoke, when, and what stands around
it in the conversation."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache

from recollect.facts.attributes import also_called, asked_as, attribute, includes
from recollect.facts.trust import TRUST, is_foreign, is_untrusted
from recollect.records import USER, Fact, Message, Note
from recollect.retrieve import rank
from recollect.retrieve.measures import Given, asked_measure, given, gives_any, outdated_by
from recollect.retrieve.query import Question
from recollect.retrieve.rank import Candidate
from recollect.text.dates import When, find
from recollect.text.words import is_stop_word, split, stem, terms

NEAR_BEST = 0.7
"""What has at least this share of the best evidence may answer the same question."""

MATCHED = 0.9
"""A newer record must have this share of the asked words of the best match: what lacks one of them tells of something
else, however new it is."""

NEAREST = 5
"""Only so many may: the newest comes first among the best, and pushes nothing out from among them."""

PROFILE, OTHERS = ("name", "home", "occupation", "employer"), 0.85
"""What is told first, where all is asked for that is known of the user; and how much the rest counts beside it."""

KEYED_TEXT = 60
"""A value of so many characters is a text, and its key says what it is about."""

MEASURED = 20
"""In so many of the best records the measure is looked for that a question asks for."""

READ_FOR_TIMES = 2_000
"""In so many characters of a record, times are looked for."""

LONG = 400
"""A message of so many characters speaks for itself."""

OF_ANOTHER = -0.25
"""How far the words of others must fit better than those of the speaker who is named, for it to be likely that only
others said it; more is needed the better their own words fit and the more of the first are theirs. Measured in
docs/quality.md."""

BY_FIRST, BY_BEST = 0.18, 0.37
"""How much more is needed when all of the first messages are theirs, and when one of theirs fits wholly."""

FIRST_SAID = 2
"""Among so many of the first messages we look whose they are."""

ANSWERED = 0.5
"""How much of a question counts as said by who answers it."""

BEST_SAID = 3
"""So many of the best messages of a speaker are compared with those of others."""

SPEAKER = re.compile(r"([A-Z][\w.'-]{0,30}(?: [A-Z][\w.'-]{0,30})?): ")
"""A speaker's name at the start of what was said, as transcripts have it."""


def mark_asked(candidates: Iterable[Candidate], question: Question, subjects: set[str]) -> None:
    """The attribute asked for, and the subject named: the less else a question asks for, the more they say."""
    for candidate in candidates:
        fact = candidate.record
        if not isinstance(fact, Fact):
            continue
        if question.of_all and fact.subject == USER:
            candidate.strengthen("attribute", 1.0 if fact.attribute in PROFILE else OTHERS, fact.attribute)
        about_named = fact.subject.casefold() in subjects or fact.attribute in question.names
        asked = fact.attribute in question.attributes
        asked = asked and (fact.subject == USER or about_named)
        named = about_named and fact.subject != USER and not question.then  # A time asked for says more.
        asked = asked or (named and is_named_in(fact, question))
        if asked and held_in(fact, question.then) and may_answer(fact, question):
            candidate.strengthen("attribute", answered(fact, question), fact.attribute)
            if question.then:
                candidate.strengthen("time", 1.0, question.then[0].text)
        if fact.attribute in question.needs and fact.subject == USER:
            candidate.strengthen("topic", 1.0, question.needs[fact.attribute])
        if (about_named and fact.subject != USER) or (fact.subject == USER and fact.attribute in question.names):
            candidate.strengthen("subject", answered(fact, question), fact.subject)


def is_named_in(fact: Fact, question: Question) -> bool:
    """Whether a question has all words of a relation, known or not: "which port does staging listen on?"."""
    named = {term for term in different_terms(fact.attribute) if not is_stop_word(term)}
    return bool(named) and named <= set(question.terms)


def may_answer(fact: Fact, question: Question) -> bool:
    """Whether one of several values answers yes or no to what is named: that one has a car says nothing of a dog. Of
    what there is one at a time, any value answers: who lives in Lisbon does not live in Porto."""
    if not question.yes_or_no or attribute(fact.attribute).holds == "one":
        return True
    known_as = frozenset[str]().union(
        *(asked_as(name) for name in question.attributes if fact.attribute in (name, *includes(name)))
    )
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


def mark_times(candidates: Collection[Candidate], question: Question) -> None:
    """Whether a record was said in the time that was asked for, or tells of it. Like a word, a time says the more the
    fewer have it: of half a year's talk "this year" singles out nothing, "ten days ago" little else. Where nothing but
    the time is asked for, it is all that counts."""
    for when in question.times:
        then = [one for one in candidates if is_within(said_at(one.record), when) or tells_of(one.record, when)]
        for candidate in then:
            strength = 1.0 if question.of_time_alone else rarity(len(then), len(candidates))
            candidate.strengthen("time", strength, when.text)


def rarity(some: int, of: int) -> float:
    """How much it says to be one of some among so many: 1 for one among many, next to nothing where all are."""
    return min(1.0, math.log((of + 1) / (some + 0.5)) / math.log(of + 1))


def tells_of(record: Fact | Message | Note, when: When) -> bool:
    """Whether a record began in that time, or tells of it. An assistant's answers are long and full of times that
    nobody asks for: they are not read for them."""
    if isinstance(record, Fact) and record.since is not None and is_within(record.since, when):
        return True
    if isinstance(record, Message) and record.role == "assistant":
        return False
    told = find(said_in(record)[:READ_FOR_TIMES], said_at(record), present=True)
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


def mark_recency(candidates: Iterable[Candidate], now: datetime) -> None:
    """A small push to what was said last, to decide ties."""
    for candidate in candidates:
        age = (now - said_at(candidate.record)).total_seconds() / 86_400
        candidate.strengthen("recency", 1 / (1 + max(0.0, age) / 30))


def mark_newest(candidates: Sequence[Candidate], question: Question) -> None:
    """Among those that are about as good as the best: the newest most, the oldest hardly. The surer the best is, the
    more: where all is guesswork, the newest guess is no better. What gives no measure where one is asked for is no
    newer answer, nor is an import beside the user's own words."""
    best = max(map(rank.evidence, candidates), default=0.0)
    first = sorted(candidates, key=rank.points, reverse=True)[:NEAREST]
    near = [one for one in first if rank.evidence(one) >= NEAR_BEST * best and settles(one)]
    near = [one for one in near if not is_foreign(one.record.origin)] or near
    for signal in ("attribute", "subject"):
        near = [one for one in near if one.strengths.get(signal, 0.0) >= 1] or near
    near = as_well_matched(near, question)
    if asked := asked_measure(question.text):
        near = [one for one in near if gives_any(said_in(one.record), asked)] or near
    moments = sorted({said_at(one.record) for one in near})
    for candidate in near:
        candidate.strengthen("newest", best**2 * (moments.index(said_at(candidate.record)) + 1) / len(moments))


def as_well_matched(candidates: Sequence[Candidate], question: Question) -> list[Candidate]:
    """Those that have about as many of the asked words as the one of them that has most; long or short tells nothing
    here. What gives the attribute that is asked for, or is of the subject, matches by that."""
    asked = question.topic_terms
    shares = [len(asked & words_of(one)) / max(1, len(asked)) for one in candidates]
    least = MATCHED * max(shares, default=0.0)
    return [one for one, share in zip(candidates, shares, strict=True) if share >= least or rank.asked(one)]


def words_of(candidate: Candidate) -> frozenset[str]:
    """The words that a record has of its own."""
    record = candidate.record
    return said_by(record) if isinstance(record, Fact) else frozenset(terms(said_in(record)))


def settles(candidate: Candidate) -> bool:
    """Whether it may take the place of what is older: not what only disputes it, nor what a stranger said, nor an
    assistant's words, which repeat what it was told."""
    record = candidate.record
    disputed = isinstance(record, Fact) and record.disputes is not None
    return not disputed and not is_untrusted(record.origin) and not by_assistant(candidate)


def mark_keys(candidates: Iterable[Candidate], question: Question) -> None:
    """How far a question names the key of a text that was told under one: wholly, partly, or not at all. What a key
    says, a text is about; the words of the text itself are found by chance more easily."""
    asked, whole = frozenset(question.terms), frozenset(stem(word) for word in split(question.text))
    for candidate in candidates:
        fact = candidate.record
        if not isinstance(fact, Fact) or fact.sources or len(fact.value) < KEYED_TEXT:
            continue
        named = [phrase for phrase in key_phrases(fact) if phrase <= whole]
        candidate.key = 1.0 if named else 0.5 if any(phrase & asked for phrase in key_phrases(fact)) else 0.0
        if named:
            candidate.strengthen("subject", 1.0, fact.attribute)


@lru_cache(maxsize=4096)
def key_phrases(fact: Fact) -> tuple[frozenset[str], ...]:
    """What a text is filed under: subject, key, and the names that it opens with."""
    opening, stop, _ = fact.value.partition(". ")
    names = opening.split(",") if stop else ()
    said = (fact.attribute, *(() if fact.subject == USER else (fact.subject,)), *names)
    return tuple(
        words for one in said if (words := frozenset(stem(word) for word in split(one) if not is_stop_word(word)))
    )


def mark_outdated(candidates: Sequence[Candidate], question: Question, now: datetime) -> None:
    """What changes the measure that an earlier message gave ("my budget is 600 now") is the newest answer, if the
    present is asked for."""
    asked = asked_measure(question.text)
    if asked is None or (question.past and not any(when.end > now for when in question.times)):
        return
    sure = [rank.evidence(one) for one in candidates]
    best = max(sure, default=0.0)
    near = [one for one, own in zip(candidates, sure, strict=True) if own >= best / 2 and may_measure(one)]
    near = sorted(near, key=rank.points, reverse=True)[:MEASURED]
    near.sort(key=lambda one: said_at(one.record))
    told = [(one, given(said_in(one.record), asked)) for one in near]
    for kind in asked.kinds:
        mark_changed([(one, measures[kind]) for one, measures in told if kind in measures], best, bool(asked.thing))


def mark_changed(told: Sequence[tuple[Candidate, Given]], best: float, named: bool) -> None:
    """Each measure that a later one has changed; what changed it is the newest answer."""
    for place, (candidate, measure) in enumerate(told):
        later = [one for one in told[place + 1 :] if by_the_same(candidate.record, one[0].record)]
        by = outdated_by(measure, [one for _, one in later], named=named)
        if by is None:
            continue
        later[by][0].strengthen("newest", best**2)


def may_measure(candidate: Candidate) -> bool:
    """Whether it is the user's word, and not over anyway."""
    record = candidate.record
    return candidate.ended is None and not isinstance(record, Note) and TRUST[record.origin] >= TRUST["user"]


def by_the_same(older: Fact | Message | Note, newer: Fact | Message | Note) -> bool:
    """Whether the newer was said later, and not by or of someone else."""
    if said_at(newer) <= said_at(older):
        return False
    if isinstance(older, Message) and isinstance(newer, Message):
        return older.name == newer.name
    subjects = {one.subject for one in (older, newer) if isinstance(one, Fact)}
    return len(subjects) == 1 and (USER in subjects or isinstance(older, Fact) is isinstance(newer, Fact))


def said_in(record: Fact | Message | Note) -> str:
    return record.content if isinstance(record, Message) else record.text


def said_at(record: Fact | Message | Note) -> datetime:
    if isinstance(record, Message):
        return record.at
    return record.said if isinstance(record, Fact) else record.learned


Beside = Mapping[str, tuple[str | None, str | None]]
"""The messages just before and after a message."""


def mark_speakers(candidates: Iterable[Candidate], question: Question) -> None:
    """Who spoke: someone the question names, or the assistant, which is seldom asked for; and whether they only ask."""
    for candidate in candidates:
        message = candidate.record
        if not isinstance(message, Message):
            continue
        if (name := speaker_of(message)) and named_in(name, question):
            candidate.strengthen("speaker", 1.0, name)
        if by_assistant(candidate) and not question.of_assistant:
            candidate.strengthen("assistant", 1.0)
        if message.content.rstrip().endswith("?"):
            candidate.strengthen("asks", 1.0)


def speaker_of(message: Message) -> str | None:
    """The name of who spoke, where it is known."""
    if message.name:
        return message.name
    start = SPEAKER.match(message.content)
    return start[1] if start else None


def named_in(name: str, question: Question) -> bool:
    whole = name.casefold()
    return whole in question.names or whole.split()[0] in question.names


def mark_conversation(candidates: Sequence[Candidate], beside: Beside) -> None:
    """What else was said around a message: the best of its session, how much of it speaks of the same, what another
    says to it, the question of another that it answers, and whether it opens the conversation. Where the question names
    a speaker, what others opened with, or were told, is no answer."""
    messages = {one.record.id: one for one in candidates if isinstance(one.record, Message)}
    said = {one: rank.own_points(candidate) for one, candidate in messages.items()}
    best = max(said.values(), default=0.0)
    if best <= 0:
        return
    share = {one: max(0.0, own / best) for one, own in said.items()}
    sessions: dict[str, list[float]] = {}
    for one, candidate in messages.items():
        sessions.setdefault(session_of(candidate), []).append(share[one])
    most = {session: max(shares) for session, shares in sessions.items()}
    squares = {session: sum([each * each for each in shares]) for session, shares in sessions.items()}
    around = both_ways(beside)
    named = any("speaker" in one.strengths for one in messages.values())
    for one, candidate in messages.items():
        session, brief = session_of(candidate), briefness(candidate.record)
        candidate.strengthen("session", most[session] * (1 - brief / 2))
        candidate.strengthen("together", brief * (squares[session] - share[one] ** 2) / 2)
        asked_of = not named or "speaker" in candidate.strengths
        if asked_of and beside.get(one, ("", ""))[0] is None and not is_document(candidate):
            candidate.strengthen("opens", share[one])
        before, after = (messages.get(other or "") for other in around.get(one, (None, None)))
        if asked_of and after and by_another(candidate, after):
            candidate.strengthen("beside", brief * share[after.record.id])
        if before and by_another(candidate, before) and "asks" in before.strengths and not by_assistant(candidate):
            candidate.strengthen("answer", brief * share[before.record.id])


def is_of_another(candidates: Sequence[Candidate], beside: Beside) -> bool:
    """Whether the question names one of those who spoke, but what it asks for was likely said by others: then nobody
    said it of the one named, and what the others said of themselves is no answer. Only a comparison word by word can
    tell, and what is known as a fact is an answer whoever said it."""
    if not any(one.weighing.word_by_word for one in candidates) or any(is_asked_fact(one) for one in candidates):
        return False
    told = [one for one in candidates if isinstance(one.record, Message) and speaker_of(one.record)]
    theirs = [one for one in told if "speaker" in one.strengths]
    others = [one for one in told if "speaker" not in one.strengths and not by_assistant(one)]
    if not others or len({speaker_of(one.record) for one in theirs if isinstance(one.record, Message)}) != 1:
        return False
    first = sorted(told, key=rank.points, reverse=True)[:FIRST_SAID]
    share = sum("speaker" in one.strengths for one in first) / len(first)
    best = max(one.strengths.get("tokens", 0.0) for one in theirs)
    return ahead(others, theirs, beside) > OF_ANOTHER + BY_FIRST * share + BY_BEST * best


def is_asked_fact(candidate: Candidate) -> bool:
    return isinstance(candidate.record, Fact) and candidate.strengths.get("attribute", 0.0) >= rank.KNOWN


def ahead(some: Sequence[Candidate], others: Sequence[Candidate], beside: Beside) -> float:
    """By how much the best of some messages say more of what is asked than the best of others."""
    similar = {one.record.id: one.strengths.get("tokens", 0.0) for one in (*some, *others)}
    before = {one: pair[0] or "" for one, pair in both_ways(beside).items()}

    def said(one: Candidate) -> float:
        answers = ANSWERED * similar.get(before.get(one.record.id, ""), 0.0) if "answer" in one.strengths else 0.0
        return similar[one.record.id] + answers

    first, second = (sorted(map(said, each), reverse=True)[:BEST_SAID] for each in (some, others))
    return sum(first) / len(first) - sum(second) / len(second)


def both_ways(beside: Beside) -> Beside:
    """What stands beside these messages, and these beside those."""
    before = {after: one for one, (_, after) in beside.items() if after}
    before |= {one: other for one, (other, _) in beside.items() if other}
    after = {other: one for one, (other, _) in beside.items() if other}
    after |= {one: other for one, (_, other) in beside.items() if other}
    return {one: (before.get(one), after.get(one)) for one in {*before, *after}}


def by_another(one: Candidate, other: Candidate) -> bool:
    """Whether two messages come from different speakers: nobody answers themselves."""
    first, second = one.record, other.record
    if not isinstance(first, Message) or not isinstance(second, Message):
        return False
    return (first.role, speaker_of(first)) != (second.role, speaker_of(second))


def by_assistant(candidate: Candidate) -> bool:
    return isinstance(candidate.record, Message) and candidate.record.role == "assistant"


def briefness(record: Fact | Message | Note) -> float:
    """How much a message leaves to what stands around it: 1 for a word, 0 for a long text, which speaks for itself."""
    return 1 - min(1.0, len(record.content) / LONG) if isinstance(record, Message) else 0.0


def session_of(candidate: Candidate) -> str:
    """What belongs together. The parts of a document each speak for themselves: nobody goes on talking there."""
    record = candidate.record
    if not isinstance(record, Message):
        return ""
    return record.id if is_document(candidate) else record.session


def is_document(candidate: Candidate) -> bool:
    return candidate.record.origin == "document"
