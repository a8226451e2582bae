"""Running the application: uvicorn on loopback, stopped without losing what was acknowledged."""

from __future__ import annotations

import errno
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn
from fastapi import FastAPI

from recollect.errors import InvalidInput
from recollect.server.connections import timed_protocol
from recollect.server.limits import Limits

SWITCH = 0.0005
"""Seconds after which a busy worker thread lets the loop run; Python's 5 ms would hold up every answer."""

BACKLOG = 1024


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
            http=timed_protocol(limits),
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
