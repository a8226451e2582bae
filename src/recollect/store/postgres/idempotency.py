"""Answers to requests in a PostgreSQL store: a request that is sent again gets the first answer and changes nothing."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from psycopg import Connection

from recollect.store import KeptAnswer
from recollect.store.postgres.sessions import Sessions
from recollect.store.postgres.writing import given, held, key_of
from recollect.store.sql import micros, moment

_FIND = "select print, body, undo, at from answers where owner = %(owner)s and key = %(key)s"
_KEEP = """
insert into answers (owner, key, print, at, undo, body)
values (%(owner)s, %(key)s, %(print)s, %(at)s, %(undo)s, %(body)s)
on conflict (owner, key) do update set print = excluded.print, at = excluded.at, undo = excluded.undo,
    body = excluded.body
"""
_EXPIRE = "delete from answers where owner = %(owner)s and at < %(before)s"
_DROP = "delete from answers where owner = %(owner)s"


def drop(connection: Connection[Any], owner: str) -> None:
    """Forget every answer to this owner: after an erase they could still tell what was erased."""
    connection.execute(_DROP, {"owner": owner})


class Answers(Sessions):
    """The part of the store that keeps answers."""

    def answer(self, owner: str, key: str) -> KeptAnswer | None:
        values = {"owner": key_of(owner), "key": key}
        row = self._ask(owner, lambda connection: connection.execute(_FIND, values).fetchone())
        if row is None:
            return None
        print_, body, undo, at = given(row)
        return KeptAnswer(print_, body, undo, moment(at))

    def keep_answer(self, owner: str, key: str, answer: KeptAnswer, *, expire: datetime) -> None:
        row = {"print": answer.print, "body": answer.body, "undo": answer.undo, "at": micros(answer.at)}
        values = held(row | {"owner": key_of(owner), "key": key, "before": micros(expire)})

        def keep(transaction: Any) -> None:
            transaction.connection.execute(_EXPIRE, values)
            transaction.connection.execute(_KEEP, values)

        self._save(owner, keep)
