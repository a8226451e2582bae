"""Sessions, notes, moving a memory, and looking after it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Cli


def test_sessions_are_listed_shown_briefed_and_summarised(told: Cli) -> None:
    assert "monday" in told("sessions")
    assert told("sessions", "list") == told("sessions")
    assert told.json("sessions", "list")[0]["session"] == "monday"
    assert told("sessions", "show", "monday") == "user: I live in Lisbon.\n"
    assert "lives in Lisbon" in told("sessions", "brief", "monday")
    assert "Lisbon" in told("sessions", "summary", "monday", "--budget", "50")


def test_a_conversation_shows_tool_calls(cli: Cli, tmp_path: Path) -> None:
    call = {"id": "1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}
    chat = [
        {"role": "user", "content": [{"type": "text", "text": "Is it sunny?"}]},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "yes"},
    ]
    (tmp_path / "chat.json").write_text(json.dumps({"messages": chat}))
    cli("add", "--file", tmp_path / "chat.json", "--session", "tools")
    assert cli("sessions", "show", "tools").splitlines()[:2] == ["user: Is it sunny?", "assistant: [calls weather]"]


@pytest.mark.parametrize("command", ["show", "brief", "summary"])
def test_a_mistyped_session_is_an_error(told: Cli, command: str) -> None:
    told("sessions", command, "mondya")
    assert told.code == 4


def test_notes_are_written_read_listed_and_deleted(cli: Cli) -> None:
    assert "written: /memories/persona.md (version 1)" in cli("notes", "write", "persona.md", "Be", "brief.")
    assert "version 2" in cli("notes", "write", "/memories/persona.md", given="Be kind.\n")
    assert cli("notes", "read", "persona.md").strip() == "Be kind."
    assert cli.json("notes", "read", "persona.md", "--version", "1")["text"] == "Be brief."
    assert "persona.md" in cli("notes")
    assert "deleted" in cli("notes", "delete", "persona.md")
    assert cli.json("notes", "list") == []


def test_pinned_notes_are_in_every_context(cli: Cli) -> None:
    cli("notes", "write", "persona.md", "Be brief.")
    assert cli("notes", "pin", "persona.md") == "pinned: /memories/persona.md\n"
    assert "Be brief." in cli("context")
    assert cli("notes", "unpin", "persona.md") == "unpinned: /memories/persona.md\n"
    assert "Be brief." not in cli("context")


def test_a_note_at_another_version_is_not_overwritten(cli: Cli) -> None:
    cli("notes", "write", "persona.md", "Be brief.")
    cli("notes", "write", "persona.md", "Be kind.", "--expected-version", "0")
    assert cli.code == 2


def test_notes_go_out_to_a_folder_and_come_in_again(cli: Cli, tmp_path: Path) -> None:
    cli("notes", "write", "a/plan.md", "First, rest.")
    assert "plan.md" in cli("notes", "export", tmp_path / "out")
    assert (tmp_path / "out/a/plan.md").read_text() == "First, rest."
    assert "plan.md" in cli("notes", "import", tmp_path / "out", "--to", "again")
    assert cli("notes", "read", "again/a/plan.md").strip() == "First, rest."


def test_a_project_file_becomes_a_pinned_note(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_text("Run make test.")
    assert cli.json("notes", "import", tmp_path / "CLAUDE.md")[0]["pinned"] is True


def test_an_export_can_be_imported_by_another_owner(told: Cli, tmp_path: Path) -> None:
    assert "exported: " in told("export", tmp_path / "all.jsonl")
    assert "imported: " in told("import", tmp_path / "all.jsonl", "--owner", "bob")
    assert told("recall", "seat preference", "-o", "bob") == "window\n"
    assert told("owners").split() == ["bob", "me"]


def test_an_export_can_be_a_dictionary_on_stdout(told: Cli, tmp_path: Path) -> None:
    (tmp_path / "known.json").write_text(told("export", "-", "--form", "json"))
    assert json.loads((tmp_path / "known.json").read_text())["seat preference"] == "window"
    assert told.json("import", tmp_path / "known.json", "-o", "bob")["records"] == 2


def test_backup_copies_the_store(told: Cli, tmp_path: Path) -> None:
    assert "backed up" in told("backup", tmp_path / "copy.db")
    assert told("recall", "home", "--db", tmp_path / "copy.db") == "Lisbon\n"


def test_stats_count(told: Cli) -> None:
    assert told.json("stats")["current_facts"] == 2
    assert "2, 2 hold now" in told("stats")


def test_doctor_names_versions_and_parts(told: Cli) -> None:
    shown = told("doctor")
    assert told.code == 0
    assert all(word in shown for word in ("recollect", "sqlite", "python", "schema", "embedder", "none missing"))
    found = told.json("doctor", "--catch-up")
    assert found["ok"] is True
    assert found["versions"]["sqlite"] >= "3.54"
    assert found["health"]["store"] == str(told.db)


def test_doctor_exits_with_1_when_something_is_wrong(told: Cli) -> None:
    told("add", "I like tea.", "--at", "2024-01-01")
    with_missing_vectors(told.db)
    assert "problem: " in told("doctor")
    assert told.code == 1
    assert told.json("doctor")["ok"] is False
    told("doctor", "--catch-up")
    assert told.code == 0


def with_missing_vectors(db: Path) -> None:
    """Write as a program without an embedder does."""
    from recollect import Memory

    with Memory(db, embedder=None) as memory:
        memory.add("I like chess.")


def test_version_is_printed(cli: Cli) -> None:
    assert cli("version").startswith("recollect 0.")
    assert set(cli.json("version")) == {"recollect", "sqlite", "python"}
    assert cli("--version").startswith("recollect 0.")


def test_erase_needs_yes_where_nobody_can_be_asked(told: Cli) -> None:
    told("erase", "home")
    assert told.code == 2
    assert "--yes" in told.err
    assert told("recall", "home") == "Lisbon\n"


def test_erase_prints_its_receipt(told: Cli) -> None:
    receipt = told("erase", "home", "--yes")
    assert "erased: 1 fact, 1 message" in receipt
    assert f"scanned: {told.db}" in receipt
    assert "verified: nothing of it is left" in receipt
    assert b"I live in Lisbon" not in told.db.read_bytes()


@pytest.mark.parametrize("what", [["--session", "monday"], ["--everything"], ["--subject", "sister"]])
def test_erase_takes_a_session_a_subject_or_everything(told: Cli, what: list[str]) -> None:
    told("add", "My sister Anna lives in Berlin.")
    assert told.json("erase", *what, "--yes")["verified"] is True


def test_erase_of_nothing_is_not_found(told: Cli) -> None:
    told("erase", "shoe size", "--yes")
    assert told.code == 4


def test_commands_follow_what_the_environment_names(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "AGENTS.md").write_text("Use tabs.")
    monkeypatch.setenv("RECOLLECT_FOLLOW", str(tmp_path))
    assert "Use tabs." in cli("context")
    (tmp_path / "AGENTS.md").write_text("Use spaces.")
    assert "Use spaces." in cli("chat", given="/context\n")
    monkeypatch.setenv("RECOLLECT_FOLLOW", "/nowhere/AGENTS.md")
    cli("context")
    assert cli.code == 2
