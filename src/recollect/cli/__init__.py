"""The `recollect` command: every verb of Memory, for people and for scripts."""

import gc
import os
import sys
from typing import NoReturn

from recollect.cli import hooks
from recollect.cli.settings import Settings


def main() -> None:
    """Run the command line. A hook is answered without loading the rest of it: an agent waits for it."""
    for stream in (sys.stdout, sys.stderr):
        # Whatever was once said must be printable, on a terminal that knows no Unicode too.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    if (asked := hooks.asked(sys.argv[1:])) is not None:
        answer_hook(*asked)
    from recollect.cli.commands import app  # typer and rich take longer to load than a hook may take

    app()


def answer_hook(settings: Settings, event: str) -> NoReturn:
    """Answer a hook in a process that does nothing else, with what that saves: threads for numpy to start, garbage to
    look for, and parts to take down one by one when all is written and closed."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.disable()
    code = hooks.run(settings, event)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
