"""Hooks of coding agents: what is known goes in, what was said is kept once, and nothing ever holds the agent up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory
from recollect.cli.hooks import parse_command
from recollect.cli.settings import Settings

from .conftest import Cli, Start


class Agent:
    """A coding agent with a transcript, which calls hooks as Claude Code does."""

    def __init__(self, cli: Cli, folder: Path, session: str = "s1") -> None:
        self.cli, self.session = cli, session
        self.folder = folder / "lamp-shop"
        self.transcript = folder / f"{session}.jsonl"

    def write(self, *entries: dict[str, Any]) -> None:
        with self.transcript.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(entry) + "\n" for entry in entries)

    def say(self, words: str, role: str = "user", **more: Any) -> None:
        number = self.transcript.read_text().count("\n") if self.transcript.exists() else 0
        content = words if role == "user" else [{"type": "text", "text": words}]
        entry = {"type": role, "uuid": f"{self.session}-{number}", "message": {"role": role, "content": content}}
        self.write({**entry, **more})

    def hook(self, event: str, **given: Any) -> Any:
        data = {"session_id": self.session, "transcript_path": str(self.transcript), "cwd": str(self.folder)}
        answer = self.cli("hook", event, given=json.dumps({**data, "hook_event_name": event, **given}))
        return json.loads(answer)["hookSpecificOutput"] if answer else None

    def kept(self) -> list[str]:
        with Memory(self.cli.db) as memory:
            return [str(one["content"]) for one in memory.session(f"lamp-shop/{self.session}").messages()]


@pytest.fixture
def agent(cli: Cli, tmp_path: Path) -> Agent:
    return Agent(cli, tmp_path)


def test_a_turn_is_kept_at_stop_with_its_facts(agent: Agent) -> None:
    agent.say("I live in Porto and my editor is Helix.")
    agent.say("Noted.", "assistant")
    assert agent.hook("Stop") is None
    assert agent.kept() == ["I live in Porto and my editor is Helix.", "Noted."]
    with Memory(agent.cli.db) as memory:
        assert memory.recall("home") == "Porto"


def test_a_turn_is_kept_once_however_many_hooks_run(agent: Agent) -> None:
    agent.say("I live in Porto.")
    for event in ("Stop", "Stop", "PreCompact", "SessionEnd"):
        agent.hook(event)
    agent.say("I like tea.")
    agent.hook("PreCompact", trigger="auto")
    assert agent.kept() == ["I live in Porto.", "I like tea."]


def test_tools_thoughts_and_machinery_are_not_what_was_said(agent: Agent) -> None:
    agent.say("I live in Porto. <system-reminder>You live in Rome.</system-reminder>")
    result = {"type": "tool_result", "content": "My name is Mallory."}
    agent.write({"type": "user", "uuid": "t", "message": {"role": "user", "content": [result]}})
    agent.say("My name is Meta.", isMeta=True)
    agent.say("My name is Side.", isSidechain=True)
    agent.say("<command-name>/clear</command-name>")
    thought = {"type": "thinking", "thinking": "hm"}
    agent.write({"type": "assistant", "uuid": "h", "message": {"role": "assistant", "content": [thought]}})
    agent.write({"type": "summary", "summary": "x"})
    with agent.transcript.open("a") as file:
        file.write('{"type": "user", "uuid": "half')
    agent.hook("Stop")
    assert agent.kept() == ["I live in Porto."]


def test_a_codex_transcript_is_read_too(agent: Agent) -> None:
    content = [{"type": "input_text", "text": "I live in Porto."}]
    agent.write({"type": "session_meta", "payload": {"id": "x"}})
    agent.write({"type": "response_item", "payload": {"type": "message", "role": "user", "content": content}})
    agent.hook("stop")
    agent.hook("stop")
    assert agent.kept() == ["I live in Porto."]


def test_a_prompt_gets_what_it_needs_as_data(agent: Agent, tmp_path: Path) -> None:
    agent.say("My editor is Helix.")
    agent.hook("Stop")
    later = Agent(agent.cli, tmp_path, "s2")
    answer = later.hook("UserPromptSubmit", prompt="Which editor do I use?")
    assert answer["hookEventName"] == "UserPromptSubmit"
    assert "editor is Helix" in answer["additionalContext"]
    assert answer["additionalContext"].startswith("<recollect-memory mark=")


def test_a_prompt_that_needs_nothing_gets_nothing(agent: Agent) -> None:
    agent.say("My editor is Helix.")
    agent.hook("Stop")
    assert agent.hook("UserPromptSubmit", prompt="What is quantum chromodynamics?") is None
    assert agent.hook("UserPromptSubmit", prompt="  ") is None


def test_words_of_this_conversation_are_not_injected_again(agent: Agent, tmp_path: Path) -> None:
    agent.say("Hmm, zanzibar barrels again?")
    agent.hook("Stop")
    prompt = "Hmm, zanzibar barrels again?"
    assert agent.hook("UserPromptSubmit", prompt=prompt) is None
    assert Agent(agent.cli, tmp_path, "s2").hook("UserPromptSubmit", prompt=prompt) is not None


def test_a_session_starts_with_core_and_where_the_project_left_off(agent: Agent, tmp_path: Path) -> None:
    agent.cli("remember", "name", "Ana")
    agent.cli("pin", "name")
    agent.say("My editor is Helix.")
    agent.hook("Stop")
    elsewhere = Agent(agent.cli, tmp_path, "s9")
    elsewhere.folder = tmp_path / "other-project"
    text = Agent(agent.cli, tmp_path, "s2").hook("SessionStart", source="startup")["additionalContext"]
    assert "name is Ana" in text
    assert "editor is Helix" in text
    assert "Helix" not in elsewhere.hook("SessionStart", source="startup")["additionalContext"]


def test_after_a_compaction_the_session_goes_on_with_its_own_brief(agent: Agent) -> None:
    agent.say("My editor is Helix.")
    agent.hook("PreCompact", trigger="auto")
    assert "editor is Helix" in agent.hook("SessionStart", source="compact")["additionalContext"]


def test_injected_text_is_not_kept_as_said(agent: Agent, tmp_path: Path) -> None:
    agent.say("My editor is Helix.")
    agent.hook("Stop")
    later = Agent(agent.cli, tmp_path, "s2")
    block = later.hook("UserPromptSubmit", prompt="Which editor do I use?")["additionalContext"]
    later.say(f"Thanks! {block}")
    later.hook("Stop")
    with Memory(agent.cli.db) as memory:
        assert [fact.confirmations for fact in memory.facts(attribute="editor")] == [0]


def test_an_agent_without_a_transcript_is_served_from_its_hooks_alone(agent: Agent) -> None:
    agent.hook("beforeSubmitPrompt", prompt="I live in Porto.", transcript_path=None)
    agent.hook("stop", last_assistant_message="Noted.", transcript_path=None)
    assert agent.kept() == ["I live in Porto.", "Noted."]


def test_cursor_is_answered_in_its_own_shape(cli: Cli) -> None:
    def hook(event: str, conversation: str, **more: str) -> Any:
        given = {"conversation_id": conversation, "workspace_roots": ["/code/lamp-shop", "/code/other"]}
        answer = cli("hook", event, given=json.dumps({**given, "hook_event_name": event, **more}))
        return json.loads(answer) if answer else None

    assert hook("beforeSubmitPrompt", "c1", prompt="My editor is Helix.") is None
    assert hook("stop", "c1", status="completed") is None
    began, asked = hook("sessionStart", "c2"), hook("beforeSubmitPrompt", "c2", prompt="Which editor do I use?")
    assert set(began) == {"additional_context"}
    assert set(asked) == {"additional_context", "continue"}
    assert asked["continue"] is True
    assert all("editor is Helix" in answer["additional_context"] for answer in (began, asked))
    with Memory(cli.db) as memory:
        assert {info.session for info in memory.sessions()} == {"lamp-shop/c1", "lamp-shop/c2"}


def test_a_large_memory_injects_no_more_than_a_prompt_can_bear(agent: Agent, tmp_path: Path) -> None:
    for number in range(30):
        agent.say(f"Note {number} about the brochure: {'warm paper, calm cover, ' * 20}")
    agent.hook("Stop")
    later = Agent(agent.cli, tmp_path, "s2")
    assert len(later.hook("UserPromptSubmit", prompt="the brochure: warm paper")["additionalContext"]) < 3_000
    assert len(later.hook("SessionStart", source="startup")["additionalContext"]) < 7_000


@pytest.mark.parametrize("given", ["", "{", "[1]", '{"transcript_path": "/nowhere/x.jsonl"}', "\x00"])
@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit", "Stop", "NoSuchEvent"])
def test_a_hook_never_blocks_the_agent(cli: Cli, event: str, given: str) -> None:
    cli("hook", event, given=given)
    assert cli.code in (0, 1)
    assert cli.code == 0 or cli.err.startswith("Error: ")


def test_a_hook_without_an_event_does_not_block_the_agent_either(start: Start) -> None:
    hook = start("hook")
    out, err = hook.communicate(b"{}")
    assert (out, hook.returncode) == (b"", 1)
    assert b"use one of" in err


@pytest.mark.parametrize(
    "line", [["hook", "Stop", "--db", ""], ["hook", "Stop", "more"], ["hook"], ["facts"], ["hook", "--help"], ["--db"]]
)
def test_a_command_line_that_is_not_just_a_hook_is_left_to_the_others(line: list[str]) -> None:
    assert parse_command(line) is None


def test_a_hook_takes_its_options_before_it_and_after_it() -> None:
    wanted = Settings("ana", "a.db"), "Stop"
    assert parse_command(["-o", "ana", "--db", "a.db", "hook", "Stop"]) == wanted
    assert parse_command(["hook", "--owner", "ana", "Stop", "--db", "a.db"]) == wanted


def test_a_hook_in_a_process_of_its_own_speaks_only_json(start: Start, told: Cli) -> None:
    hook = start("hook", "UserPromptSubmit")
    given = {"session_id": "s", "cwd": "/x", "prompt": "Where do I live?", "transcript_path": "/x"}
    out, err = hook.communicate(json.dumps(given).encode())
    assert "lives in Lisbon" in json.loads(out)["hookSpecificOutput"]["additionalContext"]
    assert err == b""
