"""How the command behaves in a shell: options, exit codes, errors, pipes, colours, help."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from recollect import Memory
from recollect.cli import main
from recollect.cli.command import EXIT_CODES, PANELS
from tests.cli.conftest import SOURCE, Cli, Start, app

COMMANDS = (
    "demo add remember recall search facts history context forget correct settle pin unpin erase undo changes why "
    "sessions notes export import backup restore copy reembed store doctor stats owners graph version "
    "chat savings serve keys mcp hook install"
)
SPOKEN_BY_PROGRAMS = ("mcp", "hook", "install", "store")
"""What is no question of people's has no --json."""


@pytest.mark.parametrize(
    "line",
    [
        "--db {db} --owner ana --json facts",
        "facts --db {db} --owner ana --json",
        "--db {db} facts -o ana --json",
        "--json facts --db {db} -o ana",
        "--db nowhere.db -o bob facts --db {db} -o ana --json",
    ],
)
def test_options_stand_before_or_after_the_command(cli: Cli, line: str) -> None:
    cli("remember", "seat preference", "window", "--owner", "ana")
    result = CliRunner().invoke(app, line.format(db=cli.db).split())
    assert [fact["value"] for fact in json.loads(result.stdout)] == ["window"]


def test_options_stand_in_the_middle_too(cli: Cli) -> None:
    assert CliRunner().invoke(app, ["notes", "--db", str(cli.db), "--json", "list"]).stdout == "[]\n"


