"""Commands that connect agents with this memory, and that agents run: mcp, hook, install."""

from __future__ import annotations

import difflib
import json
import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from recollect.cli import hooks
from recollect.cli.command import SERVE, app, bare_command, confirm
from recollect.cli.options import Yes
from recollect.cli.output import aside
from recollect.cli.settings import Settings, is_url
from recollect.errors import InvalidInput


@dataclass(frozen=True)
class FileEdit:
    """A file as it is and as it will be; None: there is none."""

    path: Path
    before: str | None
    after: str | None


def own_command() -> list[str]:
    """How this program is called, whatever the other program's search path is."""
    installed = shutil.which("recollect")
    return [installed] if installed else [sys.executable, "-m", "recollect"]


def environment(settings: Settings) -> dict[str, str]:
    """The settings as variables, so that a process that another program starts finds the same memory: a path means the
    same from every working directory."""
    place = settings.db or os.environ.get("RECOLLECT_DB")
    found = {
        "RECOLLECT_OWNER": settings.owner or os.environ.get("RECOLLECT_OWNER"),
        "RECOLLECT_DB": str(Path(place).absolute()) if place and not is_url(place) else place,
    }
    others = ("RECOLLECT_EMBEDDER", "RECOLLECT_READER", "RECOLLECT_CAUTIOUS", "RECOLLECT_FOLLOW")
    found |= {name: os.environ.get(name) for name in others}
    return {name: value for name, value in found.items() if value}


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


@bare_command(app, panel=SERVE, has_json=False)
def mcp(
    settings: Settings,
    print_config: Annotated[
        str | None,
        typer.Option("--print-config", metavar="CLIENT", help=f"Print what to put where: {', '.join(CLIENTS)}."),
    ] = None,
) -> None:
    """Serve this memory to an agent on stdin and stdout (MCP)."""
    if print_config is None:
        from recollect.server.mcp import run_stdio

        with settings.open() as memory:
            run_stdio(memory)
        return
    if print_config not in CLIENTS:
        raise InvalidInput(f"there is no configuration for {print_config!r}: choose one of {', '.join(CLIENTS)}")
    place, config = CLIENTS[print_config]
    typer.echo(f"Put this into {place}:", err=True)
    typer.echo(config(settings))


@bare_command(app, panel=SERVE, has_json=False)
def hook(
    settings: Settings,
    event: Annotated[
        str,
        # Not required here: typer would end with 2, which holds an agent up.
        typer.Argument(help="SessionStart, UserPromptSubmit, Stop, PreCompact or SessionEnd.", show_default=False),
    ] = "",
) -> None:
    """Answer a coding agent's hook: its JSON on stdin, ours on stdout."""
    raise typer.Exit(hooks.run_hook(settings, event))


@bare_command(app, panel=SERVE, has_json=False)
def install(
    settings: Settings,
    client: Annotated[str, typer.Argument(help="The agent: claude-code.")],
    project: Annotated[bool, typer.Option("--project", help="For the current folder only.")] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Take it out again.")] = False,
    yes: Yes = False,
) -> None:
    """Connect a coding agent: its hooks and its MCP server. Shows what will change first."""
    if client != "claude-code":
        raise InvalidInput(f"{client!r} cannot be connected by this command: `recollect mcp --print-config` can")
    edits = [edit for edit in planned_edits(settings, project=project, undo=undo) if edit.before != edit.after]
    if not edits:
        aside("Nothing is to be changed.")
        return
    for edit in edits:
        typer.echo(difference(edit), nl=False)
    if not yes:
        unasked = "nothing was changed: pass --yes where nobody can be asked"
        confirm("Change these files?", unasked=unasked, refused="Nothing was changed.")
    for edit in edits:
        write_file(edit)
    back = "" if undo else " `recollect install claude-code --undo` takes it out again."
    aside(f"Done. Start the agent anew.{back}")


def planned_edits(settings: Settings, *, project: bool, undo: bool) -> list[FileEdit]:
    """The files that say what Claude Code runs: its settings for the hooks, its state for MCP servers."""
    home = Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude")
    state = home / ".claude.json" if os.environ.get("CLAUDE_CONFIG_DIR") else Path.home() / ".claude.json"
    hooks = Path(".claude/settings.local.json") if project else home / "settings.json"
    place = ["projects", str(Path.cwd())] if project else []
    entry = None if undo else server_entry(settings)
    return [
        file_edit(hooks.absolute(), lambda content: with_hooks(content, None if undo else hook_command(settings))),
        file_edit(state, lambda content: with_server(content, place, entry)),
    ]


