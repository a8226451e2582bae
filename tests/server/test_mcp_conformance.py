"""The official conformance runner against our server, with the scenarios that need no fixture server. `make faults`."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from recollect import Memory
from recollect.server.app import create_app
from recollect.server.http_server import listen
from recollect.server.keys import Keys

SCENARIOS = (
    "server-initialize",
    "ping",
    "tools-list",
    "resources-list",
    "prompts-list",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
)
PACKAGES = ("node@22", "@modelcontextprotocol/conformance@0.1.16")


class WithKey:
    """Gives every request a key, since the runner cannot send one; the gate still checks it."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self.app, self.header = app, (b"authorization", f"Bearer {token}".encode())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope = {**scope, "headers": [*scope["headers"], self.header]}
        await self.app(scope, receive, send)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    keys = Keys(folder / "keys")
    _, token = keys.make("runner", ["ana"])
    listening = listen("127.0.0.1", 0)
    app = WithKey(create_app(Memory(folder / "m.db"), keys), token)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def runner() -> Iterator[Path]:
    if shutil.which("npm") is None:
        if os.environ.get("CI"):
            pytest.fail("the conformance runner needs Node: install nodejs and npm")
        pytest.skip("needs npm")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["npm", "install", "--silent", *PACKAGES], cwd=folder, check=True, timeout=280)
        yield Path(folder) / "node_modules"


@pytest.mark.slow
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_official_runner_finds_no_fault(scenario: str, runner: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "PATH": f"{runner / 'node' / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    with served(tmp_path) as url:
        command = [str(runner / ".bin" / "conformance"), "server", "--url", url, "--scenario", scenario]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
