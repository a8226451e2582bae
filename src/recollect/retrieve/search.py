"""The way out: a question is understood, matched by several signals, ranked with reasons, cut where evidence ends."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, get_args

from recollect.errors import InvalidInput
from recollect.facts.attributes import attribute, sentence
from recollect.facts.timeline import covered, holds, passes, rewind, uncovered
from recollect.records import HEARD_AS, USER, Change, Fact, Hit, Message, Note
from recollect.retrieve import rank
from recollect.retrieve.candidates import Found, Matches, find_matches, kind_of, reach_of
from recollect.retrieve.coverage import says_all
from recollect.retrieve.hits import View, as_hit, ended_by, heard, latest_ended, with_words
from recollect.retrieve.query import Question, understand
from recollect.retrieve.rank import Candidate
from recollect.retrieve.signals import (
    Beside,
    answered,
    held_in,
    is_of_another,
    mark_asked,
    mark_conversation,
    mark_keys,
    mark_newest,
    mark_outdated,
    mark_recency,
    mark_speakers,
    mark_times,
    said_by,
)
from recollect.runtime import Parts
from recollect.store import Query, RecordKind, facts_from, neighbours
from recollect.store.names import called, related, runs_in, voices
from recollect.text.dates import When
from recollect.text.words import query_terms

if TYPE_CHECKING:
    from recollect.retrieve.candidates import Vector

NEAR, OF_SUBJECT = 30, 12
"""How many facts of an attribute or a time are looked at, and how many of a subject that is named."""

MOST_HITS = 50
"""So many hits at most a prompt is filled from."""

KINDS: tuple[RecordKind, ...] = get_args(RecordKind)


def search(
    parts: Parts,
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
    question, vector = read(parts, query, views[0].moment)
    if question.small_talk:
        return []
    with parts.store.reading():
        candidates = [
            candidate
            for view in views
            for candidate in match(parts, view, question, vector)
            if wanted(candidate.record, category, kinds) and not is_shown(candidate.record, shown)
            if says_more(candidate.record, question)
        ]
        best = rank.ranked(candidates, first=views[0].owner)[:limit]
        hits = [as_hit(candidate, parts) for candidate in best]
        return with_words(parts, views, hits, shown) if "message" in kinds else hits


def for_turn(parts: Parts, views: Sequence[View], turn: str, shown: Collection[str]) -> list[Hit]:
    """What the prompt of a turn may need, best first. The same question, asked before, answers nothing."""
    if not turn.strip():
        return []
    asked = set(query_terms(turn))
    hits = search(parts, views, turn, limit=MOST_HITS, shown=shown)
    return [hit for hit in hits if not asks_the_same(hit.record, asked)]


def check_search(query: str, limit: int, kinds: Sequence[str]) -> None:
    if not isinstance(query, str) or not query.strip():
        raise InvalidInput(f"a search needs words to look for, not {query!r}")
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= 1000:
        raise InvalidInput(f"limit must be a whole number from 1 to 1000, not {limit!r}")
    if strange := [kind for kind in kinds if kind not in KINDS]:
        raise InvalidInput(f"kinds must be among {KINDS}, not {strange[0]!r}")


def read(parts: Parts, query: str, moment: datetime) -> tuple[Question, Vector | None]:
    """What a query asks for, by its words and by its meaning."""
    question = understand(query, moment)
    if question.small_talk:
        return question, None
    vector, request = parts.embed_question(query)
    return replace(question, request=question.request or request), vector


def match(parts: Parts, view: View, question: Question, vector: Vector | None) -> list[Candidate]:
    """Every record of one owner that any signal finds strongly enough, as it stands in this view."""
    found, beside = gathered(parts, view, question, vector)
    if parts.cautious and is_of_another(found, beside):
        return []
    mark_recency(found, view.moment)
    if question.now:
        mark_newest(found, question)
    mark_told(parts, view, found)
    mark_ended(parts, view, found, question)
    found = without_covered(found, view.moment, question)
    if view.at is None and view.known_at is None:
        mark_outdated(found, question, view.moment)
    return without_answered(found, question)


def gathered(parts: Parts, view: View, question: Question, vector: Vector | None) -> tuple[list[Candidate], Beside]:
    """What is found, with all that speaks for it; and what stands beside the best messages."""
    reach = reach_of(parts)
    people = people_named(parts, view, question)
    holding = None if view.known_at else view.moment
    matches = find_matches(parts, view.owner, question, vector, voices_in(parts, view, question, people), holding)
    named = named_facts(parts, view, question, people)
    best = [*matches.best(reach.near, reach.facts), *in_their_time(parts, view, question)]
    found = load(parts, view, matches, best, named)
    found |= load(parts, view, matches, missing_sources(found)[: reach.sources])
    mark_asked(found.values(), question, {fact.subject.casefold() for fact in named})
    mark_keys(found.values(), question)
    beside = neighbours(parts.store, view.owner, best_messages(found.values(), reach.beside))
    others = {one for pair in beside.values() for one in pair if one and one not in found}
    found |= load(parts, view, matches, [(one, "message") for one in sorted(others)])
    mark_times(found.values(), question)
    mark_speakers(found.values(), question)
    mark_conversation(list(found.values()), beside)
    return list(found.values()), beside


def missing_sources(found: Mapping[str, Candidate]) -> list[Found]:
    """The messages that found facts come from."""
    sources = [source for candidate in found.values() for source in rank.sources_of(candidate.record)]
    return [(source, "message") for source in dict.fromkeys(sources) if source not in found]


def best_messages(candidates: Iterable[Candidate], many: int) -> list[str]:
    """So many messages that most speaks for."""
    messages = [one for one in candidates if isinstance(one.record, Message)]
    return [one.record.id for one in sorted(messages, key=rank.points, reverse=True)[:many]]


def in_their_time(parts: Parts, view: View, question: Question) -> list[Found]:
    """What was said or began in the times asked for, when the question has nothing else to go by."""
    if not question.of_time_alone:
        return []
    found: list[Found] = []
    for when in question.times:
        period = (when.start, when.end)
        found += [
            (one.id, "message") for one in parts.store.read(view.owner, Message, Query(between=period, last=NEAR))
        ]
        found += [(one.id, "fact") for one in parts.store.read(view.owner, Fact, Query(between=period, last=NEAR))]
    return found


def people_named(parts: Parts, view: View, question: Question) -> list[Fact]:
    """The facts that name someone whom the question names too, by their name or by what they are to the user."""
    runs = runs_in(question.text)
    return [
        *called(parts.store, view.owner, runs, view.moment),
        *related(parts.store, view.owner, runs, view.moment),
    ]


def voices_in(parts: Parts, view: View, question: Question, people: Iterable[Fact]) -> frozenset[str]:
    """The words of the question that those who spoke are called by; only a comparison word by word asks for them."""
    if parts.by_tokens is None:
        return frozenset()
    heard_as = (fact.value for fact in people if fact.attribute == HEARD_AS)
    whole = frozenset(word for name in heard_as for word in name.casefold().split())
    return whole | voices(parts.store, view.owner, question.text, view.moment)


def named_facts(parts: Parts, view: View, question: Question, people: Sequence[Fact]) -> list[Fact]:
    """Facts of the subjects that the question names, by their own name or by what they are called, and of the
    attributes it asks for. `people`: the facts that name someone it speaks of."""
    subjects = {name for name in question.names if name != USER}
    people = [fact for fact in people if fact.subject == USER]
    for fact in people:
        if fact.value.casefold() in subjects or fact.attribute in subjects:
            subjects |= {fact.attribute, f"{fact.attribute} {fact.value}".casefold(), fact.value.casefold()}
    # Of a subject with very many facts the newest: the others are found by their words and meaning.
    found = parts.store.read(view.owner, Fact, Query(subjects=sorted(subjects), last=OF_SUBJECT)) if subjects else []
    if question.of_all:
        found += parts.store.read(view.owner, Fact, Query(subjects=[USER], holding=view.moment, last=NEAR))
    found += of_attributes(parts, view, [*question.attributes, *question.needs])
    found += [fact for fact in people if fact.attribute in question.names or fact.value.casefold() in question.names]
    facts = list({fact.id: fact for fact in found}.values())
    seen = seen_from(parts, view, facts)
    return seen if view.known_at else [*seen, *held_then(facts, question, view.moment)]


def of_attributes(parts: Parts, view: View, names: Sequence[str]) -> list[Fact]:
    """The user's newest facts of these attributes. Relations have an index of their own, as one may have very many."""
    store, owner = parts.store, view.owner
    relations = [name for name in dict.fromkeys(names) if attribute(name).relation]
    others = [name for name in dict.fromkeys(names) if name not in relations]
    found = store.read(owner, Fact, Query(subjects=[USER], attributes=others, last=NEAR)) if others else []
    for name in relations:
        found += store.read(owner, Fact, Query(latest=True, last=NEAR, subjects=[USER], attributes=[name], named=True))
    return found


