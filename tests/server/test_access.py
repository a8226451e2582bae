"""Who may do what: every route with every kind of key, and every way to name someone else."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from typing import Any

import httpx
import pytest
from fastapi import APIRouter
from starlette.routing import Route

from recollect import Memory
from recollect.server import Limits
from recollect.server.app import create_app
from recollect.server.keys import Keys
from recollect.server.routes import ANY, OPEN, RULE, Guarded
from tests.server.conftest import KEYS, Running, serving

NO_KEY = ("none", "wrong", "revoked", "expired")
VALUES = {"fact": "f_none", "name": "monday", "file": "main.js", "key": "home", "what": "home"}
OPEN_ROUTES = {"/health", "/ready", "/", "/inspector/{file}"}
OTHERS = {"/mcp"}
"""Routes that are not made by `verb`; the gate asks them for a key, and MCP tests look at the rest."""


def application() -> Any:
    return create_app(Memory(":memory:", embedder=None), Keys("unused.keys"))


SCHEMA = application().openapi()
HTTP = httpx.Client(timeout=30)
ROUTES = [(method.upper(), path) for path, methods in SCHEMA["paths"].items() for method in methods]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("access"), Limits(failed_keys=10_000)) as up:
        up.tokens["revoked"] = revoked(up.keys)
        up.tokens["expired"] = expired(up.keys)
        up.tokens["wrong"] = "rk_000000000000_" + "x" * 43
        yield up


def revoked(keys: Keys) -> str:
    key, token = keys.make("gone", ["*"], ["read", "write", "admin"])
    keys.revoke(key.id)
    return token


def expired(keys: Keys) -> str:
    then = datetime.now(timezone.utc) - timedelta(days=2)
    earlier = Keys(keys.path, now=lambda: then)
    return earlier.make("old", ["*"], ["read", "write", "admin"], then + timedelta(days=1))[1]


def described(method: str, path: str) -> dict[str, Any]:
    found: dict[str, Any] = SCHEMA["paths"][path][method.lower()]
    return found


def example_body(operation: dict[str, Any]) -> Any:
    """The first example of the body that OpenAPI shows."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if content is None:
        return None
    name = content["schema"]["$ref"].rsplit("/", 1)[-1]
    return SCHEMA["components"]["schemas"][name]["examples"][0]


def ask(running: Running, who: str, method: str, path: str, *, owner: str = "ana", **query: str) -> int:
    """The status of a request made from what OpenAPI says of a route."""
    operation = described(method, path)
    needed = [one["name"] for one in operation.get("parameters", ()) if one["in"] == "query" and one["required"]]
    asked = {name: "/memories/a.md" if name == "path" else VALUES[name] for name in needed} | query
    url = running.url + path.replace("{path}", "memories/a.md").replace("{owner}", owner)
    for name, value in VALUES.items():
        url = url.replace(f"{{{name}}}", value)
    headers = {} if who == "none" else {"Authorization": f"Bearer {running.tokens[who]}"}
    with HTTP.stream(method, url, params=asked, json=example_body(operation), headers=headers) as answer:
        return answer.status_code


def expected(rule: str, who: str, path: str) -> int | None:
    """The refusal that a key of this kind must get, or none."""
    if rule == OPEN:
        return None
    if who in NO_KEY:
        return 401
    owners, rights = KEYS[who]
    reached = "*" in owners or ("{owner}" in path and "ana" in owners)
    return None if rule == ANY or (reached and rule in rights) else 403


@pytest.mark.parametrize(("method", "path"), ROUTES, ids=lambda value: value)
def test_a_route_lets_in_only_whom_its_rule_names(method: str, path: str, running: Running) -> None:
    rule = described(method, path)[RULE]
    for who in (*NO_KEY, *KEYS):
        status, refusal = ask(running, who, method, path), expected(rule, who, path)
        assert status == refusal if refusal else status not in (401, 403), f"{who}: {status}, not {refusal}"


@pytest.mark.parametrize(
    ("method", "path"), [route for route in ROUTES if "{owner}" in route[1]], ids=lambda value: value
)
def test_nobody_else_can_be_named(method: str, path: str, running: Running) -> None:
    assert ask(running, "ana", method, path, owner="bob") == 403
    assert ask(running, "ana", method, path, also="bob") == 403


def test_only_health_and_the_files_of_the_page_are_open() -> None:
    open_ones = {path for method, path in ROUTES if described(method, path)[RULE] == OPEN}
    assert open_ones == OPEN_ROUTES


def test_every_route_has_a_rule() -> None:
    app = application()
    unruled = {route.path for route in app.routes if isinstance(route, Route) and not isinstance(route, Guarded)}
    assert unruled == OTHERS
    assert all(RULE in described(method, path) for method, path in ROUTES)


def test_a_route_without_a_rule_cannot_be_made() -> None:
    router = APIRouter(route_class=Guarded)
    with pytest.raises(TypeError, match="has no rule"):
        router.add_api_route("/v1/owners/{owner}/new", lambda: None)


def test_a_route_outside_the_table_asks_for_a_key(running: Running) -> None:
    for path in ("/mcp", "/v1/nothing", "/docs", "/openapi.json", "/redoc"):
        assert HTTP.get(running.url + path).status_code == 401


