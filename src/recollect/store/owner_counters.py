"""One transaction on a SQLite store, and the counters of each owner in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import apsw

from recollect.store.sql import OWNER_COLUMNS, update_sql

OWNER_BITS = 40
"""An item's number is its owner's number, shifted by so many bits, plus the owner's count."""

_READ_OWNER = f"select {', '.join(OWNER_COLUMNS)} from owners where name = ?"
_WRITE_OWNER = update_sql("owners", OWNER_COLUMNS, "number")
_NEW_OWNER = """
insert into owners (name, version, naming, erasures, items, vectors, changes)
values (?, 0, 0, 0, 0, 0, abs(random() % 500000000000))
returning number, changes
"""
# The log begins anywhere: who has heard an earlier one, of which all was erased, finds no place of it in this one.


class OwnerRow(NamedTuple):
    """What a reader needs of an owner's row."""

    number: int
    last_learned: int | None


@dataclass
class Ledger:
    """An owner's counters, read when a transaction first needs them and written once, at its end."""

    owner: str
    number: int
    version: int = 0
    erasures: int = 0
    items: int = 0
    vectors: int = 0
    changes: int = 0
    last_learned: int | None = None
    erased: bool = False
    added: dict[str, int] = field(default_factory=dict)
    """The numbers of the records that this transaction added, by id."""
    embedded: set[int] = field(default_factory=set)
    """Records to which this transaction gave a vector."""
    unsettled: set[int] = field(default_factory=set)
    """Messages added by this transaction from which facts are still to be derived."""

    @property
    def base(self) -> int:
        return self.number << OWNER_BITS

    def learned(self, moment: int | None) -> None:
        """Take note of a moment at which something was learned."""
        if moment is not None and (self.last_learned is None or moment > self.last_learned):
            self.last_learned = moment


@dataclass
class Transaction:
    """What is written together."""

    connection: apsw.Connection
    ledgers: dict[str, Ledger] = field(default_factory=dict)
    models: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Number and length of the vectors of each embedder, by name: kept from one transaction to the next, since what is
    there stays."""
    new_models: bool = False
    """Whether there are some that may be taken back."""
    doomed: bool = False
    """Set when part of it failed: then nothing of it is kept, whatever the caller did with the error."""

    def ledger(self, owner: str) -> Ledger:
        """The owner's counters; an owner who has nothing yet gets a number."""
        if owner not in self.ledgers:
            row = self.connection.execute(_READ_OWNER, (owner,)).fetchone()
            if row is None:
                number, changes = self.connection.execute(_NEW_OWNER, (owner,)).get
                ledger = Ledger(owner, number, changes=changes)
            else:
                ledger = Ledger(owner, *row)
            ledger.version += 1
            self.ledgers[owner] = ledger
        return self.ledgers[owner]

    def finish(self) -> None:
        """Write the counters. An owner of whom nothing is left goes too, name and all."""
        for ledger in self.ledgers.values():
            if ledger.erased and not _has_anything(self.connection, ledger):
                self.connection.execute("delete from owners where number = ?", (ledger.number,))
            else:
                values = [getattr(ledger, column) for column in OWNER_COLUMNS[1:]]
                self.connection.execute(_WRITE_OWNER, (*values, ledger.number))
            self.list_unsettled(ledger)

    def list_unsettled(self, ledger: Ledger) -> None:
        """Write down the messages that are not settled yet. Late, since most are settled by the time."""
        if ledger.unsettled:
            self.connection.executemany(
                "insert into unsettled (item) values (?)", [(item,) for item in sorted(ledger.unsettled)]
            )
            ledger.unsettled.clear()


def _has_anything(connection: apsw.Connection, ledger: Ledger) -> bool:
    sql = """select exists(select 1 from items where item between :first and :last)
                 or exists(select 1 from changes where number between :first and :last)"""
    return bool(connection.execute(sql, span(ledger.number)).get)


def span(number: int) -> dict[str, int]:
    """The first and the last number that an owner's rows can have."""
    return {"first": number << OWNER_BITS, "last": ((number + 1) << OWNER_BITS) - 1}
