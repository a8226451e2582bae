"""`recollect savings`: injected tokens against the whole history, as a conversation grows."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from recollect import Memory
from tests.cli.conftest import Cli


@pytest.fixture(scope="module")
def conversation(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with one long conversation, told once for all tests."""
    path = tmp_path_factory.mktemp("long") / "memory.db"
    with Memory(path) as memory:
        memory.add("I prefer window seats.", session="trip")
        for number in range(40):
            memory.add(
                [
                    {"role": "user", "content": f"And what about hotel number {number}, is it any good for me?"},
                    {"role": "assistant", "content": f"Hotel {number} has a pool. " + "It is quiet and near. " * 20},
                ],
                session="trip",
            )
        memory.add("Which seat do I prefer?", session="trip")
    return path


@pytest.fixture
def long(cli: Cli, conversation: Path) -> Cli:
    shutil.copy(conversation, cli.db)
    return cli


def test_the_injected_share_shrinks_as_the_history_grows(long: Cli) -> None:
    found = long.json("savings", "trip", "--budget", "200")
    points = found["points"]
    assert len(points) == 20
    assert [one["whole"] for one in points] == sorted(one["whole"] for one in points)
    assert points[-1]["turn"] == 42
    assert points[-1]["whole"] > 4_000
    assert 0 < points[-1]["injected"] <= 200
    assert all(one["injected"] <= 200 for one in points)


def test_each_turn_is_measured_with_what_was_known_by_then(long: Cli) -> None:
    points = long.json("savings")["points"]
    assert points[0] == {"turn": 1, "whole": 0, "injected": 0}


def test_a_terminal_gets_a_plot(long: Cli) -> None:
    out = long("savings", "trip")
    assert "░" * 40 in out
    assert "█" in out
    assert "counted with o200k, exact" in out
    assert "% saved" in out


def test_an_estimate_is_called_one(long: Cli) -> None:
    assert "estimated with o200k" in long("savings", "--model", "claude-sonnet")


@pytest.mark.parametrize("name", ["plot.png", "plot.svg"])
def test_a_picture_is_drawn(long: Cli, tmp_path: Path, name: str) -> None:
    long("savings", "--plot", tmp_path / name)
    assert (tmp_path / name).stat().st_size > 5_000
    long("savings", "--plot", tmp_path / "no" / name)
    assert long.code == 2


def test_too_little_to_compare_is_said(cli: Cli) -> None:
    cli("savings")
    assert cli.code == 4
    cli("add", "Hello there.", "--session", "one")
    cli("savings", "one")
    assert (cli.code, "two or more" in cli.err) == (2, True)
    cli("savings", "other")
    assert cli.code == 4


def test_without_the_package_it_says_what_to_install(long: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    long("savings", "--plot", "plot.png")
    assert (long.code, "pip install 'recollect[bench]'" in long.err) == (8, True)