def file_edit(path: Path, change: Callable[[dict[str, Any]], dict[str, Any]]) -> FileEdit:
    """What a change makes of a file; one that is not understood is not touched."""
    before = path.read_bytes().decode("utf-8", "surrogateescape") if path.exists() else None
    try:
        content = json.loads(before or "{}")
    except ValueError as error:
        raise InvalidInput(f"{str(path)!r} is not JSON ({error}): mend it first") from error
    if not isinstance(content, dict) or not isinstance(content.get("hooks", {}), dict):
        raise InvalidInput(f"{str(path)!r} is not as Claude Code writes it: mend it first")
    after = change(json.loads(json.dumps(content)))
    if after == content:
        return FileEdit(path, before, before)
    return FileEdit(path, before, style_of(before, content)(after) if after else None)


def style_of(text: str | None, content: dict[str, Any]) -> Callable[[dict[str, Any]], str]:
    """Writes JSON as this text is written, so that only what is ours changes and --undo puts every byte back."""
    text = text or "{}\n"
    line, end = "\r\n" if "\r\n" in text else "\n", text[len(text.rstrip()) :]
    found = re.search(r"\{\s*\n([ \t]+)", text)

    def written(changed: dict[str, Any], **style: Any) -> str:
        return json.dumps(changed, **style).replace("\n", line) + end

    styles = [
        partial(written, indent=indent, separators=separators, ensure_ascii=ascii_only)
        for indent in (found[1] if found else 2, None)
        for separators in (None, (",", ":"))
        for ascii_only in (False, True)
    ]
    return next((style for style in styles if style(content) == text), styles[0])


def hook_command(settings: Settings) -> list[str]:
    """The command of all hooks, but for the event."""
    given = environment(settings)
    options = ["--owner", given["RECOLLECT_OWNER"]] if "RECOLLECT_OWNER" in given else []
    options += ["--db", given["RECOLLECT_DB"]] if "RECOLLECT_DB" in given else []
    return [*own_command(), *options, "hook"]


def with_hooks(content: dict[str, Any], command: list[str] | None) -> dict[str, Any]:
    """The settings with our hooks, or without them when there is no command; those of others stay as they are."""
    present = content.get("hooks", {})
    hooks = {event: [group for group in groups if not is_ours(group)] for event, groups in present.items()}
    for event in ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact") if command else ():
        line = shlex.join([*(command or ()), event])
        # The agent waits so many seconds at most; a hook takes far less than one.
        ours = {"hooks": [{"type": "command", "command": line, "timeout": 10}]}
        hooks[event] = [*hooks.get(event, []), ours]
    hooks = {event: groups for event, groups in hooks.items() if groups or present.get(event) == []}
    return with_entry(content, "hooks", hooks)


def is_ours(group: Any) -> bool:
    """Whether this group of hooks is one that we made: a single command that runs `recollect … hook …`."""
    commands = [str(one.get("command", "")) for one in group.get("hooks", [])] if isinstance(group, dict) else []
    return len(commands) == 1 and re.search(r"\brecollect\b.* hook \w+$", commands[0]) is not None


def with_server(content: dict[str, Any], place: list[str], entry: dict[str, Any] | None) -> dict[str, Any]:
    """The state with our server, or without it, at that place in it; what becomes empty by that goes too."""
    if place:
        return with_entry(content, place[0], with_server(content.get(place[0], {}), place[1:], entry))
    servers = {name: value for name, value in content.get("mcpServers", {}).items() if name != "recollect"}
    return with_entry(content, "mcpServers", servers | ({"recollect": entry} if entry else {}))


def with_entry(content: dict[str, Any], name: str, value: dict[str, Any]) -> dict[str, Any]:
    """The content with a value under a name; an empty one goes, unless it was there before."""
    if value or content.get(name) == {}:
        return {**content, name: value}
    return {key: kept for key, kept in content.items() if key != name}


def difference(edit: FileEdit) -> str:
    """What changes in a file, as a patch."""
    old, new = (edit.before or "").splitlines(keepends=True), (edit.after or "").splitlines(keepends=True)
    lines = difflib.unified_diff(old, new, str(edit.path), str(edit.path) if edit.after else "(removed)")
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines)


def write_file(edit: FileEdit) -> None:
    """Put the file in place whole, or remove it when nothing is left in it. A link to it stays one."""
    path = edit.path.resolve()
    if edit.after is None:
        path.unlink()
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_bytes(edit.after.encode("utf-8", "surrogateescape"))
    if edit.before is not None:
        part.chmod(path.stat().st_mode)
    part.replace(path)
