"""Wrong keys: only they are slowed, and each address by what it did itself."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from recollect import Memory
from recollect.errors import InvalidInput
from recollect.server import Limits
from recollect.server.app import create_app
from recollect.server.keys import Keys
from tests.server.conftest import Running, serving

WRONG = "Bearer rk_000000000000_" + "x" * 43


def tried(running: Running, *forwarded: str, header: str = "X-Forwarded-For") -> list[int]:
    """The statuses of a wrong key, once for each thing that is said of who asks."""
    url = f"{running.url}/v1/whoami"
    return [httpx.get(url, headers={"Authorization": WRONG, header: told}).status_code for told in forwarded]


def test_a_right_key_passes_after_any_number_of_wrong_ones(tmp_path: Path) -> None:
    with serving(tmp_path, Limits(failed_keys=3)) as up:
        assert tried(up, *["x"] * 6) == [401] * 3 + [429] * 3
        with up.client("ana") as client:
            assert [client.get("/v1/whoami").status_code for _ in range(5)] == [200] * 5
        assert tried(up, "x") == [429]


def test_who_asks_cannot_be_made_up(tmp_path: Path) -> None:
    with serving(tmp_path, Limits(failed_keys=3)) as up:
        assert tried(up, *[f"10.0.0.{one}" for one in range(5)]) == [401] * 3 + [429] * 2
        assert tried(up, "for=10.0.0.9", header="Forwarded") == [429]


@pytest.mark.parametrize(("header", "form"), [("X-Forwarded-For", "{}"), ("Forwarded", 'proto=https;for="{}"')])
def test_a_named_proxy_is_believed_about_the_address_it_saw(tmp_path: Path, header: str, form: str) -> None:
    with serving(tmp_path, Limits(failed_keys=2), proxies=["127.0.0.1", "10.0.0.0/8"]) as up:
        first, second = form.format("203.0.113.7"), form.format("203.0.113.8")
        through_two, made_up = f"{first}, {form.format('10.1.2.3')}", f"{form.format('198.51.100.1')}, {first}"
        assert tried(up, first, through_two, made_up, header=header) == [401, 401, 429]
        assert tried(up, second, header=header) == [401]


def test_a_header_that_the_proxy_did_not_write_counts_for_nothing(tmp_path: Path) -> None:
    with serving(tmp_path, Limits(failed_keys=2), proxies=["127.0.0.1"]) as up:
        both = [{"X-Forwarded-For": f"10.0.0.{one}", "Forwarded": "for=203.0.113.7"} for one in range(4)]
        url = f"{up.url}/v1/whoami"
        found = [httpx.get(url, headers={"Authorization": WRONG, **told}).status_code for told in both]
        assert found == [401] * 2 + [429] * 2


def test_a_proxy_that_is_no_address_is_refused(tmp_path: Path) -> None:
    with Memory(":memory:") as memory, pytest.raises(InvalidInput, match="an address or a network"):
        create_app(memory, Keys(tmp_path / "keys"), trusted_proxies=["proxy.example.org"])
