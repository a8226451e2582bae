"""A write that is sent again, to this process or to another one: it is done once, and answered the same."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from recollect import Memory
from tests.server.conftest import Running, serving

BASE = "/v1/owners/ana"
ONCE = {"Idempotency-Key": "once"}
JSON = {"Content-Type": "application/json"}

Pair = tuple[Running, Running]


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "memory.db" if request.param == "sqlite" else request.getfixturevalue("postgres_url"))


@pytest.fixture
def two(where: str, tmp_path: Path) -> Iterator[Pair]:
    """Two services of one store and one file of keys, as two workers or a restart are."""
    with ExitStack() as stack:
        first = stack.enter_context(serving(tmp_path, memory=Memory(where)))
        second = stack.enter_context(serving(tmp_path, memory=Memory(where)))
        second.tokens.update(first.tokens)
        yield first, second


def send(running: Running, method: str, path: str, *, who: str = "ana", **options: Any) -> httpx.Response:
    with running.client(who) as client:
        return client.request(method, f"{BASE}/{path}", **{"headers": ONCE, **options})


def log_of(running: Running) -> list[str]:
    return [change.id for change in running.memory.of("ana").changes(limit=1000)]


def prepared(running: Running) -> None:
    """A memory with something of everything, and a dispute about a home."""
    ana = running.memory.of("ana")
    ana.remember("colour", "red")
    ana.remember("home", "Porto")
    ana.notes.write("/memories/a.md", "A note.")
    ana.remember("home", "Oslo", origin="assistant")


WRITES: dict[str, tuple[str, str, Any]] = {
    "add": ("POST", "add", {"said": "I like tea."}),
    "bulk": ("POST", "add/bulk", {"adds": [{"said": "I like tea."}, {"said": "I like rice."}]}),
    "session": ("POST", "sessions/monday/add", {"said": "I like tea."}),
    "remember": ("POST", "remember", {"key": "colour", "value": "blue"}),
    "forget": ("POST", "forget", {"what": "colour"}),
    "correct": ("POST", "correct", {"what": "colour", "value": "green"}),
    "pin": ("POST", "pin", {"what": "colour"}),
    "undo": ("POST", "undo", {}),
    "erase": ("POST", "erase", {"what": "colour"}),
    "settle": ("POST", "settle", {"what": "home", "holds": True}),
    "write a note": ("PUT", "notes/memories/b.md", {"text": "Another."}),
    "delete a note": ("DELETE", "notes/memories/a.md", None),
    "rename a note": ("POST", "notes/rename", {"old": "/memories/a.md", "new": "/memories/c.md"}),
    "pin a note": ("POST", "notes/pin", {"path": "/memories/a.md"}),
    "import notes": ("POST", "notes/import", {"notes": [{"path": "/memories/d.md", "text": "D"}]}),
    "tool": ("POST", "tools/call", {"name": "remember", "arguments": {"key": "car", "value": "Clio"}}),
    "import": ("POST", "import", {"car": "Clio"}),
}


@pytest.mark.parametrize("name", WRITES)
def test_a_write_that_reaches_another_process_is_done_once(two: Pair, name: str) -> None:
    first, second = two
    method, path, body = WRITES[name]
    prepared(first)
    answer = send(first, method, path, json=body)
    assert answer.status_code == 200, answer.text
    log = log_of(first)
    again = send(second, method, path, json=body)
    assert (again.status_code, again.headers["idempotency-replayed"]) == (200, "true")
    same = {key: answer.json()[key] for key in answer.json() if name != "erase" or key not in ("residue", "scanned")}
    assert {key: again.json()[key] for key in same} == same
    assert again.headers.get("etag") == answer.headers.get("etag")
    assert log_of(second) == log


def test_a_retry_does_not_put_an_old_value_back(two: Pair) -> None:
    first, second = two
    send(first, "POST", "remember", json={"key": "colour", "value": "red"})
    first.memory.of("ana").remember("colour", "blue")
    send(second, "POST", "remember", json={"key": "colour", "value": "red"})
    assert second.memory.of("ana").recall("colour") == "blue"


def test_the_same_key_with_another_body_is_refused_everywhere(two: Pair) -> None:
    first, second = two
    send(first, "POST", "remember", json={"key": "colour", "value": "red"})
    for running in two:
        assert send(running, "POST", "remember", json={"key": "colour", "value": "blue"}).status_code == 422
        assert send(running, "POST", "pin", json={"what": "colour"}).status_code == 422
    assert second.memory.of("ana").recall("colour") == "red"


def test_the_mark_of_another_key_is_another_mark(two: Pair) -> None:
    first, second = two
    send(first, "POST", "remember", json={"key": "colour", "value": "red"})
    again = send(second, "POST", "remember", who="root", json={"key": "colour", "value": "blue"})
    assert (again.status_code, "idempotency-replayed" in again.headers) == (200, False)


def test_two_processes_at_the_same_moment_do_it_once(two: Pair) -> None:
    first, _ = two
    first.memory.of("ana").remember("colour", "red")
    ready = threading.Barrier(8)

    def ask(place: int) -> httpx.Response:
        ready.wait()
        return send(two[place % 2], "POST", "correct", json={"what": "colour", "value": "green"})

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(ask, range(8)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert len(first.memory.of("ana").history("colour")) == 2


def test_what_failed_is_done_when_it_is_sent_again(two: Pair) -> None:
    first, second = two
    assert send(first, "POST", "pin", json={"what": "colour"}).status_code == 404
    first.memory.of("ana").remember("colour", "red")
    assert send(second, "POST", "pin", json={"what": "colour"}).json()["pinned"] is True


ERASES: list[Callable[[Memory], object]] = [lambda ana: ana.erase("secret"), lambda ana: ana.erase(everything=True)]


@pytest.mark.parametrize("erase", ERASES)
def test_no_answer_outlives_an_erase(tmp_path: Path, erase: Callable[[Memory], object]) -> None:
    with serving(tmp_path) as up:
        send(up, "POST", "remember", json={"key": "secret", "value": "xylophone-42"})
        erase(up.memory.of("ana"))
        up.memory.backup(tmp_path / "copy.db")
    for file in ("memory.db", "memory.db-wal", "copy.db"):
        assert not (tmp_path / file).exists() or b"xylophone-42" not in (tmp_path / file).read_bytes()


def test_the_receipt_of_an_erase_is_kept_without_the_name(tmp_path: Path) -> None:
    with serving(tmp_path) as up:
        up.memory.of("ana").add("My sister Xanthippe lives in Berlin.")
        up.memory.of("ana").notes.write("/memories/a.md", "Ask Xanthippe about it.")
        told = send(up, "POST", "erase", json={"subject": "Xanthippe"}).json()
        up.memory.of("ana").notes.write("/memories/a.md", "Nothing.")
        again = send(up, "POST", "erase", json={"subject": "Xanthippe"})
    assert again.json()["facts"] == told["facts"]
    assert "Xanthippe" not in again.text


def test_an_answer_names_what_takes_the_write_back(two: Pair) -> None:
    first, second = two
    body = {"key": "colour", "value": "red", "pinned": True}
    answers = [send(running, "POST", "remember", json=body) for running in two]
    assert answers[0].headers["recollect-undo"] == answers[1].headers["recollect-undo"]
    first.memory.of("ana").remember("home", "Porto")  # someone else's, later
    send(second, "POST", "undo", headers={}, json={"what": answers[1].headers["recollect-undo"]})
    ana = first.memory.of("ana")
    assert (ana.recall("colour"), ana.recall("home")) == (None, "Porto")


def test_a_key_that_is_too_long_is_refused_and_an_owner_is_known_by_their_whole_name(two: Pair) -> None:
    first, second = two
    path = f"{first.url}/v1/owners/team%2Fblue%25/add"
    with first.client("root") as client:
        long = client.post(path, json={"said": "I like rice."}, headers={"Idempotency-Key": "x" * 201})
        assert (long.status_code, client.post(path, json={"said": "I like tea."}).status_code) == (422, 200)
    assert second.memory.of("team/blue%").recall("likes") == "tea"
