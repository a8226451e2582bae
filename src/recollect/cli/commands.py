"""All commands, gathered: importing this makes the whole command line."""

from recollect.cli import (
    agents,
    chat,
    demo,
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
    "install",
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
