"""An owner's records as arrays in memory: what is needed to rank them, and nothing that could not be read again."""

from __future__ import annotations

import math
import threading
from collections import Counter, OrderedDict
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from recollect.store import Match, RecordKind
from recollect.store.rows import KINDS
from recollect.store.vectors import Ints, Numbers, Space, Texts, extended

_K1, _B = 1.2, 0.75
"""Constants of BM25, the measure of words: what a word says by how few have it, and how much of it a text has."""

_BYTES_OF_AN_ENTRY = 6
_BYTES_OF_AN_INDEX = 3000

_NONE = np.empty(0, dtype=np.int32)

_LEAST_POSTINGS, _POSTINGS_EACH, _WORDS_EACH = 10_000, 8, 4
"""How many entries of postings are kept at least, and for each record, 48 bytes; where records are long, one for so
many words: a question about them has more and commoner words."""


class Posting(NamedTuple):
    """The records that have a word: their places, ascending, and how often each has it."""

    places: Ints
    times: Ints


class NewItems(NamedTuple):
    """Records to take in, a column each: ids one behind the other, and how many bytes each has."""

    items: Ints
    kinds: Ints
    since: Ints
    until: Ints
    lengths: Ints
    ids: bytes
    id_lengths: Ints


def idf(having: int, of: int) -> float:
    """How much a word says that so many of all have."""
    return math.log1p((of - having + 0.5) / (having + 0.5))


def saturation(times: Ints | Numbers, lengths: Ints | Numbers, average: float) -> Numbers:
    """What texts of these lengths have of a word that they say so many times: about 1 for once in a usual one."""
    shares: Numbers = (_K1 + 1) * times / (times + _K1 * (1 - _B + _B / average * lengths))
    return shares


def rarity(having: int, of: int) -> float:
    """How much a word says that so many of all have: from about 0 for what all have to 1 for what a single one has."""
    return max(0.0, idf(max(1, min(having, of)), of) / idf(1, of)) if of > 1 else 1.0


MOST_ALIKE = 5_000
"""So many terms with the same first letters are compared with a word that nobody said."""
_SHORTEST_SLIP = 5


def may_be_slip(word: str) -> bool:
    """Whether a word that nobody said is long enough to tell which one is meant."""
    return len(word) >= _SHORTEST_SLIP and word.isalpha()


def slip_of(word: str, terms: Iterable[str]) -> str | None:
    """The one of these terms that the word is a slip of, if there is one."""
    near = [term for term in terms if one_slip(word, term)]
    return near[0] if len(near) == 1 else None


