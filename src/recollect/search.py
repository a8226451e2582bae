"""The way out: a question is understood, matched by several signals, ranked with reasons, cut where evidence ends."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import TypeAlias, get_args

from recollect import rank
from recollect.attributes import asked_for
from recollect.errors import InvalidInput
from recollect.parts import Parts
from recollect.rank import Candidate
from recollect.records import USER, Fact, Hit, Message, Note
from recollect.reembed import by_former
from recollect.rewind import holds, rewind
from recollect.stores import Match, RecordKind
from recollect.topics import needed_for
from recollect.when import When, find
from recollect.words import is_stop, query_terms, terms

DEEP = 100
"""How many records words and meaning may each find in the index."""

NEAR = 30
"""How many of them are loaded and ranked with all signals."""

NEAR_BEST = 0.7
"""What has at least this share of the best evidence may answer the same question."""

EVENTFUL = frozenset(terms("happen happened do did go on event news new say said tell told"))
"""Words that ask for whatever there was."""

KINDS: tuple[RecordKind, ...] = get_args(RecordKind)


Found: TypeAlias = tuple[str, RecordKind]
"""A record that was found but is not loaded yet: its id and kind."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a search asks for, once understood."""

    text: str
    terms: tuple[str, ...]
    topic_terms: frozenset[str]
    """The words without those that only tell a time."""
    attributes: tuple[str, ...]
    needs: Mapping[str, str]
    """Attributes that the task needs without asking for them, each with its topic."""
    times: tuple[When, ...]
    now: bool
    """Whether it asks how things are, so that of two answers the newer one counts."""
    names: tuple[str, ...]
    """Runs of words that may name a subject."""


@dataclass(frozen=True, slots=True)
class View:
    """From where a search looks: whose memory, at which moment, and as believed when."""

    owner: str
    moment: datetime
    at: datetime | None = None
    known_at: datetime | None = None


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
    """The best hits over all views; nothing when nothing is relevant. `shown`: messages that the asker sees anyway."""
    check_search(query, limit, kinds)
    question = understand(query, views[0].moment)
    vector = parts.embed([query])
    with parts.store.reading():
        candidates = [
            candidate
            for view in views
            for candidate in match(parts, view, question, None if vector is None else vector[0])
            if wanted(candidate.record, category, kinds) and not is_shown(candidate.record, shown)
        ]
        best = rank.ranked(candidates, first=views[0].owner)
        return [as_hit(candidate, parts) for candidate in best[:limit]]


def check_search(query: str, limit: int, kinds: Sequence[str]) -> None:
    if not isinstance(query, str) or not query.strip():
        raise InvalidInput(f"a search needs words to look for, not {query!r}")
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= 1000:
        raise InvalidInput(f"limit must be a whole number from 1 to 1000, not {limit!r}")
    if strange := [kind for kind in kinds if kind not in KINDS]:
        raise InvalidInput(f"kinds must be among {KINDS}, not {strange[0]!r}")


def understand(query: str, now: datetime) -> Question:
    """The words, attributes, times and names in a question."""
    text = query[:10_000]
    times = tuple(find(text, now))
    untimed = text
    for when in reversed(times):
        untimed = untimed[: when.at[0]] + " " + untimed[when.at[1] :]
    return Question(
        text=text,
        terms=tuple(query_terms(text)),
        topic_terms=frozenset(query_terms(untimed)) if untimed.strip() else frozenset(),
        attributes=tuple(asked_for(text)),
        needs=needed_for(text),
        times=times,
        now=asks_for_now(text, timed=bool(times)),
        names=names_in(text),
    )


NOW = re.compile(
    r"(?i)\b(?:current(?:ly)?|now|nowadays|these days|lately|latest|newest|recent(?:ly)?|so far|still|today)\b"
)
THEN = re.compile(
    r"(?i)\b(?:previous(?:ly)?|initial(?:ly)?|original(?:ly)?|former(?:ly)?|used to|at first|first|back then|ago"
    r"|earlier|before|once|when (?:did|was|were)|how long ago)\b"
)
PRESENT = re.compile(r"(?i)\b(?:do|does|am|is|are|'s|'re|'m|have|has|can|should|will|my)\b")


