"""The command that connects a coding agent with this memory, and disconnects it again."""

from __future__ import annotations

import difflib
import itertools
import json
import os
import re
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from recollect.cli.agents import environment, own_command, server_entry
from recollect.cli.command import SERVE, Db, Owner, app, reporting
from recollect.cli.output import aside
from recollect.cli.settings import Settings
from recollect.errors import InvalidInput

EVENTS = ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact")
SECONDS = 10
"""How long the agent waits for a hook at most; it takes far less than one."""


@dataclass(frozen=True)
class Edit:
    """A file as it is and as it will be; None: there is none."""

    path: Path
    before: str | None
    after: str | None


@app.command(rich_help_panel=SERVE)
def install(
    ctx: typer.Context,
    client: Annotated[str, typer.Argument(help="The agent: claude-code.")],
    project: Annotated[bool, typer.Option("--project", help="For the current folder only.")] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Take it out again.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    owner: Owner = None,
    db: Db = None,
) -> None:
    """Connect a coding agent: its hooks and its MCP server. Shows what will change first."""
    settings: Settings = ctx.obj.over(owner, db, False)
    with reporting(as_json=False):
        if client != "claude-code":
            raise InvalidInput(f"{client!r} cannot be connected by this command: `recollect mcp --print-config` can")
        edits = [edit for edit in planned(settings, project=project, undo=undo) if edit.before != edit.after]
        if not edits:
            aside("Nothing is to be changed.")
            return
        for edit in edits:
            typer.echo(difference(edit), nl=False)
        if not yes:
            confirm()
        for edit in edits:
            write(edit)
        back = "" if undo else " `recollect install claude-code --undo` takes it out again."
        aside(f"Done. Start the agent anew.{back}")


def planned(settings: Settings, *, project: bool, undo: bool) -> list[Edit]:
    """The files that say what Claude Code runs: its settings for the hooks, its state for MCP servers."""
    home = Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude")
    state = home / ".claude.json" if os.environ.get("CLAUDE_CONFIG_DIR") else Path.home() / ".claude.json"
    hooks = Path(".claude/settings.local.json") if project else home / "settings.json"
    place = ["projects", str(Path.cwd())] if project else []
    entry = None if undo else server_entry(settings)
    return [
        edited(hooks.absolute(), lambda content: with_hooks(content, None if undo else hook_command(settings))),
        edited(state, lambda content: with_server(content, place, entry)),
    ]


def edited(path: Path, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Edit:
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
        return Edit(path, before, before)
    return Edit(path, before, style_of(before, content)(after) if after else None)


def style_of(text: str | None, content: dict[str, Any]) -> Callable[[dict[str, Any]], str]:
    """Writes JSON as this text is written, so that only what is ours changes and --undo puts every byte back."""
    usual = partial(written, indent=2, separators=None, ascii_only=False, end="\n", line="\n")
    if not text:
        return usual
    found = re.search(r"\{\s*\n([ \t]+)", text)
    line, end = "\r\n" if "\r\n" in text else "\n", text[len(text.rstrip()) :]
    tries = itertools.product((found[1] if found else 2, None), (None, (",", ":")), (False, True))
    styles = [
        partial(written, indent=indent, separators=separators, ascii_only=ascii_only, end=end, line=line)
        for indent, separators, ascii_only in tries
    ]
    return next((style for style in styles if style(content) == text), styles[0])


def written(
    content: dict[str, Any],
    *,
    indent: str | int | None,
    separators: tuple[str, str] | None,
    ascii_only: bool,
    end: str,
    line: str,
) -> str:
    text = json.dumps(content, indent=indent, separators=separators, ensure_ascii=ascii_only)
    return text.replace("\n", line) + end


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
    for event in EVENTS if command else ():
        line = shlex.join([*(command or ()), event])
        ours = {"hooks": [{"type": "command", "command": line, "timeout": SECONDS}]}
        hooks[event] = [*hooks.get(event, []), ours]
    hooks = {event: groups for event, groups in hooks.items() if groups or present.get(event) == []}
    if hooks or content.get("hooks") == {}:
        return {**content, "hooks": hooks}
    return {name: value for name, value in content.items() if name != "hooks"}


def is_ours(group: Any) -> bool:
    """Whether this group of hooks is one that we made: a single command that runs `recollect … hook …`."""
    commands = [str(one.get("command", "")) for one in group.get("hooks", [])] if isinstance(group, dict) else []
    return len(commands) == 1 and re.search(r"\brecollect\b.* hook \w+$", commands[0]) is not None


def with_server(content: dict[str, Any], place: list[str], entry: dict[str, Any] | None) -> dict[str, Any]:
    """The state with our server, or without it, at that place in it; what becomes empty by that goes too."""
    if place:
        inner = with_server(content.get(place[0], {}), place[1:], entry)
        changed = {**content, place[0]: inner}
        return changed if inner else {name: value for name, value in content.items() if name != place[0]}
    servers = {name: value for name, value in content.get("mcpServers", {}).items() if name != "recollect"}
    servers |= {"recollect": entry} if entry else {}
    if servers or content.get("mcpServers") == {}:
        return {**content, "mcpServers": servers}
    return {name: value for name, value in content.items() if name != "mcpServers"}


def difference(edit: Edit) -> str:
    """What changes in a file, as a patch."""
    old, new = (edit.before or "").splitlines(keepends=True), (edit.after or "").splitlines(keepends=True)
    lines = difflib.unified_diff(old, new, str(edit.path), str(edit.path) if edit.after else "(removed)")
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines)


def confirm() -> None:
    """Go on only when a person says so."""
    if not sys.stdin.isatty():
        raise InvalidInput("nothing was changed: pass --yes where nobody can be asked")
    if not typer.confirm("Change these files?", err=True):
        aside("Nothing was changed.")
        raise typer.Exit(1)


def write(edit: Edit) -> None:
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
