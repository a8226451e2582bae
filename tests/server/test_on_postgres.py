"""The service over a real PostgreSQL server: the same routes, shared commits, walls between owners."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from recollect import Client, Memory
from tests.server.conftest import Running, serving


@pytest.fixture
def running(tmp_path: Path, postgres_url: str) -> Iterator[Running]:
    with serving(tmp_path, memory=Memory(postgres_url)) as up:
        yield up


def test_what_was_told_over_rest_is_found_and_shown(running: Running) -> None:
    with Client(running.url, key=running.tokens["ana"], owner="ana") as client:
        client.add("I live in Porto. I like tea.")
        assert client.recall("home") == "Porto"
        assert client.search("where do I live?")[0].text == "lives in Porto"
        client.notes.write("/memories/a.md", "A note.")
        assert [fact.value for fact in client.facts(attribute="home")] == ["Porto"]


def test_adds_of_several_owners_that_share_commits_stay_apart(running: Running) -> None:
    def tell(number: int) -> None:
        owner = f"owner{number % 5}"
        with Client(running.url, key=running.tokens["root"], owner=owner) as client:
            client.add(f"My desk number {number} is made of oak.", session="s")

    with ThreadPoolExecutor(10) as pool:
        list(pool.map(tell, range(40)))
    for place in range(5):
        said = running.memory.of(f"owner{place}").session("s").messages()
        numbers = sorted(int(message["content"].split()[3]) for message in said)
        assert numbers == list(range(place, 40, 5))
