"""Core: what is always in the window. Pinned facts and notes, and what the user wants from now on, capped together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from recollect.errors import InvalidInput
from recollect.records import Draft, Fact, Note
from recollect.retrieve.context import fact_line, note_line
from recollect.store import Query, Store
from recollect.text.tokens import count

CORE_TOKENS = 2_000
"""What core may cost, since every context pays for it."""


def core(store: Store, owner: str, moment: datetime) -> list[Fact | Note]:
    """What is pinned and holds."""
    return [
        *store.read(owner, Fact, Query(pinned=True, holding=moment)),
        *store.read(owner, Note, Query(pinned=True, current=True)),
    ]


def with_room(store: Store, owner: str, drafts: Sequence[Draft], moment: datetime) -> list[Draft]:
    """The drafts; those that are wanted at every turn are pinned only while core has room, and kept all the same."""
    if not any(draft.pinned for draft in drafts):
        return list(drafts)
    left = CORE_TOKENS - sum(count(line_of(one)) for one in core(store, owner, moment))
    kept: list[Draft] = []
    for draft in drafts:
        # 40: what a line of core costs beside its text, at most: its id, origin and days.
        cost = 40 + count(draft.text) if draft.pinned else 0
        kept.append(draft if cost <= left else replace(draft, pinned=False))
        left -= cost if cost <= left else 0
    return kept


def line_of(record: Fact | Note) -> str:
    return fact_line(record) if isinstance(record, Fact) else note_line(record)


def refuse_large_core(store: Store, owner: str, moment: datetime) -> None:
    """Raise when core has grown beyond its cap; call it inside the transaction that made it grow."""
    lines = {
        f"{one.attribute} {one.id}" if isinstance(one, Fact) else one.path: line_of(one)
        for one in core(store, owner, moment)
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
