"""Statements to a PostgreSQL store past our code."""

from __future__ import annotations

from typing import Any

import psycopg

from recollect.store.postgres.connections import Place


def raw(url: str, statement: str, *, owner: str | None = None) -> list[Any]:
    """What a statement gives on a plain connection that sees this owner's rows."""
    place = Place(url)
    with psycopg.connect(place.conninfo, autocommit=True) as connection:
        connection.execute(f"set search_path = {place.schema}, public")
        if owner is not None:
            connection.execute("select set_config('recollect.owner', %s, false)", [owner])
        done = connection.execute(statement)
        return done.fetchall() if done.description else []
