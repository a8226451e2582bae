"""A real uvicorn server on loopback over a real SQLite file, with keys of several rights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from recollect import Memory
from recollect.server import Limits
from recollect.server.app import create_app
from recollect.server.http_server import serving as running_service
from recollect.server.keys import Keys
from recollect.server.routes import Service


@dataclass(frozen=True)
class Running:
    """A server that runs, and what it runs on."""

    url: str
    memory: Memory
    keys: Keys
    service: Service
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
def serving(
    folder: Path, limits: Limits | None = None, memory: Memory | None = None, *, proxies: Sequence[str] = ()
) -> Iterator[Running]:
    """A server for as long as this lasts."""
    keys = Keys(folder / "memory.db.keys")
    tokens = {name: keys.make(name, owners, rights)[1] for name, (owners, rights) in KEYS.items()}
    with memory or Memory(folder / "memory.db") as memory:
        app = create_app(memory, keys, limits=limits, trusted_proxies=proxies)
        with running_service(app) as url:
            yield Running(url, memory, keys, app.state.service, tokens)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    with serving(tmp_path) as up:
        yield up


@pytest.fixture
def ana(running: Running) -> Iterator[httpx.Client]:
    with running.client("ana") as client:
        client.base_url = httpx.URL(f"{running.url}/v1/owners/ana/")
        yield client
