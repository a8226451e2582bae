"""Core: what is always in the window. Pinned facts and pinned notes, capped together."""

from __future__ import annotations

from datetime import datetime

from recollect.context import fact_line, note_line
from recollect.errors import InvalidInput
from recollect.records import Fact, Note
from recollect.stores import Store
from recollect.tokens import count

CORE_TOKENS = 2_000
"""What core may cost, since every context pays for it."""


def core(store: Store, owner: str, moment: datetime) -> list[Fact | Note]:
    """What is pinned and holds."""
    notes = [note for note in store.notes(owner, current=True) if note.pinned]
    return [*store.facts(owner, pinned=True, holding=moment), *notes]


def refuse_large_core(store: Store, owner: str, moment: datetime) -> None:
    """Raise when core has grown beyond its cap; call it inside the transaction that made it grow."""
    lines = {
        name_of(one): fact_line(one) if isinstance(one, Fact) else note_line(one) for one in core(store, owner, moment)
    }
    # A token has at least one letter, so that a small core need not be counted.
    if sum(map(len, lines.values())) <= CORE_TOKENS:
        return
    costs = {name: count(line) for name, line in lines.items()}
    if sum(costs.values()) > CORE_TOKENS:
        largest = sorted(costs, key=lambda name: -costs[name])[:3]
        named = ", ".join(f"{name} ({costs[name]})" for name in largest)
        raise InvalidInput(
            f"core would cost {sum(costs.values())} tokens in every context, {CORE_TOKENS} are allowed: unpin or "
            f"shorten something; the largest are {named}"
        )


def name_of(record: Fact | Note) -> str:
    return f"{record.attribute} {record.id}" if isinstance(record, Fact) else record.path
