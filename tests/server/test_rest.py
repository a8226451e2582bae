"""Every verb over REST, on a real server."""

from __future__ import annotations

from pathlib import Path

import httpx

from tests.server.conftest import Running


def test_what_was_said_is_found(ana: httpx.Client) -> None:
    added = ana.post("add", json={"said": "I moved to Porto in May.", "session": "monday"})
    assert added.status_code == 200
    assert [receipt["outcome"] for receipt in added.json()["receipts"]] == ["stored"]
    found = ana.post("search", json={"query": "where do I live?"}).json()["items"]
    assert found[0]["record"]["value"] == "Porto"


def test_a_value_may_be_a_number_true_or_a_list(ana: httpx.Client) -> None:
    given = {"age": 31, "share": 1.5, "vegan": True, "build steps": ["lint", "test"]}
    held = [ana.post("remember", json={"key": key, "value": value}).json()["value"] for key, value in given.items()]
    assert held == ["31", "1.5", "yes", '["lint", "test"]']
    assert ana.post("remember", json={"key": "age", "value": {"years": 31}}).status_code == 422


def test_a_period_is_a_time_and_what_is_none_is_refused(ana: httpx.Client) -> None:
    ana.post("remember", json={"key": "home", "value": "Lisbon", "at": "2023-05-10"})
    ana.post("remember", json={"key": "home", "value": "Porto", "at": "Q2 2024"})
    asked = [ana.get("recall", params={"key": "home", "at": at}) for at in ("2024-Q1", "H1 2024", "2024-Q5")]
    assert [one.json().get("value") for one in asked[:2]] == ["Lisbon", "Porto"]
    assert asked[2].status_code == 422
    assert "2024-Q5" in asked[2].text


def test_another_owner_sees_nothing(running: Running, ana: httpx.Client) -> None:
    ana.post("remember", json={"key": "seat", "value": "window"})
    with running.client("bob") as bob:
        assert bob.get("/v1/owners/bob/facts").json() == {"items": [], "next": None}
        assert bob.get("/v1/owners/ana/facts").status_code == 403


def test_the_page_on_rest_shows_every_route(running: Running) -> None:
    with running.client() as client:
        paths = client.get("/v1/openapi.json").json()["paths"]
    page = (Path(__file__).parents[2] / "docs" / "rest.md").read_text(encoding="utf-8")
    shown = {tuple(cell.strip() for cell in line.strip("|").split("|")) for line in page.splitlines() if "` |" in line}
    rows = {
        (method.upper(), f"`{path.replace('/v1/owners/{owner}', '…')}`", one["x-recollect-right"], one["summary"])
        for path, methods in paths.items()
        for method, one in methods.items()
    }
    assert rows <= shown, f"to be added: {rows - shown}"
