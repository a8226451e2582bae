"""What is asked of a store: one record of conditions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from recollect.records import Change

Position = tuple[datetime, datetime, str]
"""Where a fact stands among others, latest said last: when it was said, when it was learned, its id. It never moves."""


@dataclass(frozen=True, slots=True)
class Query:
    """Which records to read, and in what order: all of a kind, in the order they were kept, unless it says otherwise.
    Conditions are joined by "and"; one that a kind of record has no field for is not looked at.

    >>> Query(subjects=["Anna"], attributes=["home"], last=3).last
    3
    """

    ids: Sequence[str] | None = None
    between: tuple[datetime, datetime] | None = None
    """Messages said in that half-open range; facts that began in it, or were said where no beginning is known."""
    before: tuple[datetime, str] | Position | None = None
    """Messages and changes: only what stands before the one of that moment and id. `latest`: before that position."""
    last: int | None = None
    """Only the newest so many; `around`: on either side."""
    skip: int = 0
    """With `last`: but for so many that are newer."""
    first: int | None = None
    """Of messages and of the log: only the oldest so many."""
    pinned: bool = False
    """Facts and notes: only those in core."""

    # Messages.
    session: str | None = None
    waiting: bool | None = None
    """True: those from which facts are still to be derived; False: those that were left unread, as that failed."""
    beside: Sequence[str] | None = None
    """These messages, with those kept just before and just after each of them in its session."""

    # Facts.
    subjects: Sequence[str] | None = None
    """Compared without case."""
    attributes: Sequence[str] | None = None
    values: Sequence[str] | None = None
    """Those whose values mean the same as one of these, in the sense of `same_value`."""
    category: str | None = None
    holding: datetime | None = None
    """Those not retired and true at that moment (since <= moment < until, None being open)."""
    learned_by: datetime | None = None
    named: bool = False
    """Those that name a subject, such as "sister is Anna" and nicknames."""
    disputed: bool = False
    """Those that contradict another."""
    unconfirmed: bool = False
    """Of the others, those that neither the user nor the operator told or confirmed."""
    words: Sequence[str] | None = None
    """Those that have all of these words (as `words.terms` gives them); none for no words."""
    quoting: Sequence[str] | None = None
    """Those that quote one of these messages."""
    around: datetime | None = None
    """Of one subject and attribute and not retired: those that began last by that moment, and those that began first
    after it (or were said then, where no beginning is known)."""
    latest: bool = False
    """Latest said first, in the order of their positions. What it costs goes by `last`, not by how much there is."""

    # Notes.
    path: str | None = None
    under: str | None = None
    """Those in that folder."""
    current: bool = False
    """Those that no newer version took the place of."""

    # Changes.
    records: Sequence[str] | None = None
    """Those of these records."""
    group: str | None = None
    after: datetime | None = None
    """Those written later than that."""
    position: int | datetime | None = None
    """Of the log: what stands after that position, or from that moment on."""


class LogEntry(NamedTuple):
    """A change and its place in the log: a number that only rises, also where several were written at one moment."""

    position: int
    change: Change