def held_then(facts: Iterable[Fact], question: Question, moment: datetime) -> list[Fact]:
    """Those of the facts that no longer hold but did in the time that is asked of: "where did I live in January?"."""
    if not question.then:
        return []
    return [fact for fact in facts if fact.retired is None and ended_by(fact, moment) and held_in(fact, question.then)]


def seen_from(parts: Parts, view: View, facts: Sequence[Fact]) -> list[Fact]:
    """These facts as they stood in the view, without those that did not hold, or over which another one did."""
    if view.known_at is not None:
        later = parts.store.read(view.owner, Change, Query(records=[fact.id for fact in facts], after=view.known_at))
        facts = rewind(facts, later, view.known_at)
    return uncovered(fact for fact in facts if holds(fact, view.moment))


def load(
    parts: Parts, view: View, matches: Matches, found: Sequence[Found], named: Sequence[Fact] = ()
) -> dict[str, Candidate]:
    """The records that were found, each once, only those that the view can see, with what the index says of them."""
    ids: dict[RecordKind, list[str]] = {kind: [] for kind in KINDS}
    known = {fact.id for fact in named}
    for record_id, kind in dict.fromkeys(found):
        if record_id not in known:
            ids[kind].append(record_id)
    store, records = parts.store, list[Fact | Message | Note]()
    if ids["fact"]:
        records += seen_from(parts, view, store.read(view.owner, Fact, Query(ids=ids["fact"])))
    if ids["message"]:
        records += [one for one in store.read(view.owner, Message, Query(ids=ids["message"])) if heard(one, view)]
    if ids["note"]:
        records += [one for one in store.read(view.owner, Note, Query(ids=ids["note"])) if standing(one, view)]
    candidates = {record.id: Candidate(record, matches.weighing) for record in (*records, *named)}
    matches.compare((record.id, kind_of(record)) for record in (*records, *named))
    matches.mark(candidates.values())
    return candidates


