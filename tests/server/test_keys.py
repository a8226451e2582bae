"""Keys: shown once, kept as hashes, bounded in owners, rights and time."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from pathlib import Path
from secrets import token_urlsafe

import pytest

from recollect.errors import InvalidInput, NotFound, StoreError
from recollect.server.keys import Keys, beside
from tests.cli.conftest import Cli, cli

__all__ = ["cli"]

NOW = datetime(2026, 6, 1, tzinfo=timezone.utc)


@pytest.fixture
def keys(tmp_path: Path) -> Keys:
    return Keys(tmp_path / "memory.db.keys", now=lambda: NOW)


def test_a_key_is_found_by_its_token_alone(keys: Keys) -> None:
    key, token = keys.make("agent", ["ana"], ["read"])
    assert keys.find(token) == key
    assert (key.allows("ana", "read"), key.allows("ana", "write"), key.allows("bob", "read")) == (True, False, False)
    for wrong in ("", token[:-1], token + "x", token.upper(), key.id, f"rk_{key.id}_" + "x" * 43, "rk_" + "0" * 12):
        assert keys.find(wrong) is None


def test_the_file_holds_no_secret_and_is_private(keys: Keys) -> None:
    _, token = keys.make("agent", ["ana"])
    kept = keys.path.read_text()
    assert token.split("_", 2)[2] not in kept
    assert stat.S_IMODE(keys.path.stat().st_mode) == 0o600


def test_a_revoked_key_is_worthless_at_once_everywhere(keys: Keys) -> None:
    key, token = keys.make("agent", ["ana"])
    elsewhere = Keys(keys.path, now=lambda: NOW)
    assert elsewhere.find(token) == key
    keys.revoke(key.id)
    assert elsewhere.find(token) is None
    with pytest.raises(NotFound, match="recollect keys"):
        keys.revoke("nothing")


def test_a_key_expires(keys: Keys) -> None:
    _, token = keys.make("agent", ["ana"], expires=NOW + timedelta(days=1))
    assert keys.find(token) is not None
    assert Keys(keys.path, now=lambda: NOW + timedelta(days=1)).find(token) is None
    with pytest.raises(InvalidInput, match="later"):
        keys.make("late", ["ana"], expires=NOW)


def test_keys_made_at_the_same_moment_are_all_kept(keys: Keys) -> None:
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(lambda number: Keys(keys.path).make(f"agent {number}", ["ana"]), range(24)))
    assert {key.id for key, _ in made} == {key.id for key in keys.list()}


def test_guessed_keys_never_fit(keys: Keys) -> None:
    key, _ = keys.make("agent", ["*"])
    assert not any(keys.find(f"rk_{key.id}_{token_urlsafe(32)}") for _ in range(5_000))


@pytest.mark.parametrize(("owners", "rights"), [([], ["read"]), (["ana"], []), (["ana"], ["all"]), ([" "], ["read"])])
def test_a_key_needs_owners_and_rights(owners: list[str], rights: list[str], keys: Keys) -> None:
    with pytest.raises(InvalidInput):
        keys.make("agent", owners, rights)


def test_keys_of_one_database_never_open_another(tmp_path: Path) -> None:
    one, other = (beside(f"postgresql://db.example:5432/app?schema={name}") for name in ("one", "other"))
    assert one.is_absolute()
    assert one != other
    assert beside(str(tmp_path / "memory.db")) == tmp_path / "memory.db.keys"


def test_a_broken_file_lets_nobody_in(keys: Keys) -> None:
    _, token = keys.make("agent", ["ana"])
    keys.path.write_text("{")
    with pytest.raises(StoreError, match="cannot be read"):
        keys.find(token)


def test_keys_are_made_listed_and_revoked_from_the_shell(cli: Cli) -> None:
    made = cli.json("keys", "make", "agent", "--for", "ana", "--rights", "read", "--days", "30")
    assert made["key"]["owners"] == ["ana"]
    assert made["token"].startswith(f"rk_{made['key']['id']}_")
    assert "agent" in cli("keys")
    cli("keys", "revoke", made["key"]["id"])
    assert "revoked" in cli("keys", "list")
    cli("keys", "make", "agent", "--for", "ana", "--rights", "everything")
    assert cli.code == 2
