"""The records of one owner that may answer a question: found by words, by meaning, and by what the question names, and
loaded once, as they stood where one looks from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, TypeAlias

from recollect.embed import embed_question
from recollect.facts.attributes import attribute, sentence
from recollect.facts.timeline import holds, rewind, uncovered
from recollect.records import HEARD_AS, USER, Change, Fact, Message, Note
from recollect.retrieve.query import Question
from recollect.retrieve.rank import (
    CONSTANTS,
    LIMITS,
    Candidate,
    Profile,
    profile_for,
    sources_of,
    words_alone,
    words_scale,
)
from recollect.retrieve.signals import Pool, held_in
from recollect.runtime import Runtime
from recollect.store import Match, Query, RecordKind, neighbours
from recollect.text.words import key_stems, split, stem, terms

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vector: TypeAlias = npt.NDArray[np.float32]

Found: TypeAlias = tuple[str, RecordKind]
"""A record that was found but is not loaded yet: its id and kind."""

_FOUND, _SCORE = itemgetter(0, 1), itemgetter(2)
"""Id and kind of a match, and its score: there are hundreds of them, and by name each takes twice as long."""

_KINDS: Mapping[type, RecordKind] = {Message: "message", Fact: "fact", Note: "note"}


@dataclass(frozen=True, slots=True)
class View:
    """From where a search looks: whose memory, at which moment, and as believed when."""

    owner: str
    moment: datetime
    at: datetime | None = None
    known_at: datetime | None = None

    @property
    def holding(self) -> datetime | None:
        """The moment at which facts must hold, where what is believed now is asked for."""
        return None if self.known_at else self.moment


def kind_of(record: Fact | Message | Note) -> RecordKind:
    return _KINDS[record.__class__]


def gather(runtime: Runtime, view: View, question: Question, vector: Vector | None) -> Pool:
    """What may answer a question, with what the index says of each record, and what stands beside the best messages."""
    profile = profile_for(word_by_word=runtime.by_tokens is not None, request=question.request, turn=question.turn)
    people = called(runtime, view, question)
    matches = find_matches(runtime, view, question, vector, profile, voices_in(runtime, view, question, people))
    named = named_facts(runtime, view, question, people)
    best = [*matches.best("message"), *matches.best("fact", "note"), *in_their_time(runtime, view, question)]
    facts = load_facts(runtime, view, best, named)
    told = dict.fromkeys(source for fact in facts for source in sources_of(fact))
    said = [one for one, kind in dict.fromkeys(best) if kind == "message"]
    said += [one for one in told if one not in said][: profile.reach["sources"]]
    matches.compare([*((one, "message") for one in said), *((fact.id, "fact") for fact in facts)])
    first = sorted(said, key=lambda one: matches.points.get((one, "message"), 0.0), reverse=True)
    messages, beside = load_messages(runtime, view, said, first[: profile.reach["beside"]])
    matches.compare((one.id, "message") for one in messages)
    records: list[Fact | Message | Note] = [*facts, *messages, *load_notes(runtime, view, best)]
    candidates = [matches.candidate(record) for record in records]
    subjects = frozenset(fact.subject.casefold() for fact in named)
    return Pool(candidates, question, view.moment, subjects, beside, whole_talks(runtime, view, question))


def whole_talks(runtime: Runtime, view: View, question: Question) -> dict[str, float]:
    """How much of the words each session has. A question is answered by a message; a turn goes on with a talk."""
    if not question.turn:
        return {}
    found = runtime.store.match_words(view.owner, question.terms, limit=LIMITS["talks"], sessions=True)
    return {session.id: session.score / found[0].score for session in found}


# What the index finds


@dataclass
class Matches:
    """The records of one owner that the index finds for a question."""

    runtime: Runtime
    owner: str
    question: Question
    profile: Profile
    counts: Callable[[str], float]
    """How much a word of the question counts where words are compared one by one."""
    words: Mapping[Found, Match]
    """What was found by words: BM25, and how much of what was asked it has."""
    scale: float
    """By what BM25 is multiplied, to be the strength of words."""
    most: float
    """The BM25 of the record that has most of the words."""
    meaning: Mapping[Found, float]
    """How strongly others, or the same, were found by meaning."""
    tokens: dict[Found, float] = field(default_factory=dict)
    """How far the embedder agrees word by word, of each that was compared."""
    points: dict[Found, float] = field(default_factory=dict)
    """What speaks for each record so far."""

    def __post_init__(self) -> None:
        # Of hundreds of records, few are ever loaded: nothing is made for each of them but these sums.
        words, meaning = self.profile.weights["words"] * self.scale, self.profile.weights["meaning"]
        self.points |= {one: words * match.score for one, match in self.words.items()}
        for one, cosine in self.meaning.items():
            self.points[one] = self.points.get(one, 0.0) + meaning * cosine

    def compare(self, found: Iterable[Found]) -> None:
        """Compare the question with these records word by word, each once, where the embedder does that."""
        embedder, kept = self.runtime.by_tokens, [one for one in dict.fromkeys(found) if one not in self.tokens]
        if embedder is None or not kept:
            return
        packed = self.runtime.store.tokens(self.owner, embedder.name, [record_id for record_id, _ in kept])
        words = [packed.get(record_id, b"") for record_id, _ in kept]
        scores = embedder.token_similarity(self.question.text, words, self.counts).tolist()
        for one, score in zip(kept, scores, strict=True):
            self.tokens[one] = strength = max(0.0, score)
            self.points[one] = self.points.get(one, 0.0) + self.profile.weights["tokens"] * strength

    def best(self, *kinds: RecordKind, limit: str = "") -> list[Found]:
        """The best records of these kinds, as many as a search looks at."""
        best = sorted(self.points, key=self.points.__getitem__, reverse=True)
        reach = self.profile.reach[limit or ("messages" if "message" in kinds else "facts")]
        return [one for one in best if one[1] in kinds][:reach]

    def candidate(self, record: Fact | Message | Note) -> Candidate:
        """A record that is loaded now, with what the index said of it."""
        one = record.id, kind_of(record)
        score, share = self.words[one][2:] if one in self.words else (0.0, 0.0)
        found = (
            ("words", self.scale * score),
            ("meaning", self.meaning.get(one, 0.0)),
            ("tokens", self.tokens.get(one, 0.0)),
        )
        return Candidate(
            record,
            self.profile,
            {signal: min(1.0, strength) for signal, strength in found if strength > 0},
            shared=words_alone(score, share, word_by_word=self.profile.word_by_word),
            beside_best=score / self.most if self.most > 0 else 1.0,
            key=key_asked(record, self.question),
        )


def key_asked(record: Fact | Message | Note, question: Question) -> float | None:
    """How far a question names the key of a text that was told under one: wholly 1, partly, or not at all; None where
    there is no such key. What a key says, a text is about; the words of the text itself are found by chance more
    easily."""
    if not isinstance(record, Fact) or record.sources or len(record.value) < LIMITS["keyed_text"]:
        return None
    whole, phrases = frozenset(stem(word) for word in split(question.text)), key_phrases(record)
    if any(phrase <= whole for phrase in phrases):
        return 1.0
    return CONSTANTS["partly_keyed"] if any(not phrase.isdisjoint(question.terms) for phrase in phrases) else 0.0


@lru_cache(maxsize=4096)
def key_phrases(fact: Fact) -> tuple[frozenset[str], ...]:
    """What a text is filed under: subject, key, and the names that it opens with."""
    opening, stop, _ = fact.value.partition(". ")
    names = opening.split(",") if stop else ()
    said = (fact.attribute, *(() if fact.subject == USER else (fact.subject,)), *names)
    return tuple(words for one in said if (words := key_stems(one)))


def find_matches(
    runtime: Runtime, view: View, question: Question, vector: Vector | None, profile: Profile, names: frozenset[str]
) -> Matches:
    """What the index finds by words and by meaning, and how far the embedder agrees word by word. `names`: words that
    those who spoke are called by."""
    limit = profile.reach["found"]
    by_words = runtime.store.match_words(view.owner, question.terms, limit=limit, holding=view.holding)
    by_meaning = [one for one in near(runtime, view, question, vector, limit) if one.score > 0]
    rare = runtime.store.rarity(view.owner, question.terms) if profile.word_by_word else {}
    matches = Matches(
        runtime,
        view.owner,
        question,
        profile,
        counts=cache(lambda word: counts_for(rare, names, word)),
        words=dict(zip(map(_FOUND, by_words), by_words, strict=True)),
        scale=words_scale(by_words[0].score, by_words[0].share) if by_words else 0.0,
        most=by_words[0].score if by_words else 0.0,
        meaning=dict(zip(map(_FOUND, by_meaning), map(_SCORE, by_meaning), strict=True)),
    )
    if profile.word_by_word:
        matches.compare([*matches.best("message", limit="compared"), *matches.best("fact", "note")])
    return matches


def counts_for(rare: Mapping[str, float], names: frozenset[str], word: str) -> float:
    """How much a word of the question counts: as much as it is rare, a question word little, and the name of a speaker
    nothing: who spoke is known better than by whose name is in the text."""
    if word in names:
        return 0.0
    return max(CONSTANTS["stop_word"], rare.get(word, rare.get(stem(word), 0.0)))


def near(runtime: Runtime, view: View, question: Question, vector: Vector | None, limit: int) -> list[Match]:
    """What is near in meaning; nothing without an embedder. The previous embedder finds among records that the present
    one has not embedded yet: a score is always between two vectors of one embedder."""
    if vector is None or runtime.embedder is None:
        return []
    found = runtime.store.match_vector(view.owner, runtime.embedder.name, vector, limit=limit, holding=view.holding)
    if (previous := runtime.previous_embedder) is None:
        return found
    try:
        earlier, _ = embed_question(previous, question.text)
    except Exception as error:  # A third party's code may raise anything; the new vectors and words still answer.
        runtime.problems["previous embedder"] = f"{type(error).__name__}: {error}"
        return found
    runtime.problems.pop("previous embedder", None)
    before = runtime.store.match_vector(view.owner, previous.name, earlier, limit=limit, holding=view.holding)
    renewed = runtime.store.vectors(view.owner, runtime.embedder.name, [one.id for one in before]) if before else {}
    return [*found, *(one for one in before if one.id not in renewed)]


# What the question names


def called(runtime: Runtime, view: View, question: Question) -> list[Fact]:
    """The facts that call someone by a name that the question has."""
    limit = LIMITS["of_name"]
    return runtime.store.read(
        view.owner, Fact, Query(named=True, values=question.names, holding=view.moment, last=limit)
    )


def voices_in(runtime: Runtime, view: View, question: Question, people: Iterable[Fact]) -> frozenset[str]:
    """The words of the question that those who spoke are called by; only a comparison word by word asks for them."""
    if runtime.by_tokens is None:
        return frozenset()
    told = terms(sentence("", HEARD_AS, ""))
    words = {word.removesuffix("'s") for word in re.findall(r"\w[\w'-]*", question.text) if word[0].isupper()}
    found = [runtime.store.read(view.owner, Fact, Query(words=[*told, *terms(word)], last=1)) for word in sorted(words)]
    heard_as = [fact for some in (people, *found) for fact in some if fact.attribute == HEARD_AS and not fact.retired]
    return frozenset(word for fact in heard_as for word in fact.value.casefold().split())


def named_facts(runtime: Runtime, view: View, question: Question, people: Sequence[Fact]) -> list[Fact]:
    """Facts of the subjects that the question names, by their own name or by what they are called, and of the
    attributes it asks for. `people`: the facts that call someone by a name that it has."""
    limit, store, owner = LIMITS["of_attribute"], runtime.store, view.owner
    found = list[Fact]()
    # Relations have an index of their own, as one may have very many.
    names = dict.fromkeys([*question.attributes, *question.needs])
    relations = [name for name in names if attribute(name).relation]
    for name in relations:
        found += store.read(owner, Fact, Query(latest=True, last=limit, subjects=[USER], attributes=[name], named=True))
    people = [fact for fact in (*people, *found) if fact.subject == USER and holds(fact, view.moment)]
    found += people
    subjects = {name for name in question.names if name != USER}
    for fact in people:
        if fact.value.casefold() in subjects or fact.attribute in subjects:
            subjects |= {fact.attribute, f"{fact.attribute} {fact.value}".casefold(), fact.value.casefold()}
    # Of a subject with very many facts the newest: the others are found by their words and meaning.
    found += store.read(owner, Fact, Query(subjects=sorted(subjects), last=LIMITS["of_subject"])) if subjects else []
    if question.of_all:
        found += store.read(owner, Fact, Query(subjects=[USER], holding=view.moment, last=limit))
    if others := [name for name in names if name not in relations]:
        found += store.read(owner, Fact, Query(subjects=[USER], attributes=others, last=limit))
    facts = list({fact.id: fact for fact in found}.values())
    seen = seen_from(runtime, view, facts)
    return seen if view.known_at else [*seen, *held_then(facts, question, view.moment)]


def held_then(facts: Iterable[Fact], question: Question, moment: datetime) -> list[Fact]:
    """Those of the facts that no longer hold but did in the time that is asked of: "where did I live in January?"."""
    over = [fact for fact in facts if question.then and fact.retired is None and has_ended(fact, moment)]
    return [fact for fact in over if held_in(fact, question.then)]


def has_ended(fact: Fact, moment: datetime) -> bool:
    return fact.until is not None and fact.until <= moment


def in_their_time(runtime: Runtime, view: View, question: Question) -> list[Found]:
    """What was said or began in the times asked for, when the question has nothing else to go by."""
    found, read = list[Found](), runtime.store.read
    for when in question.times if question.of_time_alone else ():
        period = Query(between=(when.start, when.end), last=LIMITS["of_attribute"])
        found += [(one.id, "message") for one in read(view.owner, Message, period)]
        found += [(one.id, "fact") for one in read(view.owner, Fact, period)]
    return found


# Loading


def load_facts(runtime: Runtime, view: View, found: Sequence[Found], named: Sequence[Fact]) -> list[Fact]:
    """The facts that were found or named, each once, as they stood in the view."""
    known = {fact.id for fact in named}
    ids = [one for one, kind in dict.fromkeys(found) if kind == "fact" and one not in known]
    return [*(seen_from(runtime, view, runtime.store.read(view.owner, Fact, Query(ids=ids))) if ids else ()), *named]


def seen_from(runtime: Runtime, view: View, facts: Sequence[Fact]) -> list[Fact]:
    """These facts as they stood in the view, without those that did not hold, or over which another one did."""
    if view.known_at is not None:
        later = runtime.store.read(view.owner, Change, Query(records=[fact.id for fact in facts], after=view.known_at))
        facts = rewind(facts, later, view.known_at)
    return uncovered(fact for fact in facts if holds(fact, view.moment))


def load_messages(
    runtime: Runtime, view: View, ids: Sequence[str], first: Sequence[str]
) -> tuple[list[Message], dict[str, tuple[str | None, str | None]]]:
    """The messages with these ids, and those just before and after the `first` of them, as far as they had been said
    by the moment of the view; and which stand beside each of the first."""
    around = runtime.store.read(view.owner, Message, Query(beside=first)) if first else []
    others = sorted(set(ids) - {one.id for one in around})
    messages = [*around, *(runtime.store.read(view.owner, Message, Query(ids=others)) if others else ())]
    return [one for one in messages if heard(one, view)], neighbours(around, first)


def heard(message: Message, view: View) -> bool:
    """Whether the message had been said, and kept, by the moment that is asked for."""
    kept = view.known_at is None or (message.learned or message.at) <= view.known_at
    return kept and (view.at is None or message.at <= view.at)


def load_notes(runtime: Runtime, view: View, found: Sequence[Found]) -> list[Note]:
    """The notes that were found, in the version that was the current one."""
    ids = [one for one, kind in found if kind == "note"]
    moment = view.known_at or view.moment
    notes = runtime.store.read(view.owner, Note, Query(ids=ids)) if ids else []
    return [one for one in notes if one.learned <= moment and (one.retired is None or one.retired > moment)]
