"""Connections on which nothing, or too little, comes: they end, and never keep others out."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

import recollect
from recollect.server import Limits
from tests.server.conftest import serving
from tests.server.test_service import until

SOURCE = str(Path(recollect.__file__).parents[1])


def connected(url: str) -> socket.socket:
    place = urlsplit(url)
    return socket.create_connection((str(place.hostname), int(place.port or 0)), timeout=30)


def healthy(wire: socket.socket) -> bool:
    """Whether a request on this connection is answered; all of its answer is read."""
    host, port = wire.getpeername()
    wire.sendall(f"GET /health HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
    answer = b""
    while not answer.endswith(b"}"):
        answer += (part := wire.recv(1000))
        assert part, "the connection was closed"
    return b" 200 " in answer


def closed(wire: socket.socket) -> bool:
    """Whether the other side has ended the connection; waits until it does."""
    try:
        return wire.recv(1000) == b""
    except (ConnectionResetError, BrokenPipeError):
        return True


def dripped(wire: socket.socket, text: bytes) -> bool:
    """Whether the other side ended the connection while it got one letter at a time."""
    wire.settimeout(0.05)
    for letter in text:
        try:
            wire.sendall(bytes([letter]))
            if wire.recv(1000) == b"":
                return True
        except TimeoutError:
            continue
        except OSError:
            return True
    return False


def answers(url: str) -> bool:
    """Whether a new connection is served."""
    try:
        return httpx.get(f"{url}/health", timeout=20).status_code == 200
    except httpx.TransportError:
        return False


@contextmanager
def few_handles(folder: Path) -> Iterator[str]:
    """A service in a process that may open 256 files."""
    script = "import resource, sys; resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))\n"
    script += "from recollect.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", script, "--db", str(folder / "m.db"), "--json", "serve", "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": SOURCE})
    try:
        assert process.stdout is not None
        said = ""
        while not said.rstrip().endswith("}"):
            line = process.stdout.readline()
            assert line, "the service ended before it began"
            said += line
        told: dict[str, Any] = json.loads(said)
        yield str(told["url"])
    finally:
        process.kill()
        process.wait()


def test_connections_that_send_nothing_keep_nobody_out(tmp_path: Path) -> None:
    with few_handles(tmp_path) as url, ExitStack() as held:
        for _ in range(3):
            for _ in range(300):
                held.enter_context(connected(url))
            assert httpx.get(f"{url}/health", timeout=20).status_code == 200


def test_a_connection_on_which_nothing_comes_is_closed(tmp_path: Path) -> None:
    with serving(tmp_path, Limits(head_seconds=0.2)) as up, connected(up.url) as wire:
        assert closed(wire)


def test_a_head_that_comes_letter_by_letter_is_not_waited_for(tmp_path: Path) -> None:
    with serving(tmp_path, Limits(head_seconds=0.3)) as up, connected(up.url) as wire:
        assert dripped(wire, b"GET /health HTTP/1.1\r\n" + b"X-Slow: " + b"x" * 1000)


def test_a_second_head_has_the_same_bound(tmp_path: Path) -> None:
    with serving(tmp_path, Limits(head_seconds=0.3)) as up, connected(up.url) as wire:
        assert healthy(wire)
        assert dripped(wire, b"GET /health HTTP/1.1\r\n" + b"X-Slow: " + b"x" * 1000)


def test_a_connection_between_requests_is_kept_for_a_while_and_then_closed(tmp_path: Path) -> None:
    with serving(tmp_path, Limits(head_seconds=0.1, idle_seconds=1)) as up, connected(up.url) as wire:
        for _ in range(2):
            assert healthy(wire)
            time.sleep(0.3)  # longer than a head may take: it has not begun
        assert closed(wire)


def test_who_takes_no_answer_keeps_nobody_out(tmp_path: Path) -> None:
    with serving(tmp_path, Limits(connections=2, idle_seconds=1)) as up, ExitStack() as held:
        assert healthy(held.enter_context(connected(up.url)))
        for _ in range(2):
            wire = held.enter_context(connected(up.url))
            wire.sendall(f"GET /inspector/main.js HTTP/1.1\r\nHost: {urlsplit(up.url).netloc}\r\n\r\n".encode() * 1500)
        until(lambda: answers(up.url))


def test_the_longest_idle_is_closed_for_one_more(tmp_path: Path) -> None:
    with (
        serving(tmp_path, Limits(connections=2, head_seconds=60)) as up,
        up.client("ana") as client,
        ExitStack() as held,
    ):
        stream = held.enter_context(client.stream("GET", "/v1/owners/ana/events"))
        assert stream.status_code == 200  # under way, so that it is never the one
        first, second = (held.enter_context(connected(up.url)) for _ in range(2))
        assert closed(first)
        assert httpx.get(f"{up.url}/health").status_code == 200
        assert closed(second)
