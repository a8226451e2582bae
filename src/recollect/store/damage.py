"""Rows that no version of ours wrote: a damaged file gives them, and they are refused before they become records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, get_args

from recollect.errors import RecollectError
from recollect.records import ChangeKind, Origin, Role

Record = TypeVar("Record")

NO_SENSE = (ValueError, LookupError, TypeError, ArithmeticError, AttributeError)
"""What Python and numpy raise at bytes that are not what was written: bad UTF-8, bad JSON, numbers out of range."""

_NONE = type(None)
_INTEGERS = frozenset(
    ("at", "said", "learned", "since", "until", "retired", "version", "named", "pinned", "confirmations")
)
_OPTIONAL = frozenset(
    (
        *("name", "raw", "since", "until", "retired", "replaces", "replaced_by", "disputes", "doubted_by", "undoes"),
        *("before", "after"),
    )
)
_WORDS = {"origin": frozenset(get_args(Origin)), "role": frozenset(get_args(Role))}
_MOST_FORMS = 1_000


class DamagedRow(Exception):
    """What was read can't have been written by us. A store turns it into its own error, which names the file."""


class Shape:
    """What the columns of a table may hold. To ask costs little: the types of sound rows are kept in mind."""

    def __init__(self, table: str, columns: Sequence[str]) -> None:
        self._table = table
        self._columns = tuple(columns[2:])  # number and owner come first, and become no part of a record
        words = _WORDS | ({"kind": frozenset(get_args(ChangeKind))} if table == "changes" else {})
        self._words = [(columns.index(name), name, words[name]) for name in words if name in columns]
        self._forms: set[tuple[type, ...]] = set()

    def check(self, row: Sequence[Any]) -> None:
        """DamagedRow where a column has a value that it can't have."""
        form = tuple(map(type, row[2:]))
        if form not in self._forms:
            self._refuse_wrong_types(form)
        for place, name, allowed in self._words:
            if row[place] not in allowed:
                raise DamagedRow(f"a row of {self._table!r} has {row[place]!r} as its {name}")

    def _refuse_wrong_types(self, form: tuple[type, ...]) -> None:
        for name, found in zip(self._columns, form, strict=True):
            if found not in self._types_of(name):
                raise DamagedRow(f"a row of {self._table!r} has a {found.__name__} as its {name}")
        if len(self._forms) < _MOST_FORMS:
            self._forms.add(form)

    def _types_of(self, name: str) -> tuple[type, ...]:
        wanted: type = int if name in _INTEGERS else float if name == "confidence" else str
        late = name == "learned" and self._table == "messages"  # messages of before it was kept have none
        return (wanted, _NONE) if late or name in _OPTIONAL else (wanted,)


def records_from(
    shape: Shape, convert: Callable[[str, Sequence[Any]], Record], owner: str, rows: Sequence[Any]
) -> list[Record]:
    """Each row as the record that it stands for; DamagedRow where one can't stand for any."""
    try:
        for row in rows:
            shape.check(row)
        return [convert(owner, row) for row in rows]
    except RecollectError:
        raise
    except NO_SENSE as error:
        raise damaged(error) from error


def damaged(error: Exception) -> DamagedRow:
    """The error that Python raised at senseless bytes, as one of damage."""
    return DamagedRow(f"what was read makes no sense: {type(error).__name__}: {error}")