def standing(note: Note, view: View) -> bool:
    """Whether this version of the note was the current one."""
    moment = view.known_at or view.moment
    return note.learned <= moment and (note.retired is None or note.retired > moment)


def mark_told(parts: Parts, view: View, candidates: Sequence[Candidate]) -> None:
    """What was read of the messages that found facts come from."""
    messages = {one.record.id: one for one in candidates if isinstance(one.record, Message)}
    sources = {source for one in candidates for source in rank.sources_of(one.record) if source in messages}
    for message, facts in facts_from(parts.store, view.owner, sorted(sources)).items() if sources else ():
        messages[message].told = tuple(fact for fact in facts if holds(fact, view.moment))


def mark_ended(parts: Parts, view: View, candidates: Collection[Candidate], question: Question) -> None:
    """Messages whose matching fact no longer holds say so, and are history where they say nothing else; so do those
    of which another fact does not hold."""
    messages = {candidate.record.id: candidate for candidate in candidates if isinstance(candidate.record, Message)}
    if not messages or view.known_at is not None:
        return
    wanted_terms = set(question.terms)
    held = {(one.record.subject, one.record.attribute) for one in candidates if isinstance(one.record, Fact)}
    for message, facts in facts_from(parts.store, view.owner, list(messages), over=view.moment).items():
        candidate = messages[message]
        candidate.outdated = latest_ended(facts, message, view.moment)
        spoken = [fact for fact in facts if closeness(fact, wanted_terms, question) > 0]
        if not spoken:
            continue
        best = max(spoken, key=lambda fact: (closeness(fact, wanted_terms, question), holds(fact, view.moment)))
        if not holds(best, view.moment) and (best.until or best.retired):
            if passes(best) and (best.subject, best.attribute) not in held:
                continue  # "I'm in Rome this week" says itself how long, and nothing else is known of it.
            candidate.ended = best
            candidate.over = not question.past and says_only(candidate, best)
            if best.attribute in question.attributes and held_in(best, question.then):
                candidate.strengthen("attribute", answered(best, question), best.attribute)


