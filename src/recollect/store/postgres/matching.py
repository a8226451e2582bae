"""Finding records in a PostgreSQL store: BM25 over posting rows, and cosine by pgvector, inside one owner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from psycopg import Connection

from recollect.errors import InvalidInput
from recollect.store import Match
from recollect.store.index import MOST_ALIKE, may_be_slip, rarity, slip_of
from recollect.store.postgres.vectors import Halfvec, unit
from recollect.store.postgres.writing import key_of, number_of
from recollect.store.rows import KINDS, plain_term, terms_of

_MOST = 2**31

# The formula is that of the SQLite store's index (index.py, by_words): rarity and length are measured against this
# owner's records alone, and a word that is as rare as can be counts about 1 in a record of usual length.
_BY_WORDS = """
with totals as (
    select greatest(alive, 1)::float8 as n, greatest(1, letters::float8 / greatest(alive, 1)) as average
    from owners where owner = %(owner)s
), counts as materialized (
    select term, ln(1 + (n - count(*) + 0.5::float8) / (count(*) + 0.5::float8))
        / ln(1 + (n - 0.5::float8) / 1.5::float8) as weight
    from words, totals where owner = %(owner)s and term = any(%(terms)s) group by term, n
), scored as (
    select item, floor(1e9::float8 * sum(weight * times * 2.2::float8
        / (times + 1.2::float8 * (0.25::float8 + 0.75::float8 * length / average)))) / 1e9::float8
        as score
    from words join counts using (term), totals where owner = %(owner)s group by item
), best as materialized (select item, score from scored order by score desc, item desc limit %(some)s)
select items.id, items.kind, best.score, (select count(*) from best), (select sum(weight) from counts),
       (select array_agg(term) from counts)
from best join items on items.owner = %(owner)s and items.item = best.item
where since <= %(moment)s and until > %(moment)s or %(moment)s is null
order by best.score desc, items.item desc limit %(limit)s
"""
_BY_VECTOR = """
with best as materialized (
    select item, vector <#> %(vector)s as distance from vectors
    where owner = %(owner)s and model = %(model)s and vector is not null
    order by distance, item desc limit %(some)s
)
select items.id, items.kind, -distance, (select count(*) from best)
from best join items on items.owner = %(owner)s and items.item = best.item
where since <= %(moment)s and until > %(moment)s or %(moment)s is null
order by distance, items.item desc limit %(limit)s
"""
_BY_SESSION = """
with spoken as materialized (
    select session, sum(length)::float8 as length from messages join items using (owner, item)
    where owner = %(owner)s group by session
), totals as (
    select count(*)::float8 as n, greatest(1, avg(length)) as average from spoken
), counted as materialized (
    select term, session, sum(times)::float8 as times from words join messages using (owner, item)
    where owner = %(owner)s and term = any(%(terms)s) group by term, session
), weighed as (
    select term, ln(1 + (n - count(*) + 0.5::float8) / (count(*) + 0.5::float8)) as weight
    from counted, totals group by term, n
)
select session, sum(weight * times * 2.2::float8
    / (times + 1.2::float8 * (0.25::float8 + 0.75::float8 * length / average))) as score
