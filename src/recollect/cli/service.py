"""Commands of the service: serve, and those about its keys."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recollect import Memory
from recollect.cli import output, show
from recollect.cli.command import SERVE, app, bare_command, command, group
from recollect.cli.output import table, words
from recollect.cli.settings import Settings
from recollect.errors import MissingDependency
from recollect.server.keys import EVERYONE, Key, Keys, beside

if TYPE_CHECKING:
    from rich.console import RenderableType


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


@bare_command(app, panel=SERVE)
def serve(
    settings: Settings,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen; loopback unless told otherwise.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes one that is free.")] = 8765,
    host_name: Annotated[
        list[str] | None, typer.Option("--host-name", metavar="NAME", help="A name it is reached by, beside localhost.")
    ] = None,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option("--trusted-proxy", metavar="ADDRESS", help="A proxy, or a network of them, to believe who asks."),
    ] = None,
) -> None:
    """Serve REST under /v1, MCP under /mcp and the inspector at /, for those who have a key."""
    with settings.open() as memory:
        try:
            from recollect.server import Limits
            from recollect.server.app import create_app
            from recollect.server.http_server import listen, run
        except ModuleNotFoundError as error:
            raise MissingDependency(f"{error.name} is not installed: pip install 'recollect[server]'") from error
        keys, limits, hosts = keys_of(memory), Limits(), [host, *(host_name or [])]
        application = create_app(memory, keys, limits=limits, hosts=hosts, trusted_proxies=trusted_proxy or [])
        with listen(host, port) as listening:
            address, bound = listening.getsockname()[:2]
            url = f"http://[{host}]:{bound}" if ":" in host else f"http://{host}:{bound}"
            token = None if keys.list() else keys.make("first", [EVERYONE], ["read", "write", "admin"])[1]
            page = f"{url}/#key={token}" if token else f"{url}/"
            started = Started(url, page, token, ip_address(address).is_loopback)
            # The key is shown this once: whoever reads a log must not wait for it until the end.
            output.emit(started, service_lines, as_json=settings.as_json)
            run(application, listening, limits=limits)


def service_lines(started: Started) -> RenderableType:
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


def all_keys(memory: Memory) -> list[Key]:
    """List all keys, those that no longer stand too."""
    return keys_of(memory).list()


def key_table(found: list[Key]) -> RenderableType:
    """Keys as a table."""
    if not found:
        return words("No keys yet: recollect keys make NAME --for OWNER")
    rows, now = [], datetime.now(timezone.utc)
    for key in found:
        until = f"{key.expires:%Y-%m-%d}" if key.expires else ""
        state = "revoked" if key.revoked else until if key.stands(now) else f"expired {until}"
        rows.append((key.id, key.name, ", ".join(key.owners), ", ".join(key.rights), f"{key.made:%Y-%m-%d}", state))
    return table(("id", "name", "owners", "rights", "made", "until"), rows)


keys = group("keys", "Who may use the service, and for whose memory.", key_table, all_keys)


def key_lines(done: dict[str, Any]) -> RenderableType:
    """A key that was made, with its token, which is shown this once."""
    key: Key = done["key"]
    reach = f"{', '.join(key.rights)} for {', '.join(key.owners)}"
    return words(f"made: {key.id} ({reach}). It is shown this once:\n{done['token']}")


@command(keys, key_lines)
def make(
    memory: Memory,
    name: Annotated[str, typer.Argument(help="What it is for, such as the name of an agent.")],
    owners: Annotated[list[str], typer.Option("--for", metavar="OWNER", help="Whose memory; '*' is everyone's.")],
    rights: Annotated[str, typer.Option(metavar="LIST", help="Of read, write, admin, with commas.")] = "read,write",
    days: Annotated[float | None, typer.Option(help="How long it stands; without, until it is revoked.")] = None,
) -> dict[str, Any]:
    """Make a key and print it, this once."""
    expires = None if days is None else datetime.now(timezone.utc) + timedelta(days=min(days, 36_500))
    wanted = [right.strip() for right in rights.split(",") if right.strip()]
    key, token = keys_of(memory).make(name, owners, wanted, expires)
    return {"key": key, "token": token}


@command(keys, lambda key: show.outcome("revoked", f"{key.id} ({key.name})"))
def revoke(memory: Memory, key: Annotated[str, typer.Argument(help="The id of the key.")]) -> Key:
    """Make a key worthless, at once."""
    return keys_of(memory).revoke(key)
