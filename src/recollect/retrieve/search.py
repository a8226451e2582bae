"""The way out: a question is understood, matched by several signals, ranked with reasons, cut where evidence ends."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence, Set
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, get_args

from recollect.errors import InvalidInput
from recollect.facts.attributes import sentence
from recollect.facts.timeline import covered, holds, passes
from recollect.facts.trust import is_foreign
from recollect.records import HEARD_AS, Fact, Hit, Message, Note
from recollect.retrieve import rank
from recollect.retrieve.candidates import View, gather, has_ended, heard, kind_of
from recollect.retrieve.query import Question, understand
from recollect.retrieve.rank import CONSTANTS, LIMITS, Candidate, says_all, sources_of, stands_for
from recollect.retrieve.signals import Pool, answered, apply_signals, by_assistant, held_in, said_by, speaker_of
from recollect.runtime import Runtime
from recollect.store import Query, RecordKind, facts_from
from recollect.text.dates import When
from recollect.text.words import query_terms

if TYPE_CHECKING:
    from recollect.retrieve.candidates import Vector

KINDS: tuple[RecordKind, ...] = get_args(RecordKind)


def search(
    runtime: Runtime,
    views: Sequence[View],
    query: str,
    *,
    limit: int,
    category: str | None = None,
    kinds: Sequence[RecordKind] = KINDS,
    shown: Collection[str] = (),
) -> list[Hit]:
    """The best hits over all views; none when nothing is relevant, or small talk asks for nothing. `shown`: messages
    that the asker sees anyway."""
    check_search(query, limit, kinds)
    question, vector = read(runtime, query, views[0].moment)
    if question.small_talk:
        return []
    with runtime.store.reading():
        candidates = [
            candidate
            for view in views
            for candidate in match(runtime, view, question, vector)
            if is_wanted(candidate.record, category, kinds, question) and not is_shown(candidate.record, shown)
        ]
        best = rank.ranked(candidates, first=views[0].owner)[:limit]
        hits = [as_hit(candidate, runtime) for candidate in best]
        return with_words(runtime, views, hits, shown) if "message" in kinds else hits


def for_turn(runtime: Runtime, views: Sequence[View], turn: str, shown: Collection[str]) -> list[Hit]:
    """What the prompt of a turn may need, best first. The same question, asked before, answers nothing."""
    if not turn.strip():
        return []
    asked = set(query_terms(turn))
    hits = search(runtime, views, turn, limit=LIMITS["most_hits"], shown=shown)
    return [hit for hit in hits if not asks_the_same(hit.record, asked)]


def asks_the_same(record: Fact | Message | Note, asked: set[str]) -> bool:
    """Whether it is a message that only asks what is asked now."""
    if not isinstance(record, Message) or not record.content.rstrip().endswith("?"):
        return False
    return set(query_terms(record.content)) == asked


def check_search(query: str, limit: int, kinds: Sequence[str]) -> None:
    if not isinstance(query, str) or not query.strip():
        raise InvalidInput(f"a search needs words to look for, not {query!r}")
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= 1000:
        raise InvalidInput(f"limit must be a whole number from 1 to 1000, not {limit!r}")
    if strange := [kind for kind in kinds if kind not in KINDS]:
        raise InvalidInput(f"kinds must be among {KINDS}, not {strange[0]!r}")


def read(runtime: Runtime, query: str, moment: datetime) -> tuple[Question, Vector | None]:
    """What a query asks for, by its words and by its meaning."""
    question = understand(query, moment)
    if question.small_talk:
        return question, None
    vector, request = runtime.embed_question(query)
    return replace(question, request=question.request or request), vector


def match(runtime: Runtime, view: View, question: Question, vector: Vector | None) -> list[Candidate]:
    """Every record of one owner that any signal finds strongly enough, as it stands in this view."""
    pool = gather(runtime, view, question, vector)
    apply_signals(pool)
    if runtime.cautious and is_of_another(pool):
        return []
    mark_told(runtime, view, pool.candidates, question)
    return without_covered(pool.candidates, view.moment, question)


def is_of_another(pool: Pool) -> bool:
    """Whether the question names one of those who spoke, but what it asks for was likely said by others: then nobody
    said it of the one named, and what the others said of themselves is no answer. Only a comparison word by word can
    tell, and what is known as a fact is an answer whoever said it."""
    if not any(one.profile.word_by_word for one in pool.candidates) or any(map(is_asked_fact, pool.candidates)):
        return False
    told = [one for one in pool.candidates if speaker_of(one.record)]
    theirs = [one for one in told if "speaker" in one.strengths]
    others = [one for one in told if "speaker" not in one.strengths and not by_assistant(one)]
    if not others or len({speaker_of(one.record) for one in theirs}) != 1:
        return False
    first = sorted(told, key=lambda one: one.points, reverse=True)[: LIMITS["first_said"]]
    share = sum("speaker" in one.strengths for one in first) / len(first)
    best = max(one.strengths.get("tokens", 0.0) for one in theirs)
    needed = CONSTANTS["of_another"] + CONSTANTS["of_another_first"] * share + CONSTANTS["of_another_best"] * best
    return best_said(others, pool) - best_said(theirs, pool) > needed


def is_asked_fact(candidate: Candidate) -> bool:
    return isinstance(candidate.record, Fact) and candidate.strengths.get("attribute", 0.0) >= CONSTANTS["known"]


def best_said(candidates: Sequence[Candidate], pool: Pool) -> float:
    """How much the best of these messages say of what is asked, with the questions that they answer."""

    def said(one: Candidate) -> float:
        own, before = (each.strengths.get("tokens", 0.0) if each else 0.0 for each in (one, pool.before(one)))
        return own + (CONSTANTS["answered"] * before if "answer" in one.strengths else 0.0)

    best = sorted(map(said, candidates), reverse=True)[: LIMITS["best_said"]]
    return sum(best) / len(best)


def is_wanted(
    record: Fact | Message | Note, category: str | None, kinds: Sequence[RecordKind], question: Question
) -> bool:
    """Whether it is of the kind and category asked for; under which name someone speaks is told where it is asked."""
    if category is not None and (not isinstance(record, Fact) or record.category != category):
        return False
    named = isinstance(record, Fact) and record.attribute == HEARD_AS
    return kind_of(record) in kinds and (not named or HEARD_AS in question.attributes)


def is_shown(record: Fact | Message | Note, shown: Collection[str]) -> bool:
    """Whether it is one of these messages, or comes from them alone."""
    if not shown:
        return False
    sources = sources_of(record)
    return record.id in shown or (bool(sources) and all(source in shown for source in sources))


# What the facts of messages say of them: what else was read of them, and what of it is over


def mark_told(runtime: Runtime, view: View, candidates: Collection[Candidate], question: Question) -> None:
    """What was read of each message. Messages whose matching fact no longer holds say so, and are history where they
    say nothing else; so do those of which another fact does not hold."""
    messages = {candidate.record.id: candidate for candidate in candidates if isinstance(candidate.record, Message)}
    held = {(one.record.subject, one.record.attribute) for one in candidates if isinstance(one.record, Fact)}
    for message, facts in facts_from(runtime.store, view.owner, list(messages)).items() if messages else ():
        candidate = messages[message]
        candidate.told = [fact for fact in facts if holds(fact, view.moment)]
        if view.known_at is None:
            candidate.outdated = latest_ended(facts, message, view.moment)
            mark_ended(candidate, facts, view, question, held)


def mark_ended(
    candidate: Candidate, facts: Sequence[Fact], view: View, question: Question, held: Collection[tuple[str, str]]
) -> None:
    """Whether the fact of a message that speaks to the question is over. `held`: of what else something is known."""
    best = max(facts, key=lambda fact: (closeness(fact, question), holds(fact, view.moment)))
    if not closeness(best, question) or holds(best, view.moment) or not (best.until or best.retired):
        return
    if passes(best) and (best.subject, best.attribute) not in held:
        return  # "I'm in Rome this week" says itself how long, and nothing else is known of it.
    candidate.ended = best
    candidate.over = not question.past and says_only(candidate, best)
    if best.attribute in question.attributes and held_in(best, question.then):
        candidate.strengthen("attribute", answered(best, question), best.attribute)


def closeness(fact: Fact, question: Question) -> int:
    """How much of a question a fact speaks to: the words that they share, and the attribute, which counts for two."""
    return len(said_by(fact).intersection(question.terms)) + 2 * (fact.attribute in question.attributes)


def latest_ended(facts: Iterable[Fact], message: str, moment: datetime) -> Fact | None:
    """Of the facts that a message states, the one that others ended or put right last; not one whose end the message
    tells itself ("I used to live in Rome")."""
    over = [fact for fact in facts if fact.retired or (has_ended(fact, moment) and not tells_end(fact, message))]
    return max(over, key=lambda fact: fact.retired or fact.until or fact.said, default=None)


def tells_end(fact: Fact, message: str) -> bool:
    """Whether it was told in this message that the fact is over, and not later."""
    return any(source.message == message and source.quote in fact.why for source in fact.sources)


def without_covered(candidates: Sequence[Candidate], moment: datetime, question: Question) -> list[Candidate]:
    """Candidates without facts over which another one holds for a while ("today the standup is at 10"); the messages
    that they come from say so. And without messages that say nothing but an ended fact, whose successor is among them:
    who asks how things are has the answer, and the old words would only be in its way."""
    facts = [one.record for one in candidates if isinstance(one.record, Fact)]
    now = [fact for fact in facts if (held_all(fact, question.then) if question.then else holds(fact, moment))]
    over = covered(now)
    told = {source.message: fact for fact in now if fact.id in over for source in fact.sources}
    for candidate in candidates:
        fact = told.get(candidate.record.id)
        if fact is not None and candidate.ended is None and closeness(fact, question):
            candidate.ended = replace(fact, why=f"since another holds {over[fact.id].why}")
    held = set() if question.past else {(fact.subject, fact.attribute) for fact in facts if fact.id not in over}
    return [one for one in candidates if one.record.id not in over and not is_answered(one, held)]


def held_all(fact: Fact, times: Sequence[When]) -> bool:
    """Whether a fact was so all through one of these times."""
    return any(
        (fact.since is None or fact.since <= when.start) and (fact.until is None or when.end <= fact.until)
        for when in times
    )


def is_answered(candidate: Candidate, held: Collection[tuple[str, str]]) -> bool:
    """Whether it says nothing but an ended fact of which one of these is the successor."""
    ended = candidate.ended
    return ended is not None and (ended.subject, ended.attribute) in held and says_only(candidate, ended)


def says_only(candidate: Candidate, ended: Fact) -> bool:
    """Whether a message says nothing but what has ended: then nothing else is lost without it."""
    value = sentence(ended.subject, ended.attribute, ended.value)  # its text may be the whole message
    return isinstance(candidate.record, Message) and says_all([value], candidate.record.content)


# What is given


def as_hit(candidate: Candidate, runtime: Runtime) -> Hit:
    record = candidate.record
    dispute = None
    if isinstance(record, Fact) and record.disputes:
        dispute = next(iter(runtime.store.read(record.owner, Fact, Query(ids=[record.disputes]))), None)
    over, words = candidate.ended or candidate.outdated, None
    if candidate.half_read and candidate.told_by and isinstance(candidate.told_by.record, Message):
        words, over = candidate.told_by.record, candidate.told_by.ended or candidate.told_by.outdated
    return Hit(record, round(rank.score(candidate), 4), rank.reasons(candidate), over, dispute, words)


def with_words(runtime: Runtime, views: Sequence[View], hits: Sequence[Hit], shown: Collection[str]) -> list[Hit]:
    """The hits, with the words of messages that no signal found by themselves where a fact says less than they do."""
    seen = {*shown, *(one.id for hit in hits if isinstance(one := hit.message or hit.record, Message))}
    of_owner = {view.owner: view for view in views}
    return [with_source(runtime, of_owner[hit.record.owner], hit, seen) for hit in hits]


def with_source(runtime: Runtime, view: View, hit: Hit, shown: Set[str]) -> Hit:
    """A hit of a fact with the newest message that says more than it does, where none of its messages is shown."""
    sources = sources_of(hit.record)
    if not sources or hit.message or not shown.isdisjoint(sources):
        return hit
    told = facts_from(runtime.store, view.owner, sources)
    for message in sorted(
        runtime.store.read(view.owner, Message, Query(ids=sources)), key=lambda one: one.at, reverse=True
    ):
        facts = told.get(message.id, [])
        own = is_foreign(hit.record.origin) or not is_foreign(message.origin)
        held = [one for one in facts if holds(one, view.moment)]
        if own and heard(message, view) and not stands_for(hit.record, message, held):
            return replace(hit, message=message, ended=latest_ended(facts, message.id, view.moment))
    return hit
