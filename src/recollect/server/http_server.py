"""Running the application: uvicorn with bounds on connections, stopped without losing what was acknowledged."""

from __future__ import annotations

import asyncio
import errno
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from recollect.errors import InvalidInput
from recollect.server import Limits

try:
    import resource
except ImportError:  # Windows, where sockets are no file handles
    resource = None  # type: ignore[assignment]

SWITCH = 0.0005
"""Seconds after which a busy worker thread lets the loop run; Python's 5 ms would hold up every answer."""

BACKLOG = 1024
OTHER_FILES = 128
"""File handles that are left for the store, for answers from files and for connections that are just being accepted."""
FEWEST = 16

if TYPE_CHECKING:
    Base = asyncio.Protocol
else:
    Base = AutoHTTPProtocol


class IdleConnections:
    """The connections of one server on which no request is under way, the one that is so for longest first."""

    def __init__(self, limits: Limits) -> None:
        self.head_seconds, self.idle_seconds = limits.head_seconds, limits.idle_seconds
        self.most = limits.connections
        if resource is not None:  # no more than there are file handles for
            handles, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
            room = max(FEWEST, handles - OTHER_FILES)
            self.most = self.most if handles == resource.RLIM_INFINITY else min(self.most, room)
        self.idle: dict[TimedProtocol, None] = {}

    def make_room(self, newest: TimedProtocol, many: int) -> None:
        """Close the oldest that are idle while there are too many; the newest itself where all others are at work."""
        too_many = max(0, many - self.most)
        for one in list(self.idle)[:too_many] or [newest][:too_many]:
            self.idle.pop(one, None)
            one.transport.abort()


class TimedProtocol(Base):
    """The HTTP protocol of uvicorn, which has a time-out between requests, with one for the head of a request too."""

    bounds: IdleConnections
    transport: asyncio.Transport
    cycle: Any
    """The newest request, as uvicorn sees it; None before the first."""
    connections: set[Any]
    timers: dict[str, asyncio.TimerHandle]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.timers = {}
        self.abort_after("head", self.bounds.head_seconds)
        self.bounds.make_room(self, len(self.connections))
        self.bounds.idle[self] = None

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self.look()
        if self in self.bounds.idle and "head" not in self.timers:
            self.abort_after("head", self.bounds.head_seconds)

    def on_response_complete(self) -> None:
        super().on_response_complete()  # type: ignore[misc]
        self.look()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.abort_after("write", self.bounds.idle_seconds)

    def resume_writing(self) -> None:
        super().resume_writing()
        self.stop_timer("write")

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.bounds.idle.pop(self, None)
        for name in list(self.timers):
            self.stop_timer(name)

    def look(self) -> None:
        """Note whether a request is under way."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.bounds.idle.pop(self, None)
            self.stop_timer("head")
        elif not self.transport.is_closing():
            self.bounds.idle.setdefault(self)

    def abort_after(self, name: str, seconds: float) -> None:
        """Close this connection unless in time the head of a request is complete, however often a piece of it comes,
        or what was answered is taken: who reads nothing holds it for ever."""
        self.timers[name] = asyncio.get_running_loop().call_later(seconds, self.transport.abort)

    def stop_timer(self, name: str) -> None:
        if name in self.timers:
            self.timers.pop(name).cancel()


class Server(uvicorn.Server):
    """Uvicorn that tells the application when it is to stop, so that streams end and it can."""

    def __init__(self, app: FastAPI, *, host: str, port: int, limits: Limits) -> None:
        settings = uvicorn.Config(
            app,
            host=host,
            port=port,
            log_level="warning",
            access_log=False,  # A path may name people.
            server_header=False,
            date_header=False,
            proxy_headers=False,  # Ours believes only the proxies that were named.
            timeout_keep_alive=limits.idle_seconds,
            timeout_graceful_shutdown=limits.drain,
            backlog=BACKLOG,
            http=type("Protocol", (TimedProtocol,), {"bounds": IdleConnections(limits)}),
            ws="none",
        )
        super().__init__(settings)
        self.service = app.state.service

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.service.closing.set()
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.service.closing.set()
        await super().shutdown(sockets)


def run(app: FastAPI, listening: socket.socket, *, limits: Limits) -> None:
    """Serve on a socket until stopped."""
    sys.setswitchinterval(SWITCH)
    host, port = listening.getsockname()[:2]
    Server(app, host=host, port=port, limits=limits).run([listening])


@contextmanager
def serving(app: FastAPI, *, host: str = "127.0.0.1", port: int = 0) -> Iterator[str]:
    """A service in a thread of this process for as long as this lasts; gives its address."""
    listening = listen(host, port)
    port = listening.getsockname()[1]
    server = Server(app, host=host, port=port, limits=app.state.service.limits)
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    try:
        yield f"http://{host}:{port}"
    finally:
        server.should_exit = True
        thread.join()


def listen(host: str, port: int) -> socket.socket:
    """A socket on this address, or an error that says what to do."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
        made.listen(BACKLOG)  # Who comes before the loop runs waits for it.
    except OSError as error:
        made.close()
        other = "--host" if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL else "--port"
        raise InvalidInput(
            f"cannot listen on {host}:{port}: {error.strerror or error}; choose another {other}"
        ) from error
    return made
