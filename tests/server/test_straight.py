"""The short way past the routes gives what the long way gives, and refuses whom it refuses."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from tests.server.conftest import Running

LONG = "application/json; charset=utf-8"
"""A kind of content that the short way leaves to the long one."""
BODIES = [
    ("add", b'{"said": "I like tea.", "at": "2024-03-01"}'),
    ("add", b'{"said": ["I like tea.", {"role": "assistant", "content": "Noted."}], "session": "monday"}'),
    ("add", b'{"said": ""}'),
    ("add", b'{"said": []}'),
    ("add", b'{"said": "I like tea.", "mood": "good"}'),
    ("add", b'{"said": "I like tea.", "origin": "nobody"}'),
    ("add", b'{"said": "half \\ud800 a letter"}'),
    ("add", b'{"said"'),
    ("add", b"[]"),
    ("search", b'{"query": "what do I drink?", "limit": 2}'),
    ("search", b'{"query": "what do I drink?", "limit": 0}'),
    ("search", b'{"query": "tea", "kinds": ["fact"], "at": "someday"}'),
]


def told(answer: httpx.Response) -> tuple[int, Any, str]:
    """What an answer says, but for ids and moments."""
    return answer.status_code, plain(answer.json()), answer.headers["content-type"]


def plain(value: Any) -> Any:
    if isinstance(value, dict):
        changing = ("id", "learned", "at", "said", "record_id", "group", "message", "score", "reasons")
        return {name: plain(part) for name, part in value.items() if name not in changing}
    return [plain(part) for part in value] if isinstance(value, list) else value


@pytest.mark.parametrize(("verb", "body"), BODIES, ids=lambda part: str(part)[:50])
def test_both_ways_give_the_same_answer(verb: str, body: bytes, running: Running) -> None:
    with running.client("root") as client:
        ways = ("ana", "application/json"), ("bob", LONG)
        answers = [
            client.post(f"/v1/owners/{owner}/{verb}", content=body, headers={"Content-Type": kind})
            for owner, kind in ways
        ]
    short, long = (json.loads(json.dumps(told(answer)).replace('"bob"', '"ana"')) for answer in answers)
    assert short == long


@pytest.mark.parametrize("verb", ["add", "search"])
def test_the_short_way_asks_for_the_right_before_it_reads(verb: str, running: Running) -> None:
    with running.client("bob") as bob:
        strange = bob.post(f"/v1/owners/ana/{verb}", content=b"{", headers={"Content-Type": "application/json"})
    with running.client("reader" if verb == "add" else "writer") as other:
        rightless = other.post(f"/v1/owners/ana/{verb}", content=b"{", headers={"Content-Type": "application/json"})
    assert (strange.status_code, rightless.status_code) == (403, 403)


def test_the_short_way_knows_an_owner_by_their_whole_name(running: Running) -> None:
    with running.client("root") as client:
        client.post("/v1/owners/team%2Fblue%25/add", json={"said": "I like tea."})
    assert running.memory.of("team/blue%").recall("likes") == "tea"


def test_the_short_way_has_one_effect_under_one_key(running: Running) -> None:
    with running.client("ana") as client:
        mark = {"Idempotency-Key": "once"}
        first, second = (
            client.post("/v1/owners/ana/add", json={"said": "I like tea."}, headers=mark) for _ in range(2)
        )
        long = client.post("/v1/owners/ana/add", json={"said": "I like tea."}, headers={"Idempotency-Key": "x" * 201})
    assert first.json() == second.json()
    assert second.headers["idempotency-replayed"] == "true"
    assert long.status_code == 422
    assert running.memory.of("ana").stats().messages == 1
