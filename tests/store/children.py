"""Work done in a forked child, to be killed, limited or deprived of rights there."""

from __future__ import annotations

import os
import pickle
import signal
import traceback
from collections.abc import Callable
from typing import Any


def in_child(work: Callable[[], Any]) -> Any:
    """What the work gives back when a forked child does it; an error there is one here."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            answer = (True, work())
        except BaseException:
            answer = (False, traceback.format_exc())
        with os.fdopen(writing, "wb") as pipe:
            pickle.dump(answer, pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        content = pipe.read()
    os.waitpid(child, 0)
    succeeded, answer = pickle.loads(content) if content else (False, "the child died without a word")
    assert succeeded, answer
    return answer


class Writer:
    """A child that writes until it is killed, and tells after each write what is safe by now."""

    def __init__(self, work: Callable[[Callable[[str], None]], None]) -> None:
        self._reading, writing = os.pipe()
        self._child = os.fork()
        if self._child == 0:
            os.close(self._reading)
            try:
                work(lambda name: os.write(writing, f"{name}\n".encode()) and None)
            except BaseException:
                os.write(writing, f"FAILED {traceback.format_exc()!r}\n".encode())
            os._exit(0)
        os.close(writing)

    def first(self) -> str:
        """Wait until it has told a name; gives it."""
        name = b""
        while not name.endswith(b"\n") and (letter := os.read(self._reading, 1)):
            name += letter
        return name.decode().strip()

    def kill(self) -> list[str]:
        """End it at once, as `kill -9` does; the names that it had told."""
        os.kill(self._child, signal.SIGKILL)
        return self.join()

    def join(self) -> list[str]:
        """Wait for its end; the names that it had told."""
        with os.fdopen(self._reading, "rb") as pipe:
            content = pipe.read().decode()
        os.waitpid(self._child, 0)
        assert "FAILED" not in content, content
        return content[: content.rfind("\n") + 1].split()
