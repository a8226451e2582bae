"""What the index finds of an owner's records, by words, by meaning and word by word, before any of them is loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from recollect.embed import embed_question
from recollect.records import Fact, Message, Note
from recollect.retrieve import rank
from recollect.retrieve.query import Question
from recollect.retrieve.rank import Candidate, Weighing
from recollect.runtime import Parts
from recollect.store import Match, RecordKind
from recollect.text.stems import stem

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vector: TypeAlias = npt.NDArray[np.float32]

Found: TypeAlias = tuple[str, RecordKind]
"""A record that was found but is not loaded yet: its id and kind."""

_FOUND, _SCORE = itemgetter(0, 1), itemgetter(2)
"""Id and kind of a match, and its score: there are hundreds of them, and by name each takes twice as long."""

STOP_COUNTS = 0.1
"""How much a question word counts where words are compared one by one; a rare word counts 1."""

MOST_TALKS = 100
"""So many sessions are told apart by their words."""


class Reach(NamedTuple):
    """How many records a search looks at."""

    deep: int
    """How many records words and meaning may each find in the index."""
    compared: int
    """Of the messages found, so many are compared word by word, where the embedder does that."""
    near: int
    """Of these, so many are loaded and ranked with all signals."""
    facts: int
    """So many facts and notes are compared and loaded."""
    sources: int
    """So many messages that found facts come from, since a fact is one more key to them."""
    beside: int
    """Of so many messages the ones just before and after."""


BY_VECTOR = Reach(deep=100, compared=0, near=30, facts=10, sources=5, beside=6)
BY_WORDS = Reach(deep=400, compared=150, near=40, facts=15, sources=10, beside=16)
"""Where the embedder compares word by word: that finds the right one far down the list, before anything is loaded."""


def reach_of(parts: Parts) -> Reach:
    return BY_VECTOR if parts.by_tokens is None else BY_WORDS


@dataclass
class Matches:
    """The records of one owner that the index finds for a question."""

    parts: Parts
    owner: str
    question: Question
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
    talks: Mapping[str, float]
    """What whole sessions have of the words, beside the best of them; only where a turn of a talk is looked for."""
    tokens: dict[Found, float] = field(default_factory=dict)
    """How far the embedder agrees word by word, of each that was compared."""
    points: dict[Found, float] = field(default_factory=dict)
    """What speaks for each record so far."""

    def __post_init__(self) -> None:
        # Of hundreds of records, few are ever loaded: nothing is made for each of them but these sums.
        words, meaning = self.weights["words"], self.weights["meaning"]
        self.points |= {one: words * (self.scale * match.score) for one, match in self.words.items()}
        for one, cosine in self.meaning.items():
            self.points[one] = self.points.get(one, 0.0) + meaning * cosine

    @property
    def weighing(self) -> Weighing:
        return Weighing(self.parts.by_tokens is not None, self.question.request, self.question.turn)

    @property
    def weights(self) -> Mapping[str, float]:
        return rank.weights(self.weighing)

    def compare(self, found: Iterable[Found]) -> None:
        """Compare the question with these records word by word, each once, where the embedder does that."""
        embedder, kept = self.parts.by_tokens, [one for one in found if one not in self.tokens]
        if embedder is None or not kept:
            return
        packed = self.parts.store.tokens(self.owner, embedder.name, [record_id for record_id, _ in kept])
        words = [packed.get(record_id, b"") for record_id, _ in kept]
        scores = embedder.token_similarity(self.question.text, words, self.counts).tolist()
        counts = self.weights["tokens"]
        for one, score in zip(kept, scores, strict=True):
            self.tokens[one] = strength = max(0.0, score)
            self.points[one] = self.points.get(one, 0.0) + counts * strength

    def best(self, messages: int, others: int) -> list[Found]:
        """The best of the messages, and of facts and notes."""
        best = sorted(self.points, key=self.points.__getitem__, reverse=True)
        said = [one for one in best if one[1] == "message"][:messages]
        return said + [one for one in best if one[1] != "message"][:others]

    def mark(self, candidates: Iterable[Candidate]) -> None:
        """What the index said of records that are loaded now, before any other signal."""
        for candidate in candidates:
            one = candidate.record.id, kind_of(candidate.record)
            score, share = self.words[one][2:] if one in self.words else (0.0, 0.0)
            meaning, tokens = self.meaning.get(one, 0.0), self.tokens.get(one, 0.0)
            strengths = (("words", self.scale * score), ("meaning", meaning), ("tokens", tokens))
            candidate.strengths = {signal: min(1.0, strength) for signal, strength in strengths if strength > 0}
            if isinstance(candidate.record, Message):
                candidate.strengthen("talk", self.talks.get(candidate.record.session, 0.0))
            candidate.shared = rank.words_alone(score, share, word_by_word=candidate.weighing.word_by_word)
            candidate.beside_best = score / self.most if self.most > 0 else 1.0


def find_matches(
    parts: Parts, owner: str, question: Question, vector: Vector | None, names: frozenset[str], holding: datetime | None
) -> Matches:
    """What the index finds by words and by meaning, and how far the embedder agrees word by word. `names`: words that
    those who spoke are called by."""
    reach = reach_of(parts)
    by_words = parts.store.match_words(owner, question.terms, limit=reach.deep, holding=holding)
    most = by_words[0].score if by_words else 0.0
    by_meaning = [one for one in near(parts, owner, question, vector, reach.deep, holding) if one.score > 0]
    rare = dict[str, float]() if parts.by_tokens is None else parts.store.rarity(owner, question.terms)
    matches = Matches(
        parts,
        owner,
        question,
        counts=cache(lambda word: counts_for(rare, names, word)),
        words=dict(zip(map(_FOUND, by_words), by_words, strict=True)),
        scale=rank.words_scale(most, by_words[0].share) if by_words else 0.0,
        most=most,
        meaning=dict(zip(map(_FOUND, by_meaning), map(_SCORE, by_meaning), strict=True)),
        talks=whole_talks(parts, owner, question),
    )
    if parts.by_tokens is not None:
        matches.compare(matches.best(reach.compared, reach.facts))
    return matches


def whole_talks(parts: Parts, owner: str, question: Question) -> dict[str, float]:
    """Sessions by the words of all that was said in them, 1 for the best. A question is answered by a message; a turn
    goes on with an earlier talk."""
    found = parts.store.match_words(owner, question.terms, limit=MOST_TALKS, sessions=True) if question.turn else []
    return {one.id: one.score / found[0].score for one in found}


def counts_for(rare: Mapping[str, float], names: frozenset[str], word: str) -> float:
    """How much a word of the question counts: as much as it is rare, a question word little, and the name of a speaker
    nothing: who spoke is known better than by whose name is in the text."""
    if word in names:
        return 0.0
    known = rare.get(word, rare.get(stem(word)))
    return STOP_COUNTS if known is None else max(STOP_COUNTS, known)


def near(
    parts: Parts, owner: str, question: Question, vector: Vector | None, deep: int, holding: datetime | None
) -> Sequence[Match]:
    """What is near in meaning; nothing without an embedder."""
    if vector is None or parts.embedder is None:
        return []
    found = parts.store.match_vector(owner, parts.embedder.name, vector, limit=deep, holding=holding)
    return [*found, *by_former(parts, owner, question.text, limit=deep, holding=holding)]


_KINDS: Mapping[type, RecordKind] = {Message: "message", Fact: "fact", Note: "note"}


def kind_of(record: Fact | Message | Note) -> RecordKind:
    return _KINDS[record.__class__]


def by_former(parts: Parts, owner: str, query: str, *, limit: int, holding: datetime | None) -> list[Match]:
    """What the former embedder finds among records that the present one has not embedded yet. A score is always
    between two vectors of one embedder, and a record is never scored by both."""
    if parts.former is None or parts.embedder is None:
        return []
    try:
        vector, _ = embed_question(parts.former, query)
    except Exception as error:  # A third party's code may raise anything; the new vectors and words still answer.
        parts.problems["former embedder"] = f"{type(error).__name__}: {error}"
        return []
    parts.problems.pop("former embedder", None)
    found = parts.store.match_vector(owner, parts.former.name, vector, limit=limit, holding=holding)
    renewed = parts.store.vectors(owner, parts.embedder.name, [one.id for one in found]) if found else {}
    return [one for one in found if one.id not in renewed]
