"""Bounds of size and time, and what is true after one of them was met."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from recollect.server import Limits
from tests.server.conftest import Running, serving
from tests.server.test_service import BASE, events_of, held_up, post, until


def unfinished(running: Running, method: str, path: str) -> str:
    """The first line of the answer to a request whose body never comes."""
    place = urlsplit(running.url)
    head = [
        f"{method} {BASE}/{path} HTTP/1.1",
        f"Host: {place.netloc}",
        f"Authorization: Bearer {running.tokens['ana']}",
        "Content-Type: application/json",
        "Content-Length: 10",
    ]
    with socket.create_connection((str(place.hostname), int(place.port or 0)), timeout=30) as wire:
        wire.sendall(("\r\n".join(head) + "\r\n\r\n{").encode())
        return wire.makefile("rb").readline().decode().strip()


@pytest.mark.parametrize(("method", "path"), [("POST", "add"), ("PUT", "notes/memories/a.md"), ("POST", "import")])
def test_a_body_that_does_not_come_on_is_not_waited_for(tmp_path: Path, method: str, path: str) -> None:
    with serving(tmp_path, Limits(seconds=0.2)) as up:
        assert "408" in unfinished(up, method, path)
        assert httpx.get(f"{up.url}/ready").status_code == 200


def test_a_body_that_comes_letter_by_letter_is_not_waited_for(tmp_path: Path) -> None:
    def letters() -> Iterator[bytes]:
        for _ in range(20):
            yield b" "
            time.sleep(0.05)

    with serving(tmp_path, Limits(seconds=0.3)) as up, up.client() as client:
        answer = client.post(f"{BASE}/add", content=letters(), headers={"Content-Type": "application/json"})
        assert answer.status_code == 408


FIELDS = ",".join(f'"k{one}":0' for one in range(250_000))
BODIES = {"fields": f'{{"said":"x",{FIELDS}}}', "items": '{"adds":[' + ",".join(["{}"] * 1_000_000) + "]}"}


@pytest.mark.parametrize(("verb", "body"), [("add", "fields"), ("remember", "fields"), ("add/bulk", "items")])
def test_a_body_of_very_many_parts_is_refused_in_a_moment(tmp_path: Path, verb: str, body: str) -> None:
    with serving(tmp_path) as up, up.client() as client:
        began = time.process_time()  # of the service too, which runs in this process
        answer = client.post(f"{BASE}/{verb}", content=BODIES[body], headers={"Content-Type": "application/json"})
        assert answer.status_code == 422
        assert time.process_time() - began < 1.5


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("POST", "notes/import", 413), ("PUT", "notes/memories/import", 413), ("POST", "import", 200)],
)
def test_only_an_import_of_a_memory_may_be_large(tmp_path: Path, method: str, path: str, status: int) -> None:
    with serving(tmp_path, Limits(body_bytes=1000)) as up, up.client() as client:
        assert client.request(method, f"{BASE}/{path}", json={"text": "x" * 2000}).status_code == status


def test_an_import_may_take_longer_than_other_requests(tmp_path: Path) -> None:
    with held_up(tmp_path, Limits(seconds=1)) as (up, threads), up.client() as client:
        kind = {"Content-Type": "application/x-ndjson"}
        with up.memory.store.transaction("x"):
            sent = threads.submit(client.post, f"{BASE}/import", content=b'{"home": "Porto"}', headers=kind)
            until(lambda: up.service.pool.inside == 1)
            assert post(up, "remember", key="colour", value="red").status_code == 503
        assert sent.result().json() == {"new": 1}


def test_a_write_that_took_too_long_is_done_once(tmp_path: Path) -> None:
    once = {"Idempotency-Key": "late"}
    with held_up(tmp_path, Limits(seconds=0.2)) as (up, _):
        ana = up.memory.of("ana")
        for value in ("red", "green", "blue"):
            ana.remember("colour", value)
        with up.memory.store.transaction("x"):
            until(lambda: "may still be done" in post(up, "undo", headers=once).json()["detail"])
            assert "is still being done" in post(up, "undo", headers=once).json()["detail"]
        until(lambda: ana.recall("colour") == "green")
        until(lambda: post(up, "undo", headers=once).headers.get("idempotency-replayed") == "true")
        assert ana.recall("colour") == "green"


def test_a_write_that_failed_late_can_be_asked_for_anew(tmp_path: Path) -> None:
    once = {"Idempotency-Key": "late"}
    with held_up(tmp_path, Limits(seconds=0.2)) as (up, _):
        with up.memory.store.transaction("x"):
            until(lambda: "may still be done" in post(up, "pin", headers=once, what="colour").json()["detail"])
        until(lambda: post(up, "pin", headers=once, what="colour").status_code == 404)
        up.memory.of("ana").remember("colour", "red")
        assert post(up, "pin", headers=once, what="colour").json()["pinned"] is True


def test_a_stream_ends_with_its_key(running: Running) -> None:
    with running.client("reader") as client, client.stream("GET", f"{BASE}/events") as stream:
        events = events_of(stream.iter_lines())
        assert next(events)[0] == "hello"
        running.keys.revoke(next(key.id for key in running.keys.list() if key.name == "reader"))
        running.memory.of("ana").remember("colour", "red")
        list(events)
    until(lambda: running.service.events.many == 0)


def test_requests_of_mcp_have_the_same_bounds(tmp_path: Path) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    call["params"] = {"name": "remember", "arguments": {"what": "home", "value": "Porto"}}
    headers = {"Accept": "application/json, text/event-stream"}
    with held_up(tmp_path, Limits(per_key=1)) as (up, threads), up.client() as client:
        with up.memory.store.transaction("x"):
            first = threads.submit(client.post, "/mcp", json=call, headers=headers)
            until(lambda: up.service.pool.inside == 1)
            with up.client() as other:
                assert other.post("/mcp", json=call, headers=headers).status_code == 429
        assert "Porto" in json.dumps(first.result().json())
        until(lambda: up.service.pool.inside == 0)


def test_mcp_offers_no_stream_on_which_nothing_would_come(running: Running) -> None:
    with running.client() as client:
        answer = client.get("/mcp", headers={"Accept": "text/event-stream"})
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


def test_metrics_count_those_who_were_turned_away(running: Running) -> None:
    httpx.get(f"{running.url}/v1/owners")
    with running.client("root") as root:
        root.post(f"{BASE}/add", content=b"x", headers={"Content-Type": "text/plain"})
        page = root.get("/metrics").text
    assert 'recollect_refused_total{status="401"} 1' in page
    assert 'recollect_refused_total{status="415"} 1' in page
    assert "# TYPE recollect_adds_total counter" in page
