"""The story that the product is for: told in one process, known in the next, with every provider."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import recollect
from tests.providers import FORMATS, Call, Say, Server, environment

TELL = """
from recollect import Agent, Memory
memory = Memory({db!r}, reader={reader!r})
print(Agent(memory, "{provider}:some-model").ask({said!r}).text)
"""


def run(server: Server, provider: str, db: Path, said: str, reader: str | None) -> str:
    """What an agent answers in a process of its own."""
    source = str(Path(recollect.__file__).parent.parent)
    variables = {**os.environ, **environment(server), "PYTHONPATH": source}
    code = TELL.format(db=str(db), provider=provider, said=said, reader=reader)
    done = subprocess.run([sys.executable, "-c", code], env=variables, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("provider", "reader"),
    [*((provider, None) for provider in sorted(FORMATS)), ("openai", "plain")],
    ids=[*(f"{provider}, told by the model alone" for provider in sorted(FORMATS)), "openai, read as plain shapes too"],
)
def test_a_name_told_in_one_process_is_known_in_the_next(provider: str, reader: str | None, path: Path) -> None:
    script = [Call(("remember", {"key": "name", "value": "Alice"})), Say("Hello, Alice."), Say("You are Alice.")]
    with Server(*script) as server:
        assert run(server, provider, path, "my name is Alice", reader) == "Hello, Alice."
        assert run(server, provider, path, "who am I?", reader) == "You are Alice."
    first, _, last = server.seen
    assert "Alice" not in first.system
    assert "name is Alice" in last.system
    assert "Alice" not in str(last.messages)