def one_slip(a: str, b: str) -> bool:
    """Whether one letter too many, too few, wrong, or two in the wrong order make one word the other."""
    if abs(len(a) - len(b)) > 1 or a == b:
        return False
    start = next((place for place, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    rest, other = a[start:], b[start:]
    swapped = rest[:2] == other[:2][::-1] and rest[2:] == other[2:]
    return rest[1:] == other[1:] or rest[1:] == other or rest == other[1:] or swapped


class SessionIndex:
    """The session of each message of an owner's index; read when first asked for, and then caught up with."""

    def __init__(self) -> None:
        self.newest = 0
        """The number of the newest message that was read."""
        self._numbers: dict[str, int] = {}
        self._of = np.empty(0, dtype=np.int32)
        """The number of a session by the place of a record; -1 for what is no message."""

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        return self._of.nbytes + 150 * len(self._numbers)

    def add(self, places: Ints, sessions: Iterable[str]) -> None:
        """Take in the sessions of messages at these places, which grow."""
        numbers = [self._numbers.setdefault(session, len(self._numbers)) for session in sessions]
        if numbers:
            more = np.full(int(places[-1]) + 1 - len(self._of), -1, dtype=np.int32)
            self._of = np.concatenate([self._of, more])
            self._of[places] = numbers

    def by_words(self, postings: Sequence[tuple[Ints, Ints]], lengths: Ints, limit: int) -> list[tuple[str, float]]:
        """The best sessions by BM25, given for each word the places that have it and how often; and the length of every
        record."""
        many = len(self._numbers)
        if not many:
            return []
        said = self._of >= 0
        spoken = np.bincount(self._of[said], lengths[: len(said)][said], many)
        scores = np.zeros(many)
        for places, times in postings:
            within = places < len(said)
            numbers = self._of[places[within]]
            heard = numbers >= 0
            counted = np.bincount(numbers[heard], times[within][heard], many)
            scores += self._gained(counted, spoken)
        best = sorted(zip(self._numbers, scores.tolist(), strict=True), key=lambda one: (-one[1], one[0]))
        return [(session, score) for session, score in best[:limit] if score > 0]

    def _gained(self, counted: Ints | Numbers, spoken: Ints | Numbers) -> Numbers:
        """What each session gains by a word that was said in it so often."""
        having = int(np.count_nonzero(counted))
        return idf(having, len(counted)) * saturation(counted, spoken, max(1.0, float(spoken.mean())))


class OwnerIndex:
    """One owner's records, in the order of their numbers."""

    def __init__(self, owner: int, erasures: int = 0) -> None:
        self.owner = owner
        self.version = -1
        self.erasures = erasures
        self.count = 0
        self._ids = Texts()
        self.spaces: dict[int, Space] = {}
        self.sessions = SessionIndex()
        self._items = np.empty(0, dtype=np.int64)
        self._kinds = np.empty(0, dtype=np.int8)
        self._since = np.empty(0, dtype=np.int64)
        self._until = np.empty(0, dtype=np.int64)
        self._lengths = np.empty(0, dtype=np.int32)
        self._total_length = 0
        self._postings: OrderedDict[str, Posting] = OrderedDict()
        self._kept_entries = 0

    @property
    def size(self) -> int:
        """How many bytes it takes."""
        arrays = (self._items, self._kinds, self._since, self._until, self._lengths)
        spaces = sum(space.size for space in self.spaces.values())
        return (
            sum(array.nbytes for array in arrays)
            + spaces
            + self.sessions.size
            + self._ids.size
            + self._kept_entries * _BYTES_OF_AN_ENTRY
            + _BYTES_OF_AN_INDEX
        )

    @property
    def newest(self) -> int:
        """The number of the newest record that was read."""
        return int(self._items[self.count - 1]) if self.count else 0

    def add(self, new: NewItems) -> None:
        """Take in new records; their numbers grow."""
        self._items = extended(self._items, self.count, new.items)
        self._kinds = extended(self._kinds, self.count, new.kinds)
        self._since = extended(self._since, self.count, new.since)
        self._until = extended(self._until, self.count, new.until)
        self._lengths = extended(self._lengths, self.count, new.lengths)
        self._total_length += int(new.lengths.sum())
        self._ids.extend(new.ids, new.id_lengths)
        self.count += len(new.items)

    def change(self, rows: Sequence[Sequence[Any]]) -> None:
        """Take in new spans and lengths of known records: rows of number, kind, since, until, length, id."""
        if not rows:
            return
        items, _, since, until, lengths, _ = zip(*rows, strict=True)
        places, known = self.places(np.array(items, dtype=np.int64))
        new_lengths = np.array(lengths, dtype=np.int64)[known]
        self._total_length += int(new_lengths.sum() - self._lengths[places].sum())
        self._since[places] = np.array(since, dtype=np.int64)[known]
        self._until[places] = np.array(until, dtype=np.int64)[known]
        self._lengths[places] = new_lengths

    def add_vectors(self, space: Space, items: Ints, packed: bytes) -> None:
        """Take in packed vectors, one behind the other, each with the number of its record; no record twice."""
        places, known = self.places(items)
        vectors = np.frombuffer(packed, dtype=np.int8).reshape(len(items), -1)
        if len(places):
            space.add(places, vectors if known.all() else vectors[known])

    def places(self, items: Ints) -> tuple[Ints, npt.NDArray[np.bool_]]:
        """Where the records with these numbers stand, and which of the numbers are known at all."""
        if self.count and self._items[self.count - 1] - self._items[0] == self.count - 1:
            places = items - self._items[0]  # nothing was erased in between: the numbers tell the places
            known = (places >= 0) & (places < self.count)
            return places[known], known
        places = np.searchsorted(self._items[: self.count], items)
        known = places < self.count
        known[known] = self._items[places[known]] == items[known]
        return places[known], known

    def posting(self, term: str) -> Posting | None:
        """The records that have a term, if that was read before."""
        if term in self._postings:
            self._postings.move_to_end(term)
        return self._postings.get(term)

    def keep_posting(self, term: str, items: Ints) -> Posting:
        """Take in the numbers of the records that have a term, ascending, one for each time."""
        places, times = np.unique(self.places(items)[0], return_counts=True)
        if (former := self._postings.get(term)) is not None:
            self._kept_entries -= len(former.places)
        posting = self._postings[term] = Posting(places.astype(np.int32), times.astype(np.uint16))
        self._kept_entries += len(places)
        most = max(_LEAST_POSTINGS, _POSTINGS_EACH * self.count, self._total_length // _WORDS_EACH)
        while self._kept_entries > most:
            self._kept_entries -= len(self._postings.popitem(last=False)[1].places)
        return posting

    @property
    def has_postings(self) -> bool:
        return bool(self._postings)

    def forget_postings(self) -> None:
        """Drop what was read of words: too much was written since."""
        self._postings.clear()
        self._kept_entries = 0

    def add_words(self, item: int, terms: Sequence[str]) -> None:
        """Take in the terms of a new record, in so far as their postings are kept."""
        place = self.places(np.array([item]))[0]
        for term, times in Counter(terms).items():
            if (known := self._postings.get(term)) is not None:
                new = Posting(place.astype(np.int32), np.array([times], dtype=np.uint16))
                self._postings[term] = Posting(*(np.append(old, one) for old, one in zip(known, new, strict=True)))
                self._kept_entries += 1

    def by_words(self, postings: Sequence[Posting], limit: int, holding: int | None) -> list[Match]:
        """The best records by BM25, given the posting of each word. What counts as rare or long is measured against
        this owner's records alone, and a word that is as rare as can be counts about 1 in a record of usual length."""
        weights = [idf(max(1, len(one.places)), self.count) / idf(1, self.count) for one in postings]
        counts = np.array([len(one.places) for one in postings], dtype=np.int64)
        places = np.concatenate([_NONE, *(one.places for one in postings)])
        times = np.concatenate([_NONE, *(one.times for one in postings)])
        average = max(1.0, self._total_length / max(1, self.count))
        each = np.repeat(np.array(weights), counts) * saturation(times, self._lengths[places], average)
        scores = np.bincount(places, each, self.count)
        # All records may be very many: only those met are looked at, each once.
        numbers, last = np.arange(len(places), dtype=np.int32), np.empty(self.count, dtype=np.int32)
        last[places] = numbers
        places = places[last[places] == numbers]
        asked = sum(weights)
        ids, kinds, found = self._best(places, scores[places], limit, holding)
        shares = [min(1.0, score / asked) for score in found]
        return _matches(ids, kinds, found, shares)

    def by_session(self, postings: Sequence[Posting], limit: int) -> list[Match]:
        """The best sessions, by the words of all that was said in them."""
        found = self.sessions.by_words(postings, self._lengths[: self.count], limit)
        return [Match(session, "session", score) for session, score in found]

    def rarity(self, postings: Sequence[Posting]) -> float:
        """How much these words say, from 0 to 1 for what a single record has."""
        return rarity(sum(len(places) for places, _ in postings), self.count)

    def by_vector(self, model: int, vector: npt.NDArray[np.float32], limit: int, holding: int | None) -> list[Match]:
        """The best records by cosine; none for a vector that says nothing."""
        length = float(np.linalg.norm(vector.astype(np.float64)))
        if length == 0:
            return []
        unit = (vector.astype(np.float64) / length).astype(np.float32)
        space = self.spaces[model]
        if not (many := space.enough(limit)):
            return _matches(*self._best(space.places, space.compare(unit), limit, holding))
        rows = self._likely(space, unit, many, holding)
        return _matches(*self._best(space.places[rows], space.compare(unit, rows), limit, None))

    def _likely(self, space: Space, unit: npt.NDArray[np.float32], many: int, holding: int | None) -> Ints:
        """The rows of vectors that are likely the nearest among those whose records hold."""
        rows = space.likely(unit, many)
        holds = self._holds(space.places[rows], holding)
        if np.count_nonzero(holds) >= many // 2:
            return rows[holds]
        return space.likely(unit, many, np.flatnonzero(self._holds(space.places, holding)))

    def _holds(self, places: Ints, moment: int | None) -> npt.NDArray[np.bool_]:
        """Which of these places have a record, and one that holds at the moment."""
        holds = places >= 0
        if moment is not None:
            holds &= (self._since[places] <= moment) & (moment < self._until[places])
        return holds

    def _holding(self, places: Ints, scores: Numbers, moment: int | None) -> tuple[Ints, Numbers]:
        holds = self._holds(places, moment)
        return (places, scores) if holds.all() else (places[holds], scores[holds])

    def _best(
        self, places: Ints, scores: Numbers, limit: int, holding: int | None
    ) -> tuple[list[str], list[RecordKind], list[float]]:
        """Ids, kinds and scores of the best records, best first and newest first in a tie."""
        # Most records hold: those that do among the best are mostly enough, and few to look at.
        some = self._holding(*_above(places, scores, 4 * limit + 32), holding)
        places, scores = some if len(some[0]) >= limit else self._holding(places, scores, holding)
        if 0 < limit < len(scores):
            edge = np.partition(scores, len(scores) - limit)[len(scores) - limit]
            within = scores >= edge  # all ties at the edge, so that the newest of them can be chosen
            places, scores = places[within], scores[within]
        order = np.lexsort((-places, -scores))[:limit]
        places, scores = places[order], scores[order]
        kinds = [KINDS[kind] for kind in self._kinds[places].tolist()]
        return self._ids.at(places), kinds, scores.tolist()


class Indexes:
    """The indexes of the owners asked for last, within a budget of memory."""

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self._lock = threading.Lock()
        self._owners: OrderedDict[str, tuple[threading.Lock, list[OwnerIndex]]] = OrderedDict()
        self._sizes: dict[str, int] = {}
        self._total = 0

    def seat(self, owner: str) -> tuple[threading.Lock, list[OwnerIndex]]:
        """The owner's lock, and the place of their index: an empty list while there is none."""
        with self._lock:
            seat = self._owners.setdefault(owner, (threading.Lock(), []))
            self._owners.move_to_end(owner)
            return seat

    def weigh(self, owner: str, size: int) -> None:
        """Take note of an index's size, 0 for none; let go of the owners asked for longest ago while all are too large
        together."""
        with self._lock:
            if owner not in self._owners:
                return
            self._total += size - self._sizes.get(owner, 0)
            self._sizes[owner] = size
            if not size:
                del self._owners[owner], self._sizes[owner]
            while self._total > self.budget and len(self._owners) > 1:
                oldest, _ = self._owners.popitem(last=False)
                self._total -= self._sizes.pop(oldest, 0)


def _matches(
    ids: Iterable[str], kinds: Iterable[RecordKind], scores: Iterable[float], shares: Iterable[float] = repeat(1.0)
) -> list[Match]:
    """One match for each; by what a named tuple's own constructor calls, which takes a third of the time."""
    return list(map(partial(tuple.__new__, Match), zip(ids, kinds, scores, shares, strict=False)))


def _above(places: Ints, scores: Numbers, many: int) -> tuple[Ints, Numbers]:
    """All that score higher than the one in place `many`; everything where there are no more."""
    if not 0 < many < len(scores):
        return places, scores
    above = scores > np.partition(scores, len(scores) - many)[len(scores) - many]
    return places[above], scores[above]