def asks_for_now(text: str, *, timed: bool) -> bool:
    """Whether a question is about the present state of things, by its words and tenses."""
    if NOW.search(text):
        return True
    return not timed and not THEN.search(text) and bool(PRESENT.search(text))


def names_in(text: str) -> tuple[str, ...]:
    """Runs of up to three words, and as they are written of up to six, any of which may be a subject's name."""
    spoken = re.findall(r"[\w'’./-]+", text)[:40]
    words = [name for word in spoken if (name := re.sub(r"['’]s$", "", word.strip("./-'’")))]
    runs = [" ".join(words[i : i + length]) for length in (3, 2, 1) for i in range(len(words) - length + 1)]
    written = text.split()[:40]
    whole = [" ".join(written[i : i + length]) for length in range(2, 7) for i in range(len(written) - length + 1)]
    runs += [re.sub(r"['’]s?$", "", run.strip('?!,;:"“”`')) for run in whole]
    return tuple(dict.fromkeys(run.casefold() for run in runs))


def match(parts: Parts, view: View, question: Question, vector: object) -> list[Candidate]:
    """Every record of one owner that any signal finds strongly enough, as it stands in this view."""
    strengths = matched(parts, view, question, vector)
    named = named_facts(parts, view, question)
    best = sorted(strengths, key=lambda one: rank.rough(strengths[one]), reverse=True)[:NEAR]
    found = load(parts, view, [*best, *in_their_time(parts, view, question)], named)
    for one in best:
        if (candidate := found.get(one[0])) is not None:
            candidate.strengths.update(strengths[one])
    mark_asked(found.values(), question, {fact.subject.casefold() for fact in named})
    mark_times(found.values(), question)
    mark_recency(found.values(), view.moment)
    if question.now:
        mark_newest(list(found.values()))
    mark_ended(parts, view, found.values(), question)
    return without_answered(list(found.values())) if question.now else list(found.values())


def matched(parts: Parts, view: View, question: Question, vector: object) -> dict[Found, dict[str, float]]:
    """What the index finds by words and by meaning, with how strongly; nothing is loaded yet."""
    holding = None if view.known_at else view.moment
    strengths: dict[Found, dict[str, float]] = {}
    by_words = parts.store.match_words(view.owner, question.terms, limit=DEEP, holding=holding)
    for record_id, kind, score, share in by_words:
        strengths[record_id, kind] = {"words": rank.words_strength(score, share, by_words[0].score)}
    for record_id, kind, score, _ in near(parts, view, question, vector, holding):
        if (strength := rank.meaning_strength(score)) > 0:
            strengths.setdefault((record_id, kind), {})["meaning"] = strength
    return strengths


def near(parts: Parts, view: View, question: Question, vector: object, holding: datetime | None) -> list[Match]:
    """What is near in meaning; nothing without an embedder."""
    if vector is None or parts.embedder is None:
        return []
    name = parts.embedder.name
    found = parts.store.match_vector(view.owner, name, vector, limit=DEEP, holding=holding)  # type: ignore[arg-type]
    return [*found, *by_former(parts, view.owner, question.text, limit=DEEP, holding=holding)]


def in_their_time(parts: Parts, view: View, question: Question) -> list[Found]:
    """What was said or began in the times asked for, when the question has nothing else to go by."""
    if not question.times or question.topic_terms - EVENTFUL:
        return []
    found: list[Found] = []
    for when in question.times:
        period = (when.start, when.end)
        found += [(one.id, "message") for one in parts.store.messages(view.owner, between=period, last=NEAR)]
        found += [(one.id, "fact") for one in parts.store.facts(view.owner, between=period, last=NEAR)]
    return found


