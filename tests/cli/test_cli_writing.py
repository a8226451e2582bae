"""The commands that tell and change: what they keep, and what they say about it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Cli


def test_add_says_what_was_stored(cli: Cli) -> None:
    assert "stored: lives in Lisbon" in cli("add", "I live in Lisbon.")


def test_add_joins_words_that_were_not_quoted(cli: Cli) -> None:
    assert cli.json("add", "I", "live", "in", "Lisbon")["messages"][0]["content"] == "I live in Lisbon"


def test_add_says_what_was_replaced_and_when_it_ended(told: Cli) -> None:
    said = told("add", "I moved to Porto.")
    assert "replaced: lives in Porto" in said
    assert "ended: lives in Lisbon (20" in said


def test_add_says_when_there_is_no_fact(cli: Cli) -> None:
    assert cli("add", "Good morning!").startswith("kept: 1 message")


def test_add_says_that_a_secret_was_removed(cli: Cli) -> None:
    assert "removed: GitHub token" in cli("add", f"use ghp_{'a1' * 18} for the deploy")


@pytest.mark.parametrize("arguments", [["add"], ["add", "-"]])
def test_add_reads_a_pipe(cli: Cli, arguments: list[str]) -> None:
    cli(*arguments, given="I live in Lisbon.\n")
    assert cli.json("search", "Lisbon")[0]["text"] == "lives in Lisbon"


def test_add_refuses_a_pipe_that_is_not_text(cli: Cli) -> None:
    cli("add", given=b"\xff\xfe\x00\xd8")
    assert cli.code == 2
    assert "UTF-8" in cli.err


def test_add_reads_a_text_file(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "said.txt"
    file.write_text("I live in Lisbon.\n")
    cli("add", "--file", file)
    assert cli("recall", "home") == "Lisbon\n"


@pytest.mark.parametrize("name", ["chat.json", "chat.jsonl"])
def test_add_reads_a_conversation(cli: Cli, tmp_path: Path, name: str) -> None:
    messages = [{"role": "user", "content": "I live in Lisbon."}, {"role": "assistant", "content": "Lovely!\u2028"}]
    lines = "\n".join(json.dumps(message, ensure_ascii=False) for message in messages)
    (tmp_path / name).write_text(json.dumps(messages) if name == "chat.json" else lines, encoding="utf-8")
    added = cli.json("add", "--file", tmp_path / name, "--session", "monday")
    assert [message["role"] for message in added["messages"]] == ["user", "assistant"]
    assert cli.json("sessions", "show", "monday") == messages


@pytest.mark.parametrize("content", ['{"role": "user"', "3"])
def test_add_refuses_a_conversation_that_is_none(cli: Cli, tmp_path: Path, content: str) -> None:
    (tmp_path / "chat.json").write_text(content)
    cli("add", "--file", tmp_path / "chat.json")
    assert cli.code == 2


def test_add_refuses_words_and_a_file_together(cli: Cli, tmp_path: Path) -> None:
    cli("add", "hello", "--file", tmp_path / "none.txt")
    assert (cli.code, cli.err) == (2, "Error: give the words or --file, not both\n")


def test_add_takes_session_role_time_and_origin(cli: Cli) -> None:
    options = ["--session", "monday", "--role", "assistant", "--at", "2024-05-01", "--origin", "document"]
    message = cli.json("add", "Lisbon is sunny.", *options)["messages"][0]
    assert (message["session"], message["role"], message["origin"]) == ("monday", "assistant", "document")
    assert message["at"].startswith("2024-05-01")


def test_remember_takes_a_key_and_a_value(cli: Cli) -> None:
    assert "remembered: prefers window seats" in cli("remember", "seat preference", "window")
    assert cli("recall", "seat preference") == "window\n"


def test_remember_takes_a_list_and_a_number(cli: Cli) -> None:
    cli("remember", "allergy", '["nuts", "kiwi"]')
    assert cli("remember", "age", "31").startswith("remembered: is 31 years old")
    found = cli("facts")
    assert "nuts" in found
    assert "kiwi" in found


def test_remember_takes_a_sentence_and_pins_it(cli: Cli) -> None:
    assert "pinned: is allergic to nuts" in cli("remember", "allergic to nuts", "--pinned")
    assert "allergic to nuts" in cli("context")


def test_forget_ends_and_undo_brings_back(told: Cli) -> None:
    assert "ended: prefers window seats" in told("forget", "seat preference", "--why", "asked to")
    told("recall", "seat preference")
    assert told.code == 4
    assert "undone: prefers window seats" in told("undo")
    assert told("recall", "seat preference") == "window\n"


def test_undo_takes_the_id_of_a_change(told: Cli) -> None:
    change = told.json("forget", "seat preference")[0]
    assert told.json("undo", change["id"])[0]["undoes"] == change["group"]


def test_correct_retires_the_wrong_value(told: Cli) -> None:
    assert "corrected: prefers aisle seats" in told("correct", "seat preference", "aisle")
    assert "never so" in told("history", "seat preference")


def test_pin_and_unpin_say_so(told: Cli) -> None:
    assert told("pin", "seat preference") == "pinned: prefers window seats\n"
    assert "window" in told("context")
    assert told("unpin", "seat preference") == "unpinned: prefers window seats\n"
