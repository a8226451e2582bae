"""What is asked for at every turn: tasks at hand. Kept in memory for as long as the owner's counter, read in the same
transaction, proves that none of them was written since."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from recollect.records import Fact
from recollect.stores.ledgers import Ledger, OwnerRow
from recollect.stores.reading import Reader
from recollect.stores.sql import ALWAYS, TASK, micros

_TASKS = f"owner = :owner and category = '{TASK}' and retired is null"
_NEXT = f"""
select min(moment) from (
    select min(since) as moment from facts where {_TASKS} and since > :holding
    union all select min(until) from facts where {_TASKS} and until > :holding
)
"""
_MOST_OWNERS = 500
_MOST_FACTS = 1_000


class Held(NamedTuple):
    """What was read, for which state of the owner, and from when to when it is the answer."""

    state: tuple[int, int]
    since: int
    until: int
    facts: list[Fact]


class AtHand:
    """Answers that are still right, by owner and question."""

    def __init__(self) -> None:
        self._held: dict[tuple[str, int | None], Held] = {}

    def facts(
        self, reader: Reader, owner: Ledger | OwnerRow | None, *, holding: datetime, last: int | None
    ) -> list[Fact]:
        """The owner's tasks. `owner`: their counters, in the open transaction or as they are in the store."""
        if owner is None:
            return []
        state = owner.number, owner.naming
        key, moment = (reader.owner, last), micros(holding)
        held = self._held.get(key)
        if held and held.state == state and held.since <= moment < held.until:
            return list(held.facts)
        facts = reader.facts(category=TASK, holding=holding, last=last)
        # What this transaction has written itself may be taken back, and its version given to another one.
        uncertain = isinstance(owner, Ledger) and owner.naming == owner.version
        if not uncertain and len(facts) <= _MOST_FACTS:
            if len(self._held) >= _MOST_OWNERS:
                self._held.clear()
            self._held[key] = Held(state, moment, _next_change(reader, moment), facts)
        return list(facts)


def _next_change(reader: Reader, moment: int) -> int:
    """When one of these facts begins or ends next."""
    values = {"owner": reader.number, "holding": moment}
    found: int | None = reader.connection.execute(_NEXT, values).get
    return ALWAYS if found is None else found
