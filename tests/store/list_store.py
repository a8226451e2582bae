"""A store as someone else might bring one: dictionaries behind the three protocols, in at most 200 lines of code."""

from __future__ import annotations

import copy
import math
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from operator import attrgetter
from typing import Any

import numpy as np

from recollect.errors import InvalidInput, StoreError
from recollect.records import Change, Fact, Message, Note, SessionInfo
from recollect.store import EVERYTHING, MOST_FAILURES, Counts, KeptAnswer, LogEntry, Match, Newest, Query, text_of
from recollect.text.values import same_value
from recollect.text.words import terms

KINDS: dict[type, Any] = {Message: "message", Fact: "fact", Note: "note"}


@dataclass
class Own:
    """What one owner has, in the order it was kept."""

    records: dict[str, Any] = field(default_factory=dict)
    changes: dict[str, Change] = field(default_factory=dict)
    answers: dict[str, KeptAnswer] = field(default_factory=dict)
    waiting: dict[str, int] = field(default_factory=dict)
    vectors: dict[tuple[str, str], tuple[Any, bytes]] = field(default_factory=dict)

    def keep(self, one: Any) -> None:
        if isinstance(one, KeptAnswer):
            self.answers[one.key] = one
        elif isinstance(one, Change):
            self.changes[one.id] = one
        elif (known := self.records.get(one.id)) and (isinstance(one, Message) or type(known) is not type(one)):
            raise InvalidInput(f"the id {one.id!r} is that of a {KINDS[type(known)]}")
        else:
            if known and text_of(known) != text_of(one):
                self.vectors = {key: kept for key, kept in self.vectors.items() if key[1] != one.id}
            self.records[one.id] = one
            self.waiting |= {one.id: 0} if isinstance(one, Message) else {}

    def fits(self, one: Any, query: Query) -> bool:
        """Whether a record meets the conditions on it alone."""
        lists = {"id": query.ids, "attribute": query.attributes, "record_id": query.records}
        same = {"session": query.session, "category": query.category, "path": query.path, "group": query.group}
        begins = getattr(one, "since", None) or getattr(one, "said", None) or getattr(one, "at", None)
        return (
            all(wanted is None or getattr(one, name) in wanted for name, wanted in lists.items())
            and all(wanted is None or getattr(one, name) == wanted for name, wanted in same.items())
            and (query.subjects is None or one.subject.casefold() in map(str.casefold, query.subjects))
            and (query.values is None or any(same_value(one.value, value) for value in query.values))
            and (query.holding is None or self.holds(one, query.holding))
            and (query.between is None or query.between[0] <= begins < query.between[1])
            and (query.learned_by is None or one.learned <= query.learned_by)
            and (query.after is None or one.at > query.after)
            and (query.waiting is None or query.waiting == (self.waiting.get(one.id, MOST_FAILURES) < MOST_FAILURES))
            and (query.waiting is None or one.id in self.waiting)
            and (query.words is None or (bool(query.words) and {*query.words} <= {*terms(one.text)}))
            and (query.quoting is None or any(source.message in query.quoting for source in one.sources))
            and (query.under is None or one.path.startswith(query.under + "/"))
            and (not query.pinned or one.pinned)
            and (not query.disputed or one.disputes is not None)
            and (not query.current or one.retired is None)
        )

    def holds(self, one: Any, moment: datetime | None) -> bool:
        if moment is None or isinstance(one, Message):
            return True
        since, until = getattr(one, "since", None) or moment, getattr(one, "until", None)
        return one.retired is None and since <= moment and (until is None or moment < until)

    def best(self, scores: dict[str, float], limit: int, holding: datetime | None) -> list[Match]:
        """The records with the highest scores that hold, the newest first in a tie."""
        kept = [one for one in [*self.records.values()][::-1] if one.id in scores and self.holds(one, holding)]
        kept.sort(key=lambda one: -scores[one.id])
        return [Match(one.id, KINDS[type(one)], scores[one.id]) for one in kept[: max(0, limit)]]