def test_the_environment_names_store_and_owner(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli("remember", "seat preference", "window", "--owner", "ana")
    monkeypatch.setenv("RECOLLECT_DB", str(cli.db))
    monkeypatch.setenv("RECOLLECT_OWNER", "ana")
    assert CliRunner().invoke(app, ["recall", "seat preference"]).stdout == "window\n"
    assert CliRunner().invoke(app, ["recall", "seat preference", "--owner", "bob"]).exit_code == 4


@pytest.mark.parametrize(("named", "used"), [("quick", "quick-1"), ("minilm", "minilm-3"), ("none", "none")])
def test_the_environment_names_the_embedder(told: Cli, named: str, used: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOLLECT_EMBEDDER", named)
    assert told.json("doctor")["health"]["embedder"].startswith(used)
    assert told.json("search", "Where do I live?")[0]["text"]


def test_vectors_are_made_with_the_embedder_that_commands_use(told: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECOLLECT_EMBEDDER", "minilm")
    told("reembed", "--drop-old")
    with Memory(told.db) as memory:
        assert [name.split("-")[0] for name in memory.store.counts("me").models] == ["minilm"]


def test_owners_do_not_see_each_other(told: Cli) -> None:
    assert told.json("facts", "--owner", "bob") == []


@pytest.mark.parametrize(
    ("arguments", "code", "kind"),
    [
        (["recall", "shoe size"], 4, "NotFound"),
        (["search", "x", "--limit", "0"], 2, "InvalidInput"),
        (["facts", "--owner", ""], 2, "InvalidInput"),
        (["facts", "--at", "the day of the purple moon"], 2, "InvalidInput"),
        (["facts", "--db", "{foreign}"], 6, "StoreError"),
        (["erase", "home"], 2, "InvalidInput"),
    ],
)
def test_errors_have_one_line_and_an_exit_code(
    cli: Cli, tmp_path: Path, arguments: list[str], code: int, kind: str
) -> None:
    (tmp_path / "foreign.txt").write_text("not a store " * 100)
    arguments = [part.format(foreign=tmp_path / "foreign.txt") for part in arguments]
    assert cli(*arguments) == ""
    assert cli.code == code
    assert cli.err.startswith("Error: ")
    assert cli.err.count("\n") == 1
    assert cli.json(*arguments)["error"]["type"] == kind
    assert (cli.code, cli.err) == (code, "")


def test_every_kind_of_error_has_its_exit_code() -> None:
    codes = {kind.__name__: code for kind, code in EXIT_CODES}
    assert codes == {
        "RecollectError": 1,
        "InvalidInput": 2,
        "NotFound": 4,
        "NotAllowed": 5,
        "StoreError": 6,
        "ModelError": 7,
        "MissingDependency": 8,
    }


def all_commands() -> list[tuple[str, Any]]:
    root: Any = typer.main.get_command(app)
    found: list[tuple[str, Any]] = []
    for name, command in root.commands.items():
        found.append((name, command))
        found += [(f"{name} {inner}", one) for inner, one in getattr(command, "commands", {}).items()]
    return found


def test_all_commands_are_there() -> None:
    names = [name for name, _ in all_commands()]
    assert sorted(name for name in names if " " not in name) == sorted(COMMANDS.split())
    assert {"sessions list", "sessions show", "sessions brief", "sessions summary"} <= set(names)
    inner = ["list", "read", "write", "delete", "pin", "unpin", "import", "export"]
    assert {f"notes {name}" for name in inner} <= set(names)


@pytest.mark.parametrize(("name", "command"), all_commands())
def test_every_command_and_option_has_help(name: str, command: Any) -> None:
    assert command.help, name
    silent = [one.name for one in command.params if not getattr(one, "help", None)]
    assert silent == []
    shown = CliRunner().invoke(app, [*name.split(), "--help"])
    assert shown.exit_code == 0
    assert "--json" in shown.stdout or name in SPOKEN_BY_PROGRAMS


def test_the_command_without_anything_shows_help() -> None:
    shown = CliRunner().invoke(app, []).output
    assert "Usage" in shown
    places = [shown.index(f"─ {panel} ─") for panel in PANELS]
    assert places == sorted(places)


def test_a_pipe_feeds_a_real_process(start: Start, cli: Cli) -> None:
    out, _ = start("add").communicate("I live in Łódź. 🙂".encode())
    assert "stored: lives in Łódź" in out.decode()
    assert cli("recall", "home") == "Łódź\n"


def test_output_survives_a_locale_without_unicode(start: Start, cli: Cli) -> None:
    cli("remember", "home", "Łódź")
    out, err = start("recall", "home", PYTHONIOENCODING="ascii", PYTHONUTF8="0").communicate()
    assert (out.strip(), err) == (rb"\u0141\xf3d\u017a", b"")
    out, _ = start("recall", "home", "--json", PYTHONIOENCODING="ascii", PYTHONUTF8="0").communicate()
    assert json.loads(out)["value"] == "Łódź"


def test_a_broken_pipe_is_quiet(start: Start, told: Cli) -> None:
    process = start("facts")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == 130
    process.stderr.close()


def test_an_interrupt_is_quiet(start: Start) -> None:
    # A shell lets what runs in the background ignore interrupts, and whatever that starts would ignore them too.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = start("add", "-")
    signal.signal(signal.SIGINT, before)
    wait_until_it_reads(process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, out, err) == (130, b"", b"")


def wait_until_it_reads(process: subprocess.Popen[bytes]) -> None:
    """Give a process the time to come as far as its input."""
    waiting = Path(f"/proc/{process.pid}/wchan")
    for _ in range(600):
        time.sleep(0.1)
        if waiting.exists() and "pipe" in waiting.read_text():
            return


def on_a_terminal(arguments: list[str], typed: str, **environment: str) -> tuple[int, str]:
    """Run the command on a terminal of its own, and type something."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(environment, PYTHONPATH=SOURCE, TERM="xterm-256color")
        os.execv(sys.executable, [sys.executable, "-m", "recollect", *arguments])
    os.write(terminal, typed.encode())
    shown = b""
    try:
        while part := os.read(terminal, 4096):
            shown += part
    except OSError:
        pass  # The terminal is gone when the process is.
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), shown.decode()


@pytest.mark.parametrize(("typed", "code", "left"), [("y\n", 0, 0), ("n\n", 1, 1)])
def test_erase_asks_on_a_terminal(told: Cli, typed: str, code: int, left: int) -> None:
    status, shown = on_a_terminal(["--db", str(told.db), "erase", "home"], typed)
    assert status == code
    assert "Erase 'home' of 'me' for good?" in shown
    assert len(told.json("facts", "--attribute", "home")) == left


def test_colours_are_for_terminals_only(told: Cli) -> None:
    assert "\x1b[" in on_a_terminal(["--db", str(told.db), "facts"], "")[1]
    assert "\x1b[" not in on_a_terminal(["--db", str(told.db), "facts"], "", NO_COLOR="1")[1]
    assert "\x1b" not in told("facts")


def test_a_progress_bar_leaves_nothing_behind_in_a_pipe(told: Cli, tmp_path: Path) -> None:
    told("export", tmp_path / "all.jsonl")
    told("import", tmp_path / "all.jsonl", "-o", "bob")
    assert told.err == ""
    arguments = ["--db", str(told.db), "-o", "carol", "import", str(tmp_path / "all.jsonl")]
    status, shown = on_a_terminal(arguments, "")
    assert (status, "imported: " in shown) == (0, True)


def test_main_runs_the_command_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["recollect", "--version"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("recollect ")
