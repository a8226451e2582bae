"""The thread that makes vectors which adds under load have left for later."""

from __future__ import annotations

import logging
import threading

from recollect import Memory, RecollectError


class Vectors:
    """Follows the adds: one piece after the other until none is left, then it sleeps."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.wanted, self.closed = threading.Event(), False
        self.thread = threading.Thread(target=self.run, name="recollect-vectors", daemon=True)

    def follow(self) -> None:
        """Make those that were left, if any. Called by the one thread that commits."""
        if not self.memory.vectors_waiting:
            return
        if self.thread.ident is None:
            self.thread.start()
        self.wanted.set()

    def run(self) -> None:
        while True:
            self.wanted.wait()
            self.wanted.clear()
            last = self.closed  # asked before: what was left until then is made
            self.make_all()
            if last:
                return

    def make_all(self) -> None:
        """Make them piece by piece, so that others write in between."""
        try:
            while self.memory.make_vectors():
                pass
        except RecollectError as error:  # `health` counts what is missing, `catch_up` makes it
            logging.getLogger("recollect").warning("vectors could not be made: %s", error)

    def close(self) -> None:
        """Make what is left, then stop. Call it when nothing is added any more."""
        self.closed = True
        if self.thread.ident is not None:
            self.wanted.set()
            self.thread.join()