from counted join weighed using (term) join spoken using (session), totals
group by session order by score desc, session limit %(limit)s
"""
_RARITY = """
select term, count(*), (select alive from owners where owner = %(owner)s) from words
where owner = %(owner)s and term = any(%(terms)s) group by term
"""
_SPACE = """
select dim, (select near from owners where owner = %(owner)s) from models where number = %(model)s
"""
_ALIKE = """
select distinct term from words where owner = %(owner)s and term >= %(low)s and term < %(high)s limit %(limit)s
"""
_HALF_MADE = """
select 1 from pg_index i join pg_class c on c.oid = i.indexrelid
where c.relname = %s and c.relnamespace = current_schema::regnamespace and not i.indisvalid
"""
_SEARCHING = """
set local hnsw.ef_search = 400; set local hnsw.iterative_scan = strict_order;
set local hnsw.max_scan_tuples = 200000; set local enable_sort = off
"""


def by_words(
    connection: Connection[Any], owner: str, words: Sequence[str], limit: int, moment: int | None
) -> list[Match]:
    """The best records by BM25; of a word that nobody said, the one that it is a slip of counts."""
    terms = terms_of(words)
    if not terms or limit < 1:
        return []
    rows = _ranked(connection, _BY_WORDS, {"owner": key_of(owner), "terms": terms}, limit, moment)
    known = set(rows[0][5]) if rows else set()
    missing = [term for term in terms if term not in known]
    meant = {term: found for term in missing if (found := _misspelt(connection, owner, term))}
    if meant:
        terms = list(dict.fromkeys(meant.get(term, term) for term in terms))
        rows = _ranked(connection, _BY_WORDS, {"owner": key_of(owner), "terms": terms}, limit, moment)
    if not rows:
        return []
    asked = float(rows[0][4]) + len(terms) - len(rows[0][5])
    return [Match(one[0], KINDS[one[1]], one[2], min(1.0, one[2] / asked)) for one in rows]


def by_session(connection: Connection[Any], owner: str, words: Sequence[str], limit: int) -> list[Match]:
    """The best sessions, by the words of all that was said in them; a slip counts as the word that it is a slip of."""
    terms = terms_of(words)
    if not terms or limit < 1:
        return []
    values: dict[str, Any] = {"owner": key_of(owner), "terms": terms}
    known = {term for term, _, _ in connection.execute(_RARITY, values).fetchall()}
    meant = [term if term in known else _misspelt(connection, owner, term) for term in terms]
    values |= {"terms": [term for term in dict.fromkeys(meant) if term], "limit": min(limit, _MOST)}
    return [Match(session, "session", score) for session, score in connection.execute(_BY_SESSION, values).fetchall()]


def _ranked(connection: Connection[Any], sql: str, values: dict[str, Any], limit: int, moment: int | None) -> list[Any]:
    """The best that hold. Most records do: those among the best are mostly enough, else all are looked at."""
    limit = min(limit, _MOST)
    values = values | {"limit": limit, "moment": moment}
    some = limit if moment is None else min(limit + limit // 2 + 32, _MOST)
    rows = connection.execute(sql, values | {"some": some}).fetchall()
    if moment is None or len(rows) == limit or (rows and rows[0][3] < some):
        return rows
    return connection.execute(sql, values | {"some": _MOST}).fetchall()


def _misspelt(connection: Connection[Any], owner: str, word: str) -> str | None:
    """The one term of this owner that a word which nobody said is a slip of, if there is one."""
    values = {"owner": key_of(owner), "low": word[:2], "high": word[:2] + chr(0x10FFFF), "limit": MOST_ALIKE}
    alike = connection.execute(_ALIKE, values).fetchall() if may_be_slip(word) else ()
    return slip_of(word, (term for (term,) in alike))


def rarities(connection: Connection[Any], owner: str, words: Sequence[str]) -> dict[str, float]:
    """How much each of these words says among the owner's records, as the SQLite store's index tells it."""
    terms = {word: plain_term(word) for word in words}
    rows = connection.execute(_RARITY, {"owner": key_of(owner), "terms": list(set(terms.values()))}).fetchall()
    known = {term: rarity(count, alive) for term, count, alive in rows}
    return {word: known.get(term, 1.0) for word, term in terms.items()}


def by_vector(
    connection: Connection[Any],
    owner: str,
    model: str,
    vector: npt.NDArray[np.float32],
    limit: int,
    moment: int | None,
) -> list[Match]:
    """The best records by cosine: all of the owner's are looked at, unless they are so many that they have an index of
    their own. None for a vector that says nothing."""
    row = connection.execute(_SPACE, {"owner": key_of(owner), "model": number_of(model)}).fetchone()
    if row is None or limit < 1:
        return []
    dim, near = row
    if len(vector) != dim:
        raise InvalidInput(f"the vector of the query has {len(vector)} numbers, those of {model!r} have {dim}")
    if not vector.any():
        return []
    values = {"owner": key_of(owner), "model": number_of(model), "vector": Halfvec(unit(vector))}
    rows = _near(connection, values, dim, limit, moment) if near == str(number_of(model)) else []
    if len(rows) < limit:
        rows = _ranked(connection, _BY_VECTOR, values, limit, moment)
    return [Match(record_id, KINDS[kind], round(score, 6)) for record_id, kind, score, _ in rows]


def _near(connection: Connection[Any], values: dict[str, Any], dim: int, limit: int, moment: int | None) -> list[Any]:
    """The best by the owner's own HNSW index, which goes on looking until enough of those found hold. The owner and
    the model stand in the statement itself: an index of a part of a table is used for constants only."""
    connection.execute(_SEARCHING)
    sql = _BY_VECTOR.replace("%(owner)s and model = %(model)s", f"'{values['owner']}' and model = {values['model']}")
    sql = sql.replace("vector <#> %(vector)s", f"vector::halfvec({dim}) <#> %(vector)s::halfvec({dim})")
    sql = sql.replace("order by distance, item desc limit", "order by distance limit")
    some = limit if moment is None else 4 * limit + 32
    values = values | {"limit": limit, "moment": moment, "some": some}
    rows = connection.execute(sql, values, prepare=False).fetchall()
    connection.execute("set local enable_sort = on")
    return rows


def index_vectors(connection: Connection[Any], owner: str, model: str) -> None:
    """Make an HNSW index of one owner's vectors, while others read and write. Not inside a transaction."""
    key, number = key_of(owner), number_of(model)
    connection.execute("select set_config('recollect.owner', %s, false)", [key])
    found = connection.execute(
        """select tableoid::regclass::text, vector_dims(vector) from vectors
           where owner = %s and model = %s and vector is not null limit 1""",
        [key, number],
    ).fetchone()
    if found is None:
        raise InvalidInput(f"{owner!r} has no vectors of {model!r}: there is nothing to make an index of")
    table, dim = found
    name = f"near_{key.replace('-', '')[:16]}_{number & 0xFFFFFFFF:08x}"
    if connection.execute(_HALF_MADE, [name]).fetchone():
        connection.execute(f"drop index concurrently {name}")
    connection.execute(
        f"""create index concurrently if not exists {name} on {table}
            using hnsw ((vector::halfvec({dim})) halfvec_ip_ops) where owner = '{key}' and model = {number}"""
    )
    connection.execute("update owners set near = %s where owner = %s", [str(number), key])