def named_facts(parts: Parts, view: View, question: Question) -> list[Fact]:
    """Facts of the subjects that the question names, by their own name or by what they are called, and of the
    attributes it asks for."""
    subjects = {name for name in question.names if name != USER}
    people = parts.store.facts(view.owner, named=True, holding=view.moment)
    people = [fact for fact in people if fact.subject == USER]
    for fact in people:
        if fact.value.casefold() in subjects or fact.attribute in subjects:
            subjects |= {fact.attribute, f"{fact.attribute} {fact.value}".casefold(), fact.value.casefold()}
    # Of a subject with very many facts the newest: the others are found by their words and meaning.
    found = parts.store.facts(view.owner, subjects=sorted(subjects), last=NEAR) if subjects else []
    if asked := [*question.attributes, *question.needs]:
        found += parts.store.facts(view.owner, subjects=[USER], attributes=asked, last=NEAR)
    found += [fact for fact in people if fact.attribute in question.names or fact.value.casefold() in question.names]
    return seen_from(parts, view, list({fact.id: fact for fact in found}.values()))


def seen_from(parts: Parts, view: View, facts: Sequence[Fact]) -> list[Fact]:
    """These facts as they stood in the view, without those that did not hold."""
    if view.known_at is not None:
        later = parts.store.changes(view.owner, after=view.known_at)
        facts = rewind(facts, later, view.known_at)
    return [fact for fact in facts if holds(fact, view.moment)]


def load(parts: Parts, view: View, found: Sequence[Found], named: Sequence[Fact]) -> dict[str, Candidate]:
    """The records that were found, each once, only those that the view can see."""
    ids: dict[RecordKind, list[str]] = {kind: [] for kind in KINDS}
    known = {fact.id for fact in named}
    for record_id, kind in dict.fromkeys(found):
        if record_id not in known:
            ids[kind].append(record_id)
    store, records = parts.store, list[Fact | Message | Note]()
    if ids["fact"]:
        records += seen_from(parts, view, store.facts(view.owner, ids=ids["fact"]))
    if ids["message"]:
        records += [one for one in store.messages(view.owner, ids=ids["message"]) if heard(one, view)]
    if ids["note"]:
        records += [one for one in store.notes(view.owner, ids=ids["note"]) if standing(one, view)]
    return {record.id: Candidate(record) for record in (*records, *named)}


def heard(message: Message, view: View) -> bool:
    """Whether the message had been said, and kept, by the moment that is asked for."""
    kept = view.known_at is None or (message.learned or message.at) <= view.known_at
    return kept and (view.at is None or message.at <= view.at)


def standing(note: Note, view: View) -> bool:
    """Whether this version of the note was the current one."""
    moment = view.known_at or view.moment
    return note.learned <= moment and (note.retired is None or note.retired > moment)


def mark_asked(candidates: Iterable[Candidate], question: Question, subjects: set[str]) -> None:
    """The attribute asked for, and the subject named: the less else a question asks for, the more they say."""
    for candidate in candidates:
        fact = candidate.record
        if not isinstance(fact, Fact):
            continue
        about_named = fact.subject.casefold() in subjects or fact.attribute in question.names
        if fact.attribute in question.attributes and (fact.subject == USER or about_named):
            candidate.strengthen("attribute", answered(fact, question), fact.attribute)
        if fact.attribute in question.needs and fact.subject == USER:
            candidate.strengthen("topic", 1.0, question.needs[fact.attribute])
        if (about_named and fact.subject != USER) or (fact.subject == USER and fact.attribute in question.names):
            candidate.strengthen("subject", answered(fact, question), fact.subject)


def answered(fact: Fact, question: Question) -> float:
    """How much of what a question asks a fact can account for; "who am I" asks for nothing beside."""
    asked = {term for term in question.topic_terms if not is_stop(term)}
    return 1 / (1 + len(asked - said_by(fact)))


def said_by(fact: Fact) -> frozenset[str]:
    """The words of a question that a fact accounts for; what is left over asks for something else."""
    return different_terms(f"{fact.text} {fact.attribute} {fact.subject}")


@lru_cache(maxsize=4096)
def different_terms(text: str) -> frozenset[str]:
    """The terms of a text; one fact is met several times in a search, and in many searches."""
    return frozenset(terms(text))


def mark_times(candidates: Iterable[Candidate], question: Question) -> None:
    """Whether a record speaks of the time that was asked for, or was said then."""
    for when in question.times:
        for candidate in candidates:
            if in_time(candidate.record, when):
                candidate.strengthen("time", 1.0, when.text)


