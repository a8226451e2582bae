"""Records as rows: what the statements that write them rely on."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import apsw
import numpy as np
import pytest

from recollect.errors import InvalidInput
from recollect.store import Store, conditions, rows
from recollect.store.reading import VECTORS, Reader
from recollect.store.rows import length_of, plain_term, wording_of
from recollect.store.sqlite import SQLiteStore
from recollect.text.values import canonical_text
from recollect.text.words import terms

from .samples import fact

COLUMNS = {
    **{rows.TABLES[kind]: columns for kind, columns in rows.COLUMNS.items()},
    "items": rows.ITEM_COLUMNS,
    "changes": rows.CHANGE_COLUMNS,
    "sources": rows.SOURCE_COLUMNS,
    "doubts": rows.SOURCE_COLUMNS,
    "vectors": rows.VECTOR_COLUMNS,
    "tokens": rows.TOKEN_COLUMNS,
}


@pytest.mark.parametrize("table", COLUMNS)
def test_values_are_bound_in_the_order_of_the_table(table: str, path: Path) -> None:
    SQLiteStore(path).close()
    found = apsw.Connection(str(path)).execute("select name from pragma_table_info(?)", (table,))
    assert tuple(name for (name,) in found) == COLUMNS[table]


FROM = "select item from {} where "
BY_ID = [
    *(Reader.TOKENS, VECTORS),
    *(FROM.format("facts") + conditions._QUOTING, FROM.format("messages") + conditions._BESIDE),
]


@pytest.mark.parametrize("statement", BY_ID)
def test_what_is_asked_for_by_id_is_looked_up_and_not_sought_among_all(statement: str, path: Path) -> None:
    SQLiteStore(path).close()
    bound = dict.fromkeys(("owner", "model"), 1) | dict.fromkeys(("ids", "quoting"), "[]")
    steps = [step for *_, step in apsw.Connection(str(path)).execute(f"explain query plan {statement}", bound)]
    assert not [
        step for step in steps if step.endswith("(owner=?)") or (step.startswith("SCAN") and "json" not in step)
    ]


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
        ("café", ("cafe",)),
        ("", ("",)),
    ],
)
def test_a_value_has_one_form_however_it_is_read(value: str, form: tuple[str, ...]) -> None:
    assert canonical_text(value) == " ".join(form)


@pytest.mark.parametrize("text", ["I paid $2,000 on 2024-05-01.", "- ... -", "wi-fi at http://a.example/b?c", "12. 7!"])
def test_words_kept_in_mind_are_those_of_the_whole_text(text: str) -> None:
    wanted = [plain_term(term) for term in terms(text)]
    wording = wording_of(text)
    assert (wording.split(), length_of(wording)) == (wanted, len(wanted))


def test_an_embedder_whose_first_vectors_were_taken_back_may_come_with_others(store: Store) -> None:
    store.save("ana", [fact("f1", value="Lisbon")])

    def keep(numbers: int) -> None:
        store.save_vectors("ana", "toy", {"f1": np.ones(numbers, np.float32)})

    with suppress(RuntimeError), store.transaction("ana"):
        keep(4)
        keep(4)
        raise RuntimeError
    keep(3)
    keep(3)
    with pytest.raises(InvalidInput):
        keep(4)
    assert store.counts("ana").models == {"toy": 1}
