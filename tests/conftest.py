"""Real parts for every test: a real SQLite file, the real rules and embedder, and a clock that the test moves."""

from __future__ import annotations

import fcntl
import os
import random
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from recollect import Clock, Memory

MONDAY = datetime(2026, 6, 1, 9, 0, tzinfo=timezone.utc)


class Hands:
    """A clock whose hands the test moves; each look at it takes a millisecond."""

    def __init__(self, now: datetime = MONDAY) -> None:
        self.now = now

    def __call__(self) -> datetime:
        self.now += timedelta(milliseconds=1)
        return self.now

    def pass_days(self, days: float) -> None:
        self.now += timedelta(days=days)


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def memory(path: Path, hands: Hands) -> Iterator[Memory]:
    with Memory(path, owner="ana", clock=Clock(now=hands, randomness=random.Random(7))) as opened:
        yield opened


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a database on a real PostgreSQL server, one for the whole run however many processes it has."""
    if named := os.environ.get("RECOLLECT_TEST_POSTGRES"):
        yield named
        return
    shared = tmp_path_factory.getbasetemp()
    shared = shared.parent if os.environ.get("PYTEST_XDIST_WORKER") else shared
    try:
        with shared_server(shared) as url:
            yield url
    except (AssertionError, ImportError, RuntimeError, OSError) as error:
        no_server(error)


@pytest.fixture
def postgres_url(postgres: str) -> Iterator[str]:
    """The URL of a store that does not exist yet, and is gone after the test."""
    from recollect.store.postgres.connections import psycopg

    schema = f"t_{random.SystemRandom().getrandbits(60):x}"
    yield f"{postgres}?schema={schema}&patience=5"
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(f"drop schema if exists {schema} cascade")


def no_server(error: BaseException) -> None:
    """Without a server there is nothing to test: a failure where everything must be tested."""
    if os.environ.get("CI"):
        pytest.fail(f"no PostgreSQL server: {error}")
    pytest.skip(f"no PostgreSQL server: {error}")


@contextmanager
def shared_server(folder: Path) -> Iterator[str]:
    """A server that the first process starts and the last one stops."""
    from .servers import Server

    users = folder / "postgres.users"
    with locked(folder):
        told = users.read_text().split() if users.exists() else []
        if told:
            url, count = told[0], int(told[1])
        else:
            started = Server(Path(tempfile.mkdtemp(prefix="recollect-"))).create("fsync=off")
            url, count = started.url(), 0
            (folder / "postgres.place").write_text(f"{started.folder} {started.process}")
        users.write_text(f"{url} {count + 1}")
    try:
        yield url
    finally:
        with locked(folder):
            count = int(users.read_text().split()[1]) - 1
            users.write_text(f"{url} {count}")
            if count == 0:
                users.unlink()
                place, process = (folder / "postgres.place").read_text().split()
                stop_server(int(process))
                shutil.rmtree(place, ignore_errors=True)


def stop_server(process: int) -> None:
    """End a server that another process may have started, and wait for its end."""
    os.kill(process, signal.SIGQUIT)
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            if os.waitpid(process, os.WNOHANG)[0]:
                return
        except ChildProcessError:
            if not Path(f"/proc/{process}").exists():
                return
        time.sleep(0.05)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    with (folder / "postgres.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