def in_time(record: Fact | Message | Note, when: When) -> bool:
    if isinstance(record, Message):
        return when.start <= record.at < when.end
    if isinstance(record, Fact):
        began = record.since or record.said
        return when.start <= began < when.end or any(
            when.start <= told.start < when.end for told in find(record.text, record.said)
        )
    return when.start <= record.learned < when.end


def mark_recency(candidates: Iterable[Candidate], now: datetime) -> None:
    """A small push to what was said last, to decide ties."""
    for candidate in candidates:
        age = (now - said_at(candidate.record)).total_seconds() / 86_400
        candidate.strengthen("recency", 1 / (1 + max(0.0, age) / 30))


def mark_newest(candidates: Sequence[Candidate]) -> None:
    """Among those that are about as good as the best: the newest full, the oldest not at all."""
    best = max((rank.evidence(one) for one in candidates), default=0.0)
    near = [one for one in candidates if rank.evidence(one) >= NEAR_BEST * best]
    near = [one for one in near if one.strengths.get("subject", 0.0) >= 1] or near
    for place, candidate in enumerate(sorted(near, key=lambda one: said_at(one.record)), 1):
        candidate.strengthen("newest", place / len(near))


def said_at(record: Fact | Message | Note) -> datetime:
    if isinstance(record, Message):
        return record.at
    return record.said if isinstance(record, Fact) else record.learned


def mark_ended(parts: Parts, view: View, candidates: Iterable[Candidate], question: Question) -> None:
    """Messages whose matching fact no longer holds are history."""
    messages = {candidate.record.id: candidate for candidate in candidates if isinstance(candidate.record, Message)}
    if not messages:
        return
    wanted_terms = set(question.terms)
    for message, facts in parts.store.facts_from(view.owner, list(messages)).items():
        spoken = [fact for fact in facts if closeness(fact, wanted_terms, question) > 0] or facts
        best = max(spoken, key=lambda fact: (closeness(fact, wanted_terms, question), holds(fact, view.moment)))
        if view.known_at is None and not holds(best, view.moment) and (best.until or best.retired):
            messages[message].ended = best
            if best.attribute in question.attributes:
                messages[message].strengthen("attribute", answered(best, question), best.attribute)


def without_answered(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Candidates without messages whose ended fact has its successor among them: who asks how things are has the
    answer, and the old words would only be in its way. `at=` and questions about the past bring them back."""
    held = {(one.record.subject, one.record.attribute) for one in candidates if isinstance(one.record, Fact)}
    return [one for one in candidates if one.ended is None or (one.ended.subject, one.ended.attribute) not in held]


def closeness(fact: Fact, wanted_terms: set[str], question: Question) -> int:
    """How much of the question this fact of a message speaks to."""
    shared = wanted_terms & said_by(fact)
    return len(shared) + 2 * (fact.attribute in question.attributes)


def wanted(record: Fact | Message | Note, category: str | None, kinds: Sequence[RecordKind]) -> bool:
    if category is not None:
        return isinstance(record, Fact) and record.category == category and "fact" in kinds
    return kind_of(record) in kinds


def is_shown(record: Fact | Message | Note, shown: Collection[str]) -> bool:
    """Whether it is one of these messages, or comes from them alone."""
    sources = rank.sources_of(record)
    return record.id in shown or (bool(sources) and all(source in shown for source in sources))


def kind_of(record: Fact | Message | Note) -> RecordKind:
    if isinstance(record, Message):
        return "message"
    return "fact" if isinstance(record, Fact) else "note"


def as_hit(candidate: Candidate, parts: Parts) -> Hit:
    record = candidate.record
    dispute = None
    if isinstance(record, Fact) and record.disputes:
        dispute = next(iter(parts.store.facts(record.owner, ids=[record.disputes])), None)
    return Hit(record, round(rank.score(candidate), 4), rank.reasons(candidate), candidate.ended, dispute)


def key_facts(parts: Parts, view: View, name: str, subject: str) -> list[Fact]:
    """What the view holds of an attribute, undisputed and latest said last."""
    stored = parts.store.facts(view.owner, subjects=[subject], attributes=[name])
    return sorted(seen_from(parts, view, stored), key=lambda fact: (fact.disputes is None, fact.said, fact.id))
