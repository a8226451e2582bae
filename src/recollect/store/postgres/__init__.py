"""The PostgreSQL store: the same memory for many machines, with pgvector for vectors and posting rows for words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from recollect.records import Change, Fact, Message, Note, SessionInfo
from recollect.store import Counts, Erased, Match, Position
from recollect.store.copying import copy_store
from recollect.store.packing import usable_vector
from recollect.store.postgres import erasing, generations, matching, schema, writing
from recollect.store.postgres.connections import Place, connect, translated
from recollect.store.postgres.idempotency import Answers
from recollect.store.postgres.reading import PostgresReader
from recollect.store.postgres.sessions import WHOLE, Session
from recollect.store.sql import maybe_micros, maybe_moment, own_fields
from recollect.store.sqlite import SQLiteStore
from recollect.store.upkeep import new_file

__all__ = ["PostgresStore", "init_store"]

R = TypeVar("R")


def init_store(url: str, *, partitions: int = 0, distribute: bool = False) -> str:
    """Make a new store, in pieces by owner where that is asked for; gives its name."""
    place = Place(url)
    with translated(place.name), connect(place) as connection:
        schema.prepare(connection, place.schema, partitions=partitions, distribute=distribute)
    return place.name


class PostgresStore(Answers):
    """Keeps records in a PostgreSQL database with pgvector.

    The URL is libpq's; beside its settings it may name `schema` (recollect), `connections` (at most so many, 10),
    `patience` (seconds to wait for a server or a connection, 15) and `prepared` (no: for poolers that lose prepared
    statements). Threads, processes and machines may share a store. Of one owner there is one writer at a time.
    """

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.finish_erasures()

    @property
    def schema(self) -> int:
        return schema.SCHEMA

    # Writing.

    def save_messages(self, owner: str, messages: Sequence[Message]) -> None:
        if messages:
            fields = own_fields(owner, Message, messages)
            self._save(owner, lambda transaction: writing.save_new(transaction, owner, fields))

    def save_facts(self, owner: str, facts: Sequence[Fact]) -> None:
        if facts:
            fields = own_fields(owner, Fact, facts)
            self._save(owner, lambda transaction: writing.save_changed(transaction, owner, "fact", fields))

    def save_notes(self, owner: str, notes: Sequence[Note]) -> None:
        if notes:
            fields = own_fields(owner, Note, notes)
            self._save(owner, lambda transaction: writing.save_changed(transaction, owner, "note", fields))

    def save_changes(self, owner: str, changes: Sequence[Change]) -> None:
        if changes:
            fields = own_fields(owner, Change, changes)
            self._save(owner, lambda transaction: writing.save_changes(transaction, owner, fields))

    def save_vectors(
        self,
        owner: str,
        model: str,
        vectors: Mapping[str, npt.NDArray[np.float32]],
        tokens: Mapping[str, bytes] | None = None,
    ) -> None:
        if vectors:
            rows = vectors, tokens or {}
            self._save(owner, lambda transaction: writing.save_vectors(transaction, owner, model, *rows))

    def settle(self, owner: str, messages: Sequence[str]) -> None:
        if messages:
            self._save(owner, lambda transaction: writing.settle(transaction, owner, messages))

    def count_failure(self, owner: str, messages: Sequence[str]) -> None:
        if messages:
            self._save(owner, lambda transaction: writing.count_failure(transaction, owner, messages))

    def drop_vectors(self, owner: str, model: str) -> int:
        return self._save(owner, lambda transaction: generations.drop(transaction, owner, model))

    # Reading.

    def _read(self, owner: str, work: Callable[[PostgresReader], R]) -> R:
        return self._ask(owner, lambda connection: work(PostgresReader(connection, owner)))

    def owners(self) -> list[str]:
        sql = "select name from owners where version > 0"
        rows = self._ask(WHOLE, lambda connection: connection.execute(sql).fetchall())
        return sorted(name for (name,) in rows)

    def last_learned(self, owner: str) -> datetime | None:
        session: Session | None = getattr(self._mine, "session", None)
        transaction = session.transaction if session else None
        if transaction is not None and owner in transaction.ledgers:
            return maybe_moment(transaction.ledgers[owner].last_learned)
        sql, key = "select last_learned from owners where owner = %s", writing.key_of(owner)
        row = self._ask(owner, lambda connection: connection.execute(sql, [key]).fetchone())
        return maybe_moment((row or [None])[0])

    def unsettled(self, owner: str, *, limit: int, unread: bool = False) -> list[Message]:
        return self._read(owner, lambda reader: reader.unsettled(limit, unread))

    def messages(
        self,
        owner: str,
        *,
        ids: Sequence[str] | None = None,
        session: str | None = None,
        between: tuple[datetime, datetime] | None = None,
        before: tuple[datetime, str] | None = None,
        last: int | None = None,
    ) -> list[Message]:
        return self._read(
            owner, lambda reader: reader.messages(ids=ids, session=session, between=between, before=before, last=last)
        )

    def sessions(self, owner: str) -> list[SessionInfo]:
        return self._read(owner, lambda reader: reader.sessions())

    def facts(
        self,
        owner: str,
        *,
        ids: Sequence[str] | None = None,
        subjects: Sequence[str] | None = None,
        attributes: Sequence[str] | None = None,
        values: Sequence[str] | None = None,
        category: str | None = None,
        holding: datetime | None = None,
        between: tuple[datetime, datetime] | None = None,
        pinned: bool = False,
        named: bool = False,
        disputed: bool = False,
        unconfirmed: bool = False,
        last: int | None = None,
        skip: int = 0,
    ) -> list[Fact]:
        return self._read(
            owner,
            lambda reader: reader.facts(
                ids=ids,
                subjects=subjects,
                attributes=attributes,
                values=values,
                category=category,
                holding=holding,
                between=between,
                pinned=pinned,
                named=named,
                disputed=disputed,
                unconfirmed=unconfirmed,
                last=last,
                skip=skip,
            ),
        )

    def latest_facts(
        self,
        owner: str,
        *,
        limit: int,
        before: Position | None = None,
        subjects: Sequence[str] | None = None,
        attributes: Sequence[str] | None = None,
        category: str | None = None,
        holding: datetime | None = None,
        learned_by: datetime | None = None,
        named: bool = False,
    ) -> list[Fact]:
        return self._read(
            owner,
            lambda reader: reader.latest_facts(
                limit=limit,
                before=before,
                subjects=subjects,
                attributes=attributes,
                category=category,
                holding=holding,
                learned_by=learned_by,
                named=named,
            ),
        )

    def facts_around(self, owner: str, subject: str, attribute: str, moment: datetime, *, limit: int) -> list[Fact]:
        return self._read(owner, lambda reader: reader.facts_around(subject, attribute, moment, limit))

    def facts_with(self, owner: str, words: Sequence[str], *, last: int) -> list[Fact]:
        return self._read(owner, lambda reader: reader.facts_with(words, last))

    def facts_from(self, owner: str, messages: Sequence[str], *, over: datetime | None = None) -> dict[str, list[Fact]]:
        return self._read(owner, lambda reader: reader.facts_from(messages, over=over))

    def beside(self, owner: str, messages: Sequence[str]) -> dict[str, tuple[str | None, str | None]]:
        return self._read(owner, lambda reader: reader.beside(messages))

    def notes(
        self,
        owner: str,
        *,
        ids: Sequence[str] | None = None,
        path: str | None = None,
        under: str | None = None,
        current: bool = False,
        pinned: bool = False,
    ) -> list[Note]:
        return self._read(
            owner, lambda reader: reader.notes(ids=ids, path=path, under=under, current=current, pinned=pinned)
        )

    def changes(
        self,
        owner: str,
        *,
        ids: Sequence[str] | None = None,
        record_id: str | None = None,
        records: Sequence[str] | None = None,
        group: str | None = None,
        after: datetime | None = None,
        before: tuple[datetime, str] | None = None,
        last: int | None = None,
    ) -> list[Change]:
        return self._read(
            owner,
            lambda reader: reader.changes(
                ids=ids, record_id=record_id, records=records, group=group, after=after, before=before, last=last
            ),
        )

    def log(self, owner: str, *, after: int | datetime, limit: int) -> list[tuple[int, Change]]:
        return self._read(owner, lambda reader: reader.log(after, limit))

    def log_end(self, owner: str) -> int:
        session: Session | None = getattr(self._mine, "session", None)
        transaction = session.transaction if session else None
        if transaction is not None and owner in transaction.ledgers:
            return transaction.ledgers[owner].changes
        sql, key = "select changes from owners where owner = %s", writing.key_of(owner)
        row = self._ask(owner, lambda connection: connection.execute(sql, [key]).fetchone())
        return int((row or [0])[0])

    def counts(self, owner: str) -> Counts:
        return self._read(owner, lambda reader: reader.counts())

    def count_holding(self, owner: str, moment: datetime) -> int:
        return self._read(owner, lambda reader: reader.count_holding(moment))

    def without_vectors(self, owner: str, model: str, *, limit: int) -> list[tuple[str, str]]:
        return self._read(owner, lambda reader: reader.without_vectors(model, limit))

    def generations(self, owner: str) -> dict[str, int]:
        return self._ask(owner, lambda connection: generations.counted(connection, owner))

    def vectors(self, owner: str, model: str, ids: Sequence[str]) -> dict[str, npt.NDArray[np.float32]]:
        return self._ask(owner, lambda connection: generations.read(connection, owner, model, ids))

    def tokens(self, owner: str, model: str, ids: Sequence[str]) -> dict[str, bytes]:
        return self._ask(owner, lambda connection: generations.tokens(connection, owner, model, ids))

    # Matching.

    def match_words(
        self, owner: str, words: Sequence[str], *, limit: int, holding: datetime | None = None
    ) -> list[Match]:
        moment = maybe_micros(holding)
        return self._ask(owner, lambda connection: matching.by_words(connection, owner, words, limit, moment))

    def match_sessions(self, owner: str, words: Sequence[str], *, limit: int) -> list[tuple[str, float]]:
        return self._ask(owner, lambda connection: matching.by_talk(connection, owner, words, limit))

    def rarity(self, owner: str, words: Sequence[str]) -> dict[str, float]:
        return self._ask(owner, lambda connection: matching.rarity(connection, owner, words))

    def match_vector(
        self,
        owner: str,
        model: str,
        vector: npt.NDArray[np.float32],
        *,
        limit: int,
        holding: datetime | None = None,
    ) -> list[Match]:
        moment = maybe_micros(holding)
        asked = usable_vector(vector, "the query")
        return self._ask(owner, lambda connection: matching.by_vector(connection, owner, model, asked, limit, moment))

    def index_vectors(self, owner: str, model: str) -> None:
        """Give a very large owner an index of their own, for vectors: some 50,000 records are searched as quickly
        without. It is built while others read and write, and used as soon as it is there."""
        self._refuse_open_transaction("an index")
        with translated(self.name), connect(self._place) as connection:
            connection.execute(f"set search_path = {self._path}")
            matching.index_vectors(connection, owner, model)

    # Ending.

    def erase(self, owner: str, ids: Sequence[str], *, request: str = "", at: datetime | None = None) -> Counts:
        if not ids:
            return Counts()

        def work(transaction: writing.Transaction) -> Counts:
            counts = erasing.erase(transaction, owner, ids)
            if request and at is not None:
                erasing.save_erasure(transaction, owner, request, at, counts)
            return counts

        return self._save(owner, work)

    def erased(self, owner: str, request: str) -> Erased | None:
        return self._ask(owner, lambda connection: erasing.erased(connection, owner, request))

    def scrub(
        self, texts: Sequence[str], *, request: str = "", held: bool = False
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Free the space of erased rows. A server's files are not ours to scan: what they may still hold is told."""
        return (), (erasing.LEFT_BEHIND.format(name=self.name, space=self._free_space(request)),)

    def finish_erasures(self) -> None:
        if self._ask(WHOLE, erasing.any_unfinished):
            self._free_space(None)

    def _free_space(self, request: str | None) -> str:
        self._refuse_open_transaction("scrub")
        with translated(self.name), connect(self._place) as connection:
            space = erasing.vacuum(connection, schema.quoted(self._place.schema))
            connection.execute(self._prelude("read write", WHOLE))
            erasing.finish(connection, request)
            connection.execute("commit")
        return space

    def check(self) -> list[str]:
        return self._ask(WHOLE, lambda connection: erasing.check(connection))

    def backup(self, path: Path) -> None:
        """Copy the whole store to a new SQLite file, which can be opened as it is or restored to any store."""
        self._refuse_open_transaction("backup")
        with new_file(path) as part, closing(SQLiteStore(part)) as target:
            copy_store(self, target)
