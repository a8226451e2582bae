"""Records to test with."""

from collections.abc import Sequence

import numpy as np

from recollect.store.index import NewItems
from recollect.testing.samples import T0, change, day, fact, message, note

__all__ = ["T0", "change", "day", "fact", "message", "new_items", "note"]


def new_items(rows: Sequence[tuple[int, int, int, int, int, str]]) -> NewItems:
    """Rows of number, kind, since, until, length and id, as an index takes them."""
    *columns, ids = zip(*rows, strict=True)
    contents = [name.encode() for name in ids]
    lengths = np.array([len(content) for content in contents])
    return NewItems(*(np.array(column, np.int64) for column in columns), b"".join(contents), lengths)
