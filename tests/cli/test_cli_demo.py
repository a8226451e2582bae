"""`recollect demo` really runs in several processes, and fails loudly when memory does not work."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from recollect import Memory
from recollect.cli import demo
from tests.cli.conftest import SOURCE, Cli


@pytest.fixture(autouse=True)
def children_find_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", SOURCE)


def test_the_demo_shows_what_memory_is_for(cli: Cli) -> None:
    shown = cli("demo", "--plain")
    assert cli.code == 0
    assert all(word in shown for word in ("window", "blue", "green", "tokens", "whole history", "<recollect-memory"))
    assert len(set(re.findall(r"process (\d+)", shown)) - {str(os.getpid())}) == 6
    assert not cli.db.exists()


def test_the_demo_keeps_its_store_where_it_is_told(cli: Cli, tmp_path: Path) -> None:
    place = tmp_path / "demo.db"
    played = json.loads(cli("demo", "--keep", place, "--json"))
    assert [step["result"] for step in played["steps"]][1]["saved"] > 0
    with Memory(place, owner="dana") as memory:
        assert memory.recall("favorite color") == "green"
    cli("demo", "--keep", place)
    assert cli.code == 2


def test_the_demo_fails_loudly_when_the_answer_is_wrong(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "SESSION", [{"role": "user", "content": "Hello there."} for _ in demo.SESSION])
    cli("demo")
    assert cli.code == 1
    assert "Error: expected six facts or more" in cli.err
