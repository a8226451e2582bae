"""The `recollect` command: every verb of Memory, for people and for scripts."""

import sys

from recollect.cli import hooks


def main() -> None:
    """Run the command line. A hook is answered without loading the rest of it: an agent waits for it."""
    for stream in (sys.stdout, sys.stderr):
        # Whatever was once said must be printable, on a terminal that knows no Unicode too.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    if (asked := hooks.asked(sys.argv[1:])) is not None:
        sys.exit(hooks.run(*asked))
    from recollect.cli.commands import app  # typer and rich take longer to load than a hook may take

    app()
