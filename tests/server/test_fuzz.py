"""Generated requests, right and wrong ones, at every route of a real server: none of them may be its fault."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode

from recollect import Memory
from recollect.server import Limits
from recollect.server.app import create_app
from recollect.server.keys import Keys
from tests.server.conftest import Running, serving

REQUESTS = int(os.environ.get("RECOLLECT_FUZZ", "2000"))
"""How many requests in all."""


def described() -> dict[str, Any]:
    with Memory(":memory:", embedder=None) as memory:
        return create_app(memory, Keys("unused.keys")).openapi()


SCHEMA = schemathesis.openapi.from_dict(described())
OPERATIONS = [result.ok() for result in SCHEMA.get_all_operations()]
FACT: dict[str, str] = {}
EACH = REQUESTS // len(OPERATIONS) + 1


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("fuzz"), Limits(poll=0.05, failed_keys=10**6)) as up:
        told = up.memory.of("ana")
        told.add("I live in Porto. I like tea. My sister Anna lives in Berlin.", session="monday")
        told.notes.write("/memories/a.md", "A note.")
        FACT["id"] = told.remember("colour", "red", origin="assistant").id
        yield up


def aimed(case: Case, at_someone: bool) -> Case:
    """The case, half of the time about someone and something that is there."""
    known = {"owner": "ana", "name": "monday", "path": "memories/a.md", "fact": FACT.get("id", "f_1")}
    if at_someone:
        case.path_parameters.update({name: known[name] for name in case.path_parameters if name in known})
    return case


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: one.label)
def test_no_request_is_answered_with_a_fault(operation: Any, running: Running) -> None:
    key = {"Authorization": f"Bearer {running.tokens['root']}"}
    answered = 0
    cases = st.one_of(operation.as_strategy(GenerationMode.POSITIVE), operation.as_strategy(GenerationMode.NEGATIVE))

    @settings(
        max_examples=EACH,
        deadline=None,
        database=None,
        derandomize=REQUESTS == 2000,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(cases, st.booleans())
    def ask(case: Case, at_someone: bool) -> None:
        nonlocal answered
        wanted = aimed(case, at_someone).as_transport_kwargs(base_url=running.url, headers=key)
        with requests.request(**wanted, stream=True, timeout=30, allow_redirects=False) as response:
            answered += 1
            assert response.status_code < 500, (response.status_code, response.text, case.as_curl_command())

    ask()
    assert answered


def test_so_many_requests_were_meant() -> None:
    assert EACH * len(OPERATIONS) >= REQUESTS


def test_the_server_still_answers_rightly(running: Running, tmp_path: Path) -> None:
    with running.client("root") as client:
        client.post("/v1/owners/after/add", json={"said": "I live in Porto."})
        assert client.get("/v1/owners/after/recall", params={"key": "home"}).json() == {"value": "Porto"}
    assert running.memory.store.check() == []
