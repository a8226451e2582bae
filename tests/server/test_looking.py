"""What the inspector looks through, over a real server on both stores: pages that cost the same for much and little."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from recollect import Client, Fact, Memory
from recollect.read import PIECE
from recollect.server.routes.inspector import MAPPED
from recollect.store import Query
from recollect.store.sqlite import SQLiteStore
from recollect.testing.samples import day, fact
from tests.server.conftest import Running, serving


@pytest.fixture(params=["sqlite", "postgres"])
def running(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Running]:
    place = tmp_path / "memory.db" if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    with serving(tmp_path, memory=Memory(place, owner="ana", embedder=None)) as up:
        yield up


def keep(running: Running, facts: list[Fact]) -> None:
    """Keep facts as they are, and what they dispute with them."""
    running.memory.store.save("ana", facts)


def pages(client: httpx.Client, path: str, **asked: Any) -> list[list[str]]:
    """The ids of all pages of a list."""
    found, cursor = list[list[str]](), None
    while True:
        answer = client.get(path, params={**asked, **({"cursor": cursor} if cursor else {})}).json()
        found.append([one["id"] for one in answer["items"]])
        if (cursor := answer["next"]) is None:
            return found


def test_disputes_come_in_pages_with_what_they_contradict(running: Running, ana: httpx.Client) -> None:
    keep(running, [fact("held"), *(fact(f"d{number}", origin="tool", disputes="held") for number in range(5))])
    keep(running, [fact("over", origin="tool", disputes="held", until=day(1))])
    assert pages(ana, "disputes", limit=2) == [["d4", "d3"], ["d2", "d1"], ["d0"]]
    first = ana.get("disputes", params={"limit": 2}).json()
    assert [one["id"] for one in first["others"]] == ["held"]


def test_what_waits_comes_in_pages(running: Running, ana: httpx.Client) -> None:
    keep(running, [fact(f"w{number}", origin="import") for number in range(3)])
    keep(
        running,
        [fact("said"), fact("sure", origin="tool", confirmations=1), fact("no", origin="tool", disputes="said")],
    )
    assert pages(ana, "waiting", limit=2) == [["w2", "w1"], ["w0"]]


def test_what_is_known_of_one_subject_comes_in_pages(running: Running, ana: httpx.Client) -> None:
    keep(running, [fact(f"f{number}", subject="Anna" if number % 2 else "user") for number in range(6)])
    keep(running, [replace(fact("early", subject="anna"), until=day(1), since=day(-9))])
    assert pages(ana, "known", limit=2, subject="anna") == [["f5", "f3"], ["f1"]]
    assert pages(ana, "known", subject="Anna", at=day(0.5).isoformat()) == [["early", "f5", "f3", "f1"]]
    assert pages(ana, "known", limit=5) == [["f5", "f4", "f3", "f2", "f1"], ["f0"]]


def test_a_map_of_very_much_has_the_newest_and_whoever_was_named(running: Running, ana: httpx.Client) -> None:
    told = fact("sister", attribute="sister", value="Anna Pereira", since=day(-5))
    rest = [fact(f"f{number}", subject=f"thing {number}", since=day(0)) for number in range(MAPPED + 10)]
    keep(running, [told, *rest])
    found = ana.get("map").json()
    assert found["newest_only"]
    assert found["left_out"] == MAPPED + 2 - 80
    assert [(edge["subject"], edge["object"]) for edge in found["edges"]] == [("user", "Anna Pereira")]
    assert not ana.get("map", params={"at": day(-1).isoformat()}).json()["newest_only"]


def test_a_graph_can_be_drawn_from_some_of_the_facts(running: Running) -> None:
    keep(running, [fact(f"f{number}", subject=f"thing {number}") for number in range(9)])
    with Client(running.url, key=running.tokens["ana"], owner="ana") as client:
        assert len(client.graph(limit=4).facts) == len(running.memory.graph(limit=4).facts) == 4
        assert client.graph(limit=40) == client.graph() == running.memory.graph()


def test_a_graph_is_drawn_from_no_more_than_the_newest_unless_a_client_asks_for_all(
    running: Running, ana: httpx.Client
) -> None:
    keep(running, [fact(f"f{number}") for number in range(MAPPED + 10)])
    assert len(ana.get("graph").json()["facts"]) == MAPPED
    assert ana.get("graph", params={"limit": MAPPED + 1}).status_code == 422
    with Client(running.url, key=running.tokens["ana"], owner="ana") as client:
        assert client.graph() == running.memory.graph()


def test_what_was_said_comes_in_pages_with_its_facts(running: Running, ana: httpx.Client) -> None:
    running.memory.of("ana").add([f"My locker is {number}." for number in range(5)], session="monday")
    running.memory.of("ana").add("My desk is 9.", session="friday")
    seen, cursor = [], None
    while not seen or cursor:
        found = ana.get("sessions/monday/records", params={"limit": 2} | ({"cursor": cursor} if cursor else {})).json()
        seen += [(row["message"]["content"], [one["value"] for one in row["facts"]]) for row in found["items"]]
        cursor = found["next"]
    assert seen == [(f"My locker is {number}.", [str(number)]) for number in reversed(range(5))]


def test_pages_of_what_was_said_go_on_after_their_last_message_was_erased(running: Running, ana: httpx.Client) -> None:
    memory = running.memory.of("ana")
    memory.add([f"Look at number {number}." for number in range(4)], session="monday")
    first = ana.get("sessions/monday/records", params={"limit": 2}).json()
    memory.store.erase("ana", [first["items"][-1]["message"]["id"]])
    rest = ana.get("sessions/monday/records", params={"cursor": first["next"]}).json()["items"]
    told = [row["message"]["content"] for row in rest]
    assert told[-2:] == ["Look at number 1.", "Look at number 0."]


def test_facts_come_in_pages_latest_said_first(running: Running, ana: httpx.Client) -> None:
    told = {"f1": 3, "f2": 1, "f3": 2, "f4": 2, "f5": 2}
    keep(running, [fact(name, said=day(number)) for name, number in told.items()])
    keep(running, [fact("over", said=day(4), until=day(5))])
    assert pages(ana, "facts", limit=2) == [["f1", "f5"], ["f4", "f3"], ["f2"]]
    assert pages(ana, "facts", limit=2, at=day(4.5).isoformat()) == [["over", "f1"], ["f5", "f4"], ["f3", "f2"]]
    assert pages(ana, "facts", subject="user", category="travel")[0] == [one.id for one in running.memory.facts()]


def test_pages_of_several_owners_are_one_list(running: Running) -> None:
    for owner, number in (("ana", 1), ("bob", 2), ("ana", 3), ("bob", 4), ("bob", 5)):
        running.memory.store.save(owner, [fact(f"f{number}", owner=owner, said=day(number))])
    with running.client("root") as root:
        found = pages(root, "/v1/owners/ana/facts", also="bob", limit=2)
    assert found == [["f5", "f4"], ["f3", "f2"], ["f1"]]


@pytest.mark.parametrize("path", ["facts", "known"])
def test_what_was_believed_comes_in_pages(path: str, running: Running, ana: httpx.Client) -> None:
    memory = running.memory
    for number in range(5):
        memory.remember(f"thing {number}", "old")
    then = memory.tick()
    for number in (1, 3):
        memory.remember(f"thing {number}", "new")
    memory.forget("thing 4")
    memory.remember("later thing", "new")
    believed = memory.facts(known_at=then)
    assert [one.value for one in believed] == ["old"] * 5
    assert [one for page in pages(ana, path, limit=2, known_at=then.isoformat()) for one in page] == [
        one.id for one in believed
    ]
    assert len(ana.get("map", params={"known_at": then.isoformat()}).json()["subjects"]) == 1


def test_what_was_believed_long_ago_is_found_below_all_that_came_since(running: Running, ana: httpx.Client) -> None:
    running.memory.remember("first thing", "old")
    then = running.memory.tick()
    keep(running, [fact(f"f{number}", said=day(9_999), learned=day(9_999)) for number in range(PIECE + 50)])
    running.memory.store.save("ana", [fact("gone", said=day(9_998), learned=day(0), until=day(1))])
    found = ana.get("facts", params={"known_at": then.isoformat(), "limit": 1}).json()
    assert ([one["value"] for one in found["items"]], found["next"]) == (["old"], None)


def plan_of(store: SQLiteStore, ask: Callable[[], object]) -> str:
    """How SQLite answers the last statement of what is asked."""
    with store._using() as connection:
        asked: list[tuple[str, Any]] = []
        connection.exec_trace = lambda _, sql, values: asked.append((sql, values)) or True  # type: ignore[func-returns-value]
        ask()
        connection.exec_trace = None
        sql, values = asked[-1]
        return " ".join(row[3] for row in connection.execute(f"explain query plan {sql}", values))


@pytest.mark.parametrize("wanted", ["disputed", "unconfirmed"])
def test_sqlite_finds_them_by_an_index_of_their_own(tmp_path: Path, wanted: str) -> None:
    store = SQLiteStore(tmp_path / "memory.db")
    store.save("ana", [fact("f1")])
    plan = plan_of(store, lambda: store.read("ana", Fact, Query(holding=day(0), last=10, **{wanted: True})))
    assert f"INDEX facts_{wanted}" in plan
    assert "TEMP B-TREE" not in plan.split("LIST SUBQUERY")[-1]


def test_sqlite_reads_a_page_by_the_index_of_what_was_said(tmp_path: Path) -> None:
    store = SQLiteStore(tmp_path / "memory.db")
    store.save("ana", [fact("f1")])
    before = (day(1), day(1), "f2")
    plan = plan_of(store, lambda: store.read("ana", Fact, Query(latest=True, last=10, before=before, holding=day(0))))
    assert "INDEX facts_by_said (owner=? AND said<?)" in plan
    assert "TEMP B-TREE" not in plan.replace("TEMP B-TREE FOR LAST TERM", "")
