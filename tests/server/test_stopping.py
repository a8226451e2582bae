"""A service in a process of its own, stopped and killed while it is written to: nothing acknowledged is lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

import recollect
from recollect import Memory
from recollect.records import Message

SOURCE = str(Path(recollect.__file__).parents[1])


@contextmanager
def service(db: Path) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    """`recollect serve` on a port that is free, and what it says of itself."""
    command = [sys.executable, "-m", "recollect", "--db", str(db), "--json", "serve", "--port", "0"]
    # Buffered, as it is for whoever reads a log: what is told at the start must come at the start.
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**buffered, "PYTHONPATH": SOURCE, "NO_COLOR": "1"}
    )
    try:
        assert process.stdout is not None
        said = ""
        while not said.rstrip().endswith("}"):
            line = process.stdout.readline()
            assert line, "the service ended before it began"
            said += line
        yield process, json.loads(said)
    finally:
        process.kill()
        process.wait()


class Teller(threading.Thread):
    """Adds one message after another until the service is gone; notes which were acknowledged."""

    def __init__(self, url: str, key: str, number: int) -> None:
        super().__init__()
        self.url, self.number = url, number
        self.headers = {"Authorization": f"Bearer {key}"}
        self.kept: list[str] = []
        self.enough = threading.Event()

    def run(self) -> None:
        with httpx.Client(base_url=self.url, headers=self.headers, timeout=60) as client:
            for step in range(10_000):
                said = f"I like dish {self.number} of {step}."
                try:
                    answer = client.post("/v1/owners/ana/add", json={"said": said})
                except httpx.TransportError:
                    break
                if answer.status_code != 200:
                    break
                self.kept.append(said)
                if step == 10:
                    self.enough.set()
        self.enough.set()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL], ids=lambda how: how.name)
def test_nothing_acknowledged_is_lost(how: signal.Signals, tmp_path: Path) -> None:
    with service(tmp_path / "memory.db") as (process, said):
        tellers = [Teller(said["url"], said["token"], number) for number in range(4)]
        for teller in tellers:
            teller.start()
        for teller in tellers:
            assert teller.enough.wait(60)
        process.send_signal(how)
        for teller in tellers:
            teller.join(60)
        assert process.wait(60) in (0, 130, -how)  # 130: interrupted, as shells say
    kept = {text for teller in tellers for text in teller.kept}
    assert len(kept) >= 44
    with Memory(tmp_path / "memory.db", owner="ana") as memory:
        assert kept <= {message.content for message in memory.store.read("ana", Message)}
        assert memory.store.check() == []


def test_an_open_stream_does_not_keep_it_from_stopping(tmp_path: Path) -> None:
    with service(tmp_path / "memory.db") as (process, said):
        headers = {"Authorization": f"Bearer {said['token']}"}
        with httpx.stream("GET", f"{said['url']}/v1/owners/ana/events", headers=headers) as stream:
            lines = stream.iter_lines()
            assert next(lines) == "event: hello"
            process.terminate()
            assert "".join(lines)  # it ends as a stream should: one that is cut off raises
        assert process.wait(60) in (0, -signal.SIGTERM)


def test_the_key_is_shown_at_the_first_start_only(tmp_path: Path) -> None:
    for first in (True, False):
        with service(tmp_path / "memory.db") as (_, said):
            assert (said["token"] is not None) == first
            assert httpx.get(f"{said['url']}/v1/owners").status_code == 401
    kept = tmp_path / "memory.db.keys"
    assert kept.stat().st_mode & 0o777 == 0o600
