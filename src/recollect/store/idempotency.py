"""Answers to requests in a SQLite store: a request that is sent again gets the first answer and changes nothing."""

from __future__ import annotations

import hashlib
from datetime import datetime

import apsw

from recollect.store import KeptAnswer
from recollect.store.sql import micros, moment
from recollect.store.transactions import Turns

_FIND = "select print, body, undo, at from answers where owner = :owner and key = :key"
_KEEP = """
insert or replace into answers (owner, key, print, at, undo, body) values (:owner, :key, :print, :at, :undo, :body)
"""
_EXPIRE = "delete from answers where at < :before"
_DROP = "delete from answers where owner = :owner"


def hashed(owner: str) -> bytes:
    """An owner by whom answers are found. A hash: of an owner who was erased not even the name is left."""
    return hashlib.blake2b(owner.encode("utf-8", "surrogatepass"), digest_size=16, person=b"recollect owner").digest()


def drop(connection: apsw.Connection, owner: str) -> None:
    """Forget every answer to this owner: after an erase they could still tell what was erased."""
    connection.execute(_DROP, {"owner": hashed(owner)})


class Answers(Turns):
    """The part of the store that keeps answers."""

    def ping(self) -> None:
        with self._using() as connection:
            connection.execute("select 1 from owners limit 1").fetchall()

    def answer(self, owner: str, key: str) -> KeptAnswer | None:
        with self._using() as connection:
            row = connection.execute(_FIND, {"owner": hashed(owner), "key": key}).fetchone()
        if row is None:
            return None
        print_, body, undo, at = row
        return KeptAnswer(print_, body, undo, moment(at))

    def keep_answer(self, owner: str, key: str, answer: KeptAnswer, *, expire: datetime) -> None:
        row = {"print": answer.print, "body": answer.body, "undo": answer.undo, "at": micros(answer.at)}
        with self.transaction(owner), self._using() as connection:
            connection.execute(_EXPIRE, {"before": micros(expire)})
            connection.execute(_KEEP, row | {"owner": hashed(owner), "key": key})