# Ids, cursors and filters


def test_an_id_of_someone_else_is_as_unknown_as_any(running: Running) -> None:
    hers = running.memory.of("bob").remember("secret", "purple")
    with running.client("ana") as ana:
        base = "/v1/owners/ana"
        for wanted in (hers.id, "f_nowhere"):
            assert ana.get(f"{base}/facts/{wanted}").status_code == 404
            assert ana.get(f"{base}/why", params={"what": wanted}).status_code == 404
            assert ana.post(f"{base}/forget", json={"what": wanted}).status_code == 404
            assert ana.post(f"{base}/undo", json={"what": wanted}).status_code == 404
            assert ana.post(f"{base}/settle", json={"what": wanted, "holds": True}).status_code == 404
    assert running.memory.of("bob").recall("secret") == "purple"


def test_a_cursor_of_someone_else_is_refused(running: Running) -> None:
    for number in range(3):
        for owner in ("ana", "bob"):
            running.memory.of(owner).remember(f"thing {number}", str(number))
    with running.client("bob") as bob, running.client("ana") as ana:
        cursor = bob.get("/v1/owners/bob/facts", params={"limit": 1}).json()["next"]
        assert ana.get("/v1/owners/ana/facts", params={"limit": 1, "cursor": cursor}).status_code == 422
        assert bob.get("/v1/owners/bob/changes", params={"limit": 1, "cursor": cursor}).status_code == 422
        assert bob.get("/v1/owners/bob/facts", params={"limit": 1, "cursor": cursor}).status_code == 200


def test_everything_about_an_owner_is_the_same_whether_others_are_there(running: Running) -> None:
    with running.client("ana") as ana:
        paths = ("facts", "changes", "sessions", "graph", "stats", "notes", "lines", "disputes")
        before = [ana.get(f"/v1/owners/ana/{path}").json() for path in paths]
        running.memory.of("bob").add("My name is Bob and I live in Oslo.", session="secret")
        assert [ana.get(f"/v1/owners/ana/{path}").json() for path in paths] == before
        assert ana.get("/v1/owners").json()["items"] == ["ana"]


def test_an_imported_record_becomes_the_importers_own(running: Running) -> None:
    running.memory.of("bob").remember("colour", "red")
    with running.client("bob") as bob, running.client("ana") as ana:
        taken = bob.get("/v1/owners/bob/export").content
        kind = {"Content-Type": "application/x-ndjson"}
        assert ana.post("/v1/owners/ana/import", content=taken, headers=kind).status_code == 200
    assert {fact.owner for fact in running.memory.of("ana").facts()} == {"ana"}


def test_erasing_everything_needs_an_admin(running: Running) -> None:
    running.memory.of("ana").remember("colour", "red")
    with running.client("writer") as writer:
        assert writer.post("/v1/owners/ana/erase", json={"everything": True}).status_code == 403


# Hosts, origins, contents

FOREIGN = ["evil.example", "localhost.evil.example", "evil-localhost", "127.0.0.1.evil.example", "", "127.0.0.2:80"]


@pytest.mark.parametrize("host", FOREIGN)
def test_a_foreign_host_is_refused_everywhere(host: str, running: Running) -> None:
    for path in ("/health", "/", "/v1/owners", "/mcp"):
        headers = {"Host": host, "Authorization": f"Bearer {running.tokens['root']}"}
        assert HTTP.get(running.url + path, headers=headers).status_code == 421


ORIGINS = ["https://evil.example", "null", "http://localhost:1", "file://", "http://127.0.0.1.evil.example", "http://["]


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_foreign_origin_is_refused(origin: str, running: Running) -> None:
    with running.client("ana") as ana:
        assert ana.get("/v1/owners/ana/facts", headers={"Origin": origin}).status_code == 403
        assert ana.get("/v1/owners/ana/facts", headers={"Origin": running.url}).status_code == 200


def test_no_other_page_may_read_an_answer(running: Running) -> None:
    with running.client("ana") as ana:
        for answer in (ana.get("/v1/owners/ana/facts"), ana.get("/nowhere"), HTTP.get(f"{running.url}/health")):
            assert "access-control-allow-origin" not in answer.headers
            assert "default-src 'none'" in answer.headers["content-security-policy"]
            assert answer.headers["x-content-type-options"] == "nosniff"
        asked = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
        assert ana.options("/v1/owners/ana/add", headers=asked).status_code == 403


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
def test_what_a_form_can_send_is_refused(kind: str, running: Running) -> None:
    with running.client("ana") as ana:
        body = b'{"said": "I live in Oslo."}'
        assert ana.post("/v1/owners/ana/add", content=body, headers={"Content-Type": kind}).status_code == 415


def test_a_key_in_the_address_counts_for_nothing(running: Running) -> None:
    token = running.tokens["ana"]
    assert HTTP.get(f"{running.url}/v1/owners/ana/facts", params={"key": token}).status_code == 401


def test_health_says_nothing_but_ok(running: Running) -> None:
    assert HTTP.get(f"{running.url}/health").json() == {"status": "ok"}
    assert HTTP.get(f"{running.url}/ready").json() == {"status": "ok"}
