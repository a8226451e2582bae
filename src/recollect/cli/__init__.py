"""The `recollect` command: every verb of Memory, for people and for scripts."""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

from recollect.cli import hooks
from recollect.cli.settings import Settings

if TYPE_CHECKING:
    from typer import Typer

MODULES = ("agents", "chat", "demo", "notes", "service", "reading", "savings", "stores", "writing")
"""Where the commands are, in the order of the help."""


def main() -> None:
    """Run the command line. A hook is answered without loading the rest of it: an agent waits for it."""
    for stream in (sys.stdout, sys.stderr):
        # Whatever was once said must be printable, on a terminal that knows no Unicode too.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    if (asked := hooks.parse_command(sys.argv[1:])) is not None:
        answer_hook(*asked)
    command_line()()


def command_line() -> Typer:
    """All commands. Only here typer and rich are loaded, which takes longer than a hook may take."""
    from recollect.cli.command import PANELS, app

    for name in MODULES:
        import_module(f"recollect.cli.{name}")
    app.registered_commands.sort(key=lambda command: PANELS.index(command.rich_help_panel))
    return app


def answer_hook(settings: Settings, event: str) -> NoReturn:
    """Answer a hook in a process that does nothing else, with what that saves: threads for numpy to start, garbage to
    look for, and parts to take down one by one when all is written and closed."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.disable()
    code = hooks.run_hook(settings, event)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
