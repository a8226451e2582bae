"""What a service promises besides its verbs: bounds, one effect, shared commits, pages, versions, streams."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from recollect import Memory
from recollect.server import Limits
from recollect.server.group_commit import GroupCommit
from tests.server.conftest import Running, serving

BASE = "/v1/owners/ana"


def until(true: Callable[[], bool]) -> None:
    """Wait for something that another thread does."""
    last = time.monotonic() + 60
    while not true():
        assert time.monotonic() < last, "it never came to that"
        time.sleep(0.005)


def commit_thread() -> bool:
    """Whether the thread that commits has begun, which is after the first write waits for it."""
    return any(thread.name.startswith("recollect-commits") for thread in threading.enumerate())


@contextmanager
def held_up(folder: Path, limits: Limits) -> Iterator[tuple[Running, ThreadPoolExecutor]]:
    """A server whose store is being written by someone else until told otherwise, and threads to ask it from."""
    with serving(folder, limits) as up, ThreadPoolExecutor(16) as threads:
        yield up, threads


def post(
    running: Running, path: str, who: str = "ana", headers: dict[str, str] | None = None, **body: Any
) -> httpx.Response:
    with running.client(who) as client:
        return client.post(f"{BASE}/{path}", json=body, headers=headers)


# Bounds


def test_who_comes_to_a_full_queue_is_refused_at_once(tmp_path: Path) -> None:
    with held_up(tmp_path, Limits(workers=1, queue=1)) as (up, threads):
        desk = up.service.pool
        with up.memory.store.transaction("x"):
            waiting = [threads.submit(post, up, "remember", key=f"thing {one}", value="1") for one in range(2)]
            until(lambda: desk.inside == 2)
            refused = post(up, "remember", key="late", value="1")
            assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
            assert httpx.get(f"{up.url}/health").status_code == 200
            assert httpx.get(f"{up.url}/ready").status_code == 503
            with up.client("root") as root:
                assert "recollect_requests_inside 2" in root.get("/metrics").text
        assert [answer.result().status_code for answer in waiting] == [200, 200]


def test_one_key_cannot_take_the_whole_queue(tmp_path: Path) -> None:
    with held_up(tmp_path, Limits(workers=1, queue=9, per_key=1)) as (up, threads):
        with up.memory.store.transaction("x"):
            first = threads.submit(post, up, "remember", key="thing", value="1")
            until(lambda: up.service.pool.inside == 1)
            refused = post(up, "remember", key="late", value="1")
            other = threads.submit(post, up, "remember", "root", key="other", value="1")
            until(lambda: up.service.pool.inside == 2)
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "1")
        assert (first.result().status_code, other.result().status_code) == (200, 200)


def test_too_many_adds_are_refused_at_once(tmp_path: Path) -> None:
    with held_up(tmp_path, Limits(writes=2)) as (up, threads):
        commits = up.service.commits
        with up.memory.store.transaction("x"):
            waiting = [threads.submit(post, up, "add", said="I like tea.")]
            until(lambda: commit_thread() and commits.waiting.qsize() == 0)
            waiting += [threads.submit(post, up, "add", said=f"I like dish {one}.") for one in range(2)]
            until(lambda: commits.waiting.qsize() == 2)
            refused = post(up, "add", said="I like coffee.")
        assert (refused.status_code, "retry-after" in refused.headers) == (503, True)
        assert [answer.result().status_code for answer in waiting] == [200, 200, 200]
        assert up.memory.of("ana").stats().messages == 3


def test_an_answer_that_takes_too_long_is_not_waited_for(tmp_path: Path) -> None:
    with held_up(tmp_path, Limits(seconds=0.2)) as (up, _):
        with up.memory.store.transaction("x"):
            # Sent again where the machine was too busy to begin with it in time.
            until(lambda: "may still be done" in post(up, "remember", key="colour", value="red").json()["detail"])
            assert post(up, "add", said="I like tea.").status_code == 503
        until(lambda: up.memory.of("ana").recall("colour") == "red")


def test_a_large_body_is_refused(tmp_path: Path) -> None:
    with serving(tmp_path, Limits(body_bytes=1000)) as up, up.client() as client:
        kind = {"Content-Type": "application/json"}
        assert client.post(f"{BASE}/add", json={"said": "x" * 2000}).status_code == 413
        parts = (b'"' + b"x" * 100 for _ in range(50))  # without a length: it is counted as it comes
        assert client.post(f"{BASE}/add", content=parts, headers=kind).status_code == 413
        assert client.post(f"{BASE}/add", json={"said": "I like tea."}).status_code == 200


BROKEN = [
    b"[" * 100_000,
    b'{"said": "\xff\xfe"}',
    b'{"said": 1e999}',
    b'{"said": {"a": NaN}}',
    b"",
    b"null",
    b'{"said"',
]


@pytest.mark.parametrize("body", BROKEN, ids=lambda body: repr(body[:20]))
def test_what_is_no_json_is_the_clients_fault(body: bytes, running: Running) -> None:
    with running.client() as client:
        answer = client.post(f"{BASE}/add", content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code in (400, 422)
        assert answer.headers["content-type"] == "application/problem+json"


def test_wrong_keys_are_not_tried_for_long(tmp_path: Path) -> None:
    with serving(tmp_path, Limits(failed_keys=5)) as up:
        wrong = {"Authorization": "Bearer rk_000000000000_" + "x" * 43}
        with httpx.Client(base_url=up.url) as client:
            statuses = [client.get("/v1/owners", headers=wrong).status_code for _ in range(7)]
        assert statuses == [401] * 5 + [429] * 2


# One effect


def test_a_write_sent_again_has_one_effect(running: Running) -> None:
    once = {"Idempotency-Key": "a1"}
    first = post(running, "add", headers=once, said="I like tea.")
    again = post(running, "add", headers=once, said="I like tea.")
    assert again.json() == first.json()
    assert again.headers["idempotency-replayed"] == "true"
    assert post(running, "add", headers=once, said="I like coffee.").status_code == 422
    assert running.memory.of("ana").stats().messages == 1


def test_writes_at_the_same_moment_have_one_effect(running: Running) -> None:
    with ThreadPoolExecutor(8) as threads:
        body = {"what": "colour", "value": "red"}
        running.memory.of("ana").remember("colour", "blue")
        sent = [threads.submit(post, running, "correct", headers={"Idempotency-Key": "b"}, **body) for _ in range(8)]
        answers = [one.result() for one in sent]
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert len(running.memory.of("ana").history("colour")) == 2


def test_an_add_sent_again_to_a_new_process_is_kept_once(tmp_path: Path) -> None:
    for _ in range(2):
        with serving(tmp_path) as up:
            answer = post(
                up, "add", headers={"Idempotency-Key": "c"}, said=["I like tea.", {"role": "user", "content": "Hi"}]
            )
            assert answer.status_code == 200
            assert up.memory.of("ana").stats().messages == 2


def test_the_key_of_one_owner_says_nothing_about_another(running: Running) -> None:
    with running.client("root") as root:
        for owner in ("ana", "bob"):
            answer = root.post(f"/v1/owners/{owner}/add", json={"said": "Hi"}, headers={"Idempotency-Key": "d"})
            assert answer.json()["messages"][0]["owner"] == owner


def test_an_erased_answer_is_not_given_again(running: Running) -> None:
    post(running, "remember", headers={"Idempotency-Key": "e"}, key="colour", value="red")
    post(running, "erase", what="colour")
    again = post(running, "remember", headers={"Idempotency-Key": "e"}, key="colour", value="red")
    assert "idempotency-replayed" not in again.headers


# Shared commits


def test_adds_that_wait_share_a_commit(tmp_path: Path) -> None:
    with held_up(tmp_path, Limits()) as (up, threads):
        commits = up.service.commits
        with up.memory.store.transaction("x"):
            sent = [threads.submit(post, up, "add", said=f"I like dish {one}.") for one in range(12)]
            until(lambda: commits.waiting.qsize() == 11)
        assert {answer.result().status_code for answer in sent} == {200}
        assert commits.adds == 12
        assert commits.commits < 12
        assert len(up.memory.of("ana").facts(attribute="likes")) == 12


def test_one_that_cannot_be_kept_does_not_spoil_the_others(tmp_path: Path) -> None:
    with held_up(tmp_path, Limits()) as (up, threads):
        post(up, "add", said={"role": "user", "content": "Hi", "id": "m_taken"})
        commits = up.service.commits
        with up.memory.store.transaction("x"):
            good = [threads.submit(post, up, "add", said=f"I like dish {one}.") for one in range(4)]
            bad = threads.submit(post, up, "add", said={"role": "user", "content": "Bye", "id": "m_taken"})
            worse = threads.submit(post, up, "add", said="Hi", at="no time at all")
            until(lambda: commits.waiting.qsize() == 5)
        assert [answer.result().status_code for answer in (*good, bad, worse)] == [200] * 4 + [422] * 2
        assert up.memory.of("ana").stats().messages == 5


def test_adds_of_different_owners_share_a_commit(tmp_path: Path) -> None:
    with Memory(tmp_path / "memory.db") as memory:
        commits = GroupCommit(memory, Limits())

        async def add_all() -> None:
            work = [commits.do(owner, lambda owner=owner: memory.of(owner).add("I like tea.")) for owner in "abc"]
            await asyncio.gather(*work)

        with memory.store.transaction("x"):
            pass
        asyncio.run(add_all())
        commits.close()
        assert [memory.of(owner).recall("likes") for owner in "abc"] == ["tea"] * 3
        assert commits.commits < 3


def test_a_bulk_is_kept_whole_or_not_at_all(running: Running) -> None:
    bulk = [{"said": f"I like dish {one}.", "session": f"s{one}"} for one in range(20)]
    added = post(running, "add/bulk", adds=bulk)
    assert len(added.json()["items"]) == 20
    assert post(running, "add/bulk", adds=[*bulk, {"said": "Hi", "at": "no time at all"}]).status_code == 422
    assert running.memory.of("ana").stats().messages == 20


# Pages, versions, files


LISTS = ["facts", "changes", "sessions", "lines", "notes", "history?key=likes", "notes/versions?path=/memories/log.md"]


@pytest.mark.parametrize("path", LISTS)
def test_pages_make_up_the_whole_list(path: str, running: Running) -> None:
    ana = running.memory.of("ana")
    for number in range(7):
        ana.add(f"I like dish {number}.", session=f"s{number}")
        ana.notes.write(f"/memories/{number}.md", "x")
        ana.notes.write("/memories/log.md", f"{number}")
    with running.client() as client:
        asked = httpx.URL(f"{BASE}/{path}")
        whole = client.get(asked.copy_add_param("limit", "200")).json()["items"]
        rows, cursor = [], None
        while len(rows) < 50:
            more = {"limit": 3, **({"cursor": cursor} if cursor else {})}
            page = client.get(asked.copy_merge_params(more)).json()
            rows, cursor = rows + page["items"], page["next"]
            if cursor is None:
                break
    assert rows == whole
    assert len(rows) >= 7


def test_a_list_goes_on_where_it_was_when_rows_come_and_go(running: Running) -> None:
    ana = running.memory.of("ana")
    for number in range(6):
        ana.remember(f"thing {number}", str(number))
    with running.client() as client:
        first = client.get(f"{BASE}/facts", params={"limit": 3}).json()
        ana.remember("new thing", "7")
        ana.forget(first["items"][-1]["id"])
        rest = client.get(f"{BASE}/facts", params={"limit": 200, "cursor": first["next"]}).json()["items"]
    assert [fact["value"] for fact in rest] == ["2", "1", "0"]


def test_a_note_is_not_written_over_unseen(running: Running) -> None:
    with running.client() as client:
        path = f"{BASE}/notes/memories/a.md"
        made = client.put(path, json={"text": "One."}, headers={"If-None-Match": "*"})
        assert made.headers["etag"] == client.get(path).headers["etag"] == '"1"'
        assert client.put(path, json={"text": "Again."}, headers={"If-None-Match": "*"}).status_code == 412
        assert client.put(path, json={"text": "Two."}, headers={"If-Match": '"1"'}).headers["etag"] == '"2"'
        assert client.put(path, json={"text": "Late."}, headers={"If-Match": '"1"'}).status_code == 412
        assert client.delete(path, headers={"If-Match": '"1"'}).status_code == 412
        assert client.get(path, headers={"If-None-Match": '"2"'}).status_code == 304
        assert client.get(path).json()["text"] == "Two."


def test_etags_are_compared_as_http_says(running: Running) -> None:
    with running.client() as client:
        path = f"{BASE}/notes/memories/a.md"
        assert client.put(path, json={"text": "One."}, headers={"If-Match": "*"}).status_code == 412
        client.put(path, json={"text": "One."})
        assert client.put(path, json={"text": "Two."}, headers={"If-Match": "*"}).headers["etag"] == '"2"'
        assert client.put(path, json={"text": "Three."}, headers={"If-Match": '"7", "2"'}).headers["etag"] == '"3"'
        assert client.put(path, json={"text": "Four."}, headers={"If-None-Match": '"3"'}).status_code == 412
        assert client.get(path, headers={"If-None-Match": 'W/"3", "9"'}).status_code == 304
        assert client.get(path, headers={"If-Match": '"1"'}).status_code == 200
        assert client.put(path, json={"text": "Five."}, headers={"If-Match": "version 3"}).status_code == 422


def test_an_export_comes_back(running: Running) -> None:
    running.memory.of("ana").add("I live in Porto. I like tea.")
    with running.client("root") as root:
        taken = root.get(f"{BASE}/export")
        kind = {"Content-Type": taken.headers["content-type"]}
        assert root.post("/v1/owners/eva/import", content=taken.content, headers=kind).json()["new"] > 3
        assert root.get("/v1/owners/eva/recall", params={"key": "home"}).json() == {"value": "Porto"}
        assert root.get(f"{BASE}/export", params={"form": "json"}).json() == {"home": "Porto", "likes": ["tea"]}
        bad = root.post("/v1/owners/eva/import", content=b'{"recollect": 9}', headers=kind)
        assert (bad.status_code, "/tmp" in bad.text) == (422, False)


def test_a_dispute_is_settled_by_a_person(running: Running) -> None:
    ana = running.memory.of("ana")
    for value in ("Berlin", "Rome"):
        ana.remember("home", "Porto")
        ana.remember("home", value, origin="assistant")
        with running.client() as client:
            (open_one,) = client.get(f"{BASE}/disputes").json()["items"]
            verdict = {"what": open_one["id"], "holds": value == "Berlin"}
            assert client.post(f"{BASE}/settle", json=verdict).status_code == 200
            assert client.get(f"{BASE}/disputes").json()["items"] == []
        assert ana.recall("home") == ("Berlin" if value == "Berlin" else "Porto")


# Streams


def events_of(lines: Iterator[str]) -> Iterator[tuple[str, str, Any]]:
    """Events of a stream: name, id, data."""
    found: dict[str, str] = {}
    for line in lines:
        if not line:
            if "event" in found:
                yield found["event"], found["id"], json.loads(found["data"])
            found = {}
        else:
            name, _, value = line.partition(": ")
            found[name] = value


def test_changes_are_told_as_they_happen(running: Running) -> None:
    with running.client() as client, client.stream("GET", f"{BASE}/events") as stream:
        events = events_of(stream.iter_lines())
        assert next(events)[0] == "hello"
        running.memory.of("bob").remember("secret", "purple")
        running.memory.of("ana").remember("colour", "red")
        name, moment, change = next(events)
        assert (name, change["kind"], change["after"]["value"]) == ("change", "stored", "red")
        assert next(events)[0] == "written"
    running.memory.of("ana").remember("colour", "blue")
    with running.client() as client:
        headers = {"Last-Event-ID": moment}
        with client.stream("GET", f"{BASE}/events", headers=headers) as stream:
            missed = [data for name, _, data in first(events_of(stream.iter_lines()), 3) if name == "change"]
    assert {change["kind"] for change in missed} == {"ended", "stored"}


def first(events: Iterator[tuple[str, str, Any]], many: int) -> list[tuple[str, str, Any]]:
    return [next(events) for _ in range(many)]


def test_there_is_a_bound_to_listeners(tmp_path: Path) -> None:
    with serving(tmp_path, Limits(streams=1)) as up, up.client() as client:
        with client.stream("GET", f"{BASE}/events") as stream:
            lines = stream.iter_lines()
            assert next(lines) == "event: hello"
            with up.client() as other:
                assert other.get(f"{BASE}/events").status_code == 503
        until(lambda: up.service.events.many == 0)


def test_a_listener_is_told_of_all_changes_where_there_are_many(tmp_path: Path) -> None:
    with serving(tmp_path, Limits(news=2)) as up, up.client() as client:
        for value in ("red", "green", "blue"):
            up.memory.of("ana").remember(f"colour of {value}", value)
        headers = {"Last-Event-ID": "2020-01-01T00:00:00+00:00"}
        with client.stream("GET", f"{BASE}/events", headers=headers) as stream:
            told = first(events_of(stream.iter_lines()), 5)
    assert [name for name, _, _ in told] == ["hello", *["change"] * 3, "written"]
    assert [data["after"]["value"] for name, _, data in told if name == "change"] == ["red", "green", "blue"]


# What operators see


def test_metrics_count_verbs_and_name_nobody(running: Running) -> None:
    post(running, "add", said="I like tea.")
    post(running, "pin", what="nothing")
    with running.client("root") as root:
        page = root.get("/metrics").text
    assert 'recollect_requests_total{verb="add",status="200"} 1' in page
    assert 'recollect_requests_total{verb="pin",status="404"} 1' in page
    assert 'recollect_request_seconds_count{verb="add"} 1' in page
    assert "ana" not in page


def test_every_answer_has_a_schema_and_every_body_an_example(running: Running) -> None:
    with running.client() as client:
        schema = client.get("/v1/openapi.json").json()
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            assert operation["summary"], (method, path)
            assert operation["responses"]["200"].get("content"), (method, path)
            if body := operation.get("requestBody"):
                name = body["content"]["application/json"]["schema"]["$ref"].rsplit("/", 1)[-1]
                assert schema["components"]["schemas"][name]["examples"], name