class ListStore:
    """Keeps everything in this process; its threads take turns."""

    name, schema = "lists", 1

    def __init__(self) -> None:
        self.everyone: dict[str, Own] = {}
        self.lock, self.depth, self.doomed, self.closed = threading.RLock(), 0, False, False

    def own(self, owner: str) -> Own:
        if self.closed:
            raise StoreError("the store is closed")
        return self.everyone.get(owner) or Own()

    @contextmanager
    def transaction(self, owner: str) -> Iterator[None]:
        with self.lock:
            before, self.depth = copy.deepcopy(self.everyone), self.depth + 1
            try:
                yield
                if self.doomed and self.depth == 1:
                    raise StoreError("part of a transaction failed: nothing of it was kept")
            except BaseException:
                self.doomed = self.depth > 1
                self.everyone = self.everyone if self.doomed else before
                raise
            finally:
                self.depth -= 1

    def reading(self) -> Any:
        return self.lock

    def save(self, owner: str, records: Sequence[Any]) -> None:
        with self.lock:
            own = copy.deepcopy(self.own(owner))
            for one in records:
                if getattr(one, "owner", owner) != owner:
                    raise InvalidInput(f"{one.id!r} belongs to {one.owner!r}")
                own.keep(one)
            self.everyone[owner] = own

    def read(self, owner: str, kind: type[Any], query: Query = EVERYTHING) -> list[Any]:
        own, after = self.own(owner), query.position or 0
        log = [LogEntry(place, change) for place, change in enumerate(own.changes.values(), 1)]
        if kind is KeptAnswer:
            return [own.answers[key] for key in query.ids or () if key in own.answers]
        if kind is LogEntry:
            if isinstance(after, datetime):
                after = max((one.position for one in log if one.change.at < after), default=0)
            return [one for one in log if one.position > after][: query.first]
        if kind is SessionInfo:
            said: dict[str, list[Message]] = {}
            for one in self.read(owner, Message):
                said.setdefault(one.session, []).append(one)
            times = {name: sorted(one.at for one in told) for name, told in said.items()}
            found = [SessionInfo(name, len(at), at[0], at[-1]) for name, at in times.items()]
            return sorted(found, key=attrgetter("last"), reverse=True)
        every: Any = own.changes if kind is Change else own.records
        found = [one for one in every.values() if isinstance(one, kind) and own.fits(one, query)]
        if query.latest:
            found.sort(key=position, reverse=True)
            return [one for one in found if query.before is None or position(one) < query.before][: query.last]
        if query.last is not None:
            end = max(0, len(found) - query.skip)
            return found[max(0, end - max(0, query.last)) : end]
        return found if query.first is None else found[: max(0, query.first)]

    def owners(self) -> list[str]:
        return sorted(owner for owner, own in self.everyone.items() if own.records or own.changes)

    def newest(self, owner: str) -> Newest:
        own = self.own(owner)
        told = [moment for one in own.records.values() for moment in (one.learned, getattr(one, "retired", None))]
        moments = [moment for moment in (*told, *(one.at for one in own.changes.values())) if moment]
        return Newest(max(moments, default=None), len(own.changes))

    def settle(self, owner: str, messages: Sequence[str], failed: Sequence[str] = ()) -> None:
        own = self.own(owner)
        own.waiting = {one: many + (one in failed) for one, many in own.waiting.items() if one not in messages}

    def match_words(self, owner: str, words: Any, *, limit: int, holding: Any = None, sessions: Any = 0) -> list[Match]:
        own, rare = self.own(owner), self.rarity(owner, words)
        texts = {} if sessions else {name: terms(text_of(one)) for name, one in own.records.items()}
        scores = {name: sum(text.count(word) * rare[word] for word in rare) for name, text in texts.items()}
        found = {name: score / (9 + len(texts[name])) for name, score in scores.items() if score}
        return own.best(found, limit, holding)

    def match_vector(self, owner: str, model: str, vector: Any, *, limit: int, holding: Any = None) -> list[Match]:
        asked, kept = usable(vector), self.vectors(owner, model, self.own(owner).records)  # type: ignore[arg-type]
        if any(len(one) != len(asked) for one in kept.values()):
            raise InvalidInput("the vectors have another length")
        lengths = {name: float(np.linalg.norm(one) * np.linalg.norm(asked)) for name, one in kept.items()}
        scores = {name: round(float(one @ asked) / lengths[name], 6) for name, one in kept.items() if lengths[name]}
        return self.own(owner).best(scores, limit, holding)

    def rarity(self, owner: str, words: Sequence[str]) -> dict[str, float]:
        texts = [set(terms(text_of(one))) for one in self.own(owner).records.values()]
        having = {word: sum(word in text for text in texts) for word in words}
        return {
            word: math.log1p(len(texts) / max(1, many)) / math.log1p(len(texts) or 1) for word, many in having.items()
        }

    def save_vectors(self, owner: str, model: str, vectors: Any, tokens: Any = None) -> None:
        own, known = self.own(owner), {name: usable(one) for name, one in vectors.items()}
        if len({len(one) for one in (*known.values(), *self.vectors(owner, model, [*own.records]).values())}) > 1:
            raise InvalidInput("the vectors have several lengths")
        own.vectors |= {(model, name): (known[name], (tokens or {}).get(name)) for name in known if name in own.records}

    def vectors(self, owner: str, model: str, ids: Sequence[str]) -> dict[str, Any]:
        kept = self.own(owner).vectors
        return {name: kept[model, name][0] for name in ids if (model, name) in kept}

    def tokens(self, owner: str, model: str, ids: Sequence[str]) -> dict[str, bytes]:
        kept = self.own(owner).vectors
        return {name: kept[model, name][1] for name in ids if kept.get((model, name), (0, b""))[1]}

    def without_vectors(self, owner: str, model: str, *, limit: int) -> list[tuple[str, str]]:
        own = self.own(owner)
        lacking = [(name, text_of(one)) for name, one in own.records.items() if (model, name) not in own.vectors]
        return lacking[: max(0, limit)]

    def counts(self, owner: str, *, holding: datetime | None = None) -> Counts:
        own, models = self.own(owner), dict[str, int]()
        for model, _ in own.vectors:
            models[model] = models.get(model, 0) + 1
        kinds = [sum(isinstance(one, kind) for one in own.records.values()) for kind in KINDS]
        sessions = {one.session for one in own.records.values() if isinstance(one, Message)}
        hold = self.read(owner, Fact, Query(holding=holding)) if holding else []
        return Counts(*kinds, len(own.changes), len(own.vectors), len(sessions), len(hold), models)

    def erase(self, owner: str, ids: Any, *, request: str = "", at: Any = None, model: str = "") -> Counts:
        own, before = self.own(owner), self.counts(owner)
        own.vectors = {key: one for key, one in own.vectors.items() if key[0] != model and key[1] not in ids}
        own.changes = {name: one for name, one in own.changes.items() if one.record_id not in ids}
        own.waiting = {name: many for name, many in own.waiting.items() if name not in ids}
        own.records = {name: unquoted(one, ids) for name, one in own.records.items() if name not in ids}
        own.answers = {} if ids else own.answers
        gone, names = self.counts(owner), ("messages", "facts", "notes", "changes", "vectors")
        return Counts(*[getattr(before, name) - getattr(gone, name) for name in names])

    def scrub(self, texts: Any, *, request: str = "", held: bool = False) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return (), ()

    def check(self, *, quick: bool = False) -> list[str]:
        return []

    def backup(self, path: Any) -> None:
        raise StoreError("what is in lists only can't be copied to a file")

    def close(self) -> None:
        self.closed = True


position = attrgetter("said", "learned", "id")


def usable(vector: Any) -> Any:
    if (
        not isinstance(vector, np.ndarray | list)
        or not len(vector)
        or not np.isfinite(vector := np.array(vector)).all()
    ):
        raise InvalidInput("this is no vector")
    return vector


def unquoted(one: Any, ids: Sequence[str]) -> Any:
    """A record that stays, without what it says of those that go."""
    if not isinstance(one, Fact):
        return one
    links: Any = {name: None for name in ("replaces", "replaced_by", "disputes") if getattr(one, name) in ids}
    return replace(one, sources=tuple(source for source in one.sources if source.message not in ids), **links)
