"""Keys: who may read and write whose memory. Shown once when made, kept as hashes in a file of their own."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path

import platformdirs

from recollect.errors import InvalidInput, NotFound, StoreError
from recollect.serialize import from_plain, to_plain

try:
    import fcntl
except ImportError:  # Windows: two commands that make keys at the same moment are not told apart there.
    fcntl = None  # type: ignore[assignment]

RIGHTS = ("read", "write", "admin")
EVERYONE = "*"
"""In place of an owner: all of them."""
TOKEN = re.compile(r"rk_([0-9a-f]{12})_([A-Za-z0-9_-]{43})")


@dataclass(frozen=True, slots=True)
class Key:
    """What one key may do. The secret itself is not here."""

    id: str
    name: str
    owners: tuple[str, ...]
    rights: tuple[str, ...]
    made: datetime
    expires: datetime | None = None
    revoked: datetime | None = None

    def reaches(self, owner: str) -> bool:
        """Whether this owner's memory is one of this key's."""
        return owner in self.owners or EVERYONE in self.owners

    def allows(self, owner: str, right: str) -> bool:
        """Whether this key may do that with this owner's memory."""
        return right in self.rights and self.reaches(owner)

    def stands(self, now: datetime) -> bool:
        """Whether it is neither revoked nor expired."""
        return self.revoked is None and (self.expires is None or self.expires > now)


class Keys:
    """The keys of one service, in a JSON file of their own. A change by another process counts at once."""

    def __init__(self, path: str | Path, *, now: Callable[[], datetime] = lambda: datetime.now(timezone.utc)) -> None:
        self.path = Path(path)
        self._now = now
        self._seen: tuple[int, int, int] | None = None
        self._held: dict[str, tuple[Key, str]] = {}

    def make(
        self,
        name: str,
        owners: Sequence[str],
        rights: Sequence[str] = ("read", "write"),
        expires: datetime | None = None,
    ) -> tuple[Key, str]:
        """A new key and its token, which is nowhere kept: show it once."""
        key = Key(
            secrets.token_hex(6), check_name(name), check_owners(owners), check_rights(rights), self._now(), expires
        )
        if expires is not None and expires <= key.made:
            raise InvalidInput(f"the key would have expired on {expires:%Y-%m-%d %H:%M}: choose a later time")
        secret = secrets.token_urlsafe(32)
        with self._changing() as held:
            held[key.id] = (key, digest(secret))
        return key, f"rk_{key.id}_{secret}"

    def list(self) -> list[Key]:
        """All keys, oldest first, those that no longer stand too."""
        return sorted((key for key, _ in self._read().values()), key=lambda key: (key.made, key.id))

    def revoke(self, key_id: str) -> Key:
        """Make a key worthless from now on."""
        with self._changing() as held:
            if key_id not in held:
                raise NotFound(f"there is no key {key_id!r}: `recollect keys` lists them")
            key, kept = held[key_id]
            key = key if key.revoked else replace(key, revoked=self._now())
            held[key_id] = (key, kept)
        return key

    def find(self, token: str) -> Key | None:
        """The key that this token is of, if it stands."""
        parts = TOKEN.fullmatch(token)
        if parts is None:
            return None
        key, kept = self._read().get(parts[1], (None, digest("")))
        right = hmac.compare_digest(digest(parts[2]), kept)  # always, so that unknown ids take as long
        return key if right and key is not None and key.stands(self._now()) else None

    def holds(self, key: Key) -> bool:
        """Whether a key that was found before still stands."""
        kept, _ = self._read().get(key.id, (None, ""))
        return kept is not None and kept.stands(self._now())

    def _read(self) -> dict[str, tuple[Key, str]]:
        """What the file says, read again when it has changed."""
        try:
            status = self.path.stat()
        except FileNotFoundError:
            return {}
        seen = (status.st_ino, status.st_mtime_ns, status.st_size)
        if seen != self._seen:
            self._held, self._seen = read_file(self.path), seen
        return self._held

    @contextmanager
    def _changing(self) -> Iterator[dict[str, tuple[Key, str]]]:
        """What the file says, written back at the end; one process at a time."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(self.path.with_name(self.path.name + ".lock"), os.O_CREAT | os.O_RDWR, 0o600)
        try:
            if fcntl is not None:
                fcntl.flock(lock, fcntl.LOCK_EX)
            held = dict(self._read())
            yield held
            write_file(self.path, held)
        finally:
            os.close(lock)


def beside(store: str) -> Path:
    """Where the keys of a store are kept: beside its file, or for one that has none in the user's data directory, under
    a name of its own, so that the keys of one database never open another."""
    if store == ":memory:" or "://" in store:
        return platformdirs.user_data_path("recollect") / f"{digest(store)[:16]}.keys"
    return Path(store + ".keys")


def digest(secret: str) -> str:
    """The hash of a secret. A secret has 256 random bits, so that a slow hash would add nothing."""
    return hashlib.sha256(secret.encode()).hexdigest()


def read_file(path: Path) -> dict[str, tuple[Key, str]]:
    try:
        lines = json.loads(path.read_text(encoding="utf-8"))["keys"]
        hashes = {line["id"]: str(line.pop("hash")) for line in lines}
        return {line["id"]: (from_plain(Key, line), hashes[line["id"]]) for line in lines}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise StoreError(f"the key file {str(path)!r} cannot be read: {error}; restore it or make new keys") from error


def write_file(path: Path, held: dict[str, tuple[Key, str]]) -> None:
    """Write beside the file and move it there, readable for its owner alone from the first byte."""
    part = path.with_name(path.name + ".part")
    lines = [{**to_plain(key), "hash": kept} for key, kept in held.values()]
    part.unlink(missing_ok=True)
    with open(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
        json.dump({"keys": lines}, file, indent=1, ensure_ascii=False)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def check_name(name: str) -> str:
    if not name.strip() or len(name) > 100 or not name.isprintable():
        raise InvalidInput(f"a key's name must have 1 to 100 characters that can be shown, not {name[:120]!r}")
    return name.strip()


def check_owners(owners: Sequence[str]) -> tuple[str, ...]:
    if not owners or any(not owner.strip() or len(owner) > 200 for owner in owners):
        raise InvalidInput(f"a key needs owners of 1 to 200 characters, or {EVERYONE!r} for all, not {list(owners)!r}")
    return tuple(dict.fromkeys(owners))


def check_rights(rights: Sequence[str]) -> tuple[str, ...]:
    if not rights or (strange := [right for right in rights if right not in RIGHTS]):
        raise InvalidInput(f"rights are {', '.join(RIGHTS)}, not {', '.join(strange) if rights else 'none'!r}")
    return tuple(right for right in RIGHTS if right in rights)
