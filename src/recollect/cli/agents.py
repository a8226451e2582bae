"""Commands that agents run: mcp, hook."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from recollect.cli import hooks
from recollect.cli.command import SERVE, Db, Owner, app, reporting
from recollect.cli.settings import Settings
from recollect.errors import InvalidInput

PARTS = ("RECOLLECT_EMBEDDER", "RECOLLECT_READER", "RECOLLECT_CAUTIOUS", "RECOLLECT_FOLLOW")
"""What else the environment says of a memory."""


def own_command() -> list[str]:
    """How this program is called, whatever the other program's search path is."""
    installed = shutil.which("recollect")
    return [installed] if installed else [sys.executable, "-m", "recollect"]


def environment(settings: Settings) -> dict[str, str]:
    """The settings as variables, so that a process that another program starts finds the same memory."""
    owner = settings.owner or os.environ.get("RECOLLECT_OWNER")
    place = settings.db or os.environ.get("RECOLLECT_DB")
    found = {"RECOLLECT_OWNER": owner, "RECOLLECT_DB": place and placed(place)}
    found |= {name: os.environ.get(name) for name in PARTS}
    return {name: value for name, value in found.items() if value}


def placed(place: str) -> str:
    """A path that means the same from every working directory; a URL is left as it is."""
    return place if "://" in place else str(Path(place).absolute())


def server_entry(settings: Settings) -> dict[str, Any]:
    """How a client starts the server."""
    command = [*own_command(), "mcp"]
    entry: dict[str, Any] = {"command": command[0], "args": command[1:]}
    return {**entry, "env": environment(settings)} if environment(settings) else entry


def json_config(settings: Settings) -> str:
    return json.dumps({"mcpServers": {"recollect": server_entry(settings)}}, indent=2, ensure_ascii=False)


def toml_config(settings: Settings) -> str:
    """The same in TOML, whose strings are written as JSON's are."""
    entry = server_entry(settings)
    lines = [
        "[mcp_servers.recollect]",
        f"command = {json.dumps(entry['command'])}",
        f"args = {json.dumps(entry['args'])}",
    ]
    if "env" in entry:
        lines += ["", "[mcp_servers.recollect.env]"]
        lines += [f"{name} = {json.dumps(value)}" for name, value in entry["env"].items()]
    return "\n".join(lines)


CLIENTS: Mapping[str, tuple[str, Callable[[Settings], str]]] = {
    "claude-code": (".mcp.json of a project, or ~/.claude.json for all of them", json_config),
    "claude-desktop": ("claude_desktop_config.json (Settings, Developer, Edit Config)", json_config),
    "cursor": ("~/.cursor/mcp.json, or .cursor/mcp.json of a project", json_config),
    "codex": ("~/.codex/config.toml", toml_config),
}


@app.command(rich_help_panel=SERVE)
def mcp(
    ctx: typer.Context,
    print_config: Annotated[
        str | None,
        typer.Option("--print-config", metavar="CLIENT", help=f"Print what to put where: {', '.join(CLIENTS)}."),
    ] = None,
    owner: Owner = None,
    db: Db = None,
) -> None:
    """Serve this memory to an agent on stdin and stdout (MCP)."""
    settings: Settings = ctx.obj.over(owner, db, False)
    with reporting(as_json=False):
        if print_config is not None:
            show_config(print_config, settings)
            return
        from recollect.server.mcp import run_stdio

        with settings.open() as memory:
            run_stdio(memory)


def show_config(client: str, settings: Settings) -> None:
    """Print a client's configuration on stdout, and where it belongs on stderr."""
    if client not in CLIENTS:
        raise InvalidInput(f"there is no configuration for {client!r}: choose one of {', '.join(CLIENTS)}")
    place, config = CLIENTS[client]
    typer.echo(f"Put this into {place}:", err=True)
    typer.echo(config(settings))


@app.command(rich_help_panel=SERVE)
def hook(
    ctx: typer.Context,
    event: Annotated[
        str,
        # Not required here: typer would end with 2, which holds an agent up.
        typer.Argument(help="SessionStart, UserPromptSubmit, Stop, PreCompact or SessionEnd.", show_default=False),
    ] = "",
    owner: Owner = None,
    db: Db = None,
) -> None:
    """Answer a coding agent's hook: its JSON on stdin, ours on stdout."""
    raise typer.Exit(hooks.run(ctx.obj.over(owner, db, False), event))
