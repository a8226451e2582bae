"""`recollect chat` in real processes: kill it, start it, it knows you; with a model and without one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from pathlib import Path

import pytest

from recollect import Memory
from recollect.cli.chat import fact_sentence, question_in
from tests.cli.conftest import SOURCE, Cli
from tests.providers import Call, Fail, Say, Seen, Server, Step, environment


class Chat:
    """Starts `recollect chat` on one store, as often as it is asked to."""

    def __init__(self, folder: Path, **more: str) -> None:
        paths = os.pathsep.join([SOURCE, os.environ.get("PYTHONPATH", "")])
        self.env = {"PATH": os.environ["PATH"], "HOME": str(folder), "PYTHONPATH": paths, "PYTHONUTF8": "1", **more}
        self.command = [sys.executable, "-m", "recollect", "--db", str(folder / "memory.db"), "chat"]

    def __call__(self, *lines: str, options: tuple[str, ...] = ()) -> tuple[str, str]:
        """What it prints to these lines, and what beside it."""
        given = "".join(f"{line}\n" for line in lines)
        done = subprocess.run(
            [*self.command, *options], input=given, capture_output=True, text=True, env=self.env, timeout=60
        )
        assert done.returncode == 0, done.stderr
        return done.stdout, done.stderr

    def start(self) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        return subprocess.Popen(self.command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=self.env)


@pytest.fixture
def chat(tmp_path: Path) -> Chat:
    return Chat(tmp_path)


# Without a model


def test_killed_and_started_again_it_knows_you(chat: Chat) -> None:
    first = chat.start()
    assert first.stdin is not None
    assert first.stdout is not None
    first.stdin.write("I prefer window seats.\n")
    first.stdin.flush()
    assert first.stdout.readline() == "stored: prefers window seats\n"
    first.kill()
    first.communicate()
    out, _ = chat("Which seat do I prefer?")
    now = datetime.now(timezone.utc)
    assert out == f"You prefer window seats. You said so on {now.day} {now:%B}.\n"


def test_it_says_plainly_what_it_does_not_know(cli: Cli) -> None:
    out = cli("chat", given="I prefer window seats.\nWhat is my blood type?\nWhat is my blood type?\n")
    assert out.splitlines()[1:] == ["I do not know: you have not told me."] * 2


def test_a_question_asked_before_is_no_answer(cli: Cli) -> None:
    out = cli("chat", given="Where is the spare key of the summer house?\n" * 2)
    assert out.splitlines() == ["I do not know: you have not told me."] * 2


def test_words_without_facts_can_still_be_found(cli: Cli) -> None:
    out = cli("chat", given="Bouldering ate my evenings!\nWhat about bouldering?\n")
    assert "you said: “Bouldering ate my evenings!”" in out


def test_what_was_remembered_and_its_cost_stand_beside_the_answer(cli: Cli) -> None:
    cli("chat", given="I prefer window seats.\nWhich seat do I prefer?\n")
    beside = cli.err
    assert "no model: the memory itself answers; 0 facts known of 'me'" in beside
    assert "remembered: prefers window seats" in beside
    assert re.search(r"\d+ tokens; the whole history has \d+", beside)


def test_commands_show_explain_and_forget(cli: Cli) -> None:
    lines = (
        "I prefer window seats. I live in Porto.",
        "/facts",
        "/facts seat",
        "/why seat preference",
        "/why which seat do I like",
        "/context which seat",
        "/forget seat preference",
        "/forget the town",
        "Which seat do I prefer?",
        "/why",
        "/nothing",
        "/help",
        "/quit",
        "I live in Rome.",
    )
    out = cli("chat", given="\n".join(lines))
    err = cli.err
    assert out.count("“prefers window seats” is known from the user") == 2
    assert "<recollect-memory" in out
    assert "ended: prefers window seats" in out
    assert "/forget WHAT" in out
    assert "Error: say what: /why WHAT" in err
    assert "there is no /nothing" in err
    assert "Rome" not in out


def test_a_conversation_goes_on_under_its_name(cli: Cli) -> None:
    for _ in range(2):
        cli("chat", "--session", "monday", given="Hello there, memory.\n")
    assert [one["messages"] for one in cli.json("sessions", "list")] == [2]


def test_it_is_not_for_programs(cli: Cli) -> None:
    assert "for people" in cli("chat", "--json")
    assert cli.code == 2
    cli("chat", "--budget", "0", given="")
    assert cli.code == 2


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I live in Porto.", "You live in Porto."),
        ("My name is Dana.", "Your name is Dana."),
        ("My diet is vegetarian.", "You are vegetarian."),
        ("I like cats.", "You like cats."),
        ("My sister is called Anna.", "Your sister is Anna."),
        ("My favorite color is blue.", "Your favorite color is blue."),
        ("I'm allergic to nuts.", "You are allergic to nuts."),
        ("My language is French.", "You speak French."),
        ("My car is a Volvo.", "You drive a Volvo."),
        ("I work as a nurse.", "You work as a nurse."),
    ],
)
def test_facts_are_said_to_their_owner(said: str, told: str) -> None:
    with Memory(":memory:", embedder=None) as memory:
        memory.add(said)
        assert fact_sentence(memory.facts()[0]) == told


def test_facts_about_others_keep_their_subject() -> None:
    with Memory(":memory:", embedder=None) as memory:
        memory.add("My sister lives in Berlin.")
        memory.remember("port", "8080", subject="Staging")
        told = {fact_sentence(fact) for fact in memory.facts()}
    assert "Your sister lives in Berlin." in told
    assert any("Staging" in one and "8080" in one for one in told)


@pytest.mark.parametrize("line", ["Where do I live?", "what's my name", "I moved. Where to?", "Do I like tea"])
def test_a_question_is_told_from_a_statement(line: str) -> None:
    assert question_in(line)
    assert question_in("I live in Porto.") is None


# With a model


@pytest.fixture
def scripted(tmp_path: Path) -> Iterator[tuple[Chat, Server]]:
    def script(seen: Seen) -> Step:
        if "name is" in seen.asked and seen.last["role"] == "user":
            return Call(("remember", {"key": "name", "value": "Alice"}))
        known = re.search(r"name is (\w+)", seen.system)
        return Say(f"You are {known[1]}." if known else "Nice to meet you.")

    with Server(script) as server:
        yield Chat(tmp_path, **environment(server)), server


def test_with_a_model_too_it_knows_you_the_next_time(scripted: tuple[Chat, Server]) -> None:
    chat, server = scripted
    out, beside = chat("My name is Alice.", options=("--model", "openai:any"))
    assert out == "Nice to meet you.\n"
    assert 'call     remember(key="name", value="Alice")' in beside
    chat.env["RECOLLECT_MODEL"] = "openai:other"
    out, beside = chat("Who am I?")
    assert out == "You are Alice.\n"
    assert "openai:other answers; 1 fact known" in beside
    assert "remembered: name is Alice" in beside
    assert re.search(r"\d+ tokens of memory; the whole history has \d+", beside)
    assert "the model read" in beside
    assert "name is Alice" in server.seen[-1].system


@pytest.fixture
def led(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[Server], Cli]:
    """The command line in this process, with its clients led to a server."""

    def lead(server: Server) -> Cli:
        for name, value in {**environment(server), "XDG_DATA_HOME": str(tmp_path)}.items():
            monkeypatch.setenv(name, value)
        return cli

    return lead


def test_a_model_that_fails_ends_nothing(led: Callable[[Server], Cli]) -> None:
    with Server(Fail(401), Say("Back again.")) as server:
        cli = led(server)
        assert cli("chat", "-m", "openai:any", given="I live in Porto.\nHello?\n") == "Back again.\n"
        assert "Error: openai:any failed (401)" in cli.err
        assert "test-key" not in cli.err
    assert cli("chat", given="Where do I live?\n").startswith("You live in Porto.")


def test_what_steers_a_terminal_is_not_printed(led: Callable[[Server], Cli]) -> None:
    with Server(Say("\x1b[2JHi\x07.")) as server:
        assert led(server)("chat", "-m", "openai:any", given="Hello.\n") == "[2JHi.\n"


def test_a_reader_is_taken_from_the_environment(led: Callable[[Server], Cli], monkeypatch: pytest.MonkeyPatch) -> None:
    facts = '{"facts": [{"message": 1, "quote": "Bouldering ate my evenings", "subject": "user", "attribute": "hobby", '
    facts += '"value": "bouldering", "kind": "state", "since": "", "until": "", "instead_of": ""}]}'
    monkeypatch.setenv("RECOLLECT_READER", "model:openai:any")
    with Server(Say(facts)) as server:
        cli = led(server)
        assert "bouldering" in cli("chat", given="Bouldering ate my evenings.\n")
        assert "1 today" in cli("stats")
        assert cli.json("facts", "--attribute", "hobby")[0]["value"] == "bouldering"
