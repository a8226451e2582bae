"""MCP over real wires: `recollect mcp` on stdio, and streamable HTTP behind the gate, with the SDK's own client."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

import recollect

from .conftest import Running

SOURCE = str(Path(recollect.__file__).parents[1])
HEADERS = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def test_a_fact_told_over_stdio_is_there_in_the_next_process(tmp_path: Path) -> None:
    async def talk(name: str, arguments: dict[str, Any]) -> Any:
        parameters = StdioServerParameters(
            command=sys.executable,
            args=["-m", "recollect", "--db", str(tmp_path / "m.db"), "mcp"],
            env={**os.environ, "PYTHONPATH": SOURCE},
        )
        async with Client(stdio_client(parameters)) as client:
            return (await client.call_tool(name, arguments)).structured_content

    asyncio.run(talk("remember", {"what": "seat preference", "value": "window"}))
    found = asyncio.run(talk("recall", {"query": "which seat?"}))
    assert "window" in found["lines"][0]["text"]


def over_http(running: Running, token: str, work: Callable[[Client], Awaitable[Any]], **headers: str) -> Any:
    async def connected() -> Any:
        async with (
            httpx2.AsyncClient(headers={"authorization": f"Bearer {token}", **headers}) as http,
            Client(streamable_http_client(f"{running.url}/mcp", http_client=http)) as client,
        ):
            return await work(client)

    return asyncio.run(connected())


def call(running: Running, token: str, name: str, arguments: dict[str, Any], **headers: str) -> Any:
    return over_http(running, token, lambda client: client.call_tool(name, arguments), **headers)


def test_the_same_tools_answer_over_http(running: Running) -> None:
    token = running.tokens["ana"]
    call(running, token, "remember", {"what": "seat preference", "value": "window"})
    found = call(running, token, "recall", {"query": "which seat?"}).structured_content
    assert "window" in found["lines"][0]["text"]


def test_the_owner_comes_from_the_key(running: Running) -> None:
    call(running, running.tokens["ana"], "remember", {"what": "seat preference", "value": "window"})
    assert call(running, running.tokens["bob"], "recall", {"query": "seat"}).structured_content["lines"] == []


def test_a_key_for_bob_cannot_name_ana(running: Running) -> None:
    answer = post(running, running.tokens["bob"], PING, **{"recollect-owner": "ana"})
    assert "may not read" in answer.text


def test_a_key_that_may_only_read_is_told_so(running: Running) -> None:
    token = running.tokens["reader"]
    answer = call(running, token, "remember", {"what": "a", "value": "b"})
    assert answer.is_error
    assert "only read" in answer.content[0].text


def post(running: Running, token: str | None, body: Any, **headers: str) -> httpx2.Response:
    given = {**HEADERS, **({"authorization": f"Bearer {token}"} if token else {}), **headers}
    return httpx2.post(f"{running.url}/mcp", content=json.dumps(body), headers=given)


def test_without_a_key_nothing_is_answered(running: Running) -> None:
    assert post(running, None, PING).status_code == 401
    assert post(running, "rk_0123456789ab_" + "x" * 43, PING).status_code == 401


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"host": "127.0.0.1.evil.example"},
    ],
)
def test_other_hosts_and_pages_are_refused(running: Running, headers: dict[str, str]) -> None:
    assert post(running, running.tokens["ana"], PING, **headers).status_code in (403, 421)


def test_two_clients_at_once_get_their_own_answers(running: Running) -> None:
    tokens = {name: running.tokens[name] for name in ("ana", "bob")}

    async def ask(name: str) -> list[str]:
        async with (
            httpx2.AsyncClient(headers={"authorization": f"Bearer {tokens[name]}"}) as http,
            Client(streamable_http_client(f"{running.url}/mcp", http_client=http)) as client,
        ):
            await client.call_tool("remember", {"what": "name", "value": name})
            answers = [await client.call_tool("recall", {"query": "name"}) for _ in range(15)]
        return [line["text"] for answer in answers for line in answer.structured_content["lines"]]

    async def both() -> list[list[str]]:
        return list(await asyncio.gather(ask("ana"), ask("bob")))

    for name, texts in zip(("ana", "bob"), asyncio.run(both()), strict=True):
        assert len(texts) == 15
        assert {name in text for text in texts} == {True}


@pytest.mark.parametrize("uri", ["recollect://core", "recollect://sessions/monday/brief"])
def test_what_is_attached_says_nothing_of_where_the_store_is(running: Running, tmp_path: Path, uri: str) -> None:
    running.memory.close()
    asked = {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": uri}}
    answer = post(running, running.tokens["ana"], asked)
    assert "try again" in answer.json()["error"]["message"]
    assert str(tmp_path) not in answer.text
