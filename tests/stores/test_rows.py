"""Records as rows: what the statements that write them rely on."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from recollect._values import canonical_form, canonical_text
from recollect.stores import sql
from recollect.stores.sqlite import SQLiteStore
from recollect.words import terms

from .samples import message

COLUMNS = {
    **{sql.TABLES[kind]: columns for kind, columns in sql.COLUMNS.items()},
    "items": sql.ITEM_COLUMNS,
    "changes": sql.CHANGE_COLUMNS,
    "sources": sql.SOURCE_COLUMNS,
    "vectors": sql.VECTOR_COLUMNS,
    "tokens": sql.TOKEN_COLUMNS,
}


@pytest.mark.parametrize("table", COLUMNS)
def test_values_are_bound_in_the_order_of_the_table(table: str, path: Path) -> None:
    SQLiteStore(path).close()
    found = apsw.Connection(str(path)).execute("select name from pragma_table_info(?)", (table,))
    assert tuple(name for (name,) in found) == COLUMNS[table]


@pytest.mark.parametrize(
    ("value", "form"),
    [
        ("green tea", ("green", "tea")),
        ("the Bicycles 42", ("bicycle", "42")),
        ("the 42", ("42",)),
        ("2000 dollars", ("2000", "dollar")),
        ("dollars 2000", ("2000", "dollar")),
        ("$2,000", ("2000", "dollar")),
        ("3 thousand", ("3000",)),
        ("the", ("the",)),
        ("two  cats", ("2", "cat")),
        ("Lisboa", ("lisbon",)),
        ("café", ("café",)),
        ("", ("",)),
    ],
)
def test_a_value_has_one_form_however_it_is_read(value: str, form: tuple[str, ...]) -> None:
    assert (canonical_form(value), canonical_text(value)) == (form, " ".join(form))


@pytest.mark.parametrize("text", ["I paid $2,000 on 2024-05-01.", "- ... -", "wi-fi at http://a.example/b?c", "12. 7!"])
def test_words_kept_in_mind_are_those_of_the_whole_text(text: str) -> None:
    wanted = [sql.plain_term(term) for term in terms(text)]
    wording = sql.wording_of(message("m", text))
    assert (wording.split(), sql.length_of(wording)) == (wanted, len(wanted))