def without_covered(candidates: Sequence[Candidate], moment: datetime, question: Question) -> list[Candidate]:
    """Candidates without facts over which another one holds for a while ("today the standup is at 10"); the messages
    that they come from say so."""
    facts = [one.record for one in candidates if isinstance(one.record, Fact)]
    now = [fact for fact in facts if (held_all(fact, question.then) if question.then else holds(fact, moment))]
    over = covered(now)
    told = {source.message: fact for fact in now if fact.id in over for source in fact.sources}
    for candidate in candidates:
        fact = told.get(candidate.record.id)
        if fact is not None and candidate.ended is None and closeness(fact, set(question.terms), question) > 0:
            candidate.ended = replace(fact, why=f"since another holds {over[fact.id].why}")
    return [one for one in candidates if one.record.id not in over]


def held_all(fact: Fact, times: Sequence[When]) -> bool:
    """Whether a fact was so all through one of these times."""
    return any(
        (fact.since is None or fact.since <= when.start) and (fact.until is None or when.end <= fact.until)
        for when in times
    )


def without_answered(candidates: Sequence[Candidate], question: Question) -> list[Candidate]:
    """Candidates without messages that say nothing but an ended fact, whose successor is among them: who asks how
    things are has the answer, and the old words would only be in its way. `at=` and questions about the past bring them
    back."""
    if question.past and not question.by_tense:
        return list(candidates)
    facts = [one.record for one in candidates if isinstance(one.record, Fact)]
    held = {(fact.subject, fact.attribute) for fact in facts if not question.past or IN_PAST.match(fact.attribute)}
    return [one for one in candidates if not is_answered(one, held)]


def is_answered(candidate: Candidate, held: Collection[tuple[str, str]]) -> bool:
    """Whether it says nothing but an ended fact of which one of these is the successor."""
    ended = candidate.ended
    return ended is not None and (ended.subject, ended.attribute) in held and says_only(candidate, ended)


def says_only(candidate: Candidate, ended: Fact) -> bool:
    """Whether a message says nothing but what has ended: then nothing else is lost without it."""
    value = sentence(ended.subject, ended.attribute, ended.value)  # its text may be the whole message
    return isinstance(candidate.record, Message) and says_all([value], candidate.record.content)


IN_PAST = re.compile(r"(?:was|were|had|\w+ed)\b")
"""How relations begin that are told in the past tense for good: "worked in city"."""


def closeness(fact: Fact, wanted_terms: set[str], question: Question) -> int:
    """How much of the question this fact of a message speaks to."""
    shared = wanted_terms & said_by(fact)
    return len(shared) + 2 * (fact.attribute in question.attributes)


def wanted(record: Fact | Message | Note, category: str | None, kinds: Sequence[RecordKind]) -> bool:
    if category is not None:
        return isinstance(record, Fact) and record.category == category and "fact" in kinds
    return kind_of(record) in kinds


def says_more(record: Fact | Message | Note, question: Question) -> bool:
    """Whether it says more than under which name someone speaks, unless that is asked for."""
    return not isinstance(record, Fact) or record.attribute != HEARD_AS or HEARD_AS in question.attributes


def asks_the_same(record: Fact | Message | Note, asked: set[str]) -> bool:
    """Whether it is a message that only asks what is asked now."""
    if not isinstance(record, Message) or not record.content.rstrip().endswith("?"):
        return False
    return set(query_terms(record.content)) == asked


def is_shown(record: Fact | Message | Note, shown: Collection[str]) -> bool:
    """Whether it is one of these messages, or comes from them alone."""
    if not shown:
        return False
    sources = rank.sources_of(record)
    return record.id in shown or (bool(sources) and all(source in shown for source in sources))


def key_facts(parts: Parts, view: View, names: Sequence[str], subject: str) -> list[Fact]:
    """What the view holds of these attributes, undisputed and latest said last."""
    stored = parts.store.read(view.owner, Fact, Query(subjects=[subject], attributes=names))
    return sorted(seen_from(parts, view, stored), key=lambda fact: (fact.disputes is None, fact.said, fact.id))
