"""Facts page by page, for those who show long lists: a page costs the same however much is known."""

from __future__ import annotations

from recollect import read as known
from recollect.memory import Memory
from recollect.records import Fact
from recollect.store import Position
from recollect.text.dates import Time


def facts_page(
    memory: Memory,
    *,
    limit: int,
    before: Position | None = None,
    subject: str | None = None,
    attribute: str | None = None,
    category: str | None = None,
    at: Time | None = None,
    known_at: Time | None = None,
) -> list[Fact]:
    """So many at most of what `memory.facts` gives; `before`: from after the fact that was said and learned then and
    has that id, the last of the page before."""
    wanted = known.wanted_by(subject, attribute, category)
    return known.page(memory._parts, memory._views(at, known_at), wanted, limit=limit, before=before)
