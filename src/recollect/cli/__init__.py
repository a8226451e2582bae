"""The `recollect` command: every verb of Memory, for people and for scripts."""

import sys

from recollect.cli import (
    agents,
    chat,
    demo,
    hooks,
    install,
    moving,
    notes,
    reading,
    savings,
    service,
    sessions,
    stores,
    upkeep,
    writing,
)
from recollect.cli.command import PANELS, app

__all__ = [
    "agents",
    "app",
    "chat",
    "demo",
    "hooks",
    "install",
    "main",
    "moving",
    "notes",
    "reading",
    "savings",
    "service",
    "sessions",
    "stores",
    "upkeep",
    "writing",
]

app.registered_commands.sort(key=lambda command: PANELS.index(command.rich_help_panel))


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        # Whatever was once said must be printable, on a terminal that knows no Unicode too.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    app()
