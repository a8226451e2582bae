"""Streams of changes that break: whoever comes back gets every change once, in the order of writing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory
from tests.server.conftest import Running, serving
from tests.server.test_service import BASE, events_of, first

ARRAY = [f"I like dish {one}." for one in range(4)]


@pytest.fixture(params=["sqlite", "postgres"])
def running(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Running]:
    where = tmp_path / "memory.db" if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    with serving(tmp_path, memory=Memory(where)) as up:
        yield up


def heard(running: Running, after: str, many: int) -> list[tuple[str, Any]]:
    """So many changes of a stream that goes on after this id: the id of each, and the change."""
    headers = {"Last-Event-ID": after}
    with running.client() as client, client.stream("GET", f"{BASE}/events", headers=headers) as stream:
        found = first(events_of(stream.iter_lines()), many + 1)
    return [(place, change) for name, place, change in found if name == "change"]


def log_of(running: Running) -> list[str]:
    return [change.id for change in reversed(running.memory.of("ana").changes(limit=1000))]


def test_every_change_of_one_commit_has_a_place_of_its_own(running: Running) -> None:
    running.memory.of("ana").add(ARRAY)
    log = log_of(running)
    assert len(log) >= 4
    told = heard(running, "0", len(log))
    assert [change["id"] for _, change in told] == log
    assert len({place for place, _ in told}) == len(log)


@pytest.mark.parametrize("heard_before", [1, 2, 3])
def test_a_stream_that_broke_inside_a_commit_goes_on_after_the_last_change(running: Running, heard_before: int) -> None:
    running.memory.of("ana").add(ARRAY)
    log = log_of(running)
    last, _ = heard(running, "0", heard_before)[-1]
    running.memory.of("ana").remember("colour", "red")
    rest = heard(running, last, len(log) - heard_before + 1)
    assert [change["id"] for _, change in rest] == [*log[heard_before:], log_of(running)[-1]]


def test_the_log_goes_on_where_a_stream_broke_and_a_stream_where_the_log_ended(running: Running) -> None:
    ana = running.memory.of("ana")
    ana.add(ARRAY)
    (place, one) = heard(running, "0", 1)[0]
    with running.client() as client:
        page = client.get(f"{BASE}/changes", params={"after": place, "limit": 2}).json()
        rest = client.get(f"{BASE}/changes", params={"after": place, "limit": 200, "cursor": page["next"]}).json()
    found = [one, *page["items"], *rest["items"]]
    assert [change["id"] for change in found] == log_of(running)
    assert rest["next"] is None
    ana.remember("colour", "red")
    assert [change["after"]["value"] for _, change in heard(running, str(rest["position"]), 1)] == ["red"]


def test_the_newest_page_says_where_to_listen_on(running: Running) -> None:
    ana = running.memory.of("ana")
    ana.add(ARRAY)
    with running.client() as client:
        position = client.get(f"{BASE}/changes", params={"limit": 2}).json()["position"]
    ana.remember("colour", "red")
    assert [change["after"]["value"] for _, change in heard(running, str(position), 1)] == ["red"]


def test_an_id_of_an_older_version_repeats_rather_than_loses(running: Running) -> None:
    ana = running.memory.of("ana")
    ana.remember("home", "Porto")
    ana.add(ARRAY)
    log = log_of(running)
    told = heard(running, ana.changes(limit=1)[0].at.isoformat(), len(log) - 1)
    assert [change["id"] for _, change in told] == log[1:]


def test_an_import_of_old_changes_is_told(running: Running, tmp_path: Path) -> None:
    with Memory(tmp_path / "other.db", owner="ana") as other:
        other.add(ARRAY)
        other.export_to(tmp_path / "export.jsonl")
    running.memory.of("ana").remember("home", "Porto")
    place, _ = heard(running, "0", 1)[0]
    running.memory.of("ana").import_from(tmp_path / "export.jsonl")
    assert [change["id"] for _, change in heard(running, place, 4)] == log_of(running)[1:5]


def test_what_is_written_after_everything_was_erased_is_told(running: Running) -> None:
    ana = running.memory.of("ana")
    ana.add(ARRAY)
    last, _ = heard(running, "0", 4)[-1]
    ana.erase(everything=True)
    ana.remember("colour", "red")
    assert [change["after"]["value"] for _, change in heard(running, last, 1)] == ["red"]


def test_a_new_log_is_told_in_full_to_who_heard_the_one_that_was_erased(running: Running) -> None:
    ana = running.memory.of("ana")
    ana.remember("home", "Porto")
    last, _ = heard(running, "0", 1)[-1]
    ana.erase(everything=True)
    ana.add(ARRAY)
    log = log_of(running)
    assert [change["id"] for _, change in heard(running, last, len(log))] == log


def test_a_listener_who_stays_hears_what_follows_an_erase_of_everything(running: Running) -> None:
    ana = running.memory.of("ana")
    ana.add(ARRAY)
    with running.client() as client, client.stream("GET", f"{BASE}/events", headers={"Last-Event-ID": "0"}) as stream:
        told = events_of(stream.iter_lines())
        first(told, 6)
        ana.erase(everything=True)
        ana.remember("colour", "red")
        assert next(change["after"]["value"] for name, _, change in told if name == "change") == "red"


@pytest.mark.parametrize("given", ["x", "-1", "1.5"])
def test_what_is_no_id_is_refused(running: Running, given: str) -> None:
    with running.client() as client:
        assert client.get(f"{BASE}/events", headers={"Last-Event-ID": given}).status_code == 422
