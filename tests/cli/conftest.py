"""The command line on a store of its own, inside this process and in real ones."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import recollect
from recollect.cli import command_line

app = command_line()
SOURCE = str(Path(recollect.__file__).parents[1])


class Cli:
    """Runs `recollect` on one store and keeps what it said last."""

    def __init__(self, db: Path) -> None:
        self.db = db
        self.out = self.err = ""
        self.code = 0

    def __call__(self, *arguments: str | Path, given: str | bytes | None = None) -> str:
        """What the command prints; whatever its exit code."""
        result = CliRunner().invoke(app, ["--db", str(self.db), *map(str, arguments)], input=given)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        self.out, self.err, self.code = result.stdout, result.stderr, result.exit_code
        return self.out

    def json(self, *arguments: str | Path, given: str | None = None) -> Any:
        """The JSON document that the command prints."""
        return json.loads(self(*arguments, "--json", given=given))


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    for name in ("RECOLLECT_DB", "RECOLLECT_OWNER", "RECOLLECT_EMBEDDER", "FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "160")  # a table for people breaks its lines to fit the terminal
    return Cli(tmp_path / "memory.db")


@pytest.fixture
def told(cli: Cli) -> Cli:
    """A store that knows something."""
    cli("add", "I live in Lisbon.", "--session", "monday")
    cli("remember", "seat preference", "window", "--category", "travel")
    return cli


Start = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def start(cli: Cli) -> Start:
    """Begin a command in a process of its own."""

    def started(*arguments: str, **environment: str) -> subprocess.Popen[bytes]:
        pipe = subprocess.PIPE
        command = [sys.executable, "-m", "recollect", "--db", str(cli.db), *arguments]
        given = {**os.environ, "PYTHONPATH": SOURCE, **environment}
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=given)

    return started
