"""Records to test with."""

from recollect.testing.samples import T0, change, day, fact, message, note

__all__ = ["T0", "change", "day", "fact", "message", "note"]
