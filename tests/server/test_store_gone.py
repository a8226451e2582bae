"""A database that is gone, or does not answer any more: everyone is told so at once, and nothing about where it is."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from recollect import Memory
from tests.server.conftest import Running, serving
from tests.server.test_service import until
from tests.servers import Server, children_of
from tests.store.test_postgres_faults import server

__all__ = ["server"]

BASE = "/v1/owners/ana"
PATIENCE = 5
"""Seconds after which a request has hung; the service takes less than one, but this machine may be busy."""
CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
MCP = {**CALL, "params": {"name": "remember", "arguments": {"what": "home", "value": "Porto"}}}


@pytest.fixture
def running(tmp_path: Path, server: Server) -> Iterator[Running]:
    with serving(tmp_path, memory=Memory(server.url())) as up:
        up.memory.of("ana").remember("home", "Porto")
        yield up
        server.kill()  # so that what still waits for it ends


def asked(running: Running, method: str, path: str, *, patience: float = PATIENCE, **options: object) -> httpx.Response:
    headers = {"Authorization": f"Bearer {running.tokens['ana']}", "Accept": "application/json, text/event-stream"}
    with httpx.Client(base_url=running.url, headers=headers, timeout=patience) as client:
        return client.request(method, path, **options)  # type: ignore[arg-type]


def everything(running: Running) -> list[httpx.Response]:
    """One request of each kind, at the same time."""
    wanted = [
        ("GET", f"{BASE}/recall?key=home", None),
        ("POST", f"{BASE}/add", {"said": "I like tea."}),
        ("POST", f"{BASE}/remember", {"key": "colour", "value": "red"}),
        ("GET", f"{BASE}/export", None),
        ("GET", "/v1/owners", None),
        ("POST", "/mcp", MCP),
        ("GET", f"{BASE}/events", None),
        ("GET", "/ready", None),
    ]
    with ThreadPoolExecutor(len(wanted)) as threads:
        sent = [threads.submit(asked, running, method, path, json=body) for method, path, body in wanted]
        return [one.result() for one in sent]


def check_refusals(running: Running, server: Server, answers: list[httpx.Response]) -> None:
    assert [answer.status_code for answer in answers] == [503] * len(answers), [one.text for one in answers]
    for answer in answers:
        assert "try again" in answer.json()["detail"]
        assert not any(word in answer.text for word in (str(server.port), "127.0.0.1", "postgres", "psycopg", "select"))
    assert asked(running, "GET", "/health").status_code == 200


def test_a_stopped_server_is_told_at_once_and_forgotten_when_it_is_back(running: Running, server: Server) -> None:
    assert asked(running, "GET", "/ready").status_code == 200
    server.kill()
    for _ in range(3):
        check_refusals(running, server, everything(running))
    server.start()
    until(lambda: asked(running, "GET", "/ready").status_code == 200)
    until(lambda: asked(running, "GET", f"{BASE}/recall?key=home", patience=60).status_code == 200)
    assert asked(running, "GET", f"{BASE}/recall?key=home").json() == {"value": "Porto"}


def test_a_server_that_does_not_answer_is_not_waited_for(running: Running, server: Server) -> None:
    assert asked(running, "GET", "/ready").status_code == 200
    frozen = [server.process, *children_of(server.process)]
    for process in frozen:
        os.kill(process, signal.SIGSTOP)
    try:
        for _ in range(2):
            check_refusals(running, server, everything(running))
    finally:
        for process in frozen:
            os.kill(process, signal.SIGCONT)
    until(lambda: asked(running, "GET", "/ready").status_code == 200)
    until(lambda: asked(running, "GET", f"{BASE}/recall?key=home", patience=60).status_code == 200)


def test_a_write_that_the_database_went_away_under_is_done_once(running: Running, server: Server) -> None:
    once = {"headers": {"Idempotency-Key": "once"}, "json": {"key": "home", "value": "Oslo"}}
    server.kill()
    assert asked(running, "POST", f"{BASE}/remember", **once).status_code == 503
    server.start()
    until(lambda: asked(running, "POST", f"{BASE}/remember", patience=60, **once).status_code == 200)
    assert [fact.value for fact in running.memory.of("ana").history("home")] == ["Porto", "Oslo"]
    assert json.loads(asked(running, "POST", f"{BASE}/remember", **once).text)["value"] == "Oslo"


def test_a_slow_request_is_waited_for_while_the_database_answers(running: Running) -> None:
    body = {"key": "colour", "value": "red"}
    with ThreadPoolExecutor(1) as threads, running.memory.store.transaction("ana"):
        waiting = threads.submit(asked, running, "POST", f"{BASE}/remember", json=body, patience=60)
        time.sleep(1.5)
        assert not waiting.done()
        running.memory.of("ana").remember("shape", "round")
    assert waiting.result().status_code == 200
