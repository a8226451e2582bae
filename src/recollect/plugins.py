"""Parts that other packages bring: looked up by name through entry points."""

from __future__ import annotations

from typing import Any

from recollect.errors import InvalidInput


def installed(group: str, name: str) -> Any:
    """A new object of the class that a package offers in this group under this name."""
    from importlib.metadata import entry_points  # slow to import, and seldom needed

    offered = {point.name: point for point in entry_points(group=group)}
    if name not in offered:
        known = ", ".join(sorted(offered)) or "none is installed"
        raise InvalidInput(f"there is no {group.rpartition('.')[2].rstrip('s')} named {name!r} (others: {known})")
    return offered[name].load()()
