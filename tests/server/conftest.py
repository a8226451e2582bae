"""A real uvicorn server on loopback over a real SQLite file, with keys of several rights."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from recollect import Memory
from recollect.server.app import create_app
from recollect.server.keys import Keys
from recollect.server.limits import Limits
from recollect.server.running import Server, listen


@dataclass(frozen=True)
class Running:
    """A server that runs, and what it runs on."""

    url: str
    memory: Memory
    keys: Keys
    server: Server
    tokens: dict[str, str]

    def client(self, who: str = "ana") -> httpx.Client:
        """An HTTP client with one of the keys."""
        return httpx.Client(base_url=self.url, headers={"Authorization": f"Bearer {self.tokens[who]}"}, timeout=30)


KEYS = {
    "ana": (["ana"], ["read", "write", "admin"]),
    "bob": (["bob"], ["read", "write", "admin"]),
    "reader": (["ana"], ["read"]),
    "writer": (["ana"], ["write"]),
    "root": (["*"], ["read", "write", "admin"]),
}


@contextmanager
def serving(folder: Path, limits: Limits | None = None, memory: Memory | None = None) -> Iterator[Running]:
    """A server for as long as this lasts."""
    limits = limits or Limits()
    keys = Keys(folder / "memory.db.keys")
    memory = memory or Memory(folder / "memory.db")
    tokens = {name: keys.make(name, owners, rights)[1] for name, (owners, rights) in KEYS.items()}
    listening = listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    server = Server(create_app(memory, keys, limits=limits), host="127.0.0.1", port=port, limits=limits)
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    url = f"http://127.0.0.1:{port}"
    try:
        wait_until_up(url, thread)
        yield Running(url, memory, keys, server, tokens)
    finally:
        server.should_exit = True
        thread.join()
        memory.close()


def wait_until_up(url: str, thread: threading.Thread) -> None:
    transport = httpx.HTTPTransport(retries=20)
    with httpx.Client(transport=transport) as client:
        for _ in range(200):
            try:
                if client.get(f"{url}/health").status_code == 200:
                    return
            except httpx.TransportError:
                assert thread.is_alive()
    raise AssertionError("the server did not come up")


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    with serving(tmp_path) as up:
        yield up


@pytest.fixture
def ana(running: Running) -> Iterator[httpx.Client]:
    with running.client("ana") as client:
        client.base_url = httpx.URL(f"{running.url}/v1/owners/ana/")
        yield client
