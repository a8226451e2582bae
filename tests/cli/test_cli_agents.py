"""Connecting agents: configurations to copy, and Claude Code's own files, changed as shown and put back exactly."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

from .conftest import Cli

SETTINGS = {
    "model": "opus",
    "hooks": {
        "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],
        "PreToolUse": [{"matcher": "Write", "hooks": [{"type": "command", "command": "lint"}]}],
    },
}
STATE = {"numStartups": 7, "mcpServers": {"other": {"command": "x", "args": []}}, "projects": {"/a": {"n": "é"}}}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path


@pytest.fixture
def used(home: Path) -> Path:
    """A home in which Claude Code has been used, with hooks and servers of others."""
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").write_text(json.dumps(SETTINGS, indent=4, ensure_ascii=False) + "\n")
    (home / ".claude.json").write_text(json.dumps(STATE, indent=2, ensure_ascii=False) + "\n")
    (home / ".claude.json").chmod(0o600)
    return home


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def files(home: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in home.rglob("*") if path.is_file() and ".db" not in path.name}


@pytest.mark.parametrize("client", ["claude-code", "claude-desktop", "cursor"])
def test_a_configuration_starts_this_program_on_this_memory(cli: Cli, client: str) -> None:
    cli("--owner", "ana", "mcp", "--print-config", client)
    entry = json.loads(cli.out)["mcpServers"]["recollect"]
    assert Path(entry["command"]).is_absolute()
    assert entry["args"][-1] == "mcp"
    assert entry["env"] == {"RECOLLECT_OWNER": "ana", "RECOLLECT_DB": str(cli.db)}


def test_a_configuration_names_the_parts_that_the_environment_names(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOLLECT_EMBEDDER", "quick")
    entry = json.loads(cli("mcp", "--print-config", "cursor"))["mcpServers"]["recollect"]
    assert entry["env"] == {"RECOLLECT_DB": str(cli.db), "RECOLLECT_EMBEDDER": "quick"}


def test_the_configuration_of_codex_is_toml(cli: Cli) -> None:
    cli("mcp", "--print-config", "codex")
    entry = tomllib.loads(cli.out)["mcp_servers"]["recollect"]
    assert entry["args"][-1] == "mcp"
    assert entry["env"]["RECOLLECT_DB"] == str(cli.db)


def test_an_unknown_client_is_an_error_that_names_the_known_ones(cli: Cli) -> None:
    cli("mcp", "--print-config", "emacs")
    assert cli.code == 2
    assert "claude-desktop" in cli.err


def test_install_adds_hooks_and_server_beside_those_of_others(cli: Cli, used: Path) -> None:
    cli("install", "claude-code", "--yes")
    hooks = read(used / ".claude" / "settings.json")["hooks"]
    assert hooks["Stop"][0] == SETTINGS["hooks"]["Stop"][0]
    for event in ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact"):
        words = shlex.split(hooks[event][-1]["hooks"][0]["command"])
        assert words[-2:] == ["hook", event]
        assert str(cli.db) in words
    assert set(read(used / ".claude.json")["mcpServers"]) == {"other", "recollect"}
    assert (used / ".claude.json").stat().st_mode & 0o777 == 0o600


def test_install_shows_first_and_changes_nothing_unasked(cli: Cli, used: Path) -> None:
    before = files(used)
    cli("install", "claude-code")
    assert cli.code == 2
    assert "+" in cli.out
    assert "hook UserPromptSubmit" in cli.out
    assert files(used) == before


def test_installing_twice_changes_nothing_more(cli: Cli, used: Path) -> None:
    cli("install", "claude-code", "--yes")
    once = files(used)
    cli("install", "claude-code", "--yes")
    assert "Nothing is to be changed" in cli.err
    assert files(used) == once


@pytest.mark.parametrize(
    "text",
    [
        '{"theme":"dark"}',
        '{"theme": "caf\\u00e9"}\n',
        '{\n\t"theme": "café"\n}\n\n',
        '{\r\n    "theme": "dark"\r\n}\r\n',
    ],
)
def test_undo_puts_every_byte_back_however_the_file_is_written(cli: Cli, used: Path, text: str) -> None:
    (used / ".claude" / "settings.json").write_bytes(text.encode())
    before = files(used)
    cli("install", "claude-code", "--yes")
    assert "hook Stop" in read(used / ".claude" / "settings.json")["hooks"]["Stop"][0]["hooks"][0]["command"]
    cli("install", "claude-code", "--undo", "--yes")
    assert "--undo" not in cli.err
    assert files(used) == before


@pytest.mark.parametrize("project", [[], ["--project"]])
def test_undo_puts_every_byte_back(cli: Cli, used: Path, project: list[str]) -> None:
    before = files(used)
    cli("install", "claude-code", "--yes", *project)
    assert files(used) != before
    cli("install", "claude-code", "--undo", "--yes", *project)
    assert files(used) == before


def test_a_link_to_the_settings_stays_a_link(cli: Cli, used: Path) -> None:
    link, kept = used / ".claude" / "settings.json", used / "dotfiles.json"
    link.rename(kept)
    link.symlink_to(kept)
    before = kept.read_bytes()
    cli("install", "claude-code", "--yes")
    assert link.is_symlink()
    assert "hook Stop" in kept.read_text()
    cli("install", "claude-code", "--undo", "--yes")
    assert (link.is_symlink(), kept.read_bytes()) == (True, before)


def test_undo_leaves_no_file_that_was_not_there(cli: Cli, home: Path) -> None:
    cli("install", "claude-code", "--yes")
    assert files(home)
    cli("install", "claude-code", "--undo", "--yes")
    assert files(home) == {}


def test_install_for_one_project_leaves_the_others_alone(cli: Cli, used: Path) -> None:
    settings = (used / ".claude" / "settings.json").read_bytes()
    cli("install", "claude-code", "--project", "--yes")
    assert (used / ".claude" / "settings.json").read_bytes() == settings
    assert "hooks" in read(used / "work" / ".claude" / "settings.local.json")
    state = read(used / ".claude.json")
    assert list(state["mcpServers"]) == ["other"]
    assert "recollect" in state["projects"][str(used / "work")]["mcpServers"]


@pytest.mark.parametrize("broken", ["{", "[]", '{"hooks": []}'])
def test_a_file_that_is_not_understood_is_not_touched(cli: Cli, used: Path, broken: str) -> None:
    (used / ".claude" / "settings.json").write_text(broken)
    before = files(used)
    cli("install", "claude-code", "--yes")
    assert cli.code == 2
    assert files(used) == before


def test_another_agent_is_pointed_to_its_configuration(cli: Cli, home: Path) -> None:
    cli("install", "cursor", "--yes")
    assert cli.code == 2
    assert "--print-config" in cli.err
