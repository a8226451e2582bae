"""Commands of the service: serve, keys make, keys list, keys revoke."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from recollect import Memory
from recollect.cli import output, show
from recollect.cli.command import SERVE, Db, Json, Owner, app, command, group, reporting
from recollect.cli.output import table, words
from recollect.errors import MissingDependency
from recollect.server.keys import EVERYONE, Key, Keys, beside

if TYPE_CHECKING:
    from rich.console import RenderableType

PORT = 8765


@dataclass(frozen=True)
class Made:
    """A key that was made, with its token, which is shown this once."""

    key: Key
    token: str


@dataclass(frozen=True)
class Started:
    """A service that was started. `token`: of the key that was made at its first start. `local`: whether only this
    machine can reach it."""

    url: str
    page: str
    token: str | None
    local: bool


def keys_of(memory: Memory) -> Keys:
    """The keys of a store, in the file that RECOLLECT_KEYS names or beside the store."""
    named = os.environ.get("RECOLLECT_KEYS")
    return Keys(Path(named) if named else beside(memory.store.name))


@app.command(rich_help_panel=SERVE)
def serve(
    ctx: typer.Context,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen; loopback unless told otherwise.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes one that is free.")] = PORT,
    host_name: Annotated[
        list[str] | None, typer.Option("--host-name", metavar="NAME", help="A name it is reached by, beside localhost.")
    ] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option("--trusted-proxy", metavar="ADDRESS", help="A proxy, or a network of them, to believe who asks."),
    ] = None,
    owner: Owner = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Serve REST under /v1, MCP under /mcp and the inspector at /, for those who have a key."""
    settings = ctx.obj.over(owner, db, as_json)
    with reporting(as_json=settings.as_json), settings.open() as memory:
        start(memory, host, port, host_name or [], proxies=trusted_proxy or [], as_json=settings.as_json)


def start(memory: Memory, host: str, port: int, names: list[str], *, proxies: list[str], as_json: bool) -> None:
    """Listen, say where, and serve until stopped."""
    try:
        from recollect.server import Limits
        from recollect.server.app import create_app
        from recollect.server.http_server import listen, run
    except ModuleNotFoundError as error:
        raise MissingDependency(f"{error.name} is not installed: pip install 'recollect[server]'") from error
    keys, limits = keys_of(memory), Limits()
    application = create_app(memory, keys, limits=limits, hosts=[host, *names], trusted_proxies=proxies)
    with listen(host, port) as listening:
        shown = f"[{host}]" if ":" in host else host
        url = f"http://{shown}:{listening.getsockname()[1]}"
        token = None if keys.list() else keys.make("first", [EVERYONE], ["read", "write", "admin"])[1]
        local = ip_address(listening.getsockname()[0]).is_loopback
        started = Started(url, f"{url}/#key={token}" if token else f"{url}/", token, local)
        if as_json:
            output.put_json(started)
        else:
            output.put(told(started))
        sys.stdout.flush()  # The key is shown this once: whoever reads a log must not wait for it until the end.
        run(application, listening, limits=limits)


def told(started: Started) -> RenderableType:
    """Where the service is, and the key that is shown once."""
    lines = [f"Recollect serves on {started.url}"]
    if not started.local:
        lines += ["Other machines can reach it: put TLS before it, and name it with --host-name."]
    if started.token:
        lines += ["A key was made. It is shown this once:", f"  {started.token}"]
    lines += [f"Open {started.page}"]
    if not started.token:
        lines += ["It asks for a key. If you have none: recollect keys make NAME --for OWNER"]
    return words("\n".join(lines))


def listed(found: list[Key]) -> RenderableType:
    """Keys as a table."""
    if not found:
        return words("No keys yet: recollect keys make NAME --for OWNER")
    rows, now = table("id", "name", "owners", "rights", "made", "until"), datetime.now(timezone.utc)
    for key in found:
        until = f"{key.expires:%Y-%m-%d}" if key.expires else ""
        state = "revoked" if key.revoked else until if key.stands(now) else f"expired {until}"
        rows.add_row(key.id, key.name, ", ".join(key.owners), ", ".join(key.rights), f"{key.made:%Y-%m-%d}", state)
    return rows


def all_keys(memory: Memory) -> list[Key]:
    """List all keys, those that no longer stand too."""
    return keys_of(memory).list()


keys = group("keys", "Who may use the service, and for whose memory.", listed, all_keys)
command(keys, listed, name="list")(all_keys)


def shown_once(made: Made) -> RenderableType:
    reach = f"{', '.join(made.key.rights)} for {', '.join(made.key.owners)}"
    return words(f"made: {made.key.id} ({reach}). It is shown this once:\n{made.token}")


@command(keys, shown_once)
def make(
    memory: Memory,
    name: Annotated[str, typer.Argument(help="What it is for, such as the name of an agent.")],
    owners: Annotated[list[str], typer.Option("--for", metavar="OWNER", help="Whose memory; '*' is everyone's.")],
    rights: Annotated[str, typer.Option(metavar="LIST", help="Of read, write, admin, with commas.")] = "read,write",
    days: Annotated[float | None, typer.Option(help="How long it stands; without, until it is revoked.")] = None,
) -> Made:
    """Make a key and print it, this once."""
    expires = None if days is None else datetime.now(timezone.utc) + timedelta(days=min(days, 36_500))
    wanted = [right.strip() for right in rights.split(",") if right.strip()]
    return Made(*keys_of(memory).make(name, owners, wanted, expires))


def gone(key: Key) -> RenderableType:
    return show.outcome("revoked", f"{key.id} ({key.name})")


@command(keys, gone)
def revoke(memory: Memory, key: Annotated[str, typer.Argument(help="The id of the key.")]) -> Key:
    """Make a key worthless, at once."""
    return keys_of(memory).revoke(key)
